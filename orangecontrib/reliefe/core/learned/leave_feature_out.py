"""Leave-feature-out means: for features that dominate the distance, neighbours are searched without them.

A feature that weighs much in a distance decides who is near: hits and misses alike agree on it, and its score falls
to nothing.  So its neighbours are looked up by the distance less its own part.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse

from ..relief.formats.features import Features
from ..relief.formats.lists import Neighbours, OwnMeans
from ..relief.run import Run
from ..work.threads import PARTS
from .means_without import means_without
from .members import Members
from .rows import Rows
from .selection import BITS_OF

TIE_SHARES = {np.float64: 2.0**-36, np.float32: 2.0**-19}  # relative difference of distances that are tied


@dataclass(frozen=True)
class Columns:
    """Features (H,), one after the other, rows in the order of `Members`.

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
        dense: np.ndarray = cast("sparse.csr_array", found).toarray() if features.is_sparse else found
        values = np.asarray(dense.T[:, order], dtype=np.float64, order="C")
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
            table = np.asarray(missing.rows_of(wanted[lacking:])[:, order], dtype=np.float64, order="C")
        return cls(values, slots, table, chosen < features.n_numeric, bool(missing and missing.ignore))


def own_means(run: Run, rows: Rows, near: Neighbours, weights: np.ndarray, chosen: np.ndarray) -> OwnMeans:
    """Means over the k nearest rows by the distance without a feature, and all ties at the k-th."""
    members = Members.of(run)
    columns = Columns.of(run.features, chosen, members.rows)
    by_class = run.update.by_class(run.target)
    out = np.empty((3, run.m, run.n_groups, len(chosen)))
    known = rows.known if columns.ignore else None
    dtype = np.float64 if rows.kept is None else rows.kept.dtype
    parts = columns.values.astype(dtype), columns.slots, columns.table, columns.numeric, weights[chosen]
    how = run.features.diff.shape, TIE_SHARES[np.float64 if run.double is None else np.float32]
    counts, bounds = (near.cols >= 0).sum(axis=2), np.where(near.cols >= 0, near.distances, 0).max(axis=2)

    def part(number: int) -> None:
        memory = np.zeros((run.n_groups, len(chosen), 2))
        memory[:, :, 0] = 1
        for distances, block in rows.blocks(number):
            first, last = int(block[0]), int(block[-1]) + 1
            t, seen, whole = np.zeros((len(block), 1)), np.zeros((0, 0)), 0.0
            if not by_class:
                finite = np.where(distances < np.inf, distances, np.float64(0))
                t = run.target.difference(block[:, None], np.arange(run.n), finite)[:, members.rows]
            if known:
                seen, whole = known.seen(first, last, 0, run.n)[:, members.rows], known.whole
            found = members.places[block], counts[first:last], bounds[first:last]
            lists, known_ = (members.rows.view(np.uint64), members.starts, *found), (seen, whole)
            args = BITS_OF[distances.itemsize], lists, parts, how, np.ascontiguousarray(t), known_, memory
            means_without(distances, *args, out[:, first:last])

    run.work.map(part, range(PARTS))
    return OwnMeans(out)
