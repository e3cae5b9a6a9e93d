"""Trees: the arguments of the kernels that grow one, as named tuples, and growing."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .clustering_space import Space
from .columns import Columns, Rule
from .splits import NO_PLACE, grow_nodes


class Data(NamedTuple):
    """Features as a tree reads them; None leaves a part out of what is compiled."""

    columns: Columns  # all features
    starts: np.ndarray | None  # where sparse features begin; None: dense ones
    nominal: np.ndarray | None  # None where no feature is nominal


class Criterion(NamedTuple):
    """Gain of a test, and when it is good enough; gaps: `space.known`, or None where all rows are known."""

    space: Space
    gaps: np.ndarray | None
    rule: Rule

    @classmethod
    def of(cls, space: Space, rule: Rule) -> "Criterion":
        """Criterion with `gaps` only where there are some."""
        return cls(space, None if space.complete.all() else space.known, rule)


class Parts(NamedTuple):
    """Weights of rows that go both ways."""

    weights: np.ndarray  # of the entries of the stack, side by side with their rows
    rows: np.ndarray  # rows of the leaves, and the part of each that is there
    shares: np.ndarray
    used: np.ndarray  # number of the rows of the leaves, and the node that is open


class Node(NamedTuple):
    """Scratch of a node of m rows, centred, and where features are sparse a last one for all where one of them is 0.

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


class Reading(NamedTuple):
    """Scratch of one feature in a node of m rows.

    (m,) each: values, keys, other, order, left, squares, gains, some, spare; digits (256,) of the sort.  Where features
    are sparse: places (m + 1,) of values among the rows, entries (m + 1,) among what is stored, and where (n,) rows are
    among those of the node.
    """

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

    @classmethod
    def of(cls, m: int, n: int, stored: bool) -> "Reading":
        """Room for m of n rows; stored: of sparse features."""
        found = m + 1 if stored else 0
        return cls(
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
            where=np.full(n if stored else 0, NO_PLACE),
        )


class Scratch(NamedTuple):
    """Scratch of a tree: a node, a feature in it, and of its growth own (G,) impurities, features (p,), stack
    (n + 2, 4), size (2,), and the random state (1,)."""

    node: Node
    reading: Reading
    own: np.ndarray
    features: np.ndarray
    stack: np.ndarray
    size: np.ndarray
    state: np.ndarray

    @classmethod
    def of(cls, columns: Columns, space: Space, bag: np.ndarray, m: int, seed: int) -> "Scratch":
        """Room for the tree of the m rows with multiplicities bag (n,) > 0, whose stack holds the root alone."""
        stored = columns.starts is not None
        stack = np.empty((int(bag.sum()) + 2, 4), np.int64)  # every test leaves a row's weight on both sides
        stack[0] = 0, m, -1, 0
        lanes, groups, size = space.z.shape[1], len(space.complete), m + stored
        node = Node(
            z=np.empty((size, lanes)),
            w=np.empty(size),
            known=np.empty((size, groups)),
            square=np.empty((size, groups)),
            n_known=np.empty(groups),
            squares=np.empty(groups),
            impurity=np.empty(groups),
            mean=np.empty(lanes),
        )
        return cls(
            node=node,
            reading=Reading.of(m, len(bag), stored),
            own=np.empty(groups),
            features=np.arange(len(columns.nominal)),
            stack=stack,
            size=np.array([0, 1]),
            state=np.array([seed], np.uint64),
        )


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
