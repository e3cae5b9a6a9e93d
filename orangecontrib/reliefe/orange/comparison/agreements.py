"""Agreement of every two rankings at several numbers of best features, computed in a thread for Ranking Comparison."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from ..jobs.progress import raise_if_stopped
from .comparison import ComparedRankings

MEASURES = {  # as the core calls them: title, and what it is
    "fuji": ("FUJI", (
        "Fuzzy Jaccard index: a feature among the best of only one ranking counts in part, the more the higher it "
        "ranks in the other one"
    )),
    "jaccard": ("Jaccard", "Features among the best of both rankings, as a share of those among the best of either"),
    "overlap": ("Overlap", "Share of the best features that both rankings have in common"),
    "kuncheva": ("Kuncheva", "Overlap corrected for chance: 0 for random rankings"),
    "rbo": ("Rank-biased overlap", "Overlap of the best 1, 2, 3, ...; the first ones count most"),
    "spearman": ("Spearman", "Correlation of the ranks of all features"),
    "kendall": ("Kendall", "Pairs of features in the same order minus pairs in opposite order, as a share of all"),
    "weighted_kendall": ("Weighted Kendall", "Kendall's tau in which pairs of good features count more"),
}  # fmt: skip
WITHOUT_SIZES = ("spearman", "kendall", "weighted_kendall")
MAX_EVERY_SIZE = 64  # features up to which each number of best ones is computed, beyond: two for every doubling


@dataclass(frozen=True, eq=False)
class Agreements:
    """Agreement of every two of t rankings."""

    measure: str  # of MEASURES
    sizes: np.ndarray  # (s,) numbers of best features; s = 1 for a measure of all features
    values: np.ndarray  # (s, t, t)

    def at(self, n: int) -> np.ndarray:
        """(t, t) agreement of the n best features, or of the next smaller number that is known."""
        return self.values[max(int(np.searchsorted(self.sizes, n, side="right")) - 1, 0)]

    @cached_property
    def area(self) -> np.ndarray:
        """(t, t) mean of the averages of each two values that follow each other, at powers of two and all features."""
        powers = (self.sizes & (self.sizes - 1)) == 0
        powers[-1] = True
        values = self.values[powers]
        return (values[1:] + values[:-1]).mean(axis=0) / 2 if len(values) > 1 else values[0]

    def has(self, n: int) -> bool:
        """True if the agreement of the n best features is known."""
        return self.measure in WITHOUT_SIZES or n in self.sizes


def grid(p: int, n: int) -> np.ndarray:
    """(s,) numbers of best features at which to compare: all; of many powers of two, those between, n and p."""
    if p <= MAX_EVERY_SIZE:
        return np.arange(1, p + 1)
    powers = 2 ** np.arange(int(np.log2(p)) + 1)
    between = 3 * powers // 2
    return np.unique(np.r_[powers, between[between <= p], min(max(n, 1), p), p])


def agreements(comparison: ComparedRankings, measure: str, n: int, state) -> Agreements:
    """Compare every two rankings, in a thread.

    Parameters
    ----------
    comparison : ComparedRankings
    measure : str
        Of MEASURES.
    n : int
        A number of best features that must be among the sizes.
    state : TaskState
        Of the thread.

    Returns
    -------
    Agreements
    """
    # Here, and not above: SciPy is not to be loaded when Orange starts.
    from ...core.evaluation import AGREEMENTS
    from ...core.evaluation.ranking_lists import ListedRanking

    state.set_status(f"{MEASURES[measure][0]}: comparing {len(comparison.titles):,} rankings")
    agreement = AGREEMENTS[measure]
    t = len(comparison.titles)
    p = len(comparison.features)
    sizes = grid(p, n) if agreement.curve else np.array([p])
    lists = [ListedRanking.read(scores) for scores in comparison.scores]
    values = np.ones((len(sizes), t, t))
    pairs = list(combinations(range(t), 2))
    for number, (i, j) in enumerate(pairs):
        raise_if_stopped(state)
        a, b = lists[i], lists[j]
        pair = agreement.curve(a, b, sizes) if agreement.curve else agreement.function(a, b)
        values[:, i, j] = values[:, j, i] = pair
        state.set_progress_value(100 * (number + 1) / len(pairs))
    return Agreements(measure, sizes, values)
