"""Lists of the neighbours of rows, which neighbourhoods produce and updates weigh, and means of diffs over them.

`RowMeans` takes the means row by row where scores are no sums over pairs, as with missing values that are ignored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np
from scipy import sparse

from ...data.expected import MISSING
from ...kernels.bits import mean_differences
from ...kernels.diff import diff, shaped, unpack
from ...kernels.jit import kernel
from .features import Features


@dataclass(frozen=True)
class Neighbours:
    """Neighbours of some rows, in groups."""

    rows: np.ndarray  # (b,): rows whose neighbours these are
    # (b, G, k): neighbours in each of G groups; -1 where there is none.  Sorted by distance where a search was asked
    # for order (``find(ordered=True)``); else by row, or as `chosen` found them
    cols: np.ndarray
    # (b, G, k): distances of the neighbours: exact ones where a search was asked for order, else partly from steps
    distances: np.ndarray
    # (b, G, k): weights, which sum to 1 in each group that has a neighbour, so that the weighted mean of diffs is the
    # group's mean diff; to the weight of the row where rows have weights; signed ones have the absolute sum 1; None
    # before `weigh`
    weights: np.ndarray | None = None

    def __getitem__(self, block: slice | np.ndarray) -> "Neighbours":
        weights = None if self.weights is None else self.weights[block]
        return Neighbours(self.rows[block], self.cols[block], self.distances[block], weights)

    @property
    def shares(self) -> np.ndarray:
        """Weights (b, G, k) of lists that are weighed."""
        if self.weights is None:
            raise ValueError("lists of neighbours have no weights before they are weighed")
        return self.weights

    def cut(self, k: int) -> "Neighbours":
        """The k nearest of each group, of lists that are sorted by distance, not weighed."""
        return Neighbours(self.rows, self.cols[:, :, :k], self.distances[:, :, :k])

    @property
    def present(self) -> np.ndarray:
        """Groups that have a neighbour, (b, G) bool."""
        return cast("np.ndarray", (self.cols >= 0).any(axis=2))

    @property
    def counts(self) -> np.ndarray:
        """Numbers of neighbours, (b, G)."""
        return cast("np.ndarray", (self.cols >= 0).sum(axis=2))

    def weigh(self, sigma: float | None = None) -> "Neighbours":
        """The same lists with weights: equal ones, or exp(-(rank / sigma)^2), where equal distances share the lowest
        rank."""
        w = (self.cols >= 0).astype(float)
        if sigma is not None:
            ranks = np.arange(1, w.shape[2] + 1)
            fresh = np.diff(np.where(self.cols >= 0, self.distances, 0), axis=2, prepend=-1) != 0
            ranks = np.maximum.accumulate(np.where(fresh, ranks, 0), axis=2)
            # less the first exponent, which cancels: a small sigma must not make all weights 0
            w *= np.exp((1.0 - ranks**2) / squared(sigma))
        total = w.sum(axis=2, keepdims=True)
        return Neighbours(self.rows, self.cols, self.distances, w / np.where(total > 0, total, 1))


def joined(blocks: Sequence[Neighbours]) -> Neighbours:
    """One list of weighed lists of different rows, each as long as the longest; sorted by row."""
    rows = np.concatenate([block.rows for block in blocks])
    n_groups, longest = blocks[0].cols.shape[1], max(block.cols.shape[2] for block in blocks)
    shape = len(rows), n_groups, longest
    cols = np.full(shape, -1)
    distances = np.full(shape, np.inf)
    weights = np.zeros(shape)
    first = 0
    for block in blocks:
        here = slice(first, first + len(block.rows)), slice(None), slice(block.cols.shape[2])
        cols[here] = block.cols
        distances[here] = block.distances
        weights[here] = block.shares
        first += len(block.rows)
    return Neighbours(rows, cols, distances, weights)[np.argsort(rows)]


def squared(sigma: float) -> float:
    """The square of sigma, of one that gives the same weights where the square is 0 or too large."""
    return min(max(sigma, 1e-100), 1e100) ** 2


def chosen(rows: np.ndarray, weights: np.ndarray, distances: np.ndarray) -> Neighbours:
    """Return lists of the columns that weigh something, in the order of the columns.

    Parameters
    ----------
    rows : (b,) int array
    weights : (b, G, n) array
        Weights of all columns in each group, which the lists have as shares.
    distances : (b, n) array
    """
    k = max(int((weights != 0).sum(axis=2).max()), 1)
    cols = np.argsort(weights == 0, axis=2, kind="stable")[:, :, :k]
    listed_weights = np.take_along_axis(weights, cols, axis=2)
    listed_distances = np.take_along_axis(np.broadcast_to(distances[:, None], weights.shape), cols, axis=2)
    total = np.abs(listed_weights).sum(axis=2, keepdims=True)
    shares = listed_weights / np.where(total > 0, total, 1)
    return Neighbours(rows, np.where(listed_weights != 0, cols, -1), listed_distances, shares)


# Sums over a group: of weights, and of weights times diff, t * diff, t, signed difference.
WEIGHT, DIFF, BOTH, CHANGED, SHIFT = range(5)
N_RETURNED = 4  # of these sums, the first ones
FEATURES_AT_ONCE = 1024  # whose means are taken together


class RowMeans:
    """Weighted means of the diffs of each row to its neighbours, one feature at a time.

    Skrlj et al. (2022), section 3.3, absMean.
    """

    def __init__(self, features: Features, to_average: bool = False, span: tuple[int, int] | None = None):
        self.features, self.to_average, self.span = features, to_average, span or (0, features.shape[1])

    def spans(self) -> Iterator["RowMeans"]:
        """The same of some features each, so that their means take little room; never of one alone, which NumPy would
        add up in another order."""
        first, last = self.span
        cuts = [first, *range(first + FEATURES_AT_ONCE, last - 1, FEATURES_AT_ONCE), last]
        for span in pairwise(cuts):
            yield type(self)(self.features, self.to_average, span)

    def diffs(self, neighbours: Neighbours) -> np.ndarray:
        """Weighted mean diffs (b, G, p) to the neighbours; NaN where no pair is observed."""
        values, weights = self.features.packed, neighbours.shares
        if values and not self.to_average and _alike(weights):
            first, last = self.span
            lists = np.asarray(neighbours.rows, np.int64), np.where(weights != 0, neighbours.cols, -1).astype(np.int64)
            out = np.empty((*neighbours.cols.shape[:2], last - first))
            mean_differences(values.low, values.high, values.additive, lists, self.span, out)
            return out
        return cast("np.ndarray", self.with_target(neighbours, np.zeros((1, 1, 1)))[0])

    def with_target(self, neighbours: Neighbours, t: np.ndarray) -> np.ndarray:
        """Weighted means (3, b, G, p) of diff, t * diff and t over the observed pairs; t (b, G, k): target diffs."""
        return self._run(neighbours, t, True)[1:]

    def sums(self, neighbours: Neighbours, t: np.ndarray) -> np.ndarray:
        """Sums (4, b, G, p) over the observed pairs of weights, and of weights times diff, t * diff and t."""
        return self._run(neighbours, t, False)

    def _run(self, neighbours: Neighbours, t: np.ndarray, divide: bool, limits: np.ndarray | None = None) -> np.ndarray:
        """The first of the sums or means; with limits (b, G, k) that of weights, and of t times diffs beyond them."""
        f, (first, last) = self.features, self.span
        out = np.empty((N_RETURNED if limits is None else DIFF + 1, *neighbours.cols.shape[:2], last - first))
        t = np.ascontiguousarray(np.broadcast_to(t, neighbours.cols.shape), dtype=np.float64)
        lists = np.asarray(neighbours.rows), neighbours.cols.astype(np.int64), neighbours.weights, t
        how = first, max(f.n_numeric - first, 0), MISSING, f.diff.shape, (divide, self.to_average)
        if f.is_sparse:
            X = cast("sparse.csr_array", f.values)
            _sparse((X.indptr, X.indices, X.data), *how, lists, limits, out)
        elif f.packed:
            some, places = f.packed.dense(first, last, neighbours.rows, neighbours.cols, f.values.dtype, MISSING)
            _dense(some, 0, *how[1:], (*places, *lists[2:]), limits, out)
        else:
            _dense(f.values, *how, lists, limits, out)
        return out


@dataclass(frozen=True)
class OwnMeans:
    """Means as updates take them, (3, m, G, H): of diff, of t * diff and of t over the neighbours of a row; NaN where
    none has the feature.  With a t of 0, or without t, where the update does not ask for it."""

    means: np.ndarray

    def diffs(self, neighbours: Neighbours) -> np.ndarray:
        """Mean diffs (b, G, H)."""
        return cast("np.ndarray", self.means[0])

    def with_target(self, neighbours: Neighbours, t: np.ndarray) -> np.ndarray:
        """Means (3, b, G, H); t is known already."""
        return self.means


def _alike(weights: np.ndarray) -> bool:
    """True if all neighbours in a group weigh the same, weights (b, G, k)."""
    most = weights.max(axis=2, keepdims=True)
    return bool(((weights == most) | (weights == 0)).all())


@kernel
def _dense(X, first, n_numeric, missing, shape, kind, neighbours, limits, out):
    """Sums, or means, over the groups of each row; kind: (divide, to_average)."""
    (rows, cols, weights, t), last = neighbours, first + out.shape[3]
    sums = np.empty((5, out.shape[3]))
    for b in range(len(rows)):
        x = X[rows[b], first:last]
        for g in range(cols.shape[1]):
            sums[:] = 0
            for q in range(cols.shape[2]):
                if cols[b, g, q] >= 0:
                    y, w = X[cols[b, g, q], first:last], (weights[b, g, q], t[b, g, q])
                    if limits is None:
                        _add(x, y, n_numeric, missing, shape, *w, sums)
                    else:
                        _add_beyond(x, y, n_numeric, missing, shape, *w, limits[b, g, q], sums)
            _put_means(sums, n_numeric, shape, kind, out[:, b, g])


@kernel
def _sparse(entries, first, n_numeric, missing, shape, kind, neighbours, limits, out):
    """The same for CSR rows: two at a time are unpacked."""
    rows, cols, weights, t = neighbours
    data = entries[2]
    sums, x, y = np.empty((5, out.shape[3])), np.zeros(out.shape[3], data.dtype), np.zeros(out.shape[3], data.dtype)
    for b in range(len(rows)):
        unpack(entries, rows[b], first, False, x)
        for g in range(cols.shape[1]):
            sums[:] = 0
            for q in range(cols.shape[2]):
                j = cols[b, g, q]
                if j >= 0:
                    unpack(entries, j, first, False, y)
                    w = weights[b, g, q], t[b, g, q]
                    if limits is None:
                        _add(x, y, n_numeric, missing, shape, *w, sums)
                    else:
                        _add_beyond(x, y, n_numeric, missing, shape, *w, limits[b, g, q], sums)
                    unpack(entries, j, first, True, y)
            _put_means(sums, n_numeric, shape, kind, out[:, b, g])
        unpack(entries, rows[b], first, True, x)


@kernel
def _add(x, y, n_numeric, missing, shape, w, t, sums):
    """One pair of rows, of weight w and target difference t, added to the sums (5, p)."""
    weight, total, both, changed, shift = sums[WEIGHT], sums[DIFF], sums[BOTH], sums[CHANGED], sums[SHIFT]
    size, p = abs(w), sums.shape[1]
    for f in range(p):
        known = (x[f] != missing) & (y[f] != missing)
        q = diff(x[f], y[f], f < n_numeric, shape)
        weight[f] += size if known else 0.0
        total[f] += w * q if known else 0.0
        both[f] += w * t * q if known else 0.0
        changed[f] += w * t if known else 0.0
        shift[f] += w * (x[f] - y[f]) if known else 0.0


@kernel
def _add_beyond(x, y, n_numeric, missing, shape, w, t, limit, sums):
    """The same for weights, and t times what diffs are beyond a limit."""
    weight, total = sums[WEIGHT], sums[DIFF]
    for f in range(len(total)):
        known = (x[f] != missing) & (y[f] != missing)
        beyond = diff(float(x[f]), float(y[f]), f < n_numeric, shape) - limit
        total[f] += t * beyond if known & (beyond > 0) else 0.0
        weight[f] += w if known else 0.0


@kernel
def _put_means(sums, n_numeric, shape, kind, out):
    """Sums of one group, or means (NaN without a pair), or diffs to the mean neighbour, into out (4, p)."""
    weight, (divide, average) = sums[WEIGHT], kind
    for k in range(len(out)):
        for f in range(len(weight)):
            if divide:
                out[k, f] = sums[k, f] / weight[f] if weight[f] > 0 else np.nan
            else:
                out[k, f] = sums[k, f]
    if average:
        for f in range(min(n_numeric, len(weight))):
            if weight[f] > 0:
                out[DIFF, f] = shaped(abs(sums[SHIFT, f] / weight[f]), shape)
