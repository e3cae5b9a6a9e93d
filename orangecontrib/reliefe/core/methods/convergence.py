"""Convergence of rankings that grow: numbers of target rows, overlap of the best features, standard errors.

`row_method.py` and ensembles of trees (`pct.py`) end by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

# Numbers of target rows, chosen by eye
LEVELS = tuple(256 * 4**e for e in range(9))  # of partial rankings
FIRST_LEVEL = 128  # at which a search for convergence begins
FIRST_STOP = 512  # from which it may end
SHARE_OF_ROWS = 16  # divisor of n: the largest number before all, if each level starts from scratch
MAX_ERROR = 0.1  # standard errors over the spread of the scores, at which the search ends: correlation about .995
WORTH_WAITING = 5 * 10**8  # n * n * p above which a partial ranking is offered: about a second
# Convergence of the best features, chosen by eye
N_COMPARED = 20  # best features
MIN_OVERLAP = 0.95
N_TIMES = 2  # consecutive overlaps


def average_overlap(a: np.ndarray, b: np.ndarray, top: int = N_COMPARED) -> float:
    """Average over n = 1 .. min(top, p) of the share of the n best that two rankings (p,) have in common."""
    top = min(top, len(a))
    return float(np.mean([len(np.intersect1d(a[:n], b[:n])) / n for n in range(1, top + 1)]))


def has_converged(curve: Sequence[Sequence[float]]) -> bool:
    """True if the last overlaps of pairs (amount, overlap with the ranking before) are large."""
    return len(curve) >= N_TIMES and all(shared >= MIN_OVERLAP for _, shared in curve[-N_TIMES:])


def error_share(errors: np.ndarray, scores: np.ndarray) -> float:
    """Root mean square of the standard errors (p,) over the standard deviation of the scores (p,).

    Where it is e, scores of all rows correlate with these about 1 - e^2 / 2; infinite where all scores are equal, 0 for
    a single feature.
    """
    if len(scores) < 2:
        return 0.0
    spread = float(np.std(scores))
    error = float(np.sqrt(np.mean(errors**2)))
    if spread > 0:
        return error / spread
    return np.inf if error > 0 else 0.0


def errors_from_change(before: np.ndarray, scores: np.ndarray, m0: int, m: int, n: int) -> np.ndarray:
    """Standard errors (p,), all alike, of scores of m of n rows, by those of m0 of these rows.

    The variance of their difference is s^2 (1 / m0 - 1 / m), that of the scores s^2 (1 / m - 1 / n).
    """
    square = np.mean((scores - before) ** 2) * (1 / m - 1 / n) / (1 / m0 - 1 / m)
    return np.full(len(scores), np.sqrt(square))


def may_end(shares: Sequence[Sequence[float]]) -> bool:
    """True if the last of pairs (target rows, `error_share`) is of scores close to those of all rows."""
    if not shares:
        return False
    m, share = shares[-1]
    return m >= FIRST_STOP and share <= MAX_ERROR


def row_levels(shape: tuple[int, int], m: int | None, partial: bool, from_scratch: bool = True) -> list[int]:
    """Return growing numbers of target rows; m: the last one, or None where convergence decides.

    from_scratch: whether each level finds all neighbours again, so that levels before all rows must not cost much.
    """
    n, p = shape
    if m is None:
        max_level = max(n / SHARE_OF_ROWS, FIRST_STOP) if from_scratch else n - 1
        return [*(k for k in (FIRST_LEVEL << e for e in range(40)) if k < n and k <= max_level), n]
    return [*(k for k in LEVELS if partial and 3 * k < m and m * n * p > WORTH_WAITING), m]


class Level(NamedTuple):
    """Number of target rows of a ranking that grows, and the part of the work until it is reached.

    Attributes
    ----------
    m : int
        Number of target rows.
    begin, end : float
        Part of the work, from 0 to 1.
    """

    m: int
    begin: float
    end: float


def levels_of(sizes: Sequence[int], n: int, *, from_scratch: bool) -> list[Level]:
    """Levels of these sizes, of n rows, each with its part of the work.

    From m_0 to m target rows, (m - m_0) (n - (m + m_0) / 2) pairs of rows are compared. From scratch, m_0 is 0.
    """
    last = np.array(sizes)
    first = np.zeros(len(sizes), int) if from_scratch else np.array([0, *sizes[:-1]])
    pairs = (last - first) * (n - (last + first) / 2)
    ends = np.cumsum(pairs) / pairs.sum()
    begins = ends - pairs / pairs.sum()
    return [Level(*level) for level in zip(sizes, begins.tolist(), ends.tolist(), strict=True)]


@dataclass
class GrowthRecord:
    """Growth of a ranking by target rows: how it agrees with the ranking before, and its errors.

    Parameters
    ----------
    n : int
        Number of all rows.
    overlaps : list of [int, float]
        Target rows of each ranking but the first, and its overlap with the one before.
    error_shares : list of [int, float]
        Target rows of each ranking but the first, and `error_share` of its scores.
    """

    n: int
    overlaps: list[list[float]] = field(default_factory=list)
    error_shares: list[list[float]] = field(default_factory=list)
    _before: tuple[int, np.ndarray] | None = None  # target rows and scores (p,) of the last ranking

    def add(self, m: int, scores: np.ndarray, errors: Sequence[float] | None) -> None:
        """Add the scores (p,) of m target rows; errors (p,): their standard errors, if the method has them."""
        if self._before is not None:
            m0, scores0 = self._before
            overlap = average_overlap(np.argsort(-scores0, kind="stable"), np.argsort(-scores, kind="stable"))
            self.overlaps.append([m, overlap])
            if m >= self.n:
                errors_now = np.zeros(1)  # nothing was sampled
            elif errors:
                errors_now = np.array(errors)
            else:
                errors_now = errors_from_change(scores0, scores, m0, m, self.n)
            self.error_shares.append([m, error_share(errors_now, scores)])
        self._before = m, scores
