"""Values of one or two features of a table against its targets, as charts draw them."""

from collections.abc import Callable, Sequence

import numpy as np
from Orange.data import Table, Variable

from ...core.words import counted, some
from ..problem import CLASSIFICATION
from .pictures import Bars, Boxes, Grid, Histogram, Points, Side, Values

ADJUSTS = "multisurf"  # a method whose scores are adjusted for covariates
MOST_ROWS = 5_000  # that are drawn; more are sampled
MOST_GROUPS = 12  # values of a categorical variable that are shown: the most frequent ones
MOST_VALUES = 8  # of a category of a pair
MOST_BINS = 40
LABEL = "0", "1"  # values of a label of a set
FEW = 6  # values up to which a number of a pair is shown as a category
BINS = 3  # of a number, in the search for the target of a pair
JITTER = 0.3  # of the step between two values, to either side


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


class ValuesOfTable:
    """Reads features of a table against its targets; rows beyond a limit are sampled, always the same."""

    def __init__(self, table: Table, most: int = MOST_ROWS):
        n = len(table)
        rows = None if n <= most else np.sort(np.random.default_rng(0).choice(n, most, replace=False))
        self._all, self._sample, self._n = table, table if rows is None else table[rows], n
        self.targets = table.domain.class_vars
        self._columns = [self._column(target) for target in self.targets]
        self._covariates, self._study = None, None

    def of(self, feature: int) -> Values:
        """Picture of the feature with this index against the target that is associated with it most closely."""
        variable, place, target, y = self._all.domain.attributes[feature], 0, None, None
        x = self._column(variable)
        if self.targets:
            place = self._closest([x], lambda columns: (*columns, _n_values(variable)))
            target, y = self.targets[place], self._columns[place]
        if y is not None and not np.isfinite(y).any():
            target = y = None
        known = np.isfinite(x) if y is None else np.isfinite(x) & np.isfinite(y)
        drawing = None
        if known.any():
            x, y = x[known], y if y is None else y[known]
            drawing = _alone(variable, x) if target is None else self._against(variable, x, target, y)
        missing = [f"{count:,} of {v.name}" for v in (variable, target) if v is not None
                   and (count := int(np.isnan(self._all.get_column(v).astype(float)).sum()))]  # fmt: skip
        missing_text = f"missing values: {', '.join(missing)}" if missing else "no missing values"
        several = f" (closest of {counted(len(self.targets), 'target')})" * (len(self.targets) > 1)
        title = variable.name if target is None else f"{variable.name} by {target.name}{several}"
        return Values(title, f"{self._drawn(len(self._sample))}; {missing_text}", drawing, place)

    def adjusted(self, feature: int, covariates: Sequence[str]) -> Values:
        """Picture of what covariates leave of a feature, and of a target that is no class; categories stay as they are.

        Raises ValueError where there is no regression of the target on covariates.
        """
        from ...core.studies.projection import Projection

        variable, (known, study) = self._all.domain.attributes[feature], self._studied(tuple(covariates))
        target = next((v for v in self.targets[1:] if v.is_discrete), self.targets[0])  # of times the event
        x, codes, r = self._column(variable)[known], study.target.columns[0][:, 0], study.residuals[0]
        there, beyond = np.isfinite(x), f" beyond {some(covariates)}"
        x, codes, r, Z = x[there], codes[there], r[there], study.Z[there]
        classes = study.target.task == CLASSIFICATION
        names = [target.values[int(name)] for name in study.target.names] if classes else []
        caption, drawing = self._drawn(len(x)), None
        if len(x) and variable.is_discrete:
            last = f"{target.name} = {names[-1]}" if classes else target.name
            values, of_values = frequent(x, variable.values)
            drawing = Boxes(last + beyond, _groups(of_values, values, r[:, -1]), colored=False)
        elif len(x):
            rest = Projection.on(Z).rest(x)
            if classes:
                values, of_values = frequent(codes, names)
                drawing = Boxes(variable.name + beyond, _groups(of_values, values, rest))
            else:
                sides = Side(variable.name + beyond), Side(target.name + beyond)
                drawing = Points(sides, rest, r[:, 0], correlation=association(rest, None, r[:, 0], None))
        return Values(f"{variable.name} by {target.name}{beyond}", caption, drawing)

    def _studied(self, covariates):
        """Rows (n,) that are known, and their study; the last one is kept."""
        if covariates != self._covariates:
            from ...core.request import Request
            from ..conversion import arrays

            data = arrays(self._sample, method=ADJUSTS, covariates=list(covariates))
            nothing = np.zeros((len(self._sample), 1))
            request = Request.check(nothing, data.y, ADJUSTS, task=data.task, **data.study)
            self._covariates, self._study = covariates, (request.known, request.study)
        return self._study

    def of_pair(self, first: str, second: str, target: int | None = None) -> Values:
        """Picture of two features by their names and a target by its index; None: the one associated most closely."""
        pair = [self._sample.domain[name] for name in (first, second)]
        columns = [self._column(variable) for variable in pair]
        given = target is not None and 0 <= target < len(self.targets)
        place = target if given else self._closest(columns, lambda known: _cells(pair, known))
        variable, t = self.targets[place], self._columns[place]
        known = np.isfinite(np.column_stack([*columns, t])).all(axis=1)
        n, n_known = len(known), int(known.sum())
        caption = self._drawn(n_known) + f"; {n - n_known:,} with a missing value" * (n_known < n)
        drawing = self._pair(pair, [column[known] for column in columns], variable, t[known]) if n_known else None
        return Values(f"{first} and {second} by {variable.name}", caption, drawing, place)

    def _column(self, variable) -> np.ndarray:
        return self._sample.get_column(variable).astype(float)

    def _drawn(self, n: int) -> str:
        """Number of rows that are drawn, of how many."""
        return counted(n, "row") if len(self._sample) == self._n else f"{n:,} of {counted(self._n, 'row')}, sampled"

    def _classes(self, target: Variable, y, most: int) -> tuple[np.ndarray, tuple[str, ...]]:
        """Codes (m,) and names of the classes; those of a label contain its name."""
        label = len(self.targets) > 1 and tuple(target.values) == LABEL
        return frequent(y, (f"without {target.name}", f"with {target.name}") if label else target.values, most)

    def _against(self, variable, x, target, y) -> Boxes | Bars | Points:
        if target.is_discrete:
            codes, parts = self._classes(target, y, MOST_GROUPS)
            if not variable.is_discrete:
                return Boxes(variable.name, _groups(parts, codes, x))
            values, names = frequent(x, variable.values)
            return Bars(names, parts, _crossed(values, len(names), codes, len(parts)).astype(int))
        if variable.is_discrete:
            codes, names = frequent(x, variable.values)
            return Boxes(target.name, _groups(names, codes, y), colored=False)
        return Points((Side(variable.name), Side(target.name)), x, y, correlation=association(x, None, y, None))

    def _closest(self, columns, joined: Callable) -> int:
        """Index of the target that is associated most closely with columns, the first of equals.

        joined: one column of the known values of all, and its number of values.
        """
        found = []
        for variable, t in zip(self.targets, self._columns, strict=True) if len(self.targets) > 1 else ():
            known = np.isfinite(np.column_stack([*columns, t])).all(axis=1)
            x, n_values = joined([column[known] for column in columns])
            found.append(association(x, n_values, t[known], _n_values(variable)))
        return int(np.argmax(found)) if found else 0

    def _pair(self, pair, columns, target: Variable, t) -> Grid | Points:
        sides, values = zip(*map(_side, pair, columns), strict=True)
        codes, parts = self._classes(target, t, MOST_VALUES) if target.is_discrete else (None, ())
        if all(side.names for side in sides):
            return _grid(sides, values, parts, codes, t)
        rng = np.random.default_rng(0)
        x, y = (_moved(side, each, rng) for side, each in zip(sides, values, strict=True))
        return Points(sides, x, y, parts, codes, None if parts else t)


