"""Rows of a ranking: features, target values and weights of the rows whose weight is above 0.

The second step of `Request.check`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import frames
from ..data.arrays import cells
from ..data.chosen_rows import chosen_from, take
from ..data.feature_groups import ADVICE_ON_ORDER, FeatureGroups
from ..data.table import DataTable
from ..data.transposed import MAX_NAMES_READ, TRANSPOSE_TABLE, are_features, sentence_on_rows
from ..data.weights import OfferedWeights, read_weights
from ..info import Info
from ..targets.times import Survival
from ..words import counted, shown, some
from .arguments import Arguments

OTHER_INDEX = (
    "the index of {0} is not that of X: rows are paired by their order; give {0}.loc[X.index] to pair them by index"
)


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows whose weight is above 0, before it is known which of them have a target.

    Parameters
    ----------
    table : DataTable
        Their features.
    y : object
        Their target values, as the caller has them.
    present : (n,) bool array
        Which of the caller's n rows they are.
    weights : (n,) float array or None
        Weights of the caller's rows. None: 1 in all rows that are present.
    keep : (k,) int array or None
        Indices of the features that are always selected, or of their groups, sorted.
    feature_groups : FeatureGroups or None
        Groups of the features that are ranked as one.
    info : Info
        Notes.
    """

    table: DataTable
    y: Any
    present: np.ndarray
    weights: np.ndarray | None
    keep: np.ndarray | None
    feature_groups: FeatureGroups | None
    info: Info


def read_rows(arguments: Arguments) -> Rows:
    """Read features, weights and target values."""
    table = DataTable.read(arguments.X, arguments.nominal, narrow=True).named(arguments.names)
    info: Info = {"warnings": [], "information": []}
    _note_texts(arguments, info)
    if rows := features_in_rows(arguments.X, has_target=arguments.y is not None):
        info["information"].append(f"{sentence_on_rows(rows)}: {TRANSPOSE_TABLE}")
    feature_groups = _read_feature_groups(arguments.feature_groups, table, info)
    keep = _read_keep(arguments.keep, table, feature_groups, info)
    weights = _read_weights(arguments.sample_weight, table.shape[0], info)
    if weights is None:
        return Rows(table, arguments.y, np.ones(table.shape[0], bool), None, keep, feature_groups, info)
    present = weights > 0
    y: Any = arguments.y
    if not present.all():
        info["information"].append(f"{counted(int((~present).sum()), 'row')} of weight 0 left out")
        table = table.take(present)
        y = _target_values(y, present)
    are_equal = bool((weights[present] == 1).all())
    return Rows(table, y, present, None if are_equal else weights, keep, feature_groups, info)


def _note_texts(arguments: Arguments, info: Info) -> None:
    """Add a warning of columns whose texts are numbers, unless the caller says which columns are categories."""
    X: Any = arguments.X
    if arguments.nominal is not None or not frames.is_frame(X):
        return
    names = frames.numbers_as_texts(X)
    if names:
        noun = "the column" if len(names) == 1 else f"{len(names):,} columns"
        info["warnings"].append(
            f"numbers are given as texts in {noun} {some([*map(shown, names)])}, and ranked as categories: convert "
            "numbers by X.astype(float), or say by nominal which columns are categories"
        )


def features_in_rows(X: Any, has_target: bool) -> list[str]:
    """Return the index of a frame of pandas if it has names of features, and its columns those of samples; else none.

    has_target: True if there is a target, so that rows are rather samples.
    """
    if not (frames.is_frame(X) and hasattr(X, "iloc")):
        return []
    rows = X.index.tolist()
    if not all(isinstance(name, str) for name in rows[:MAX_NAMES_READ]):
        return []
    rows = [*map(str, rows)]
    return rows if are_features(rows, [*map(str, frames.names(X))], has_target) else []


def other_rows(arguments: Arguments) -> list[str]:
    """Warnings of objects of pandas whose rows have other labels than X, or the same in another order."""
    X: Any = arguments.X
    columns: dict[str, Any] = {
        "y": arguments.y,
        "covariates": arguments.covariates,
        "groups": arguments.groups,
        "sample_weight": arguments.sample_weight,
    }
    if not hasattr(X, "iloc"):
        return []
    framed = {name: values for name, values in columns.items() if hasattr(values, "iloc")}
    return [OTHER_INDEX.format(name) for name, values in framed.items() if not X.index.equals(values.index)]


def _read_feature_groups(given: object, table: DataTable, info: Info) -> FeatureGroups | None:
    """Groups of the features, with a note on them; None without any."""
    if given is None:
        return None
    groups = FeatureGroups.read(given, table)
    info["members"] = groups.members
    if not groups.are_single:
        info["information"].append(groups.note())
        if not groups.are_single:
            info["information"].append(ADVICE_ON_ORDER)
    return groups


def _read_keep(given: object, table: DataTable, groups: FeatureGroups | None, info: Info) -> np.ndarray | None:
    """Indices of the features that are always selected, or of their groups, with a note on them; None without any."""
    if given is None:
        return None
    features = table.places(given, "keep")
    keep = features if groups is None else np.unique(groups.of_features[features])
    if len(keep):
        info["kept"] = keep.tolist()
        info["information"].append(f"always selected: {some(table.names_of(features))}")
    return keep


def _read_weights(given: object, n: int, info: Info) -> np.ndarray | None:
    """Weights (n,) from 0, or None without any; offered ones that are wrong are left aside with a warning."""
    if given is None:
        return None
    if not isinstance(given, OfferedWeights):
        return read_weights(given, n)
    try:
        return read_weights(given.values, n)
    except ValueError as error:
        info["warnings"].append(f"the weights of the rows are left aside: {error}")
        return None


def _target_values(y: Any, rows: np.ndarray) -> Any:
    """Target values of some rows, of a mask, as callers have them."""
    if y is None:
        return None
    if isinstance(y, Survival):
        return Survival(cells(y.time, "time")[rows], cells(y.event, "event")[rows], y.event_value)
    return take(chosen_from(y, "y"), rows)
