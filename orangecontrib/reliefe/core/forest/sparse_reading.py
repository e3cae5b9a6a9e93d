"""Reading of sparse features in a node: kernels that look at stored values only.

`reading` and `feature_tests` call them.  A position is the index of a row in the node.  All rows of a node where a
sparse feature is 0 count as one row, the last one of `Node`.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .feature_values import stored_index
from .kernel_options import INLINED

NOT_IN_NODE = np.uint32(2**32 - 1)  # position of the rows that are not in the node
MAX_STORED = 8  # stored values for each row of the node above which they are searched instead of read; chosen by eye


class StoredValues(NamedTuple):
    """Values or codes of all sparse features.

    values (stored,): values or codes, as `Columns` has them.
    zero: the value or code of 0.
    missing: the value or code of a missing value.
    """

    values: np.ndarray
    zero: float
    missing: float


class FeatureRead(NamedTuple):
    """Counts and range of a feature in a node, after it was read.

    n_values: number of values that were read; of a sparse feature only stored ones are.
    n_known: number of rows of the node that have a value, stored or 0.
    low, high: smallest and largest value, or code, of these rows.
    """

    n_values: int
    n_known: int
    low: float
    high: float


@kernel(**INLINED)
def note_positions(starts, rows, position_of_row, is_open):
    """Write the positions of the rows of a node to position_of_row (n,), or `NOT_IN_NODE` if the node is closed."""
    if starts is not None:
        for i in range(len(rows)):
            position_of_row[rows[i]] = np.uint32(i) if is_open else NOT_IN_NODE


@kernel(**INLINED)
def position_of(starts, positions, i):
    """Return the position of the row of the i-th value that was read; dense values are in the order of the rows."""
    if starts is not None:
        return positions[i]
    return i


@kernel(**INLINED)
def to_positions(starts, positions, order, m):
    """Convert order[:m] from numbers of values that were read to positions, in place."""
    if starts is not None:
        for i in range(m):
            order[i] = positions[order[i]]


@kernel(**INLINED)
def read_stored(columns, starts, stored, f, rows, reading, out):
    """Read the stored values of a sparse feature in the rows of a node; returns `FeatureRead`.

    stored: `StoredValues`.
    out: gets the values that are not missing; reading.positions gets the positions of their rows among the rows that
        have a value, and reading.known_rows these rows, if not all have one.
    """
    m = len(rows)
    positions = reading.positions
    entries = reading.entries
    zero = stored.zero
    # Indices of the stored values of the rows, and positions of these rows in the node.
    first = starts[f]
    n_stored = starts[f + 1] - first
    n_entries = 0
    if MAX_STORED * m < n_stored:
        for i in range(m):
            entry = stored_index(columns, starts, f, rows[i])
            positions[n_entries] = i
            entries[n_entries] = entry
            n_entries += entry >= 0
    else:
        for entry in range(first, first + n_stored):
            position = reading.position_of_row[columns.rows[entry]]
            positions[n_entries] = position
            entries[n_entries] = entry
            n_entries += position != NOT_IN_NODE
    # Values that are not missing, and their range; reading.buffer gets the positions of the missing ones.
    n_values = 0
    low = zero
    high = zero
    for i in range(n_entries):
        value = stored.values[entries[i]]
        if value == value and value != stored.missing:
            low, high = (min(low, value), max(high, value)) if n_values else (value, value)
            out[n_values] = value
            positions[n_values] = positions[i] - (i - n_values)
            n_values += 1
        else:
            reading.buffer[i - n_values] = positions[i]
    if n_entries < m:
        low = min(low, zero)
        high = max(high, zero)
    # Rows that have a value.
    n_missing = n_entries - n_values
    n_known = 0
    next_missing = 0
    if n_missing:
        for i in range(m):
            if next_missing < n_missing and reading.buffer[next_missing] == i:
                next_missing += 1
            else:
                reading.known_rows[n_known] = rows[i]
                n_known += 1
    return FeatureRead(n_values, m - n_missing, np.float64(low), np.float64(high))


@kernel(**INLINED)
def _add_zero_row(space, node, positions, n_values, weight):
    """Make the rows where a sparse feature is 0 one row, the last one of the node.

    The deviations of all rows add up to 0, so those of the zeros are minus those of the values at positions[:n_values].
    weight: weight of all rows that have a value.
    """
    zero_position = len(node.weights) - 1
    deviations = node.deviations[zero_position]
    zero_weight = weight
    deviations[:] = 0
    for i in range(n_values):
        position = positions[i]
        zero_weight -= node.weights[position]
        for c in range(len(deviations)):
            deviations[c] -= node.deviations[position, c]
    node.weights[zero_position] = zero_weight
    for g in range(len(space.complete)):
        if space.complete[g]:
            continue
        node.known_weights[zero_position, g] = node.group_weights[g]
        node.row_squares[zero_position, g] = node.group_squares[g]
        for i in range(n_values):
            node.known_weights[zero_position, g] -= node.known_weights[positions[i], g]
            node.row_squares[zero_position, g] -= node.row_squares[positions[i], g]
    positions[n_values] = zero_position


@kernel(**INLINED)
def add_zeros(columns, starts, criterion, work, f, feature_read, weight):
    """Append one value for all zeros of a sparse feature to those that were read; returns how many there are then.

    weight: weight of the rows that have a value.
    """
    n_values = feature_read.n_values
    if starts is not None and n_values < feature_read.n_known:
        _add_zero_row(criterion.space, work.node, work.reading.positions, n_values, weight)
        work.reading.keys[n_values] = columns.zeros[f]
        work.reading.values[n_values] = 0.0
        return n_values + 1
    return n_values
