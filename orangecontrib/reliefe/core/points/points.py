"""Rows as points with one coordinate for each number and each category: what graphs of rows and regressions work on.

Coordinates are z-scores unless raw values are asked for.  Sparse rows stay sparse: what would make them dense, the mean
of each column, is kept beside them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from scipy import sparse

from ..data.table import DataTable
from ..work.threads import Work
from .dense_encoding import MAX_COORDINATE, dense_points
from .sparse_encoding import sparse_points, stored_moments

Z_SCORE, RANGE, UNSCALED = SCALINGS = "z-score", "range", "none"
BLOCK_CELLS = 1 << 18  # cells that are made dense, or multiplied, at once
ROUNDING = 1e-14  # standard deviation, as a share of the mean, below which a column is constant


@dataclass(frozen=True, eq=False)
class Points:
    """Points F = values - shift, with columns of mean 0."""

    values: np.ndarray | sparse.csr_array  # (n, q): without columns that are constant
    shift: np.ndarray  # (q,): 0 for dense values
    # (q,): coordinates of the point 0 of the table are -origin; 0 for nominal features, for which no value is special
    origin: np.ndarray
    owners: np.ndarray  # (q,): features that the columns belong to
    p: int  # number of features, with those that are constant
    scaling: str = Z_SCORE  # one of `SCALINGS`

    @classmethod
    def of(cls, table: DataTable, work: Work, scaling: str = Z_SCORE) -> "Points":
        """Points of all rows of a table.

        A nominal feature has a column of 0 and 1 for each of its values; missing values are the mean of the column or
        its most frequent value.
        """
        if scaling == UNSCALED:
            known = cast("sparse.csr_array", table.values).data if table.is_sparse else table.values
            low, high = (ends.reduce(known, axis=None, initial=0.0) for ends in (np.fmin, np.fmax))
            if max(high, -low) > MAX_COORDINATE:  # whose squares could not be added up
                raise ValueError("X has infinite or far too large values")
        return _sparse(table, scaling) if table.is_sparse else _dense(table, scaling, work)

    @property
    def shape(self) -> tuple[int, int]:
        return cast("tuple[int, int]", self.values.shape)

    @property
    def varying(self) -> np.ndarray:
        """(p,) bool: features that are not constant."""
        out = np.zeros(self.p, bool)
        out[self.owners] = True
        return out

    @property
    def offset(self) -> np.ndarray:
        """(q,) that features are beyond F: z-scores have mean 0, other values the mean that they have."""
        return np.zeros(len(self.origin)) if self.scaling == Z_SCORE else self.origin

    def block(self, rows: slice) -> np.ndarray:
        """F (b, q) of some rows, dense."""
        if not sparse.issparse(self.values):
            return cast("np.ndarray", self.values[rows])
        return cast("np.ndarray", cast("sparse.csr_array", self.values[rows]).toarray() - self.shift)

    def times(self, matrix: np.ndarray) -> np.ndarray:
        """F @ matrix, (n, k) from (q, k)."""
        return cast("np.ndarray", self.values @ matrix - self.shift @ matrix)

    def back(self, matrix: np.ndarray, columns: slice = slice(None)) -> np.ndarray:
        """F[:, columns].T @ matrix, (c, k) from (n, k)."""
        if not sparse.issparse(self.values):
            return cast("np.ndarray", (matrix.T @ self.values[:, columns]).T)  # twice as fast as the other way round
        some = self._by_column if columns == slice(None) else self._by_column[:, columns]
        return cast("np.ndarray", some.T @ matrix - np.outer(self.shift[columns], matrix.sum(axis=0)))

    def columns(self, chosen: slice | list[int]) -> np.ndarray:
        """F[:, chosen], dense."""
        if not sparse.issparse(self.values):
            return self.values[:, chosen]
        return np.asarray(self._by_column[:, chosen].toarray() - self.shift[chosen])

    @cached_property
    def _by_column(self) -> sparse.csc_array:
        return cast("sparse.csr_array", self.values).tocsc()

    def gram(self, work: Work) -> np.ndarray:
        """F'F, (q, q)."""
        out = np.zeros((self.shape[1],) * 2)
        for rows in spans(*self.shape):
            work.tick()
            block = self.block(rows)
            out += block.T @ block
        return out

    def pooled(self, scores: np.ndarray, total: bool) -> np.ndarray:
        """Scores (p,) of features from those of their columns (q,): means or sums; 0 of constant features."""
        sums = np.bincount(self.owners, scores, self.p).astype(np.float64)  # integers where there is no column
        counts = np.bincount(self.owners, minlength=self.p)
        return sums if total else sums / np.maximum(counts, 1)


def spans(length: int, width: int, cells: int = BLOCK_CELLS) -> list[slice]:
    """Slices of [0, length) with about `cells` cells each, if they are `width` wide."""
    step = int(max(cells // max(width, 1), 1))
    return [slice(start, min(start + step, length)) for start in range(0, length, step)]


def _dense(table: DataTable, scaling: str, work: Work) -> Points:
    n, p = table.shape
    plan, _ = dense_points(table, np.arange(n), np.ones(p) if scaling == UNSCALED else None, work=work)
    used = np.arange(len(plan.owners))
    values = np.empty((n, len(used)))
    for rows in spans(n, len(used)):
        work.tick()
        plan.fill(np.arange(rows.start, rows.stop), used, np.ones(len(used)), values[rows])
    means = values.mean(axis=0)
    origin = means + plan.low * plan.scales
    np.subtract(values, means, out=values)
    widths = np.sqrt(np.einsum("ij,ij->j", values, values) / n)
    kept = widths > ROUNDING * np.abs(origin)
    if not kept.all():
        values = np.ascontiguousarray(values[:, kept])
    origin, widths, owners = np.where(plan.coded, 0.0, origin)[kept], widths[kept], plan.owners[kept]
    if scaling == Z_SCORE:
        values /= widths
        origin = origin / widths
    return Points(values, np.zeros(len(owners)), origin, owners, p, scaling)


def _sparse(table: DataTable, scaling: str) -> Points:
    n, p = table.shape
    rows, ranges = np.arange(n), np.ones(p) if scaling == UNSCALED else None
    values, owners, _ = sparse_points(table, rows, ranges)
    if table.nominal.any():
        # the columns that dense rows have: numbers first, and the indicator of 0, less 1, instead of that of all others
        values.data[table.nominal[owners[values.indices]] & (values.indices < p)] *= -1
        order = np.lexsort((np.arange(len(owners)) >= p, owners, table.nominal[owners]))
        values, owners = values[:, order], owners[order]
    start, scales, _ = stored_moments(table, rows, ranges)
    q = values.shape[1]
    means = np.bincount(values.indices, values.data, q) / n
    stored = np.bincount(values.indices, minlength=q)
    squares = np.bincount(values.indices, (values.data - means[values.indices]) ** 2, q) + (n - stored) * means**2
    origin, widths = means + (start * scales)[owners], np.sqrt(squares / n)
    kept = np.flatnonzero(widths > ROUNDING * np.abs(origin))
    values = sparse.csr_array(values[:, kept])
    origin = np.where(table.nominal[owners], 0.0, origin)[kept]
    widths, means, owners = widths[kept], means[kept], owners[kept]
    if scaling == Z_SCORE:
        values.data /= widths[values.indices]
        origin, means = origin / widths, means / widths
    values.sort_indices()
    return Points(values, means, origin, owners, p, scaling)
