"""Distances and sums of packed genotypes, which have two bits: bits that differ are counted by words.

`comparison.py` makes `PackedManhattan` and `PackedSums` for tables that are packed (`data/packed.py` has the meaning of
the low and the high bit). Distances are whole numbers, or means of such over the features that both rows have, and so
need no second look. Sums over lists count the pairs of each weight. Where there are too many weights, and for tiles,
some features at a time are unpacked, and added up by the kernels of numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...data.expected import MISSING
from ...data.packed import Packed
from ...kernels.bits import BITS, pair_counts, popcount
from ...kernels.jit import kernel
from ...work.threads import Work
from .aligned_arrays import aligned
from .bits import LANES
from .distance import Distance
from .features import EIGHT, Features
from .missing import round_means, take_means
from .pair_sums import PairList
from .steps import Steps
from .sums import DenseSums, Sums, WeighedPairs
from .weighted import MIN_SHARED

WORDS_AT_ONCE = 128  # words of two rows that are compared before the next rows are, while they are in the cache
FEATURES_AT_ONCE = 1024  # features that are unpacked together
WORDS_PER_SPAN = 512  # words whose pairs are counted by one thread
MIN_PAIRS = 4  # pairs of one weight, on average, from which counting them is faster than unpacking


class PackedManhattan(Distance):
    """Numbers of the features in which rows differ; for additive codes (0, 1/2, 1), sums of the diffs."""

    def __init__(self, features: Features, packed: Packed):
        self.n = features.shape[0]
        self.packed = packed
        self._ignore = features.missing is not None and features.missing.ignore
        edge = LANES * min(max(features.shape[0] // 250, 1), 4)
        self.tile_shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        packed = self.packed
        bounds = (i0, i1, j0, j1)
        unit = 0.5 if packed.additive else 1.0
        if not self._ignore:
            _fill_distances(packed.low, packed.high, packed.additive, unit, bounds, upper, out)
            return out
        p = packed.n_features
        D = out[: i1 - i0, : j1 - j0]
        n_unknown = np.zeros((i1 - i0, j1 - j0))
        _fill_distances_of_known(packed.low, packed.high, packed.additive, unit, bounds, upper, D, n_unknown)
        take_means(D, p - n_unknown, p)
        round_means(D, p)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Distances are whole numbers and halves, unless they are means over the features that both rows have."""
        largest = self.packed.n_features
        return Steps.for_bound(self.n, largest) if self._ignore else Steps.of_halves(self.n, largest)


class EqualWeights(NamedTuple):
    """Features that have the same weight.

    Attributes
    ----------
    weight : float
        Their weight.
    packed : Packed
        Their genotypes, without padding.
    """

    weight: float
    packed: Packed


