"""Missing values: what they add to diffs that were computed as if MISSING were a value like any other.

For every strategy but "ignore" the diff of a pair with an unknown value is a number, an expectation.  So data with
missing
values are complete data plus a correction: for a row i that lacks feature A, ``table[slot, j]`` is what the pair (i, j)
lacks.  A pair in which both rows lack A gets one half from each.  Distances and sums add the corrections to what their
kernels for complete data give; nothing else needs to know of missing values.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..jit import kernel
from .diff import Diff

MISSING = -2.0  # what no scaled value and no code can be
CONDITIONAL, IGNORE, UNIFORM, SEPARATE, CLUS = STRATEGIES = (
    "class-conditional",
    "ignore",
    "uniform",
    "separate",
    "clus",
)
ZERO = 2.0**-40  # digits of mean diffs: what is less is rounding
ROUGH = 1e-6  # mean diffs below this are rounding in single precision: rows are equal
BLOCK = 64  # columns that are unpacked at once


@dataclass(frozen=True)
class Corrections:
    """Missing entries, row by row as in CSR: those of row i are ``slice(indptr[i], indptr[i + 1])``.

    features (e,): column; slots (e,): row of `table` (slots, n); `unknown` (slots, n): which rows lack the feature,
    kept for "ignore" only, where distances are means over the features that both rows have, times p.
    """

    indptr: np.ndarray
    features: np.ndarray
    slots: np.ndarray
    table: np.ndarray
    p: int
    unknown: np.ndarray | None = None

    @property
    def ignore(self) -> bool:
        """Whether pairs that lack a feature do not count for it: then means are taken row by row."""
        return self.unknown is not None

    @property
    def count(self) -> int:
        return len(self.slots)

    def correct(self, D: np.ndarray, i0: int, i1: int, j0: int, j1: int) -> None:
        """Turn a tile D of distances with MISSING as a value into true distances."""
        D = D[: i1 - i0, : j1 - j0]
        extra = self._rows(self.table, i0, i1, j0, j1)
        D += (
            extra + self._rows(self.table, j0, j1, i0, i1).T
        )  # in this order, so that d(i, j) = d(j, i) to the last bit
        if self.ignore:
            lacks = np.diff(self.indptr)
            seen = self.p - lacks[i0:i1, None] - lacks[j0:j1] + self._rows(self.unknown, i0, i1, j0, j1)
            np.maximum(D, 0, out=D)
            D[:] = np.where(seen > 0, D / np.maximum(seen, 1) * self.p, self.p)
        if self.table.dtype == np.float64:  # rounding is relative to what was added and taken away, not to what is left
            step = 2.0 ** np.ceil(np.log2(self.p)) * ZERO
            np.divide(D, step, out=D)
            np.rint(D, out=D)
            D *= step
        else:
            D[self.p * ROUGH > D] = 0

    def pair_sums(self, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray, out: np.ndarray) -> None:
        """out (p,) += what the corrections add to the weighted diffs of pairs: rows (b,), cols and weights (b, q)."""
        _pair_sums(self.indptr, self.features, self.slots, self.table, rows, cols, weights, out)

    def tile_sums(self, V: np.ndarray, i0: int, i1: int, j0: int, j1: int, out: np.ndarray) -> None:
        """The same for a tile V of weights."""
        V = V[: i1 - i0, : j1 - j0]
        for W, a0, b0, b1 in ((V, i0, j0, j1), (np.ascontiguousarray(V.T), j0, i0, i1)):
            _tile_sums(self.indptr, self.features, self.slots, self.table, W, a0, b0, b1, out)

    def _rows(self, table: np.ndarray, i0: int, i1: int, j0: int, j1: int) -> np.ndarray:
        out = np.zeros((i1 - i0, j1 - j0))
        _add_rows(self.indptr, self.slots, table, i0, i1, j0, j1, out)
        return out


def corrections(
    values: np.ndarray | sparse.csr_array, n_numeric: int, p: int, classes: np.ndarray, strategy: str, diff: Diff
) -> Corrections:
    """For packed values (n, >= p) with MISSING in them; classes (n,) of the rows, all 0 where there are none.

    Memory: n numbers for every feature that lacks values and every class in which it does.
    """
    rows, features = _entries(values, p)
    n = values.shape[0]
    kind = classes[rows].astype(np.int64) if strategy == CONDITIONAL else np.zeros(len(rows), np.int64)
    keys, slots = np.unique(features * (int(classes.max()) + 1) + kind, return_inverse=True)
    slot_feature, slot_class = np.divmod(keys, int(classes.max()) + 1)
    table = np.empty((len(keys), n), values.dtype)
    unknown = np.empty((len(keys), n), np.uint8) if strategy == IGNORE else None
    code, classes = STRATEGIES.index(strategy), classes.astype(np.int64)
    wanted, columns = np.unique(slot_feature), None
    for start in range(0, len(wanted), BLOCK):
        block = wanted[start : start + BLOCK]
        columns = _columns(values, block)
        first, last = np.searchsorted(slot_feature, [block[0], block[-1] + 1])
        local = np.searchsorted(block, slot_feature[first:last])
        if strategy == IGNORE:
            unknown[first:last] = columns == MISSING
        _expect(
            columns,
            local,
            slot_class[first:last],
            slot_feature[first:last] < n_numeric,
            classes,
            code,
            *diff.shape,
            table[first:last],
        )
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    return Corrections(indptr, features.astype(np.int64), slots.astype(np.int64), table, p, unknown)


def _entries(values: np.ndarray | sparse.csr_array, p: int) -> tuple[np.ndarray, np.ndarray]:
    """(rows, features) of the missing entries, row by row."""
    if sparse.issparse(values):
        found = np.flatnonzero(values.data == MISSING)
        return np.searchsorted(values.indptr, found, side="right") - 1, values.indices[found].astype(np.int64)
    return np.nonzero(values[:, :p] == MISSING)


def _columns(values: np.ndarray | sparse.csr_array, block: np.ndarray) -> np.ndarray:
    """(block, n) float64, C order."""
    found = values[:, block]
    return np.ascontiguousarray((found.toarray() if sparse.issparse(values) else found).T, dtype=np.float64)


@kernel
def _add_rows(indptr, slots, table, i0, i1, j0, j1, out):
    for i in range(i0, i1):
        total = out[i - i0]
        for t in range(indptr[i], indptr[i + 1]):
            row = table[slots[t], j0:j1]
            for q in range(len(total)):
                total[q] += row[q]


@kernel
def _pair_sums(indptr, features, slots, table, rows, cols, weights, out):
    for b in range(len(rows)):
        i = rows[b]
        for q in range(cols.shape[1]):
            w, j = weights[b, q], cols[b, q]
            if w != 0:
                for t in range(indptr[i], indptr[i + 1]):
                    out[features[t]] += w * table[slots[t], j]
                for t in range(indptr[j], indptr[j + 1]):
                    out[features[t]] += w * table[slots[t], i]


@kernel
def _tile_sums(indptr, features, slots, table, V, i0, j0, j1, out):
    for i in range(i0, i0 + len(V)):
        weights = V[i - i0]
        for t in range(indptr[i], indptr[i + 1]):
            row, total = table[slots[t], j0:j1], 0.0
            for q in range(len(row)):
                total += weights[q] * row[q]
            out[features[t]] += total


@kernel
def _expect(columns, slot_column, slot_class, slot_numeric, classes, strategy, low, slope, squared, table):
    """table (slots, n): expected diff to a missing value of the slot's class, less the diff to MISSING as a value."""
    n = columns.shape[1]
    likely, sums = np.empty(n), np.empty(n + 1)
    totals, counts = np.empty(classes.max() + 1), np.empty(classes.max() + 1)
    for s in range(len(table)):
        x, out, numeric = columns[slot_column[s]], table[s], slot_numeric[s]
        m = 0
        for own in (True, False):  # a class without any value: all values
            if m == 0:
                for j in range(n):
                    if x[j] != MISSING and (not own or strategy != 0 or classes[j] == slot_class[s]):
                        likely[m] = x[j]
                        m += 1
        u = np.sort(likely[:m])
        sums[0] = 0
        for j in range(m):
            sums[j + 1] = sums[j] + u[j]
        totals[:] = 0
        counts[:] = 0
        for j in range(n):
            if x[j] != MISSING:
                g = _expected(x[j], u, sums, numeric, strategy, low, slope, squared)
                totals[classes[j]] += g
                counts[classes[j]] += 1
                out[j] = g - _shaped(x[j] - MISSING, numeric, low, slope, squared)
        total, count = totals.sum(), max(counts.sum(), 1.0)
        for j in range(n):
            if x[j] == MISSING:
                if strategy == 0:
                    c = classes[j]
                    g = totals[c] / counts[c] if counts[c] > 0 else total / count
                else:
                    g = _both_missing(u, numeric, strategy, low, slope, squared)
                out[j] = g / 2


