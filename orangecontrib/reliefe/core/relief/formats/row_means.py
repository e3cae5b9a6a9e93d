"""Means of the diffs of each row to its neighbours, one feature at a time.

Scores are made of these means where they are no sums over pairs: where missing values are ignored, so that the pairs
that have a feature differ from feature to feature, and where a row is compared with the mean of its neighbours
(`Run.means`).  Updates read them in `from_means`.
"""

from collections.abc import Iterator
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
from .lists import Neighbours

# Sums over the neighbours in a group, by their places in arrays; t is the target diff of a pair
WEIGHT = 0  # of weights
DIFF = 1  # of weights times diffs
BOTH = 2  # of weights times t times diffs
CHANGED = 3  # of weights times t
SHIFT = 4  # of weights times signed differences of values
N_SUMS = 5
N_RETURNED = 4  # the first of these sums
FEATURES_AT_ONCE = 1024  # whose means are taken together


class RowMeans:
    """Weighted means of the diffs of each row to its neighbours, one feature at a time.

    Skrlj et al. (2022), section 3.3, absMean.
    """

    def __init__(self, features: Features, to_average: bool = False, span: tuple[int, int] | None = None):
        self.features = features
        self.to_average = to_average  # True: a row is compared with the mean of its neighbours
        self.span = span or (0, features.shape[1])  # first feature, and end

    def spans(self) -> Iterator["RowMeans"]:
        """Yield the means of one span of features after another, so that they take little memory.

        No span has a single feature, which NumPy would add up in another order.
        """
        first, last = self.span
        cuts = [first, *range(first + FEATURES_AT_ONCE, last - 1, FEATURES_AT_ONCE), last]
        for span in pairwise(cuts):
            yield type(self)(self.features, self.to_average, span)

    def diffs(self, neighbours: Neighbours) -> np.ndarray:
        """Weighted mean diffs (b, G, p) to the neighbours; NaN where no pair is observed."""
        packed = self.features.packed
        weights = neighbours.shares
        if packed and not self.to_average and _has_equal_weights(weights):  # then pairs are counted
            first, last = self.span
            cols = np.where(weights != 0, neighbours.cols, -1).astype(np.int64)
            lists = np.asarray(neighbours.rows, np.int64), cols
            out = np.empty((*neighbours.cols.shape[:2], last - first))
            mean_differences(packed.low, packed.high, packed.additive, lists, self.span, out)
            return out
        return cast("np.ndarray", self.with_target(neighbours, np.zeros((1, 1, 1)))[0])

    def with_target(self, neighbours: Neighbours, t: np.ndarray) -> np.ndarray:
        """Weighted means (3, b, G, p) of diff, t * diff and t over the observed pairs; t (b, G, k): target diffs."""
        return self._run(neighbours, t, True)[1:]

    def sums(self, neighbours: Neighbours, t: np.ndarray) -> np.ndarray:
        """Sums (4, b, G, p) over the observed pairs of weights, and of weights times diff, t * diff and t."""
        return self._run(neighbours, t, False)

    def _run(self, neighbours: Neighbours, t: np.ndarray, divide: bool, limits: np.ndarray | None = None) -> np.ndarray:
        """Return the first sums, or means (`divide`), over the groups of each row.

        limits : (b, G, k) array; with limits only the sums of weights, and of t times the diffs beyond the limit.
        """
        f = self.features
        first, last = self.span
        out = np.empty((N_RETURNED if limits is None else DIFF + 1, *neighbours.cols.shape[:2], last - first))
        t = np.array(np.broadcast_to(t, neighbours.cols.shape), dtype=np.float64, order="C")
        lists = np.asarray(neighbours.rows), neighbours.cols.astype(np.int64), neighbours.weights, t
        how = first, max(f.n_numeric - first, 0), MISSING, f.diff.shape, (divide, self.to_average)
        if f.is_sparse:
            X = cast("sparse.csr_array", f.values)
            _sparse((X.indptr, X.indices, X.data), *how, lists, limits, out)
        elif f.packed:
            dense, positions = f.packed.dense(first, last, neighbours.rows, neighbours.cols, f.values.dtype, MISSING)
            _dense(dense, 0, *how[1:], (*positions, *lists[2:]), limits, out)
        else:
            _dense(f.values, *how, lists, limits, out)
        return out


