"""Checks of the values of a table before any work, with the names of its variables in messages.

`conversion.arrays` calls them, and readers of files and first looks at data some of them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

import numpy as np
import scipy.sparse as sp
from Orange.data import Table, Variable

from ..core.data.facts import refuse_infinite
from ..core.data.transposed import are_features
from ..core.words import infinite_as_missing, shown

MAX_NAMES = 10  # in a message
CODES_PER_BLOCK = 2**20  # codes that are checked at once: 8 MB


class InfiniteValues(RuntimeWarning):
    """Infinite values were read as missing, since Orange's tables do not hold any.

    Parameters
    ----------
    n : int
        Number of these values.
    """

    def __init__(self, n: int) -> None:
        super().__init__(infinite_as_missing(n))


def names_of(variables: Sequence[Variable]) -> str:
    """Names of the first variables, for messages."""
    names = [shown(variable.name) for variable in variables[:MAX_NAMES]]
    if len(variables) > MAX_NAMES:
        names.append("...")
    return ", ".join(names)


def rows_like_features(table: Table, row_names: Sequence[str] = (), has_target: bool = False) -> list[str]:
    """Return the names of rows if rows look like features and columns like samples, in a transposed table.

    Parameters
    ----------
    table : Table
        The table.
    row_names : sequence of str
        Names of the rows in their file, if the table has no texts. The first text has the names.
    has_target : bool
        True if a column was chosen as the target.

    Returns
    -------
    list of str
        Names of the rows; empty if they do not look like features.
    """
    domain = table.domain
    if any(v.is_discrete for v in domain.class_vars) or not all(v.is_continuous for v in domain.attributes):
        return []
    names = [v.name for v in domain.variables]
    texts = [v for v in domain.metas if v.is_string]
    rows = [str(value) for value in table.get_column(texts[0])] if texts else [*row_names]
    return rows if are_features(rows, names, has_target or bool(domain.class_vars)) else []


def check_codes(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Check the codes of categorical variables.

    Parameters
    ----------
    values : (n, v) array or CSR matrix
        Values of the variables; NaN is missing.
    variables : sequence of Variable
        The v variables.

    Raises
    ------
    ValueError
        If a code is none of those of its variable.
    """
    counts = np.array([len(variable.values) if variable.is_discrete else -1 for variable in variables])
    for codes, columns in _coded(values, counts >= 0):
        wrong = ~(np.isnan(codes) | ((codes >= 0) & (codes < counts[columns]) & (codes == np.floor(codes))))
        if wrong.any():
            column = np.broadcast_to(columns, codes.shape)[wrong][0]
            code = codes[wrong][0]
            name = shown(variables[column].name)
            count = counts[column]
            raise ValueError(f"{name} has the code {code:g}; the codes of its {count} values are 0 to {count - 1}")


def check_finite(values: np.ndarray | sp.csr_matrix, variables: Sequence[Variable]) -> None:
    """Check that the ranges of variables are finite. The core checks this, too, but it has no names.

    Parameters
    ----------
    values : (n, v) array or CSR matrix
        Values of the variables; NaN is missing.
    variables : sequence of Variable
        The v variables.

    Raises
    ------
    ValueError
        If a range is infinite; the message has the names of the variables.
    """
    if sp.issparse(values):
        low, high = (np.atleast_1d(f.reduce(values.data, initial=0)) for f in (np.fmin, np.fmax))
    else:
        low, high = (f.reduce(values, axis=0, initial=np.nan) for f in (np.fmin, np.fmax))
    with np.errstate(over="ignore", invalid="ignore"):
        is_infinite = (low <= high) & ~np.isfinite(high - low)
        if sp.issparse(values):  # the range is that of all variables
            if not is_infinite.any():
                return
            is_large = np.abs(values.data) > np.finfo(float).max / 2
            columns = cast("sp.csr_matrix", values).indices[is_large]
            is_infinite = np.bincount(columns, minlength=len(variables)) > 0
    if is_infinite.any():
        refuse_infinite(np.flatnonzero(is_infinite), [variable.name for variable in variables])


class _Codes(NamedTuple):
    """A block of codes: (m, c) of dense values, (m,) of sparse ones, and the columns (c,) or (m,) they are in."""

    codes: np.ndarray
    columns: np.ndarray


def _coded(values: np.ndarray | sp.csr_matrix, is_coded: np.ndarray) -> Iterator[_Codes]:
    """Yield the codes in values (n, v) block by block; is_coded (v,) are the columns with codes."""
    columns = np.flatnonzero(is_coded)
    if sp.issparse(values) and len(columns):
        stored = cast("sp.csr_matrix", values)
        for start in range(0, stored.nnz, CODES_PER_BLOCK):
            block = slice(start, min(start + CODES_PER_BLOCK, stored.nnz))
            columns_of_block = stored.indices[block]
            in_block = is_coded[columns_of_block]
            yield _Codes(stored.data[block][in_block], columns_of_block[in_block])
    elif len(columns):
        step = max(CODES_PER_BLOCK // len(columns), 1)
        for start in range(0, len(values), step):
            yield _Codes(values[start : start + step, columns], columns)
