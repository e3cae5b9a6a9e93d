"""Scores for permuted targets beside the true ones, and z, p and false discovery rates from them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from ..methods.base import Scored
from ..result import Significance
from ..words import counted

MIN_ROWS = 4  # fewer have no spread
MIN_SHUFFLES = 3  # fewer have no spread of their own
MIN_FEATURES = 20  # fewer should not be judged by each other
OWN = "significance.own_p in Python counts each alone"
EQUAL = 1e-9  # share by which scores that are equal may differ, as shuffles are added up together
ROUNDING = 1e-12  # share of the scores below which a deviation is rounding
ENOUGH, MAX_LOG = 40.0, 700.0  # logarithms of more orders than all shuffles can count, and than a number can hold


@dataclass
class Pool:
    """Standardised scores of all features in shuffled targets, counted against the true ones."""

    z: np.ndarray  # (p,): true scores in units of their spread, -inf where there is none
    # (p,): numbers of standardised scores of shuffled targets that are at least as large
    reached: np.ndarray = field(init=False)
    size: int = 0  # number of them in all
    maxima: list[float] = field(default_factory=list)  # largest one of each shuffle

    def __post_init__(self) -> None:
        self.reached = np.zeros(len(self.z), np.int64)

    def add(self, z: np.ndarray) -> None:
        """Count the standardised scores (p,) of one shuffled target."""
        null = np.sort(z[np.isfinite(z)])
        self.reached += len(null) - np.searchsorted(null, self.z - EQUAL * np.abs(self.z))
        self.size += len(null)
        self.maxima.append(float(null[-1]) if len(null) else -np.inf)


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


def orders(columns: Any, blocks: np.ndarray | None = None) -> float:
    """Number of different orders of the targets of n rows, or many where there are more than can be counted.

    columns: (n, t), dense or CSC, equal where rows are.  blocks: (n,) codes, within which rows are shuffled.
    """
    from scipy.special import gammaln

    together = np.zeros(columns.shape[0], np.int64) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    equal, logarithm = together, 0.0
    for j in range(columns.shape[1]):
        column = columns[:, [j]]
        codes = np.unique(column.toarray() if sparse.issparse(column) else column, return_inverse=True)[1].ravel()
        equal = np.unique(equal * len(codes) + codes, return_inverse=True)[1]
        logarithm = gammaln(np.bincount(together) + 1).sum() - gammaln(np.bincount(equal) + 1).sum()
        if logarithm > ENOUGH:
            break
    return float(np.rint(np.exp(min(logarithm, MAX_LOG))))


def pooled_by_own_spread(scores: np.ndarray, shuffled: np.ndarray) -> Pool:
    """Pool standardised by mean and deviation of each feature's own shuffles, every shuffle against the rest.

    A shuffled score must not be standardised by numbers that contain it: that alone makes a false discovery rate of
    .10 one of .17 to .70.

    Shapes: `scores` (p,); `shuffled` (B, p).
    """
    B, p = shuffled.shape
    if B < MIN_SHUFFLES:
        return Pool(np.full(p, -np.inf))
    mean = shuffled.mean(axis=0)
    squares = ((shuffled - mean) ** 2).sum(axis=0)
    deviation = np.sqrt(squares / (B - 1))
    varies = deviation > ROUNDING * np.abs(shuffled).max(axis=0)
    pool = Pool(_ratio(scores - mean, deviation * np.sqrt(1 + 1 / B), varies))
    for one in shuffled:
        distance = (one - mean) * B / (B - 1)  # from the mean of the rest
        rest = np.sqrt(np.maximum(squares - distance**2 * (B - 1) / B, 0) / (B - 2))
        pool.add(_ratio(distance, rest * np.sqrt(1 + 1 / (B - 1)), varies & (rest > 0)))
    return pool


def standardised(scored: Scored) -> np.ndarray | None:
    """Scores (p,) less their mean over random orders, over their deviation: -inf for constant features; None where
    there is no closed form."""
    if scored.mean is None or scored.deviation is None:
        return None
    return _ratio(scored.found.scores - scored.mean, scored.deviation, scored.deviation > 0)


def _ratio(a: np.ndarray, b: np.ndarray, where: np.ndarray) -> np.ndarray:
    return np.where(where, a / np.where(where, b, 1), -np.inf)
