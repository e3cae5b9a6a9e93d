"""Layout of a diagram of mean ranks with a critical difference, which the widget Ranking Comparison draws.

The diagram of scikit-posthocs is drawn by matplotlib, which the widget does not need.
"""

from dataclasses import dataclass

import numpy as np

from ..checks import number
from ..data.arrays import floats
from .method_ranks import cliques


@dataclass(frozen=True)
class RankDiagram:
    """k methods on an axis of mean ranks; their names are in lines below, at the left or at the right.

    Attributes
    ----------
    ranks : (k,) array
        Mean ranks.
    low, high : int
        Whole ranks that the axis shows.
    left : (k,) bool array
        True for names at the left, those of the better half.
    lines : (k,) array
        Lines of the names from 0, so that no way from the axis to a name crosses another one.
    bars : tuple of (float, float, int)
        Best rank, worst rank and line of each group of methods without a significant difference. Lines of bars are
        counted from 0, and lie above those of the names.
    difference : float
        Critical difference.
    """

    ranks: np.ndarray
    low: int
    high: int
    left: np.ndarray
    lines: np.ndarray
    bars: tuple[tuple[float, float, int], ...]
    difference: float

    @property
    def n_bar_lines(self) -> int:
        """Lines that the bars need."""
        return max((line + 1 for _, _, line in self.bars), default=0)


def rank_diagram(mean_ranks: object, difference: float) -> RankDiagram:
    """Lay out a diagram of the mean ranks (k,) of k >= 2 methods with a critical difference.

    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, figure 1.
    """
    mean_ranks = floats(mean_ranks, "ranks")
    difference = number("difference", difference)
    groups = cliques(mean_ranks, difference)
    k = len(mean_ranks)
    order = np.argsort(mean_ranks, kind="stable")
    # Names: the better half at the left, the other half at the right.
    left = np.zeros(k, bool)
    lines = np.zeros(k, int)
    half = (k + 1) // 2
    left[order[:half]] = True
    lines[order[:half]] = np.arange(half)
    lines[order[half:]] = np.arange(k - half)[::-1]
    # Bars: each in the first line that is free there.
    bars = []
    ends: list[float] = []  # worst rank of the last bar in each line
    for group in groups:
        first = mean_ranks[list(group)].min()
        last = mean_ranks[list(group)].max()
        line = next((number for number, end in enumerate(ends) if end < first), len(ends))
        ends[line:] = [last, *ends[line + 1 :]]
        bars.append((float(first), float(last), line))
    low = int(np.floor(mean_ranks.min()))
    high = int(np.ceil(mean_ranks.max()))
    return RankDiagram(mean_ranks, min(low, high - 1), high, left, lines, tuple(bars), float(difference))
