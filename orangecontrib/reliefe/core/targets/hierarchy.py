"""Hierarchy of labels, a tree or an acyclic graph.

Readers of targets make it of a caller's parents, and close label sets under it; distances of label sets weigh labels
by their depth in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..checks import several, whole
from ..words import cut, shown

RULES = ("mean", "sum", "max", "none")  # how the weights of several parents are combined
VALUES_PER_BLOCK = 2**20  # labels of rows that are packed into bits at once
ROWS_PER_BYTE = 8
MAX_NAMES_IN_MESSAGE = 5


@dataclass(frozen=True)
class Hierarchy:
    """Hierarchy of L labels.

    Attributes
    ----------
    parents : tuple of tuples of int
        For each label the indices of its parents, () for a root.
    order : tuple of int
        Indices of all labels, parents before children.
    """

    parents: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    @classmethod
    def read(cls, parents: object, n_labels: int, names: tuple[Any, ...] = ()) -> "Hierarchy":
        """Read the parents of each label.

        Parameters
        ----------
        parents : sequence
            For each label a sequence of the indices of its parents, one index, or None for a root.
        n_labels : int
            Number of labels.
        names : tuple
            Names of the labels, for messages; (): their indices.

        Raises
        ------
        ValueError
            If the number of labels is wrong, a parent does not exist, or labels are their own ancestors.
        """
        if not isinstance(parents, Sequence) or isinstance(parents, str):
            raise ValueError("hierarchy must be a sequence with the parents' indices of each label")
        if len(parents) != n_labels:
            raise ValueError(f"hierarchy has parents for {len(parents)} labels but y has {n_labels}")
        indices = tuple(_parent_indices(of_label, label, n_labels) for label, of_label in enumerate(parents))
        children: list[list[int]] = [[] for _ in indices]
        for label, of_label in enumerate(indices):
            for parent in of_label:
                children[parent].append(label)
        # Topological order: a label follows when the last of its parents has
        n_waiting = [len(of_label) for of_label in indices]
        order = [label for label, count in enumerate(n_waiting) if count == 0]
        for label in order:  # grows while it is read
            for child in children[label]:
                n_waiting[child] -= 1
                if n_waiting[child] == 0:
                    order.append(child)
        if len(order) < len(indices):
            in_cycles = [cut(names[k]) if names else str(k) for k, count in enumerate(n_waiting) if count]
            ellipsis = ["..."] if len(in_cycles) > MAX_NAMES_IN_MESSAGE else []
            listed = ", ".join([*in_cycles[:MAX_NAMES_IN_MESSAGE], *ellipsis])
            raise ValueError(
                f"the hierarchy has a cycle: {listed} are, or lie below, labels that are their own ancestors"
            )
        return cls(indices, tuple(order))

    def close(self, labels: sparse.csr_array) -> sparse.csr_array:
        """Add all ancestors of every label to the label sets of rows, labels (n, L) of 0 and 1."""
        # Matrix (L, L) of labels and of their ancestors, with themselves
        ancestors: list[set[int]] = [{label} for label in range(len(self.parents))]
        for label in self.order:
            ancestors[label].update(*(ancestors[parent] for parent in self.parents[label]))
        starts = np.cumsum([0, *map(len, ancestors)])
        indices = np.fromiter((ancestor for of_label in ancestors for ancestor in of_label), np.int64, starts[-1])
        shape = (len(ancestors), len(ancestors))
        matrix = sparse.csr_array((np.ones(len(indices), np.int64), indices, starts), shape)
        closed = sparse.csr_array(labels.astype(np.int64) @ matrix)
        closed.data[:] = 1
        closed.sort_indices()
        return closed.astype(np.uint8)

    def close_partly(self, values: np.ndarray) -> np.ndarray:
        """Add all ancestors of every label to partly known label sets, values (n, L) of 0, 1 and NaN."""
        values = np.array(values, order="F")
        self.close_in_place(values)
        return values

    def close_in_place(self, values: np.ndarray) -> None:
        """Add all ancestors of every label to values (n, L) of 0, 1 and NaN, in place."""
        if not len(values):
            return
        n, n_labels = values.shape
        step = ROWS_PER_BYTE * max(VALUES_PER_BLOCK // (ROWS_PER_BYTE * max(n_labels, 1)), 1)
        # Pack a bit for each row: one operation for each pair of parent and child, however many rows there are
        present = np.hstack([np.packbits(values[i : i + step].T == 1, axis=1) for i in range(0, n, step)])
        for label in reversed(self.order):
            for parent in self.parents[label]:
                present[parent] |= present[label]
        # Unpack
        for i in range(0, n, step):
            rows = values[i : i + step]
            packed = present[:, i // ROWS_PER_BYTE : (i + step) // ROWS_PER_BYTE]
            rows[np.unpackbits(packed, axis=1, count=len(rows)).T == 1] = 1

    def weights(self, decay: float, rule: str) -> np.ndarray:
        """Compute the weight alpha (L,) of each label.

        alpha is 1 for roots, and for others decay * rule(alpha of the parents).

        Semi-supervised paper, section 4: the mean.

        Parameters
        ----------
        decay : float
            Weight of a label over that of its parents.
        rule : str
            One of RULES: "mean", "sum", "max"; "none": all labels weigh 1.
        """
        alpha = np.ones(len(self.parents))
        if rule != "none":
            combine: Any = {"mean": np.mean, "sum": np.sum, "max": np.max}[rule]
            for label in self.order:
                if self.parents[label]:
                    alpha[label] = decay * combine(alpha[list(self.parents[label])])
        return alpha


def _parent_indices(parents: object, label: int, n_labels: int) -> tuple[int, ...]:
    """Read the parents of one label: a sequence of indices, one index, or None."""
    parents = () if parents is None else parents
    try:
        values = several("parents", parents) if isinstance(parents, Sequence | np.ndarray) else [parents]
        indices = {whole("a parent", value) for value in values}
    except TypeError:
        raise ValueError(f"the parents of label {label} must be indices of labels, not {shown(parents)}") from None
    wrong = [index for index in indices if not 0 <= index < n_labels]
    if wrong:
        raise ValueError(
            f"label {label} has a parent that does not exist: {shown(wrong[0])}; labels are 0 to {n_labels - 1}"
        )
    return tuple(sorted(indices))
