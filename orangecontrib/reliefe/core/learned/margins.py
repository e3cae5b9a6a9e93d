"""What rows say of features, one number for each: margins.

Classes: for every target row and every other class the mean diff to its neighbours of that class less the mean diff to
those of its own.  Weighed by what classes are frequent they add up to the scores of ReliefF.  Other targets: for every
target row the covariance of diff and target difference over its neighbours, on the scale of what targets vary there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..data.features import Features, aligned
from ..jit import kernel
from ..parallel import PARTS
from ..relief.means import Means
from ..relief.neighbours import Neighbours
from ..relief.run import Run
from .rounds import Space

WIDTH = 128  # features whose margins are computed at once
LINE = 16  # margins that are written side by side
BLOCK = 16  # target rows likewise, where values are missing and ignored
NONE = np.zeros(0, np.int64)
TINY = 1e-12  # share of what targets can vary below which they do not


@dataclass(frozen=True)
class Margins:
    """Margins of a run by lists of neighbours.

    shares (R,): what each of the R margins weighs; they add up to 1 unless rows are left out.  varies: how much targets
    vary among neighbours.  heavy (H,): features that have margins of their own (H, R).
    """

    run: Run
    near: Neighbours
    shares: np.ndarray
    varies: float
    heavy: np.ndarray
    own: np.ndarray

    @classmethod
    def of(cls, run: Run, space: Space) -> "Margins":
        """By the neighbours of a space."""
        near, varies = space.near, 1.0
        if not _by_class(run):
            t = run.update.differences(near, run.target)
            mean = (near.weights * t).sum(axis=2, keepdims=True)
            varies = _divisor(mean * (1 - mean))
            if not run.row_wise:
                near = Neighbours(near.rows, near.cols, near.distances, near.weights * (t - mean) / varies)
        shares, own = _shares(run), np.empty((0, 0))
        if space.means is not None:
            diff, both, changed = space.means.means
            if _by_class(run):
                own = _differences(diff, run, near.rows)
            else:
                own = np.nan_to_num(both - diff * changed) / _divisor(np.nan_to_num(changed * (1 - changed)))
            own = np.ascontiguousarray(own.reshape(len(shares), -1).T)
        return cls(run, near, shares, varies, space.heavy, own)

    def columns(self, chosen: np.ndarray, moved: np.ndarray | None = None) -> np.ndarray:
        """(c, R) margins of features (c,), ascending, in the precision of the data.

        moved (n,): permuted numbers of rows, whose values take the place of each row's own.
        """
        features = _some(self.run.features, chosen)
        out = aligned((len(chosen), len(self.shares)), self.run.features.values.dtype)
        per_row, cuts = len(self.shares) // self.run.m, np.linspace(0, self.run.m, PARTS + 1).astype(int).tolist()

        def part(number: int) -> None:
            self.run.work.tick()
            step = BLOCK if self.run.row_wise else self.run.m
            for start in range(cuts[number], cuts[number + 1], step):
                near = self.near[start : min(start + step, cuts[number + 1])]
                rows = slice(start * per_row, (start + len(near.rows)) * per_row)
                self._block(near, features, moved, out[:, rows])

        self.run.work.map(part, range(PARTS))
        if moved is None and len(self.heavy):
            _, here, there = np.intersect1d(chosen, self.heavy, return_indices=True)
            out[here] = self.own[there]
        return out

    def _block(self, near: Neighbours, features: Features, moved: np.ndarray | None, out: np.ndarray) -> None:
        """Margins of some target rows into out (c, b R / m)."""
        run, told = self.run, near
        if moved is not None:
            cols = np.where(near.cols >= 0, moved[near.cols], -1)
            told = Neighbours(moved[near.rows], cols, near.distances, near.weights)
        if not run.row_wise:
            own = run.target.groups[near.rows] if _by_class(run) else np.full(len(near.rows), -1)
            _fill(told, features, own, out)
        elif _by_class(run):
            found = _differences(Means(features).diffs(told), run, near.rows)
            out[:] = found.reshape(-1, len(out)).T
        else:
            weight, diff, both, changed = Means(features).sums(told, run.update.differences(near, run.target))
            out[:] = ((both - diff * changed / np.where(weight > 0, weight, 1)) / self.varies)[:, 0].T


def all_columns(p: int) -> Iterator[np.ndarray]:
    """Features, as many at once as margins are made of."""
    for start in range(0, p, WIDTH):
        yield np.arange(start, min(start + WIDTH, p))


def _shares(run: Run) -> np.ndarray:
    """(R,) of every margin: of a row's classes by their frequency, none of a row that is alone in its class."""
    if not run.update.by_class(run.target):
        return np.full(run.m, 1.0 / run.m)
    own, counts = run.target.groups[: run.m], np.bincount(run.target.groups)
    prior = counts / run.n
    shares = np.where(counts[own] > 1, 1.0, 0.0)[:, None] * prior / (1 - prior[own])[:, None] / run.m
    return shares[np.arange(len(counts)) != own[:, None]]


