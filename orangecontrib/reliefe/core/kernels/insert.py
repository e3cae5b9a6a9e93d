"""Insertion into a sorted list of rows."""

from .jit import kernel


@kernel(no_cpython_wrapper=True, forceinline=True)
def lower(row, other, ids):
    """True if the id of a row is lower than that of another one; ids None: they are the rows."""
    return row < other if ids is None else ids[row] < ids[other]  # decided when a kernel is compiled


@kernel(no_cpython_wrapper=True, forceinline=True)
def insert(d, row, x, c, ids):
    """Put a row at the distance d into the list x, c, sorted by distance and id, unless it comes behind its last."""
    s = len(x)
    while s > 0 and (d < x[s - 1] or (d == x[s - 1] and lower(row, c[s - 1], ids))):
        s -= 1
        if s + 1 < len(x):
            x[s + 1], c[s + 1] = x[s], c[s]
    if s < len(x):
        x[s], c[s] = d, row
