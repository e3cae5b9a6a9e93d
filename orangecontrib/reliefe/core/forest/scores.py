"""Scores of features by the arrays of one tree: Genie3 and Symbolic.

`ensembles` calls them for each tree.  Semi-supervised paper, equations 2 and 3.
"""

import numpy as np

from .outcome import Outcome
from .predictions import Tick, impurities
from .trees import Tree


def uses(tree: Tree) -> np.ndarray:
    """List the features (u,) that a tree tests, ascending."""
    return np.unique(tree.feature[tree.feature >= 0])


def genie3(tree: Tree, p: int) -> np.ndarray:
    """Sum the gains of the nodes that test each feature (p,): semi-supervised paper, equation 2."""
    inner = tree.feature >= 0
    return np.bincount(tree.feature[inner], tree.gain[inner], p)


def genie3_each(tree: Tree, p: int, outcome: Outcome, tick: Tick = bool) -> np.ndarray:
    """Compute Genie3 (t, p) of each target: the decrease of its impurity by the tests, over that of the data.

    tick: as in `grow`.
    """
    inner = np.flatnonzero(tree.feature >= 0)
    impurity = impurities(tree, outcome, tick)
    gains = impurity[inner] - impurity[inner + 1] - impurity[tree.right[inner]]
    return np.array([np.bincount(tree.feature[inner], gain, p) for gain in gains.T])


def symbolic(tree: Tree, p: int, decay: float | None = None) -> np.ndarray:
    """Sum over the nodes that test each feature (p,) their shares of the rows, or decay to the power of their depth.

    Semi-supervised paper, equation 3.
    """
    inner = tree.feature >= 0
    terms = tree.weight[inner] / tree.weight[0] if decay is None else decay ** tree.depth[inner].astype(np.float64)
    return np.bincount(tree.feature[inner], terms, p)
