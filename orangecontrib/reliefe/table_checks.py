"""Checks of the values of a table: codes that its variables know, and finite ranges."""

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import scipy.sparse as sp
from Orange.data import Variable

from .core.words import counted, shown

NAMES_SHOWN = 10
CODES_PER_BLOCK = 1 << 20  # codes that are checked at once


class InfiniteValues(RuntimeWarning):
    """Infinite values, so many, were read as missing: Orange's tables hold none."""

    def __init__(self, n: int) -> None:
        super().__init__(f"{counted(n, 'infinite value')} {'was' if n == 1 else 'were'} read as missing")


def names_of(variables: Sequence[Variable]) -> str:
    """Names of the first variables, for messages."""
    names = [shown(variable.name) for variable in variables[: NAMES_SHOWN + 1]]
    return ", ".join([*names[:NAMES_SHOWN], *(["..."] if len(names) > NAMES_SHOWN else [])])


def numbers_rows(values: np.ndarray) -> bool:
    """True if values (n,) count the rows from 0 or from 1, as an index that was saved with its table."""
    return len(values) > 1 and values[0] in (0, 1) and np.array_equal(values, values[0] + np.arange(len(values)))


def check_codes(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Raises ValueError for codes in values (n, v) that are none of their variable's, NaN aside."""
    counts = np.array([len(variable.values) if variable.is_discrete else -1 for variable in variables])
    for codes, columns in _coded(values, counts >= 0):
        wrong = ~(np.isnan(codes) | ((codes >= 0) & (codes < counts[columns]) & (codes == np.floor(codes))))
        if wrong.any():
            column, code = np.broadcast_to(columns, codes.shape)[wrong][0], codes[wrong][0]
            name, known = shown(variables[column].name), counts[column]
            raise ValueError(f"{name} has the code {code:g}; the codes of its {known} values are 0 to {known - 1}")


def check_finite(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Raises ValueError with the names of variables whose values (n, v) have no finite range, NaN aside.

    The core would say the same, but it knows indices only.
    """
    if sp.issparse(values):
        low, high = (np.atleast_1d(f.reduce(values.data, initial=0)) for f in (np.fmin, np.fmax))
    else:
        low, high = (f.reduce(values, axis=0, initial=np.nan) for f in (np.fmin, np.fmax))
    with np.errstate(over="ignore", invalid="ignore"):
        endless = (low <= high) & ~np.isfinite(high - low)
        if sp.issparse(values):
            if not endless.any():
                return
            large = np.abs(values.data) > np.finfo(float).max / 2
            endless = np.bincount(cast("sp.csr_matrix", values).indices[large], minlength=len(variables)) > 0
    if endless.any():
        names = names_of([variables[j] for j in np.flatnonzero(endless)])
        raise ValueError(f"infinite or far too large values in {names}: correct them, or leave the feature out")


def _coded(values: np.ndarray | sp.csr_matrix, coded: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Codes, some at a time, and their columns: of values (n, v) in the columns of the mask coded (v,)."""
    columns = np.flatnonzero(coded)
    if sp.issparse(values) and len(columns):
        stored = cast("sp.csr_matrix", values)
        for start in range(0, stored.nnz, CODES_PER_BLOCK):
            own = stored.indices[start : min(start + CODES_PER_BLOCK, stored.nnz)]
            kept = coded[own]
            yield stored.data[start : start + len(own)][kept], own[kept]
    elif len(columns):
        step = max(CODES_PER_BLOCK // len(columns), 1)
        for start in range(0, len(values), step):
            yield values[start : start + step, columns], columns
