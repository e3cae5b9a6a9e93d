"""Tables whose numbers are replaced by midranks or by presence, which rows are compared by.

Their differences over the range are the differences that a `Diff` asks for, so that no other code knows of its kind.
Missing values stay missing, nominal features stay as they are, and zeros of CSR are not stored.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ..kernels.jit import kernel
from ..work.threads import Work
from .diff import PRESENCE, RANGE, RANK
from .facts import refuse_infinite
from .table import DataTable

CELLS_PER_BLOCK = 2**20  # cells of a dense table that are replaced at once


def compared(table: DataTable, kind: str, work: Work | None = None) -> DataTable:
    """Return the table whose differences over the range are those of a kind.

    Parameters
    ----------
    table : DataTable
        Features as they are.
    kind : str
        RANGE, RANK or PRESENCE.
    work : Work, optional
        Threads, and stops.

    Raises
    ------
    ValueError
        If values or ranges are infinite.
    """
    if kind == RANGE:
        return table
    table = table.unpacked().wide()
    refuse_infinite_values(table)
    values_of_kind = {RANK: _ranks, PRESENCE: _presence}[kind]
    return DataTable(values_of_kind(table, work or Work()), table.nominal, table.names)


def refuse_infinite_values(table: DataTable) -> None:
    """Raise ValueError if values or ranges are infinite."""
    values = table.values
    if table.is_sparse:
        stored = cast("sparse.csr_array", values)
        refuse_infinite(np.unique(stored.indices[np.isinf(stored.data)]))
        return
    step = max(CELLS_PER_BLOCK // table.shape[1], 1)
    low, high = np.full((2, table.shape[1]), np.nan)
    for start in range(0, table.shape[0], step):
        block = values[start : start + step]
        low = np.fmin(low, np.fmin.reduce(block))
        high = np.fmax(high, np.fmax.reduce(block))
    with np.errstate(over="ignore", invalid="ignore"):
        refuse_infinite(np.flatnonzero(~np.isnan(low) & ~np.isfinite(high - low)))


def _presence(table: DataTable, work: Work) -> np.ndarray | sparse.csr_array:
    """Replace numbers by 1 where they are not 0."""
    if table.is_sparse:
        stored = cast("sparse.csr_array", table.values)
        data = _not_zero(stored.data)
        if table.nominal.any():
            data = np.where(table.nominal[stored.indices], stored.data, data)
        return sparse.csr_array((data, stored.indices, stored.indptr), shape=stored.shape)
    presence = np.empty(table.shape)
    step = max(CELLS_PER_BLOCK // table.shape[1], 1)
    for start in range(0, len(presence), step):
        work.tick()
        block = table.values[start : start + step]
        presence[start : start + step] = np.where(table.nominal, block, _not_zero(block))
    return presence


def _not_zero(values: np.ndarray) -> np.ndarray:
    """Return 1 where a value is not 0, else 0; NaN where it is unknown."""
    return np.where(np.isnan(values), np.nan, values != 0)


def _ranks(table: DataTable, work: Work) -> np.ndarray | sparse.csr_array:
    """Replace numbers by their midranks."""
    n = table.shape[0]
    numeric = np.flatnonzero(~table.nominal)
    if table.is_sparse:
        # Rank stored values column by column, and put them back in the order of rows
        stored = cast("sparse.csr_array", table.values)
        by_column = sparse.csr_array((np.arange(stored.nnz), stored.indices, stored.indptr), stored.shape).tocsc()
        starts = by_column.indptr.astype(np.int64)
        data = stored.data[by_column.data]
        blocks = np.array_split(numeric, max(min(stored.nnz // CELLS_PER_BLOCK, len(numeric)), 1))
        work.map(lambda block: _midranks(data, starts, block, n), blocks)
        ranks = np.empty_like(data)
        ranks[by_column.data] = data
        return sparse.csr_array((ranks, stored.indices, stored.indptr), shape=stored.shape)
    ranked = np.array(table.values, order="C")

    def rank_block(block: np.ndarray) -> None:
        columns = np.ascontiguousarray(ranked[:, block].T)
        _midranks(columns.reshape(-1), np.arange(len(block) + 1) * n, np.arange(len(block)), n)
        ranked[:, block] = columns.T

    step = max(CELLS_PER_BLOCK // n, 1)
    work.map(rank_block, [numeric[start : start + step] for start in range(0, len(numeric), step)])
    return ranked


@kernel
def _midranks(data, starts, columns, n):
    """Replace the values of columns by their midranks among the known values of n rows, in place.

    data : values, stored column by column
    starts (p + 1,) : start of each column in data

    Where values that are equal have the ranks a to b, their midrank is (a + b) / 2.  In columns with zeros that are not
    stored, the midrank of 0 is subtracted from all, so that these stay 0.
    """
    for f in columns:
        column = data[starts[f] : starts[f + 1]]
        # Known values, and how many are below 0 and 0
        positions = np.empty(len(column), np.int64)
        n_known = 0
        n_negative = 0
        n_zeros = n - len(column)
        n_not_stored = n_zeros
        for t in range(len(column)):
            if column[t] == column[t]:
                positions[n_known] = t
                n_known += 1
                n_negative += column[t] < 0
                n_zeros += column[t] == 0
        values = np.empty(n_known)
        for s in range(n_known):
            values[s] = column[positions[s]]
        # Midranks of runs of equal values
        order = np.argsort(values)
        rank_of_zero = n_negative + (n_zeros + 1) / 2 if n_not_stored > 0 else 0.0
        first = 0
        while first < n_known:
            x = values[order[first]]
            last = first
            while last + 1 < n_known and values[order[last + 1]] == x:
                last += 1
            rank = (first + last) / 2 + 1
            if n_not_stored > 0 and x == 0:
                rank = rank_of_zero
            elif x > 0:
                rank += n_not_stored
            for s in range(first, last + 1):
                column[positions[order[s]]] = rank - rank_of_zero
            first = last + 1
