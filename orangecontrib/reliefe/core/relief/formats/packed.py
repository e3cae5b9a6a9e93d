"""Distances and sums of packed genotypes: bits that differ, counted by words.

Distances are whole numbers, or means of such over the features that both rows have: they need no second look.  Sums
over lists count the pairs of each weight; where there are too many weights, and for dense tiles, some features at a
time are unpacked, and taken by the kernels of numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...data.expected import MISSING
from ...data.packed import Packed
from ...kernels.bits import BITS, pair_counts, popcount
from ...kernels.jit import kernel
from ...work.threads import Work
from .bits import LANES
from .distance import Distance
from .features import EIGHT, Features, aligned
from .missing import round_means, take_means
from .pair_sums import PairList
from .steps import Steps
from .sums import DenseSums, Sums, WeighedPairs
from .weighted import MIN_SHARED

WORDS_AT_ONCE = 128  # words of two rows that are compared before the next rows are
FEATURES_AT_ONCE = 1024  # that are unpacked together
WORDS_PER_SPAN = 512  # words whose pairs are counted by one thread
MIN_PAIRS = 4  # pairs of one weight, on average, from which counting them is faster than unpacking


class PackedManhattan(Distance):
    """Numbers of the features in which rows differ; for additive codes, sums of the diffs."""

    def __init__(self, features: Features, packed: Packed):
        self.n, self.packed = features.shape[0], packed
        self._ignore = features.missing is not None and features.missing.ignore
        edge = LANES * min(max(features.shape[0] // 250, 1), 4)
        self.shape = edge, edge

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        values = self.packed
        unit = 0.5 if values.additive else 1.0
        if not self._ignore:
            _differing(values.low, values.high, values.additive, unit, (i0, i1, j0, j1), upper, out)
            return out
        D, p = out[: i1 - i0, : j1 - j0], values.n_features
        seen = np.zeros((i1 - i0, j1 - j0))
        _differing_known(values.low, values.high, values.additive, unit, (i0, i1, j0, j1), upper, D, seen)
        take_means(D, p - seen, p)
        round_means(D, p)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Distances are whole numbers and halves, unless they are means over the features that both rows have."""
        most = self.packed.n_features
        return Steps.for_bound(self.n, most) if self._ignore else Steps.of_halves(self.n, most)


