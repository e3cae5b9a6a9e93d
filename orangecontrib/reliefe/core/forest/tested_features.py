"""Nodes that test each feature first."""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from .kernel_options import PLAIN
from .scores import uses
from .trees import Tree


class Uses(NamedTuple):
    """Nodes that test a feature which none above them tests: of the tested features (u,) the first one is head (p,),
    that after node v is following[v] (nodes,), -1: none."""

    features: np.ndarray
    head: np.ndarray
    following: np.ndarray

    @classmethod
    def of(cls, tree: Tree, p: int) -> "Uses":
        """Uses of p features."""
        found = cls(uses(tree).astype(np.int64), np.full(p, -1), np.full(len(tree.feature), -1))
        _first_uses(tree, found.head, found.following)
        return found


@kernel(**PLAIN)
def _first_uses(tree, head, following):
    """Fill the lists of `Uses`, whose entries are -1."""
    for v in range(len(tree.feature) - 1, -1, -1):
        f, up = tree.feature[v], tree.parent[v]
        if f >= 0:
            while up >= 0 and tree.feature[up] != f:
                up = tree.parent[up]
            if up < 0:
                following[v], head[f] = head[f], v
