"""Reading of sparse matrices: SciPy trusts their index arrays, so these are checked before anything else.

A function that followed an index beyond the end would read or write any memory.
"""

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from scipy import sparse

from .scratch import in_file, private

MAX_COUNT = 2**31  # numbers of stored values, rows and columns that 32 bits can count are below
INDEX_AND_DATA_ARRAYS = ("data", "indices", "indptr", "row", "col")  # of all formats


def csr(X: Any, name: str) -> sparse.csr_array:
    """Read a matrix as canonical CSR: float64, 32-bit indices, ascending in a row, each once.

    It is copied only if it is not that already, in memory.  Missing values are stored NaN.

    Parameters
    ----------
    X : sparse matrix, shape (n, p)
        SciPy matrix or array of any format.
    name : str
        What messages call it.

    Raises
    ------
    ValueError
        For values that are no numbers, and as `check` does.
    """
    arrays_in_files = [array for array in INDEX_AND_DATA_ARRAYS if in_file(getattr(X, array, None))]
    X = copy(X) if arrays_in_files else X
    for array in arrays_in_files:
        setattr(X, array, private(getattr(X, array), name))
    check(X, name)
    if X.dtype.kind not in "fiub":
        raise ValueError(f"{name} must hold numbers, not values of type {X.dtype}")
    if max(X.nnz, *X.shape) >= MAX_COUNT:
        raise ValueError(f"{name} has {X.nnz:,} stored values in shape {X.shape}; fewer than 2^31 of each are possible")
    try:
        matrix = sparse.csr_array(X)
    except OverflowError:  # of Python's own numbers, which some formats store
        raise ValueError(f"{name} has numbers that are too large") from None
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    # The arrays may have room for more values
    data = matrix.data[: matrix.nnz].astype(np.float64, copy=False)
    indices = matrix.indices[: matrix.nnz].astype(np.int32, copy=False)
    indptr = matrix.indptr.astype(np.int32, copy=False)
    return sparse.csr_array((data, indices, indptr), shape=matrix.shape)


def check(X: Any, name: str) -> None:
    """Raise ValueError unless X is a matrix of two dimensions all of whose indices lie within it."""
    if X.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, not {X.ndim}")
    reason = CHECKS[X.format](X) if X.format in CHECKS else "its format is not known"
    if reason:
        raise ValueError(f"{name} is no valid {X.format.upper()} matrix: {reason}")


def _compressed(X: Any, n_major: int, n_minor: int, n_stored: int) -> str:
    """Return the fault of indices and indptr of CSR, CSC or BSR, or "".

    n_major: number of rows (columns, rows of blocks), which indptr delimits.
    n_minor: bound of the indices.
    n_stored: number of values (blocks) that are stored.
    """
    indices = X.indices
    pointers = X.indptr
    if not (_are_integers(indices) and _are_integers(pointers)):
        return "indices and indptr must be arrays of integers with one dimension"
    if (
        len(pointers) != n_major + 1
        or pointers[0] != 0
        or (pointers[1:] < pointers[:-1]).any()
        or pointers[-1] > min(len(indices), n_stored)
    ):
        return "its indptr must start at 0, never fall, and end within the indices and the data"
    return _outside(indices[: pointers[-1]], n_minor, "its indices")


def _bsr(X: Any) -> str:
    """Return the fault of a matrix in the format BSR, or ""."""
    if not isinstance(X.data, np.ndarray) or X.data.ndim != 3 or not all(X.data.shape[1:]):
        return "its data must be an array of blocks"
    n_blocks = [divmod(size, block) for size, block in zip(X.shape, X.data.shape[1:], strict=True)]
    if any(remainder for _, remainder in n_blocks):
        return f"blocks of shape {X.data.shape[1:]} do not fill the shape {X.shape}"
    return _compressed(X, n_blocks[0][0], n_blocks[1][0], len(X.data))


def _coo(X: Any) -> str:
    """Return the fault of a matrix in the format COO, or ""."""
    if _flat(X.data):
        return _flat(X.data)
    for axis, (indices, size) in enumerate(zip((X.row, X.col), X.shape, strict=True)):
        if not _are_integers(indices) or len(indices) != len(X.data):
            return "row and col must be arrays of as many integers as there are values"
        wrong = _outside(indices, size, ("its row indices", "its column indices")[axis])
        if wrong:
            return wrong
    return ""


def _lil(X: Any) -> str:
    """Return the fault of a matrix in the format LIL, or ""."""
    if any(not isinstance(array, np.ndarray) or array.shape != X.shape[:1] for array in (X.rows, X.data)):
        return f"rows and data must be arrays of {X.shape[0]} lists"
    for indices, values in zip(X.rows, X.data, strict=True):
        if not (isinstance(indices, list) and isinstance(values, list) and len(indices) == len(values)):
            return "rows and data must hold lists of the same lengths"
        are_integers = all(isinstance(j, int | np.integer) for j in indices)
        if indices and not (are_integers and min(indices) >= 0 and max(indices) < X.shape[1]):
            return f"its column indices must be integers between 0 and {X.shape[1] - 1}"
    return ""


def _dok(X: Any) -> str:
    """Return the fault of a matrix in the format DOK, or ""."""
    for key in list(X.keys()):
        if not (isinstance(key, tuple) and len(key) == 2 and all(isinstance(i, int | np.integer) for i in key)):
            return "its keys must be pairs of integers"
        if not all(0 <= i < size for i, size in zip(key, X.shape, strict=True)):
            return f"its keys must lie within its shape, {X.shape}"
    return ""


def _dia(X: Any) -> str:
    """Return the fault of a matrix in the format DIA, or ""."""
    offsets = X.offsets
    if not _are_integers(offsets) or not isinstance(X.data, np.ndarray) or X.data.shape[:-1] != offsets.shape:
        return "its offsets must be integers, one for each row of its data"
    if len(offsets) and (offsets.min() <= -X.shape[0] or offsets.max() >= X.shape[1]):
        return f"its offsets must lie between {1 - X.shape[0]} and {X.shape[1] - 1}"
    return "" if len(np.unique(offsets)) == len(offsets) else "its offsets must differ"


def _outside(indices: np.ndarray, size: int, what: str) -> str:
    """Return the fault of indices that must lie between 0 and size - 1, or ""; what: their name."""
    is_outside = len(indices) and (indices.min() < 0 or indices.max() >= size)
    return f"{what} must lie between 0 and {size - 1}" if is_outside else ""


def _are_integers(values: object) -> bool:
    """True for an array of integers with one dimension."""
    return isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu"


def _flat(data: object) -> str:
    """Return the fault of data that must be an array with one dimension, or ""."""
    return "" if isinstance(data, np.ndarray) and data.ndim == 1 else "its data must be an array with one dimension"


# Functions that return the fault of a matrix, by its format
CHECKS: dict[str, Callable[[Any], str]] = {
    "csr": lambda X: _flat(X.data) or _compressed(X, X.shape[0], X.shape[1], len(X.data)),
    "csc": lambda X: _flat(X.data) or _compressed(X, X.shape[1], X.shape[0], len(X.data)),
    "bsr": _bsr,
    "coo": _coo,
    "lil": _lil,
    "dok": _dok,
    "dia": _dia,
}
