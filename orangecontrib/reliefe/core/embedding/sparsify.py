"""Rows that stand for all rows: as many of every class as there are places for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import generator, number, switch, whole
from ..data.arrays import cells, matrix
from ..targets.scaling import scaled


def representatives(groups: np.ndarray, size: int = 2048, random_state: int = 0) -> np.ndarray:
    """(min(size, n),) ascending rows, taken from the groups in turn, one each, until there are `size`.

    groups (n,) int: codes of classes or of label sets, in the order of their values; exhausted groups are passed over.
    The order within a group is random.  With more groups than places the first `size` groups have one row each.
    Rare groups are over-represented by design.  Raises ValueError for a size below 1 or groups that are no (n,) ints.

    Skrlj et al. (2022), ReliefE, section 3.8.2.
    """
    groups = cells(groups, "groups")
    size = whole("size", size, 1)
    rng = generator(random_state)
    if groups.ndim != 1 or groups.dtype.kind not in "iu":
        raise ValueError(f"groups must be one integer for each row, not shape {groups.shape} of type {groups.dtype}")
    if len(groups) <= size:
        return np.arange(len(groups))
    return np.sort(cyclic(groups, rng.permutation(len(groups)))[:size])


def cyclic(groups: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(n,) rows as they are taken: by their place among the rows of their group, `order` (n,), then by group."""
    by_group = order[np.argsort(groups[order], kind="stable")]
    sorted_groups = groups[by_group]
    starts = np.flatnonzero(np.r_[True, sorted_groups[1:] != sorted_groups[:-1]])
    place = np.arange(len(groups)) - np.repeat(starts, np.diff(np.r_[starts, len(groups)]))
    return cast("np.ndarray", by_group[np.lexsort((sorted_groups, place))])


CELLS_PER_BLOCK = 1 << 20  # dense numbers that are looked at together


@dataclass(frozen=True)
class Sparsified:
    """X (m, n), CSR or dense, in which entries up to `threshold` have become 0 or the threshold.

    before, after: shares of entries that are not zero, in [0, 1].  expected: the number of entries to expect.
    error_bound: the spectral norm of the change is O(error_bound) with high probability; it equals `epsilon`.
    """

    X: sparse.csr_array | np.ndarray
    epsilon: float
    threshold: float
    before: float
    after: float
    expected: float
    error_bound: float


def density(X: np.ndarray | sparse.sparray | sparse.spmatrix) -> float:
    """Share of the entries of X (m, n), dense or sparse, that are not zero, in [0, 1]."""
    X = matrix(X, "X")
    size = X.shape[0] * X.shape[1]
    return float(np.count_nonzero(X.data if sparse.issparse(X) else X)) / max(cast("int", size), 1)


def sparsify(
    X: np.ndarray | sparse.sparray | sparse.spmatrix,
    *,
    epsilon: float | None = None,
    row_normalize: bool = False,
    random_state: int = 0,
    dense: bool = False,
) -> Sparsified:
    """Keep large entries; make small ones sgn(x) t with probability |x| / t, else 0, so that the mean is x.

    X (m, n): numbers, dense or sparse.  t = epsilon / sqrt(m + n).  epsilon: above 0; None: the largest sum of |x| in a
    row or a column, divided by m + n.  row_normalize: divide rows by their Euclidean norms before.  dense: return an
    array.
    Dense and sparse forms of the same data give the same result.
    Raises ValueError where epsilon is not above 0, or X has missing or infinite values.

    Skrlj et al. (2022), ReliefE, Algorithm 1, read for a rectangular matrix and with |x| in the comparison: as printed,
    large negative entries were cut.
    """
    epsilon = None if epsilon is None else number("epsilon", epsilon)
    if epsilon is not None and not 0 < epsilon < np.inf:
        raise ValueError(f"epsilon must be above 0, not {epsilon}")
    rng = generator(random_state)
    X = matrix(X, "X")
    row_normalize = switch("row_normalize", row_normalize)
    dense = switch("dense", dense)
    (m, n) = X.shape
    count = 0
    most = 0.0
    columns = np.zeros(X.shape[1])
    for B in _pieces(X, row_normalize):
        A = sparse.csr_array((np.abs(B.data), B.indices, B.indptr), shape=B.shape)
        with np.errstate(over="ignore"):
            count, most = count + B.nnz, max(most, A.sum(axis=1).max(initial=0))
            np.add.at(columns, A.indices, A.data)  # row after row: the same in whatever pieces rows come
    if not np.isfinite([most, *columns]).all():
        raise ValueError("X has far too large values")
    if epsilon is None:
        epsilon = max(most, columns.max(initial=0)) / max(m + n, 1)
    threshold = float(epsilon / np.sqrt(max(m + n, 1)))
    left, small = _Array(m, n) if dense else _Rows(m, n, count), cast("Any", [np.zeros(0)])
    for B in _pieces(X, row_normalize):
        size = np.abs(B.data)
        small.append(size[size <= threshold])
        left.add(draw(B.data, rng.random(B.nnz), threshold), B)
    small, cells = np.concatenate(small), max(m * n, 1)
    expected = count - len(small) + (float(small.sum()) / threshold if len(small) else 0.0)
    shares = count / cells, left.count / cells
    return Sparsified(left.matrix(), float(epsilon), threshold, *shares, expected, float(epsilon))


