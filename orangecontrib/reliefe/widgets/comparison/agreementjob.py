"""Agreement of rankings, computed in a thread: every two, at several numbers of best features."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from .comparison import Comparison

MEASURES = {  # as the core calls them: title, and what it is
    "fuji": ("FUJI", "Fuzzy Jaccard index: a feature that only one ranking has among its best counts by how nearly "
             "the other one has it, too"),
    "jaccard": ("Jaccard", "Features among the best of both rankings, as a share of those among the best of either"),
    "overlap": ("Overlap", "Share of the best features that both rankings have in common"),
    "kuncheva": ("Kuncheva", "Overlap corrected for chance: 0 for random rankings"),
    "rbo": ("Rank-biased overlap", "Overlap of the best 1, 2, 3, ...; the first ones count most"),
    "spearman": ("Spearman", "Correlation of the ranks of all features"),
    "kendall": ("Kendall", "Pairs of features in the same order less those in another one, over all features"),
    "weighted_kendall": ("Weighted Kendall", "Kendall's tau in which pairs of good features count more"),
}  # fmt: skip
WITHOUT_SIZES = ("spearman", "kendall", "weighted_kendall")
MAX_EVERY_SIZE = 64  # features up to which each number of best ones is computed, beyond: two for every doubling


@dataclass(frozen=True, eq=False)
class Agreements:
    """measure: of MEASURES.  sizes (s,): numbers of best features, s = 1 for a measure of all.  values (s, t, t)."""

    measure: str
    sizes: np.ndarray
    values: np.ndarray

    def at(self, n: int) -> np.ndarray:
        """(t, t) agreement of the best n, or of the next smaller number there is."""
        return self.values[max(int(np.searchsorted(self.sizes, n, side="right")) - 1, 0)]

    @cached_property
    def area(self) -> np.ndarray:
        """(t, t) mean of the averages of each two values that follow each other, at powers of two and all features."""
        powers = (self.sizes & (self.sizes - 1)) == 0
        powers[-1] = True
        values = self.values[powers]
        return (values[1:] + values[:-1]).mean(axis=0) / 2 if len(values) > 1 else values[0]

    def has(self, n: int) -> bool:
        """True if this number of best features was computed."""
        return self.measure in WITHOUT_SIZES or n in self.sizes


def grid(p: int, n: int) -> np.ndarray:
    """(s,) numbers of best features at which to compare: all; of many powers of two, those between, n and p."""
    if p <= MAX_EVERY_SIZE:
        return np.arange(1, p + 1)
    powers = 2 ** np.arange(int(np.log2(p)) + 1)
    between = 3 * powers // 2
    return np.unique(np.r_[powers, between[between <= p], min(max(n, 1), p), p])


def agreements(comparison: Comparison, measure: str, n: int, state) -> Agreements:
    """Compare every two rankings; n: a number of best features that is wanted for sure."""
    # Here, and not above: SciPy is not to be loaded when Orange starts.
    from ...core import Interrupted
    from ...core.evaluation import AGREEMENTS
    from ...core.evaluation.agreement import Listed

    state.set_status(f"{MEASURES[measure][0]}: comparing {len(comparison.titles):,} rankings")
    known, t, p = AGREEMENTS[measure], len(comparison.titles), len(comparison.features)
    sizes = grid(p, n) if known.curve else np.array([p])
    lists = [Listed.read(scores) for scores in comparison.scores]
    values = np.ones((len(sizes), t, t))
    pairs = list(combinations(range(t), 2))
    for number, (i, j) in enumerate(pairs):
        if state.is_interruption_requested():
            raise Interrupted
        a, b = lists[i], lists[j]
        values[:, i, j] = values[:, j, i] = known.curve(a, b, sizes) if known.curve else known.function(a, b)
        state.set_progress_value(100 * (number + 1) / len(pairs))
    return Agreements(measure, sizes, values)
