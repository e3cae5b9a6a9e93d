"""Nearest neighbours when every feature counts as much as a ranking says.

    Space.fit: rows -> points, once  ->  neighbours: weights -> the nearest rows, many times  ->  vote or mean

The squared distance of two rows is the weighted sum of squared diffs. It is Euclidean between the encoded points, so
one product of matrices has all pairs of a block.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import whole
from ..data.arrays import cells, chosen_from, floats, groups_of, matrix, rows_of, unknown
from ..data.frames import is_frame
from ..data.indices import csr
from ..data.table import DataTable
from ..points.encoding import MAX_COORDINATE, DensePoints, dense_points
from ..points.nearest import HELD_DISTANCES, nearest_of
from ..points.sparse_encoding import MIN_RANGE, sparse_points

MAX_CLASSES = 2**31  # classes
GRAIN = 2.0**40  # distances are equal if they are so when rounded to this part of 1: products of matrices are not exact


@dataclass(frozen=True)
class Space:
    """Rows as they are compared.

    dense: rows from which points are made when they are needed, or None.
    stored (n, q): points of sparse data, or None.
    owners (q,): feature, of p, that a column belongs to.
    shares (q,): part of its weight that a column counts.
    """

    dense: DensePoints | None
    stored: sparse.csr_array | None
    owners: np.ndarray
    shares: np.ndarray
    p: int

    @classmethod
    def fit(cls, X: object, nominal: object = None, rows: object = None, ranges: object = None) -> "Space":
        """Encode all rows of X (n, p), a DataTable or data for `DataTable.read`, by ranges and means of some rows.

        rows (m,): indices or mask of these rows; None: all. Their means and most frequent values replace missing
        values.  ranges (p,): divisors of numeric diffs instead of the ranges of these rows.
        Diffs of nominal features are 0 or 1. A feature without a range counts nothing. Values beyond the range are not
        clipped.
        """
        table = DataTable.of(X, nominal)
        n, p = table.shape
        rows = np.arange(n) if rows is None else rows_of(rows, n, "rows")
        if not len(rows):
            raise ValueError("there are no rows to fit to")
        if ranges is not None:
            ranges = floats(ranges, "ranges")
            if ranges.shape != (p,):
                raise ValueError(f"ranges must be one number for each of the {p} features, not shape {ranges.shape}")
            small = np.flatnonzero((ranges > 0) & (ranges < MIN_RANGE))
            if len(small):
                raise ValueError(
                    f"ranges must be 0, or at least {MIN_RANGE:.3g}, not {ranges[small[0]]:.3g}, as that with index "
                    f"{small[0]}: give X and ranges in other units"
                )
        else:
            table = table.lifted()
        made = points = None
        with np.errstate(over="ignore", invalid="ignore"):
            if table.is_sparse:
                points, owners, shares = sparse_points(table, rows, ranges)
                bounded = np.isfinite(points.data).all()
                np.clip(points.data, -MAX_COORDINATE, MAX_COORDINATE, out=points.data)
            else:
                made, shares = dense_points(table, rows, ranges)
                bounded, owners = made.is_finite, made.owners
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

    def neighbours(
        self, train: np.ndarray, test: np.ndarray, weights: np.ndarray, k: int, held: int = HELD_DISTANCES
    ) -> np.ndarray:
        """Nearest rows (len(test), min(k, len(train))) of `train` to each row of `test`, nearest first, ties in their
        order.

        train, test: indices of rows.  weights (p,): scores of a ranking, see `feature_weights`.  held: distances that
        are held at once.
        Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.4: d^2 = sum_i w_i diff_i^2.
        """
        k, n = whole("k", k, 1), len(self.dense.values) if self.dense else cast("Any", self.stored).shape[0]
        train, test = rows_of(train, n, "train"), rows_of(test, n, "test")
        if not len(train):
            raise ValueError("there must be training rows")
        factors = feature_weights(weights)
        if len(factors) != self.p:
            raise ValueError(f"weights must be one number for each of {self.p} features, not {len(factors)}")
        factors = factors[self.owners] * (self.shares / factors.sum())
        used = np.flatnonzero(factors)
        roots = np.sqrt(factors[used])
        B, lengths = self._scaled(train, used, roots)
        B = sparse.csr_array(B.T) if sparse.issparse(B) else B.T

        def distances(block: slice) -> np.ndarray:
            return _distances(*self._scaled(test[block], used, roots), B, lengths)

        return cast("np.ndarray", train[nearest_of(distances, (len(test), len(train)), min(k, len(train)), held=held)])

    def _scaled(self, rows: np.ndarray, used: np.ndarray, roots: np.ndarray) -> tuple[Any, np.ndarray]:
        """Some rows and columns of the points, multiplied with `roots`, and their squared lengths."""
        if self.dense is None:
            out: Any = cast("sparse.csr_array", self.stored)[rows][:, used]
            out.data *= roots[out.indices]
            return out, np.bincount(np.repeat(np.arange(len(rows)), np.diff(out.indptr)), out.data**2, len(rows))
        out = self.dense.points(rows, used, roots)
        return out, np.einsum("ij,ij->i", out, out)


def feature_weights(scores: object) -> np.ndarray:
    """Weights (p,) of features in a distance, the largest of them 1, from the scores (p,) of a ranking.

    Negative and unknown scores weigh nothing; if there are infinite ones, only these weigh; if nothing would, all do.
    """
    scores = floats(scores, "weights")
    if scores.ndim != 1:
        raise ValueError(f"weights must be one number for each feature, not of shape {scores.shape}")
    if (scores == np.inf).any():
        return cast("np.ndarray", (scores == np.inf).astype(float))
    weights = np.where(scores > 0, scores, 0.0)
    return weights / weights.max() if weights.any() else np.ones(len(weights))


def vote(codes: object, near: np.ndarray, default: int = -1) -> np.ndarray:
    """Most frequent class (m,) among neighbours, the smallest of equally frequent ones.

    Parameters
    ----------
    codes : (n,) int array
        Classes of all rows; negative ones are unknown and do not vote.
    near : (m, k) int array
        Neighbours.
    default : int
        Class where nobody votes.
    """
    codes, default = cells(codes, "codes"), whole("default", default, -MAX_CLASSES, MAX_CLASSES)
    if codes.dtype.kind not in "iub" or codes.ndim != 1:
        raise ValueError(f"codes must be (n,) integers, not of shape {codes.shape} and type {codes.dtype}")
    near = _checked(near, len(codes))
    own, m = codes[near].astype(np.intp), len(near)
    width, known = max(int(own.max(initial=0)), 0) + 1, own >= 0
    counts = np.bincount((own + width * np.arange(m)[:, None])[known], minlength=m * width).reshape(m, width)
    return np.where(known.any(axis=1), counts.argmax(axis=1), default)


def mean(values: object, near: np.ndarray) -> np.ndarray:
    """Mean (m,) or (m, t) of values (n,) or (n, t), dense or CSR, over neighbours near (m, k).

    Unknown values (NaN) do not count; the mean is NaN where all are unknown.  Of labels (0 and 1) it is their share.
    """
    values = csr(values, "values") if sparse.issparse(values) else floats(values, "values")
    if values.ndim not in (1, 2):
        raise ValueError(f"values must be (n,) or (n, t), not of shape {values.shape}")
    n = values.shape[0]
    near = _checked(near, n)
    m, k = near.shape
    chosen = sparse.csr_array((np.ones(m * k), near.ravel(), np.arange(0, m * k + 1, k)), shape=(m, n))
    if sparse.issparse(values):
        return cast("np.ndarray", (chosen @ values).toarray() / k)
    gaps = np.isnan(values)
    if not gaps.any():
        return cast("np.ndarray", chosen @ values / k)
    counts = chosen @ (~gaps).astype(float)
    sums = chosen @ np.where(gaps, 0.0, values)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def weighted_knn(
    X_train: Any, Y_train: Any, X_test: Any, weights: Any, k: int, nominal: object = None, ranges: object = None
) -> np.ndarray:
    """Predictions by the k nearest training rows: means (m, ...), or most frequent classes (m,), None where nobody
    votes.

    Parameters
    ----------
    X_train, X_test : (n, p) and (m, p) arrays, or CSR
        Numbers, NaN = missing.
    Y_train : (n,) or (n, t) array
        Floats or several numbers, dense or CSR, are averaged. (n,) values of any other type are classes. Missing
        classes do not vote.
    weights : (p,) array
        Scores of a ranking.
    k : int
        1 or more, cut to n.
    nominal, ranges
        As in `Space.fit`.
    """
    X_train, X_test, Y_train = matrix(X_train, "X_train"), matrix(X_test, "X_test"), chosen_from(Y_train, "Y_train")
    (n, p), shapes = X_train.shape, (X_train.shape, Y_train.shape, X_test.shape)
    if shapes[2][1:] != (p,) or shapes[1][:1] != (n,):
        raise ValueError("X_train (n, p), Y_train (n, ...) and X_test (m, p) do not fit: {}, {}, {}".format(*shapes))
    stack = sparse.vstack if sparse.issparse(X_train) or sparse.issparse(X_test) else np.vstack
    train = np.arange(n)
    space = Space.fit(stack([X_train, X_test]), nominal, train, ranges)
    near = space.neighbours(train, np.arange(n, n + X_test.shape[0]), weights, k)
    if sparse.issparse(Y_train) or is_frame(Y_train) or Y_train.ndim > 1 or Y_train.dtype.kind == "f":
        return mean(Y_train, near)
    codes = groups_of(Y_train, n, "Y_train")
    gaps = unknown(Y_train) if Y_train.dtype.kind == "O" else np.zeros(n, bool)
    classes = np.unique(Y_train[~gaps])
    if gaps.any():
        classes, codes[gaps] = np.append(classes, cast("Any", None)), -1  # the last one: where nobody votes
    return cast("np.ndarray", classes[vote(codes, near)])


def _checked(near: object, n: int) -> np.ndarray:
    """Indices (m, k) of n rows; SciPy would follow any.  Raises ValueError for anything else."""
    near = cells(near, "near")
    if near.ndim != 2 or near.dtype.kind not in "iu" or not near.shape[1]:
        raise ValueError(f"near must be (m, k) integers, not of shape {near.shape} and type {near.dtype}")
    if near.size and (near.min() < 0 or near.max() >= n):
        raise ValueError(f"near must be indices of rows, from 0 to {n - 1}")
    return near


def _distances(A: Any, size: np.ndarray, B: Any, lengths: np.ndarray) -> np.ndarray:
    """Squared distances of the rows of A and the columns of B but for what is the same in a row, in whole grains.

    Grains grow with the lengths (`size` and `lengths`, squared) of what is multiplied, as the noise does.
    """
    reach = lengths.max()
    grains = GRAIN / np.maximum(np.sqrt(np.maximum(size, reach) * reach), 1)
    out = A @ B
    out = out.toarray() if sparse.issparse(out) else out
    out *= (-2 * grains)[:, None]
    out += grains[:, None] * lengths
    return cast("np.ndarray", np.rint(out, out=out))
