"""Values of two features against the target, as far as a chart needs them: a grid of cells, or points."""

from dataclasses import dataclass

import numpy as np
from Orange.data import Table, Variable

from ...core.words import counted
from ..ranker.featurevalues import LABEL, MOST_GROUPS, MOST_ROWS, association, frequent

FEW = 6  # values up to which a number is shown as a category
MOST_VALUES = 8  # of a category that are told apart: the most frequent ones
BINS = 3  # of a number, where it is asked which target belongs to a pair
JITTER = 0.3  # of the step between two values, to either side
TOLD = 9  # cells in a description


@dataclass(frozen=True, eq=False)
class Axis:
    """Title, and names of the values at 0, 1, ..., or () for numbers."""

    title: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of two categories: sizes (gx, gy); shares (gx, gy, c) of the classes `parts`, or means (gx, gy) of a number
    if there are none."""

    axes: tuple[Axis, Axis]
    sizes: np.ndarray
    parts: tuple[str, ...] = ()
    shares: np.ndarray | None = None
    means: np.ndarray | None = None

    def told(self) -> str:
        """Classes or mean of the largest cells."""
        (first, second), texts = self.axes, []
        for cell in np.argsort(-self.sizes, axis=None, kind="stable")[:TOLD]:
            i, j = np.unravel_index(cell, self.sizes.shape)
            if self.sizes[i, j]:
                where = f"{first.title} {first.names[i]}, {second.title} {second.names[j]}"
                texts.append(f"{where}: {self._told_of(i, j)} of {counted(int(self.sizes[i, j]), 'row')}")
        return "; ".join(texts)

    def _told_of(self, i, j):
        if self.means is not None:
            return f"mean {self.means[i, j]:.4g}"
        shares = zip(self.parts, self.shares[i, j], strict=True)
        return ", ".join(f"{part} {100 * share:.0f} %" for part, share in shares if share)


@dataclass(frozen=True, eq=False)
class Points:
    """x, y (m,), moved a little where few values are; codes (m,) of the classes `parts`, or values (m,) of a number if
    there are none."""

    axes: tuple[Axis, Axis]
    x: np.ndarray
    y: np.ndarray
    parts: tuple[str, ...] = ()
    codes: np.ndarray | None = None
    values: np.ndarray | None = None

    def told(self) -> str:
        """Number of the points, and what they are."""
        return f"{counted(len(self.x), 'row')}: {self.axes[0].title} to the right, {self.axes[1].title} upwards"


@dataclass(frozen=True, eq=False)
class PairValues:
    """Picture of two features; target: index of the one that it shows; drawing: None where no row knows all three."""

    title: str
    caption: str
    target: int = 0
    drawing: Grid | Points | None = None

    @property
    def told(self) -> str:
        """Words for those who do not see it."""
        return (
            f"{self.title}. {self.drawing.told()}. {self.caption}" if self.drawing else f"{self.title}. {self.caption}"
        )


class PairsOfTable:
    """Reads pairs of features of a table against its targets; rows beyond a limit are sampled, always the same."""

    def __init__(self, table: Table, most: int = MOST_ROWS):
        n = len(table)
        rows = None if n <= most else np.sort(np.random.default_rng(0).choice(n, most, replace=False))
        self._sample, self._n, self.targets = table if rows is None else table[rows], n, table.domain.class_vars

    def of(self, first: str, second: str, target: int | None = None) -> PairValues:
        """Picture of two features by their names and a target by its index; None: the one that they tell most of."""
        a, b = (self._sample.domain[name] for name in (first, second))
        x, y = self._column(a), self._column(b)
        place = self._closest(a, x, b, y) if target is None or not 0 <= target < len(self.targets) else target
        variable = self.targets[place]
        t = self._column(variable)
        known = np.isfinite(x) & np.isfinite(y) & np.isfinite(t)
        title, caption = f"{first} and {second} by {variable.name}", self._caption(int(known.sum()))
        if not known.any():
            return PairValues(title, caption, place)
        return PairValues(title, caption, place, self._drawing((a, x[known]), (b, y[known]), variable, t[known]))

    def _column(self, variable) -> np.ndarray:
        return self._sample.get_column(variable).astype(float)

    def _caption(self, known):
        n = len(self._sample)
        drawn = counted(known, "row") if n == self._n else f"{known:,} of {counted(self._n, 'row')}, sampled"
        return drawn if known == n else f"{drawn}; {n - known:,} with a missing value"

    def _closest(self, a, x, b, y) -> int:
        """Index of the target that goes together with both most closely."""
        found = []
        for variable in self.targets if len(self.targets) > 1 else ():
            t = self._column(variable)
            known = np.isfinite(x) & np.isfinite(y) & np.isfinite(t)
            cells = _binned(a, x[known]) * (MOST_GROUPS + 1) + _binned(b, y[known])
            groups, codes = np.unique(cells, return_inverse=True)
            of_target = len(variable.values) if variable.is_discrete else None
            found.append(association(codes.astype(float), max(len(groups), 1), t[known], of_target))
        return int(np.argmax(found)) if found else 0

    def _drawing(self, first, second, target: Variable, t) -> Grid | Points:
        axes, values = zip(*(_axis(*each) for each in (first, second)), strict=True)
        classes = _classes(target, t, several=len(self.targets) > 1)
        if all(axis.names for axis in axes):
            return _grid(axes, values, classes, t)
        rng = np.random.default_rng(0)
        x, y = (_moved(axis, each, rng) for axis, each in zip(axes, values, strict=True))
        if classes is None:
            return Points(axes, x, y, values=t)
        return Points(axes, x, y, classes[0], codes=classes[1])


def _axis(variable: Variable, x: np.ndarray) -> tuple[Axis, np.ndarray]:
    """Axis, and values on it: places of categories and of numbers that have few values."""
    if variable.is_discrete:
        codes, names = frequent(x, variable.values, MOST_VALUES)
        return Axis(variable.name, names), codes
    few = np.unique(x)
    if len(few) > FEW:
        return Axis(variable.name), x
    return Axis(variable.name, tuple(f"{value:g}" for value in few)), np.searchsorted(few, x)


def _moved(axis: Axis, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values moved at random where many rows have the same one, so that all are seen."""
    few = np.unique(x)
    if axis.names:
        return x + rng.uniform(-JITTER, JITTER, len(x))
    if len(few) < 2 or len(few) > len(x) / 3:
        return x
    return x + rng.uniform(-JITTER, JITTER, len(x)) * np.diff(few).min()