@kernel
def _expected(x, u, sums, numeric, strategy, low, slope, squared):
    """Expected diff of a value x and an unknown one; u (m,) sorted: what the unknown one may be, sums (m + 1,) of
    it."""
    m = len(u)
    if strategy == 1 or m == 0:
        return 0.0
    if strategy == 3:
        return 1.0
    if not numeric:
        if strategy == 2 or strategy == 4:
            return 1 - 1 / _distinct(u)
        return 1 - (_below(x, u, True) - _below(x, u, False)) / m
    if strategy == 4:  # the largest possible
        return _shaped(max(x - u[0], 1 - (x - u[0])), True, low, slope, squared)
    if strategy == 2:
        if u[m - 1] == u[0]:
            return 0.0
        x -= u[0]
        if squared:
            return (x**3 + (1 - x) ** 3) / 3
        if slope == 0:
            return (x * x + (1 - x) * (1 - x)) / 2
        return slope * (_uniform_excess(x, low) - _uniform_excess(x, low + 1 / slope))
    if squared:
        return max(((u - x) ** 2).sum() / m, 0.0)
    if slope == 0:
        return _excess(x, u, sums, 0.0)
    return slope * (_excess(x, u, sums, low) - _excess(x, u, sums, low + 1 / slope))


@kernel
def _both_missing(u, numeric, strategy, low, slope, squared):
    if len(u) == 0:
        return 0.0
    if strategy == 4:
        return 1.0 if numeric else 1 - 1 / _distinct(u)
    if strategy != 2 or u[0] == u[len(u) - 1]:
        return 0.0
    if not numeric:
        return 1 - 1 / _distinct(u)
    if squared:
        return 1 / 6
    if slope == 0:
        return 1 / 3
    return slope * (max(1 - low, 0.0) ** 3 - max(1 - low - 1 / slope, 0.0) ** 3) / 3


@kernel
def _excess(x, u, sums, t):
    """Mean of max(0, |u - x| - t)."""
    m = len(u)
    above, below = _below(x + t, u, True), _below(x - t, u, False)
    return ((sums[m] - sums[above] - (m - above) * (x + t)) + (below * (x - t) - sums[below])) / m


@kernel
def _uniform_excess(x, t):
    """Expectation of max(0, |U - x| - t) for U uniform on [0, 1]."""
    return (max(1 - x - t, 0.0) ** 2 + max(x - t, 0.0) ** 2) / 2


@kernel
def _below(x, u, equal):
    """How many of the sorted u are less than x, or `equal` to it."""
    a, b = 0, len(u)
    while a < b:
        c = (a + b) // 2
        if u[c] < x or (equal and u[c] == x):
            a = c + 1
        else:
            b = c
    return a


@kernel
def _distinct(u):
    count = 1
    for j in range(1, len(u)):
        count += u[j] != u[j - 1]
    return count


@kernel
def _shaped(q, numeric, low, slope, squared):
    """The diff that kernels for complete data make of a difference q to MISSING."""
    if not numeric:
        return 1.0
    if slope != 0:
        q = min(max((q - low) * slope, 0.0), 1.0)
    return q * q if squared else q
