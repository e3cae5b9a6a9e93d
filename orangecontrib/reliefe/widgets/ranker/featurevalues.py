"""Values of one feature against its target, as far as a chart needs them: groups, counts, points, or a histogram."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from Orange.data import Table, Variable

from ...core.words import counted

MOST_ROWS = 5_000  # that are drawn; more are sampled
MOST_GROUPS = 12  # values of a categorical variable that are told apart: the most frequent ones
MOST_BINS = 40
TOLD = 8  # groups in a description
LABEL = "0", "1"  # values of a label of a set


@dataclass(frozen=True, eq=False)
class Boxes:
    """Numbers by group: (name, values (m,)) of each group, from top to bottom; axis: what the numbers are."""

    axis: str
    groups: tuple[tuple[str, np.ndarray], ...]
    colored: bool = True  # groups are classes, and look like them

    def told(self) -> str:
        texts = [f"{name}: median {np.median(v):.4g} of {counted(len(v), 'row')}" for name, v in self.groups[:TOLD]]
        return f"{self.axis}. " + "; ".join(texts)


@dataclass(frozen=True, eq=False)
class Bars:
    """Counts (g, c) of rows by the feature's value and by class; parts: names of the classes, one of rows if none."""

    names: tuple[str, ...]
    parts: tuple[str, ...]
    counts: np.ndarray

    def told(self) -> str:
        texts = []
        for name, row in zip(self.names[:TOLD], self.counts, strict=False):
            shares = [f"{part} {100 * count / max(row.sum(), 1):.0f} %"
                      for part, count in zip(self.parts, row, strict=True) if count]  # fmt: skip
            texts.append(f"{name}: {counted(int(row.sum()), 'row')}" + f", {', '.join(shares)}" * (len(self.parts) > 1))
        return "; ".join(texts)


@dataclass(frozen=True, eq=False)
class Points:
    """A feature (m,) on x and a numeric target (m,) on y, with their names."""

    x: np.ndarray
    y: np.ndarray
    names: tuple[str, str]

    def told(self) -> str:
        r = association(self.x, None, self.y, None)
        return f"{counted(len(self.x), 'row')}, absolute correlation {r:.2f}"


@dataclass(frozen=True, eq=False)
class Histogram:
    """Numbers of rows (b,) between edges (b + 1,) of a feature."""

    axis: str
    edges: np.ndarray
    counts: np.ndarray

    def told(self) -> str:
        return f"{counted(int(self.counts.sum()), 'row')} from {self.edges[0]:.4g} to {self.edges[-1]:.4g}"


@dataclass(frozen=True, eq=False)
class FeatureValues:
    """Picture of a feature; drawing: None where no value is known."""

    title: str
    caption: str
    drawing: Boxes | Bars | Points | Histogram | None = None


def association(x: np.ndarray, x_values: int | None, y: np.ndarray, y_values: int | None) -> float:
    """Association of two columns without missing values, from 0 to 1.

    Two numbers: their absolute correlation; number and category: the correlation ratio; two categories: Cramer's V.
    """
    if x_values is not None and y_values is None:
        return association(y, y_values, x, x_values)
    if len(x) < 2:
        return 0.0
    if y_values is None:
        deviations = np.std(x), np.std(y)
        return abs(float(np.corrcoef(x, y)[0, 1])) if min(deviations) > 0 else 0.0
    if x_values is None:
        codes, total = y.astype(int), float(((x - x.mean()) ** 2).sum())
        sizes = np.bincount(codes, minlength=y_values)
        means = np.bincount(codes, x, y_values) / np.maximum(sizes, 1)
        return float(np.sqrt((sizes * (means - x.mean()) ** 2).sum() / total)) if total > 0 else 0.0
    table = _crossed(x, x_values, y, y_values)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return 0.0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    chi2 = float(((table - expected) ** 2 / expected).sum())
    return float(np.sqrt(chi2 / table.sum() / (min(table.shape) - 1)))


def related_target(x: np.ndarray, variable: Variable, targets: Sequence[Variable], Y: np.ndarray) -> int:
    """Index of the target that goes together with a feature most closely; the first of equals."""
    found = []
    for target, y in zip(targets, Y.T, strict=True):
        known = np.isfinite(x) & np.isfinite(y)
        found.append(association(x[known], _n_values(variable), y[known], _n_values(target)))
    return int(np.argmax(found))