def _classes(target: Variable, t: np.ndarray, several: bool) -> tuple[tuple[str, ...], np.ndarray] | None:
    """Names of the classes and codes (m,); None for a number."""
    if not target.is_discrete:
        return None
    label = several and tuple(target.values) == LABEL
    classes = (f"without {target.name}", f"with {target.name}") if label else target.values
    codes, names = frequent(t, classes, MOST_VALUES)
    return names, codes


def _grid(axes, values, classes, t) -> Grid:
    shape = tuple(len(axis.names) for axis in axes)
    cells = values[0] * shape[1] + values[1]
    sizes = np.bincount(cells, minlength=np.prod(shape)).reshape(shape)
    if classes is None:
        sums = np.bincount(cells, t, minlength=np.prod(shape)).reshape(shape)
        return Grid(axes, sizes, means=sums / np.maximum(sizes, 1))
    parts, codes = classes
    counts = np.bincount(cells * len(parts) + codes, minlength=np.prod(shape) * len(parts)).reshape(*shape, len(parts))
    return Grid(axes, sizes, parts, counts / np.maximum(sizes, 1)[..., None])


def _binned(variable: Variable, x: np.ndarray) -> np.ndarray:
    if variable.is_discrete:
        return frequent(x, variable.values, MOST_VALUES)[0]
    return np.searchsorted(np.unique(np.quantile(x, np.linspace(0, 1, BINS + 1)[1:-1])), x) if len(x) else x.astype(int)
