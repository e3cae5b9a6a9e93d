"""Search for the nearest rows of every group: strips of distances, each of some rows against all rows.

`KNearest` calls `nearest_lists`.  A strip has all distances of its rows, in steps, so that their lists are made at once
(`nearest_simd.py`), and threads or workers of a cluster that take different strips need nothing of each other.  What
steps cannot decide is put in order by exact distances (`settling.py`).
"""

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import NamedTuple

import numpy as np

from ...kernels.jit import compiles
from ..formats.lists import Neighbours
from .row_pairs import RowPairs
from .settling import Wanted, settle_lists

ROW_BITS = np.uint64(2**32 - 1)  # bits of a key that are the id of the row
HALF = np.uint64(32)  # bits of a key below those of the distance
NOBODY = 2**32 - 1  # id in a key behind the last one of a list
SPARE_PLACES = 6  # places of a list behind the k-th, for rows that steps cannot tell from it
PARTS_PER_SLOT = 4  # parts of a search for each that runs at a time, so that all end together
# Share of rows with lists to be searched again below which this is done here, not by the workers of a cluster
FEW_TIED = 0.02


class GroupRanges(NamedTuple):
    """Ranges of rows that are the groups: several for a group if not all rows are target rows.

    With the groups 0 0 1 0 0 1 1 of the rows 0 to 6, starts are [0, 2, 4], begins [0, 3, 2, 5] and ends [2, 5, 3, 7].

    Attributes
    ----------
    starts : (G + 1,) int64 array
        First range of each group.
    begins, ends : (ranges,) int64 arrays
        The rows of a range are those from begin to end - 1.
    """

    starts: np.ndarray
    begins: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, groups: np.ndarray) -> "GroupRanges":
        """Find the ranges of groups (n,), which are numbered from 0 on."""
        begins = np.append(0, np.flatnonzero(np.diff(groups)) + 1)
        ends = np.append(begins[1:], len(groups))
        group_of_range = groups[begins]
        order = np.argsort(group_of_range, kind="stable")
        starts = np.searchsorted(group_of_range[order], np.arange(int(groups.max()) + 2))
        return cls(starts, begins[order], ends[order])


class ListedRows(NamedTuple):
    """Lists of some rows of a strip, by steps.

    Attributes
    ----------
    rows : (b,) int array
        Rows whose lists these are.
    keys : (b, G, length) uint64 array
        Sorted keys, as of `nearest_simd`.
    counts : (b, G) int array
        Numbers of rows that may be in the lists, which may be more than the length of a list.
    """

    rows: np.ndarray
    keys: np.ndarray
    counts: np.ndarray


def nearest_lists(pairs: RowPairs, k: int, purpose: Wanted, first: int = 0) -> Neighbours:
    """Return the lists of the k nearest rows of every group, of the target rows from `first` on.

    Parameters
    ----------
    pairs : RowPairs
    k : int
        Number of neighbours of each group; lists are shorter if no group has so many rows.
    purpose : Wanted
        What matters of the lists: their members, ranks too, or exact distances.
    first : int
        First of the rows.
    """
    rows = np.arange(first, pairs.m)
    n_parts = pairs.work.slots * PARTS_PER_SLOT
    length = min(k if pairs.distance.steps.without_error else k + SPARE_PLACES, max(pairs.n - 1, 1))
    keys = np.empty((len(rows), pairs.n_groups, length), np.uint64)
    counts = np.empty((len(rows), pairs.n_groups), np.int64)

    # Lists by steps
    sent = _without_values(pairs) if pairs.work.remote else pairs

    def search(part: int) -> list[ListedRows]:
        return list(_listed(sent, rows, (part, n_parts), k, length))

    def take(_: int, strips: list[ListedRows]) -> None:
        for listed in strips:
            keys[listed.rows - first] = listed.keys
            counts[listed.rows - first] = listed.counts

    pairs.work.deliver(search, range(n_parts), take)
    distances, cols = _read(pairs, keys)

    # Lists that are too short for all rows that may be among the k nearest are made again, the others are settled
    if not pairs.distance.steps.without_error:
        is_short: np.ndarray = np.any(counts > length, axis=1)
        if is_short.any():
            _search_again(pairs, rows, is_short, (distances, cols), k, purpose)
        long_lists = np.flatnonzero(~is_short)
        distances_of_long = distances[long_lists]
        cols_of_long = cols[long_lists]
        lists = distances_of_long, cols_of_long
        settle_lists(pairs.exact, pairs.distance.steps, lists, k, purpose, rows[long_lists], pairs.ids)
        distances[long_lists] = distances_of_long
        cols[long_lists] = cols_of_long
    longest = min(max(int(counts.max(initial=0)), 1), k)
    cols = np.ascontiguousarray(cols[:, :, :longest])
    return Neighbours(rows, cols, np.ascontiguousarray(distances[:, :, :longest]))


