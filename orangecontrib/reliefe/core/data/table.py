"""Table of features, which is checked once and never changed.

Requests read a caller's X by `DataTable.read`; methods get the table.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import several, whole
from ..words import choices, item_name, shown
from . import frames
from .arrays import cells, numbers, unwrapped
from .dosages import Dosages
from .facts import refuse_empty
from .frame_columns import column_of_features
from .frames import collected, is_frame
from .indices import csr
from .packed import COPIES, Packed
from .scratch import chunks, in_file, is_large, mapped
from .sources import copy, in_pieces

EXACT = 2.0**24  # codes below this are exact in single precision
# Types that are shorter than, or different from, double precision, and that kernels read
NARROW = tuple(np.dtype(kind) for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4"))
TINY = 2.0**-500  # values below this have squares below the smallest normal number, or ranges that have no inverse
FIRST_ROWS = 8  # rows that exclude most features from those whose values are all tiny
NARROW_FROM = 2**25  # bytes that a table takes in double precision above which one of a narrow type stays as it is


@dataclass(frozen=True)
class DataTable:
    """Features of n rows.

    Large values may be of a narrow type, for methods that read them so; all others take those of `wide`.

    values (n, p): float64, C order, NaN is missing; or CSR, canonical, missing values are stored NaN.
    nominal (p,) bool: True for nominal features.
    names (p,): names of the features; None: they have none.
    taken_from: number of features of the table that these were taken from, which decides on the precision of all of
        its parts; 0: these are all.
    packed: genotypes in the place of values, which have no columns then.
    ranges (p,): what differences of numbers are divided by; None: the ranges of the values. Strategies for missing
        values take numbers from the least one to this range above it for possible.
    """

    values: np.ndarray | sparse.csr_array
    nominal: np.ndarray
    names: tuple[str, ...] | None = None
    taken_from: int = 0
    packed: Packed | None = None
    ranges: np.ndarray | None = None

    @classmethod
    def of(cls, X: object, nominal: object = None) -> "DataTable":
        """Return X itself if it is a table already, else read it."""
        return X if isinstance(X, cls) else cls.read(X, nominal)

    @classmethod
    def read(cls, X: object, nominal: object = None, narrow: bool = False) -> "DataTable":
        """Read features.

        Parameters
        ----------
        X : array-like, SciPy sparse matrix, frame, table in pieces (see `sources`), Packed or Dosages, shape (n, p)
            Numbers; NaN or masked ones are missing.  In a frame columns of bools, texts and categories are nominal.
        nominal : array-like, optional
            Mask (p,) or indices of nominal columns.  None: none of them, in a frame those that are so by their type.
        narrow : bool
            True if values of a large array may keep their type.

        Raises
        ------
        ValueError, TypeError
            For anything else.
        """
        names = None
        if isinstance(X, Packed):  # genotypes say themselves whether they are numbers
            are_nominal = np.full(X.n_features, not X.additive)
            if nominal is not None and (_mask(nominal, X.n_features) != are_nominal).any():
                raise ValueError("packed genotypes are all nominal, or all additive: leave nominal out")
            return cls(np.empty((len(X.low), 0)), are_nominal, packed=X, ranges=_copies(X.n_features, X.additive))
        has_dosages = isinstance(X, Dosages)
        X = X.values if isinstance(X, Dosages) else collected(X)
        if in_pieces(X):
            copied = copy(X)
            X = copied.values
            names = copied.names
            nominal = copied.nominal if nominal is None else nominal
        elif is_frame(X):
            names = tuple(str(name) for name in frames.names(X))
            X = unwrapped(X)
            if is_frame(X):
                X, by_type = _frame(X)
                nominal = by_type if nominal is None else nominal
        values = csr(X, "X") if sparse.issparse(X) else _dense(X, narrow)
        n, p = values.shape
        refuse_empty((n, p), detail=f": the shape of X is ({n}, {p})")
        return cls(values, _mask(nominal, p), names, ranges=_copies(p, has_dosages))

    def names_of(self, features: np.ndarray) -> list[str]:
        """Return the names of features (c,), or else "feature 0" and so on."""
        return [item_name(j, self.names) for j in features]

    def places(self, features: object, name: str) -> np.ndarray:
        """Find the indices of features, sorted.

        Parameters
        ----------
        features : sequence of str or int
            Names, or indices from 0.
        name : str
            Name of the argument, for messages.

        Raises
        ------
        ValueError
            For a name that no feature has, or more than one, and for an index that is too large.
        TypeError
            For anything else.
        """
        names = self.names or ()
        p = self.shape[1]
        indices = []
        for feature in several(name, features):
            if isinstance(feature, str) and self._index_of_name.get(feature) is not None:
                indices.append(self._index_of_name[feature])
            elif isinstance(feature, str) and feature in self._index_of_name:
                raise ValueError(f"{name} has {shown(feature)}, the name of several features: give indices from 0")
            elif isinstance(feature, str):
                advice = choices(feature, names, shown) if names else "X has no names: give indices from 0"
                raise ValueError(f"{name} has an unknown feature, {shown(feature)}; {advice}")
            else:
                indices.append(whole(name, feature, 0, p - 1))
        return np.unique(np.array(indices, np.int64))

    @cached_property
    def _index_of_name(self) -> dict[str, int | None]:
        """Index of the feature with each name; None: several features have it."""
        index_of: dict[str, int | None] = {}
        for j, name in enumerate(self.names or ()):
            index_of[name] = None if name in index_of else j
        return index_of

    def named(self, names: object) -> "DataTable":
        """Return this table with names (p,) of the features; None: with its own.

        Raises ValueError for another number of names.
        """
        if names is None:
            return self
        if len(several("names", names)) != self.shape[1]:
            raise ValueError(f"names must have one name for each of the {self.shape[1]:,} features of X")
        return replace(self, names=tuple(map(str, several("names", names))))

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of features."""
        return self.packed.shape if self.packed else self.values.shape

    @cached_property
    def is_sparse(self) -> bool:
        """True for CSR."""
        return cast("bool", sparse.issparse(self.values))

    def unpacked(self) -> "DataTable":
        """Return this table with numbers in the place of packed genotypes.

        Raises ValueError if they would take too much memory.
        """
        return replace(self, values=self.packed.numbers(), packed=None) if self.packed else self

    @property
    def is_narrow(self) -> bool:
        """True for dense values in another type than double precision."""
        return not self.is_sparse and self.values.dtype != np.float64

    def wide(self) -> "DataTable":
        """Return this table in double precision, in a file if it is large."""
        return replace(self, values=_wide(self.values)) if self.is_narrow else self

    def lifted(self) -> "DataTable":
        """Return the table with numeric features of tiny values times a power of two, which changes no digit.

        The largest value of such a feature becomes 1/2 to 1, so that its range has an inverse.
        """
        if self.packed or self.is_narrow or self.ranges is not None:  # float32 has no tiny values: 1e-45 or more
            return self
        largest = self._largest_of_tiny()
        if not largest.any():
            return self
        powers = np.where(largest > 0, -np.frexp(largest)[1], 0)
        if self.is_sparse:
            stored = cast("sparse.csr_array", self.values)
            data = np.ldexp(stored.data, powers[stored.indices])
            return replace(self, values=sparse.csr_array((data, stored.indices, stored.indptr), stored.shape))
        X = cast("np.ndarray", self.values)
        scaled = mapped(X.shape, X.dtype) if is_large(X.shape, X.dtype, X) else np.empty_like(X)
        for step in chunks(len(X), X.strides[0]):
            np.ldexp(X[step], powers, out=scaled[step])
        return replace(self, values=scaled)

    def _largest_of_tiny(self) -> np.ndarray:
        """Return the largest absolute values (p,) of numeric features whose values are all tiny, 0 for all others."""
        n, p = self.shape
        largest = np.zeros(p)
        if self.is_sparse:
            stored = cast("sparse.csr_array", self.values)
            sizes = np.abs(stored.data)
            if ((sizes > 0) & (sizes < TINY)).any():
                np.fmax.at(largest, stored.indices, sizes)
            return np.where(self.nominal | (largest >= TINY), 0.0, largest)
        # Read more and more rows, of the features without a value that is not tiny
        start = 0
        size = FIRST_ROWS
        columns = np.flatnonzero(~self.nominal)
        while start < n and len(columns):
            block = np.abs(self.values[start : start + size, columns])
            largest[columns] = np.fmax(largest[columns], np.fmax.reduce(block, axis=0))
            is_tiny = ~(largest[columns] >= TINY)
            largest[columns[~is_tiny]] = 0
            columns = columns[is_tiny]
            start += size
            size *= 2
        return largest

    @property
    def missing_share(self) -> float:
        """Share of the cells that are unknown."""
        if self.packed:
            return self.packed.n_unknown / (self.shape[0] * self.shape[1])
        values: np.ndarray = cast("sparse.csr_array", self.values).data if self.is_sparse else self.values
        if values.dtype.kind != "f":
            return 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(values.sum()):
                return 0.0
        steps = chunks(len(values), values.strides[0])
        n_unknown = sum(np.count_nonzero(values[step] != values[step]) for step in steps)
        return float(n_unknown / (self.shape[0] * self.shape[1]))

    @property
    def constant(self) -> np.ndarray:
        """Mask (p,) of the features whose known values are all equal, or that have none."""
        if self.packed:
            return self.unpacked().constant
        if self.is_sparse:
            values = cast("sparse.csr_array", self.values)
            low = values.nanmin(axis=0).toarray().ravel()
            high = values.nanmax(axis=0).toarray().ravel()
        else:
            low = np.fmin.reduce(self.values, axis=0)
            high = np.fmax.reduce(self.values, axis=0)
        return cast("np.ndarray", ~(low < high))

    def scattered(self, rng: np.random.Generator) -> "DataTable":
        """Return this table with the values of each feature permuted, so that features are independent."""
        if self.packed:
            return self.unpacked().scattered(rng)
        if not self.is_sparse:
            return replace(self, values=rng.permuted(self.values, axis=0))
        columns = cast("sparse.csr_array", self.values).tocsc()
        rows = [rng.choice(self.shape[0], size, replace=False) for size in np.diff(columns.indptr)]
        columns.indices = np.concatenate(rows).astype(np.int32)
        return replace(self, values=csr(columns.tocsr(), "X"))

    def take(self, rows: np.ndarray) -> "DataTable":
        """Return the chosen rows (a mask or indices)."""
        if self.packed:
            return replace(self, values=self.values[rows], packed=self.packed.take(rows))
        return replace(self, values=self.values[rows] if self.is_sparse else _taken(self.values, rows))

    def columns(self, chosen: np.ndarray) -> "DataTable":
        """Return the chosen features (a mask or indices)."""
        names = None if self.names is None else tuple(np.array(self.names, object)[chosen])
        taken_from = max(self.taken_from, self.shape[1])
        ranges = None if self.ranges is None else self.ranges[chosen]
        if self.packed:
            packed = self.packed.columns(chosen)
            return DataTable(self.values, self.nominal[chosen], names, taken_from, packed, ranges)
        values = self.values[:, chosen]
        values = csr(values, "X") if self.is_sparse else np.ascontiguousarray(values)
        return DataTable(values, self.nominal[chosen], names, taken_from, ranges=ranges)