class _Rows:
    """CSR (m, n) of no more than `most` numbers, which grows by rows; what is not used of it takes no memory."""

    def __init__(self, m: int, n: int, most: int):
        self.shape = (m, n)
        self.count = 0
        self._ends = [0]
        self._data, self._indices = np.empty(most), np.empty(most, np.int32)

    def add(self, values: np.ndarray, B: sparse.csr_array) -> None:
        """Rows with the values (k,) in the places of B, of which zeros are left out."""
        there, begin = values != 0, self.count
        self._ends.extend((begin + np.concatenate([[0], np.cumsum(there)])[B.indptr[1:]]).tolist())
        self.count = self._ends[-1]
        self._data[begin : self.count], self._indices[begin : self.count] = values[there], B.indices[there]

    def matrix(self) -> sparse.csr_array:
        entries = self._data[: self.count], self._indices[: self.count]
        return sparse.csr_array((*entries, np.array(self._ends)), shape=self.shape)


class _Array:
    """The same as a dense array."""

    def __init__(self, m: int, n: int):
        self.count = 0
        self._first = 0
        self._out = np.zeros((m, n))

    def add(self, values: np.ndarray, B: sparse.csr_array) -> None:
        """Rows with the values (k,) in the places of B."""
        self._out[self._first + _rows(B), B.indices] = values
        self._first, self.count = self._first + B.shape[0], self.count + int(np.count_nonzero(values))

    def matrix(self) -> np.ndarray:
        return self._out


def _pieces(X: np.ndarray | sparse.sparray | sparse.spmatrix, row_normalize: bool) -> Iterator[sparse.csr_array]:
    """The rows of X (m, n), some at a time where they are dense, as `stored`."""
    step = max(X.shape[0] if sparse.issparse(X) else CELLS_PER_BLOCK // max(X.shape[1], 1), 1)
    for first in range(0, max(X.shape[0], 1), step):
        B = stored(X if sparse.issparse(X) else X[first : first + step])
        yield _unit_rows(B) if row_normalize else B


def draw(values: np.ndarray, uniforms: np.ndarray, threshold: float) -> np.ndarray:
    """(k,) values after the draw: those above the threshold, +-threshold where the uniform is below |x| / t, or 0."""
    out, small = values.copy(), np.abs(values) <= threshold
    kept = uniforms[small] * threshold < np.abs(values[small])
    out[small] = np.where(kept, np.copysign(threshold, values[small]), 0.0)
    return cast("np.ndarray", out)


def spectral_error(X: object, Y: object, random_state: int = 0) -> float:
    """Spectral norm of X - Y, the largest singular value, >= 0, for two (m, n) matrices, dense or sparse.

    Raises ValueError for missing or infinite values, and shapes that differ.
    """
    from scipy.sparse.linalg import svds

    rng, (A, B) = generator(random_state), (stored(X), stored(Y, "Y"))
    if A.shape != B.shape:
        raise ValueError(f"X and Y must have the same shape, not {A.shape} and {B.shape}")
    power = scaled(np.concatenate([A.data, B.data]))[1]  # of two, so that nothing overflows
    A.data, B.data = np.ldexp(A.data, -power), np.ldexp(B.data, -power)
    D = A - B
    D.eliminate_zeros()
    if D.nnz == 0:
        return 0.0
    if min(D.shape) <= 2:
        found = np.linalg.norm(D.toarray(), 2)
    else:
        start = rng.standard_normal(min(D.shape))
        found = svds(D, k=1, v0=start, return_singular_vectors=False)[0]
    with np.errstate(over="ignore"):
        return float(np.ldexp(found, power))


def stored(X: object, name: str = "X") -> sparse.csr_array:
    """X (m, n) as canonical CSR without stored zeros; a copy, float64."""
    X = matrix(X, name)
    if sparse.issparse(X):
        B = X.copy()
        B.eliminate_zeros()
    else:
        kept = X != 0
        columns = np.broadcast_to(np.arange(X.shape[1], dtype=np.int32), X.shape)[kept]
        pointers = np.concatenate([[0], np.cumsum(np.count_nonzero(kept, axis=1))])
        B = sparse.csr_array((X[kept].astype(np.float64, copy=False), columns, pointers), shape=X.shape)
    if not np.isfinite(B.data).all():
        raise ValueError(f"{name} has missing or infinite values")
    return B


def _rows(B: sparse.csr_array) -> np.ndarray:
    return np.repeat(np.arange(B.shape[0]), np.diff(B.indptr))


def _unit_rows(B: sparse.csr_array) -> sparse.csr_array:
    rows = _rows(B)
    largest = np.zeros(B.shape[0])
    np.maximum.at(largest, rows, np.abs(B.data))
    data = np.ldexp(B.data, -np.frexp(largest)[1][rows])  # exact, and no square is too large or too small
    norms = np.sqrt(np.bincount(rows, data**2, B.shape[0]))
    return sparse.csr_array((data / norms[rows], B.indices, B.indptr), shape=B.shape)