def _without_values(pairs: RowPairs) -> RowPairs:
    """Return the rows as workers need them: without values of features, which the distance has."""
    no_values = replace(pairs.features, values=np.empty((pairs.n, 0), pairs.features.values.dtype), missing=None)
    return RowPairs(
        features=no_values,
        groups=pairs.groups,
        ids=pairs.ids,
        m=pairs.m,
        distance=pairs.distance,
        work=pairs.work,
        double=pairs.double.without_data() if pairs.double else None,
        subjects=pairs.subjects,
        row_weights=pairs.row_weights,
    )


def _kernels() -> ModuleType:
    """Module with `list_nearest`; importing it imports numba."""
    if compiles():
        from . import nearest_simd

        return nearest_simd
    from . import nearest_plain

    return nearest_plain


def _listed(pairs: RowPairs, rows: np.ndarray, part: tuple[int, int], k: int, length: int) -> Iterator[ListedRows]:
    """Yield lists by steps, with `length` places, of the rows (b,), ascending, in the strips of part[0] of part[1]."""
    steps = pairs.distance.steps
    error = 1.0, 0.0
    if not steps.without_error:  # 1 step more makes up for the rounding of limits
        error = 1 + 2 * steps.relative_error, 2 * steps.error * steps.per_unit + 1
    ranges = GroupRanges.of(pairs.groups)
    list_nearest = _kernels().list_nearest
    for i0, i1, distances in pairs.strips_of_steps(rows, *part):
        of_strip = rows[np.searchsorted(rows, i0) : np.searchsorted(rows, i1)]
        keys = np.empty((len(of_strip), pairs.n_groups, length), np.uint64)
        counts = np.empty((len(of_strip), pairs.n_groups), np.int64)
        list_nearest(distances, i0, of_strip, ranges, pairs.ids, k, error, (keys, counts))
        yield ListedRows(of_strip, keys, counts)


def _read(pairs: RowPairs, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distances by steps, in units, and columns of keys (b, G, length); infinity and -1 where nobody is."""
    row_of_id = np.append(np.argsort(pairs.ids), -1).astype(np.int32)  # the last one is that of NOBODY
    cols = row_of_id[np.minimum(keys & ROW_BITS, np.uint64(pairs.n)).astype(np.int64)]
    distances = (keys >> HALF) / pairs.distance.steps.per_unit
    distances[cols < 0] = np.inf
    return distances, cols


def _search_again(
    pairs: RowPairs,
    rows: np.ndarray,
    is_short: np.ndarray,
    lists: tuple[np.ndarray, np.ndarray],
    k: int,
    purpose: Wanted,
) -> None:
    """Search again where more rows than a list has places for may be among the k nearest.

    Parameters
    ----------
    pairs : RowPairs
    rows : (b,) int array
        Rows whose lists there are, consecutive ones.
    is_short : (b,) bool array
        Rows that are searched again.
    lists : (b, G, length) arrays
        Distances and columns, which are written.
    k, purpose
        As of `nearest_lists`.
    """
    distances, cols = lists
    length = cols.shape[2]
    searched = rows[is_short]
    n_parts = pairs.work.slots * PARTS_PER_SLOT
    pairs.work.plan(len(searched) * pairs.n)

    def search(part: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        settled = []
        for listed in _listed(pairs, searched, (part, n_parts), k, pairs.n):
            longest = int(listed.counts.max())
            of_rows = _read(pairs, listed.keys[:, :, :longest])
            settle_lists(pairs.exact, pairs.distance.steps, of_rows, k, purpose, listed.rows, pairs.ids)
            settled.append((listed.rows, of_rows[0][:, :, :length], of_rows[1][:, :, :length]))
        return settled

    def take(_: int, settled: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> None:
        for of_strip, distances_of_strip, cols_of_strip in settled:
            places = of_strip - rows[0]
            n_places = distances_of_strip.shape[2]
            distances[places, :, :n_places] = distances_of_strip
            cols[places, :, :n_places] = cols_of_strip

    is_rare = is_short.mean() < FEW_TIED  # not worth sending the data in double precision
    (pairs.work.here if is_rare else pairs.work).deliver(search, range(n_parts), take)
