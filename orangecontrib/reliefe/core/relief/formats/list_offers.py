"""Arguments of the kernel `offer`, which offers pairs of rows to the sorted lists of their nearest rows.

`neighbourhoods/search.py` makes them; `codes_simd.py` and `codes_plain.py` read them.
"""

from typing import NamedTuple

import numpy as np


class SearchedRows(NamedTuple):
    """Rows, in run order, as a search sees them.

    Attributes
    ----------
    groups : (n,) array
        Class of each row.
    ids : (n,) array
        Rows in the caller's order, which break ties.
    totals : (rows in panels,) int32 array
        As in `Steps`.
    """

    groups: np.ndarray
    ids: np.ndarray
    totals: np.ndarray


class Stretches(NamedTuple):
    """Stretches of rows of one group within a panel.

    With PANEL = 32 and groups of 40 and 24 rows, the stretches are the rows 0 to 31, 32 to 39 and 40 to 63: starts are
    [0, 1, 3], groups [0, 0, 1], and bits those of 32, of the first 8 and of the last 24 rows of a panel.

    Attributes
    ----------
    starts : (panels + 1,) array
        First stretch of each panel.
    groups : (stretches,) array
        Group of the rows of each.
    bits : (stretches,) uint64 array
        Bit q is set if the row q of the panel is in the stretch.
    """

    starts: np.ndarray
    groups: np.ndarray
    bits: np.ndarray


class ListEnd(NamedTuple):
    """Rule for the largest distance that may enter a list.

    It is the distance in the last slot, but at most d_k * factor + term with d_k that of the k-th nearest row: what is
    farther is not among the k nearest even if both distances are off by their largest error (`Steps.beyond`).
    """

    last: int  # last slot of a list
    kth: int  # slot of the k-th nearest row
    factor: float
    term: float  # in steps


class OfferedLists(NamedTuple):
    """Lists of the nearest rows of each group; written."""

    limits: np.ndarray  # (G, rows in panels) int32: largest distance that may enter each list; -1: it stays as it is
    keys: np.ndarray  # (G, rows with lists, HEAD + slots) uint64: as in `KeyLists`
    end: ListEnd
