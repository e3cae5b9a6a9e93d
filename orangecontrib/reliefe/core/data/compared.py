"""Tables of midranks, or of presence, that are compared instead of the numbers.

Differences over the range of such a table are the differences of that kind; so nothing behind it knows of them, and
missing values are treated as ever.  Nominal features stay as they are, zeros of CSR are not stored.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ..kernels.jit import kernel
from ..work.threads import Work
from .diff import PRESENCE, RANGE, RANK
from .table import DataTable, refuse_infinite

CELLS = 2**20  # of a dense table that are turned at once


def compared(table: DataTable, kind: str, work: Work | None = None) -> DataTable:
    """The table whose differences over the range are those of a kind."""
    if kind == RANGE:
        return table
    table = table.unpacked().wide()
    make = {RANK: _ranks, PRESENCE: _presence}[kind]
    refuse_infinite_values(table)
    return DataTable(make(table, work or Work()), table.nominal, table.names)


def refuse_infinite_values(table: DataTable) -> None:
    """Raise ValueError for infinite values, and for ranges that are, with the first of their features."""
    values = table.values
    if table.is_sparse:
        stored = cast("sparse.csr_array", values)
        refuse_infinite(np.unique(stored.indices[np.isinf(stored.data)]))
        return
    step = max(CELLS // table.shape[1], 1)
    low, high = np.full((2, table.shape[1]), np.nan)
    for start in range(0, table.shape[0], step):
        block = values[start : start + step]
        low, high = np.fmin(low, np.fmin.reduce(block)), np.fmax(high, np.fmax.reduce(block))
    with np.errstate(over="ignore", invalid="ignore"):
        refuse_infinite(np.flatnonzero(~np.isnan(low) & ~np.isfinite(high - low)))


def _presence(table: DataTable, work: Work) -> np.ndarray | sparse.csr_array:
    if table.is_sparse:
        stored = cast("sparse.csr_array", table.values)
        data = _not_zero(stored.data)
        if table.nominal.any():
            data = np.where(table.nominal[stored.indices], stored.data, data)
        return sparse.csr_array((data, stored.indices, stored.indptr), shape=stored.shape)
    out, step = np.empty(table.shape), max(CELLS // table.shape[1], 1)
    for start in range(0, len(out), step):
        work.tick()
        block = table.values[start : start + step]
        out[start : start + step] = np.where(table.nominal, block, _not_zero(block))
    return out


def _not_zero(values: np.ndarray) -> np.ndarray:
    """1 where a value is not 0, else 0; unknown ones stay so."""
    return np.where(np.isnan(values), np.nan, values != 0)


def _ranks(table: DataTable, work: Work) -> np.ndarray | sparse.csr_array:
    n, numeric = table.shape[0], np.flatnonzero(~table.nominal)
    if table.is_sparse:
        stored = cast("sparse.csr_array", table.values)
        turned = sparse.csr_array((np.arange(stored.nnz), stored.indices, stored.indptr), stored.shape).tocsc()
        starts, data = turned.indptr.astype(np.int64), stored.data[turned.data]
        blocks = np.array_split(numeric, max(min(stored.nnz // CELLS, len(numeric)), 1))
        work.map(lambda block: _midranks(data, starts, block, n), blocks)
        out = np.empty_like(data)
        out[turned.data] = data
        return sparse.csr_array((out, stored.indices, stored.indptr), shape=stored.shape)
    ranked = np.array(table.values, order="C")

    def part(block: np.ndarray) -> None:
        columns = np.ascontiguousarray(ranked[:, block].T)
        _midranks(columns.reshape(-1), np.arange(len(block) + 1) * n, np.arange(len(block)), n)
        ranked[:, block] = columns.T

    step = max(CELLS // n, 1)
    work.map(part, [numeric[start : start + step] for start in range(0, len(numeric), step)])
    return ranked


@kernel
def _midranks(data, starts, columns, n):
    """Values, stored column by column, become their midranks among the known values, in place; in columns that have
    zeros beside those stored, the midrank of 0 is taken away, so that these stay 0."""
    for f in columns:
        own = data[starts[f] : starts[f + 1]]
        places, known, below, zeros = np.empty(len(own), np.int64), 0, 0, n - len(own)
        hidden = zeros
        for t in range(len(own)):
            if own[t] == own[t]:
                places[known] = t
                known += 1
                below += own[t] < 0
                zeros += own[t] == 0
        values = np.empty(known)
        for s in range(known):
            values[s] = own[places[s]]
        order = np.argsort(values)
        shift = below + (zeros + 1) / 2 if hidden > 0 else 0.0
        first = 0
        while first < known:
            x, last = values[order[first]], first
            while last + 1 < known and values[order[last + 1]] == x:
                last += 1
            rank = (first + last) / 2 + 1
            if hidden > 0 and x == 0:
                rank = shift
            elif x > 0:
                rank += hidden
            for s in range(first, last + 1):
                own[places[order[s]]] = rank - shift
            first = last + 1
