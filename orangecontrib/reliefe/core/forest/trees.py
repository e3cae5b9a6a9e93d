"""Growth of a tree from the rows in a bag, and the tree as arrays.

`ensembles` calls `grow`; `scores`, `predictions` and `permutations` read the `Tree`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .clustering_space import ClusteringSpace
from .columns import Columns
from .growth import grow_nodes
from .growth_rule import GrowthRule
from .scratch import END, N_LEAF_ROWS, N_NODES, N_WAITING, Criterion, Data, FractionalRows, Scratch

SUMS_PER_TICK = 10**7  # numbers that are added up between two checks for a stop: some 10 ms
WHOLE_SHARE = 1 - 1e-9  # share of a leaf that is enough: parts of rows add up to whole ones but for rounding


class Tree(NamedTuple):
    """Nodes in preorder: the left child follows its parent.

    feature (nodes,): tested feature, -1 in leaves.
    threshold (nodes,): values <= threshold go to the left, or those equal to it if the feature is nominal.
    share (nodes,): part of a row with a missing value that goes to the left; 0 or 1 unless rows may go both ways.
    right (nodes,): right child, -1 for none.
    parent (nodes,): parent, -1 for none.
    depth (nodes,): number of tests on the way to the node.
    weight (nodes,): number of rows, with their multiplicity.
    gain (nodes,): decrease of |E| impurity(E).
    start, end (nodes,): the training rows of a node are rows[start:end].
    impurity (nodes, G): impurity of the groups of the clustering space.
    rows (m,): rows of the bag.
    weights (m,): weight of each of these.
    """

    feature: np.ndarray
    threshold: np.ndarray
    share: np.ndarray
    right: np.ndarray
    parent: np.ndarray
    depth: np.ndarray
    weight: np.ndarray
    gain: np.ndarray
    start: np.ndarray
    end: np.ndarray
    impurity: np.ndarray
    rows: np.ndarray
    weights: np.ndarray


def grow(
    columns: Columns,
    space: ClusteringSpace,
    bag: np.ndarray,
    rule: GrowthRule,
    seed: int,
    tick: Callable[[], object] = bool,
) -> Tree:
    """Grow the tree of the rows in a bag.

    Parameters
    ----------
    columns : Columns
        The features.
    space : ClusteringSpace
        The n rows as points.
    bag : (n,) array
        Multiplicity of each row.
    rule : GrowthRule
        How the tree grows.
    seed : int
        Seed of the features and thresholds that are drawn.
    tick : callable
        Called every `SUMS_PER_TICK` sums; it raises an exception to stop.

    Returns
    -------
    Tree
    """
    rows = np.flatnonzero(bag).astype(np.uint32)
    fractional: FractionalRows | None = None
    weights = bag
    work = Scratch.of(columns, space, bag, len(rows), seed)
    if rule.fractional:
        rule = rule._replace(min_leaf=rule.min_leaf * WHOLE_SHARE)
        weights = bag.copy()
        fractional = FractionalRows(bag[rows], rows[:0], np.empty(0), np.zeros(2, np.int64))
    tree = _empty_tree(rows, len(space.complete))
    data = Data(columns, columns.starts)
    criterion = Criterion(space, rule)
    codes = None if rule.random else columns.codes
    table = columns.table if rule.random else None
    while work.counts[N_WAITING]:
        if fractional is not None:
            tree, fractional = _enlarged(tree, fractional, work, len(rows))
        grow_nodes(data, codes, table, criterion, work, weights, fractional, tree, SUMS_PER_TICK)
        tick()
    # Cut off the nodes that are not used.
    n_nodes = work.counts[N_NODES]
    nodes = Tree._make([*(values[:n_nodes].copy() for values in tree[:-2]), rows, bag[rows]])
    if fractional is None:
        return nodes
    # The rows of leaves lie side by side, so that those of a node end where those of its last leaf do.
    for v in range(len(nodes.feature) - 1, -1, -1):
        if nodes.feature[v] >= 0:
            nodes.end[v] = nodes.end[nodes.right[v]]
    n_rows = fractional.counts[N_LEAF_ROWS]
    return nodes._replace(rows=fractional.leaf_rows[:n_rows].copy(), weights=fractional.leaf_weights[:n_rows].copy())


def _empty_tree(rows: np.ndarray, n_groups: int) -> Tree:
    """Allocate a tree of the rows (m,) in a bag."""
    n_nodes = 2 * len(rows)  # more than a tree has
    return Tree(
        feature=np.full(n_nodes, -1, np.int32),
        threshold=np.zeros(n_nodes),
        share=np.zeros(n_nodes),
        right=np.full(n_nodes, -1, np.int32),
        parent=np.full(n_nodes, -1, np.int32),
        depth=np.zeros(n_nodes, np.int32),
        weight=np.zeros(n_nodes),
        gain=np.zeros(n_nodes),
        start=np.zeros(n_nodes, np.int32),
        end=np.zeros(n_nodes, np.int32),
        impurity=np.zeros((n_nodes, n_groups)),
        rows=rows,
        weights=np.empty(0),
    )


def _enlarged(tree: Tree, fractional: FractionalRows, work: Scratch, m: int) -> tuple[Tree, FractionalRows]:
    """Enlarge the arrays, where necessary, for one node more, of up to m rows, and its children."""
    n_nodes = work.counts[N_NODES] + 1
    top = work.counts[N_WAITING] - 1
    n_leaf_rows = fractional.counts[N_LEAF_ROWS] + m
    n_rows = work.stack[top, END] + m
    larger_tree = Tree._make(
        [*(_longer(values, n_nodes) for values in tree[:-2]), _longer(tree.rows, n_rows), tree.weights]
    )
    larger_rows = FractionalRows(
        stack_weights=_longer(fractional.stack_weights, n_rows),
        leaf_rows=_longer(fractional.leaf_rows, n_leaf_rows),
        leaf_weights=_longer(fractional.leaf_weights, n_leaf_rows),
        counts=fractional.counts,
    )
    return larger_tree, larger_rows


def _longer(values: np.ndarray, size: int) -> np.ndarray:
    """Copy an array to one of twice the size, filled up with zeros, unless it is long enough."""
    if len(values) >= size:
        return values
    return np.concatenate([values, np.zeros((2 * size - len(values), *values.shape[1:]), values.dtype)])
