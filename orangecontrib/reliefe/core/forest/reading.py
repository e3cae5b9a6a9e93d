"""Reading of features in a node: kernels for dense and for sparse columns.

Of sparse features only stored values are read.  The rows of a node where such a feature is 0 count as one row, the last
one of `Node`.  `Reading.places` has for each value that was read the position of its row in the node; dense values are
at the position of their row.
"""

import numpy as np

from ..kernels.jit import kernel
from .kernel_options import INLINED

NO_PLACE = np.uint32(2**32 - 1)  # position of rows that are not in the node
MAX_STORED = 8  # stored values for each row of the node above which they are searched instead of read
MIN_COLUMNWISE = 200  # rows from which on values are nearer to each other along the features than along the rows


@kernel(**INLINED)
def _entry(columns, starts, f, row):
    """Find by bisection where the value of a sparse feature in a row is stored; -1 if it is 0."""
    a, size = starts[f], starts[f + 1] - starts[f]
    while size > 1:  # without a branch that depends on the data
        half = size // 2
        a, size = a + half * (columns.rows[a + half] <= row), size - half
    return a if size and columns.rows[a] == row else -1


@kernel(**INLINED)
def value_of(columns, starts, f, row):
    """Return the value of a feature in a row; starts: those of the columns, None for dense ones."""
    if starts is not None:
        e = _entry(columns, starts, f, row)
        return columns.values[0, e] if e >= 0 else 0.0
    return columns.values[f, row]


@kernel(**INLINED)
def value_at(columns, starts, f, rows, last, place):
    """Return the value of f at a position of a node; it is 0 at the last one, which stands for all zeros."""
    if starts is not None and place == last:
        return 0.0
    return value_of(columns, starts, f, rows[place])


@kernel(**INLINED)
def is_nominal(nominal, f):
    """Return True if f is nominal; nominal is None if no feature is, and then nothing is read."""
    if nominal is not None:
        return nominal[f]
    return False


@kernel(**INLINED)
def note_places(starts, rows, where, there):
    """Write the positions of the rows of a node to where (n,), or that they are not there any more."""
    if starts is not None:
        for i in range(len(rows)):
            where[rows[i]] = np.uint32(i) if there else NO_PLACE


@kernel(**INLINED)
def place_of(starts, places, i):
    """Return the position in the node of the i-th value that was read."""
    if starts is not None:
        return places[i]
    return i


@kernel(**INLINED)
def to_places(starts, places, order, m):
    """Convert order[:m] from numbers of values that were read to positions in the node, in place."""
    if starts is not None:
        for i in range(m):
            order[i] = places[order[i]]


@kernel(**INLINED)
def _collect(columns, starts, source, zero, missing, f, rows, reading, target):
    """Read what is stored of a sparse feature: (number of known values, number of known rows, lowest, highest).

    Known values go to target, their places among the known rows to reading.places, the known rows, if not all are, to
    reading.some.  zero, missing: the value 0 and a missing one as `source` has them.
    """
    a = starts[f]
    m = len(rows)
    found = 0
    places = reading.places
    entries = reading.entries
    size = starts[f + 1] - a
    if MAX_STORED * m < size:
        for i in range(m):
            e = _entry(columns, starts, f, rows[i])
            places[found], entries[found] = i, e
            found += e >= 0
    else:
        for e in range(a, a + size):
            place = reading.where[columns.rows[e]]
            places[found], entries[found] = place, e
            found += place != NO_PLACE
    k = 0
    low = zero
    high = zero
    for i in range(found):
        value = source[entries[i]]
        if value == value and value != missing:
            low, high = (min(low, value), max(high, value)) if k else (value, value)
            target[k], places[k] = value, places[i] - (i - k)
            k += 1
        else:
            reading.spare[i - k] = places[i]
    if found < m:
        low, high = min(low, zero), max(high, zero)
    gone = found - k
    known = 0
    next_gone = 0
    if gone:
        for i in range(m):
            if next_gone < gone and reading.spare[next_gone] == i:
                next_gone += 1
            else:
                reading.some[known] = rows[i]
                known += 1
    return k, m - gone, low, high


@kernel(**INLINED)
def _gather_zeros(space, gaps, node, reading, k, n):
    """Make the rows where a sparse feature is 0 one: after those that are centred, the last one of the node."""
    last = len(node.w) - 1
    z, w = node.z[last], n
    z[:] = 0
    for i in range(k):
        place = reading.places[i]
        w -= node.w[place]
        for c in range(len(z)):
            z[c] -= node.z[place, c]
    node.w[last] = w
    if gaps is not None:
        for g in range(len(space.complete)):
            node.known[last, g], node.square[last, g] = node.n_known[g], node.squares[g]
            for i in range(k):
                node.known[last, g] -= node.known[reading.places[i], g]
                node.square[last, g] -= node.square[reading.places[i], g]
    reading.places[k] = last


@kernel(**INLINED)
def with_zeros(columns, starts, space, gaps, node, reading, f, found, n):
    """Number of values that were read (found: see `read_feature`), and one more for all zeros of a sparse feature."""
    read, m = found[0], found[1]
    if starts is not None and read < m:
        _gather_zeros(space, gaps, node, reading, read, n)
        reading.keys[read], reading.values[read] = columns.zeros[f], 0.0
        return read + 1
    return read


@kernel(**INLINED)
def _gather(source, rows, missing, known_rows, target):
    """Copy source[rows] without missing values to target, the rows of the others to known_rows if some are missing:
    (number of known ones, lowest, highest)."""
    known = 0
    m = len(rows)
    low = source[rows[0]]
    high = source[rows[0]]
    for i in range(m):  # without a branch, for nearly all are complete
        value = target[i] = source[rows[i]]
        known = known + (value == value and value != missing)
        low = min(low, value)
        high = max(high, value)
    if known < m:
        known = 0
        for i in range(m):
            value = source[rows[i]]
            if value == value and value != missing:
                low, high = (min(low, value), max(high, value)) if known else (value, value)
                target[known], known_rows[known] = value, rows[i]
                known += 1
    return known, low, high


@kernel(**INLINED)
def read_feature(columns, starts, codes, table, f, rows, reading):
    """Read what is known of f in `rows`, of sparse features only what is stored: (number of values, number of known
    rows, lowest, highest).

    Codes go to reading.keys, or values to reading.values where there are no codes; known rows to reading.some if not
    all are.
    """
    if codes is not None:
        if starts is not None:
            zero = columns.zeros[f]
            return _collect(columns, starts, codes[0], zero, columns.missing, f, rows, reading, reading.keys)
        known, low, high = _gather(codes[f], rows, columns.missing, reading.some, reading.keys)
        return known, known, low, high
    if table is not None:
        if starts is not None:
            return _collect(columns, starts, columns.values[0], 0.0, np.inf, f, rows, reading, reading.values)
        if len(rows) < MIN_COLUMNWISE and len(table):
            known, low, high = _gather(table[:, f], rows, np.inf, reading.some, reading.values)
        else:
            known, low, high = _gather(columns.values[f], rows, np.inf, reading.some, reading.values)
        return known, known, low, high
    return 0, 0, 0, 0
