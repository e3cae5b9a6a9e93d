"""Label sets, and distances between them."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..kernels.bits import popcount
from ..kernels.jit import kernel
from .hierarchy import Hierarchy
from .label_distances import COORDINATES, SETS
from .numbers import Numbers
from .targets import Target
from .tasks import HIERARCHICAL, MULTILABEL

COORDINATES_PER_BLOCK = 2**22  # cells of label coordinates that are compared at once
WORD = 64  # labels that are compared at once
PAIRS_PER_BLOCK = 2**24  # cells of a block of label sets against all others


@dataclass(frozen=True)
class Labels(Target):
    """matrix (n, L): sparse, 1 where a row has a label; for pairs one bit a label and row.

    distance: name in DISTANCES; weights (L,) of the labels; whole: the size of all labels, which hamming divides by.
    coordinates (n, d): of the rows' label sets, for the two distances that are measured on them; scale: what these
    are divided by.  hierarchy: of the labels, under which all sets are closed.
    """

    matrix: sparse.csr_array
    names: tuple[Any, ...] = ()
    distance: str = "f1"
    weights: np.ndarray | None = None
    whole: float | None = None
    hierarchy: Hierarchy | None = None
    coordinates: np.ndarray | None = field(default=None, repr=False)
    scale: float = 1.0
    origin: np.ndarray | None = field(default=None, repr=False)  # (n,) rows as they were first numbered
    has_label_sets = True

    @classmethod
    def read(cls, values: object, names: tuple[Any, ...] = (), hierarchy: Hierarchy | None = None) -> "Labels":
        """values (n, L) of 0 and 1, dense or sparse; with a hierarchy sets are closed upwards."""
        matrix = sparse.csr_array(values != 0, dtype=np.uint8)
        matrix.sort_indices()
        return cls(hierarchy.close(matrix) if hierarchy else matrix, names, hierarchy=hierarchy)

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return cast("int", self.matrix.shape[0])

    @property
    def task(self) -> str:  # type: ignore[override]  # others are given it, this one follows from the rest
        return HIERARCHICAL if self.hierarchy else MULTILABEL

    @property
    def values(self) -> np.ndarray:
        """(n, L) uint8."""
        return cast("np.ndarray", self.matrix.toarray())

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return self.values.astype(np.float64), np.zeros(self.matrix.shape[1], bool)

    @property
    def label_matrix(self) -> sparse.csr_array:
        return self.matrix

    @property
    def levels(self) -> list[tuple[int, ...] | None]:
        return [None] * self.matrix.shape[1]

    @property
    def sets(self) -> np.ndarray:
        """(n,) number of each row's label set in the sorted list of those that occur."""
        return np.unique(self.values, axis=0, return_inverse=True)[1].ravel()

    def take(self, rows: np.ndarray) -> "Labels":
        points = None if self.coordinates is None else self.coordinates[rows]
        origin = rows if self.origin is None else self.origin[rows]
        return replace(self, matrix=self.matrix[rows], coordinates=points, origin=origin)

    def measured(self, distance: str, coordinates: np.ndarray | None = None) -> "Labels":
        """The same label sets with another distance; hyperbolic ones are divided by twice the largest radius.

        coordinates (n, d): in the first order of the rows.
        """
        scale = 1.0
        if coordinates is not None and self.origin is not None:
            coordinates = coordinates[self.origin]
        if distance == "hyperbolic":
            radius = np.arccosh(np.sqrt(1 + (cast("np.ndarray", coordinates) ** 2).sum(axis=1))).max()
            scale = float(2 * radius) if radius > 0 else 1.0
        return replace(self, distance=distance, coordinates=coordinates, scale=scale)

    def weighted(self, weights: np.ndarray, gamma: str = "sum", known: np.ndarray | None = None) -> "Labels":
        """Label sets with weights (L,) of the labels; hamming is divided by those that occur, or ("max") by its largest
        value among the rows in known (n,)."""
        occurs = np.asarray(self.matrix.sum(axis=0)).ravel() > 0
        out = replace(self, weights=weights, whole=float(weights[occurs].sum()) or 1.0)
        if gamma == "max":
            some = out if known is None else out.take(np.flatnonzero(known))
            out = replace(out, whole=some._largest() or 1.0)
        return out

    def part(self, number: int) -> Numbers:
        return Numbers.measure(self._columns[:, [number]].toarray().ravel().astype(np.float64))

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        rows, cols = np.broadcast_arrays(rows, cols)
        if self.coordinates is not None:
            points, measure = self.coordinates, COORDINATES[self.distance]
            out, step = np.empty(rows.size), max(COORDINATES_PER_BLOCK // points.shape[1], 1)
            for start in range(0, rows.size, step):
                block = slice(start, start + step)
                out[block] = measure(points[rows.ravel()[block]], points[cols.ravel()[block]])
            return out.reshape(rows.shape) / self.scale
        both = np.empty(rows.shape)
        _shared(*self._words, rows.ravel(), cols.ravel(), both.reshape(-1))
        whole = float(len(self._weights)) if self.whole is None else self.whole
        return SETS[self.distance](both, self._sizes[rows] + self._sizes[cols], whole)

    def _largest(self) -> float:
        """Largest weight of the labels in which two rows differ."""
        sets = sparse.csr_array(np.unique(self.values, axis=0)).astype(np.float64)
        sizes, heavy = sets @ self._weights, sets * self._weights
        step, largest = max(PAIRS_PER_BLOCK // max(sets.shape[0], 1), 1), 0.0
        for start in range(0, sets.shape[0], step):
            block = slice(start, start + step)
            shared = (heavy[block] @ sets.T).toarray()
            largest = max(largest, float((sizes[block, None] + sizes - 2 * shared).max()))
        return largest

    @cached_property
    def _columns(self) -> sparse.csc_array:
        return self.matrix.tocsc()

    @cached_property
    def _weights(self) -> np.ndarray:
        return np.ones(self.matrix.shape[1]) if self.weights is None else self.weights

    @cached_property
    def _words(self) -> tuple[np.ndarray, np.ndarray]:
        """The sets as bits, words (n, W), and what a bit of each word weighs (W,)."""
        weights, group = np.unique(self._weights, return_inverse=True)
        order = np.argsort(group, kind="stable")
        counts = np.bincount(group, minlength=len(weights))
        first = np.cumsum(np.append(0, -(-counts // WORD)))  # word with which a group begins
        place = np.empty(len(group), np.int64)  # of a label among the bits of all words
        place[order] = np.arange(len(group)) - np.repeat(np.cumsum(counts) - counts - first[:-1] * WORD, counts)
        words = np.zeros((self.n, int(first[-1])), np.uint64)
        bits = place[self.matrix.indices]
        rows = np.repeat(np.arange(self.n), np.diff(self.matrix.indptr))
        np.add.at(words, (rows, bits // WORD), np.uint64(1) << (bits % WORD).astype(np.uint64))
        return words, np.repeat(weights, np.diff(first))

    @cached_property
    def _sizes(self) -> np.ndarray:
        """(n,) weight of each row's labels."""
        return cast("np.ndarray", self.matrix.astype(np.float64) @ self._weights)


@kernel
def _shared(words, weights, rows, cols, out):
    """out (b,): weight of the labels that two rows share."""
    for b in range(len(rows)):
        x, y, total = words[rows[b]], words[cols[b]], 0.0
        for w in range(len(weights)):
            total += weights[w] * popcount(x[w] & y[w])
        out[b] = total
