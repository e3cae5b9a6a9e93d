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
from .scratch import Criterion, Data, Parts, Scratch

SUMS_PER_LOOK = 10**7  # numbers that are added up between two checks for a stop: some 10 ms
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
        Called now and then; it raises an exception to stop.

    Returns
    -------
    Tree
    """
    rows = np.flatnonzero(bag).astype(np.uint32)
    parts: Parts | None = None
    weights = bag
    work = Scratch.of(columns, space, bag, len(rows), seed)
    if rule.fractional:
        rule = rule._replace(min_leaf=rule.min_leaf * WHOLE_SHARE)
        weights = bag.copy()
        parts = Parts(bag[rows], rows[:0], np.empty(0), np.zeros(2, np.int64))
    n_nodes = 2 * len(rows)  # more than a tree has
    tree = Tree(
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
        impurity=np.zeros((n_nodes, len(space.complete))),
        rows=rows,
        weights=np.empty(0),
    )
    data = Data(columns, columns.starts, columns.nominal if columns.nominal.any() else None)
    criterion = Criterion.of(space, rule)
    codes, table = (None, columns.table) if rule.random else (columns.codes, None)
    while work.size[1]:
        if parts is not None:
            tree, parts = _roomier(tree, parts, work, len(rows))
        grow_nodes(data, codes, table, criterion, work, weights, parts, tree, SUMS_PER_LOOK)
        tick()
    nodes = Tree._make([*(values[: work.size[0]].copy() for values in tree[:-2]), rows, bag[rows]])
    if parts is None:
        return nodes
    # The rows of leaves lie side by side, so that those of a node end where those of its last leaf do.
    for v in range(len(nodes.feature) - 1, -1, -1):
        if nodes.feature[v] >= 0:
            nodes.end[v] = nodes.end[nodes.right[v]]
    used = parts.used[0]
    return nodes._replace(rows=parts.rows[:used].copy(), weights=parts.shares[:used].copy())


def _roomier(tree: Tree, parts: Parts, work: Scratch, m: int) -> tuple[Tree, Parts]:
    """Enlarge the tree and the parts, where necessary, for one node more, of m rows, and its children."""
    size = work.size[0] + 1
    top = work.size[1]
    used = parts.used[0] + m
    entries = work.stack[top - 1, 1] + m
    tree = Tree._make([*(_longer(values, size) for values in tree[:-2]), _longer(tree.rows, entries), tree.weights])
    return tree, Parts(
        _longer(parts.weights, entries), _longer(parts.rows, used), _longer(parts.shares, used), parts.used
    )


def _longer(values: np.ndarray, size: int) -> np.ndarray:
    """Copy an array to one of twice the size, filled up with zeros, unless it is long enough."""
    if len(values) >= size:
        return values
    return np.concatenate([values, np.zeros((2 * size - len(values), *values.shape[1:]), values.dtype)])