def _by_class(run: Run) -> bool:
    return run.update.by_class(run.target)


def _divisor(varies: np.ndarray) -> float | np.ndarray:
    """Mean over the rows; infinite where nothing varies."""
    mean = varies.mean(axis=(0, 1))
    return np.where(mean > TINY, mean, np.inf)


def _differences(means: np.ndarray, run: Run, rows: np.ndarray) -> np.ndarray:
    """(b, G, c) means by class -> (b, G - 1, c) less that of the own class; 0 where one of them is unknown."""
    own = run.target.groups[rows]
    hits = np.take_along_axis(means, own[:, None, None].astype(np.int64), axis=1)
    others = np.arange(means.shape[1]) != own[:, None]
    return np.nan_to_num(means - hits)[others].reshape(len(own), -1, means.shape[2])


def _some(features: Features, chosen: np.ndarray) -> Features:
    """Some features alone, dense; `missing` has their entries, and `padded` does not count."""
    p, missing = features.shape[1], features.missing
    whole = len(chosen) > 0 and chosen[-1] - chosen[0] + 1 == len(chosen)
    values = features.values[:, chosen[0] : chosen[-1] + 1] if whole else features.values[:, chosen]
    values = np.ascontiguousarray(values.toarray() if features.is_sparse else values)
    if missing is not None:
        place = np.full(p, -1, np.int64)
        place[chosen] = np.arange(len(chosen))
        kept = place[missing.features] >= 0
        ends = np.concatenate([[0], np.cumsum(kept)])
        indptr, entries = ends[missing.indptr], place[missing.features[kept]]
        missing = replace(missing, indptr=indptr, features=entries, slots=missing.slots[kept])
    n_numeric = int(np.searchsorted(chosen, min(features.n_numeric, p)))
    columns = features.columns[chosen]
    return replace(features, values=values, n_numeric=n_numeric, columns=columns, missing=missing)


def _fill(near: Neighbours, features: Features, own: np.ndarray, out: np.ndarray) -> None:
    """own (b,): group whose weighted sums are taken from those of the others, which are margins then; -1: none."""
    lists, missing = (near.rows, near.cols, near.weights), features.missing
    entries = (np.zeros(features.shape[0] + 1, np.int64), NONE, NONE, np.zeros((0, 0), features.values.dtype))
    if missing is not None:
        entries = missing.indptr, missing.features, missing.slots, missing.table
    _margins(features.values, features.n_numeric, features.diff.shape, entries, lists, own, out)


