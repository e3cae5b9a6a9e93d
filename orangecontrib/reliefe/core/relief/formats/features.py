"""Rows as kernels read them: scaled values, dense, in CSR or packed, with what missing values need."""

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ...data.diff import Diff
from ...data.expected import IGNORE, MISSING
from ...data.packed import COPIES, Packed
from ...data.scratch import chunks, in_file, is_large, mapped
from ...data.table import EXACT, DataTable
from ...kernels.jit import kernel
from ...points.column_scales import check_finite, scaling
from .bits import LANES, BitColumns
from .codes import Codes
from .missing import Corrections, corrections


def pack_sparse(
    table: DataTable, rows: np.ndarray, columns: np.ndarray, dtype: type | None
) -> tuple[sparse.csr_array, int, np.ndarray, np.ndarray, bool]:
    """Columns that have zeros are divided by their range; those without are shifted as well, so that all lie in [-1,
    1].

    In double precision: the index takes more room than the values, and more time.
    """
    nominal, (n, p) = table.nominal, (len(rows), table.shape[1])
    X = table.values[rows]
    low, high, stored = np.full(p, np.inf), np.full(p, -np.inf), np.bincount(X.indices, minlength=p)
    unknown = _ranges_sparse(X.indices, X.data, low, high)
    check_finite(low, high)
    zeros = stored < n
    low[zeros], high[zeros] = np.minimum(low[zeros], 0), np.maximum(high[zeros], 0)
    if nominal.any() and ((low[nominal] < 0) | (high[nominal] >= EXACT)).any():
        raise ValueError(f"nominal columns of sparse data must hold codes from 0 to {EXACT - 1:.0f}")
    constant, (low, scale) = ~(low < high), scaling(low, high, nominal, table.ranges)
    low[zeros] = 0
    place = np.empty(p, np.int32)
    place[columns] = np.arange(p)
    _scale_sparse(X.data, X.indices, place, low, scale, MISSING)  # in place: these are copies
    values = sparse.csr_array((X.data.astype(dtype or np.float64, copy=False), X.indices, X.indptr), shape=(n, p))
    values.sort_indices()
    return values, int((~nominal).sum()), scale, constant, unknown


@kernel
def _ranges_sparse(indices, data, low, high):
    missing = 0
    for t in range(len(data)):
        f, x = indices[t], data[t]
        low[f] = x if x < low[f] else low[f]
        high[f] = x if x > high[f] else high[f]
        missing += x != x
    return missing > 0


@kernel
def _scale_sparse(data, indices, place, low, scale, unknown):
    """Scaled, in place, and the columns in the order of the run."""
    for t in range(len(data)):
        f, x = indices[t], data[t]
        data[t], indices[t] = (x - low[f]) * scale[f] if x == x else unknown, place[f]


def pack_two_bits(
    table: Packed, rows: np.ndarray, strategy: str
) -> tuple[Packed, int, np.ndarray, np.ndarray, Corrections | None]:
    """Rows (n,) in the order of a run, and what `Features` knows of the columns: their numbers, scales and constants,
    and corrections without entries, as kernels know of unknown values."""
    counts = table.counts(np.sort(rows))
    constant = (counts[:3] > 0).sum(axis=0) < 2
    n, p = len(rows), table.n_features
    values = table.take(rows)
    scale = np.where(constant, 0.0, 1 / COPIES) if table.additive else np.ones(p)
    missing = None
    if counts[3].any():
        none, unknown = np.zeros(0, np.int64), np.zeros((0, n))
        ignored = unknown if strategy == IGNORE else None
        missing = Corrections(np.zeros(n + 1, np.int64), none, none, unknown, p, ignored)
    return values, p if table.additive else 0, scale, constant, missing


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


@kernel
def _split(X, rows, out):
    """Columns that have values between whole numbers."""
    for i in range(len(rows)):
        x = X[rows[i]]
        for f in range(len(x)):
            out[f] |= (x[f] == x[f]) & (x[f] != np.floor(x[f]))


# n * n * p up to which double precision is used: complete data, data with missing values
MAX_EXACT_COMPLETE, MAX_EXACT_MISSING = 10**8, 10**10
LINE = 64  # bytes of a cache line: a lane block that straddles lines halves the speed
PAGE = 2**21  # bytes of a huge page
COLUMNS_SORTED = 32  # together
EIGHT = 8  # features that a sweep takes at once

_making = threading.RLock()


