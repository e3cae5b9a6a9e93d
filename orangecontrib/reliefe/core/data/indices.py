"""Sparse matrices as callers have them: SciPy trusts their index arrays, so these are checked before anything else.

A function that followed an index beyond the end would read or write any memory.
"""

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from scipy import sparse

from .scratch import in_file, private

MAX_COUNT = 2**31  # stored values, rows, columns: what 32 bits can count


def csr(X: Any, name: str) -> sparse.csr_array:
    """A SciPy matrix (n, p) of any format as canonical CSR: float64, 32-bit indices, ascending in a row, each once.

    A copy only where X is not that already in memory; missing values are stored NaN.
    Raises ValueError for complex numbers and all else that are no numbers, and as `check` does.
    """
    mapped = [part for part in ("data", "indices", "indptr", "row", "col") if in_file(getattr(X, part, None))]
    X = copy(X) if mapped else X
    for part in mapped:
        setattr(X, part, private(getattr(X, part), name))
    check(X, name)
    if X.dtype.kind not in "fiub":
        raise ValueError(f"{name} must hold numbers, not values of type {X.dtype}")
    if max(X.nnz, *X.shape) >= MAX_COUNT:
        raise ValueError(f"{name} has {X.nnz:,} stored values in shape {X.shape}; fewer than 2^31 of each are possible")
    try:
        out = sparse.csr_array(X)
    except OverflowError:  # of Python's own numbers, which some formats store
        raise ValueError(f"{name} has numbers that are too large") from None
    if not out.has_canonical_format:
        out = out.copy()
        out.sum_duplicates()
    data, indices = out.data[: out.nnz], out.indices[: out.nnz]  # there may be room for more
    index = [a.astype(np.int32, copy=False) for a in (indices, out.indptr)]
    return sparse.csr_array((data.astype(np.float64, copy=False), *index), shape=out.shape)


def check(X: Any, name: str) -> None:
    """Raises ValueError unless X is a matrix of two dimensions all of whose indices lie within it."""
    if X.ndim != 2:
        raise ValueError(f"{name} must have two dimensions, not {X.ndim}")
    reason = CHECKS[X.format](X) if X.format in CHECKS else "its format is not known"
    if reason:
        raise ValueError(f"{name} is no valid {X.format.upper()} matrix: {reason}")


def _compressed(X: Any, major: int, minor: int, data: int) -> str:
    """Fault of `indices`, which must lie below minor, and of `indptr` of major rows (columns, blocks), or "".

    data: number of values that are stored.
    """
    indices, pointers = X.indices, X.indptr
    if not (_integers(indices) and _integers(pointers)):
        return "indices and indptr must be arrays of integers with one dimension"
    if (
        len(pointers) != major + 1
        or pointers[0] != 0
        or (pointers[1:] < pointers[:-1]).any()
        or pointers[-1] > min(len(indices), data)
    ):
        return "its indptr must start at 0, never fall, and end within the indices and the data"
    return _outside(indices[: pointers[-1]], minor, "its indices")


def _bsr(X: Any) -> str:
    if not isinstance(X.data, np.ndarray) or X.data.ndim != 3 or not all(X.data.shape[1:]):
        return "its data must be an array of blocks"
    blocks = [divmod(size, block) for size, block in zip(X.shape, X.data.shape[1:], strict=True)]
    if any(rest for _, rest in blocks):
        return f"blocks of shape {X.data.shape[1:]} do not fill the shape {X.shape}"
    return _compressed(X, blocks[0][0], blocks[1][0], len(X.data))


def _coo(X: Any) -> str:
    if _flat(X.data):
        return _flat(X.data)
    for axis, (found, size) in enumerate(zip((X.row, X.col), X.shape, strict=True)):
        if not _integers(found) or len(found) != len(X.data):
            return "row and col must be arrays of as many integers as there are values"
        wrong = _outside(found, size, ("its row indices", "its column indices")[axis])
        if wrong:
            return wrong
    return ""


def _lil(X: Any) -> str:
    if any(not isinstance(part, np.ndarray) or part.shape != X.shape[:1] for part in (X.rows, X.data)):
        return f"rows and data must be arrays of {X.shape[0]} lists"
    for own, values in zip(X.rows, X.data, strict=True):
        if not (isinstance(own, list) and isinstance(values, list) and len(own) == len(values)):
            return "rows and data must hold lists of the same lengths"
        if own and not (all(isinstance(j, int | np.integer) for j in own) and min(own) >= 0 and max(own) < X.shape[1]):
            return f"its column indices must be integers between 0 and {X.shape[1] - 1}"
    return ""


def _dok(X: Any) -> str:
    for key in list(X.keys()):
        if not (isinstance(key, tuple) and len(key) == 2 and all(isinstance(i, int | np.integer) for i in key)):
            return "its keys must be pairs of integers"
        if not all(0 <= i < size for i, size in zip(key, X.shape, strict=True)):
            return f"its keys must lie within its shape, {X.shape}"
    return ""


def _dia(X: Any) -> str:
    offsets = X.offsets
    if not _integers(offsets) or not isinstance(X.data, np.ndarray) or X.data.shape[:-1] != offsets.shape:
        return "its offsets must be integers, one for each row of its data"
    if len(offsets) and (offsets.min() <= -X.shape[0] or offsets.max() >= X.shape[1]):
        return f"its offsets must lie between {1 - X.shape[0]} and {X.shape[1] - 1}"
    return "" if len(np.unique(offsets)) == len(offsets) else "its offsets must differ"


def _outside(found: np.ndarray, size: int, what: str) -> str:
    beyond = len(found) and (found.min() < 0 or found.max() >= size)
    return f"{what} must lie between 0 and {size - 1}" if beyond else ""


def _integers(found: object) -> bool:
    return isinstance(found, np.ndarray) and found.ndim == 1 and found.dtype.kind in "iu"


def _flat(data: object) -> str:
    return "" if isinstance(data, np.ndarray) and data.ndim == 1 else "its data must be an array with one dimension"


CHECKS: dict[str, Callable[[Any], str]] = {
    "csr": lambda X: _flat(X.data) or _compressed(X, X.shape[0], X.shape[1], len(X.data)),
    "csc": lambda X: _flat(X.data) or _compressed(X, X.shape[1], X.shape[0], len(X.data)),
    "bsr": _bsr,
    "coo": _coo,
    "lil": _lil,
    "dok": _dok,
    "dia": _dia,
}
