"""Insertion into sorted lists of distances, with the rows at these distances or without them.

Searches of the engine (`settling.py`), among points (`nearest.py`) and of weighted distances (`influence.py`) call it.
"""

from .jit import kernel

# Whether c and ids are None is decided when a kernel is compiled. Each case has its own loop: one helper for both made
# `nearest.py` ten times slower


@kernel(no_cpython_wrapper=True, forceinline=True)
def lower(row, other, ids):
    """True if the id of a row is lower than that of another one; ids None: they are the rows."""
    return row < other if ids is None else ids[row] < ids[other]


@kernel(no_cpython_wrapper=True, forceinline=True)
def insert(d, row, x, c, ids):
    """Put a row at the distance d into a list, sorted by distance and id, unless it comes behind its last.

    x (k,) : distances
    c (k,) : rows at these distances; None for a list of distances only
    ids : ids by which ties are decided; None: rows are their own ids
    """
    s = len(x)
    if c is None:
        while s > 0 and d < x[s - 1]:
            s -= 1
            if s + 1 < len(x):
                x[s + 1] = x[s]
        if s < len(x):
            x[s] = d
    else:
        while s > 0 and (d < x[s - 1] or (d == x[s - 1] and lower(row, c[s - 1], ids))):
            s -= 1
            if s + 1 < len(x):
                x[s + 1], c[s + 1] = x[s], c[s]
        if s < len(x):
            x[s], c[s] = d, row
