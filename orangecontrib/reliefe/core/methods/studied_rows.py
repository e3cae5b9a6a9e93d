"""Covariates and groups of a ranking: the study of its rows, and the target that features are ranked for.

`check_call` calls `study_rows` with the arguments of a call. Rankings of frames, tables and genotypes remember the
`STUDY_ARGUMENTS`, since scores are explained by the same comparisons.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..checks import one_of
from ..data.table import DataTable
from ..info import Info
from ..studies.study import Study
from ..targets.residuals import BOTH, PARTS_OF_PAIRS, PLACE
from ..targets.targets import Target
from ..targets.tasks import SURVIVAL
from ..targets.times import FEW_EVENTS, Times
from ..words import counted
from .base import Method
from .parameters import METHOD
from .registry import METHODS

# Arguments on a study that go through **parameters of `rank`. They are no parameters of its method
STUDY_OPTIONS = ("linear_covariates", "parts")
# Arguments that say how rows are compared, for a ranking that explains its scores later
STUDY_ARGUMENTS = ("covariates", "groups", *STUDY_OPTIONS)


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyArguments:
    """Arguments of `rank` on the rows of a study, as the caller gave them.

    Parameters
    ----------
    covariates : (n,) or (n, q) array or DataFrame, or None
        Covariates of the caller's rows.
    groups : (n,) array or None
        Group of each row.
    parts : str or None
        Parts of pairs that count for a target of numbers, of `PARTS_OF_PAIRS`. None: by the features.
    linear : bool or sequence of str
        Which covariates of numbers have a linear effect.
    unadjusted : bool
        Whether scores may leave covariates aside, as where p-values take them into account.
    seed : int
        Seed of choices by chance.
    """

    covariates: object
    groups: object
    parts: str | None
    linear: object
    unadjusted: bool
    seed: int


class RankedTarget(NamedTuple):
    """Target that features are ranked for, and the study of its rows.

    Attributes
    ----------
    target : Target
        Residuals, if the method ranks for these, or the target itself.
    study : Study or None
        Rows with their covariates and groups, or with times. None: there are none of these.
    """

    target: Target
    study: Study | None


def study_rows(
    arguments: StudyArguments, method: Method[Any], table: DataTable, target: Target, known: np.ndarray, info: Info
) -> RankedTarget:
    """Read covariates and groups.

    Parameters
    ----------
    arguments : StudyArguments
        Arguments of the call.
    method : Method
        The method that ranks.
    table, target : DataTable, Target
        Features and target of the rows that are ranked.
    known : (rows,) bool array
        Which of the caller's rows these are.
    info : Info
        Notes of the call, to which others are added.

    Raises
    ------
    ValueError
        For covariates that cannot be read, or that the method cannot use.
    """
    parts_of_pairs = _parts_of_pairs(arguments.parts, table)
    if arguments.covariates is not None and not arguments.unadjusted:
        _refuse_covariates(method, target.task)
    _note_times(target, info)
    ranks_times = target.task == SURVIVAL and method.traits.times_as_residuals
    if arguments.covariates is None and arguments.groups is None and not ranks_times:
        return RankedTarget(target, None)
    study = Study.of(
        target,
        known,
        arguments.covariates,
        arguments.groups,
        info,
        linear=arguments.linear,
        parts=parts_of_pairs,
        seed=arguments.seed,
    )
    by_residuals = method.traits.adjusts and bool(study.covariates or study.varies or ranks_times)
    study = replace(study, by_residuals=by_residuals)
    values = None if table.packed else table.values
    study.note(table.names, values, info, method.traits.adjustment)
    if study.covariates and not by_residuals:
        info["information"].append(f"scores by {method.title} are not adjusted for covariates, p-values are")
    has_core = any(parameter.kind == METHOD for parameter in method.parameters)  # which may separate groups
    if study.groups is not None and not (method.traits.separates_groups or has_core):
        info["information"].append(f"{method.title} leaves groups aside, p-values do not")
    return RankedTarget(study.ranked() if by_residuals else target, study)


def _refuse_covariates(method: Method[Any], task: str) -> None:
    """Raise ValueError if only other methods adjust scores for covariates."""
    if method.traits.adjusts:
        return
    able = [name for name, candidate in METHODS.items() if candidate.traits.adjusts and task in candidate.tasks]
    if able:
        raise ValueError(
            f"{method.title} takes no covariates. Rank by one of {', '.join(able)}, or add "
            "significance=True: p-values of every method take covariates into account"
        )


def _parts_of_pairs(parts: str | None, table: DataTable) -> str:
    """The parts that are asked for, or place and spread where any feature is a number."""
    if parts is not None:
        return one_of("parts", parts, PARTS_OF_PAIRS)
    has_numbers = table.packed.additive if table.packed else not table.nominal.all()
    return BOTH if has_numbers else PLACE


def _note_times(target: Target, info: Info) -> None:
    """Add the events of times with censoring to `info`; nothing for other targets."""
    if isinstance(target, Times):
        n_events = target.n_events
        info |= {"events": n_events, "censored": 1 - n_events / target.n, "event": target.event_name}
        if n_events < FEW_EVENTS:
            info["warnings"].append(f"only {counted(n_events, 'event')}: scores say little")
