"""Neighbours without a feature: what a heavy feature's own score is made of.

A feature that weighs much in a distance decides who is near: hits and misses alike agree on it, and its score falls
to nothing.  So its neighbours are looked up by the distance less its own part.
"""

from dataclasses import dataclass

import numpy as np

from ..data.features import Features
from ..data.missing import MISSING
from ..jit import kernel
from ..parallel import PARTS
from ..relief.neighbours import Neighbours
from ..relief.run import Run
from .rows import Members, Rows

FEW = 12  # places that are counted back from the end of a list
CHUNK = 16  # distances that are skipped together when none of them is near enough
TIES = {np.float64: 2.0**-36, np.float32: 2.0**-19}  # relative difference of distances that are tied


@dataclass(frozen=True)
class Columns:
    """Some features (H,), one after the other, rows in the order of `Members`.

    values (H, n); slots (H, n): row of `table` (slots, n) with what a missing value adds, -1: known.
    """

    values: np.ndarray
    slots: np.ndarray
    table: np.ndarray
    numeric: np.ndarray
    ignore: bool

    @classmethod
    def of(cls, features: Features, chosen: np.ndarray, order: np.ndarray) -> "Columns":
        found, missing = features.values[:, chosen], features.missing
        values = np.asarray((found.toarray() if features.is_sparse else found).T[:, order], dtype=np.float64, order="C")
        slots, table = np.full(values.shape, -1, np.int64), np.zeros((0, len(order)))
        if missing is not None:
            rows = np.repeat(np.arange(len(order)), np.diff(missing.indptr))
            places = np.argsort(order)
            for h, f in enumerate(chosen):
                own = missing.features == f
                slots[h, places[rows[own]]] = missing.slots[own]
            wanted, where = np.unique(slots, return_inverse=True)
            lacking = int((wanted < 0).any())
            slots = where.reshape(slots.shape) - lacking
            table = np.asarray(missing.table[wanted[lacking:]][:, order], dtype=np.float64, order="C")
        return cls(values, slots, table, chosen < features.n_numeric, bool(missing and missing.ignore))


@dataclass(frozen=True)
class OwnMeans:
    """Means as updates take them, (3, m, G, H): of diff, of t * diff and of t over the neighbours of a row; NaN where
    none has the feature.  With a t of 0 where the update does not ask for it."""

    means: np.ndarray

    def diffs(self, near: Neighbours) -> np.ndarray:
        """(b, G, H)."""
        return self.means[0]

    def with_target(self, near: Neighbours, t: np.ndarray) -> np.ndarray:
        """(3, b, G, H); t is known already."""
        return self.means


def own_means(run: Run, rows: Rows, near: Neighbours, weights: np.ndarray, chosen: np.ndarray) -> OwnMeans:
    """For the features `chosen` (H,), as the run numbers them: k nearest without the feature, all ties at the k-th.

    near: the k nearest rows with all features; weights (p,) of the features in the distance.
    """
    members = Members.of(run)
    columns = Columns.of(run.features, chosen, members.rows)
    by_class = run.update.by_class(run.target)
    out = np.empty((3, run.m, run.n_groups, len(chosen)))
    known = rows.distance.known if columns.ignore else None
    parts = columns.values, columns.slots, columns.table, columns.numeric, weights[chosen]
    how = MISSING, run.features.diff.shape, TIES[np.float64 if run.exact is None else np.float32]

    def part(number: int) -> None:
        for distances, block in rows.blocks(number):
            first, last = int(block[0]), int(block[-1]) + 1
            t, seen, whole = np.zeros((len(block), 1)), np.zeros((0, 0)), 0.0
            if not by_class:
                finite = np.where(distances < np.inf, distances, 0)
                t = run.target.difference(block[:, None], np.arange(run.n), finite)[:, members.rows]
            if known:
                seen, whole = known.seen(first, last, 0, run.n)[:, members.rows], known.whole
            lists = members.rows, members.starts, members.places[block], members.places[near.cols[first:last]]
            _own_means(distances, lists, parts, how, np.ascontiguousarray(t), seen, whole, out[:, first:last])

    run.work.map(part, range(PARTS))
    return OwnMeans(out)


