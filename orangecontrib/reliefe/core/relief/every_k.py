"""Sums over the pairs of each place of lists of neighbours, and sums of these with weights of places."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import cast

import numpy as np

from ..forms.lists import Neighbours, OwnMeans
from ..forms.missing import Corrections
from ..forms.sums import FEATURES_AT_ONCE, Lists, in_spans
from ..kernels.diff import add_diffs
from ..kernels.jit import kernel
from ..neighbourhoods.k_nearest import KNearest
from ..outputs.places import Places, place_weights, places_of
from ..outputs.scores import Total
from ..outputs.spread import DiffMoments, Folding, WeightSums, has_short_form
from ..work.threads import Work
from .run import Run, in_blocks

PLACES_AT_ONCE = 32  # whose sums are made before the next ones are asked for
PLACES_OF_PART = 2  # of them, that one thread takes


def sums_by_place(run: Run, near: Neighbours, weights: np.ndarray) -> Iterator[np.ndarray]:
    """Sums over the pairs of each place of lists; sums of one place are added by one thread, in the order of the rows.

    Each place is a unit of the work.

    Shapes: `weights` (m, G, K); returns (c, p).
    """
    if in_spans(run.features):
        yield _in_spans(run, near, weights)
        return
    f = run.features
    whole = f.is_sparse or f.packed is not None or f.missing is not None
    for first in range(0, near.cols.shape[2], PLACES_AT_ONCE):
        some = slice(first, first + PLACES_AT_ONCE)
        cols = np.ascontiguousarray(near.cols[:, :, some])
        yield (_whole if whole else _dense)(run, near.rows, cols, np.where(cols >= 0, weights[:, :, some], 0.0))


def _dense(run: Run, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sums (c, p) of dense rows without missing values."""
    f, (n_places, p) = run.features, (cols.shape[2], run.p)
    out = np.empty((n_places, f.padded))

    def part(where: tuple[int, int]) -> None:
        place, first = where
        places, span = (place, min(place + PLACES_OF_PART, n_places)), (first, min(first + FEATURES_AT_ONCE, f.padded))
        run.work.tick((places[1] - place) * (span[1] - first) / f.padded)
        _place_sums(f.values, span, f.n_numeric, f.diff.shape, rows, cols, weights, places, out)

    parts = list(product(range(0, n_places, PLACES_OF_PART), range(0, f.padded, FEATURES_AT_ONCE)))
    run.work.map(part, parts)
    return out[:, :p]