@dataclass(frozen=True)
class Features:
    """values (n, width): scaled rows, dense or CSR; columns [0, n_numeric) numeric, the others nominal codes.

    Numeric values lie in [0, 1], in CSR in [-1, 1]; MISSING stands for an unknown value, and `missing` knows what that
    adds to the diffs.  Dense rows are padded with zero columns, which add nothing to any sum, to whole cache lines;
    `padded` of them, a multiple of eight, are worth looking at.
    """

    values: np.ndarray | sparse.csr_array
    n_numeric: int
    columns: np.ndarray  # (p,) original index of every column
    scale: np.ndarray  # (p,) what numeric differences were multiplied with, in the caller's order
    constant: np.ndarray  # (p,) bool: which features have no two known values that differ, in the caller's order
    diff: Diff = field(default_factory=Diff)
    missing: Corrections | None = None
    feature_weights: np.ndarray | None = None  # (p,) that `lanes` are multiplied with
    packed: Packed | None = None  # genotypes in the place of values, which have no columns then
    value_weights: np.ndarray | None = None  # (p,) that values were multiplied with, in the caller's order; None: 1

    @classmethod
    def build(
        cls,
        table: DataTable,
        rows: np.ndarray,
        classes: np.ndarray,
        strategy: str = "ignore",
        diff: Diff | None = None,
        dtype: type | None = None,
        tick: Callable[[], object] = bool,
    ) -> "Features":
        """Scale numeric columns by their range over the rows, or by that of the table (a constant one becomes 0), and
        put rows and columns in order.

        rows (n,): different rows of the table, in the order of the run; classes (n,): of these, for strategy
        "class-conditional".  dtype: float32 or float64; None: by the size of the data.  tick: called now and
        then, to stop by raising an exception.
        Raises ValueError where values are infinite.
        """
        diff = diff or Diff()
        if table.packed and diff.plain and table.packed.takes(strategy):
            packed, n_numeric, scale, constant, missing = pack_two_bits(table.packed, rows, strategy)
            nothing: np.ndarray = np.empty((len(rows), 0), precision(len(rows), packed.n_features, False))
            every = np.arange(packed.n_features)
            return cls(nothing, n_numeric, every, scale, constant, diff, missing, packed=packed)
        table = table.unpacked()
        columns = np.argsort(table.nominal, kind="stable")
        if table.is_sparse:
            values, n_numeric, scale, constant, unknown = pack_sparse(table, rows, columns, dtype)
        else:
            values, n_numeric, scale, constant, unknown = _pack_dense(table, rows, columns, dtype, tick)
        missing = corrections(values, n_numeric, len(columns), classes, strategy, diff, tick) if unknown else None
        return cls(values, n_numeric, columns, scale, constant, diff, missing)

    kept_by_workers = True  # of a cluster, with their lanes

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_lanes", "_codes")}

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], len(self.columns)

    @property
    def is_sparse(self) -> bool:
        return cast("bool", sparse.issparse(self.values))

    @property
    def in_double_precision(self) -> bool:
        """True if distances are as good as double precision makes them."""
        if self.packed is not None or self.values.dtype == np.float64:
            return True
        return self.missing is None and (self.n_numeric == 0 or (self.bits is not None and not len(self.bits.rest)))

    @cached_property
    def padded(self) -> int:
        return -(-len(self.columns) // EIGHT) * EIGHT

    @cached_property
    def kinds(self) -> tuple[tuple[bool, int, int], ...]:
        """(whether nominal, first, last) of the columns of a kind; the zeros at the end go with the last kind."""
        cut = self.n_numeric if self.n_numeric < len(self.columns) else self.padded
        return tuple(kind for kind in ((False, 0, cut), (True, cut, self.padded)) if kind[1] < kind[2])

    @property
    def has_plain_rows(self) -> bool:
        """True if they are complete dense rows that are compared by plain diffs."""
        return self.diff.plain and not (self.is_sparse or self.packed or self.missing)

    @property
    def vectors(self) -> bool:
        """True if vector kernels take them, which read `lanes`: with plain diffs in single precision."""
        return self.diff.plain and self.values.dtype == np.float32 and not self.is_sparse

    @property
    def lanes(self) -> np.ndarray:
        """(blocks, padded * LANES): the rows again, 64 side by side: one vector register holds one feature of many
        rows.  Made at the first call, by one thread, and kept until `forget_lanes`."""
        return cast("np.ndarray", self._once("_lanes", self._side_by_side))

    def _once(self, name: str, make: Callable[[], object]) -> object:
        """Return what the first call has made, by one thread."""
        with _making:
            if name not in self.__dict__:
                self.__dict__[name] = make()
            return self.__dict__[name]

    @property
    def bits(self) -> BitColumns | None:
        """Columns of few values as bits, by which distances are faster; None where that does not pay.  Made at the
        first call, by one thread, and kept."""
        if self.is_sparse or not self.diff.plain:
            return None
        made = self._once("_bits", lambda: BitColumns.of(self.values, self.n_numeric, len(self.columns)))
        return cast("BitColumns | None", made)

    def some(self, columns: np.ndarray) -> "Features":
        """Some columns of dense rows, ascending, without what corrects missing values."""
        line, n_numeric = LINE // self.values.dtype.itemsize, int(np.searchsorted(columns, self.n_numeric))
        shape = self.shape[0], -(-len(columns) // line) * line
        values = allocate(shape, self.values.dtype, cast("np.ndarray", self.values))
        values[:, len(columns) :] = 0
        for step in chunks(len(values), values[:1].nbytes):
            values[step, : len(columns)] = self.values[step][:, columns]
        n_numeric = values.shape[1] if n_numeric == len(columns) else n_numeric  # padding goes with the last kind
        return replace(self, values=values, n_numeric=n_numeric, columns=self.columns[columns], missing=None)

    @property
    def codes(self) -> Codes | None:
        """Rows as codes of 16 bits; None where they do not suit.  Made at the first call, by one thread, and kept until
        `forget_lanes`."""
        return cast("Codes | None", self._once("_codes", lambda: Codes.of(self, allocate)))

    def forget_lanes(self) -> None:
        """Give back the memory of `lanes` and `codes`, which are made again when asked for."""
        self.__dict__.pop("_lanes", None)
        self.__dict__.pop("_codes", None)

    def _side_by_side(self) -> np.ndarray:
        factors = np.ones(self.padded, self.values.dtype)
        feature_weights = self.feature_weights
        factors[: len(self.columns)] = 1 if feature_weights is None else feature_weights
        out = allocate((-(-self.shape[0] // LANES), self.padded * LANES), self.values.dtype, self.values)
        _fill_lanes(self.values, factors, feature_weights is not None, out)
        return out

    def times(self, weights: np.ndarray) -> "Features":
        """Return these features with values, scales and so distances times weights (p,), in the caller's order.

        For complete dense numbers and plain diffs only, which are multiplied in place.
        """
        p = len(self.columns)
        self.values[:, :p] *= weights[self.columns].astype(self.values.dtype)
        return replace(self, scale=self.scale * weights, value_weights=weights)

    def row_distances(self, part: int, n_parts: int) -> np.ndarray:
        """Every n_parts-th share of the sums (n,) of each row's distances, by sorting columns: O(p n log n).

        Complete dense data and plain diffs only.
        """
        (n, p), out = self.shape, np.zeros(self.shape[0])
        step = min(COLUMNS_SORTED, -(-p // n_parts))
        for start in range(part * step, p, n_parts * step):
            columns: np.ndarray = np.ascontiguousarray(self.values[:, start : min(start + step, p)].T)
            if columns.dtype == np.float32:  # whose bits are in the order of numbers that are not negative
                keys = columns.view(np.uint32).astype(np.uint64) << np.uint64(32) | np.arange(n, dtype=np.uint64)
                keys.sort(axis=1)
                order = (keys & np.uint64(2**32 - 1)).astype(np.int64)
            else:
                order = np.argsort(columns, axis=1)
            _add_row_distances(columns, order, self.n_numeric - start, out)
        return out

    def unsort(self, scores: np.ndarray) -> np.ndarray:
        """Sums of diffs (..., p) in the order of `columns` -> (..., p) in the caller's order, without weights of
        values."""
        out = np.empty_like(scores)
        out[..., self.columns] = scores
        return out if self.value_weights is None else out / self.value_weights


def aligned(shape: tuple[int, ...], dtype: np.dtype[Any] | type) -> np.ndarray:
    """An empty array that starts on a cache line (NumPy promises 16 bytes), a large one on a huge page.

    NumPy asks the system for huge pages from 4 MiB on; first touching small ones would take longer than filling them.
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    border, least = (PAGE, 2 * PAGE) if size >= PAGE // 2 else (LINE, 0)
    raw = np.empty(max(size + border, least), np.uint8)
    start = -raw.ctypes.data % border
    return raw[start : start + size].view(dtype).reshape(shape)


def allocate(shape: tuple[int, ...], dtype: "np.dtype[Any] | type", like: np.ndarray) -> np.ndarray:
    """An array for what is made of `like`: in memory, or if it is too large for it in a file, where it is zero."""
    return mapped(shape, dtype) if is_large(shape, dtype, like) else aligned(shape, dtype)


def precision(n: int, p: int, missing: bool) -> type:
    """Double where it costs nothing that anybody would notice, and longer where missing values take most of the
    time."""
    return np.float64 if n * n * p <= (MAX_EXACT_MISSING if missing else MAX_EXACT_COMPLETE) else np.float32


def _pack_dense(
    table: DataTable, rows: np.ndarray, columns: np.ndarray, dtype: type | None, tick: Callable[[], object] = bool
) -> tuple[np.ndarray, int, np.ndarray, np.ndarray, bool]:
    X, (n, p), nominal = cast("np.ndarray", table.values), (len(rows), table.shape[1]), table.nominal
    low, high = np.full(p, np.inf), np.full(p, -np.inf)
    unknown = False
    for block, own, _ in blocks_of(X, rows, tick):
        unknown |= _ranges(block, np.sort(own), low, high)
    check_finite(low, high)
    dtype = dtype or precision(n, max(p, table.taken_from), unknown)
    mixed = bool(nominal.any())
    constant, (offset, scale) = ~(low < high), scaling(low, high, nominal, table.ranges)
    line = LINE // np.dtype(dtype).itemsize
    values = allocate((n, -(-p // line) * line), dtype, X)
    for block, own, places in blocks_of(X, rows, tick):
        _scale(block, own, places, columns, mixed, offset, scale, dtype(MISSING), values)
    if mixed:  # codes that single precision can tell apart, where the caller's are not
        place, split = np.argsort(columns), np.zeros(p, bool)
        for block, own, _ in blocks_of(X, rows, bool) if X.dtype.kind == "f" else ():
            _split(block, own, split)
        for a in np.flatnonzero(nominal & ((low < 0) | (high >= EXACT) | split)):
            column = X[rows, a]
            known = ~np.isnan(column)
            values[known, place[a]] = np.unique(column[known], return_inverse=True)[1]
    return values, (int((~nominal).sum()) if mixed else values.shape[1]), scale, constant, unknown


@kernel
def sum_over_pairs(columns, n_numeric):
    """Sum of the diffs of all pairs of rows over sorted columns (c, n), numbers first: sum_q x_(q) (2 q - n + 1)."""
    n, total = columns.shape[1], 0.0
    for f in range(len(columns)):
        x = columns[f]
        if f < n_numeric:
            for q in range(n):
                total += x[q] * (2 * q - n + 1)
            continue
        start = 0
        for q in range(1, n + 1):
            if q == n or x[q] != x[start]:
                total += (q - start) * (n - q)
                start = q
    return total


@kernel
def _add_row_distances(columns, order, n_numeric, out):
    """Sums of diffs to all rows, of columns (c, n) in the order (c, n) of their values, added to out (n,)."""
    n = columns.shape[1]
    for f in range(len(columns)):
        x, rows, before, total, s = columns[f], order[f], 0.0, 0.0, 0
        for q in range(n):
            total += x[q]
        if f < n_numeric:
            for q in range(n):
                value = np.float64(x[rows[q]])
                out[rows[q]] += value * (2 * q - n) - 2 * before + total
                before += value
            continue
        while s < n:
            end = s + 1
            while end < n and x[rows[end]] == x[rows[s]]:
                end += 1
            for q in range(s, end):
                out[rows[q]] += n - (end - s)
            s = end


@kernel
def _ranges(X, rows, low, high):
    """Column minima and maxima of the values present in rows; returns whether one is missing."""
    missing = 0
    for i in range(len(rows)):
        x = X[rows[i]]
        for f in range(len(x)):
            low[f] = x[f] if x[f] < low[f] else low[f]
        for f in range(len(x)):
            high[f] = x[f] if x[f] > high[f] else high[f]
        for f in range(len(x)):
            missing += x[f] != x[f]
    return missing > 0


@kernel
def _scale(X, rows, places, columns, mixed, low, scale, unknown, out):
    """One pass: rows in their places, and columns in run order, scaled, in the precision of `out`."""
    for i in range(len(rows)):
        x, y = X[rows[i]], out[places[i], : len(columns)]
        out[places[i], len(columns) :] = 0
        if mixed:
            for f in range(len(y)):
                v = x[columns[f]]
                y[f] = (v - low[columns[f]]) * scale[columns[f]] if v == v else unknown
        else:
            for f in range(len(y)):
                v = x[f]
                y[f] = (v - low[f]) * scale[f] if v == v else unknown


@kernel
def _fill_lanes(X, factors, weighted, out):
    """Fill blocks of 8 features and 16 rows, whose sizes the compiler knows."""
    n = len(X)
    for b in range(out.shape[0]):
        lanes, first = out[b], b * LANES
        filled = min(n - first, LANES)
        whole = filled // 16 * 16
        if filled < LANES:
            lanes[:] = 0
        for f0 in range(0, len(factors), 8):
            for lane0 in range(0, whole, 16):
                for f in range(8):
                    for lane in range(16):
                        lanes[(f0 + f) * LANES + lane0 + lane] = X[first + lane0 + lane, f0 + f]
            for lane in range(whole, filled):
                for f in range(f0, f0 + 8):
                    lanes[f * LANES + lane] = X[first + lane, f]
        if weighted:
            for f in range(len(factors)):
                for lane in range(LANES):
                    lanes[f * LANES + lane] *= factors[f]
