"""Rows as points with one coordinate for each number and each category, for graphs of rows and regressions.

Coordinates are z-scores unless raw values are asked for.  Sparse rows stay sparse: the means of columns, which would
make them dense, are kept beside them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from scipy import sparse

from ..data.facts import infinite_values
from ..data.table import DataTable
from ..work.threads import Work
from .dense_encoding import MAX_COORDINATE, dense_points
from .sparse_encoding import sparse_points, stored_moments

# Scalings of columns
Z_SCORE = "z-score"
RANGE = "range"
UNSCALED = "none"
SCALINGS = (Z_SCORE, RANGE, UNSCALED)
BLOCK_CELLS = 1 << 18  # cells that are made dense, or multiplied, at once
ROUNDING = 1e-14  # standard deviation, as a share of the mean, below which a column is constant


@dataclass(frozen=True, eq=False)
class Points:
    """Points F = values - shift, with columns of mean 0.

    values (n, q): coordinates, without columns that are constant.
    shift (q,): means of sparse columns, 0 for dense ones.
    origin (q,): the point 0 of the table has the coordinates -origin; 0 for nominal features, for which no value is
        special.
    owners (q,): feature of each column.
    p: number of features, with those that are constant.
    scaling: one of SCALINGS.
    """

    values: np.ndarray | sparse.csr_array
    shift: np.ndarray
    origin: np.ndarray
    owners: np.ndarray
    p: int
    scaling: str = Z_SCORE

    @classmethod
    def of(cls, table: DataTable, work: Work, scaling: str = Z_SCORE) -> "Points":
        """Make points of all rows of a table.

        A nominal feature has a column of 0 and 1 for each of its values; missing values become the mean of the column
        or its most frequent value.

        Parameters
        ----------
        table : DataTable
            Features.
        work : Work
            Stops.
        scaling : str
            One of SCALINGS.

        Raises
        ------
        ValueError
            If values are infinite or too large.
        """
        if scaling == UNSCALED:
            values = cast("sparse.csr_array", table.values).data if table.is_sparse else table.values
            low = np.fmin.reduce(values, axis=None, initial=0.0)
            high = np.fmax.reduce(values, axis=None, initial=0.0)
            if max(high, -low) > MAX_COORDINATE:  # sums of squares could overflow
                raise ValueError(infinite_values("X"))
        return _sparse(table, scaling) if table.is_sparse else _dense(table, scaling, work)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        return cast("tuple[int, int]", self.values.shape)

    @property
    def varying(self) -> np.ndarray:
        """Mask (p,) of the features that are not constant."""
        out = np.zeros(self.p, bool)
        out[self.owners] = True
        return out

    @property
    def offset(self) -> np.ndarray:
        """Means (q,) of the columns before they were centred: 0 for z-scores."""
        return np.zeros(len(self.origin)) if self.scaling == Z_SCORE else self.origin

    def block(self, rows: slice) -> np.ndarray:
        """Return F (b, q) of rows, dense."""
        if not sparse.issparse(self.values):
            return cast("np.ndarray", self.values[rows])
        return cast("np.ndarray", cast("sparse.csr_array", self.values[rows]).toarray() - self.shift)

    def times(self, matrix: np.ndarray) -> np.ndarray:
        """Compute F @ matrix, (n, k) from (q, k)."""
        return cast("np.ndarray", self.values @ matrix - self.shift @ matrix)

    def back(self, matrix: np.ndarray, columns: slice = slice(None)) -> np.ndarray:
        """Compute F[:, columns].T @ matrix, (c, k) from (n, k)."""
        if not sparse.issparse(self.values):
            return cast("np.ndarray", (matrix.T @ self.values[:, columns]).T)  # twice as fast as the other way round
        values = self._by_column if columns == slice(None) else self._by_column[:, columns]
        return cast("np.ndarray", values.T @ matrix - np.outer(self.shift[columns], matrix.sum(axis=0)))

    def columns(self, chosen: slice | list[int]) -> np.ndarray:
        """Return F[:, chosen], dense."""
        if not sparse.issparse(self.values):
            return self.values[:, chosen]
        return np.asarray(self._by_column[:, chosen].toarray() - self.shift[chosen])

    @cached_property
    def _by_column(self) -> sparse.csc_array:
        return cast("sparse.csr_array", self.values).tocsc()

    def gram(self, work: Work) -> np.ndarray:
        """Compute the Gram matrix F'F (q, q), block by block of rows."""
        q = self.shape[1]
        out = np.zeros((q, q))
        for rows in spans(*self.shape):
            work.tick()
            block = self.block(rows)
            out += block.T @ block
        return out

    def pooled(self, scores: np.ndarray, total: bool) -> np.ndarray:
        """Pool the scores of columns (q,) to those of their features (p,), which are 0 for constant ones.

        total: True for sums, False for means.
        """
        sums = np.bincount(self.owners, scores, self.p).astype(np.float64)  # integers where there is no column
        counts = np.bincount(self.owners, minlength=self.p)
        return sums if total else sums / np.maximum(counts, 1)


