"""Ensembles that predict: nodes of all trees side by side, with values in the leaves only.

`methods/pct.py` makes a `Model` of a `Forest`; saved models name `Model` and `Nodes`, so that these names stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import numpy as np

from ..data.arrays import matrix
from ..kernels.jit import kernel
from ..work.threads import Work
from .ensembles import Forest, Key
from .feature_values import passes
from .predictions import means

ROWS_PER_BLOCK = 256  # rows that are predicted at once; chosen by eye


class Nodes(NamedTuple):
    """Nodes of several trees, one after the other, each in preorder: the left child of a node is the next node.

    feature (nodes,): tested feature, -1 in leaves.
    threshold (nodes,): values <= threshold go to the left, or those equal to it if the feature is nominal.
    share (nodes,): share of a row with a missing value that goes to the left.
    right (nodes,): right child; in leaves, their index in `values`.
    roots (trees,): root of each tree.
    depth: largest number of tests on the way to a leaf.
    values (leaves, K): predictions.
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
    """Ensemble that predicts.

    nodes: nodes of all trees.
    nominal (p,) bool: nominal features.
    starts (t + 1,): first column of each target among the K columns that are predicted.
    levels (t,): codes of the classes of each target; None for a number or a label.
    powers (K,): powers of two with which the means over the trees are multiplied.
    origins (K,): numbers that are added to these products.
    """

    nodes: Nodes
    nominal: np.ndarray
    starts: np.ndarray
    levels: tuple[tuple[int, ...] | None, ...]
    powers: np.ndarray
    origins: np.ndarray

    @classmethod
    def of(
        cls,
        forest: Forest,
        levels: Sequence[tuple[int, ...] | None],
        units: np.ndarray,
        work: Work,
        origins: np.ndarray | None = None,
    ) -> "Model":
        """Grow the trees of a forest again, and store their nodes.

        levels (t,): codes of the classes of each target; None for a number or a label.
        units (t,): factors of the numbers of each target.
        origins (t,): what is added to these numbers; None: 0.
        """
        work.plan(len(forest.results))
        # Powers of two are multiplied at the end, so that no sum over trees overflows.
        fractions, exponents = np.frexp(np.repeat(units, np.diff(forest.predicted.starts)))
        powers = forest.predicted.powers + exponents
        keys = forest.keys
        without_results = replace(forest, results={}, info={})  # which need not travel

        def grow_again(key: Key) -> Nodes:
            """Grow the tree of a key."""
            work.tick()
            tree = without_results.tree(key, work)
            is_leaf = tree.feature < 0
            values = means(tree, forest.predicted, work.tick)[is_leaf] * fractions
            work.tick(1)
            return Nodes(
                feature=tree.feature,
                threshold=tree.threshold,
                share=tree.share,
                right=np.where(is_leaf, np.cumsum(is_leaf) - 1, tree.right).astype(np.int32),
                roots=np.zeros(1, np.int64),
                depth=int(tree.depth.max()),
                values=values,
            )

        nodes = _join(work.spread(grow_again, keys))
        starts = forest.predicted.starts
        origins = np.repeat(np.zeros(len(units)) if origins is None else origins, np.diff(starts))
        return cls(nodes, forest.columns.nominal, starts, tuple(levels), powers, origins)

    @property
    def trees(self) -> int:
        """Number of trees."""
        return len(self.nodes.roots)

    def predict(self, X: np.ndarray, work: Work | None = None) -> np.ndarray:
        """Average the predictions of all trees.

        A category that did not occur in the training data goes where the categories go that a test does not name.

        Parameters
        ----------
        X : (n, p) array or sparse matrix
            Rows to predict.
        work : Work, optional
            Threads and progress; None: one thread.

        Returns
        -------
        (n, K) array
            Numbers, and the shares of labels and of classes.

        Raises
        ------
        ValueError
            If X has another number of features than the training data.
        """
        work = work or Work(1)
        X = matrix(X, "X")
        if X.shape[1] != len(self.nominal):
            raise ValueError(f"the model needs {len(self.nominal)} features; X has shape {X.shape}")
        predictions = np.zeros((X.shape[0], self.nodes.values.shape[1]))
        starts = range(0, X.shape[0], ROWS_PER_BLOCK)
        work.plan(len(starts))

        def predict_block(start: int) -> None:
            """Fill `predictions` for a block of rows."""
            rows = X[start : start + ROWS_PER_BLOCK]
            dense = rows.toarray() if hasattr(rows, "toarray") else rows
            values = np.ascontiguousarray(dense, np.float64)
            waiting = np.empty(self.nodes.depth + 1, np.int64)
            shares = np.empty(self.nodes.depth + 1)
            _add(values, self.nominal, self.nodes, waiting, shares, predictions[start : start + ROWS_PER_BLOCK])
            work.tick(1)

        work.map(predict_block, starts)
        return cast("np.ndarray", np.ldexp(predictions / self.trees, self.powers) + self.origins)


def _join(trees: Sequence[Nodes]) -> Nodes:
    """Join the nodes of several trees."""
    first_nodes = np.cumsum([0, *(len(tree.feature) for tree in trees)])
    first_leaves = np.cumsum([0, *(len(tree.values) for tree in trees)])
    right = [
        tree.right + np.where(tree.feature < 0, first_leaf, first_node).astype(np.int32)
        for tree, first_node, first_leaf in zip(trees, first_nodes[:-1], first_leaves[:-1], strict=True)
    ]
    return Nodes(
        feature=np.concatenate([tree.feature for tree in trees]),
        threshold=np.concatenate([tree.threshold for tree in trees]),
        share=np.concatenate([tree.share for tree in trees]),
        right=np.concatenate(right),
        roots=first_nodes[:-1].astype(np.int64),
        depth=max(tree.depth for tree in trees),
        values=np.concatenate([tree.values for tree in trees]),
    )


@kernel(_nrt=False)
def _add(X, nominal, nodes, waiting, shares, out):
    """Add the predictions of each tree for the rows X (m, p) to out (m, K).

    A row that goes both ways goes on to the left, while its right node waits with the share of the row that goes there.

    waiting, shares (depth + 1,): scratch for these nodes, and for the shares.
    """
    for t in range(len(nodes.roots)):
        for i in range(len(X)):
            waiting[0] = nodes.roots[t]
            shares[0] = 1.0
            n_waiting = 1
            while n_waiting:
                n_waiting -= 1
                v = waiting[n_waiting]
                share = shares[n_waiting]
                while nodes.feature[v] >= 0:
                    f = nodes.feature[v]
                    value = X[i, f]
                    left_share = np.float64(passes(value, nodes.threshold[v], nominal[f]))
                    if value != value:
                        left_share = nodes.share[v]
                    if 0 < left_share < 1:
                        waiting[n_waiting] = nodes.right[v]
                        shares[n_waiting] = share * (1 - left_share)
                        n_waiting += 1
                        share = share * left_share
                    v = v + 1 if left_share > 0 else np.int64(nodes.right[v])
                for k in range(out.shape[1]):
                    out[i, k] += share * nodes.values[nodes.right[v], k]
