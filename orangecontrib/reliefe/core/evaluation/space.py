"""Rows as points whose distances count every feature as much as a ranking says.

    Space.fit: rows -> points, once  ->  neighbours: weights -> the nearest rows, many times  ->  `vote` or `mean`

The squared distance of two rows is the weighted sum of squared diffs. It is Euclidean between the encoded points, so
one product of matrices has all pairs of a block.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import whole
from ..data.arrays import floats
from ..data.chosen_rows import rows_of
from ..data.facts import infinite_values
from ..data.table import DataTable
from ..points.column_scales import MIN_RANGE
from ..points.dense_encoding import MAX_COORDINATE, DensePoints, dense_points
from ..points.nearest import HELD_DISTANCES, nearest_of
from ..points.sparse_encoding import sparse_points

# Distances that are equal when rounded to a multiple of 2^-40 are tied: the last 12 of 52 bits of a product of matrices
# depend on its order of summation
GRAIN = 2.0**40


@dataclass(frozen=True)
class RowSpace:
    """Rows as points (n, q).

    Attributes
    ----------
    dense : DensePoints, optional
        Dense rows, from which points are made when they are needed; None for sparse data.
    stored : (n, q) CSR array, optional
        Points of sparse data; None for dense data.
    owners : (q,) array
        The feature that a column belongs to.
    shares : (q,) array
        Part of the weight of its feature that a column counts.
    p : int
        Number of features.
    """

    dense: DensePoints | None
    stored: sparse.csr_array | None
    owners: np.ndarray
    shares: np.ndarray
    p: int

    @classmethod
    def fit(cls, X: object, nominal: object = None, rows: object = None, ranges: object = None) -> "RowSpace":
        """Encode all rows as points, by ranges and means of some rows.

        Diffs of nominal features are 0 or 1.  A feature without a range counts nothing.  Values beyond the range are
        not clipped.

        Parameters
        ----------
        X : (n, p) array or DataTable
            All rows, as `DataTable.read` takes them.
        nominal : (p,) mask or indices, optional
            Nominal features.
        rows : (m,) indices or mask, optional
            Rows whose ranges divide the diffs, and whose means and most frequent values replace missing values; None:
            all.
        ranges : (p,) array, optional
            Divisors of numeric diffs instead of the ranges of these rows.

        Raises
        ------
        ValueError
            If there are no rows, or values or ranges are out of bounds.
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
        dense: DensePoints | None = None
        points: Any = None
        with np.errstate(over="ignore", invalid="ignore"):
            if table.is_sparse:
                points, owners, shares = sparse_points(table, rows, ranges)
                is_bounded = np.isfinite(points.data).all()
                np.clip(points.data, -MAX_COORDINATE, MAX_COORDINATE, out=points.data)
            else:
                dense, shares = dense_points(table, rows, ranges)
                is_bounded = dense.is_finite
                owners = dense.owners
        if not is_bounded:
            raise ValueError(infinite_values("X"))
        return cls(dense, points, owners, shares, p)

    @cached_property
    def points(self) -> np.ndarray | sparse.csr_array:
        """All points (n, q), dense or CSR."""
        if self.dense is None:
            return self.stored
        rows = np.arange(len(self.dense.values))
        columns = np.arange(len(self.owners))
        return self.dense.points(rows, columns, np.ones(len(columns)))

    def neighbours(
        self, train: np.ndarray, test: np.ndarray, weights: np.ndarray, k: int, held: int = HELD_DISTANCES
    ) -> np.ndarray:
        """Find the nearest rows of `train` to each row of `test`.

        Parameters
        ----------
        train, test : int arrays
            Indices of rows.
        weights : (p,) array
            Scores of a ranking, see `feature_weights`.
        k : int
            Number of neighbours, cut to the number of training rows.
        held : int
            Number of distances that are in memory at once.

        Returns
        -------
        (len(test), k) int array
            Rows of `train`, nearest first, ties in the order of `train`.

        Notes
        -----
        Petkovic et al. (2023), Feature ranking for semi-supervised learning, section 6.4: d^2 = sum_i w_i diff_i^2.
        """
        k = whole("k", k, 1)
        n = len(self.dense.values) if self.dense else cast("Any", self.stored).shape[0]
        train = rows_of(train, n, "train")
        test = rows_of(test, n, "test")
        if not len(train):
            raise ValueError("there must be training rows")
        factors = feature_weights(weights)
        if len(factors) != self.p:
            raise ValueError(f"weights must be one number for each of {self.p} features, not {len(factors)}")
        factors = factors[self.owners] * (self.shares / factors.sum())
        used = np.flatnonzero(factors)
        roots = np.sqrt(factors[used])
        train_points, train_lengths = self._scaled(train, used, roots)
        is_sparse = sparse.issparse(train_points)
        transposed = sparse.csr_array(train_points.T) if is_sparse else train_points.T

        def distances(block: slice) -> np.ndarray:
            """Compute distances of a block of test rows to all training rows."""
            test_points, test_lengths = self._scaled(test[block], used, roots)
            return _distances(test_points, test_lengths, transposed, train_lengths)

        nearest = nearest_of(distances, (len(test), len(train)), min(k, len(train)), held=held)
        return cast("np.ndarray", train[nearest.rows])

    def _scaled(self, rows: np.ndarray, used: np.ndarray, roots: np.ndarray) -> tuple[Any, np.ndarray]:
        """Copy some rows and columns of the points, multiplied by `roots`; also returns their squared lengths."""
        if self.dense is None:
            out: Any = cast("sparse.csr_array", self.stored)[rows][:, used]
            out.data *= roots[out.indices]
            row_of_value = np.repeat(np.arange(len(rows)), np.diff(out.indptr))
            return out, np.bincount(row_of_value, out.data**2, len(rows))
        out = self.dense.points(rows, used, roots)
        return out, np.einsum("ij,ij->i", out, out)


def feature_weights(scores: object) -> np.ndarray:
    """Compute weights (p,) of features in a distance, the largest of them 1, from the scores (p,) of a ranking.

    Negative and unknown scores have weight 0.  If there are infinite scores, only these have a weight.  If all weights
    were 0, all are 1.
    """
    scores = floats(scores, "weights")
    if scores.ndim != 1:
        raise ValueError(f"weights must be one number for each feature, not of shape {scores.shape}")
    if (scores == np.inf).any():
        return cast("np.ndarray", (scores == np.inf).astype(float))
    weights = np.where(scores > 0, scores, 0.0)
    return weights / weights.max() if weights.any() else np.ones(len(weights))


def _distances(A: Any, lengths_a: np.ndarray, B: Any, lengths_b: np.ndarray) -> np.ndarray:
    """Compute lengths_b - 2 A B as integers from 0: squared distances of rows of A and columns of B, less a number.

    lengths_a, lengths_b: squared lengths of the rows of A and of the columns of B.  The unit of a row grows with the
    lengths of what is multiplied, as the rounding errors do, so that ties are exact.  The lengths of A are left out:
    those of rows far beyond the others would drown the differences.
    """
    longest = lengths_b.max()
    scale = GRAIN / np.maximum(np.sqrt(np.maximum(lengths_a, longest) * longest), 1)
    out = A @ B
    out = out.toarray() if sparse.issparse(out) else out
    out *= (-2 * scale)[:, None]
    out += scale[:, None] * lengths_b
    np.rint(out, out=out)
    out -= out.min(axis=1)[:, None]
    return cast("np.ndarray", out)
