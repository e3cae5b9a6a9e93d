"""Problem of a ranking: the method, its parameters, and the rows with a target, as the method reads them.

The fourth step of `Request.check`, after `known_target`. `methods/choice.py` has the rules of the method "auto".
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..data.table import DataTable
from ..info import Info
from ..methods.base import ROWS, Method
from ..methods.choice import Facts, automatic, target_rows, why_usual
from ..methods.registry import METHODS
from ..targets.reader import ReadTarget
from ..targets.targets import Target
from ..words import counted, some
from .arguments import Arguments
from .known_target import read_known_target
from .rows import Rows


@dataclass(frozen=True, eq=False)
class Choice:
    """A method with the parameters that are given, and the target as it takes it.

    Parameters
    ----------
    method : Method
        The method.
    parameters : dict
        Parameters that were given, or that follow from the size of the data.
    read : ReadTarget
        The target.
    info : Info
        Notes: the reason of the choice, if no method was named.
    """

    method: Method[Any]
    parameters: dict[str, Any]
    read: ReadTarget
    info: Info


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows with a known target, and the method that ranks their features.

    Parameters
    ----------
    method : Method
        The method.
    parameters : dict
        All of its parameters, checked.
    table : DataTable
        Features of the n rows, in the type and the units that the method reads.
    target : Target
        Target of the n rows.
    known : (rows,) bool array
        Which of the caller's rows these are.
    info : Info
        Notes.
    """

    method: Method[Any]
    parameters: dict[str, Any]
    table: DataTable
    target: Target
    known: np.ndarray
    info: Info


def choose_method(rows: Rows, read: ReadTarget, arguments: Arguments) -> Choice:
    """Choose the method for the data by the rules of "auto"; of many rows only some become target rows."""
    task = read.target.task
    name, reason = _automatic(rows, read.target, arguments)
    method = METHODS[name]
    parameters = {**method.defaults(task), **arguments.parameters}
    n_target_rows = target_rows(rows.table.shape)
    if n_target_rows is not None and method.traits.refines == ROWS and "n_instances" not in arguments.parameters:
        parameters["n_instances"] = n_target_rows
        reason += (
            f"; {n_target_rows:,} of them are compared with all, since n\u00b2 p is above 10\u00b9\u00b2 "
            "(with n_instances=None all are)"
        )
    accepts = method.accepts(parameters)
    if not accepts.unlabelled:
        read = read_known_target(rows, accepts, replace(arguments, task=task))
    return Choice(method, parameters, read, {"auto": reason})


def _automatic(rows: Rows, target: Target, arguments: Arguments) -> tuple[str, str]:
    """Name of the method for the data, and the reason."""
    facts = Facts.of(rows.table, target)
    if rows.feature_groups is not None:  # which no method takes that uses rows without a target
        facts = replace(facts, labelled_share=1.0)
    needs = why_usual(
        arguments.needed_by,
        covariates=arguments.covariates is not None,
        groups=arguments.groups is not None,
        feature_groups=rows.feature_groups is not None,
        weights=rows.weights is not None,
        p_values=arguments.unadjusted,
    )
    name, reason = automatic(facts, needs)
    own_names = {parameter.name for parameter in METHODS[name].parameters}
    others = [parameter for parameter in arguments.parameters if parameter not in own_names]
    if others and not needs:
        return automatic(facts, f"{METHODS[name].title} has no parameter {some(others)}")
    return name, reason


def state_problem(choice: Choice, rows: Rows) -> Problem:
    """Check all parameters of a chosen method, and give it the rows with a target."""
    method = choice.method
    target = choice.read.target
    information: list[str] = []
    # Rows
    is_known = choice.read.known
    known = rows.present.copy()
    known[rows.present] = is_known
    table = rows.table
    if not is_known.all():
        table = table.take(is_known)
        left_out = int((~is_known).sum())
        if not choice.parameters.get("labelled_only"):
            information.append(
                counted(left_out, "row without a target value is", "rows without a target value are") + " left out"
            )
    # Parameters
    parameters = method.check(method.for_task(choice.parameters, target.task), known)
    # Type and units of the features
    if table.packed and not method.takes_packed(parameters):
        table = table.unpacked()
        information.append(f"{method.title} takes genotypes as numbers: they are unpacked")
    if not method.traits.narrow:
        table = table.wide()
    if method.takes_lifted(parameters):
        table = table.lifted()
    return Problem(method, parameters, table, target, known, {"information": information})
