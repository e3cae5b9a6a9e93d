"""Order of lists by exact distances, where the error of distances in steps leaves it open.

`KNearest` settles its lists here after a search.
"""

from collections.abc import Callable
from enum import IntEnum

import numpy as np

from ...kernels.insert import insert
from ...kernels.jit import kernel
from ..formats.steps import Steps

Exact = Callable[[np.ndarray, np.ndarray], np.ndarray]  # distances (b, k) of rows (b,) to cols (b, k)


class ListPurpose(IntEnum):
    """Purpose for which lists are settled."""

    MEMBERS = 0
    RANKS = 1
    DISTANCES = 2


MEMBERS = int(ListPurpose.MEMBERS)  # as kernels read them
DISTANCES = int(ListPurpose.DISTANCES)


def settle_lists(
    exact: Exact,
    steps: Steps,
    lists: tuple[np.ndarray, np.ndarray],
    k: int,
    purpose: ListPurpose,
    rows: np.ndarray,
    ids: np.ndarray,
) -> None:
    """Put lists in order by exact distances of what is too close to the k-th to call, to others in the list, or of all.

    Parameters
    ----------
    exact : function
        Exact distances of pairs.
    lists : (b, G, at least k) arrays
        Distances by steps, and columns, in this order; changed in place.
    purpose : ListPurpose
        Whether the first k rows of each list matter, their order too, or the distances themselves.
    rows : (b,) int array
        Rows whose lists these are.
    ids : (n,) int array
        Original rows, which break ties.
    """
    distances, cols = lists
    close = np.zeros(cols.shape, np.bool_)
    _mark_close(distances, cols, k, int(purpose), 1 + 2 * steps.relative_error, 2 * steps.error, close)
    b, g, q = np.nonzero(close)
    if len(b):
        distances[b, g, q] = exact(rows[b], cols[b, g, q][:, None])[:, 0]
        _sort_lists(distances, cols, close, ids)


def fill_lists(
    exact: Exact,
    distances_of_rows: tuple[np.ndarray, np.ndarray],
    limits: np.ndarray,
    groups: np.ndarray,
    ids: np.ndarray,
    shape: tuple[int, int, int],
) -> tuple[np.ndarray, np.ndarray]:
    """Distances and columns (b, G, k) of the nearest rows, by exact distances of all rows within a limit.

    Parameters
    ----------
    distances_of_rows : (b, n) float array and (b,) int array
        Distances by steps, and the rows whose they are.
    limits : (b, G) array
        Distances by steps up to which rows of each group are candidates; negative: none is.
    shape : (b, G, k)
        Shape of the lists.
    """
    distances, rows = distances_of_rows
    candidates = distances <= limits[:, groups]
    candidates[np.arange(len(rows)), rows] = False
    b, j = np.nonzero(candidates)
    nearest_distances = np.full(shape, np.inf)
    nearest_cols = np.full(shape, -1, np.int32)
    _insert_all(b, j, exact(rows[b], j[:, None])[:, 0], groups, ids, nearest_distances, nearest_cols)
    return nearest_distances, nearest_cols


@kernel
def _mark_close(distances, cols, k, purpose, factor, floor, close):
    """Mark the places of lists (b, G, K) whose exact distances are needed.

    MEMBERS: those that may be on either side of the k-th place, d_q <= d_(k - 1) factor + floor and the reverse, if the
    place behind the k-th one is. RANKS: those that may change places with a neighbour in the list. DISTANCES: the first
    k places, and those that may belong to them.
    """
    for b in range(cols.shape[0]):
        for g in range(cols.shape[1]):
            d = distances[b, g]
            c = cols[b, g]
            marks = close[b, g]
            if purpose == MEMBERS:
                if len(d) <= k or c[k] < 0 or d[k] > d[k - 1] * factor + floor:
                    continue
                last = d[k - 1]
                for q in range(len(d)):
                    marks[q] = d[q] <= last * factor + floor and last <= d[q] * factor + floor
            else:
                marks[:k] = purpose == DISTANCES
                for q in range(1, len(d)):
                    if d[q] > d[q - 1] * factor + floor:
                        if q >= k:  # no row from here on can be among the first k
                            break
                    else:
                        marks[q - 1] = True
                        marks[q] = True
            for q in range(len(d)):
                marks[q] = marks[q] and c[q] >= 0


@kernel
def _sort_lists(distances, cols, close, ids):
    """Sort lists with any mark by distance, then by id."""
    for b in range(cols.shape[0]):
        for g in range(cols.shape[1]):
            x = distances[b, g]
            c = cols[b, g]
            if close[b, g].any():
                for q in range(1, len(x)):
                    d = x[q]
                    row = c[q]
                    if row >= 0:
                        x[q] = np.inf
                        insert(d, row, x[: q + 1], c[: q + 1], ids)


@kernel
def _insert_all(lists, columns, distances_of_columns, groups, ids, distances, cols):
    """Insert columns (t,), at their distances (t,), into the sorted lists (b, G, k) of their groups.

    lists : (t,), which of the b rows a column is offered to
    """
    for t in range(len(lists)):
        b = lists[t]
        g = groups[columns[t]]
        insert(distances_of_columns[t], columns[t], distances[b, g], cols[b, g], ids)
