"""Hierarchies of labels, trees and acyclic graphs: parents of each label, closure of label sets, weights by depth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..checks import several, whole
from ..words import cut, shown

RULES = ("mean", "sum", "max", "none")
VALUES_PER_BLOCK = 2**20  # values that are looked at at once


@dataclass(frozen=True)
class Hierarchy:
    """parents: for each label the indices of its parents, () for a root; order: labels, parents before children."""

    parents: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    @classmethod
    def read(cls, parents: object, n_labels: int, names: tuple[Any, ...] = ()) -> "Hierarchy":
        """Read a sequence with the parents of each label: a sequence of indices, one index, or None.

        Raises ValueError for a wrong number of labels, a parent that does not exist, and a cycle.
        """
        if not isinstance(parents, Sequence) or isinstance(parents, str):
            raise ValueError("hierarchy must be a sequence with the parents' indices of each label")
        if len(parents) != n_labels:
            raise ValueError(f"hierarchy has parents for {len(parents)} labels but y has {n_labels}")
        found = tuple(_indices(given, label, n_labels) for label, given in enumerate(parents))
        children: list[list[int]] = [[] for _ in found]
        waiting = [len(above) for above in found]
        for label, above in enumerate(found):
            for parent in above:
                children[parent].append(label)
        order = [label for label, count in enumerate(waiting) if count == 0]
        for label in order:  # grows while it is read
            for child in children[label]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        if len(order) < len(found):
            left = [cut(names[k]) if names else str(k) for k, count in enumerate(waiting) if count]
            few = ", ".join([*left[:5], *(["..."] if len(left) > 5 else [])])
            raise ValueError(f"the hierarchy has a cycle: {few} are, or lie below, labels that are their own ancestors")
        return cls(found, tuple(order))

    def close(self, labels: sparse.csr_array) -> sparse.csr_array:
        """labels (n, L) with all ancestors of every label."""
        above: list[set[int]] = [{label} for label in range(len(self.parents))]
        for label in self.order:
            above[label].update(*(above[parent] for parent in self.parents[label]))
        counts = np.cumsum([0, *map(len, above)])
        indices = np.fromiter((ancestor for found in above for ancestor in found), np.int64, counts[-1])
        shape = len(above), len(above)
        closed = labels.astype(np.int64) @ sparse.csr_array((np.ones(len(indices), np.int64), indices, counts), shape)
        closed = sparse.csr_array(closed)
        closed.data[:] = 1
        closed.sort_indices()
        return closed.astype(np.uint8)

    def close_partly(self, values: np.ndarray) -> np.ndarray:
        """The same for values (n, L) of 0, 1 and NaN: ancestors of a label that is there are there."""
        values = np.array(values, order="F")
        self.close_in_place(values)
        return values

    def close_in_place(self, values: np.ndarray) -> None:
        """The same for an array that may be changed."""
        if not len(values):
            return
        n, size = values.shape
        step = 8 * max(VALUES_PER_BLOCK // (8 * max(size, 1)), 1)
        # A bit for each row: one step for each pair of parent and child, however many rows there are.
        present = np.hstack([np.packbits(values[i : i + step].T == 1, axis=1) for i in range(0, n, step)])
        for label in reversed(self.order):
            for parent in self.parents[label]:
                present[parent] |= present[label]
        for i in range(0, n, step):
            rows = values[i : i + step]
            rows[np.unpackbits(present[:, i // 8 : (i + step) // 8], axis=1, count=len(rows)).T == 1] = 1

    def weights(self, decay: float, rule: str) -> np.ndarray:
        """alpha (L,): 1 for roots, below them `decay` times the mean (sum, max) of the parents'; rule "none": all 1.

        Semi-supervised paper, section 4: the mean.
        """
        alpha = np.ones(len(self.parents))
        if rule != "none":
            combine: Any = {"mean": np.mean, "sum": np.sum, "max": np.max}[rule]
            for label in self.order:
                if self.parents[label]:
                    alpha[label] = decay * combine(alpha[list(self.parents[label])])
        return alpha


def _indices(given: object, label: int, n_labels: int) -> tuple[int, ...]:
    given = () if given is None else given
    try:
        parents = several("parents", given) if isinstance(given, Sequence | np.ndarray) else [given]
        found = {whole("a parent", parent) for parent in parents}
    except TypeError:
        raise ValueError(f"the parents of label {label} must be indices of labels, not {shown(given)}") from None
    wrong = [parent for parent in found if not 0 <= parent < n_labels]
    if wrong:
        raise ValueError(
            f"label {label} has a parent that does not exist: {shown(wrong[0])}; labels are 0 to {n_labels - 1}"
        )
    return tuple(sorted(found))
