"""Sums of weighted diffs over the neighbours at each place of lists, and sums of these over places.

`every_k.py` makes scores for every number of neighbours of them.
"""

from collections.abc import Iterator
from itertools import product
from typing import cast

import numpy as np

from ..kernels.diff import add_diffs
from ..kernels.jit import kernel
from .formats.lists import Neighbours
from .formats.missing import Corrections
from .formats.pair_sums import PairList
from .formats.sums import CorrectedSpan, in_spans
from .run import Run

PLACES_AT_ONCE = 32  # whose sums are made before the next ones are asked for
PLACES_OF_PART = 2  # of them, that one thread takes
FEATURES_AT_ONCE = 1024  # of a pass over pairs


def sums_by_place(run: Run, neighbours: Neighbours, weights: np.ndarray) -> Iterator[np.ndarray]:
    """Sums over the pairs of each place of lists; sums of one place are added by one thread, in the order of the rows.

    Each place is a unit of the work.

    Shapes: `weights` (m, G, K); returns (c, p).
    """
    if in_spans(run.features):
        yield _in_spans(run, neighbours, weights)
        return
    f = run.features
    whole = f.is_sparse or f.packed is not None or f.missing is not None
    for first in range(0, neighbours.cols.shape[2], PLACES_AT_ONCE):
        some = slice(first, first + PLACES_AT_ONCE)
        cols = np.ascontiguousarray(neighbours.cols[:, :, some])
        yield (_whole if whole else _dense)(run, neighbours.rows, cols, np.where(cols >= 0, weights[:, :, some], 0.0))


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
    """Sums (c, p) of sparse, packed or incomplete rows, one place at a time."""

    def place(q: int) -> np.ndarray:
        run.work.tick(1)
        return run.sums.of_pairs(PairList.of_lists(rows, cols[:, :, q], [weights[:, :, q]], run.sums.dtype))

    return np.array(run.work.map(place, range(cols.shape[2])))


def _in_spans(run: Run, neighbours: Neighbours, weights: np.ndarray) -> np.ndarray:
    """Sums (c, p) of rows whose tables of missing values are made anew for some features at a time: once for all
    places."""
    run.distance.forget()
    sums, missing = run.sums, cast("Corrections", run.features.missing)
    out = np.zeros((neighbours.cols.shape[2], len(sums.zeros())))
    pairs = [
        PairList.of_lists(neighbours.rows, neighbours.cols[:, :, place], [weights[:, :, place]], sums.dtype)
        for place in range(len(out))
    ]

    def add_span(span: tuple[int, int]) -> None:
        first, last = span
        sums_of_place = sums.zeros()
        last = last if last < run.p else len(sums_of_place)
        corrected = CorrectedSpan((first, last), missing.span(*span))
        for place in range(len(out)):
            run.work.tick((last - first) / run.p)
            sums_of_place[first:last] = 0
            sums.add(pairs[place], sums_of_place, corrected)
            out[place, first:last] = sums_of_place[first:last]

    run.work.map(add_span, missing.spans())
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
            wa = weights[r]
            wb = weights[r + 1]
            wc = weights[r + 2]
            wd = weights[r + 3]
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
    own = np.empty(size, np.int64)
    others = np.empty(size, np.int64)
    w = np.empty(size, X.dtype)
    for q in range(places[0], places[1]):
        m = 0
        for b in range(len(rows)):
            for g in range(n_groups):
                own[m] = rows[b]
                others[m] = cols[b, g, q]
                w[m] = weights[b, g, q]
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
    wa = w[0]
    wb = w[1]
    wc = w[2]
    wd = w[3]
    for f in range(cut):
        total[f] += (wa * abs(a[f] - e[f]) + wb * abs(b[f] - g[f])) + (wc * abs(c[f] - h[f]) + wd * abs(d[f] - k[f]))
    for f in range(cut, len(total)):
        total[f] += (wa * (a[f] != e[f]) + wb * (b[f] != g[f])) + (wc * (c[f] != h[f]) + wd * (d[f] != k[f]))
