"""Trees: the arguments of the kernels that grow one, as named tuples, and growing."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .clustering_space import Space
from .columns import Columns
from .growth import grow_nodes
from .growth_rule import Rule
from .scratch import Criterion, Data, Parts, Scratch

SUMS_PER_LOOK = 10**7  # numbers that are added up between two looks at whether to stop: some 10 ms
WHOLE_SHARE = 1 - 1e-9  # of a row that is enough: parts of rows add up to whole ones but for rounding


class Tree(NamedTuple):
    """Nodes in preorder: the left child follows its parent."""

    feature: np.ndarray  # tested feature, -1 in leaves
    threshold: np.ndarray  # values <= threshold go to the left, or those equal to it where the feature is nominal
    share: np.ndarray  # part of a row with a missing value that goes to the left; 0 or 1 unless rows may go both ways
    right: np.ndarray  # indices of nodes, -1 for none
    parent: np.ndarray
    depth: np.ndarray  # tests on the way there
    weight: np.ndarray  # rows with their multiplicity
    gain: np.ndarray  # decrease of |E| impurity(E)
    start: np.ndarray  # training rows of a node are rows[start:end]
    end: np.ndarray
    impurity: np.ndarray  # of the groups of the clustering space
    rows: np.ndarray  # rows of the bag, and how much of each is there
    weights: np.ndarray


def grow(
    columns: Columns, space: Space, bag: np.ndarray, rule: Rule, seed: int, tick: Callable[[], object] = bool
) -> Tree:
    """Grow the tree of the rows in a bag."""
    rows = np.flatnonzero(bag).astype(np.uint32)
    parts, weights, work = None, bag, Scratch.of(columns, space, bag, len(rows), seed)
    if rule.fractional:
        rule = rule._replace(min_leaf=rule.min_leaf * WHOLE_SHARE)
        weights, parts = bag.copy(), Parts(bag[rows], rows[:0], np.empty(0), np.zeros(2, np.int64))
    top = 2 * len(rows)
    tree = Tree(
        feature=np.full(top, -1, np.int32),
        threshold=np.zeros(top),
        share=np.zeros(top),
        right=np.full(top, -1, np.int32),
        parent=np.full(top, -1, np.int32),
        depth=np.zeros(top, np.int32),
        weight=np.zeros(top),
        gain=np.zeros(top),
        start=np.zeros(top, np.int32),
        end=np.zeros(top, np.int32),
        impurity=np.zeros((top, len(space.complete))),
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
    """Tree and parts with room for at least one node more, of m rows, and its children."""
    size, top, used = work.size[0] + 1, work.size[1], parts.used[0] + m
    entries = work.stack[top - 1, 1] + m
    tree = Tree._make([*(_longer(values, size) for values in tree[:-2]), _longer(tree.rows, entries), tree.weights])
    return tree, Parts(
        _longer(parts.weights, entries), _longer(parts.rows, used), _longer(parts.shares, used), parts.used
    )


def _longer(values: np.ndarray, size: int) -> np.ndarray:
    if len(values) >= size:
        return values
    return np.concatenate([values, np.zeros((2 * size - len(values), *values.shape[1:]), values.dtype)])
