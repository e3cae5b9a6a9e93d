"""Features that a tree tests, each with the nodes where rows first meet it.

`permutations` routes rows again from these nodes.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .kernel_options import PLAIN
from .scores import uses
from .trees import Tree


class TestedFeatures(NamedTuple):
    """Linked lists of the nodes that test a feature which no node above them tests.

    features (u,): the tested features.
    head (p,): first node of the list of each feature, -1 if none.
    following (nodes,): next node of the list that a node is in, -1 if none.
    """

    features: np.ndarray
    head: np.ndarray
    following: np.ndarray

    @classmethod
    def of(cls, tree: Tree, p: int) -> "TestedFeatures":
        """Find the nodes of a tree that tests some of p features."""
        tested = cls(uses(tree).astype(np.int64), np.full(p, -1), np.full(len(tree.feature), -1))
        _first_uses(tree, tested.head, tested.following)
        return tested


@kernel(**PLAIN)
def _first_uses(tree, head, following):
    """Fill the lists head (p,) and following (nodes,), whose entries are -1; nodes ascend in each list."""
    for v in range(len(tree.feature) - 1, -1, -1):
        f = tree.feature[v]
        up = tree.parent[v]
        if f >= 0:
            while up >= 0 and tree.feature[up] != f:
                up = tree.parent[up]
            if up < 0:
                following[v] = head[f]
                head[f] = v
