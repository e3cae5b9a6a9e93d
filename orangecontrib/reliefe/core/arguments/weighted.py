"""Weights of rows: whether the method can use them for these data.

The last step of `Request.check`.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..data.diff import RANK
from ..data.expected import CONDITIONAL, IGNORE
from ..info import Info
from ..methods.registry import METHODS
from ..studies.study import Study
from ..targets.numbers import Numbers
from ..targets.targets import Target
from .problem import Problem
from .studied import Studied


@dataclass(frozen=True, eq=False)
class Weighted:
    """Weights of the n rows that are ranked, with the target and the study that take them into account.

    Parameters
    ----------
    weights : (n,) float array or None
        How many rows each row counts for, above 0. None: 1.
    target : Target
        Target that features are ranked for.
    study : Study or None
        Rows with their covariates and groups.
    info : Info
        Notes.
    """

    weights: np.ndarray | None
    target: Target
    study: Study | None
    info: Info


def use_weights(problem: Problem, studied: Studied, weights: np.ndarray | None, *, are_offered: bool) -> Weighted:
    """Use weights of the caller's rows, unless they are 1 in all rows that are ranked.

    Offered weights are left aside where there is a reason against them; others raise a ValueError then.
    """
    target = studied.target
    study = studied.study
    if weights is None or (weights[problem.known] == 1).all():
        return Weighted(None, target, study, {})
    weights = weights[problem.known]
    reason = _against(weights, problem, studied)
    if reason and not are_offered:
        raise ValueError(reason)
    if reason:
        return Weighted(None, target, study, {"information": [f"weights of rows are left aside: {reason}"]})
    information = [f"weights of rows are used: {len(weights):,} rows count as {weights.sum():,.6g}"]
    if problem.parameters.get("missing", "") is None and problem.table.missing_share:
        information.append("with weights of rows, differences to missing values are ignored")
    if isinstance(target, Numbers):
        target = target.weighted(weights)
        study = study and replace(study, target=target)
    return Weighted(weights, target, study, {"information": information})


def _against(weights: np.ndarray, problem: Problem, studied: Studied) -> str:
    """Reason for which weights (n,) of rows, all above 0, cannot be used; empty if they can."""
    method = problem.method
    task = studied.target.task
    if task not in method.weighted_tasks:
        able = [name for name, other in METHODS.items() if task in other.weighted_tasks]
        by = f"; these do: {', '.join(able)}" if able else ""
        return f"{method.title} takes no weights of rows (sample_weight) for {task}{by}"
    if problem.parameters.get("diff") == RANK:
        return 'weights of rows and diff="rank" exclude each other: leave out one of them'
    if problem.parameters.get("missing") == CONDITIONAL and problem.table.missing_share:
        return f'weights of rows and missing="{CONDITIONAL}" exclude each other: use missing="{IGNORE}"'
    total = float(weights.sum())
    if total <= 1:
        return f"weights count rows, and these sum to {total:g}: multiply them so that their mean is 1"
    if studied.study and studied.study.covariates:
        return "weights of rows and covariates exclude each other: leave out one of them"
    if studied.target.is_residual:
        return "weights of rows exclude groups in which the target varies: leave out one of them"
    return ""
