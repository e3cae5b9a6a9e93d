"""One tree: the flat arrays that it is, and how it is grown."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .clustering_space import Space
from .columns import Columns
from .splits import AWAY, grow_nodes

BUDGET = 10**7  # numbers that are added up between two looks at whether to stop: some 10 ms
UNLIMITED = 2**30
ALMOST = 1 - 1e-9  # of a row there is enough: parts of rows add up to whole ones but for rounding


class Rule(NamedTuple):
    """n_candidates: features tried in a node; random: one random threshold of each, not all; min_leaf: rows in a leaf;
    max_depth: of leaves; shares (k,): of its impurity that a test must take from a node of weight 0, 1 ..., the last
    one from all that weigh more; fractional: whether rows that lack the tested feature go both ways, in part."""

    n_candidates: int
    random: bool = False
    min_leaf: int = 1
    max_depth: int = UNLIMITED
    shares: np.ndarray = np.zeros(1)
    fractional: bool = False


def significant(level: float | None, n: int) -> np.ndarray:
    """(n + 1,) shares of the impurity of a node of weight 0 .. n that are significant at a level, None for all.

    F = h / (SS - h) (weight - 2) with 1 and weight - 2 degrees of freedom, where h of the sum of squares SS goes away;
    of several attributes together, as CLUS has it, and so of no more than a rule of thumb.
    """
    if level is None:
        return np.zeros(1)
    from scipy.stats import f

    rest = np.arange(n + 1.0) - 2
    with np.errstate(divide="ignore"):  # F is infinite at level 0, where only all of SS will do, and 0 at level 1
        share = 1 / (1 + np.maximum(rest, 1) / f.isf(level, 1, np.maximum(rest, 1)))
    return np.where(rest > 0, share, np.inf)


class Tree(NamedTuple):
    """Nodes in preorder: the left child follows its parent.  rows[start:end] are a node's training rows, of which
    weights[start:end] are there.

    feature (nodes,): -1 in leaves; to the left go values <= threshold, or equal to it where the feature is nominal, and
    of missing ones a share, which is 0 or 1 unless rows may go both ways; right, parent: indices of nodes, -1 for none;
    weight: rows with their multiplicity; gain: decrease of |E| impurity(E); impurity (nodes, G) of the groups of the
    clustering space; rows: of the bag.
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


class Parts(NamedTuple):
    """Where rows go both ways: weights of the entries of the stack, side by side with their rows; rows and shares, what
    of them is there, of the leaves; used (2,): how many of these there are, and the node that is open."""

    weights: np.ndarray
    rows: np.ndarray
    shares: np.ndarray
    used: np.ndarray


class Node(NamedTuple):
    """Scratch: a node of m rows, centred, and where features are sparse a last one for all where one of them is 0.

    z (m, lanes), w (m,) multiplicities; of G groups: multiplicity where known (m, G), squared distances to the mean
    (m, G), their sums (G,), impurity (G,); mean (lanes,).
    """

    z: np.ndarray
    w: np.ndarray
    known: np.ndarray
    square: np.ndarray
    n_known: np.ndarray
    squares: np.ndarray
    impurity: np.ndarray
    mean: np.ndarray


class Scratch(NamedTuple):
    """Of one feature in a node, (m,) each, but digits (256,) of the sort; of the tree: features (p,), stack (n + 2, 4),
    size (2,), and the random state (1,).  Where features are sparse: places (m + 1,) of values among the rows,
    entries (m + 1,) among what is stored, and where (n,) rows are among those of the node."""

    values: np.ndarray
    keys: np.ndarray
    other: np.ndarray
    order: np.ndarray
    left: np.ndarray
    squares: np.ndarray
    gains: np.ndarray
    some: np.ndarray
    spare: np.ndarray
    digits: np.ndarray
    places: np.ndarray
    entries: np.ndarray
    where: np.ndarray
    features: np.ndarray
    stack: np.ndarray
    size: np.ndarray
    state: np.ndarray


