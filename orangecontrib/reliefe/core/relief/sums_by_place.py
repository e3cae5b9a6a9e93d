"""Sums of weighted diffs over the neighbours at each place of lists, and weighted sums of these.

The place of a neighbour is its rank in a list, from 0. `every_k.py` makes scores for every number of neighbours of the
sums by place.
"""

from collections.abc import Iterator
from typing import cast

import numpy as np

from ..kernels.jit import kernel
from .formats.lists import Neighbours
from .formats.missing import Corrections
from .formats.pair_sums import PairList, sums_of_parts
from .formats.sums import CorrectedSpan, in_spans
from .run import Run

PLACES_AT_ONCE = 32  # places whose sums are made before the next ones are asked for
PLACES_PER_THREAD = 8  # of these, places that one thread takes at a time
FEATURES_AT_ONCE = 1024  # features of a pass over rows of sums


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

    def sum_places(first: int) -> np.ndarray:
        """Sum some places, of which the first one is given: each is a part of a list of pairs."""
        places = slice(first, first + PLACES_PER_THREAD)
        by_place = [np.moveaxis(lists[:, :, places], 2, 0) for lists in (cols, weights)]
        n_places = len(by_place[0])
        run.work.tick(n_places)
        rows_of_places = np.tile(rows, n_places)
        cols_of_places, weights_of_places = (lists.reshape(len(rows_of_places), -1) for lists in by_place)
        pairs = PairList.of_lists(rows_of_places, cols_of_places, [weights_of_places], run.sums.dtype)
        return sums_of_parts(run.features, pairs, np.arange(n_places + 1) * len(rows))[:, : run.p]

    return np.concatenate(run.work.map(sum_places, range(0, cols.shape[2], PLACES_PER_THREAD)))


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
    sums_of_places = np.zeros((neighbours.cols.shape[2], len(sums.zeros())))
    pairs = [
        PairList.of_lists(neighbours.rows, neighbours.cols[:, :, place], [weights[:, :, place]], sums.dtype)
        for place in range(len(sums_of_places))
    ]

    def add_span(span: tuple[int, int]) -> None:
        first, last = span
        sums_of_place = sums.zeros()
        last = last if last < run.p else len(sums_of_place)
        corrected = CorrectedSpan((first, last), missing.span(*span))
        for place in range(len(sums_of_places)):
            run.work.tick((last - first) / run.p)
            sums_of_place[first:last] = 0
            sums.add(pairs[place], sums_of_place, corrected)
            sums_of_places[place, first:last] = sums_of_place[first:last]

    run.work.map(add_span, missing.spans())
    return sums_of_places[:, : run.p]


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
