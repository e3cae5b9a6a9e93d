"""Encoding of dense rows as points, by a plan: rows and columns are made when they are needed.

`encoding.matrix`, `points.Points` and the space of evaluation make points by `dense_points`.
"""

from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np

from ..data.table import DataTable
from ..kernels.jit import kernel
from ..work.threads import Work
from .column_scales import factors, means_by_column, means_by_row, mode

BLOCK_CELLS = 1 << 18  # cells that are encoded, or whose moments are taken, at once
MAX_COORDINATE = 1e75  # largest coordinate, in ranges: sums of products of larger ones could overflow


class DensePoints(NamedTuple):
    """Plan by which dense rows become points with q columns.

    A number v becomes (v - low) * scale, within +-MAX_COORDINATE.  A value of a nominal feature becomes 1 in the column
    where it is `low`, and 0 in the others.

    values (n, p): the table.
    owners (q,): feature of each column.
    coded (q,) bool: True for columns of nominal features.
    low (q,): offset, or the value that the column indicates.
    scales (q,): factor, 0 for nominal features.
    stand_ins (q,): values for missing ones.
    """

    values: np.ndarray
    owners: np.ndarray
    coded: np.ndarray
    low: np.ndarray
    scales: np.ndarray
    stand_ins: np.ndarray

    def points(self, rows: np.ndarray, used: np.ndarray, roots: np.ndarray) -> np.ndarray:
        """Make points of rows (b,) in the columns `used` (c,), times `roots` (c,)."""
        out = np.empty((len(rows), len(used)))
        self.fill(rows, used, roots, out)
        return out

    def fill(self, rows: np.ndarray, used: np.ndarray, roots: np.ndarray, out: np.ndarray) -> None:
        """Write points, as `points` makes them, to out (b, c)."""
        _fill(self, rows, used, roots, MAX_COORDINATE, out)

    @property
    def is_finite(self) -> bool:
        """True if all points of all rows are finite."""
        return cast("bool", _finite(self))


@np.errstate(over="ignore", invalid="ignore")
def dense_points(
    table: DataTable,
    rows: np.ndarray,
    ranges: np.ndarray | None = None,
    embedded: bool = False,
    work: Work | None = None,
    cells: int = BLOCK_CELLS,
) -> tuple[DensePoints, np.ndarray]:
    """Plan the points of a dense table.

    Parameters
    ----------
    table : DataTable
        Dense features.
    rows : int array
        Rows whose ranges scale numbers, and whose means and most frequent values stand for missing ones.
    ranges : (p,) array, optional
        Ranges in the place of those of the rows.
    embedded : bool
        True for embeddings: 0 stays 0 where a column has values on both sides of it, and means have more digits.
    work : Work, optional
        Stops.
    cells : int
        Number of cells of a block.

    Returns
    -------
    DensePoints
        The plan.
    (q,) array
        Share of the weight of its feature that a column counts in squared distances: 1/2 for nominal features.
    """
    numeric = np.flatnonzero(~table.nominal)
    work = work or Work()
    low, scales, means = np.zeros((3, len(numeric)))
    for block in blocks(len(numeric), len(rows), cells):
        work.tick()
        values = np.ascontiguousarray(table.values[rows[:, None], numeric[block]])
        least = np.fmin.reduce(values)
        largest = np.fmax.reduce(values)
        means[block] = means_by_column(values) if embedded else means_by_row(values)
        scales[block] = factors(least, largest, None if ranges is None else ranges[numeric[block]])
        least = np.where(np.isnan(least), 0.0, least)
        low[block] = np.where((least <= 0) & (largest >= 0), 0.0, least) if embedded else least
    parts = [(numeric, np.zeros(len(numeric), bool), low, scales, means)]
    for a in np.flatnonzero(table.nominal):
        work.tick()
        column = table.values[:, a]
        common = mode(column[rows])
        codes = np.unique(np.where(np.isnan(column), common, column))
        scale, stand_in = np.full((2, len(codes)), [[0.0], [common]])
        parts.append((np.full(len(codes), a), np.ones(len(codes), bool), codes, scale, stand_in))
    plan = DensePoints(table.values, *(np.concatenate(column) for column in zip(*parts, strict=True)))
    return plan, np.where(plan.coded, 0.5, 1.0)


def blocks(length: int, width: int, cells: int = BLOCK_CELLS) -> Iterator[slice]:
    """Iterate over slices of [0, length) with `cells` cells each, or 8 lines, if these are `width` wide."""
    step = max(cells // max(width, 1), 8)
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


@kernel
def _fill(plan, rows, used, roots, max_coordinate, out):
    """Write points of rows (b,) in the columns `used` (c,) to out (b, c).

    out[r, c] = root * clip((v - low) * scale, -max_coordinate, max_coordinate), or root * (v == low) where coded
    """
    values, owners, coded, low, scales, stand_ins = plan
    for r in range(len(rows)):
        x = values[rows[r]]
        y = out[r]
        for c in range(len(used)):
            q = used[c]
            v = x[owners[q]]
            v = v if v == v else stand_ins[q]
            if coded[q]:
                y[c] = roots[c] if v == low[q] else 0.0
            else:
                y[c] = min(max((v - low[q]) * scales[q], -max_coordinate), max_coordinate) * roots[c]


@kernel
def _finite(plan):
    """Return True if the coordinates of all rows are finite."""
    values, owners, coded, low, scales, stand_ins = plan
    n_infinite = 0
    for i in range(len(values)):
        x = values[i]
        for q in range(len(owners)):
            v = x[owners[q]]
            v = v if v == v else stand_ins[q]
            y = 0.0 if coded[q] else (v - low[q]) * scales[q]
            n_infinite += y - y != 0.0  # infinite, or no number
    return n_infinite == 0
