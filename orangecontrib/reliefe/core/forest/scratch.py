"""Arguments of the kernels that grow a tree, as named tuples: features, criterion, and memory that is used again.

`trees` makes them, and `growth` passes them to all kernels of a node.  Kernels allocate nothing: their memory is here.
"""

from typing import NamedTuple

import numpy as np

from .clustering_space import ClusteringSpace
from .columns import Columns
from .growth_rule import GrowthRule
from .sparse_reading import NOT_IN_NODE

# Columns of `Scratch.stack`
START = 0  # first row of the node in `Tree.rows`
END = 1  # end of its rows
PARENT = 2  # number of its parent
N_CONSTANT = 3  # number of features that are constant in the parent
STACK_COLUMNS = 4

# Entries of `Scratch.counts`
N_NODES = 0  # nodes that are grown
N_WAITING = 1  # nodes on the stack

# Entries of `FractionalRows.counts`
N_LEAF_ROWS = 0  # rows of all leaves
OPEN_NODE = 1  # the node whose rows were loaded last


class Data(NamedTuple):
    """Features as a tree reads them; numba leaves out of what it compiles what is None.

    columns: all features.
    starts: `Columns.starts`; None for dense features.
    """

    columns: Columns
    starts: np.ndarray | None


class Criterion(NamedTuple):
    """Gain of a test, and when it is good enough.

    space: the rows as points.
    rule: what a node tries, and when it becomes a leaf.
    """

    space: ClusteringSpace
    rule: GrowthRule


class FractionalRows(NamedTuple):
    """Weights of rows where a row that lacks the tested feature goes both ways, in part.

    stack_weights: weights of the rows in `Tree.rows`, which the nodes on the stack share.
    leaf_rows: rows of the leaves, leaf by leaf.
    leaf_weights: weight of each of these in its leaf.
    counts (2,): see `N_LEAF_ROWS` and `OPEN_NODE`.
    """

    stack_weights: np.ndarray
    leaf_rows: np.ndarray
    leaf_weights: np.ndarray
    counts: np.ndarray


class Node(NamedTuple):
    """Rows of a node, centred on their mean; where features are sparse, a last row stands for all where one is 0.

    deviations (m, lanes): weight times (coordinates - mean).
    weights (m,): weights of the rows.
    known_weights (m, G): weights of the rows in the groups that they know, else 0; unused for complete groups.
    row_squares (m, G): weight times squared distance to the mean; unused for complete groups.
    group_weights (G,): weight of the rows that know a group.
    group_squares (G,): sum of weight times squared distance over these rows.
    impurity (G,): impurity of each group, group_squares / group_weights.
    mean (lanes,): mean of the rows; later scratch.
    """

    deviations: np.ndarray
    weights: np.ndarray
    known_weights: np.ndarray
    row_squares: np.ndarray
    group_weights: np.ndarray
    group_squares: np.ndarray
    impurity: np.ndarray
    mean: np.ndarray


class Reading(NamedTuple):
    """Memory for one feature in a node of m rows.

    values (m,): values that were read, if thresholds are random.
    keys (m,): codes that were read, if all thresholds are tried.
    sorted_keys (m,): second array of the sort.
    digits (256,): counts of the sort.
    order (m,): positions of the rows in the order of the values.
    left_weights (m,): weight of the first k + 1 rows in this order.
    prefix_squares (m,): squared length of the sum of their deviations.
    gains (m,): gain of the test that sends them to the left.
    known_rows (m,): rows that have a value, if not all have one.
    buffer (m,): positions of missing values; rows that wait to be moved.

    Where features are sparse, else empty:

    positions (m + 1,): positions of the rows of the values that were read.
    entries (m + 1,): indices of these in the stored values.
    position_of_row (n,): position in the node of each row of the data, or `NOT_IN_NODE`.
    """

    values: np.ndarray
    keys: np.ndarray
    sorted_keys: np.ndarray
    digits: np.ndarray
    order: np.ndarray
    left_weights: np.ndarray
    prefix_squares: np.ndarray
    gains: np.ndarray
    known_rows: np.ndarray
    buffer: np.ndarray
    positions: np.ndarray
    entries: np.ndarray
    position_of_row: np.ndarray

    @classmethod
    def of(cls, m: int, n: int, is_sparse: bool) -> "Reading":
        """Allocate for m of n rows; is_sparse: for sparse features."""
        n_positions = m + 1 if is_sparse else 0
        return cls(
            values=np.empty(m),
            keys=np.empty(m, np.int64),
            sorted_keys=np.empty(m, np.int64),
            digits=np.empty(256, np.int64),
            order=np.empty(m, np.uint32),  # unsigned: an index that cannot be negative is cheaper
            left_weights=np.empty(m),
            prefix_squares=np.empty(m),
            gains=np.empty(m),
            known_rows=np.empty(m, np.uint32),
            buffer=np.empty(m, np.uint32),
            positions=np.empty(n_positions, np.uint32),
            entries=np.empty(n_positions, np.int64),
            position_of_row=np.full(n if is_sparse else 0, NOT_IN_NODE),
        )


class Scratch(NamedTuple):
    """Memory for the growth of a tree.

    node: rows of the node that is grown.
    reading: the feature that it tries.
    impurity (G,): impurity of the node with all its rows.
    features (p,): all features; those that are constant in the node come first.
    stack (n + 2, 4): nodes that wait to be grown; see `START`, `END`, `PARENT` and `N_CONSTANT`.
    counts (2,): see `N_NODES` and `N_WAITING`.
    state (1,): state of the random number generator.
    """

    node: Node
    reading: Reading
    impurity: np.ndarray
    features: np.ndarray
    stack: np.ndarray
    counts: np.ndarray
    state: np.ndarray

    @classmethod
    def of(cls, columns: Columns, space: ClusteringSpace, bag: np.ndarray, m: int, seed: int) -> "Scratch":
        """Allocate for a tree, with the root on the stack.

        bag (n,): multiplicities of the rows; m: number of rows in the bag.
        """
        is_sparse = columns.starts is not None
        # Each test leaves the weight of a row or more on both sides, so that these are all nodes that may wait.
        stack = np.empty((int(bag.sum()) + 2, STACK_COLUMNS), np.int64)
        stack[0, START] = 0
        stack[0, END] = m
        stack[0, PARENT] = -1
        stack[0, N_CONSTANT] = 0
        n_lanes = space.z.shape[1]
        n_groups = len(space.complete)
        n_rows = m + is_sparse
        node = Node(
            deviations=np.empty((n_rows, n_lanes)),
            weights=np.empty(n_rows),
            known_weights=np.empty((n_rows, n_groups)),
            row_squares=np.empty((n_rows, n_groups)),
            group_weights=np.empty(n_groups),
            group_squares=np.empty(n_groups),
            impurity=np.empty(n_groups),
            mean=np.empty(n_lanes),
        )
        return cls(
            node=node,
            reading=Reading.of(m, len(bag), is_sparse),
            impurity=np.empty(n_groups),
            features=np.arange(len(columns.nominal)),
            stack=stack,
            counts=np.array([0, 1]),
            state=np.array([seed], np.uint64),
        )
