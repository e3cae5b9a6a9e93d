"""Gain and synergy of pairs of features, from sums of their diffs over weighted pairs of rows.

`residual_sums.py` makes the sums, and `partners.py` reads the strengths.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

PAIRS_AT_ONCE = 2**12  # whose diffs stay in the cache
TINY = 1e-12


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

    def repeated(self) -> np.ndarray:
        """Mask (m, m) of features with equal diffs in all pairs of rows: one repeats the other, or both are constant.

        sum (d_A - d_B)^2 = sum d_A^2 + sum d_B^2 - 2 sum d_A d_B, up to rounding.
        """
        products = self.miss_products + self.hit_products
        squares = np.diag(products)
        both: np.ndarray = squares[:, None] + squares
        return np.asarray(both - 2 * products <= TINY * np.maximum(both, TINY))

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
