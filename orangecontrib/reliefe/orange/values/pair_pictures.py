"""Pictures of two features by a target: points, or a grid of cells if both have few values.

`ValuesOfTable.of_pair` calls `pair_picture`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from Orange.data import Variable

from .categories import MAX_VALUES_OF_PAIR, CategoriesOfRows, frequent
from .pictures import Grid, ScatterPoints, Side

MAX_NUMBERS = 6  # different numbers that are drawn as categories, at most; chosen by eye
JITTER = 0.3  # largest random shift, in steps between two values; chosen by eye
MIN_ROWS_PER_VALUE = 3  # rows that have the same number, on average, from which points are shifted


class _Axis(NamedTuple):
    """Axis of a picture, and the positions (m,) of rows on it: numbers, or codes of `side.names`."""

    side: Side
    positions: np.ndarray


def pair_picture(
    pair: Sequence[Variable], columns: Sequence[np.ndarray], target: np.ndarray, classes: CategoriesOfRows | None
) -> Grid | ScatterPoints:
    """Draw two features and a target.

    Parameters
    ----------
    pair : sequence of Variable
        The two features.
    columns : sequence of (m,) float64 arrays
        Their values, without missing ones.
    target : (m,) float64 array
        Values of the target.
    classes : CategoriesOfRows, optional
        Classes of the target. None: it is a number.
    """
    x_axis = _axis(pair[0], columns[0])
    y_axis = _axis(pair[1], columns[1])
    sides = (x_axis.side, y_axis.side)
    if x_axis.side.names and y_axis.side.names:
        return _grid(x_axis, y_axis, target, classes)
    rng = np.random.default_rng(0)
    x = _shifted(x_axis, rng)
    y = _shifted(y_axis, rng)
    if classes is None:
        return ScatterPoints(sides, x, y, values=target)
    return ScatterPoints(sides, x, y, classes.names, classes.codes)


def _axis(variable: Variable, column: np.ndarray) -> _Axis:
    """Axis of a feature, with names if it is categorical, or a number that has few values."""
    if variable.is_discrete:
        categories = frequent(column, variable.values, MAX_VALUES_OF_PAIR)
        return _Axis(Side(variable.name, categories.names), categories.codes)
    numbers = np.unique(column)
    if len(numbers) > MAX_NUMBERS:
        return _Axis(Side(variable.name), column)
    names = tuple(f"{number:g}" for number in numbers)
    return _Axis(Side(variable.name, names), np.searchsorted(numbers, column))


def _shifted(axis: _Axis, rng: np.random.Generator) -> np.ndarray:
    """Positions with random shifts where many rows have the same, so that points do not hide each other."""
    positions = axis.positions
    m = len(positions)
    if axis.side.names:
        return positions + rng.uniform(-JITTER, JITTER, m)
    numbers = np.unique(positions)
    if len(numbers) < 2 or len(numbers) > m / MIN_ROWS_PER_VALUE:
        return positions
    return np.asarray(positions + rng.uniform(-JITTER, JITTER, m) * np.diff(numbers).min())


def _grid(x_axis: _Axis, y_axis: _Axis, target: np.ndarray, classes: CategoriesOfRows | None) -> Grid:
    """Cells with numbers of rows, and shares of classes or means of a number."""
    sides = (x_axis.side, y_axis.side)
    shape = (len(x_axis.side.names), len(y_axis.side.names))
    n_cells = shape[0] * shape[1]
    cells = x_axis.positions * shape[1] + y_axis.positions
    sizes = np.bincount(cells, minlength=n_cells).reshape(shape)
    if classes is None:
        sums = np.bincount(cells, target, n_cells).reshape(shape)
        return Grid(sides, sizes, means=sums / np.maximum(sizes, 1))
    n_classes = len(classes.names)
    counts = np.bincount(cells * n_classes + classes.codes, minlength=n_cells * n_classes)
    shares = counts.reshape(*shape, n_classes) / np.maximum(sizes, 1)[..., None]
    return Grid(sides, sizes, classes.names, shares)