class PackedWeighted(Distance):
    """Sums of diffs times weights of the features, of which there are few different ones.

    Bits are counted for the features of each weight.  If unknown values are ignored, a distance is the weighted mean
    over the features that both rows have, times the sum of all weights.
    """

    def __init__(self, features: Features, packed: Packed, feature_weights: np.ndarray):
        """Sort features by their weights (p,)."""
        plain = PackedManhattan(features, packed)
        self.n, self.shape = plain.n, plain.shape
        self._ignore = features.missing is not None and features.missing.ignore
        self._unit = 0.5 if packed.additive else 1.0
        self._whole = float(feature_weights.sum())
        weights, which = np.unique(feature_weights, return_inverse=True)
        columns = [np.flatnonzero(which == k) for k in range(len(weights))]
        parts = [_without_padding(packed.columns(of_weight)) for of_weight in columns]
        self._parts = list(zip(weights.tolist(), parts, strict=True))

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        where = i0, i1, j0, j1
        D = out[: i1 - i0, : j1 - j0]
        D[:] = 0
        of_part = np.zeros(D.shape)
        lacking = np.zeros(D.shape)
        seen = np.full(D.shape, self._whole)
        for weight, part in self._parts:
            if self._ignore:
                _differing_known(part.low, part.high, part.additive, self._unit, where, upper, of_part, lacking)
                seen -= weight * lacking
            else:
                _differing(part.low, part.high, part.additive, self._unit, where, upper, of_part)
            D += weight * of_part
        if self._ignore:
            shares_features = seen > MIN_SHARED * self._whole
            D[:] = np.where(shares_features, D / np.where(shares_features, seen, 1) * self._whole, self._whole)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of the sum of the weights."""
        return Steps.for_bound(self.n, self._whole)


def _without_padding(packed: Packed) -> Packed:
    """Return packed genotypes without words that have no features."""
    words = -(-packed.n_features // BITS)
    low, high = (np.ascontiguousarray(plane[:, :words]) for plane in (packed.low, packed.high))
    return Packed(low, high, packed.n_features, packed.additive)


@dataclass(frozen=True)
class PackedSums(Sums):
    """Weighted numbers of the pairs that differ."""

    features: Features  # facts about the columns
    packed: Packed  # the genotypes

    at_once = True
    dtype = np.dtype(np.float64)  # weights are counted, not multiplied by single values

    def zeros(self) -> np.ndarray:
        return np.zeros(self.features.shape[1])

    def of_pairs(self, pairs: PairList) -> np.ndarray:
        return self.all_at_once([pairs], Work())

    def all_at_once(self, found: Sequence[WeighedPairs], work: Work) -> np.ndarray:
        """Sums (p,) over all tiles, or over all lists; a thread for some features."""
        lists = [pairs for pairs in found if isinstance(pairs, PairList)]
        if len(lists) < len(found):
            return self._by_numbers(found, work)
        i = np.concatenate([pairs.first_rows for pairs in lists])
        j = np.concatenate([pairs.cols for pairs in lists])
        w = np.concatenate([pairs.weights[:, 0] for pairs in lists])
        values, which = np.unique(w, return_inverse=True)
        if len(w) < MIN_PAIRS * len(values):
            return self._by_numbers(found, work)

        # Pairs of each weight
        order = np.argsort(which, kind="stable")
        ends = np.cumsum(np.bincount(which, minlength=len(values)))
        i = i[order].astype(np.int64)
        j = j[order].astype(np.int64)
        starts = ends - np.diff(ends, prepend=0)
        groups = [(i[a:b], j[a:b], float(v)) for a, b, v in zip(starts, ends, values, strict=True)]
        packed = self.packed
        total = np.zeros(packed.low.shape[1] * BITS)

        def span(first: int) -> None:
            last = min(first + WORDS_PER_SPAN, packed.low.shape[1])
            out = total[first * BITS : last * BITS]
            for own, others, weight in groups:
                work.tick()
                pair_counts(packed.low, packed.high, (own, others), weight, not packed.additive, (first, last), out)

        work.map(span, range(0, packed.low.shape[1], WORDS_PER_SPAN))
        return total[: packed.n_features]

    def _by_numbers(self, found: Sequence[WeighedPairs], work: Work) -> np.ndarray:
        """Sums (p,) over pairs, some features after another, which are unpacked."""
        total, p = self.zeros(), self.features.shape[1]

        def span(first: int) -> None:
            last = min(first + FEATURES_AT_ONCE, p)
            dense = numbers(self.features, self.packed, first, last)
            out = np.zeros(dense.padded)
            for pairs in found:
                work.tick()
                DenseSums(dense).add(pairs, out)
            total[first:last] = out[: last - first]

        work.map(span, range(0, p, FEATURES_AT_ONCE))
        return total


def numbers(features: Features, packed: Packed, first: int, last: int) -> Features:
    """Some packed features as numbers, without corrections: unknown ones are a value of their own."""
    n, p = features.shape[0], last - first
    width = -(-p // EIGHT) * EIGHT
    values = aligned((n, width), features.values.dtype)
    packed.span(first, last, np.arange(n), MISSING, values)
    n_numeric = width if features.n_numeric else 0
    return replace(features, values=values, n_numeric=n_numeric, columns=np.arange(p), missing=None, packed=None)


@kernel
def _differing(low, high, additive, unit, where, upper, out):
    """A tile of distances: `unit` for every bit that differs, or for every feature of which either bit does."""
    i0, i1, j0, j1 = where
    for w0 in range(0, low.shape[1], WORDS_AT_ONCE):
        w1 = min(w0 + WORDS_AT_ONCE, low.shape[1])
        for j in range(j0, j1, 4):
            ja, jb, jc, jd = j, min(j + 1, j1 - 1), min(j + 2, j1 - 1), min(j + 3, j1 - 1)
            a, b, c, d = low[ja, w0:w1], low[jb, w0:w1], low[jc, w0:w1], low[jd, w0:w1]
            e, f, g, h = high[ja, w0:w1], high[jb, w0:w1], high[jc, w0:w1], high[jd, w0:w1]
            for i in range(i0, min(i1, jd) if upper else i1):
                x, y = low[i, w0:w1], high[i, w0:w1]
                na = nb = nc = nd = np.uint64(0)
                if additive:
                    for w in range(len(x)):
                        na += popcount(x[w] ^ a[w]) + popcount(y[w] ^ e[w])
                        nb += popcount(x[w] ^ b[w]) + popcount(y[w] ^ f[w])
                        nc += popcount(x[w] ^ c[w]) + popcount(y[w] ^ g[w])
                        nd += popcount(x[w] ^ d[w]) + popcount(y[w] ^ h[w])
                else:
                    for w in range(len(x)):
                        na += popcount((x[w] ^ a[w]) | (y[w] ^ e[w]))
                        nb += popcount((x[w] ^ b[w]) | (y[w] ^ f[w]))
                        nc += popcount((x[w] ^ c[w]) | (y[w] ^ g[w]))
                        nd += popcount((x[w] ^ d[w]) | (y[w] ^ h[w]))
                row = out[i - i0]
                if w0 == 0:
                    row[ja - j0], row[jb - j0], row[jc - j0], row[jd - j0] = 0, 0, 0, 0
                row[ja - j0] += unit * na
                row[jb - j0] += unit * nb if jb > ja else 0.0
                row[jc - j0] += unit * nc if jc > jb else 0.0
                row[jd - j0] += unit * nd if jd > jc else 0.0


@kernel
def _differing_known(low, high, additive, unit, where, upper, out, lacking):
    """The same for features that both rows have; lacking (h, w): numbers of the others."""
    i0, i1, j0, j1 = where
    out[:], lacking[:] = 0, 0
    for w0 in range(0, low.shape[1], WORDS_AT_ONCE):
        w1 = min(w0 + WORDS_AT_ONCE, low.shape[1])
        for j in range(j0, j1):
            a, b = low[j, w0:w1], high[j, w0:w1]
            for i in range(i0, min(i1, j) if upper else i1):
                x, y = low[i, w0:w1], high[i, w0:w1]
                n = m = np.uint64(0)
                if additive:
                    for w in range(len(x)):
                        known = ~((~x[w] & y[w]) | (~a[w] & b[w]))
                        n += popcount((x[w] ^ a[w]) & known) + popcount((y[w] ^ b[w]) & known)
                        m += popcount(~known)
                else:
                    for w in range(len(x)):
                        known = ~((x[w] & y[w]) | (a[w] & b[w]))
                        n += popcount(((x[w] ^ a[w]) | (y[w] ^ b[w])) & known)
                        m += popcount(~known)
                out[i - i0, j - j0] += unit * n
                lacking[i - i0, j - j0] += m
