"""Quality of rankings on one data set: how well their best features predict, in each fold.

`quality_job` measures it, `quality_table` makes a table of it, and the quality view draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ...core.evaluation import QualityCurve

# Kinds of rankings
INSIDE = "ranked in training folds"
SEEN = "has seen the test rows"
REFERENCE = "reference"
KINDS = (INSIDE, SEEN, REFERENCE)
AREA = 0  # in place of a number of features: the area under the curve
LOSSES = ("rrmse", "reconstruction")  # measures of which lower values are better


class Failure(NamedTuple):
    """Failure of a ranking or the learner.

    Attributes
    ----------
    who : str
        Title of the ranking, or name of the learner.
    why : str
        Message of the error.
    folds : tuple of int
        Folds in which it failed, from 0.
    """

    who: str
    why: str
    folds: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class QualityLine:
    """Quality of one ranking.

    Attributes
    ----------
    title : str
        Title of the ranking.
    kind : str
        One of `KINDS`.
    values : (m, s) float64 array
        Quality in each of m folds with each of s numbers of features; NaN where it failed.
    """

    title: str
    kind: str
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Quality:
    """Quality of several rankings on one data set. It is replaced and never changed, so that threads can share it.

    Attributes
    ----------
    sizes : (s,) int array
        Numbers of best features.
    lines : tuple of QualityLine
        Quality of each ranking.
    whole : (m,) float64 array
        Quality with all features in each of m folds.
    n_rows : (m,) array
        Numbers of test rows.
    n_folds : int
        Number of folds of a cross-validation, of which there may be several.
    measure : str
        Name of the measure.
    learner : str
        Name of the learner.
    name : str
        Name of the data set.
    failures : tuple of Failure
        Failures of rankings and of the learner.
    notes : tuple of str
        Sentences for the user.
    """

    sizes: np.ndarray
    lines: tuple[QualityLine, ...]
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
        """True if higher values of the measure are better."""
        return self.measure not in LOSSES

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of the rankings."""
        return tuple(line.title for line in self.lines)

    def line(self, title: str) -> QualityLine | None:
        """Quality of the ranking with a title, or None."""
        return next((line for line in self.lines if line.title == title), None)

    def curve(self, line: QualityLine) -> "QualityCurve":
        """Curve of a ranking, in the folds in which it is known."""
        from ...core.evaluation import QualityCurve

        folds = ~np.isnan(line.values).all(axis=1)
        return QualityCurve(
            self.sizes,
            line.values[folds],
            self.whole[folds],
            self.n_rows[folds],
            self.measure,
            self.higher_is_better,
        )

    def interval(self, line: QualityLine) -> tuple[np.ndarray, np.ndarray]:
        """Ends (s,) of the intervals (95 %) of a ranking; NaN with fewer than two folds."""
        from ...core.evaluation import resampled_interval

        values = self.curve(line).values
        if len(values) < 2:
            unknown = np.full(len(self.sizes), np.nan)
            return unknown, unknown
        low, high = resampled_interval(values, self.n_folds)
        if self.higher_is_better:  # these measures are shares, beyond which intervals of few folds may reach
            return np.clip(low, 0, 1), np.clip(high, 0, 1)
        return low, high

    def enough(self, line: QualityLine) -> int | None:
        """Smallest number of features that is as good as the best number, within the noise; None if unknown."""
        from ...core.evaluation import enough

        return enough(self.sizes, self.curve(line).values, self.n_folds, self.higher_is_better)

    def scores(self, at: int = AREA, titles: Sequence[str] | None = None) -> np.ndarray:
        """Quality (m, k) of rankings in each fold.

        Parameters
        ----------
        at : int
            Number of best features, or the next smaller one that was measured. `AREA`: area under the curve.
        titles : sequence of str, optional
            Titles of the k rankings. None: all.
        """
        from ...core.evaluation import curve_area

        lines = [line for line in self.lines if titles is None or line.title in titles]
        if titles is not None:
            lines.sort(key=lambda line: list(titles).index(line.title))
        if at == AREA:
            areas = [[curve_area(self.sizes, fold) for fold in line.values] for line in lines]
            return np.asarray(np.array(areas).T)
        k = max(int(np.searchsorted(self.sizes, at, side="right")) - 1, 0)
        return np.asarray(np.array([line.values[:, k] for line in lines]).T)