@kernel
def _own_means(D, lists, parts, how, t, seen, whole, out):
    values, slots, table, numeric, weights = parts
    (members, starts, places, near), (missing, shape, tie), n = lists, how, D.shape[1]
    d, diff, less, at, x = np.empty(n), np.empty(n), np.empty(n), np.empty(n, np.int64), np.empty(n)
    for b in range(len(D)):
        for s in range(n):
            d[s] = D[b, members[s]]
        for h in range(len(weights)):
            v = weights[h]
            _diffs(values[h], slots[h], table, numeric[h], shape, missing, len(seen) > 0, places[b], diff)
            if len(seen) > 0:
                _less_of_means(d, seen[b], whole, v, diff, less)
            else:
                for s in range(n):
                    less[s] = d[s] - v * diff[s]
            for g in range(len(starts) - 1):
                _mean((starts[g], starts[g + 1]), near[b, g], less, tie, v, diff, t[b], at, x, out[:, b, g, h])


@kernel
def _diffs(x, slot, table, numeric, shape, missing, ignore, i, out):
    """Diffs of row i to all rows in a feature; -1 where they are ignored."""
    low, slope, squared = shape
    y = x[i]
    if not numeric:
        for j in range(len(x)):
            out[j] = 1.0 if x[j] != y else 0.0
    elif slope == 0:
        for j in range(len(x)):
            out[j] = abs(x[j] - y)
    else:
        for j in range(len(x)):
            q = min(max((abs(x[j] - y) - low) * slope, 0.0), 1.0)
            out[j] = q * q if squared else q
    if len(table) == 0:
        return
    if ignore:
        for j in range(len(x)):
            out[j] = -1.0 if y == missing or x[j] == missing else out[j]
        return
    for j in range(len(x)):
        if slot[j] >= 0:
            out[j] += table[slot[j], i]
    if slot[i] >= 0:
        row = table[slot[i]]
        for j in range(len(x)):
            out[j] += row[j]


@kernel
def _less_of_means(D, seen, whole, v, diff, out):
    """Distances that are means over the features both rows have, less one of them, on the scale of D."""
    for j in range(len(D)):
        out[j] = D[j]
        if diff[j] >= 0 and D[j] < np.inf:
            rest = seen[j] - v
            out[j] = (D[j] * seen[j] / whole - v * diff[j]) / rest * whole if rest > 1e-9 * whole else whole


@kernel
def _mean(group, near, less, tie, v, diff, t, at, x, out):
    """Over the rows of a group that are no farther than the k-th, k and a bound of whose distance `near` tells."""
    k, bound, total, both, changed, count = 0, -np.inf, 0.0, 0.0, 0.0, 0.0
    while k < len(near) and near[k] >= 0:
        bound = max(bound, less[near[k]])
        k += 1
    if k > 0:
        m = _below(less, group, bound + tie * (abs(bound) + v), at)
        for s in range(m):
            x[s] = less[at[s]]
        last = _kth(x[:m], k)
        last += tie * (abs(last) + v)
        for s in range(m):
            d = diff[at[s]]
            if less[at[s]] <= last and d >= 0:
                tt = t[at[s]] if len(t) > 1 else t[0]
                count += 1
                total += d
                both += d * tt
                changed += tt
    out[0] = total / count if count > 0 else np.nan
    out[1] = both / count if count > 0 else np.nan
    out[2] = changed / count if count > 0 else np.nan


@kernel
def _below(less, group, bound, at):
    """Places in a group whose value is at most `bound`, into `at`; returns how many."""
    m = 0
    for a in range(group[0], group[1], CHUNK):
        row = less[a : min(a + CHUNK, group[1])]
        hits = 0
        for s in range(len(row)):
            hits += row[s] <= bound
        if hits:
            for s in range(len(row)):
                at[m] = a + s
                m += row[s] <= bound
    return m


@kernel
def _kth(x, k):
    """The k-th smallest (from 1) of x, which is reordered; where few are larger, these are taken away one by one."""
    many = len(x) - k
    if many > FEW:
        return _smallest(x, k)
    last = x.max()
    while many > 0:
        tied, following = 0, -np.inf
        for s in range(len(x)):
            tied += x[s] == last
            following = max(following, x[s] if x[s] < last else -np.inf)
        many -= tied
        last = following if many >= 0 else last
    return last


@kernel
def _smallest(x, k):
    """The k-th smallest (from 1) of x, which is reordered."""
    low, high, k = 0, len(x) - 1, k - 1
    while low < high:
        middle = (low + high) // 2
        a, b, c = x[low], x[middle], x[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return x[k]