class PackedWeighted(Distance):
    """Sums of diffs times weights of the features, of which there are few different ones.

    Bits are counted for the features of each weight. If unknown values are ignored, a distance is the weighted mean
    over the features that both rows have, times the sum of all weights.

    Parameters
    ----------
    features : Features
        Facts about the columns.
    packed : Packed
        The genotypes.
    feature_weights : (p,) array
        Weights of the features.
    """

    def __init__(self, features: Features, packed: Packed, feature_weights: np.ndarray):
        unweighted = PackedManhattan(features, packed)
        self.n = unweighted.n
        self.tile_shape = unweighted.tile_shape
        self._ignore = features.missing is not None and features.missing.ignore
        self._unit = 0.5 if packed.additive else 1.0
        self._total_weight = float(feature_weights.sum())
        self._groups = [
            EqualWeights(float(weight), _without_padding(packed.columns(np.flatnonzero(feature_weights == weight))))
            for weight in np.unique(feature_weights)
        ]

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        bounds = (i0, i1, j0, j1)
        D = out[: i1 - i0, : j1 - j0]
        D[:] = 0
        distances = np.zeros(D.shape)  # of the features of one weight
        n_unknown = np.zeros(D.shape)
        shared_weight = np.full(D.shape, self._total_weight)
        for weight, packed in self._groups:
            if self._ignore:
                _fill_distances_of_known(
                    packed.low, packed.high, packed.additive, self._unit, bounds, upper, distances, n_unknown
                )
                shared_weight -= weight * n_unknown
            else:
                _fill_distances(packed.low, packed.high, packed.additive, self._unit, bounds, upper, distances)
            D += weight * distances
        if self._ignore:
            is_shared = shared_weight > MIN_SHARED * self._total_weight
            means = D / np.where(is_shared, shared_weight, 1)
            D[:] = np.where(is_shared, means * self._total_weight, self._total_weight)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of the sum of the weights."""
        return Steps.for_bound(self.n, self._total_weight)


def _without_padding(packed: Packed) -> Packed:
    """Return packed genotypes without words that have no features."""
    n_words = -(-packed.n_features // BITS)
    low = np.ascontiguousarray(packed.low[:, :n_words])
    high = np.ascontiguousarray(packed.high[:, :n_words])
    return Packed(low, high, packed.n_features, packed.additive)


@dataclass(frozen=True)
class PackedSums(Sums):
    """Sums over pairs of weights times diffs.

    Attributes
    ----------
    features : Features
        Facts about the columns.
    packed : Packed
        The genotypes.
    """

    features: Features
    packed: Packed

    at_once = True
    dtype = np.dtype(np.float64)  # weights are counted, not multiplied by single values

    def zeros(self) -> np.ndarray:
        return np.zeros(self.features.shape[1])

    def of_pairs(self, pairs: PairList) -> np.ndarray:
        return self.all_at_once([pairs], Work())

    def all_at_once(self, pairs: Sequence[WeighedPairs], work: Work) -> np.ndarray:
        """Sums (p,) over all tiles, or over all lists; a thread for some features."""
        lists = [listed for listed in pairs if isinstance(listed, PairList)]
        if len(lists) < len(pairs):
            return self._by_numbers(pairs, work)
        groups = _pairs_by_weight(lists)
        if groups is None:
            return self._by_numbers(pairs, work)
        packed = self.packed
        n_words = packed.low.shape[1]
        total = np.zeros(n_words * BITS)

        def add_words(first: int) -> None:
            last = min(first + WORDS_PER_SPAN, n_words)
            out = total[first * BITS : last * BITS]
            for group in groups:
                work.tick()
                rows_and_cols = (group.rows, group.cols)
                pair_counts(
                    packed.low, packed.high, rows_and_cols, group.weight, not packed.additive, (first, last), out
                )

        work.map(add_words, range(0, n_words, WORDS_PER_SPAN))
        return total[: packed.n_features]

    def _by_numbers(self, pairs: Sequence[WeighedPairs], work: Work) -> np.ndarray:
        """Sums (p,) over pairs, some features after another, which are unpacked."""
        total = self.zeros()
        p = self.features.shape[1]

        def add_features(first: int) -> None:
            last = min(first + FEATURES_AT_ONCE, p)
            dense = unpacked(self.features, self.packed, first, last)
            out = np.zeros(dense.n_padded_columns)
            for listed in pairs:
                work.tick()
                DenseSums(dense).add(listed, out)
            total[first:last] = out[: last - first]

        work.map(add_features, range(0, p, FEATURES_AT_ONCE))
        return total


class EqualPairs(NamedTuple):
    """Pairs of rows that have the same weight.

    Attributes
    ----------
    rows, cols : (q,) int64 arrays
        Both rows of each pair.
    weight : float
        Their weight.
    """

    rows: np.ndarray
    cols: np.ndarray
    weight: float


def _pairs_by_weight(lists: Sequence[PairList]) -> list[EqualPairs] | None:
    """Group the pairs of lists by their weights; None if there are less than MIN_PAIRS of a weight, on average."""
    rows = np.concatenate([listed.first_rows for listed in lists])
    cols = np.concatenate([listed.cols for listed in lists])
    weights = np.concatenate([listed.weights[:, 0] for listed in lists])
    distinct, group_of_pair = np.unique(weights, return_inverse=True)
    if len(weights) < MIN_PAIRS * len(distinct):
        return None
    order = np.argsort(group_of_pair, kind="stable")
    rows = rows[order].astype(np.int64)
    cols = cols[order].astype(np.int64)
    ends = np.cumsum(np.bincount(group_of_pair, minlength=len(distinct)))
    starts = ends - np.diff(ends, prepend=0)
    return [
        EqualPairs(rows[start:end], cols[start:end], float(weight))
        for start, end, weight in zip(starts, ends, distinct, strict=True)
    ]


def unpacked(features: Features, packed: Packed, first: int, last: int) -> Features:
    """Packed features [first, last) as numbers, without corrections: unknown ones are a value of their own."""
    n = features.shape[0]
    p = last - first
    width = -(-p // EIGHT) * EIGHT
    values = aligned((n, width), features.values.dtype)
    packed.span(first, last, np.arange(n), MISSING, values)
    n_numeric = width if features.n_numeric else 0
    return replace(features, values=values, n_numeric=n_numeric, columns=np.arange(p), missing=None, packed=None)


@kernel
def _fill_distances(low, high, additive, unit, bounds, upper, out):
    """Set out[i - i0, j - j0] to the distance of rows i and j, four rows j at a time.

    additive:  unit * sum over words of popcount(low_i ^ low_j) + popcount(high_i ^ high_j)
    else:      unit * sum over words of popcount((low_i ^ low_j) | (high_i ^ high_j))

    low, high : (n, words) uint64, the low and the high bits of features
    bounds : i0, i1, j0, j1
    upper : True if only the pairs i < j need be right
    out : (>= i1 - i0, >= j1 - j0)
    """
    i0, i1, j0, j1 = bounds
    for w0 in range(0, low.shape[1], WORDS_AT_ONCE):
        w1 = min(w0 + WORDS_AT_ONCE, low.shape[1])
        for j in range(j0, j1, 4):
            # Behind the last row its counts are made again, and not added
            ja = j
            jb = min(j + 1, j1 - 1)
            jc = min(j + 2, j1 - 1)
            jd = min(j + 3, j1 - 1)
            low_a = low[ja, w0:w1]
            low_b = low[jb, w0:w1]
            low_c = low[jc, w0:w1]
            low_d = low[jd, w0:w1]
            high_a = high[ja, w0:w1]
            high_b = high[jb, w0:w1]
            high_c = high[jc, w0:w1]
            high_d = high[jd, w0:w1]
            for i in range(i0, min(i1, jd) if upper else i1):
                x = low[i, w0:w1]
                y = high[i, w0:w1]
                na = nb = nc = nd = np.uint64(0)
                if additive:
                    for w in range(len(x)):
                        na += popcount(x[w] ^ low_a[w]) + popcount(y[w] ^ high_a[w])
                        nb += popcount(x[w] ^ low_b[w]) + popcount(y[w] ^ high_b[w])
                        nc += popcount(x[w] ^ low_c[w]) + popcount(y[w] ^ high_c[w])
                        nd += popcount(x[w] ^ low_d[w]) + popcount(y[w] ^ high_d[w])
                else:
                    for w in range(len(x)):
                        na += popcount((x[w] ^ low_a[w]) | (y[w] ^ high_a[w]))
                        nb += popcount((x[w] ^ low_b[w]) | (y[w] ^ high_b[w]))
                        nc += popcount((x[w] ^ low_c[w]) | (y[w] ^ high_c[w]))
                        nd += popcount((x[w] ^ low_d[w]) | (y[w] ^ high_d[w]))
                row = out[i - i0]
                if w0 == 0:
                    row[ja - j0] = 0
                    row[jb - j0] = 0
                    row[jc - j0] = 0
                    row[jd - j0] = 0
                row[ja - j0] += unit * na
                row[jb - j0] += unit * nb if jb > ja else 0.0
                row[jc - j0] += unit * nc if jc > jb else 0.0
                row[jd - j0] += unit * nd if jd > jc else 0.0


@kernel
def _fill_distances_of_known(low, high, additive, unit, bounds, upper, out, n_unknown):
    """Set out[i - i0, j - j0] to the distance of rows i and j in the features that both rows have.

    An unknown value has the high bit alone if codes are additive, else both bits.

    n_unknown : (i1 - i0, j1 - j0), set to the numbers of the other features
    low, high, additive, unit, bounds, upper, out : as of `_fill_distances`
    """
    i0, i1, j0, j1 = bounds
    out[:] = 0
    n_unknown[:] = 0
    for w0 in range(0, low.shape[1], WORDS_AT_ONCE):
        w1 = min(w0 + WORDS_AT_ONCE, low.shape[1])
        for j in range(j0, j1):
            a = low[j, w0:w1]
            b = high[j, w0:w1]
            for i in range(i0, min(i1, j) if upper else i1):
                x = low[i, w0:w1]
                y = high[i, w0:w1]
                n_differing = n_lacking = np.uint64(0)
                if additive:
                    for w in range(len(x)):
                        is_known = ~((~x[w] & y[w]) | (~a[w] & b[w]))
                        n_differing += popcount((x[w] ^ a[w]) & is_known) + popcount((y[w] ^ b[w]) & is_known)
                        n_lacking += popcount(~is_known)
                else:
                    for w in range(len(x)):
                        is_known = ~((x[w] & y[w]) | (a[w] & b[w]))
                        n_differing += popcount(((x[w] ^ a[w]) | (y[w] ^ b[w])) & is_known)
                        n_lacking += popcount(~is_known)
                out[i - i0, j - j0] += unit * n_differing
                n_unknown[i - i0, j - j0] += n_lacking