def _whole(run: Run, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The same of other rows, one place at a time."""

    def place(q: int) -> np.ndarray:
        run.work.tick(1)
        one = np.ascontiguousarray(cols[:, :, q]), np.ascontiguousarray(weights[:, :, q])
        return run.sums.pairs(rows, *one)

    return np.array(run.work.map(place, range(cols.shape[2])))


def _in_spans(run: Run, near: Neighbours, weights: np.ndarray) -> np.ndarray:
    """The same where what missing values add is made anew for some features at a time: once for all places."""
    run.distance.forget()
    sums, missing = run.sums, cast("Corrections", run.features.missing)
    out = np.zeros((near.cols.shape[2], len(sums.zeros())))
    found = np.where(near.cols >= 0, weights, 0.0)
    cols, found = (np.ascontiguousarray(a.transpose(2, 0, 1)) for a in (near.cols, found))

    def span(where: tuple[int, int]) -> None:
        own, some, (first, last) = sums.zeros(), missing.span(*where), where
        last = last if last < run.p else len(own)
        for place in range(len(out)):
            run.work.tick((last - first) / run.p)
            own[first:last] = 0
            sums.add(Lists(near.rows, cols[place], found[place]), own, ((first, last), some))
            out[place, first:last] = own[first:last]

    run.work.map(span, missing.spans())
    return out[:, : run.p]


def weighted(sums: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum (p,) of rows of sums (r, p) times weights (r,)."""
    out = np.empty(sums.shape[1])
    some = np.flatnonzero(weights)
    _weighted(sums, some, weights[some], out)
    return out


@kernel
def _weighted(sums, rows, weights, out):
    """Four rows a sweep, in double precision."""
    n = len(rows)
    for f0 in range(0, len(out), FEATURES_AT_ONCE):
        total = out[f0 : f0 + FEATURES_AT_ONCE]
        total[:] = 0
        f1 = f0 + len(total)
        for r in range(0, n // 4 * 4, 4):
            a, b = sums[rows[r], f0:f1], sums[rows[r + 1], f0:f1]
            c, d = sums[rows[r + 2], f0:f1], sums[rows[r + 3], f0:f1]
            wa, wb, wc, wd = weights[r], weights[r + 1], weights[r + 2], weights[r + 3]
            for f in range(len(total)):
                total[f] += (wa * a[f] + wb * b[f]) + (wc * c[f] + wd * d[f])
        for r in range(n // 4 * 4, n):
            a, wa = sums[rows[r], f0:f1], weights[r]
            for f in range(len(total)):
                total[f] += wa * a[f]


@kernel
def _place_sums(X, span, n_numeric, shape, rows, cols, weights, places, out):
    """Weighted diffs of the pairs of places [first, last) of lists (m, G, K) for the features of a span, put into out
    (K, padded)."""
    (f0, f1), n_groups = span, cols.shape[1]
    cut, size = min(max(n_numeric, f0), f1) - f0, len(rows) * n_groups + 4
    own, others, w = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, X.dtype)
    for q in range(places[0], places[1]):
        m = 0
        for b in range(len(rows)):
            for g in range(n_groups):
                own[m], others[m], w[m] = rows[b], cols[b, g, q], weights[b, g, q]
                m += weights[b, g, q] != 0
        total = out[q, f0:f1]
        total[:] = 0
        if m and shape is None:
            own[m : m + 4], others[m : m + 4], w[m : m + 4] = own[0], own[0], 0
            for s in range(0, m, 4):
                _add_four(X, own[s : s + 4], others[s : s + 4], w[s : s + 4], span, cut, total)
        else:
            for s in range(m):
                add_diffs(X[own[s], f0:f1], X[others[s], f0:f1], w[s], cut, shape, total)


@kernel
def _add_four(X, i, j, w, span, cut, total):
    """Weighted diffs of four pairs, added to total (f1 - f0,)."""
    f0, f1 = span
    a, b, c, d = X[i[0], f0:f1], X[i[1], f0:f1], X[i[2], f0:f1], X[i[3], f0:f1]
    e, g, h, k = X[j[0], f0:f1], X[j[1], f0:f1], X[j[2], f0:f1], X[j[3], f0:f1]
    wa, wb, wc, wd = w[0], w[1], w[2], w[3]
    for f in range(cut):
        total[f] += (wa * abs(a[f] - e[f]) + wb * abs(b[f] - g[f])) + (wc * abs(c[f] - h[f]) + wd * abs(d[f] - k[f]))
    for f in range(cut, len(total)):
        total[f] += (wa * (a[f] != e[f]) + wb * (b[f] != g[f])) + (wc * (c[f] != h[f]) + wd * (d[f] != k[f]))


def weight_sums(run: Run, near: Neighbours, places: Places, sigma: float | None, by_place: bool) -> list[WeightSums]:
    """Sums of the folded weights of pairs for 1 to K neighbours."""
    if by_place and places.count <= MAX_CHANNELS:
        return _cumulative(run.n, near, places, place_weights(near.cols.shape[2], sigma))
    folding, m, found = Folding(), len(near.rows), []  # pairs that are in two lists are found once
    for k in range(1, near.cols.shape[2] + 1):
        run.work.tick()
        weights = np.zeros(near.cols.shape)
        weights[:, :, :k] = run.update.coefficients(near.cut(k).weigh(sigma), run.target, m)
        found.append(folding.sums(run.n, Lists(near.rows, near.cols, weights)))
    return found


def _cumulative(n: int, near: Neighbours, places: Places, of_place: np.ndarray) -> list[WeightSums]:
    """Sums over the places so far: a pair in two lists adds a product where the farther one of its places is."""
    C, K, there = places.count, near.cols.shape[2], near.cols >= 0
    weights = [np.where(there, places.weights(c) * of_place, 0.0) for c in range(C)]
    first, second = _twice(n, near)
    later = np.maximum(first % K, second % K)
    total, squares, of_rows = np.zeros((K, C)), np.zeros((K, C, C)), np.zeros((K, C, C))
    for c in range(C):
        total[:, c] = weights[c].sum(axis=(0, 1))
        for d in range(C):
            squares[:, c, d] += (weights[c] * weights[d]).sum(axis=(0, 1))
            both = weights[c].ravel()[first] * weights[d].ravel()[second]
            for a, b in ((c, d), (d, c)):
                squares[:, a, b] += np.bincount(later, both, K)
    sums = np.zeros((C, n))
    for q in range(K):
        some = there[:, :, q]
        own, others = near.rows[np.nonzero(some)[0]], near.cols[:, :, q][some]
        for c in range(C):
            found = weights[c][:, :, q][some]
            sums[c] += np.bincount(own, found, n) + np.bincount(others, found, n)
        of_rows[q] = np.einsum("cn,dn->cd", sums, sums)
    scales = places.scales(of_place)
    totals = np.einsum("kc,kc->k", scales, np.cumsum(total, axis=0))
    quadratic = (np.einsum("kc,kcd,kd->k", scales, a, scales) for a in (np.cumsum(squares, axis=0), of_rows))
    return [WeightSums(*map(float, sums)) for sums in zip(totals, *quadratic, strict=True)]


def _twice(n: int, near: Neighbours) -> tuple[np.ndarray, np.ndarray]:
    """Flat places (t,) of the neighbours that have the row among theirs, too, and where: each pair once."""
    shape, flat = near.cols.shape, near.cols.ravel().astype(np.int64)
    rows = np.repeat(near.rows.astype(np.int64), shape[1] * shape[2])
    there = np.flatnonzero(flat >= 0)
    i, j = rows[there], flat[there]
    up, down = there[i < j], there[i > j]
    keys, wanted = rows[up] * n + flat[up], flat[down] * n + rows[down]
    order = np.argsort(keys, kind="stable")
    place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
    hit = keys[order][place] == wanted if len(keys) else np.zeros(0, bool)
    return up[order][place[hit]] if len(keys) else up, down[hit]


MAX_CHANNELS = 8  # sums by place of so many channels are kept; of more, scores are summed anew
MAX_SUM_BYTES = 2**26  # of sums by place
MAX_LIST_BYTES = 2**28  # of lists
MIN_ROWS = 4  # fewer have no spread


@dataclass(frozen=True, eq=False)
class AllK:
    """Sums by place of one ranking; scores are in the caller's order of features."""

    run: Run  # the ranking, scores of which are sums over pairs
    # Lists (m, G, K) of its targets by the groups of the update, sorted by distance in every place, not weighed
    near: Neighbours
    places: Places | None  # their channels; None of residuals, whose means are those of each row's neighbours
    sums: np.ndarray | None  # (C * K, p): sums by place, channel after channel; None: there are too many channels
    few: Callable[[np.ndarray], Run]  # from a mask (p,) of features to a run that has these alone
    width: int = 1  # rows in a list for each neighbour

    @classmethod
    def of(cls, run: Run, asked: int, few: Callable[[np.ndarray], Run], width: int = 1) -> "AllK":
        """Search and sums for up to `asked` neighbours, each of `width` rows."""
        groups, work = run.update.search_groups(run.target), run.work
        most = run.n if groups is None else int(np.bincount(groups).max())
        wanted = max(min(asked * width, most - 1, MAX_LIST_BYTES // (16 * run.m * run.n_groups)), 1)
        with work.part(0, 0.7):
            work.plan(run.n_pairs)
            found = run.find(KNearest(wanted), ordered=True)
            near = run.update.regroup(found, run.target, run.ids, wanted)
        ids = run.ids[near.rows]
        near = near[np.argsort(ids)] if (np.diff(ids) < 0).any() else near
        if run.target.is_residual:
            run.distance.forget()
            return cls(replace(run, work=Work(work.workers)), near, None, None, few, width)
        places = places_of(run.update, near, run.target, run.m)
        room = max(MAX_SUM_BYTES // (4 * run.p * max(places.count, 1)), 1)
        if room < near.cols.shape[2] and places.count <= MAX_CHANNELS:
            near = near.cut(room)
            places = places_of(run.update, near, run.target, run.m)
        with work.part(0.7, 1):
            sums = _sums(run, near, places) if places.count <= MAX_CHANNELS else None
        run.distance.forget()
        return cls(replace(run, work=Work(work.workers)), near, places, sums, few)

    @property
    def K(self) -> int:
        """Largest number of neighbours."""
        return max(int(self.near.cols.shape[2]) // self.width, 1)

    @cached_property
    def tied(self) -> bool:
        """True if rows are as near as others in the same list."""
        d, there = self.near.distances, self.near.cols[:, :, 1:] >= 0
        return bool((there & (d[:, :, 1:] == d[:, :, :-1])).any())

    def by_place(self, sigma: float | None) -> bool:
        """True if the weights of neighbours depend on their places alone."""
        return sigma is None or not self.tied

    def at_once(self, sigma: float | None) -> bool:
        """True if scores come from sums by place."""
        return self.sums is not None and self.by_place(sigma)

    def scores(self, k: int, sigma: float | None) -> np.ndarray:
        """Scores (p,) for k neighbours, 1 to K."""
        if self.places is None or self.sums is None or not self.by_place(sigma):
            return self._anew(self.run, k, sigma)
        of_place = place_weights(self.K, sigma)
        factors = self.places.scales(of_place)[k - 1][:, None] * of_place * (np.arange(self.K) < k)
        return self.run.unsort(weighted(self.sums, factors.ravel()))

    def curves(self, features: np.ndarray, sigma: float | None) -> np.ndarray:
        """Scores (K, c) of some features (c,) for 1 to K neighbours."""
        if self.places is None or self.sums is None or not self.by_place(sigma):
            run, order = self._few(features)
            return np.array([self._anew(run, k, sigma) for k in range(1, self.K + 1)])[:, order]
        place, of_place = np.argsort(self.run.features.columns)[features], place_weights(self.K, sigma)
        sums = self.sums[:, place].astype(float).reshape(-1, self.K, len(features))
        found: np.ndarray = np.einsum(
            "kc,ckf->kf", self.places.scales(of_place), np.cumsum(sums * of_place[:, None], axis=1)
        )
        found[:, self.run.without_score[features]] = 0
        return found

    def _anew(self, run: Run, k: int, sigma: float | None) -> np.ndarray:
        """Scores of the features of a run, summed anew."""
        some = self.near.cut(k * self.width)
        some = replace(some, cols=np.ascontiguousarray(some.cols)).weigh(sigma)  # as kernels are compiled for
        if run.update.balances:  # by all features
            run = replace(run, update=self.run.balanced(KNearest(k), some).update)
        return run.unsort(run.by_lists(some).scores)

    def spread(self, features: np.ndarray, sigma: float | None) -> tuple[np.ndarray, np.ndarray] | None:
        """Mean and standard deviation (K, c) of these scores over random orders of the values of a feature; None where
        they have no closed form."""
        if self.places is None or self.run.n < MIN_ROWS or not has_short_form(self.run.features.diff):
            return None
        run, order = self._few(features)
        moments = DiffMoments.of(run.features)
        sums = weight_sums(self.run, self.near, self.places, sigma, self.by_place(sigma))
        mean, deviation = np.array([moments.spread(one) for one in sums]).transpose(1, 0, 2)
        found = [run.features.unsort(a)[:, order] for a in (mean, deviation)]
        for values in found:
            values[:, self.run.without_score[features]] = 0
        return found[0], found[1]

    def _few(self, features: np.ndarray) -> tuple[Run, np.ndarray]:
        """Run that has some features (c,) alone, and their places there."""
        mask = np.zeros(self.run.p, bool)
        mask[features] = True
        return replace(self.few(mask), target=self.run.target), np.cumsum(mask)[features] - 1


def _sums(run: Run, near: Neighbours, places: Places) -> np.ndarray:
    """Sums by place (C * K, p) in single precision."""
    K = near.cols.shape[2]
    out, row = np.empty((places.count * K, run.p), np.float32), 0
    run.work.plan(len(out))
    for channel in range(places.count):
        for block in sums_by_place(run, near, places.weights(channel)):
            out[row : row + len(block)] = block
            row += len(block)
    return out


def scores_of_every_k(run: Run, near: Neighbours) -> Iterator[np.ndarray]:
    """Scores for 1, 2, ... neighbours of each group.

    Where scores are sums over pairs, those for k neighbours are the mean of what the ranks 1 to k add: the time is that
    of the largest k alone.

    Returns shape (p,).
    """
    if run.means is not None:

        def of_means(block: tuple[float, Neighbours]) -> np.ndarray:  # (K, s, p), of `Update.from_means`
            out = np.zeros((near.cols.shape[2], 4, run.p))
            for means in run.mean_spans():
                (first, last), rows = means.span, block[1]
                sums: np.ndarray = np.zeros((2, *rows.cols.shape[:2], last - first))
                for rank in range(len(out)):  # one more neighbour of each group at a time
                    run.work.tick()
                    one = slice(rank, rank + 1)
                    added = Neighbours(rows.rows, rows.cols[:, :, one], rows.distances[:, :, one]).weigh()
                    sums += means.sums(added, np.zeros((1, 1, 1)))[:2]  # of weights, and of these times diffs
                    some = sums[0] > 0
                    so_far = OwnMeans(np.where(some, sums[1] / np.where(some, sums[0], 1), np.nan)[None])
                    out[rank, :, first:last] += run.update.from_means(rows, so_far, run.target)
            return out

        totals = run.reduce(in_blocks(near), [Total(of_means)])[0]
        yield from (run.unsort(run.update.scores(total, run.m)) for total in totals)
        return
    ids = run.ids[near.rows]
    near = near[np.argsort(ids)] if (np.diff(ids) < 0).any() else near
    signs = run.update.coefficients(near.cut(1).weigh(), run.target, run.m)
    total, k = np.zeros(run.p), 0
    for block in sums_by_place(run, near, np.broadcast_to(signs, near.cols.shape)):
        for added in block:
            total, k = total + added, k + 1
            yield run.unsort(total / k)