def spans(length: int, width: int, cells: int = BLOCK_CELLS) -> list[slice]:
    """Return slices of [0, length) with about `cells` cells each, if they are `width` wide."""
    step = int(max(cells // max(width, 1), 1))
    return [slice(start, min(start + step, length)) for start in range(0, length, step)]


def _dense(table: DataTable, scaling: str, work: Work) -> Points:
    """Make points of a dense table."""
    # Coordinates by ranges
    n, p = table.shape
    plan, _ = dense_points(table, np.arange(n), np.ones(p) if scaling == UNSCALED else None, work=work)
    used = np.arange(len(plan.owners))
    values = np.empty((n, len(used)))
    for rows in spans(n, len(used)):
        work.tick()
        plan.fill(np.arange(rows.start, rows.stop), used, np.ones(len(used)), values[rows])
    # Centre, leave out constant columns, and scale
    means = values.mean(axis=0)
    origin = means + plan.low * plan.scales
    np.subtract(values, means, out=values)
    widths = np.sqrt(np.einsum("ij,ij->j", values, values) / n)
    varies = widths > ROUNDING * np.abs(means)  # not of the origin, which may be far away
    if not varies.all():
        values = np.ascontiguousarray(values[:, varies])
    origin = np.where(plan.coded, 0.0, origin)[varies]
    widths = widths[varies]
    owners = plan.owners[varies]
    if scaling == Z_SCORE:
        values /= widths
        origin = origin / widths
    return Points(values, np.zeros(len(owners)), origin, owners, p, scaling)


def _sparse(table: DataTable, scaling: str) -> Points:
    """Make points of a sparse table."""
    # Coordinates by ranges
    n, p = table.shape
    rows = np.arange(n)
    ranges = np.ones(p) if scaling == UNSCALED else None
    values, owners, _ = sparse_points(table, rows, ranges)
    if table.nominal.any():
        # Columns as of dense rows: numbers first, and the indicator of 0, less 1, instead of that of all other values
        values.data[table.nominal[owners[values.indices]] & (values.indices < p)] *= -1
        order = np.lexsort((np.arange(len(owners)) >= p, owners, table.nominal[owners]))
        values = values[:, order]
        owners = owners[order]
    # Means and standard deviations
    start, scales, _ = stored_moments(table, rows, ranges)
    q = values.shape[1]
    means = np.bincount(values.indices, values.data, q) / n
    n_stored = np.bincount(values.indices, minlength=q)
    squares = np.bincount(values.indices, (values.data - means[values.indices]) ** 2, q) + (n - n_stored) * means**2
    origin = means + (start * scales)[owners]
    widths = np.sqrt(squares / n)
    # Leave out constant columns, and scale
    varying = np.flatnonzero(widths > ROUNDING * np.abs(means))
    values = sparse.csr_array(values[:, varying])
    origin = np.where(table.nominal[owners], 0.0, origin)[varying]
    widths = widths[varying]
    means = means[varying]
    owners = owners[varying]
    if scaling == Z_SCORE:
        values.data /= widths[values.indices]
        origin = origin / widths
        means = means / widths
    values.sort_indices()
    return Points(values, means, origin, owners, p, scaling)
