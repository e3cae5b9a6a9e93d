"""Gain and synergy of pairs of features, from sums of their diffs over weighted pairs of rows.

`residual_sums.py` makes the sums, and `partners.py` reads the strengths.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

PAIRS_AT_ONCE = 2**12  # whose diffs stay in the cache
TINY = 1e-12  # of sums of diffs and their products, up to which they are rounding


@dataclass(frozen=True, eq=False)
class PairSample:
    """Pairs of rows with their differences of the target."""

    i: np.ndarray  # (P,): first row of each pair
    j: np.ndarray  # (P,): second row
    # Both weights add up to 1, or to 0 where there is no such pair
    miss: np.ndarray  # (P,): weight of a pair as one that differs in the target
    hit: np.ndarray  # (P,): weight of a pair as one that does not differ

    @classmethod
    def of(cls, i: np.ndarray, j: np.ndarray, weights: np.ndarray) -> "PairSample":
        """Take pairs with their folded weights (P,) in a score: positive ones are misses, negative ones hits."""
        weighs = weights != 0
        misses = np.maximum(weights[weighs], 0)
        hits = np.maximum(-weights[weighs], 0)
        return cls(i[weighs], j[weighs], misses / max(misses.sum(), TINY), hits / max(hits.sum(), TINY))

    def sums(
        self,
        columns: np.ndarray,
        nominal: np.ndarray,
        unknown: np.ndarray,
        tick: Callable[[], object] = lambda: None,
    ) -> "PairSums":
        """Sum the diffs of some features, and the products of two, over the pairs.

        Parameters
        ----------
        columns : (m, n) array
            Scaled values or codes, NaN where unknown.
        nominal : (m,) bool array
            Features whose diff is 0 or 1.
        unknown : (m,) array
            Diff of a pair with an unknown value.
        tick : callable
            Called now and then; raises to stop.

        Returns
        -------
        PairSums
        """
        m = len(columns)
        values = np.ascontiguousarray(columns.T)
        has_unknown = bool(np.isnan(columns).any())
        out = PairSums(np.zeros(m), np.zeros(m), np.zeros((m, m)), np.zeros((m, m)))
        for weights, sums, products in (
            (self.miss, out.miss, out.miss_products),
            (self.hit, out.hit, out.hit_products),
        ):
            weighted_pairs = np.flatnonzero(weights)  # a pair is one or the other
            for start in range(0, len(weighted_pairs), PAIRS_AT_ONCE):
                tick()
                pairs = weighted_pairs[start : start + PAIRS_AT_ONCE]
                weight = weights[pairs]
                diffs = values[self.i[pairs]]
                diffs -= values[self.j[pairs]]
                is_unknown = np.isnan(diffs) if has_unknown else None
                diffs[:, nominal] = diffs[:, nominal] != 0
                np.abs(diffs, out=diffs)
                if is_unknown is not None:
                    diffs = np.where(is_unknown, unknown, diffs)
                sums += weight @ diffs
                diffs *= np.sqrt(weight)[:, None]
                products += diffs.T @ diffs  # half of the work, as BLAS knows that it is symmetric
        return out


@dataclass(eq=False)
class PairSums:
    """Weighted sums of the diffs of m features over pairs of rows."""

    miss: np.ndarray  # (m,): of the diffs over misses
    hit: np.ndarray  # (m,): of the diffs over hits
    miss_products: np.ndarray  # (m, m): of the products of two diffs over misses
    hit_products: np.ndarray  # (m, m): of the products of two diffs over hits

    @classmethod
    def mean(cls, samples: Sequence["PairSums"]) -> "PairSums":
        """Average the sums of several samples of pairs."""
        return cls(*(np.mean([getattr(sums, name) for sums in samples], axis=0) for name in cls.__annotations__))

    def alone(self) -> np.ndarray:
        """Score (m,) of each feature over the pairs: its mean diff over misses less that over hits, S(A)."""
        return np.asarray(self.miss - self.hit)

    def repeated(self) -> np.ndarray:
        """Mask (m, m) of features with equal diffs in all pairs of rows: one repeats the other, or both are constant.

        sum (d_A - d_B)^2 = sum d_A^2 + sum d_B^2 - 2 sum d_A d_B, up to rounding.
        """
        products = self.miss_products + self.hit_products
        squares = np.diag(products)
        squares_of_both: np.ndarray = squares[:, None] + squares
        return np.asarray(squares_of_both - 2 * products <= TINY * np.maximum(squares_of_both, TINY))

    def gain(self) -> np.ndarray:
        """Gain (m, m) of a feature (row) among pairs with similar values of another one (column): S(A | B) - S(A)."""
        conditional_misses = _conditional_means(self.miss, self.miss_products)
        conditional_hits = _conditional_means(self.hit, self.hit_products)
        gains: np.ndarray = conditional_misses - conditional_hits - self.alone()[:, None]
        np.fill_diagonal(gains, 0)
        return gains

    def synergy(self) -> np.ndarray:
        """Synergy (m, m), symmetric: 0 where the diffs add up, above 0 where each undoes the other.

        It is the covariance of both diffs over hits less that over misses, in standard deviations over both.
        """
        mean = (self.miss + self.hit) / 2
        squares = np.diag(self.miss_products + self.hit_products) / 2
        deviation = np.sqrt(np.maximum(squares - mean**2, TINY))
        hit_covariance = self.hit_products - np.outer(self.hit, self.hit)
        miss_covariance = self.miss_products - np.outer(self.miss, self.miss)
        synergies: np.ndarray = (hit_covariance - miss_covariance) / np.outer(deviation, deviation)
        np.fill_diagonal(synergies, 0)
        return synergies


def _conditional_means(sums: np.ndarray, products: np.ndarray) -> np.ndarray:
    """Mean diff (m, m) of a feature A over pairs weighted by 1 - d_B, their similarity in another one; 0 without any.

    sum w d_A (1 - d_B) / sum w (1 - d_B), where the weights w add up to 1.
    """
    similarity = 1 - sums
    is_positive = similarity > TINY
    return np.where(is_positive, (sums[:, None] - products) / np.where(is_positive, similarity, 1), 0)
