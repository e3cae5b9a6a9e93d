"""Target of label sets: each row has any of L labels, all of which are known.

`targets.reader` makes a `Labels` of a matrix of 0 and 1. Relief methods take differences of label sets from it.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from ..kernels.bits import popcount
from ..kernels.jit import kernel
from .hierarchy import Hierarchy
from .label_distances import COORDINATES, SETS
from .numbers import Numbers
from .targets import Target, TargetColumns
from .tasks import HIERARCHICAL, MULTILABEL

COORDINATES_PER_BLOCK = 2**22  # cells of label coordinates that are compared at once
WORD = 64  # bits of a word: labels that are compared at once
PAIRS_PER_BLOCK = 2**24  # pairs of label sets that are compared at once


class LabelWords(NamedTuple):
    """Label sets as bits, so that labels of equal weights are in common words.

    Attributes
    ----------
    words : (n, W) uint64 array
        A bit for each label of a row.
    weights : (W,) float64 array
        Weight of each label in a word.
    """

    words: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Labels(Target):
    """Label sets of n rows.

    Attributes
    ----------
    matrix : (n, L) CSR array, uint8
        1 for the labels of a row.
    names : tuple
        Names of the labels.
    distance : str
        Distance of two label sets, a name in `DISTANCES`.
    weights : (L,) float64 array, optional
        Weights of the labels. None: all are 1.
    whole : float, optional
        Sum of the weights, by which the Hamming distance is divided. None: L.
    hierarchy : Hierarchy, optional
        Parents of the labels; sets have all ancestors of their labels.
    coordinates : (n, d) float64 array, optional
        Coordinates of the label sets, for the distances in `COORDINATES`.
    scale : float
        Divisor of these distances.
    origin : (n,) int array, optional
        Index of each row when coordinates were made. None: 0, 1, ...
    """

    matrix: sparse.csr_array
    names: tuple[Any, ...] = ()
    distance: str = "f1"
    weights: np.ndarray | None = None
    whole: float | None = None
    hierarchy: Hierarchy | None = None
    coordinates: np.ndarray | None = field(default=None, repr=False)
    scale: float = 1.0
    origin: np.ndarray | None = field(default=None, repr=False)
    has_label_sets = True

    @classmethod
    def read(cls, values: object, names: tuple[Any, ...] = (), hierarchy: Hierarchy | None = None) -> "Labels":
        """Read label sets, and close them under a hierarchy.

        Parameters
        ----------
        values : (n, L) array or sparse matrix
            0 and 1.
        names : tuple
            Names of the labels.
        hierarchy : Hierarchy, optional
            Parents of the labels: a row with a label has all of its ancestors.
        """
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
        """Label sets as a dense array (n, L) uint8."""
        return cast("np.ndarray", self.matrix.toarray())

    @property
    def columns(self) -> TargetColumns:
        return TargetColumns(self.values.astype(np.float64), np.zeros(self.matrix.shape[1], bool))

    @property
    def label_matrix(self) -> sparse.csr_array:
        return self.matrix

    @property
    def levels(self) -> list[tuple[int, ...] | None]:
        return [None] * self.matrix.shape[1]

    @property
    def sets(self) -> np.ndarray:
        """Index (n,) of the label set of each row in the sorted list of the sets that occur."""
        return np.unique(self.values, axis=0, return_inverse=True)[1].ravel()

    def take(self, rows: np.ndarray) -> "Labels":
        points = None if self.coordinates is None else self.coordinates[rows]
        origin = rows if self.origin is None else self.origin[rows]
        return replace(self, matrix=self.matrix[rows], coordinates=points, origin=origin)

    def measured(self, distance: str, coordinates: np.ndarray | None = None) -> "Labels":
        """Return these label sets with another distance.

        Hyperbolic distances are divided by twice the largest radius, so that none is above 1.

        Parameters
        ----------
        distance : str
            Name in DISTANCES.
        coordinates : (m, d) array, optional
            Coordinates of the label sets of all rows before any were left out.
        """
        scale = 1.0
        if coordinates is not None and self.origin is not None:
            coordinates = coordinates[self.origin]
        if distance == "hyperbolic":
            radius = np.arccosh(np.sqrt(1 + (cast("np.ndarray", coordinates) ** 2).sum(axis=1))).max()
            scale = float(2 * radius) if radius > 0 else 1.0
        return replace(self, distance=distance, coordinates=coordinates, scale=scale)

    def weighted(self, weights: np.ndarray, gamma: str = "sum", known: np.ndarray | None = None) -> "Labels":
        """Return these label sets with weights of the labels.

        Parameters
        ----------
        weights : (L,) array
            Weights of the labels.
        gamma : str
            Divisor of the Hamming distance: "sum", the weight of the labels that occur, or "max", the largest distance
            of two rows.
        known : (n,) bool array, optional
            Rows whose distances count for "max"; None: all.
        """
        occurs = np.asarray(self.matrix.sum(axis=0)).ravel() > 0
        weighted = replace(self, weights=weights, whole=float(weights[occurs].sum()) or 1.0)
        if gamma == "max":
            known_rows = weighted if known is None else weighted.take(np.flatnonzero(known))
            weighted = replace(weighted, whole=known_rows._largest_distance() or 1.0)
        return weighted

    def part(self, number: int) -> Numbers:
        return Numbers.measure(self._columns[:, [number]].toarray().ravel().astype(np.float64))

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        rows, cols = np.broadcast_arrays(rows, cols)
        if self.coordinates is not None:
            return self._distances(self.coordinates, rows.ravel(), cols.ravel()).reshape(rows.shape) / self.scale
        shared = np.empty(rows.shape)
        x = rows.ravel().astype(np.int64, copy=False)
        y = cols.ravel().astype(np.int64, copy=False)
        _add_shared(*self._words, x, y, shared.reshape(-1))
        size_of_all = float(len(self._weights)) if self.whole is None else self.whole
        return SETS[self.distance](shared, self._sizes[rows] + self._sizes[cols], size_of_all)

    def _distances(self, points: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Measure distances (b,) of the points (n, d) of pairs of rows (b,), by blocks of them."""
        measure = COORDINATES[self.distance]
        distances = np.empty(len(rows))
        step = max(COORDINATES_PER_BLOCK // points.shape[1], 1)
        for start in range(0, len(rows), step):
            block = slice(start, start + step)
            distances[block] = measure(points[rows[block]], points[cols[block]])
        return distances

    def _largest_distance(self) -> float:
        """Compute the largest weight of the labels in which two rows differ."""
        sets = sparse.csr_array(np.unique(self.values, axis=0)).astype(np.float64)
        sizes = sets @ self._weights
        weighted = sets * self._weights
        step = max(PAIRS_PER_BLOCK // max(sets.shape[0], 1), 1)
        largest = 0.0
        for start in range(0, sets.shape[0], step):
            block = slice(start, start + step)
            shared = (weighted[block] @ sets.T).toarray()
            largest = max(largest, float((sizes[block, None] + sizes - 2 * shared).max()))
        return largest

    @cached_property
    def _columns(self) -> sparse.csc_array:
        return self.matrix.tocsc()

    @cached_property
    def _weights(self) -> np.ndarray:
        return np.ones(self.matrix.shape[1]) if self.weights is None else self.weights

    @cached_property
    def _words(self) -> LabelWords:
        """Label sets as bits: labels of one weight are a group, and each group begins with a new word."""
        weights, group = np.unique(self._weights, return_inverse=True)
        order = np.argsort(group, kind="stable")
        counts = np.bincount(group, minlength=len(weights))
        n_words = (counts + WORD - 1) // WORD
        first_word = np.cumsum(np.append(0, n_words))
        # Index of each label among the bits of all words
        bit = np.empty(len(group), np.int64)
        first_label = np.cumsum(counts) - counts
        bit[order] = np.arange(len(group)) - np.repeat(first_label - first_word[:-1] * WORD, counts)
        # Bits of the labels that rows have
        words = np.zeros((self.n, int(first_word[-1])), np.uint64)
        bits = bit[self.matrix.indices]
        rows = np.repeat(np.arange(self.n), np.diff(self.matrix.indptr))
        np.add.at(words, (rows, bits // WORD), np.uint64(1) << (bits % WORD).astype(np.uint64))
        return LabelWords(words, np.repeat(weights, n_words))

    @cached_property
    def _sizes(self) -> np.ndarray:
        """Weight (n,) of the labels of each row."""
        return cast("np.ndarray", self.matrix.astype(np.float64) @ self._weights)


@kernel
def _add_shared(words, weights, rows, cols, out):
    """Add up the weight of the labels that the rows x and y of a pair b share.

    out[b] = sum over words of weight * number of bits in x & y
    """
    for b in range(len(rows)):
        x = words[rows[b]]
        y = words[cols[b]]
        total = 0.0
        for w in range(len(weights)):
            total += weights[w] * popcount(x[w] & y[w])
        out[b] = total
