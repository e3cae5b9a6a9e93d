"""Dense rows as points, made when they are needed."""

from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np

from ..data.table import DataTable
from ..kernels.jit import kernel
from ..work.threads import Work
from .column_scales import factors, means_by_column, means_by_row, mode

BLOCK_CELLS = 1 << 18  # cells that are encoded, or whose moments are taken, at once
MAX_COORDINATE = 1e75  # in ranges: products of what is farther could not be added up


class DensePoints(NamedTuple):
    """Plan by which dense rows become points, column by column.

    A number v becomes (v - low) * scale, within +-MAX_COORDINATE; of a nominal feature, whose scale is 0, 1 where v is
    `low` and 0 elsewhere.
    """

    values: np.ndarray
    owners: np.ndarray
    coded: np.ndarray
    low: np.ndarray
    scales: np.ndarray
    stand_ins: np.ndarray

    def points(self, rows: np.ndarray, used: np.ndarray, roots: np.ndarray) -> np.ndarray:
        """(len(rows), len(used)) points, times `roots` (len(used),)."""
        out = np.empty((len(rows), len(used)))
        self.fill(rows, used, roots, out)
        return out

    def fill(self, rows: np.ndarray, used: np.ndarray, roots: np.ndarray, out: np.ndarray) -> None:
        """Write the points into `out` (len(rows), len(used))."""
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
    """Plan for the points of a dense table."""
    numeric, work = np.flatnonzero(~table.nominal), work or Work()
    low, scales, means = np.zeros((3, len(numeric)))
    for block in blocks(len(numeric), len(rows), cells):
        work.tick()
        known = np.ascontiguousarray(table.values[rows[:, None], numeric[block]])
        least, most = np.fmin.reduce(known), np.fmax.reduce(known)
        means[block] = means_by_column(known) if embedded else means_by_row(known)
        scales[block] = factors(least, most, None if ranges is None else ranges[numeric[block]])
        least = np.where(np.isnan(least), 0.0, least)
        low[block] = np.where((least <= 0) & (most >= 0), 0.0, least) if embedded else least
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
    """Slices of [0, length) with at most `cells` cells each, if they are `width` wide."""
    step = max(cells // max(width, 1), 8)
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


@kernel
def _fill(plan, rows, used, roots, far, out):
    values, owners, coded, low, scales, stand_ins = plan
    for r in range(len(rows)):
        x, y = values[rows[r]], out[r]
        for c in range(len(used)):
            q = used[c]
            v = x[owners[q]]
            v = v if v == v else stand_ins[q]
            if coded[q]:
                y[c] = roots[c] if v == low[q] else 0.0
            else:
                y[c] = min(max((v - low[q]) * scales[q], -far), far) * roots[c]


@kernel
def _finite(plan):
    values, owners, coded, low, scales, stand_ins = plan
    bad = 0
    for i in range(len(values)):
        x = values[i]
        for q in range(len(owners)):
            v = x[owners[q]]
            v = v if v == v else stand_ins[q]
            y = 0.0 if coded[q] else (v - low[q]) * scales[q]
            bad += y - y != 0.0  # infinite, or no number
    return bad == 0
