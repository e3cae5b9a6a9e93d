"""One tree: the flat arrays that it is, and how it is grown."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .clustering_space import Space
from .columns import Columns
from .splits import AWAY, grow_nodes

BUDGET = 10**7  # numbers that are added up between two looks at whether to stop: some 10 ms
UNLIMITED = 2**30


class Rule(NamedTuple):
    """n_candidates: features tried in a node; random: one random threshold of each, not all; min_leaf: rows in a leaf;
    max_depth: of leaves; shares (k,): of its impurity that a test must take from a node of weight 0, 1 ..., the last
    one from all that weigh more."""

    n_candidates: int
    random: bool = False
    min_leaf: int = 1
    max_depth: int = UNLIMITED
    shares: np.ndarray = np.zeros(1)


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
    """Nodes in preorder: the left child follows its parent.  rows[start:end] are a node's training rows.

    feature (nodes,): -1 in leaves; to the left go values <= threshold, or equal to it where the feature is nominal, and
    missing ones where missing_left; right, parent: indices of nodes, -1 for none; weight: rows with their multiplicity;
    gain: decrease of |E| impurity(E); impurity (nodes, G) of the groups of the clustering space; rows: of the bag.
    """

    feature: np.ndarray
    threshold: np.ndarray
    missing_left: np.ndarray
    right: np.ndarray
    parent: np.ndarray
    depth: np.ndarray
    weight: np.ndarray
    gain: np.ndarray
    start: np.ndarray
    end: np.ndarray
    impurity: np.ndarray
    rows: np.ndarray


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
    """Of one feature in a node, (m,) each, but digits (256,) of the sort; of the tree: features (p,), stack (m + 1, 4),
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
    groups = len(space.complete)
    node, work = _scratch(len(rows), columns, space, seed)
    top = 2 * len(rows)
    tree = Tree(
        feature=np.full(top, -1, np.int32),
        threshold=np.zeros(top),
        missing_left=np.zeros(top, bool),
        right=np.full(top, -1, np.int32),
        parent=np.full(top, -1, np.int32),
        depth=np.zeros(top, np.int32),
        weight=np.zeros(top),
        gain=np.zeros(top),
        start=np.zeros(top, np.int32),
        end=np.zeros(top, np.int32),
        impurity=np.zeros((top, groups)),
        rows=rows,
    )
    codes, table = (None, columns.table) if rule.random else (columns.codes, None)
    nominal, starts = columns.nominal if columns.nominal.any() else None, columns.starts
    gaps = None if space.complete.all() else space.known
    while work.size[1]:
        grow_nodes(columns, starts, codes, table, nominal, space, gaps, bag, rule, node, work, tree, BUDGET)
        if tick is not None:
            tick()
    return Tree(*(values[: work.size[0]].copy() for values in tree[:-1]), rows)


def _scratch(m: int, columns: Columns, space: Space, seed: int) -> tuple[Node, Scratch]:
    (n, lanes), groups = space.z.shape, len(space.complete)
    every = m if columns.starts is None else m + 1
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
    stack = np.empty((m + 1, 4), np.int64)
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
        places=np.empty(m + 1, np.uint32),
        entries=np.empty(m + 1, np.int64),
        where=np.full(0 if columns.starts is None else n, AWAY),
        features=np.arange(len(columns.nominal)),
        stack=stack,
        size=np.array([0, 1]),
        state=np.array([seed], np.uint64),
    )
    return node, work
