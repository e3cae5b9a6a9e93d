"""Rows as points."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import whole
from ..data.arrays import floats, rows_of
from ..data.table import DataTable
from ..points.encoding import MAX_COORDINATE, DensePoints, dense_points
from ..points.nearest import HELD_DISTANCES, nearest_of
from ..points.sparse_encoding import MIN_RANGE, sparse_points

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
