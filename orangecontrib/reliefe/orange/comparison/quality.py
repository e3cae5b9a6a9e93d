"""Quality of rankings on one data set: how well their best features predict, in each fold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

INSIDE, SEEN, REFERENCE = KINDS = ("ranked in training folds", "has seen the test rows", "reference")
AREA = 0  # in place of a number of features: the area under the curve
LOSSES = ("rrmse", "reconstruction")  # measures of which less is better


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
