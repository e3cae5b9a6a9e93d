"""Predictions of ensembles: nodes side by side, values in leaves only."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import numpy as np

from ..data.arrays import matrix
from ..kernels.jit import kernel
from ..work.threads import Work
from .ensembles import Forest, Key
from .predictions import means

ROWS_PER_BLOCK = 256  # rows that are predicted at once


class Nodes(NamedTuple):
    """Nodes of several trees, one after the other, each in preorder.

    feature (nodes,): -1 in leaves; to the left, the next node, go values <= threshold, or equal to it where the feature
    is nominal, and of missing ones a share; right (nodes,): the other child, in leaves the row of `values` (leaves, K);
    roots (trees,); depth: largest number of tests on the way to a leaf.
    """

    feature: np.ndarray
    threshold: np.ndarray
    share: np.ndarray
    right: np.ndarray
    roots: np.ndarray
    depth: int
    values: np.ndarray


@dataclass(frozen=True)
class Model:
    """Ensemble that predicts."""

    nodes: Nodes  # of all trees
    nominal: np.ndarray  # (p,) bool: which features are nominal
    starts: np.ndarray  # (t + 1,): first columns of the targets among the K that are predicted
    # Of each target the codes of its classes, or None where it is a number or a label
    levels: tuple[tuple[int, ...] | None, ...]
    powers: np.ndarray  # (K,): powers of two that the values in the leaves are to be multiplied with

    @classmethod
    def of(cls, forest: Forest, levels: Sequence[tuple[int, ...] | None], units: np.ndarray, work: Work) -> "Model":
        """Grow the trees of a forest again; units (t,): factors of the numbers of each target."""
        work.plan(len(forest.results))
        # Powers of two are multiplied at the end, so that no sum over trees overflows
        fractions, exponents = np.frexp(np.repeat(units, np.diff(forest.predicted.starts)))
        powers = forest.predicted.powers + exponents

        def grown(key: Key) -> Nodes:
            work.tick()
            tree = forest.tree(key, work)
            leaf = tree.feature < 0
            right = np.where(leaf, np.cumsum(leaf) - 1, tree.right).astype(np.int32)
            values = means(tree, forest.predicted, work.tick)[leaf] * fractions
            work.tick(1)
            root, depth = np.zeros(1, np.int64), int(tree.depth.max())
            return Nodes(tree.feature, tree.threshold, tree.share, right, root, depth, values)

        keys = forest.keys
        forest = replace(forest, results={}, info={})  # results need not travel
        nodes = _joined(work.spread(grown, keys))
        return cls(nodes, forest.columns.nominal, forest.predicted.starts, tuple(levels), powers)

    @property
    def trees(self) -> int:
        """Number of trees."""
        return len(self.nodes.roots)

    def predict(self, X: np.ndarray, work: Work | None = None) -> np.ndarray:
        """Means (n, K) over the trees for rows X (n, p): numbers, and the shares of labels and of classes.

        A category that is new goes where the others go.  Raises ValueError for another number of features.
        """
        work, X = work or Work(1), matrix(X, "X")
        if X.shape[1] != len(self.nominal):
            raise ValueError(f"the model needs {len(self.nominal)} features; X has shape {X.shape}")
        out = np.zeros((X.shape[0], self.nodes.values.shape[1]))
        starts = range(0, X.shape[0], ROWS_PER_BLOCK)
        work.plan(len(starts))

        def block(start: int) -> None:
            rows = X[start : start + ROWS_PER_BLOCK]
            rows = rows.toarray() if hasattr(rows, "toarray") else rows
            waiting, shares = np.empty(self.nodes.depth + 1, np.int64), np.empty(self.nodes.depth + 1)
            values = np.ascontiguousarray(rows, np.float64)
            _add(values, self.nominal, self.nodes, waiting, shares, out[start : start + ROWS_PER_BLOCK])
            work.tick(1)

        work.map(block, starts)
        return cast("np.ndarray", np.ldexp(out / self.trees, self.powers))


def _joined(parts: Sequence[Nodes]) -> Nodes:
    sizes = np.cumsum([0, *(len(part.feature) for part in parts)])
    leaves = np.cumsum([0, *(len(part.values) for part in parts)])
    right = [
        part.right + np.where(part.feature < 0, before, start).astype(np.int32)
        for part, start, before in zip(parts, sizes[:-1], leaves[:-1], strict=True)
    ]
    feature, threshold, share, _, _, depth, values = zip(*parts, strict=True)
    a, b, c, d, e = map(np.concatenate, (feature, threshold, share, right, values))
    return Nodes(a, b, c, d, sizes[:-1].astype(np.int64), max(depth), e)


@kernel(_nrt=False)
def _add(X, nominal, nodes, waiting, shares, out):
    """Add the predictions of each tree for the rows X (m, p) to out (m, K); scratch: waiting and shares (depth + 1,),
    nodes where a row goes, too, and the shares of it that do."""
    for t in range(len(nodes.roots)):
        for i in range(len(X)):
            waiting[0] = nodes.roots[t]
            shares[0] = 1.0
            top = 1
            while top:
                top -= 1
                v, share = waiting[top], shares[top]
                while nodes.feature[v] >= 0:
                    x, at = X[i, nodes.feature[v]], nodes.threshold[v]
                    left = np.float64(x == at if nominal[nodes.feature[v]] else x <= at)
                    if x != x:
                        left = nodes.share[v]
                    if 0 < left < 1:
                        waiting[top], shares[top] = nodes.right[v], share * (1 - left)
                        top, share = top + 1, share * left
                    v = v + 1 if left > 0 else np.int64(nodes.right[v])
                for k in range(out.shape[1]):
                    out[i, k] += share * nodes.values[nodes.right[v], k]
