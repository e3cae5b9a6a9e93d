"""Routes of rows through a tree, from the root to their leaves.

`permutations` makes them for the rows out of the bag.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .columns import Columns
from .feature_values import passes, value_of
from .kernel_options import INLINED, PLAIN
from .trees import Tree


class Routes(NamedTuple):
    """Routes of n rows through a tree.

    order (n,): the rows, those of each node side by side.
    start, end (nodes,): the rows of node v are order[start[v]:end[v]].
    leaf (N,): the leaf of each of these rows among all N rows of the data.
    """

    order: np.ndarray
    start: np.ndarray
    end: np.ndarray
    leaf: np.ndarray

    @classmethod
    def of(cls, columns: Columns, tree: Tree, rows: np.ndarray, n_all: int) -> "Routes":
        """Route rows (n,), of n_all rows of the data, down the tree."""
        n = len(rows)
        n_nodes = len(tree.feature)
        start = np.zeros(n_nodes, np.int64)
        end = np.zeros(n_nodes, np.int64)
        end[0] = n
        routes = cls(rows.copy(), start, end, np.zeros(n_all, np.int64))
        _route(columns, tree, np.empty(n, np.int64), routes)
        return routes


@kernel(**INLINED)
def goes_left(columns, tree, v, row):
    """Return True if node v sends a row with the value of this row to the left."""
    f = tree.feature[v]
    value = value_of(columns, columns.starts, f, row)
    if value != value:
        return tree.share[v] >= 0.5
    return passes(value, tree.threshold[v], columns.nominal[f])


@kernel(**PLAIN)
def _route(columns, tree, buffer, routes):
    """Fill routes, in which only the root has its rows.  Rows keep their order in each node.

    buffer (n,): scratch.
    """
    rows = routes.order
    for v in range(len(tree.feature)):
        start = routes.start[v]
        end = routes.end[v]
        if tree.feature[v] < 0:
            for i in range(start, end):
                routes.leaf[rows[i]] = v
            continue
        # Rows that go to the left move to the front, those that go to the right wait in the buffer.
        left_end = start
        n_right = 0
        for i in range(start, end):
            row = rows[i]
            is_left = goes_left(columns, tree, v, row)
            buffer[n_right] = row
            rows[left_end] = row
            left_end += is_left
            n_right += not is_left
        for i in range(n_right):
            rows[left_end + i] = buffer[i]
        routes.start[v + 1] = start
        routes.end[v + 1] = left_end
        routes.start[tree.right[v]] = left_end
        routes.end[tree.right[v]] = end
