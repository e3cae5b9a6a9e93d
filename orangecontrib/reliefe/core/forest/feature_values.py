"""Value of a feature in one row, and the test of a value: kernels for dense and for sparse columns.

`feature_tests`, `partition` and `routes` call them.  `starts` is `Columns.starts`: where each sparse feature begins,
and None for dense columns, so that numba leaves the sparse branch out of what it compiles.
"""

from ..kernels.jit import kernel
from .kernel_options import INLINED


@kernel(**INLINED)
def stored_index(columns, starts, f, row):
    """Find by bisection the index of the stored value of a sparse feature in a row; -1 if none is stored."""
    first = starts[f]
    size = starts[f + 1] - starts[f]
    while size > 1:  # without a branch that depends on the data
        half = size // 2
        first += half * (columns.rows[first + half] <= row)
        size -= half
    return first if size and columns.rows[first] == row else -1


@kernel(**INLINED)
def value_of(columns, starts, f, row):
    """Return the value of feature f in a row; a sparse feature is 0 where nothing is stored."""
    if starts is not None:
        index = stored_index(columns, starts, f, row)
        return columns.values[0, index] if index >= 0 else 0.0
    return columns.values[f, row]


@kernel(**INLINED)
def value_at(columns, starts, f, rows, zero_position, position):
    """Return the value of feature f at a position of a node.

    rows (m,): rows of the node.
    zero_position: position that stands for all zeros of a sparse feature.
    """
    if starts is not None and position == zero_position:
        return 0.0
    return value_of(columns, starts, f, rows[position])


@kernel(**INLINED)
def passes(value, threshold, nominal):
    """Return True if a value goes to the left: value = threshold of a nominal feature, else value <= threshold."""
    return value == threshold if nominal else value <= threshold
