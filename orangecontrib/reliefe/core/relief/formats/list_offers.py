"""Arguments of the kernel `offer`, which offers pairs of rows to the sorted lists of their nearest rows.

`neighbourhoods/search.py` makes them; `codes_simd.py` and `codes_plain.py` read them.
"""

from typing import NamedTuple

import numpy as np


class SearchedRows(NamedTuple):
    """Rows, in run order, as a search sees them."""

    groups: np.ndarray  # (n,): class of each row
    ids: np.ndarray  # (n,): rows in the caller's order, which break ties
    totals: np.ndarray  # (rows in panels,) int32: as in `Steps`


class Stretches(NamedTuple):
    """Stretches of rows of one group within a panel.

    With PANEL = 32 and groups of 40 and 24 rows, the stretches are the rows 0 to 31, 32 to 39 and 40 to 63: starts are
    [0, 1, 3], groups [0, 0, 1], and bits those of 32, of the first 8 and of the last 24 rows of a panel.
    """

    starts: np.ndarray  # (panels + 1,): first stretch of each panel
    groups: np.ndarray  # (stretches,): group of the rows of each
    bits: np.ndarray  # (stretches,) uint64: bit q is set if the row q of the panel is in the stretch


class ListEnd(NamedTuple):
    """Rule for the largest distance that may enter a list.

    It is the distance in the last slot, but at most d_k * factor + term with d_k that of the k-th nearest row: what is
    farther is not among the k nearest even if both distances are off by their largest error (`Steps.beyond`).
    """

    last: int  # last slot of a list
    kth: int  # slot of the k-th nearest row
    factor: float
    term: float  # in steps


class NearestRows(NamedTuple):
    """Lists of the nearest rows of each group; written."""

    limits: np.ndarray  # (G, rows in panels) int32: largest distance that may enter each list; -1: it stays as it is
    keys: np.ndarray  # (G, rows with lists, HEAD + slots) uint64: as in `KeyLists`
    end: ListEnd
