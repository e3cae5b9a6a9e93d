"""Limits beyond which the engine works in another way, lowered so that small tables take every way.

Other tests know nothing of the files in which these limits are, only of results.
"""

from orangecontrib.reliefe.core.relief import (
    comparison,
    every_k,
    scoring,
    standard_errors,
    sums_by_place,
    weight_sums_by_k,
)
from orangecontrib.reliefe.core.relief.formats import (
    bits,
    codes,
    dense,
    features,
    missing,
    packed,
    row_means,
    sparse,
    stored,
    tile_order,
)
from orangecontrib.reliefe.core.relief.neighbourhoods import locks, row_pairs, search, zones

HOMES = {
    "MAX_EXACT_COMPLETE": features,  # values from which on single precision is used
    "MAX_EXACT_MISSING": features,  # the same, with missing values
    "MAX_TABLE_BYTES": missing,  # of corrections for missing values
    "FEATURES_PER_TABLE": missing,
    "FEATURES_AT_ONCE": row_means,
    "MIN_PAIRS": packed,
    "MIN_DISTANCE": codes,
    "MAX_WIDENING": codes,
    "WIDE_FROM": stored,
    "STORED_ASIDE": comparison,
    "SPLIT_FROM": tile_order,
    "SUPER_BLOCK_BYTES": tile_order,
    "MIN_TASK_ROWS": search,
    "MAX_BYTES": zones,  # of bits that are remembered
    "STORED_BYTES": row_pairs,  # of tiles of distances
    "MAX_SETTLED_PAIRS": row_pairs,
    "MIN_FEATURES_PER_ROW": scoring,
    "MAX_SUM_BYTES": every_k,
    "MAX_LIST_BYTES": every_k,
    "PLACES_AT_ONCE": sums_by_place,
    "VALUES_AT_ONCE": standard_errors,
    "TILE_ENTRIES": sparse,
    "LOCKED_ROWS": locks,
    "MIN_ROWS": bits,
    "MIN_COLUMNS": bits,
    "MIN_SHARE": bits,
    "SAMPLE_ROWS": bits,
}


def lower(monkeypatch, **limits):
    """Set limits, mostly lower ones, for the rest of a test."""
    for name, value in limits.items():
        monkeypatch.setattr(HOMES[name], name, value)


def lower_channels(monkeypatch, channels):
    """Set the number of channels up to which the sums of all numbers of neighbours are added up at once."""
    for room in (every_k, weight_sums_by_k):
        monkeypatch.setattr(room, "MAX_CHANNELS", channels)


def search_twice(monkeypatch, twice):
    """Search for neighbours in both rows of each pair at once, or for each row alone, whatever is faster."""
    monkeypatch.setattr(search, "pays_twice", lambda *_: twice)


def hold_up(monkeypatch, wrap):
    """Replace the preparation of distances by `wrap` of it."""
    monkeypatch.setattr(comparison, "manhattan", wrap(comparison.manhattan))


def count_pairs(monkeypatch):
    """Return a list that receives the number of pairs whose distance is computed, for each tile."""
    counted = []
    tile, sums = dense.DenseManhattan.tile, dense.DenseManhattan.sums

    def pairs_of(i0, i1, j0, j1, upper):
        return sum(j1 - max(j0, i + 1) for i in range(i0, i1) if j1 > i + 1) if upper else (i1 - i0) * (j1 - j0)

    def counting_tile(self, i0, i1, j0, j1, out, upper=True):
        counted.append(pairs_of(i0, i1, j0, j1, upper))
        return tile(self, i0, i1, j0, j1, out, upper)

    def counting_sums(self, where, room, upper=True):
        if self.codes:  # which need no tile
            counted.append(pairs_of(*where, True))
        return sums(self, where, room, upper)

    monkeypatch.setattr(dense.DenseManhattan, "tile", counting_tile)
    monkeypatch.setattr(dense.DenseManhattan, "sums", counting_sums)
    return counted
