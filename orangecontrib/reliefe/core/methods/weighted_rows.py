"""Weights of rows: whether a method can use them for the data of a call, and the target and study that they change.

`check_call` calls `use_weights` if rows have weights that are not all 1.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..data.diff import RANK
from ..data.expected import CONDITIONAL, IGNORE
from ..data.table import DataTable
from ..info import Info
from ..studies.study import Study
from ..targets.numbers import Numbers
from ..targets.targets import Target
from .base import Method
from .registry import METHODS
from .studied_rows import RankedTarget


class WeightedRows(NamedTuple):
    """Weights of the n rows that are ranked, with the target and the study that take them into account.

    Attributes
    ----------
    weights : (n,) float array or None
        How many rows each row counts for, above 0. None: 1.
    target : Target
        Target that features are ranked for.
    study : Study or None
        Rows with their covariates and groups.
    """

    weights: np.ndarray | None
    target: Target
    study: Study | None


def use_weights(
    weights: np.ndarray,
    method: Method[Any],
    parameters: Mapping[str, Any],
    table: DataTable,
    studied: RankedTarget,
    info: Info,
    *,
    are_offered: bool,
) -> WeightedRows:
    """Use weights of rows, unless there is a reason against them.

    Parameters
    ----------
    weights : (n,) float array
        Weights of the rows that are ranked, above 0, not all of them 1.
    method, parameters : Method, mapping
        The method that ranks, and all of its parameters.
    table : DataTable
        Features of the rows.
    studied : RankedTarget
        Target and study of the rows.
    info : Info
        Notes of the call, to which others are added.
    are_offered : bool
        Whether weights are left aside where there is a reason against them. Otherwise they raise a ValueError.
    """
    target = studied.target
    study = studied.study
    reason = _against(weights, method, parameters, table, studied)
    if reason and not are_offered:
        raise ValueError(reason)
    if reason:
        info["information"].append(f"weights of rows are left aside: {reason}")
        return WeightedRows(None, target, study)
    info["information"].append(f"weights of rows are used: {len(weights):,} rows count as {weights.sum():,.6g}")
    if parameters.get("missing", "") is None and table.missing_share:
        info["information"].append("with weights of rows, differences to missing values are ignored")
    if isinstance(target, Numbers):
        target = target.weighted(weights)
        if study is not None:
            study = replace(study, target=target)
    return WeightedRows(weights, target, study)


def _against(
    weights: np.ndarray, method: Method[Any], parameters: Mapping[str, Any], table: DataTable, studied: RankedTarget
) -> str:
    """Reason for which weights (n,) of rows, all above 0, cannot be used; empty if they can."""
    task = studied.target.task
    if task not in method.weighted_tasks:
        able = [name for name, candidate in METHODS.items() if task in candidate.weighted_tasks]
        by = f"; these do: {', '.join(able)}" if able else ""
        return f"{method.title} takes no weights of rows (sample_weight) for {task}{by}"
    if parameters.get("diff") == RANK:
        return 'weights of rows and diff="rank" exclude each other: leave out one of them'
    if parameters.get("missing") == CONDITIONAL and table.missing_share:
        return f'weights of rows and missing="{CONDITIONAL}" exclude each other: use missing="{IGNORE}"'
    total = float(weights.sum())
    if total <= 1:
        return f"weights count rows, and these sum to {total:g}: multiply them so that their mean is 1"
    if studied.study and studied.study.covariates:
        return "weights of rows and covariates exclude each other: leave out one of them"
    if studied.target.is_residual:
        return "weights of rows exclude groups in which the target varies: leave out one of them"
    return ""