def _copies(p: int, are_allele_counts: bool) -> np.ndarray | None:
    """Ranges (p,) of numbers of copies of an allele; None for other values."""
    return np.full(p, float(COPIES)) if are_allele_counts else None


def _dense(X: object, narrow: bool) -> np.ndarray:
    """Read a dense X (n, p); narrow: True if values of a large array may keep their type."""
    X = numbers(X, "X", "; give text columns as a DataFrame, or code them and mark them as nominal")
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions (rows, features), not {X.ndim}: its shape is {X.shape}")
    if narrow and X.size * 8 > NARROW_FROM and X.flags.c_contiguous and X.flags.aligned:
        X = X.view(np.uint8) if X.dtype == bool else X
        if X.dtype in NARROW and X.dtype.isnative:
            return X
    return _wide(X)


def _wide(X: np.ndarray) -> np.ndarray:
    """Return values in double precision, in C order: X itself if it is that."""
    with np.errstate(over="ignore"):  # of longer types: what becomes infinite is refused later
        if (X.dtype == np.float64 and X.flags.c_contiguous) or not is_large(X.shape, np.float64, X):
            return np.ascontiguousarray(X, dtype=np.float64)
        converted = mapped(X.shape, np.float64)
        for step in chunks(len(X), 8 * X.shape[1]):
            converted[step] = X[step]
    return converted


