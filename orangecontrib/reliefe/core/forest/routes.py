"""Ways of rows through a tree."""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .columns import Columns
from .kernel_options import INLINED, PLAIN
from .reading import value_of
from .trees import Tree


class Routes(NamedTuple):
    """Way of rows through a tree: order (n,), in which each node's are order[start:end]; leaf (rows of the data,)."""

    order: np.ndarray
    start: np.ndarray
    end: np.ndarray
    leaf: np.ndarray

    @classmethod
    def of(cls, columns: Columns, tree: Tree, rows: np.ndarray, every: int) -> "Routes":
        """Routes of rows (n,) among so many."""
        n, nodes = len(rows), len(tree.feature)
        start, end = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        end[0] = n
        found = cls(rows.copy(), start, end, np.zeros(every, np.int64))
        _route(columns, tree, np.empty(n, np.int64), found)
        return found


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
    """Fill routes, where the order is any and the root has its rows."""
    rows, start, end, leaf = routes
    for v in range(len(tree.feature)):
        a, b = start[v], end[v]
        if tree.feature[v] < 0:
            for i in range(a, b):
                leaf[rows[i]] = v
            continue
        k, r = a, 0
        for i in range(a, b):
            row = rows[i]
            left = goes_left(columns, tree, v, row)
            spare[r] = rows[k] = row
            k += left
            r += not left
        for i in range(r):
            rows[k + i] = spare[i]
        start[v + 1], end[v + 1], start[tree.right[v]], end[tree.right[v]] = a, k, k, b
