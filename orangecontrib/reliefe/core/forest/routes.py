"""Routes of rows through a tree, from the root to their leaves."""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .columns import Columns
from .kernel_options import INLINED, PLAIN
from .reading import value_of
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
    """True if node v sends a row with this row's value to the left."""
    f = tree.feature[v]
    value = value_of(columns, columns.starts, f, row)
    if value != value:
        return tree.share[v] >= 0.5
    return value == tree.threshold[v] if columns.nominal[f] else value <= tree.threshold[v]


@kernel(**PLAIN)
def _route(columns, tree, spare, routes):
    """Fill routes, in which only the root has its rows; spare (n,): scratch.  Rows keep their order in each node."""
    rows, start, end, leaf = routes
    for v in range(len(tree.feature)):
        a = start[v]
        b = end[v]
        if tree.feature[v] < 0:
            for i in range(a, b):
                leaf[rows[i]] = v
            continue
        k = a  # rows that go left are moved to the front
        r = 0  # those that go right wait in `spare`
        for i in range(a, b):
            row = rows[i]
            left = goes_left(columns, tree, v, row)
            spare[r] = rows[k] = row
            k += left
            r += not left
        for i in range(r):
            rows[k + i] = spare[i]
        start[v + 1] = a
        end[v + 1] = k
        start[tree.right[v]] = k
        end[tree.right[v]] = b
