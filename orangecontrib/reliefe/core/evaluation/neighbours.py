"""Nearest neighbours when every feature counts as much as a ranking says.

    Space.fit: rows -> points, once  ->  neighbours: weights -> the nearest rows, many times  ->  vote or mean

The squared distance of two rows is the weighted sum of squared diffs; points are such that it is Euclidean, so that all
pairs of a block are one product of matrices.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ..data.table import DataTable
from .points import FAR, Dense, dense, finite, stored

ROOM = 1 << 22  # distances that are held at once
GRAIN = 2.0**40  # distances are equal if they are so when rounded to this part of 1: products of matrices are not exact


@dataclass(frozen=True)
class Space:
    """Rows as they are compared: `dense`, from which points are made when they are needed, or `stored` points (n, q)
    in CSR; the column c belongs to feature owners[c] of p and counts shares[c] of its weight."""

    dense: Dense | None
    stored: sparse.csr_array | None
    owners: np.ndarray
    shares: np.ndarray
    p: int

    @classmethod
    def fit(cls, X: object, nominal: object = None, rows: object = None, ranges: object = None) -> "Space":
        """Encode all rows of X (n, p), a DataTable or what `DataTable.read` takes, with what is known of some of them.

        rows (m,): indices or mask of those that give the ranges, and the means and most frequent values that stand for
        missing ones; None: all.  ranges (p,): what numeric diffs are divided by, instead of the ranges of the rows.
        Diffs of nominal features are 0 or 1; a feature without a range counts nothing; values beyond the range are not
        clipped.
        Raises ValueError for infinite values, no rows, or ranges of another length.
        """
        table = X if isinstance(X, DataTable) else DataTable.read(X, nominal)
        n, p = table.shape
        rows = np.arange(n) if rows is None else np.asarray(rows)
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        if not len(rows):
            raise ValueError("there are no rows to fit to")
        if ranges is not None:
            ranges = np.asarray(ranges, float)
            if ranges.shape != (p,):
                raise ValueError(f"ranges must be one number for each of the {p} features, not shape {ranges.shape}")
        made = points = None
        with np.errstate(over="ignore", invalid="ignore"):
            if table.is_sparse:
                points, owners, shares = stored(table, rows, ranges)
                bounded = np.isfinite(points.data).all()
                np.clip(points.data, -FAR, FAR, out=points.data)
            else:
                made, shares = dense(table, rows, ranges)
                bounded, owners = finite(made), made.owners
        if not bounded:
            raise ValueError("X has infinite or far too large values")
        return cls(made, points, owners, shares, p)

    @cached_property
    def points(self) -> np.ndarray | sparse.csr_array:
        """(n, q) all of them, dense or CSR."""
        if self.dense is None:
            return self.stored
        every = np.arange(len(self.owners))
        return self.dense.points(np.arange(len(self.dense.values)), every, np.ones(len(every)))

    def neighbours(self, train: np.ndarray, test: np.ndarray, weights: np.ndarray, k: int) -> np.ndarray:
        """(len(test), min(k, len(train))) rows of `train` that are the nearest ones to each row of `test`, nearest
        first; of equally near ones those that come first in `train`.

        train, test: indices of rows.  weights (p,): scores of a ranking, see `feature_weights`.
        Raises ValueError for k below 1, no training rows, or weights of another length.

        Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.4: d^2 = sum_i w_i diff_i^2.
        """
        train, test = np.asarray(train, np.intp), np.asarray(test, np.intp)
        if k < 1 or not len(train):
            raise ValueError(f"k must be at least 1 and there must be training rows, not k = {k}, {len(train)} rows")
        if np.shape(weights) != (self.p,):
            raise ValueError(f"weights must be one number for each of {self.p} features, not shape {np.shape(weights)}")
        factors = feature_weights(weights)
        factors = factors[self.owners] * (self.shares / factors.sum())
        used = np.flatnonzero(factors)
        roots = np.sqrt(factors[used])
        B, lengths = self._scaled(train, used, roots)
        B = sparse.csr_array(B.T) if sparse.issparse(B) else B.T
        out = np.empty((len(test), min(k, len(train))), np.intp)
        step = max(ROOM // len(train), 1)
        for start in range(0, len(test), step):
            block = slice(start, start + step)
            A, size = self._scaled(test[block], used, roots)
            out[block] = train[_nearest(_distances(A, size, B, lengths), out.shape[1])]
        return out

    def _scaled(self, rows: np.ndarray, used: np.ndarray, roots: np.ndarray) -> tuple[object, np.ndarray]:
        """Some rows and columns of the points, multiplied with `roots`, and their squared lengths."""
        if self.dense is None:
            out = self.stored[rows][:, used]
            out.data *= roots[out.indices]
            return out, np.bincount(np.repeat(np.arange(len(rows)), np.diff(out.indptr)), out.data**2, len(rows))
        out = self.dense.points(rows, used, roots)
        return out, np.einsum("ij,ij->i", out, out)


def feature_weights(scores: object) -> np.ndarray:
    """(p,) weights in [0, 1], the largest of them 1, from the scores (p,) of a ranking.

    Negative and unknown scores weigh nothing; if there are infinite ones, only these weigh; if nothing would, all do.
    """
    scores = np.asarray(scores, float)
    if (scores == np.inf).any():
        return (scores == np.inf).astype(float)
    weights = np.where(scores > 0, scores, 0.0)
    return weights / weights.max() if weights.any() else np.ones(len(weights))


def vote(codes: object, near: np.ndarray, default: int = -1) -> np.ndarray:
    """(m,) the most frequent class among the rows `near` (m, k), the smallest of equally frequent ones.

    codes (n,) int: classes of all rows, negative ones are unknown and do not vote; default: where nobody does.
    """
    codes = np.asarray(codes)
    if codes.dtype.kind not in "iub":
        raise ValueError(f"codes must be integers, not of type {codes.dtype}")
    own, m = codes[near].astype(np.intp), len(near)
    width, known = max(int(own.max(initial=0)), 0) + 1, own >= 0
    counts = np.bincount((own + width * np.arange(m)[:, None])[known], minlength=m * width).reshape(m, width)
    return np.where(known.any(axis=1), counts.argmax(axis=1), default)


def mean(values: object, near: np.ndarray) -> np.ndarray:
    """(m,) or (m, t) mean over the rows `near` (m, k) of the values (n,) or (n, t), dense or CSR, of all rows.

    Unknown values (NaN) do not count; NaN where all are unknown.  Of labels (0 and 1) it is their share.
    """
    m, k = near.shape
    n = values.shape[0] if sparse.issparse(values) else len(values)
    chosen = sparse.csr_array((np.ones(m * k), near.ravel(), np.arange(0, m * k + 1, k)), shape=(m, n))
    if sparse.issparse(values):
        return (chosen @ values).toarray() / k
    values = np.asarray(values, float)
    unknown = np.isnan(values)
    if not unknown.any():
        return chosen @ values / k
    counts = chosen @ (~unknown).astype(float)
    sums = chosen @ np.where(unknown, 0.0, values)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def weighted_knn(
    X_train: object,
    Y_train: object,
    X_test: object,
    weights: object,
    k: int,
    nominal: object = None,
    ranges: object = None,
) -> np.ndarray:
    """What the k nearest training rows say of each test row: (m,) the most frequent class, or (m,), (m, t) means.

    X_train (n, p), X_test (m, p): numbers or CSR, NaN = missing.  Y_train: (n,) floats or (n, t) numbers, dense or CSR,
    of which means are taken (of labels: their shares), or (n,) values of any other type: classes.
    weights (p,): scores of a ranking.  nominal, ranges: as in `Space.fit`.  k is cut to n.
    Raises ValueError where the shapes do not fit and as `Space` does.
    """
    n, p = np.shape(X_train)
    if np.shape(X_test)[1:] != (p,) or np.shape(Y_train)[:1] != (n,):
        shapes = np.shape(X_train), np.shape(Y_train), np.shape(X_test)
        raise ValueError("X_train (n, p), Y_train (n, ...) and X_test (m, p) do not fit: {}, {}, {}".format(*shapes))
    stack = sparse.vstack if sparse.issparse(X_train) or sparse.issparse(X_test) else np.vstack
    train = np.arange(n)
    space = Space.fit(stack([X_train, X_test]), nominal, train, ranges)
    near = space.neighbours(train, np.arange(n, n + np.shape(X_test)[0]), weights, k)
    if sparse.issparse(Y_train) or np.ndim(Y_train) > 1 or np.asarray(Y_train).dtype.kind == "f":
        return mean(Y_train, near)
    classes, codes = np.unique(Y_train, return_inverse=True)
    return classes[vote(codes, near)]


def _distances(A: object, size: np.ndarray, B: object, lengths: np.ndarray) -> np.ndarray:
    """Squared distances of the rows of A and the columns of B but for what is the same in a row, in whole grains.

    Grains grow with the lengths (`size` and `lengths`, squared) of what is multiplied, as the noise does.
    """
    reach = lengths.max()
    grains = GRAIN / np.maximum(np.sqrt(np.maximum(size, reach) * reach), 1)
    out = A @ B
    out = out.toarray() if sparse.issparse(out) else out
    out *= (-2 * grains)[:, None]
    out += grains[:, None] * lengths
    return np.rint(out, out=out)


def _nearest(d: np.ndarray, k: int) -> np.ndarray:
    """(m, k) columns of the least values of every row of d (m, n), ascending; ties go to the lower column."""
    near = np.argpartition(d, k - 1, axis=1)[:, :k]
    last = np.take_along_axis(d, near, 1).max(axis=1)
    tied = np.flatnonzero(np.count_nonzero(d <= last[:, None], axis=1) > k)
    near[tied] = np.argsort(d[tied], axis=1, kind="stable")[:, :k]
    near.sort(axis=1)
    order = np.argsort(np.take_along_axis(d, near, 1), axis=1, kind="stable")
    return np.take_along_axis(near, order, 1)
