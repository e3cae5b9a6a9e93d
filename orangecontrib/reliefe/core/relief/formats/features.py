"""Features of the rows of a run, as kernels read them: scaled values with what missing ones need, and forms of these.

`Comparison.prepared` builds `Features`; distances, sums and moments of all storage formats read them. The values are
scaled by `feature_packing.py`.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from ...data.diff import Diff
from ...data.packed import Packed
from ...data.scratch import chunks
from ...data.table import DataTable
from ...kernels.jit import kernel
from .aligned_arrays import LINE, allocate
from .bits import LANES, BitColumns
from .codes import Codes
from .feature_packing import ColumnRanges, pack_dense, pack_sparse, pack_two_bits
from .missing import Corrections, corrections
from .row_distance_sums import add_row_distances

# n * n * p up to which double precision is used: of complete data, and of data with missing values
MAX_EXACT_COMPLETE = 10**8
MAX_EXACT_MISSING = 10**10
COLUMNS_SORTED = 32  # columns that are sorted at once
EIGHT = 8  # features that a sweep takes at once

_making = threading.RLock()


class ColumnKind(NamedTuple):
    """Range of columns of one kind.

    Attributes
    ----------
    nominal : bool
        True for codes.
    first, last : int
        Columns [first, last).
    """

    nominal: bool
    first: int
    last: int


@dataclass(frozen=True)
class Features:
    """Values of n rows in p features, in the order of a run.

    Numeric values lie in [0, 1], in CSR in [-1, 1]. MISSING stands for an unknown value. Dense rows are padded with
    columns of zeros, which add nothing to any sum, to whole cache lines; the first `n_padded_columns` are read.

    Attributes
    ----------
    values : (n, width) array, or (n, p) CSR array
        Scaled numbers, then codes of nominal features.
    n_numeric : int
        Number of numeric columns, which are the first ones; with the padding if all are numeric.
    columns : (p,) int array
        Index of each column in the table.
    scale : (p,) array
        Factors of numeric differences, in the order of the table.
    constant : (p,) bool array
        True for features without two known values that differ, in the order of the table.
    diff : Diff
        Difference of two numbers.
    missing : Corrections, optional
        Corrections of the diffs of unknown values; None: all are known.
    feature_weights : (p,) array, optional
        Factors of the numbers in `lanes`; None: 1.
    packed : Packed, optional
        Genotypes in the place of values, which have no columns then.
    value_weights : (p,) array, optional
        Factors that values were multiplied with, in the order of the table; None: 1.
    """

    values: np.ndarray | sparse.csr_array
    n_numeric: int
    columns: np.ndarray
    scale: np.ndarray
    constant: np.ndarray
    diff: Diff = field(default_factory=Diff)
    missing: Corrections | None = None
    feature_weights: np.ndarray | None = None
    packed: Packed | None = None
    value_weights: np.ndarray | None = None

    kept_by_workers = True  # of a cluster, with their lanes

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
        """Scale numeric columns by their range, and put rows and columns in the order of a run.

        Ranges are those of the rows, unless the table has ranges of its own. A constant column becomes 0.

        Parameters
        ----------
        table : DataTable
            The data.
        rows : (n,) int array
            Different rows of the table, in the order of the run.
        classes : (n,) int array
            Their classes, for the strategy "class-conditional".
        strategy : str
            One of `STRATEGIES` for missing values.
        diff : Diff, optional
            Difference of two numbers; None: the plain one.
        dtype : float32 or float64, optional
            Type of the values; None: by the size of the data.
        tick : callable
            Called now and then; it may raise to stop.

        Raises
        ------
        ValueError
            If values are infinite.
        """
        diff = diff or Diff()
        if table.packed and diff.plain and table.packed.takes(strategy):
            genotypes = pack_two_bits(table.packed, rows, strategy)
            p = genotypes.packed.n_features
            return cls(
                values=np.empty((len(rows), 0), precision(len(rows), p, False)),
                n_numeric=genotypes.n_numeric,
                columns=np.arange(p),
                scale=genotypes.scale,
                constant=genotypes.is_constant,
                diff=diff,
                missing=genotypes.missing,
                packed=genotypes.packed,
            )
        table = table.unpacked()
        columns = np.argsort(table.nominal, kind="stable")
        if table.is_sparse:
            scaled = pack_sparse(table, rows, columns, dtype)
        else:
            ranges = ColumnRanges.of_dense(cast("np.ndarray", table.values), rows, tick)
            dtype = dtype or precision(len(rows), max(len(columns), table.taken_from), ranges.has_unknown)
            scaled = pack_dense(table, rows, columns, ranges, dtype, tick)
        missing = None
        if scaled.has_unknown:
            missing = corrections(scaled.values, scaled.n_numeric, len(columns), classes, strategy, diff, tick)
        return cls(scaled.values, scaled.n_numeric, columns, scaled.scale, scaled.is_constant, diff, missing)

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
        if self.missing is not None:
            return False
        return self.n_numeric == 0 or (self.bits is not None and not len(self.bits.rest))

    @cached_property
    def n_padded_columns(self) -> int:
        """Number of columns with padding up to a multiple of eight."""
        return -(-len(self.columns) // EIGHT) * EIGHT

    @cached_property
    def kinds(self) -> tuple[ColumnKind, ...]:
        """Columns of each kind that there is; the padding goes with the last one."""
        first_nominal = self.n_numeric if self.n_numeric < len(self.columns) else self.n_padded_columns
        kinds = (ColumnKind(False, 0, first_nominal), ColumnKind(True, first_nominal, self.n_padded_columns))
        return tuple(kind for kind in kinds if kind.first < kind.last)

    @property
    def has_plain_rows(self) -> bool:
        """True if they are complete dense rows that are compared by plain diffs."""
        return self.diff.plain and not (self.is_sparse or self.packed or self.missing)

    @property
    def vectors(self) -> bool:
        """True if vector kernels sum them, which read `lanes`: with plain diffs in single precision."""
        return self.diff.plain and self.values.dtype == np.float32 and not self.is_sparse

    @property
    def lanes(self) -> np.ndarray:
        """The rows again, 64 side by side, (blocks, n_padded_columns * LANES).

        So a vector register has a feature of many rows.

        They are made at the first call, by one thread, and kept until `forget_lanes`.
        """
        return cast("np.ndarray", self._once("_lanes", self._side_by_side))

    def _once(self, name: str, make: Callable[[], object]) -> object:
        """Return what the first call has made, by one thread."""
        with _making:
            if name not in self.__dict__:
                self.__dict__[name] = make()
            return self.__dict__[name]

    @property
    def bits(self) -> BitColumns | None:
        """Columns of few values as bits, by which distances are faster; None where that does not pay.

        They are made at the first call, by one thread, and kept.
        """
        if self.is_sparse or not self.diff.plain:
            return None
        bits = self._once("_bits", lambda: BitColumns.of(self.values, self.n_numeric, len(self.columns)))
        return cast("BitColumns | None", bits)

    def select(self, columns: np.ndarray) -> "Features":
        """Return some columns (c,) of dense rows, ascending, without corrections of missing values."""
        values_per_line = LINE // self.values.dtype.itemsize
        width = -(-len(columns) // values_per_line) * values_per_line
        values = allocate((self.shape[0], width), self.values.dtype, cast("np.ndarray", self.values))
        values[:, len(columns) :] = 0
        for step in chunks(len(values), values[:1].nbytes):
            values[step, : len(columns)] = self.values[step][:, columns]
        n_numeric = int(np.searchsorted(columns, self.n_numeric))
        n_numeric = width if n_numeric == len(columns) else n_numeric  # the padding goes with the last kind
        return replace(self, values=values, n_numeric=n_numeric, columns=self.columns[columns], missing=None)

    @property
    def codes(self) -> Codes | None:
        """Rows as codes of 16 bits; None where they do not suit.

        They are made at the first call, by one thread, and kept until `forget_lanes`.
        """
        return cast("Codes | None", self._once("_codes", lambda: Codes.of(self)))

    def forget_lanes(self) -> None:
        """Give back the memory of `lanes` and `codes`, which are made again when asked for."""
        self.__dict__.pop("_lanes", None)
        self.__dict__.pop("_codes", None)

    def _side_by_side(self) -> np.ndarray:
        """Make `lanes`."""
        factors = np.ones(self.n_padded_columns, self.values.dtype)
        feature_weights = self.feature_weights
        if feature_weights is not None:
            n_numeric = min(self.n_numeric, len(self.columns))
            factors[:n_numeric] = feature_weights[:n_numeric]
        n_blocks = -(-self.shape[0] // LANES)
        lanes = allocate((n_blocks, self.n_padded_columns * LANES), self.values.dtype, self.values)
        _fill_lanes(self.values, factors, feature_weights is not None, lanes)
        return lanes

    def times(self, weights: np.ndarray) -> "Features":
        """Return these features with values, scales and so distances times weights (p,), in the caller's order.

        For complete dense numbers and plain diffs only, which are multiplied in place.
        """
        p = len(self.columns)
        self.values[:, :p] *= weights[self.columns].astype(self.values.dtype)
        return replace(self, scale=self.scale * weights, value_weights=weights)

    def row_distances(self, part: int, n_parts: int) -> np.ndarray:
        """Compute a share of the sums (n,) of the distances of each row: all `n_parts` shares add up to them.

        Complete dense data and plain diffs only.
        """
        n, p = self.shape
        out = np.zeros(n)
        step = min(COLUMNS_SORTED, -(-p // n_parts))
        for start in range(part * step, p, n_parts * step):
            columns: np.ndarray = np.ascontiguousarray(self.values[:, start : min(start + step, p)].T)
            if columns.dtype == np.float32:
                # Bits of numbers that are not negative are in their order: they are sorted with the rows behind them
                keys = columns.view(np.uint32).astype(np.uint64) << np.uint64(32) | np.arange(n, dtype=np.uint64)
                keys.sort(axis=1)
                order = (keys & np.uint64(2**32 - 1)).astype(np.int64)
            else:
                order = np.argsort(columns, axis=1)
            add_row_distances(columns, order, self.n_numeric - start, out)
        return out

    def unsort(self, scores: np.ndarray) -> np.ndarray:
        """Put sums of diffs (..., p) into the order of the table, and divide them by the weights of values."""
        unsorted = np.empty_like(scores)
        unsorted[..., self.columns] = scores
        return unsorted if self.value_weights is None else unsorted / self.value_weights


def precision(n: int, p: int, has_unknown: bool) -> type:
    """Choose double precision where nobody would notice its time; for larger data if missing values take most of it."""
    return np.float64 if n * n * p <= (MAX_EXACT_MISSING if has_unknown else MAX_EXACT_COMPLETE) else np.float32


@kernel
def _fill_lanes(X, factors, is_weighted, out):
    """Set out[i // LANES, f * LANES + i % LANES] to X[i, f] * factors[f], in blocks of 8 features and 16 rows.

    The compiler knows the size of such blocks. LANES behind the last row are 0.

    X : (n, at least n_padded_columns)
    factors : (n_padded_columns,), not read unless is_weighted
    out : (blocks, n_padded_columns * LANES)
    """
    n = len(X)
    for b in range(out.shape[0]):
        lanes = out[b]
        first = b * LANES
        n_rows = min(n - first, LANES)
        n_blocked_rows = n_rows // 16 * 16
        if n_rows < LANES:
            lanes[:] = 0
        for f0 in range(0, len(factors), 8):
            for lane0 in range(0, n_blocked_rows, 16):
                for f in range(8):
                    for lane in range(16):
                        lanes[(f0 + f) * LANES + lane0 + lane] = X[first + lane0 + lane, f0 + f]
            for lane in range(n_blocked_rows, n_rows):
                for f in range(f0, f0 + 8):
                    lanes[f * LANES + lane] = X[first + lane, f]
        if is_weighted:
            for f in range(len(factors)):
                for lane in range(LANES):
                    lanes[f * LANES + lane] *= factors[f]