@dataclass(frozen=True)
class OwnMeans:
    """Means that were computed elsewhere, in the form in which updates read `RowMeans`."""

    # (3, m, G, H): of diff, of t * diff and of t over the neighbours of a row; NaN where none has the feature.  Only
    # the first one where the update does not read the others
    means: np.ndarray

    def diffs(self, neighbours: Neighbours) -> np.ndarray:
        """Mean diffs (b, G, H)."""
        return cast("np.ndarray", self.means[0])

    def with_target(self, neighbours: Neighbours, t: np.ndarray) -> np.ndarray:
        """Means (3, b, G, H); t is known already."""
        return self.means


def _has_equal_weights(weights: np.ndarray) -> bool:
    """True if all neighbours in a group weigh the same, weights (b, G, k)."""
    largest = weights.max(axis=2, keepdims=True)
    return bool(((weights == largest) | (weights == 0)).all())


@kernel
def _dense(X, first, n_numeric, missing, shape, kind, lists, limits, out):
    """Set the sums, or means, over the groups of each row, of dense rows.

    first : first feature; out has as many as there are.  The first n_numeric of these are numeric.
    missing : value of a missing entry.
    kind : divide and to_average, as in `RowMeans`.
    lists : rows (b,), cols, weights and t (b, G, k).
    limits : (b, G, k) or None, as in `RowMeans._run`.
    out : (sums, b, G, features).
    """
    rows, cols, weights, t = lists
    last = first + out.shape[3]
    sums = np.empty((N_SUMS, out.shape[3]))
    for b in range(len(rows)):
        x = X[rows[b], first:last]
        for g in range(cols.shape[1]):
            sums[:] = 0
            for q in range(cols.shape[2]):
                if cols[b, g, q] >= 0:
                    y = X[cols[b, g, q], first:last]
                    weight = weights[b, g, q]
                    if limits is None:
                        _add(x, y, n_numeric, missing, shape, weight, t[b, g, q], sums)
                    else:
                        _add_beyond(x, y, n_numeric, missing, shape, weight, t[b, g, q], limits[b, g, q], sums)
            _put_means(sums, n_numeric, shape, kind, out[:, b, g])


@kernel
def _sparse(entries, first, n_numeric, missing, shape, kind, lists, limits, out):
    """Set the same for CSR rows, entries (indptr, indices, data): two at a time are unpacked."""
    rows, cols, weights, t = lists
    data = entries[2]
    sums = np.empty((N_SUMS, out.shape[3]))
    x = np.zeros(out.shape[3], data.dtype)
    y = np.zeros(out.shape[3], data.dtype)
    for b in range(len(rows)):
        unpack(entries, rows[b], first, False, x)
        for g in range(cols.shape[1]):
            sums[:] = 0
            for q in range(cols.shape[2]):
                j = cols[b, g, q]
                if j >= 0:
                    unpack(entries, j, first, False, y)
                    weight = weights[b, g, q]
                    if limits is None:
                        _add(x, y, n_numeric, missing, shape, weight, t[b, g, q], sums)
                    else:
                        _add_beyond(x, y, n_numeric, missing, shape, weight, t[b, g, q], limits[b, g, q], sums)
                    unpack(entries, j, first, True, y)
            _put_means(sums, n_numeric, shape, kind, out[:, b, g])
        unpack(entries, rows[b], first, True, x)


@kernel
def _add(x, y, n_numeric, missing, shape, w, t, sums):
    """Add a pair of rows, of weight w and target diff t, to the sums (5, p)."""
    weight = sums[WEIGHT]
    total = sums[DIFF]
    both = sums[BOTH]
    changed = sums[CHANGED]
    shift = sums[SHIFT]
    size = abs(w)
    p = sums.shape[1]
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
    """Add a pair to the sums of weights, and of t times the diffs beyond a limit."""
    weight = sums[WEIGHT]
    total = sums[DIFF]
    for f in range(len(total)):
        known = (x[f] != missing) & (y[f] != missing)
        beyond = diff(float(x[f]), float(y[f]), f < n_numeric, shape) - limit
        total[f] += t * beyond if known & (beyond > 0) else 0.0
        weight[f] += w if known else 0.0


@kernel
def _put_means(sums, n_numeric, shape, kind, out):
    """Put the sums of one group, or means (NaN without a pair), or diffs to the mean neighbour, into out (sums, p)."""
    weight = sums[WEIGHT]
    divide, to_average = kind
    for k in range(len(out)):
        for f in range(len(weight)):
            if divide:
                out[k, f] = sums[k, f] / weight[f] if weight[f] > 0 else np.nan
            else:
                out[k, f] = sums[k, f]
    if to_average:
        for f in range(min(n_numeric, len(weight))):
            if weight[f] > 0:
                out[DIFF, f] = shaped(abs(sums[SHIFT, f] / weight[f]), shape)
