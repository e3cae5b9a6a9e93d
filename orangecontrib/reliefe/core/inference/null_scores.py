"""Scores of permuted targets, from which p-values and false discovery rates follow.

`significance.py` adds one result after another; `orange/jobs/scorer_significance.py` does so for Orange's own scorers.
"""

from dataclasses import dataclass, field

import numpy as np

from ..methods.base import Scored
from ..result import Significance
from ..words import counted
from .null_pool import EQUAL, Pool, pooled_by_own_spread, ratio_where

MIN_ROWS = 4  # fewer have no spread
MIN_FEATURES = 20  # fewer should not be judged by each other
OWN = "own_p counts each alone"


@dataclass
class NullScores:
    """Scores of shuffled targets."""

    true: Scored  # result for the true target
    orders: float = np.inf  # number of different orders of the target: no p is below its inverse
    n_shuffles: int = 0  # number of shuffled targets
    # (p,): numbers of shuffles in which a feature scores at least as high as by the true target
    own: np.ndarray = field(init=False)
    pool: Pool | None = field(init=False)  # standardised by the closed form of the spread; None where there is none
    shuffled: list[np.ndarray] = field(default_factory=list)  # (p,): scores of each shuffle, kept where there is none

    def __post_init__(self) -> None:
        z = standardised(self.true)
        self.pool = None if z is None else Pool(z)
        self.own = np.zeros(len(self.true.found.scores), np.int64)

    def add(self, scored: Scored) -> None:
        """Take the result for one more shuffled target."""
        scores, z = scored.found.scores, standardised(scored)
        true = self.true.found.scores
        self.own += scores >= true - EQUAL * np.abs(true).max()
        self.n_shuffles += 1
        if self.pool is not None and z is not None:
            self.pool.add(z)
        else:
            self.shuffled.append(scores)

    def significance(self, n: int) -> Significance:
        """Significance of the scores of n rows by the shuffles so far, at least one."""
        from scipy.stats import false_discovery_control

        p, B = len(self.own), self.n_shuffles
        pool = self.pool or pooled_by_own_spread(self.true.found.scores, np.array(self.shuffled).reshape(-1, p))
        z = pool.z if self.orders > 1 else np.full(p, -np.inf)
        some = np.isfinite(z) & (n >= MIN_ROWS)
        p_values, own = (1 + pool.reached) / (1 + pool.size), (1 + self.own) / (1 + B)
        maxima = np.sort(pool.maxima)
        family_wise = (1 + len(maxima) - np.searchsorted(maxima, z)) / (1 + len(maxima))
        shares = (np.maximum(values, 1 / self.orders) for values in (p_values, family_wise, own))
        p_values, family_wise, own = (np.where(some, values, 1.0) for values in shares)
        smallest = max(1 / (1 + pool.size), 1 / self.orders) if some.any() else 1.0
        notes = tuple(self._notes(n, pool.size, bool(some.any())))
        q = false_discovery_control(p_values)
        return Significance(z, p_values, q, family_wise, own, B, smallest, self.pool is not None, notes)

    def _notes(self, n: int, size: int, some: bool) -> list[str]:
        p = len(self.own)
        if n < MIN_ROWS:
            return [f"{counted(n, 'row')} are too few for a test: all p are 1"]
        if self.orders == 1:
            return ["all rows that are shuffled together have the same target, which no shuffle changes: all p are 1"]
        if not some:
            return ["no score differs from those of shuffled targets: all p are 1"]
        few = [f"p compares {counted(p, 'feature')} with each other, which are few: {OWN}"] * (p < MIN_FEATURES)
        if self.orders <= size:
            few.append(f"the target has only {self.orders:,.0f} different orders: no p is below {1 / self.orders:.2g}")
        return few


def standardised(scored: Scored) -> np.ndarray | None:
    """Scores (p,) less their mean over random orders, over their deviation: -inf for constant features; None where
    there is no closed form."""
    if scored.mean is None or scored.deviation is None:
        return None
    return ratio_where(scored.found.scores - scored.mean, scored.deviation, scored.deviation > 0)