class ValuesOfTable:
    """Reads the features of a table against its targets; rows beyond a limit are sampled, always the same."""

    def __init__(self, table: Table, most: int = MOST_ROWS):
        n = len(table)
        rows = None if n <= most else np.sort(np.random.default_rng(0).choice(n, most, replace=False))
        self._all, self._sample, self._n = table, table if rows is None else table[rows], n
        self._targets = table.domain.class_vars
        self._Y = np.column_stack([self._sample.get_column(v) for v in self._targets]) if self._targets else None

    def of(self, feature: int) -> FeatureValues:
        variable = self._all.domain.attributes[feature]
        x = self._sample.get_column(variable).astype(float)
        target, y = None, None
        if self._targets:
            place = related_target(x, variable, self._targets, self._Y)
            target, y = self._targets[place], self._Y[:, place].astype(float)
        if y is not None and not np.isfinite(y).any():
            target = y = None
        known = np.isfinite(x) if y is None else np.isfinite(x) & np.isfinite(y)
        drawing = None
        if known.any():
            x, y = x[known], y if y is None else y[known]
            drawing = _alone(variable, x) if target is None else _against(variable, x, target, y, self._names(target))
        return FeatureValues(self._title(variable, target), self._caption(variable, target), drawing)

    def _names(self, target):
        """Values of a target; those of a label say which label they are of."""
        if len(self._targets) > 1 and target.is_discrete and tuple(target.values) == LABEL:
            return f"without {target.name}", f"with {target.name}"
        return target.values if target.is_discrete else ()

    def _title(self, variable, target):
        if target is None:
            return variable.name
        several = len(self._targets) > 1
        of = f" (closest of {counted(len(self._targets), 'target')})" * several
        return f"{variable.name} by {target.name}{of}"

    def _caption(self, variable, target):
        """Counts of all rows, not only of those that are drawn."""
        drawn = len(self._sample)
        parts = [counted(self._n, "row") if drawn == self._n else f"{drawn:,} of {counted(self._n, 'row')}, sampled"]
        missing = [f"{count:,} of {v.name}" for v in (variable, target) if v is not None
                   and (count := int(np.isnan(self._all.get_column(v).astype(float)).sum()))]  # fmt: skip
        return "; ".join([*parts, f"missing values: {', '.join(missing)}" if missing else "no missing values"])


def _n_values(variable):
    return len(variable.values) if variable.is_discrete else None


def _crossed(x, x_values, y, y_values) -> np.ndarray:
    codes = x.astype(int) * y_values + y.astype(int)
    return np.bincount(codes, minlength=x_values * y_values).reshape(x_values, y_values).astype(float)


def frequent(codes: np.ndarray, names: Sequence[str], most: int = MOST_GROUPS) -> tuple[np.ndarray, tuple[str, ...]]:
    """Codes and names of the values that occur, in their order; of more than `most` the rarest become one."""
    sizes = np.bincount(codes.astype(int), minlength=len(names))
    shown = np.flatnonzero(sizes)
    others = len(shown) - most + 1
    if others > 1:
        shown = np.sort(shown[np.argsort(-sizes[shown], kind="stable")[: most - 1]])
    place = np.full(len(names), len(shown))
    place[shown] = np.arange(len(shown))
    kept = tuple(names[code] for code in shown) + ((f"{others:,} others",) if others > 1 else ())
    return place[codes.astype(int)], kept


def _alone(variable, x) -> Bars | Histogram:
    if variable.is_discrete:
        codes, names = frequent(x, variable.values)
        return Bars(names, ("rows",), np.bincount(codes, minlength=len(names))[:, None])
    low, high = x.min(), x.max()
    spread = low < high and np.isfinite(high - low)
    bins = min(max(int(2 * len(x) ** (1 / 3)), 1), MOST_BINS) if spread else 1  # the rule of Rice
    counts, edges = np.histogram(x, bins, None if spread else (low - 0.5, low + 0.5))
    return Histogram(variable.name, edges, counts)


def _against(variable, x, target, y, classes) -> Boxes | Bars | Points:
    if target.is_discrete:
        codes, parts = frequent(y, classes)
        if variable.is_discrete:
            values, names = frequent(x, variable.values)
            return Bars(names, parts, _crossed(values, len(names), codes, len(parts)).astype(int))
        return Boxes(variable.name, _groups(parts, codes, x))
    if variable.is_discrete:
        codes, names = frequent(x, variable.values)
        return Boxes(target.name, _groups(names, codes, y), colored=False)
    return Points(x, y, (variable.name, target.name))


def _groups(names, codes, values):
    return tuple((name, values[codes == code]) for code, name in enumerate(names))