def _side(variable: Variable, x: np.ndarray) -> tuple[Side, np.ndarray]:
    """Axis, and values on it: places of categories and of numbers that have few values."""
    if variable.is_discrete:
        codes, names = frequent(x, variable.values, MOST_VALUES)
        return Side(variable.name, names), codes
    few = np.unique(x)
    if len(few) > FEW:
        return Side(variable.name), x
    return Side(variable.name, tuple(f"{value:g}" for value in few)), np.searchsorted(few, x)


def _moved(side: Side, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values moved at random where many rows have the same one, so that all are seen."""
    few = np.unique(x)
    if side.names:
        return x + rng.uniform(-JITTER, JITTER, len(x))
    if len(few) < 2 or len(few) > len(x) / 3:
        return x
    return x + rng.uniform(-JITTER, JITTER, len(x)) * np.diff(few).min()


def _grid(sides, values, parts, codes, t) -> Grid:
    shape = tuple(len(side.names) for side in sides)
    cells, n = values[0] * shape[1] + values[1], shape[0] * shape[1]
    sizes = np.bincount(cells, minlength=n).reshape(shape)
    if not parts:
        return Grid(sides, sizes, means=np.bincount(cells, t, n).reshape(shape) / np.maximum(sizes, 1))
    counts = np.bincount(cells * len(parts) + codes, minlength=n * len(parts)).reshape(*shape, len(parts))
    return Grid(sides, sizes, parts, counts / np.maximum(sizes, 1)[..., None])


def _binned(variable: Variable, x: np.ndarray) -> np.ndarray:
    if variable.is_discrete:
        return frequent(x, variable.values, MOST_VALUES)[0]
    return np.searchsorted(np.unique(np.quantile(x, np.linspace(0, 1, BINS + 1)[1:-1])), x) if len(x) else x.astype(int)


def _cells(pair, columns) -> tuple[np.ndarray, int]:
    """Cells (m,) of two columns in bins, and their number."""
    a, b = map(_binned, pair, columns)
    groups, codes = np.unique(a * (MOST_GROUPS + 1) + b, return_inverse=True)
    return codes.astype(float), max(len(groups), 1)


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
    kept = tuple(names[code] for code in shown) + ((f"{others:,} more",) if others > 1 else ())
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


def _groups(names, codes, values):
    return tuple((name, values[codes == code]) for code, name in enumerate(names))