@kernel
def _margins(X, n_numeric, shape, entries, lists, own, out):
    (rows, cols, weights), p, r = lists, len(out), 0
    sums, cut = np.empty((cols.shape[1], p), X.dtype), min(n_numeric, p)
    k = cols.shape[2]
    js, w, held = np.empty(k + 8, np.int64), np.empty(k + 8, X.dtype), np.empty((LINE, p), X.dtype)
    for b in range(len(rows)):
        sums[:], hits = 0, 0
        for g in range(cols.shape[1]):
            m = 0
            for q in range(k):
                js[m], w[m] = cols[b, g, q], weights[b, g, q]
                m += (cols[b, g, q] >= 0) & (weights[b, g, q] != 0)
            if shape[1] == 0:
                _add_row(X, X[rows[b]], rows[b], js, w, m, cut, sums[g])
            else:
                _add_row_shaped(X, X[rows[b]], js, w, m, cut, shape, sums[g])
            _add_corrections(entries, rows[b], js, w, m, sums[g])
            hits += m if g == own[b] else 0
        for g in range(len(sums)):
            if g != own[b]:
                _less(sums[g], sums[max(own[b], 0)], own[b] < 0, hits > 0, held[r % LINE])
                r += 1
                if r % LINE == 0:
                    _turn(held, out[:, r - LINE : r])
    _turn(held[: r % LINE], out[:, r - r % LINE : r])


@kernel
def _less(total, hits, alone, some, out):
    for f in range(len(out)):
        out[f] = total[f] if alone else total[f] - hits[f] if some else out.dtype.type(0)


@kernel
def _turn(rows, out):
    """Whole cache lines of each feature: single numbers in as many lines would drive each other out."""
    for f in range(len(out)):
        for s in range(len(rows)):
            out[f, s] = rows[s, f]


@kernel
def _add_row(X, x, i, js, w, m, cut, total):
    """total (p,) += sum_q w_q diff(x, X[js_q]), eight neighbours a sweep; js and w have room for 8 more than m."""
    js[m : m + 8], w[m : m + 8] = i, 0
    for q in range(0, m, 8):
        a, b, c, d = X[js[q]], X[js[q + 1]], X[js[q + 2]], X[js[q + 3]]
        e, g, h, k = X[js[q + 4]], X[js[q + 5]], X[js[q + 6]], X[js[q + 7]]
        wa, wb, wc, wd, we, wg, wh, wk = w[q], w[q + 1], w[q + 2], w[q + 3], w[q + 4], w[q + 5], w[q + 6], w[q + 7]
        for f in range(cut):
            total[f] += (
                (wa * abs(x[f] - a[f]) + wb * abs(x[f] - b[f])) + (wc * abs(x[f] - c[f]) + wd * abs(x[f] - d[f]))
            ) + ((we * abs(x[f] - e[f]) + wg * abs(x[f] - g[f])) + (wh * abs(x[f] - h[f]) + wk * abs(x[f] - k[f])))
        for f in range(cut, len(total)):
            total[f] += ((wa * (x[f] != a[f]) + wb * (x[f] != b[f])) + (wc * (x[f] != c[f]) + wd * (x[f] != d[f]))) + (
                (we * (x[f] != e[f]) + wg * (x[f] != g[f])) + (wh * (x[f] != h[f]) + wk * (x[f] != k[f]))
            )


@kernel
def _add_row_shaped(X, x, js, w, m, cut, shape, total):
    low, slope, squared = shape
    for q in range(m):
        y, weight = X[js[q]], w[q]
        for f in range(cut):
            diff = min(max((abs(x[f] - y[f]) - low) * slope, 0.0), 1.0)
            total[f] += weight * (diff * diff if squared else diff)
        for f in range(cut, len(total)):
            total[f] += weight * (x[f] != y[f])


@kernel
def _add_corrections(entries, i, js, w, m, total):
    indptr, features, slots, table = entries
    for q in range(m):
        j = js[q]
        for t in range(indptr[i], indptr[i + 1]):
            total[features[t]] += w[q] * table[slots[t], j]
        for t in range(indptr[j], indptr[j + 1]):
            total[features[t]] += w[q] * table[slots[t], i]
