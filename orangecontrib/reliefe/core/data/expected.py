"""Expected differences of a missing value from the others of its feature, by each strategy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..kernels.diff import shaped
from ..kernels.jit import kernel
from .diff import Diff

MISSING = -2.0  # what no scaled value and no code can be
CONDITIONAL, IGNORE, UNIFORM, SEPARATE, CLUS = STRATEGIES = (
    "class-conditional", "ignore", "uniform", "separate", "clus",
)  # fmt: skip
COLUMNS_PER_BLOCK, VALUES_PER_BLOCK = 64, 2**17  # columns, and values, that are unpacked at once: some 20 ms


@dataclass(frozen=True)
class Slots:
    """Slots of a table of expected differences: a row for each, which stands for a feature, ascending, and a class.

    tick: called between some columns and the next.
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
        """(len(slots), n) rows of the table; slots: ascending."""
        out, features = np.empty((len(slots), self.values.shape[0]), self.values.dtype), self.features[slots]
        code, wanted = STRATEGIES.index(self.strategy), np.unique(features)
        step = max(min(VALUES_PER_BLOCK // out.shape[1], COLUMNS_PER_BLOCK), 1) if out.size else COLUMNS_PER_BLOCK
        for start in range(0, len(wanted), step):
            self.tick()
            block = wanted[start : start + step]
            first, last = np.searchsorted(features, [block[0], block[-1] + 1])
            columns, orders = _columns(self.values, block), np.zeros((0, 0), np.int64)
            if self.strategy == CONDITIONAL or block[-1] >= self.n_numeric:
                orders = np.argsort(columns, axis=1)
            own = features[first:last]
            of_slots = np.searchsorted(block, own), self.kinds[slots[first:last]], own < self.n_numeric
            _expect(columns, orders, *of_slots, self.classes, code, self.diff.shape, out[first:last])
        return out

    def unknown(self, slots: np.ndarray) -> np.ndarray:
        """(len(slots), n) uint8: which rows lack the feature of a slot."""
        out = np.empty((len(slots), self.values.shape[0]), np.uint8)
        for start in range(0, len(slots), COLUMNS_PER_BLOCK):
            block = slots[start : start + COLUMNS_PER_BLOCK]
            out[start : start + len(block)] = _columns(self.values, self.features[block]) == MISSING
        return out


def _columns(values: np.ndarray | sparse.csr_array, block: np.ndarray) -> np.ndarray:
    """(block, n) float64, C order."""
    found: Any = values[:, block]
    return np.ascontiguousarray((found.toarray() if sparse.issparse(values) else found).T, dtype=np.float64)


@kernel
def _expect(columns, orders, slot_column, slot_class, slot_numeric, classes, strategy, shape, table):
    """table (slots, n): expected diff to a missing value of the slot's class, less the diff to MISSING as a value;
    orders: of the values of each column, ascending, (0, 0) where their range is enough."""
    n = columns.shape[1]
    likely, sums, expected, rank = np.empty(n + 1), np.empty(n + 1), np.empty(n), np.empty(n, np.int64)
    totals, counts = np.empty(classes.max() + 1), np.empty(classes.max() + 1)
    near, far, every = np.zeros(2, np.int64), np.zeros(2, np.int64), np.arange(n)
    for s in range(len(table)):
        x, out, numeric = columns[slot_column[s]], table[s], slot_numeric[s]
        order, m, first = orders[slot_column[s]] if len(orders) else every, 0, 0
        while len(orders) and first < n and x[order[first]] == MISSING:  # which is below all values
            first += 1
        if len(orders) == 0:
            m = _range(x, likely)
        for own in (strategy == 0, False):  # a class without any value: all values
            if m == 0 and len(orders):
                m = _likely(x, order[first:], own, classes, slot_class[s], likely, rank[first:])
        u = likely[:m]
        sums[0] = 0
        for j in range(m):
            sums[j + 1] = sums[j] + u[j]
        near[:], far[:], start = 0, 0, first
        for r in range(first, n):
            j = order[r]
            if len(orders) and (shape is None or not numeric) and x[j] != x[order[start]]:
                start = r  # thresholds are the value itself, whose place is known, and that of all rows that have it
                near[0], near[1] = rank[r], rank[r]
            if x[j] != MISSING:
                expected[j] = _expected(x[j], u, sums, numeric, strategy, shape, near, far)
        totals[:], counts[:] = 0, 0
        for j in range(n):
            if x[j] != MISSING:
                g = expected[j]
                totals[classes[j]] += g
                counts[classes[j]] += 1
                out[j] = g - (shaped(x[j] - MISSING, shape) if numeric else 1.0)
        total, count = totals.sum(), max(counts.sum(), 1.0)
        for j in range(n):
            if x[j] == MISSING:
                if strategy == 0:
                    c = classes[j]
                    g = totals[c] / counts[c] if counts[c] > 0 else total / count
                else:
                    g = _both_missing(u, numeric, strategy, shape)
                out[j] = g / 2


@kernel
def _likely(x, order, own, classes, kind, out, rank):
    """Values of one class, or all, in their order; rank: how many come before each; returns how many there are."""
    m = 0
    for r in range(len(order)):
        out[m], rank[r] = x[order[r]], m
        m += not own or classes[order[r]] == kind
    return m


@kernel
def _range(x, out):
    """The least and the largest of the values present; returns how many numbers that are."""
    low, high = np.inf, -np.inf
    for j in range(len(x)):
        low = x[j] if x[j] != MISSING and x[j] < low else low
        high = x[j] if x[j] != MISSING and x[j] > high else high
    out[0], out[1] = low, high
    return 2 if low <= high else 0


@kernel
def _expected(x, u, sums, numeric, strategy, shape, near, far):
    """Expected diff of a value x and an unknown one; u (m,) sorted: what the unknown one may be, sums (m + 1,) of it;
    near and far (2,): places in u of what no smaller x was above, for two thresholds."""
    m = len(u)
    if strategy == 1 or m == 0:
        return 0.0
    if strategy == 3:
        return 1.0
    if not numeric:
        if strategy == 2 or strategy == 4:
            return 1 - 1 / _distinct(u)
        near[0], near[1] = _step(x, u, True, near[0]), _step(x, u, False, near[1])
        return 1 - (near[0] - near[1]) / m
    if strategy == 4:  # the largest possible
        return shaped(max(x - u[0], 1 - (x - u[0])), shape)
    if strategy == 2:
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
        return _excess(x, u, sums, sums[0], near)  # 0: a constant would be added up in another order
    low, slope, squared = shape
    if squared:
        return max(((u - x) ** 2).sum() / m, 0.0)
    return slope * (_excess(x, u, sums, low, near) - _excess(x, u, sums, low + 1 / slope, far))


@kernel
def _both_missing(u, numeric, strategy, shape):
    if len(u) == 0:
        return 0.0
    if strategy == 4:
        return 1.0 if numeric else 1 - 1 / _distinct(u)
    if strategy != 2 or u[0] == u[len(u) - 1]:
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
def _excess(x, u, sums, t, at):
    """Mean of max(0, |u - x| - t); at (2,): how many of the sorted u are up to x + t, and below x - t, at least."""
    m = len(u)
    at[0], at[1] = _step(x + t, u, True, at[0]), _step(x - t, u, False, at[1])
    above, below = at[0], at[1]
    return ((sums[m] - sums[above] - (m - above) * (x + t)) + (below * (x - t) - sums[below])) / m


@kernel
def _uniform_excess(x, t):
    """Expectation of max(0, |U - x| - t) for U uniform on [0, 1]."""
    return (max(1 - x - t, 0.0) ** 2 + max(x - t, 0.0) ** 2) / 2


@kernel
def _step(x, u, equal, a):
    """Number of the sorted u that are less than x, or `equal` to it, if `a` of them are for sure."""
    while a < len(u) and (u[a] < x or (equal and u[a] == x)):
        a += 1
    return a


@kernel
def _distinct(u):
    count = 1
    for j in range(1, len(u)):
        count += u[j] != u[j - 1]
    return count
