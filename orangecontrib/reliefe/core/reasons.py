"""Reasons for the rank of a feature, as `inference/explanation.py` finds them for `explain` and `Ranking.explain`."""

from dataclasses import dataclass, field

import numpy as np

from .checks import whole
from .words import sentence


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Reasons for the rank of a feature.

    feature: its index.
    name: its name.
    score: its score.
    rank: its position, 1 = best.
    apart: mean difference of the feature between a row and its neighbours with another target.  None for methods whose
    scores are no sums over pairs of rows.
    alike: mean difference between a row and its neighbours with the same target; None where apart is.
    difference: apart less alike.
    interval: 95 % interval of the difference, by samples of the rows that are ranked again.  None where there are too
    few rows, or too few samples have both parts.
    interval_by: how rows were sampled for the interval; empty without one.
    interval_doubt: why the interval may be too short, for example missing values; empty if nothing is known.
    rows (n,): share of each row in the score, half the sum of its pairs.  NaN for rows that take no part.
    likely: positions of the score plus and less two of its standard errors, by a jackknife over the shares of the rows.
    It keeps neighbours, so that these are mostly wider than random halves of the rows show.
    p: p-value, if the ranking has it.
    q: false discovery rate, if the ranking has it.
    elsewhere: its position by other methods.
    reasons: sentences on why positions by other methods are different.
    sentences: two sentences for a report.
    """

    feature: int
    name: str
    score: float
    rank: int
    apart: float | None = None
    alike: float | None = None
    difference: float | None = None
    interval: tuple[float, float] | None = None
    interval_by: str = ""
    interval_doubt: str = ""
    rows: np.ndarray | None = None
    likely: tuple[int, int] | None = None
    p: float | None = None
    q: float | None = None
    elsewhere: dict[str, int] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """The report, a sentence on each line: what a notebook shows."""
        elsewhere = ", ".join(f"{rank:,} by {title}" for title, rank in self.elsewhere.items())
        lines = [*self.sentences, f"Rank {elsewhere}." if elsewhere else ""]
        return "\n".join(filter(None, [*lines, *(f"{sentence(reason)}." for reason in self.reasons)]))

    def most(self, n: int = 5) -> tuple[np.ndarray, np.ndarray]:
        """Find the rows that count most.

        Parameters
        ----------
        n : int
            Number of rows, from 0.

        Returns
        -------
        rows_for, rows_against : int arrays
            Indices of up to n rows that count most for the feature, and against it, the strongest first.
        """
        if self.rows is None:
            return np.zeros(0, int), np.zeros(0, int)
        order = np.argsort(-np.nan_to_num(self.rows), kind="stable")
        n = whole("n", n, 0)
        signs = np.sign(self.rows[order])
        return order[signs > 0][:n], order[signs < 0][::-1][:n]
