"""Results of the quality view, and the table they travel as: a row for each ranking, fold, number of features.

Knows nothing of widgets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

INSIDE, SEEN, REFERENCE = KINDS = ("ranked in training folds", "has seen the test rows", "reference")
WHOLE, DEFAULT, UNNAMED = "All features", "default", "data"
AREA = 0  # in place of a number of features: the area under the curve
METAS = ("Ranking", "Kind", "Measure", "Learner", "Data set")
COLUMNS = ("Features", "Folds", "Fold", "Test rows", "Value")
LOSSES = ("rrmse", "reconstruction")  # measures of which less is better
MEASURES = {
    "accuracy": "Classification accuracy",
    "f1": "F1 of the rarer class",
    "macro_f1": "F1, mean over classes",
    "rrmse": "Relative root mean squared error",
    "auprc": "Area under precision and recall",
    "concordance": "Concordance",
    "reconstruction": "Reconstruction error",
}


class Failure(NamedTuple):
    """who: a ranking or the learner; why: what it said; folds: in which ones (from 0)."""

    who: str
    why: str
    folds: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Line:
    """Quality of one ranking.  kind: one of KINDS.  values (m, s): in each of m folds with each number of features; NaN
    where it failed."""

    title: str
    kind: str
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Quality:
    """Quality of several rankings on one data set; replaced, never changed.

    sizes (s,): numbers of best features.  whole (m,): quality with all features; n_rows (m,): test rows.  n_folds: of
    each cross-validation, of which there may be several.  failures: who failed where.  notes: sentences.
    """

    sizes: np.ndarray
    lines: tuple[Line, ...]
    whole: np.ndarray
    n_rows: np.ndarray
    n_folds: int
    measure: str
    learner: str = ""
    name: str = ""
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def higher_is_better(self) -> bool:
        return self.measure not in LOSSES

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(line.title for line in self.lines)

    def line(self, title: str) -> Line | None:
        return next((line for line in self.lines if line.title == title), None)

    def curve(self, line: Line) -> object:
        """A line as a `Curve` of the core, of the folds in which it is known."""
        from ...core.evaluation import Curve

        known = ~np.isnan(line.values).all(axis=1)
        parts = line.values[known], self.whole[known], self.n_rows[known]
        return Curve(self.sizes, *parts, self.measure, self.higher_is_better)

    def interval(self, line: Line) -> tuple[np.ndarray, np.ndarray]:
        """(s,) ends of the intervals (95 %) of a line, NaN of fewer than two folds.

        Of few folds, they might reach beyond the shares that are possible.
        """
        from ...core.evaluation import resampled_interval

        values = self.curve(line).values
        none = np.full(len(self.sizes), np.nan)
        low, high = resampled_interval(values, self.n_folds) if len(values) > 1 else (none, none)
        return (np.clip(low, 0, 1), np.clip(high, 0, 1)) if self.higher_is_better else (low, high)

    def enough(self, line: Line) -> int | None:
        """Number of features of a line that are as good as the best number, within the noise; None: not known."""
        from ...core.evaluation import enough

        return enough(self.sizes, self.curve(line).values, self.n_folds, self.higher_is_better)

    def scores(self, at: int = AREA, titles: Sequence[str] | None = None) -> np.ndarray:
        """(m, k) quality in each fold of lines (None: all) with `at` features, or AREA; with fewer if there are not as
        many."""
        from ...core.evaluation import curve_area

        lines = [line for line in self.lines if titles is None or line.title in titles]
        if titles is not None:
            lines.sort(key=lambda line: list(titles).index(line.title))
        if at == AREA:
            return np.array([[curve_area(self.sizes, fold) for fold in line.values] for line in lines]).T
        place = max(int(np.searchsorted(self.sizes, at, side="right")) - 1, 0)
        return np.array([line.values[:, place] for line in lines]).T


def to_table(quality: Quality | None) -> Table | None:
    """Rows that `from_table` reads again, and that other widgets can draw; None without a finished fold."""
    if quality is None or not len(quality.whole):
        return None
    lines = [*quality.lines, Line(WHOLE, REFERENCE, quality.whole[:, None])]
    rows, metas = [], []
    for number, line in enumerate(lines):
        sizes = quality.sizes if line.title != WHOLE else quality.sizes[-1:]
        for (fold, place), value in np.ndenumerate(line.values):
            rows.append((sizes[place], quality.n_folds, fold + 1, quality.n_rows[fold], value))
            metas.append((number, KINDS.index(line.kind), 0, 0, 0))
    names = [[line.title for line in lines], KINDS, [MEASURES[quality.measure]]]
    names += [[quality.learner or DEFAULT], [quality.name or UNNAMED]]
    domain = Domain(
        [ContinuousVariable(name, number_of_decimals=4 if name == "Value" else 0) for name in COLUMNS],
        metas=[DiscreteVariable(name, tuple(values)) for name, values in zip(METAS, names, strict=True)],
    )
    table = Table.from_numpy(domain, np.array(rows, float), metas=np.array(metas, float))
    table.name = f"Quality on {quality.name or UNNAMED}"
    return table


def from_table(table: Table) -> list[Quality]:
    """Results that `to_table` made a table of, also of several data sets one below the other.

    Raises ValueError if columns are missing or nothing in them can be read.
    """
    missing = [name for name in (*METAS, *COLUMNS) if name not in table.domain]
    if missing:
        raise ValueError(f"an evaluation has columns {', '.join((*METAS, *COLUMNS))}; missing: {', '.join(missing)}")
    numbers = np.column_stack([table.get_column(name).astype(float) for name in COLUMNS])
    columns = [(table.domain[name], table.get_column(name)) for name in METAS]
    texts = np.column_stack([np.array([v.str_val(value) for value in found], object) for v, found in columns])
    groups: dict[tuple, list[int]] = {}
    for row, key in enumerate(map(tuple, texts[:, 2:])):
        groups.setdefault(key, []).append(row)
    names = {title: measure for measure, title in MEASURES.items()}
    found = [_read(names[key[0]], key, texts[rows], numbers[rows]) for key, rows in groups.items() if key[0] in names]
    if not found:
        raise ValueError(f"the evaluation has no rows of a known measure: {', '.join(names)}")
    return found


def _read(measure: str, key: Sequence[str], texts: np.ndarray, numbers: np.ndarray) -> Quality:
    """One data set; what is not there is NaN."""
    of_lines = texts[:, 0] != WHOLE
    sizes, folds = np.unique(numbers[of_lines, 0]), np.unique(numbers[:, 2])
    place, fold = np.searchsorted(sizes, numbers[:, 0]), np.searchsorted(folds, numbers[:, 2])
    lines = []
    for title in dict.fromkeys(texts[of_lines, 0]):
        own = texts[:, 0] == title
        values = np.full((len(folds), len(sizes)), np.nan)
        values[fold[own], place[own]] = numbers[own, 4]
        lines.append(Line(title, texts[own, 1][0], values))
    whole, n_rows = np.full(len(folds), np.nan), np.ones(len(folds))
    whole[fold[~of_lines]] = numbers[~of_lines, 4]
    n_rows[fold] = numbers[:, 3]
    n_folds = int(numbers[0, 1]) if len(numbers) and numbers[0, 1] >= 2 else 2
    return Quality(sizes.astype(int), tuple(lines), whole, n_rows, n_folds, measure, key[1], key[2])
