"""Arguments of the kernels that grow a tree, as named tuples: data, criterion, and scratch."""

from typing import NamedTuple

import numpy as np

from .clustering_space import ClusteringSpace
from .columns import Columns
from .growth_rule import GrowthRule
from .reading import NO_PLACE


class Data(NamedTuple):
    """Features as a tree reads them; None leaves a part out of what is compiled."""

    columns: Columns  # all features
    starts: np.ndarray | None  # where sparse features begin; None: dense ones
    nominal: np.ndarray | None  # None where no feature is nominal


class Criterion(NamedTuple):
    """Gain of a test, and when it is good enough; gaps: `space.known`, or None where all rows are known."""

    space: ClusteringSpace
    gaps: np.ndarray | None
    rule: GrowthRule

    @classmethod
    def of(cls, space: ClusteringSpace, rule: GrowthRule) -> "Criterion":
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
    def of(cls, columns: Columns, space: ClusteringSpace, bag: np.ndarray, m: int, seed: int) -> "Scratch":
        """Room for the tree of the m rows with multiplicities bag (n,) > 0, whose stack holds the root alone."""
        stored = columns.starts is not None
        stack = np.empty((int(bag.sum()) + 2, 4), np.int64)  # every test leaves a row's weight on both sides
        stack[0] = 0, m, -1, 0
        lanes = space.z.shape[1]
        groups = len(space.complete)
        size = m + stored
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
