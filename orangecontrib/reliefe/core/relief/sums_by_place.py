"""Sums of weighted diffs over the neighbours at each place of lists, and weighted sums of these.

The place of a neighbour is its rank in a list, from 0. `every_k.py` makes scores for every number of neighbours of the
sums by place.
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

PLACES_AT_ONCE = 32  # places whose sums are made before the next ones are asked for
PLACES_PER_THREAD = 2  # of these, places that one thread takes at a time
FEATURES_AT_ONCE = 1024  # features of a pass over pairs


def sums_by_place(run: Run, neighbours: Neighbours, weights: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the sums of weight times diff over the pairs at each place of lists, for some places after another.

    Sums of one place are added up by one thread, in the order of the rows. Each place is a unit of the work.

    Parameters
    ----------
    run : Run
        The ranking.
    neighbours : Neighbours
        Lists (m, G, K) of its target rows.
    weights : (m, G, K) array
        Weights of the neighbours.

    Yields
    ------
    (c, p) array
        Sums of the next c places.
    """
    features = run.features
    if in_spans(features):
        yield _in_spans(run, neighbours, weights)
        return
    is_dense = not features.is_sparse and features.packed is None and features.missing is None
    sum_places = _of_dense_rows if is_dense else _place_by_place
    for first in range(0, neighbours.cols.shape[2], PLACES_AT_ONCE):
        places = slice(first, first + PLACES_AT_ONCE)
        cols = np.ascontiguousarray(neighbours.cols[:, :, places])
        yield sum_places(run, neighbours.rows, cols, np.where(cols >= 0, weights[:, :, places], 0.0))


def weighted(sums: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum (p,) of rows of sums (r, p) times weights (r,)."""
    out = np.empty(sums.shape[1])
    rows = np.flatnonzero(weights)
    _add_weighted_rows(sums, rows, weights[rows], out)
    return out


def _of_dense_rows(run: Run, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sums (c, p) of dense rows (m,) without missing values, with lists cols and weights (m, G, c)."""
    features = run.features
    n_places = cols.shape[2]
    out = np.empty((n_places, features.padded))

    def add_corner(corner: tuple[int, int]) -> None:
        """Sum some places for some features, of which the first ones are given."""
        first_place, first_feature = corner
        places = (first_place, min(first_place + PLACES_PER_THREAD, n_places))
        span = (first_feature, min(first_feature + FEATURES_AT_ONCE, features.padded))
        run.work.tick((places[1] - places[0]) * (span[1] - span[0]) / features.padded)
        _place_sums(features.values, span, features.n_numeric, features.diff.shape, rows, cols, weights, places, out)

    first_places = range(0, n_places, PLACES_PER_THREAD)
    first_features = range(0, features.padded, FEATURES_AT_ONCE)
    run.work.map(add_corner, list(product(first_places, first_features)))
    return out[:, : run.p]


def _place_by_place(run: Run, rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sums (c, p) of sparse, packed or incomplete rows; parameters as of `_of_dense_rows`."""

    def sum_place(place: int) -> np.ndarray:
        run.work.tick(1)
        pairs = PairList.of_lists(rows, cols[:, :, place], [weights[:, :, place]], run.sums.dtype)
        return run.sums.of_pairs(pairs)

    return np.array(run.work.map(sum_place, range(cols.shape[2])))


def _in_spans(run: Run, neighbours: Neighbours, weights: np.ndarray) -> np.ndarray:
    """Sums (K, p) of rows whose tables of missing values are made for some features at a time: once for all places."""
    run.distance.forget()
    sums = run.sums
    missing = cast("Corrections", run.features.missing)
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


@kernel
def _add_weighted_rows(sums, rows, weights, out):
    """Set out[f] to the sum over r of weights[r] * sums[rows[r], f], four rows a sweep, in double precision.

    sums : (at least r, p)
    rows, weights : (r,)
    out : (p,)
    """
    n = len(rows)
    for f0 in range(0, len(out), FEATURES_AT_ONCE):
        total = out[f0 : f0 + FEATURES_AT_ONCE]
        total[:] = 0
        f1 = f0 + len(total)
        for r in range(0, n // 4 * 4, 4):
            a = sums[rows[r], f0:f1]
            b = sums[rows[r + 1], f0:f1]
            c = sums[rows[r + 2], f0:f1]
            d = sums[rows[r + 3], f0:f1]
            wa = weights[r]
            wb = weights[r + 1]
            wc = weights[r + 2]
            wd = weights[r + 3]
            for f in range(len(total)):
                total[f] += (wa * a[f] + wb * b[f]) + (wc * c[f] + wd * d[f])
        for r in range(n // 4 * 4, n):
            a = sums[rows[r], f0:f1]
            wa = weights[r]
            for f in range(len(total)):
                total[f] += wa * a[f]


@kernel
def _place_sums(X, span, n_numeric, shape, rows, cols, weights, places, out):
    """Set out[q, f], for places q and features f, to the sum over rows b and groups g of

        weights[b, g, q] * diff_f(rows[b], cols[b, g, q])

    X : (n, at least padded), of which the first n_numeric columns are numbers
    span, places : first and last features, and places
    shape : `Diff.shape`
    rows, cols, weights : (m,), (m, G, K) and (m, G, K)
    out : (K, padded)
    """
    f0, f1 = span
    n_groups = cols.shape[1]
    cut = min(max(n_numeric, f0), f1) - f0  # number of numeric features in the span
    size = len(rows) * n_groups + 4
    first_rows = np.empty(size, np.int64)
    second_rows = np.empty(size, np.int64)
    w = np.empty(size, X.dtype)
    for q in range(places[0], places[1]):
        # Pairs that weigh something
        m = 0
        for b in range(len(rows)):
            for g in range(n_groups):
                first_rows[m] = rows[b]
                second_rows[m] = cols[b, g, q]
                w[m] = weights[b, g, q]
                m += weights[b, g, q] != 0
        total = out[q, f0:f1]
        total[:] = 0
        if m and shape is None:
            # Four at a time; the last four may be filled up with pairs of weight 0
            first_rows[m : m + 4] = first_rows[0]
            second_rows[m : m + 4] = first_rows[0]
            w[m : m + 4] = 0
            for s in range(0, m, 4):
                _add_four(X, first_rows[s : s + 4], second_rows[s : s + 4], w[s : s + 4], span, cut, total)
        else:
            for s in range(m):
                add_diffs(X[first_rows[s], f0:f1], X[second_rows[s], f0:f1], w[s], cut, shape, total)


@kernel
def _add_four(X, i, j, w, span, cut, total):
    """Add sum over four pairs r of w[r] * diff_f(i[r], j[r]) to total (f1 - f0,), for plain diffs."""
    f0, f1 = span
    a = X[i[0], f0:f1]
    b = X[i[1], f0:f1]
    c = X[i[2], f0:f1]
    d = X[i[3], f0:f1]
    e = X[j[0], f0:f1]
    g = X[j[1], f0:f1]
    h = X[j[2], f0:f1]
    k = X[j[3], f0:f1]
    wa = w[0]
    wb = w[1]
    wc = w[2]
    wd = w[3]
    for f in range(cut):
        total[f] += (wa * abs(a[f] - e[f]) + wb * abs(b[f] - g[f])) + (wc * abs(c[f] - h[f]) + wd * abs(d[f] - k[f]))
    for f in range(cut, len(total)):
        total[f] += (wa * (a[f] != e[f]) + wb * (b[f] != g[f])) + (wc * (c[f] != h[f]) + wd * (d[f] != k[f]))
