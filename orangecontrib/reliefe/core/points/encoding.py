"""Encoding of a table as one matrix of numbers, which embeddings work on.

Numbers are scaled by their range, nominal values become indicators, and missing values are imputed.  Points of rows
that are compared are made by `dense_encoding.py` and `sparse_encoding.py`; all share the scales of `column_scales.py`.
"""

import numpy as np
from scipy import sparse

from ..data.chosen_rows import rows_of
from ..data.table import DataTable
from ..words import shown
from ..work.threads import Work
from .dense_encoding import blocks, dense_points
from .sparse_encoding import simplex_matrix

MAX_DOUBLE_CELLS = 1 << 26  # cells of a dense matrix above which it is made in single precision


def matrix(
    table: DataTable,
    rows: np.ndarray | None = None,
    work: Work | None = None,
    max_double_cells: int = MAX_DOUBLE_CELLS,
) -> np.ndarray | sparse.csr_array:
    """Encode a table as one matrix of numbers between which Euclidean distances make sense.

    Numeric columns are divided by their range over all rows of the table, so 0 stays 0. A column of only positive or
    only negative values is shifted to begin at 0, since sparsification depends on the size of numbers. Constant columns
    become 0.  A nominal column becomes one column of 0 and 1 for each of its values. In sparse tables its code 0 is all
    zeros, at the same distances (0 or sqrt 2).  Missing values become the mean of the column or its most frequent
    value.

    Parameters
    ----------
    table : DataTable
        Features of n rows.
    rows : indices or mask, optional
        Rows that are encoded, on the scale of all rows; None: all.
    work : Work, optional
        Progress and stops.
    max_double_cells : int
        Number of cells above which a dense matrix is in single precision.

    Returns
    -------
    (rows, columns) array or CSR

    Raises
    ------
    TypeError
        If table is no DataTable.

    References
    ----------
    Skrlj et al. (2022), ReliefE, section 3.1: features are scaled to ranges of 1.
    """
    if not isinstance(table, DataTable):
        raise TypeError(f"table must be a DataTable, not {shown(table)}")
    n = table.shape[0]
    work = work or Work()
    rows = np.arange(n) if rows is None else rows_of(rows, n, "rows")
    if table.is_sparse:
        return simplex_matrix(table, rows, work)
    plan, _ = dense_points(table, np.arange(n), embedded=True, work=work)
    used = np.argsort(plan.owners, kind="stable")  # features in their order
    is_empty = np.array([plan.coded[q] and np.isnan(table.values[:, plan.owners[q]]).all() for q in used])
    out = np.empty((len(rows), len(used)), np.float32 if len(rows) * len(used) > max_double_cells else np.float64)
    for block in blocks(len(rows), len(used)):
        work.tick()
        plan.fill(rows[block], used, np.where(is_empty, 0.0, 1.0), out[block])
    return out
