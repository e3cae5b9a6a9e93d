"""Expected differences of a missing value from the other values of its feature, by each strategy.

The formats of `relief/formats` make `Slots` of a table with missing values, and read rows of `Slots.table`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ..kernels.diff import shaped
from ..kernels.jit import kernel
from .diff import Diff

MISSING = -2.0  # stands for missing values: no scaled value and no code is -2
CONDITIONAL = "class-conditional"
IGNORE = "ignore"
UNIFORM = "uniform"
SEPARATE = "separate"
CLUS = "clus"
STRATEGIES = (CONDITIONAL, IGNORE, UNIFORM, SEPARATE, CLUS)
# Numbers of the strategies, as kernels get them
CONDITIONAL_NUMBER = STRATEGIES.index(CONDITIONAL)
IGNORE_NUMBER = STRATEGIES.index(IGNORE)
UNIFORM_NUMBER = STRATEGIES.index(UNIFORM)
SEPARATE_NUMBER = STRATEGIES.index(SEPARATE)
CLUS_NUMBER = STRATEGIES.index(CLUS)
COLUMNS_PER_BLOCK = 64  # columns that are unpacked at once; chosen by eye
VALUES_PER_BLOCK = 2**17  # values that are unpacked at once: some 20 ms


@dataclass(frozen=True)
class Slots:
    """Slots of a table of expected differences: each is a row of the table, for a feature and a class.

    values (n, p): scaled values and codes, MISSING where unknown.
    features (slots,): feature of each slot, ascending.
    kinds (slots,): class of each slot.
    n_numeric: number of numeric features, which come first.
    classes (n,): class of each row.
    strategy: one of STRATEGIES.
    diff: difference of two values.
    tick: called between blocks of columns; it may raise to stop.
    """

    values: np.ndarray | sparse.csr_array
    features: np.ndarray
    kinds: np.ndarray
    n_numeric: int
    classes: np.ndarray
    strategy: str
    diff: Diff
    tick: Callable[[], object]

    def table(self, slots: np.ndarray) -> np.ndarray:
        """Compute rows (len(slots), n) of the table; slots: their indices, ascending."""
        out = np.empty((len(slots), self.values.shape[0]), self.values.dtype)
        features = self.features[slots]
        strategy = STRATEGIES.index(self.strategy)
        distinct = np.unique(features)
        step = max(min(VALUES_PER_BLOCK // out.shape[1], COLUMNS_PER_BLOCK), 1) if out.size else COLUMNS_PER_BLOCK
        for start in range(0, len(distinct), step):
            self.tick()
            block = distinct[start : start + step]
            first, last = np.searchsorted(features, [block[0], block[-1] + 1])
            columns = _columns(self.values, block)
            orders = np.zeros((0, 0), np.int64)
            if self.strategy == CONDITIONAL or block[-1] >= self.n_numeric:
                orders = np.argsort(columns, axis=1)
            slot_features = features[first:last]
            features_of_slots = SlotFeatures(
                columns=columns,
                orders=orders,
                column=np.searchsorted(block, slot_features),
                kind=self.kinds[slots[first:last]],
                numeric=slot_features < self.n_numeric,
            )
            _expect(features_of_slots, self.classes, strategy, self.diff.shape, out[first:last])
        return out

    def unknown(self, slots: np.ndarray) -> np.ndarray:
        """Return a mask (len(slots), n) uint8 of the rows that lack the feature of a slot."""
        out = np.empty((len(slots), self.values.shape[0]), np.uint8)
        for start in range(0, len(slots), COLUMNS_PER_BLOCK):
            block = slots[start : start + COLUMNS_PER_BLOCK]
            out[start : start + len(block)] = _columns(self.values, self.features[block]) == MISSING
        return out


class SlotFeatures(NamedTuple):
    """Features of slots, as the kernel reads them.

    columns (b, n): values of b features.
    orders (b, n): rows in the order of their values; (0, 0) where the range of the values is enough.
    column (slots,): position of the feature of each slot in `columns`.
    kind (slots,): class of each slot.
    numeric (slots,) bool: True for numeric features.
    """

    columns: np.ndarray
    orders: np.ndarray
    column: np.ndarray
    kind: np.ndarray
    numeric: np.ndarray


def _columns(values: np.ndarray | sparse.csr_array, block: np.ndarray) -> np.ndarray:
    """Unpack columns (b,) to an array (b, n), float64."""
    columns: Any = values[:, block]
    return np.ascontiguousarray((columns.toarray() if sparse.issparse(values) else columns).T, dtype=np.float64)


@kernel
def _expect(slots, classes, strategy, shape, table):
    """Fill table (slots, n) with expected diffs to a missing value of the slot's class.

    table[s, j] = E diff(x_j, U) - diff(x_j, MISSING) for a known x_j, where U is a likely value, and
    table[s, j] = E diff(U, U') / 2 for a missing one.

    slots : `SlotFeatures`
    classes (n,) : class of each row
    strategy : number of the strategy
    shape : `Diff.shape`
    """
    n = slots.columns.shape[1]
    has_orders = len(slots.orders) > 0
    likely = np.empty(n + 1)
    sums = np.empty(n + 1)
    expected = np.empty(n)
    rank = np.empty(n, np.int64)
    totals = np.empty(classes.max() + 1)
    counts = np.empty(classes.max() + 1)
    inner = np.zeros(2, np.int64)
    outer = np.zeros(2, np.int64)
    all_rows = np.arange(n)
    for s in range(len(table)):
        x = slots.columns[slots.column[s]]
        out = table[s]
        numeric = slots.numeric[s]
        # Likely values of a missing one, ascending, and their running sums
        order = slots.orders[slots.column[s]] if has_orders else all_rows
        m = 0
        first = 0
        while has_orders and first < n and x[order[first]] == MISSING:  # which is below all values
            first += 1
        if not has_orders:
            m = _range(x, likely)
        for only_class in (strategy == CONDITIONAL_NUMBER, False):  # a class without any value: all values
            if m == 0 and has_orders:
                m = _likely(x, order[first:], only_class, classes, slots.kind[s], likely, rank[first:])
        u = likely[:m]
        sums[0] = 0
        for j in range(m):
            sums[j + 1] = sums[j] + u[j]
        # Expected diffs of known values
        inner[:] = 0
        outer[:] = 0
        start = first
        for r in range(first, n):
            j = order[r]
            if has_orders and (shape is None or not numeric) and x[j] != x[order[start]]:
                start = r  # the first row with this value, which is the threshold: `rank` has its position
                inner[0] = rank[r]
                inner[1] = rank[r]
            if x[j] != MISSING:
                expected[j] = _expected(x[j], u, sums, numeric, strategy, shape, inner, outer)
        totals[:] = 0
        counts[:] = 0
        for j in range(n):
            if x[j] != MISSING:
                totals[classes[j]] += expected[j]
                counts[classes[j]] += 1
                out[j] = expected[j] - (shaped(x[j] - MISSING, shape) if numeric else 1.0)
        # Expected diffs of two missing values
        total = totals.sum()
        count = max(counts.sum(), 1.0)
        for j in range(n):
            if x[j] == MISSING:
                if strategy == CONDITIONAL_NUMBER:
                    kind = classes[j]
                    of_both = totals[kind] / counts[kind] if counts[kind] > 0 else total / count
                else:
                    of_both = _both_missing(u, numeric, strategy, shape)
                out[j] = of_both / 2


@kernel
def _likely(x, order, only_class, classes, kind, out, rank):
    """Write the values of one class, or of all, to out in their order; return how many there are.

    rank: number of these values before each row of order.
    """
    m = 0
    for r in range(len(order)):
        out[m] = x[order[r]]
        rank[r] = m
        m += not only_class or classes[order[r]] == kind
    return m


@kernel
def _range(x, out):
    """Write the least and the largest known value to out; return 2, or 0 if none is known."""
    low = np.inf
    high = -np.inf
    for j in range(len(x)):
        low = x[j] if x[j] != MISSING and x[j] < low else low
        high = x[j] if x[j] != MISSING and x[j] > high else high
    out[0] = low
    out[1] = high
    return 2 if low <= high else 0


@kernel
def _expected(x, u, sums, numeric, strategy, shape, inner, outer):
    """Compute the expected diff of a value x and an unknown one.

    u (m,) : likely values of the unknown one, ascending
    sums (m + 1,) : their running sums
    inner, outer (2,) : positions in u that the search for the thresholds of a ramp, its start and its end, has
        reached for smaller x
    """
    m = len(u)
    if strategy == IGNORE_NUMBER or m == 0:
        return 0.0
    if strategy == SEPARATE_NUMBER:
        return 1.0
    if not numeric:
        if strategy in (UNIFORM_NUMBER, CLUS_NUMBER):
            return 1 - 1 / _distinct(u)
        inner[0] = _step(x, u, True, inner[0])
        inner[1] = _step(x, u, False, inner[1])
        return 1 - (inner[0] - inner[1]) / m
    if strategy == CLUS_NUMBER:  # the largest possible
        return shaped(max(x - u[0], 1 - (x - u[0])), shape)
    if strategy == UNIFORM_NUMBER:
        if u[m - 1] == u[0]:
            return 0.0
        x -= u[0]
        if shape is None:
            return (x * x + (1 - x) * (1 - x)) / 2
        low, slope, squared = shape
        if squared:
            return (x**3 + (1 - x) ** 3) / 3
        return slope * (_uniform_excess(x, low) - _uniform_excess(x, low + 1 / slope))
    if shape is None:
        return _excess(x, u, sums, sums[0], inner)  # 0: a constant would be added up in another order
    low, slope, squared = shape
    if squared:
        return max(((u - x) ** 2).sum() / m, 0.0)
    return slope * (_excess(x, u, sums, low, inner) - _excess(x, u, sums, low + 1 / slope, outer))


@kernel
def _both_missing(u, numeric, strategy, shape):
    """Compute the expected diff of two unknown values; u (m,): their likely values, ascending."""
    if len(u) == 0:
        return 0.0
    if strategy == CLUS_NUMBER:
        return 1.0 if numeric else 1 - 1 / _distinct(u)
    if strategy != UNIFORM_NUMBER or u[0] == u[len(u) - 1]:
        return 0.0
    if not numeric:
        return 1 - 1 / _distinct(u)
    if shape is None:
        return 1 / 3
    low, slope, squared = shape
    if squared:
        return 1 / 6
    return slope * (max(1 - low, 0.0) ** 3 - max(1 - low - 1 / slope, 0.0) ** 3) / 3


@kernel
def _excess(x, u, sums, t, positions):
    """Compute the mean over u of max(0, |u - x| - t).

    u (m,) : values, ascending
    sums (m + 1,) : their running sums
    positions (2,) : at least so many of u are up to x + t, and below x - t; updated
    """
    m = len(u)
    positions[0] = _step(x + t, u, True, positions[0])
    positions[1] = _step(x - t, u, False, positions[1])
    above = positions[0]
    below = positions[1]
    return ((sums[m] - sums[above] - (m - above) * (x + t)) + (below * (x - t) - sums[below])) / m


@kernel
def _uniform_excess(x, t):
    """Compute the expectation of max(0, |U - x| - t) for U uniform on [0, 1]."""
    return (max(1 - x - t, 0.0) ** 2 + max(x - t, 0.0) ** 2) / 2


@kernel
def _step(x, u, equal, n_below):
    """Count the ascending u that are less than x, or `equal` to it; at least n_below of them are."""
    while n_below < len(u) and (u[n_below] < x or (equal and u[n_below] == x)):
        n_below += 1
    return n_below


@kernel
def _distinct(u):
    """Count the different values of u, which ascend."""
    count = 1
    for j in range(1, len(u)):
        count += u[j] != u[j - 1]
    return count