def grow(
    columns: Columns, space: Space, bag: np.ndarray, rule: Rule, seed: int, tick: Callable[[], object] | None = None
) -> Tree:
    """The tree of the rows with multiplicities bag (n,) > 0.

    seed: above 0, below 2^64.  tick: called every few milliseconds, raises an exception to stop.
    """
    rows = np.flatnonzero(bag).astype(np.uint32)
    groups, parts, there = len(space.complete), None, bag
    node, work = _scratch(len(rows), columns, space, seed, int(bag.sum()))
    if rule.fractional:
        rule = rule._replace(min_leaf=rule.min_leaf * ALMOST)
        there, parts = bag.copy(), Parts(bag[rows], rows[:0], np.empty(0), np.zeros(2, np.int64))
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
        impurity=np.zeros((top, groups)),
        rows=rows,
        weights=np.empty(0),
    )
    codes, table = (None, columns.table) if rule.random else (columns.codes, None)
    nominal, starts = columns.nominal if columns.nominal.any() else None, columns.starts
    gaps = None if space.complete.all() else space.known
    while work.size[1]:
        if parts is not None:
            tree, parts = _roomier(tree, parts, work, len(rows))
        grow_nodes(columns, starts, codes, table, nominal, space, gaps, there, parts, rule, node, work, tree, BUDGET)
        if tick is not None:
            tick()
    nodes = Tree(*(values[: work.size[0]].copy() for values in tree[:-2]), rows, bag[rows])
    return nodes if parts is None else _of_leaves(nodes, parts)


def _roomier(tree: Tree, parts: Parts, work: Scratch, m: int) -> tuple[Tree, Parts]:
    """With room for at least one node more, of m rows, and what comes of it."""
    size, top, used = work.size[0] + 1, work.size[1], parts.used[0] + m
    entries = work.stack[top - 1, 1] + m
    tree = Tree(*(_longer(values, size) for values in tree[:-2]), _longer(tree.rows, entries), tree.weights)
    return tree, Parts(
        _longer(parts.weights, entries), _longer(parts.rows, used), _longer(parts.shares, used), parts.used
    )


def _longer(values: np.ndarray, size: int) -> np.ndarray:
    if len(values) >= size:
        return values
    return np.concatenate([values, np.zeros((2 * size - len(values), *values.shape[1:]), values.dtype)])


def _of_leaves(tree: Tree, parts: Parts) -> Tree:
    """With the rows of the leaves, side by side, so that those of a node end where those of its last leaf do."""
    for v in range(len(tree.feature) - 1, -1, -1):
        if tree.feature[v] >= 0:
            tree.end[v] = tree.end[tree.right[v]]
    rows, weights = parts.rows[: parts.used[0]].copy(), parts.shares[: parts.used[0]].copy()
    return tree._replace(rows=rows, weights=weights)


def _scratch(m: int, columns: Columns, space: Space, seed: int, n: int) -> tuple[Node, Scratch]:
    (every_row, lanes), groups = space.z.shape, len(space.complete)
    every, found, everywhere = (m, 0, 0) if columns.starts is None else (m + 1, m + 1, every_row)
    node = Node(
        z=np.empty((every, lanes)),
        w=np.empty(every),
        known=np.empty((every, groups)),
        square=np.empty((every, groups)),
        n_known=np.empty(groups),
        squares=np.empty(groups),
        impurity=np.empty(groups),
        mean=np.empty(lanes),
    )
    stack = np.empty((n + 2, 4), np.int64)  # every test leaves a row's weight on both sides
    stack[0] = 0, m, -1, 0
    work = Scratch(
        values=np.empty(m),
        keys=np.empty(m, np.int64),
        other=np.empty(m, np.int64),
        order=np.empty(m, np.uint32),  # unsigned: an index that cannot be negative is cheaper
        left=np.empty(m),
        squares=np.empty(m),
        gains=np.empty(m),
        some=np.empty(m, np.uint32),
        spare=np.empty(m, np.uint32),
        digits=np.empty(256, np.int64),
        places=np.empty(found, np.uint32),
        entries=np.empty(found, np.int64),
        where=np.full(everywhere, AWAY),
        features=np.arange(len(columns.nominal)),
        stack=stack,
        size=np.array([0, 1]),
        state=np.array([seed], np.uint64),
    )
    return node, work