def _taken(X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the rows (a mask, indices or a slice) of X (n, p), in a file if they are large and X is in one."""
    if isinstance(rows, slice) or not in_file(X):
        return cast("np.ndarray", X[rows])
    rows = np.flatnonzero(rows) if rows.dtype == bool else rows
    shape = len(rows), X.shape[1]
    if not is_large(shape, X.dtype, X):
        return cast("np.ndarray", X[rows])
    copied = mapped(shape, X.dtype)
    for step in chunks(len(rows), X.strides[0]):
        copied[step] = X[rows[step]]
    return copied


def _frame(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Read a frame: values (n, p), and a mask (p,) of nominal columns."""
    values = np.empty(X.shape, np.float64)
    nominal = np.zeros(X.shape[1], bool)
    for a, (column, name) in enumerate(zip(frames.columns(X), frames.names(X), strict=True)):
        with np.errstate(over="ignore"):  # of longer types: what becomes infinite is refused later
            values[:, a], nominal[a] = column_of_features(column, name)
    return values, nominal


def _mask(nominal: object, p: int) -> np.ndarray:
    """Read nominal features, a mask or indices, as a mask (p,).  Raises ValueError or TypeError for anything else."""
    if nominal is None:
        return np.zeros(p, bool)
    values = cells(nominal, "nominal")
    if values.dtype == bool:
        if values.shape != (p,):
            raise ValueError(f"nominal must have one value for each of the {p} features, not shape {values.shape}")
        return cast("np.ndarray", values.copy())
    if values.size and values.dtype.kind not in "iu":
        raise TypeError("nominal must be a mask (bool) or indices (int) of the nominal features")
    if values.ndim != 1 or (values.size and not (values.min() >= -p and values.max() < p)):
        raise ValueError(f"nominal must hold indices of features, from 0 to {p - 1}, or a mask of length {p}")
    mask = np.zeros(p, bool)
    mask[values.astype(int)] = True
    if mask.sum() < len(values):
        raise ValueError("nominal holds an index more than once; a mask must be of type bool")
    return mask
