"""Interactions among a few features, by weighed pairs of rows: scores held still in another feature, and synergies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

PAIRS_AT_ONCE = 2**12  # whose diffs stay in the cache
TINY = 1e-12
MANY_PAIRS = 45  # those of ten features: the median of fewer says little, and perhaps most of them act together
NORMAL_MEDIAN = 0.6745  # of the absolute value of a standard normal number
MOST_SPREAD = 1.5  # of z by chance: choosing 60 of 500 makes up to 1.3


@dataclass(frozen=True, eq=False)
class PairSample:
    """Pairs of rows with their differences of the target."""

    i: np.ndarray  # (P,): rows of the pairs
    j: np.ndarray
    # (P,): weights of a pair as one that differs in the target and as one that does not; each adds up to 1, or to 0
    # where there is none
    miss: np.ndarray
    hit: np.ndarray

    @classmethod
    def of(cls, i: np.ndarray, j: np.ndarray, weights: np.ndarray) -> "PairSample":
        """Pairs with their folded weights (P,) in a score: positive ones are misses, negative ones hits."""
        some = weights != 0
        i, j, weights = i[some], j[some], weights[some]
        parts = [np.maximum(sign * weights, 0) for sign in (1, -1)]
        return cls(i, j, *(part / max(part.sum(), TINY) for part in parts))

    def sums(
        self,
        columns: np.ndarray,
        nominal: np.ndarray,
        unknown: np.ndarray,
        tick: Callable[[], object] = lambda: None,
    ) -> "PairSums":
        """Sums over the pairs for some features.

        Shapes: `columns` (m, n); `nominal` (m,); `unknown` (m,).
        """
        m, values, gaps = len(columns), np.ascontiguousarray(columns.T), bool(np.isnan(columns).any())
        out = PairSums(*(np.zeros(m) for _ in range(2)), *(np.zeros((m, m)) for _ in range(2)))
        for weights, sums, products in (
            (self.miss, out.miss, out.miss_products),
            (self.hit, out.hit, out.hit_products),
        ):
            some = np.flatnonzero(weights)  # a pair is one or the other
            for start in range(0, len(some), PAIRS_AT_ONCE):
                tick()
                pairs = some[start : start + PAIRS_AT_ONCE]
                d, weight = values[self.i[pairs]], weights[pairs]
                d -= values[self.j[pairs]]
                missing = np.isnan(d) if gaps else None
                d[:, nominal] = d[:, nominal] != 0
                np.abs(d, out=d)
                if missing is not None:
                    d = np.where(missing, unknown, d)
                sums += weight @ d
                d *= np.sqrt(weight)[:, None]
                products += d.T @ d  # half of the work, as BLAS knows that it is symmetric
        return out


@dataclass(eq=False)
class PairSums:
    """Weighed sums of the diffs of m features over misses and hits (m,), and of the products of two diffs (m, m)."""

    miss: np.ndarray
    hit: np.ndarray
    miss_products: np.ndarray
    hit_products: np.ndarray

    @classmethod
    def mean(cls, some: Sequence["PairSums"]) -> "PairSums":
        """Mean of the sums of several samples of pairs."""
        return cls(*(np.mean([getattr(one, name) for one in some], axis=0) for name in cls.__annotations__))

    def alone(self) -> np.ndarray:
        """Score (m,) of each feature over the pairs: its mean diff over misses less that over hits, S(A)."""
        return np.asarray(self.miss - self.hit)

    def gain(self) -> np.ndarray:
        """Gain (m, m) of a feature (row) among pairs that are alike in another one (column): S(A | B) - S(A)."""
        held = _held(self.miss, self.miss_products) - _held(self.hit, self.hit_products)
        found: np.ndarray = held - self.alone()[:, None]
        np.fill_diagonal(found, 0)
        return found

    def synergy(self) -> np.ndarray:
        """Synergy (m, m), symmetric: covariance of both diffs over hits less that over misses, in standard deviations
        over both; 0 where the diffs add up, above 0 where each undoes the other."""
        mean = (self.miss + self.hit) / 2
        squares = np.diag(self.miss_products + self.hit_products) / 2
        deviation = np.sqrt(np.maximum(squares - mean**2, TINY))
        parts = [
            products - np.outer(sums, sums)
            for products, sums in ((self.hit_products, self.hit), (self.miss_products, self.miss))
        ]
        found: np.ndarray = (parts[0] - parts[1]) / np.outer(deviation, deviation)
        np.fill_diagonal(found, 0)
        return found


def _held(sums: np.ndarray, products: np.ndarray) -> np.ndarray:
    """Mean diff (m, m) of a feature over pairs weighed by how alike they are in another one; 0 where none is."""
    rest = 1 - sums
    return np.where(rest > TINY, (sums[:, None] - products) / np.where(rest > TINY, rest, 1), 0)


def standardised(scores: np.ndarray, drawn: np.ndarray) -> tuple[np.ndarray, float]:
    """Return z (m, m) of symmetric scores (m, m) less their mean over B targets in which nothing acts together, and a
    level. The level is the largest z of these targets, each against the rest; drawn has the shape (B, m, m).

    The deviation is pooled over all pairs and targets; B is at least 2.  Features that were chosen by the same target
    act together by chance more often.  The median of z shows by how much, where there are many pairs, and z is
    divided by that (Efron 2004, J. Am. Stat. Assoc. 99:96: the empirical null).
    """
    B, upper = len(drawn), np.triu_indices(len(scores), 1)
    null = np.array([one[upper] for one in drawn])
    mean = null.mean(axis=0)
    deviation = np.sqrt(((null - mean) ** 2).sum() / max((B - 1) * null.shape[1], 1))
    if not deviation > 0:
        return np.zeros_like(scores), np.inf
    z, own = np.zeros_like(scores), (scores[upper] - mean) / (deviation * np.sqrt(1 + 1 / B))
    spread = np.median(np.abs(own)) / NORMAL_MEDIAN if len(own) >= MANY_PAIRS else 1
    z[upper] = own / np.clip(spread, 1, MOST_SPREAD)
    of_targets = (null - mean) * (B / (B - 1)) / (deviation * np.sqrt(1 + 1 / (B - 1)))
    return z + z.T, float(of_targets.max())
