"""Limits beyond which the engine works in another way, lowered so that small tables take every way.

Other tests know nothing of the files in which these limits are, only of results.
"""

from orangecontrib.reliefe.core.relief import comparison, every_k, scoring, sums_by_place
from orangecontrib.reliefe.core.relief.formats import codes, features, missing, packed, row_means, stored, tile_order
from orangecontrib.reliefe.core.relief.neighbourhoods import row_pairs, search, zones

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
}


def lower(monkeypatch, **limits):
    """Set limits, mostly lower ones, for the rest of a test."""
    for name, value in limits.items():
        monkeypatch.setattr(HOMES[name], name, value)
