"""Blocks of dense tables in double precision, and codes of their nominal columns."""

from collections.abc import Callable, Iterator

import numpy as np

from ..jit import kernel
from .scratch import chunks, in_file
from .table import EXACT


def blocks_of(
    X: np.ndarray, rows: np.ndarray, tick: Callable[[], object]
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Blocks of a table in double precision: rows, which of them are wanted, and their places in `rows` (n,).

    Those of a file in its order: its pages are read once.
    """
    if not in_file(X) and X.dtype == np.float64:
        yield X, rows, np.arange(len(rows))
        return
    places = np.argsort(rows, kind="stable")
    for step in chunks(len(rows), 8 * X.shape[1]):
        tick()
        own = rows[places[step]]
        whole = own[-1] - own[0] + 1 == len(own)
        block = np.array(X[own[0] : own[-1] + 1] if whole else X[own], np.float64)
        yield block, np.arange(len(own)), places[step]


def code_nominal(
    X: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    nominal: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    out: np.ndarray,
) -> None:
    """Codes that single precision can tell apart, where the caller's are not, into the columns of `out`."""
    place, split = np.argsort(columns), np.zeros(len(nominal), bool)
    if X.dtype.kind == "f":
        for block, own, _ in blocks_of(X, rows, bool):
            _split(block, own, split)
    for a in np.flatnonzero(nominal & ((low < 0) | (high >= EXACT) | split)):
        column = X[rows, a]
        known = ~np.isnan(column)
        out[known, place[a]] = np.unique(column[known], return_inverse=True)[1]


@kernel
def _split(X, rows, out):
    """Columns that have values between whole numbers."""
    for i in range(len(rows)):
        x = X[rows[i]]
        for f in range(len(x)):
            out[f] |= (x[f] == x[f]) & (x[f] != np.floor(x[f]))
