"""Facts of tables of counts, for which a ranker suggests differences by presence."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from ..problem import TableProblem

if TYPE_CHECKING:
    from ...core.data.counts import Counts

CELLS = 2**20  # that are looked at first: most tables are no counts
UNLIKELY = 0.5  # share of zeros among these below which they are not


def counts_of(problem: TableProblem) -> "Counts | None":
    """Facts of the features where presence would make a difference, else None."""
    from ...core.data.counts import Counts
    from ...core.data.table import DataTable

    X, nominal = problem.table.X, np.array([v.is_discrete for v in problem.features], bool)
    if not min(X.shape):
        return None
    values = sp.csr_array(X) if sp.issparse(X) else np.asarray(X, float)
    table = DataTable(values, nominal)
    first = Counts.of(table.take(np.arange(min(max(CELLS // X.shape[1], 1), X.shape[0]))))
    if not replace(first, zeros=first.known).expected or first.share < UNLIKELY:
        return None
    counts = Counts.of(table)
    return counts if counts.expected and (counts.larger or counts.wide) else None
