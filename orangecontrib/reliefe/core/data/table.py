"""Descriptive data as callers have them: checked once, here, and never changed."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

EXACT = 2.0**24  # codes below this are exact in single precision


@dataclass(frozen=True)
class DataTable:
    """values (n, p): float64, C order, NaN = missing; or CSR, canonical, missing = stored NaN.  nominal (p,) bool."""

    values: np.ndarray | sparse.csr_array
    nominal: np.ndarray
    names: tuple[str, ...] | None = None

    @classmethod
    def read(cls, X: object, nominal: object = None) -> "DataTable":
        """From an array-like, any SciPy sparse matrix or a DataFrame.

        X (n, p): numbers, NaN = missing; in a DataFrame columns of bools, strings and categories are nominal.
        nominal: (p,) bool or the indices of nominal columns; None = none of them (in a DataFrame: by their type).
        Raises ValueError or TypeError for anything else.
        """
        names = None
        if hasattr(X, "iloc") and hasattr(X, "columns"):
            names = tuple(str(name) for name in X.columns)
            X, by_type = _frame(X)
            nominal = by_type if nominal is None else nominal
        values = _sparse(X) if sparse.issparse(X) else _dense(X)
        n, p = values.shape
        if p == 0:
            raise ValueError(f"X has no features: its shape is ({n}, 0)")
        if n == 0:
            raise ValueError(f"X has no rows: its shape is (0, {p})")
        return cls(values, _mask(nominal, p), names)

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape

    @property
    def is_sparse(self) -> bool:
        return sparse.issparse(self.values)

    @property
    def missing_share(self) -> float:
        """Share of the cells that are unknown."""
        values = self.values.data if self.is_sparse else self.values
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(values.sum()):
                return 0.0
        return float(np.count_nonzero(values != values) / (self.shape[0] * self.shape[1]))

    def scattered(self, rng: np.random.Generator) -> "DataTable":
        """The values of every feature shuffled among the rows: no feature tells anything of another one."""
        if not self.is_sparse:
            return DataTable(rng.permuted(self.values, axis=0), self.nominal, self.names)
        columns, n = self.values.tocsc(), self.shape[0]
        rows = [rng.choice(n, size, replace=False) for size in np.diff(columns.indptr)]
        columns.indices = np.concatenate(rows).astype(np.int32)
        return DataTable(_sparse(columns.tocsr()), self.nominal, self.names)

    def take(self, rows: np.ndarray) -> "DataTable":
        """The chosen rows (a mask or indices)."""
        return DataTable(self.values[rows], self.nominal, self.names)

    def columns(self, chosen: np.ndarray) -> "DataTable":
        """The chosen features (a mask or indices)."""
        names = None if self.names is None else tuple(np.array(self.names, object)[chosen])
        values = self.values[:, chosen]
        values = _sparse(values) if self.is_sparse else np.ascontiguousarray(values)
        return DataTable(values, self.nominal[chosen], names)


def _dense(X: object) -> np.ndarray:
    X = np.asarray(X)
    if X.dtype.kind in "OSU":
        X = _from_objects(X)
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X must hold numbers, not values of type {X.dtype}")
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions (rows, features), not {X.ndim}: its shape is {X.shape}")
    return np.ascontiguousarray(X, dtype=np.float64)


def _from_objects(X: np.ndarray) -> np.ndarray:
    """Numbers wrapped in objects are fine, None is missing; texts are not guessed at."""
    if X.dtype.kind == "O" and not any(isinstance(v, (str, bytes)) for v in X.flat):
        try:
            return X.astype(np.float64)
        except (TypeError, ValueError):
            pass
    raise ValueError("X must hold numbers; give text columns as a DataFrame, or code them and mark them as nominal")


def _sparse(X: sparse.spmatrix | sparse.sparray) -> sparse.csr_array:
    """Canonical CSR (sorted, no duplicates); a copy only where the input is not that already."""
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions (rows, features), not {X.ndim}")
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X must hold numbers, not values of type {X.dtype}")
    if X.format == "csr":
        _check_indices(X)
    out = sparse.csr_array(X)
    if not out.has_canonical_format:
        out = out.copy()
        out.sum_duplicates()
    if max(out.nnz, *out.shape) >= 2**31:
        raise ValueError(f"X has {out.nnz:,} stored values in shape {out.shape}; fewer than 2^31 of each are possible")
    index = [a.astype(np.int32, copy=False) for a in (out.indices, out.indptr)]
    return sparse.csr_array((out.data.astype(np.float64, copy=False), *index), shape=out.shape)


def _check_indices(X: sparse.csr_matrix | sparse.csr_array) -> None:
    """SciPy trusts the arrays that a caller built; a kernel that did so would read any memory."""
    indices, pointers = X.indices, X.indptr
    if (
        len(pointers) != X.shape[0] + 1
        or pointers[0] != 0
        or (np.diff(pointers) < 0).any()
        or pointers[-1] > len(indices)
    ):
        raise ValueError("X is no valid CSR matrix: its indptr must start at 0, never fall, and end within the indices")
    if len(indices) and (indices.min() < 0 or indices.max() >= X.shape[1]):
        raise ValueError(f"X is no valid CSR matrix: column indices must lie between 0 and {X.shape[1] - 1}")


def _frame(X: object) -> tuple[np.ndarray | sparse.coo_array, np.ndarray]:
    """DataFrame -> values and the mask of nominal columns."""
    import pandas as pd

    if len(X.columns) and all(isinstance(dtype, pd.SparseDtype) for dtype in X.dtypes):
        return X.sparse.to_coo(), np.zeros(X.shape[1], bool)
    values, nominal = np.empty(X.shape, np.float64), np.zeros(X.shape[1], bool)
    for a in range(X.shape[1]):
        column = X.iloc[:, a]
        kinds = pd.api.types
        if kinds.is_datetime64_any_dtype(column) or kinds.is_timedelta64_dtype(column):
            values[:, a] = np.where(column.isna(), np.nan, column.astype("int64") / 1e9)
        elif kinds.is_numeric_dtype(column) and not kinds.is_bool_dtype(column):
            values[:, a] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            codes, _ = pd.factorize(column, sort=False)
            values[:, a], nominal[a] = np.where(codes < 0, np.nan, codes), True
    return values, nominal


def _mask(nominal: object, p: int) -> np.ndarray:
    if nominal is None:
        return np.zeros(p, bool)
    given = np.asarray(nominal)
    if given.dtype == bool:
        if given.shape != (p,):
            raise ValueError(f"nominal must have one value for each of the {p} features, not shape {given.shape}")
        return given.copy()
    if given.size and given.dtype.kind not in "iu":
        raise TypeError("nominal must be a mask (bool) or indices (int) of the nominal features")
    if given.ndim != 1 or (given.size and not (given.min() >= -p and given.max() < p)):
        raise ValueError(f"nominal must hold indices of features, from 0 to {p - 1}, or a mask of length {p}")
    mask = np.zeros(p, bool)
    mask[given.astype(int)] = True
    if mask.sum() < len(given):
        raise ValueError("nominal holds an index more than once; a mask must be of type bool")
    return mask
