"""Target that is a column of X: `rank(frame, target="outcome")`.

`check_call` calls `take_target` before all other steps, so that every function that takes X and y takes a name.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..data import frames
from ..data.facts import refuse_repeated, refuse_unknown
from ..data.frames import is_frame
from ..words import choices, shown

CALL = 'rank(frame, target="outcome")'


class NamedTarget(NamedTuple):
    """Features and a target that were columns of one table.

    Attributes
    ----------
    X : array or data frame
        The remaining columns.
    y : array, series or data frame
        The column of the target, or several.
    names : sequence of str or None
        Names of the remaining columns of an array; None for a frame, which has them.
    """

    X: Any
    y: Any
    names: Sequence[str] | None


def take_target(X: object, y: object, target: object, names: Sequence[str] | None) -> NamedTarget:
    """Split off the columns of the target by their names.

    Parameters
    ----------
    X : data frame, or (n, p) array
        Features and the target. An array needs `names`. An array with fields is read as a frame of these columns.
    y : object
        None; a target that is given in another way is an error.
    target : str or list of str
        Name of a column, or of several.
    names : sequence of str or None
        Names of the columns of an array.

    Raises
    ------
    ValueError
        If there is no such column, one is named twice, columns have no names, or y is given, too.
    TypeError
        If a name is no text.
    """
    if y is not None:
        raise ValueError(f"y and target={shown(target)} both say what features are ranked for: leave one of them out")
    several = isinstance(target, list | tuple)
    names_or_indices: list[Any] = [*target] if isinstance(target, list | tuple) else [target]
    if not names_or_indices or not all(isinstance(name, str) for name in names_or_indices):
        raise TypeError(f"target is the name of a column, or a list of names, not {shown(target)}: {CALL}")
    refuse_repeated(names_or_indices, "target")
    table: Any = frames.collected(_with_columns(X))
    if is_frame(table):
        titles = [str(name) for name in frames.names(table)]
        of_target, of_features = _target_and_other_columns(names_or_indices, titles)
        values = frames.select(table, of_target, None)
        column = values if several else next(frames.columns(values))
        y_column = column.to_native() if hasattr(column, "to_native") else column
        return NamedTarget(frames.select(table, of_features, None), y_column, None)
    array = table if isinstance(table, np.ma.MaskedArray) else np.asarray(table)
    if names is None or array.ndim != 2:
        raise ValueError(f"X has no names of columns, so that target={shown(target)} names none: give names, or y")
    of_target, of_features = _target_and_other_columns(names_or_indices, [*names])
    y_array = array[:, of_target] if several else array[:, of_target[0]]
    return NamedTarget(array[:, of_features], y_array, [names[j] for j in of_features])


def _with_columns(X: Any) -> Any:
    """Return a data frame for an array with fields, so that each field keeps its type; anything else as it is.

    Raises ValueError if the array is no list of rows, or a field has several values in a row.
    """
    fields = getattr(getattr(X, "dtype", None), "names", None)
    if fields is None or not isinstance(X, np.ndarray):
        return X
    if any(X[name].ndim != 1 for name in fields):
        raise ValueError("an array with fields has one value for each row and field: make a DataFrame of its columns")
    import pandas as pd

    return pd.DataFrame({name: X[name] for name in fields})


def _target_and_other_columns(target_names: Sequence[str], titles: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the columns of the target, and of all others; raises ValueError for a name that is not there once."""
    for name in target_names:
        if titles.count(name) != 1:
            refuse_unknown([name], "target", titles)
            raise ValueError(f"several columns are called {shown(name)}; {choices(name, titles, shown)}")
    of_target = [titles.index(name) for name in target_names]
    rest = [j for j in range(len(titles)) if j not in set(of_target)]
    return np.array(of_target), np.array(rest, int)
