"""Layout of pictures: mean ranks with their critical difference, probabilities in a triangle."""

from dataclasses import dataclass

import numpy as np

from ..checks import number
from ..data.arrays import floats
from .statistics import cliques

HEIGHT = np.sqrt(3) / 2  # of a triangle whose sides are 1


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
        The names of the better half stand at the left.
    lines : (k,) int array
        Lines of the names from 0, so that no way from the axis to a name crosses another one.
    bars : tuple of (float, float, int)
        Best rank, worst rank and line (from 0, own ones, above the names) of each group without a difference.
    difference : float
        Critical one.
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
    """Diagram of mean ranks with a critical difference.

    Parameters
    ----------
    mean_ranks : (k,) array
        Of k >= 2 methods.
    difference : float
        Critical difference.

    Returns
    -------
    RankDiagram
        Places of all its parts.

    Raises
    ------
    ValueError
        For fewer methods or unknown ranks.

    References
    ----------
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, figure 1.
    """
    mean_ranks, difference = floats(mean_ranks, "ranks"), number("difference", difference)
    groups = cliques(mean_ranks, difference)
    k = len(mean_ranks)
    order = np.argsort(mean_ranks, kind="stable")
    left, lines = np.zeros(k, bool), np.zeros(k, int)
    half = (k + 1) // 2
    left[order[:half]] = True
    lines[order[:half]] = np.arange(half)
    lines[order[half:]] = np.arange(k - half)[::-1]
    ends: list[float]
    bars, ends = [], []  # ends: worst rank of the last bar in each line
    for group in groups:
        first, last = mean_ranks[list(group)].min(), mean_ranks[list(group)].max()
        line = next((number for number, end in enumerate(ends) if end < first), len(ends))
        ends[line:] = [last, *ends[line + 1 :]]
        bars.append((float(first), float(last), line))
    low, high = int(np.floor(mean_ranks.min())), int(np.ceil(mean_ranks.max()))
    return RankDiagram(mean_ranks, min(low, high - 1), high, left, lines, tuple(bars), float(difference))


def in_triangle(probabilities: object) -> np.ndarray:
    """Points in a triangle of sides 1 for three probabilities.

    Parameters
    ----------
    probabilities : (n, 3) array
        Of the first (lower left corner), of neither (upper corner), of the second (lower right corner); a row need not
        add up to 1.

    Returns
    -------
    (n, 2) array
        x and y.

    Raises
    ------
    ValueError
        For another shape, negative numbers, or rows of zeros.
    """
    shares = floats(probabilities, "probabilities")
    if shares.ndim != 2 or shares.shape[1] != 3 or not (shares >= 0).all() or not shares.sum(axis=1).all():
        raise ValueError(f"probabilities must be (n, 3), not negative, not all 0, not of shape {shares.shape}")
    shares = shares / shares.sum(axis=1, keepdims=True)
    return np.column_stack([shares[:, 1] / 2 + shares[:, 2], shares[:, 1] * HEIGHT])
