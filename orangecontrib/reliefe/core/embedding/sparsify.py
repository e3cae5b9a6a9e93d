"""Sparsification: a sparse matrix with the same mean, and nearly the same singular values, as a dense one.

`methods/reliefe.py` sparsifies rows before their embedding; `orange/sparsify_job.py` calls `sparsify` and
`spectral_error` for the widget Sparsify.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from scipy import sparse

from ..checks import generator, number, switch
from ..data.arrays import matrix
from ..targets.scaling import scaled

CELLS_PER_BLOCK = 1 << 20  # dense numbers that are drawn at once: 8 MiB


@dataclass(frozen=True)
class Sparsified:
    """Sparsified matrix.

    X (m, n): matrix, CSR or dense, in which entries up to `threshold` have become 0 or the threshold.
    epsilon: accuracy that was asked for, or chosen.
    threshold: size up to which entries are drawn.
    before: share of the entries that were not zero, in [0, 1].
    after: share of the entries that are not zero, in [0, 1].
    expected: number of entries that are not zero, in expectation.
    error_bound: the spectral norm of the change is O(error_bound) with high probability; equal to `epsilon`.
    """

    X: sparse.csr_array | np.ndarray
    epsilon: float
    threshold: float
    before: float
    after: float
    expected: float
    error_bound: float


def density(X: np.ndarray | sparse.sparray | sparse.spmatrix) -> float:
    """Compute the share of the entries of X (m, n), dense or sparse, that are not zero, in [0, 1]."""
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
    """Keep large entries; replace small ones by sgn(x) t with probability abs(x) / t, else by 0, so that the mean is x.

    The threshold is t = epsilon / sqrt(m + n).  Dense and sparse forms of the same data give the same result.

    Skrlj et al. (2022), ReliefE, Algorithm 1, read for a rectangular matrix and with abs(x) in the comparison: as
    printed, large negative entries were cut.

    Parameters
    ----------
    X : (m, n) array or sparse matrix
        Numbers.
    epsilon : float, optional
        Accuracy, above 0; None: the largest sum of abs(x) in a row or a column, divided by m + n.
    row_normalize : bool
        Divide rows by their Euclidean norms before.
    random_state : int
        Seed.
    dense : bool
        Return an array instead of CSR.

    Returns
    -------
    Sparsified

    Raises
    ------
    ValueError
        If epsilon is not above 0, or X has missing, infinite or far too large values.
    """
    epsilon = None if epsilon is None else number("epsilon", epsilon)
    if epsilon is not None and not 0 < epsilon < np.inf:
        raise ValueError(f"epsilon must be above 0, not {epsilon}")
    rng = generator(random_state)
    X = matrix(X, "X")
    row_normalize = switch("row_normalize", row_normalize)
    dense = switch("dense", dense)
    m, n = X.shape
    sums = _absolute_sums(X, row_normalize)
    if epsilon is None:
        epsilon = max(sums.largest_row, sums.columns.max(initial=0)) / max(m + n, 1)
    threshold = float(epsilon / np.sqrt(max(m + n, 1)))
    out = _DenseRows(m, n) if dense else _SparseRows(m, n, sums.n_entries)
    sizes_of_small = [np.zeros(0)]
    for block in _stored_blocks(X, row_normalize):
        sizes = np.abs(block.data)
        sizes_of_small.append(sizes[sizes <= threshold])
        out.add(draw(block.data, rng.random(block.nnz), threshold), block)
    small = np.concatenate(sizes_of_small)
    n_cells = max(m * n, 1)
    expected = sums.n_entries - len(small) + (float(small.sum()) / threshold if len(small) else 0.0)
    return Sparsified(
        X=out.matrix(),
        epsilon=float(epsilon),
        threshold=threshold,
        before=sums.n_entries / n_cells,
        after=out.count / n_cells,
        expected=expected,
        error_bound=float(epsilon),
    )


class _AbsoluteSums(NamedTuple):
    """Sums of |x| in a matrix (m, n).

    n_entries: number of entries that are not zero.
    largest_row: largest sum of a row.
    columns (n,): sums of the columns.
    """

    n_entries: int
    largest_row: float
    columns: np.ndarray


def _absolute_sums(X: np.ndarray | sparse.sparray | sparse.spmatrix, row_normalize: bool) -> _AbsoluteSums:
    """Add up |x|; raises ValueError where a sum is infinite."""
    n_entries = 0
    largest_row = 0.0
    columns = np.zeros(X.shape[1])
    for block in _stored_blocks(X, row_normalize):
        absolute = sparse.csr_array((np.abs(block.data), block.indices, block.indptr), shape=block.shape)
        with np.errstate(over="ignore"):
            n_entries += block.nnz
            largest_row = max(largest_row, absolute.sum(axis=1).max(initial=0))
            np.add.at(columns, absolute.indices, absolute.data)  # row after row: the same bits for blocks of any size
    if not np.isfinite([largest_row, *columns]).all():
        raise ValueError("X has far too large values")
    return _AbsoluteSums(n_entries, largest_row, columns)


class _SparseRows:
    """CSR matrix (m, n) of up to `capacity` numbers, which grows by rows; what is not used of it takes no memory.

    count: number of entries so far.
    """

    def __init__(self, m: int, n: int, capacity: int):
        """Reserve memory."""
        self.count = 0
        self._shape = (m, n)
        self._ends = [0]
        self._data = np.empty(capacity)
        self._indices = np.empty(capacity, np.int32)

    def add(self, values: np.ndarray, block: sparse.csr_array) -> None:
        """Append rows with the values (k,) at the entries of a block; zeros are left out."""
        is_entry = values != 0
        n_entries = np.concatenate([[0], np.cumsum(is_entry)])
        start = self.count
        self._ends.extend((start + n_entries[block.indptr[1:]]).tolist())
        self.count = self._ends[-1]
        self._data[start : self.count] = values[is_entry]
        self._indices[start : self.count] = block.indices[is_entry]

    def matrix(self) -> sparse.csr_array:
        """Return the matrix."""
        entries = self._data[: self.count], self._indices[: self.count]
        return sparse.csr_array((*entries, np.array(self._ends)), shape=self._shape)


class _DenseRows:
    """Dense matrix (m, n), which grows by rows.

    count: number of entries so far that are not zero.
    """

    def __init__(self, m: int, n: int):
        """Allocate zeros."""
        self.count = 0
        self._n_rows = 0
        self._out = np.zeros((m, n))

    def add(self, values: np.ndarray, block: sparse.csr_array) -> None:
        """Append rows with the values (k,) at the entries of a block."""
        self._out[self._n_rows + _entry_rows(block), block.indices] = values
        self._n_rows += block.shape[0]
        self.count += int(np.count_nonzero(values))

    def matrix(self) -> np.ndarray:
        """Return the matrix."""
        return self._out


def _stored_blocks(X: np.ndarray | sparse.sparray | sparse.spmatrix, row_normalize: bool) -> Iterator[sparse.csr_array]:
    """Iterate over blocks of the rows of X (m, n), as `stored`: one block if X is sparse."""
    step = max(X.shape[0] if sparse.issparse(X) else CELLS_PER_BLOCK // max(X.shape[1], 1), 1)
    for first in range(0, max(X.shape[0], 1), step):
        block = stored(X if sparse.issparse(X) else X[first : first + step])
        yield _unit_rows(block) if row_normalize else block


def draw(values: np.ndarray, uniforms: np.ndarray, threshold: float) -> np.ndarray:
    """Draw the entries up to a threshold.

    Parameters
    ----------
    values : (k,) array
        Entries.
    uniforms : (k,) array
        Random numbers in [0, 1).
    threshold : float
        t: an entry |x| <= t becomes sgn(x) t if its random number is below |x| / t, else 0.

    Returns
    -------
    (k,) array
    """
    out = values.copy()
    is_small = np.abs(values) <= threshold
    is_raised = uniforms[is_small] * threshold < np.abs(values[is_small])
    out[is_small] = np.where(is_raised, np.copysign(threshold, values[is_small]), 0.0)
    return cast("np.ndarray", out)


def spectral_error(X: object, Y: object, random_state: int = 0) -> float:
    """Compute the spectral norm of X - Y: its largest singular value.

    Parameters
    ----------
    X, Y : (m, n) arrays or sparse matrices
        Numbers.
    random_state : int
        Seed of the first vector of the iteration.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    ValueError
        If there are missing or infinite values, or the shapes differ.
    """
    from scipy.sparse.linalg import svds

    rng = generator(random_state)
    A = stored(X)
    B = stored(Y, "Y")
    if A.shape != B.shape:
        raise ValueError(f"X and Y must have the same shape, not {A.shape} and {B.shape}")
    power = scaled(np.concatenate([A.data, B.data])).power  # of two, so that nothing overflows
    A.data = np.ldexp(A.data, -power)
    B.data = np.ldexp(B.data, -power)
    difference = A - B
    difference.eliminate_zeros()
    if difference.nnz == 0:
        return 0.0
    if min(difference.shape) <= 2:
        norm = np.linalg.norm(difference.toarray(), 2)
    else:
        start = rng.standard_normal(min(difference.shape))
        norm = svds(difference, k=1, v0=start, return_singular_vectors=False)[0]
    with np.errstate(over="ignore"):
        return float(np.ldexp(norm, power))


def stored(X: object, name: str = "X") -> sparse.csr_array:
    """Copy X (m, n) to canonical CSR of float64 without stored zeros.

    Raises ValueError, with the name of X, for missing or infinite values.
    """
    X = matrix(X, name)
    if sparse.issparse(X):
        out = X.copy()
        out.eliminate_zeros()
    else:
        is_entry = X != 0
        columns = np.broadcast_to(np.arange(X.shape[1], dtype=np.int32), X.shape)[is_entry]
        row_ends = np.concatenate([[0], np.cumsum(np.count_nonzero(is_entry, axis=1))])
        out = sparse.csr_array((X[is_entry].astype(np.float64, copy=False), columns, row_ends), shape=X.shape)
    if not np.isfinite(out.data).all():
        raise ValueError(f"{name} has missing or infinite values")
    return out


def _entry_rows(block: sparse.csr_array) -> np.ndarray:
    """Return the row (k,) of each entry."""
    return np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))


def _unit_rows(block: sparse.csr_array) -> sparse.csr_array:
    """Divide the rows by their Euclidean norms."""
    rows = _entry_rows(block)
    largest = np.zeros(block.shape[0])
    np.maximum.at(largest, rows, np.abs(block.data))
    data = np.ldexp(block.data, -np.frexp(largest)[1][rows])  # exact, and no square is too large or too small
    norms = np.sqrt(np.bincount(rows, data**2, block.shape[0]))
    return sparse.csr_array((data / norms[rows], block.indices, block.indptr), shape=block.shape)
