"""Squared distances between rows that are points, a tile at a time: Euclidean ones, or by the angle."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..points.nearest import nearest_of
from ..points.points import Points, spans
from ..work.threads import PARTS, Work

EUCLIDEAN, COSINE = DISTANCES = "euclidean", "cosine"
BITS = 40  # of the largest squared length that distances are rounded to: equal ones tie, whatever the rounding errors
TINY = 1e-14  # squared length, as a share of what it is the difference of, that is rounding


@dataclass(frozen=True, eq=False)
class Distances:
    """Squared distances of points; `cosine`: between the points as the table has them, at length 1.

    Rows of zeros have no direction: their cosine to all rows is 0, and their distance to each other, too.
    """

    points: Points
    cosine: bool = False

    def tile(self, rows: slice | np.ndarray, cols: slice | np.ndarray) -> np.ndarray:
        """(b, c) squared distances, from 0."""
        left, right = self.points.values[rows], self.points.values[cols]
        products = left @ right.T
        if sparse.issparse(products):
            products = cast("sparse.csr_array", products).toarray()
        if not self.cosine:
            products *= -2
            products += self._squares[rows][:, None]
            products += self._squares[cols]
            return self._rounded(products)
        lengths = self._lengths
        products += self._side[rows][:, None] + self._side[cols] + self._corner
        norms = np.outer(lengths[rows], lengths[cols])
        np.divide(products, norms, out=products, where=norms > 0)
        products[norms == 0] = 0
        products = 2 - 2 * products
        products[np.outer(lengths[rows] == 0, lengths[cols] == 0)] = 0
        return self._rounded(products)

    def pairs(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """(e,) squared distances of pairs of rows."""
        out = np.empty(len(i))
        for block in spans(len(i), self.points.shape[1]):
            left, right = self.points.values[i[block]], self.points.values[j[block]]
            if not self.cosine:
                apart = left - right
                square = apart.multiply(apart) if sparse.issparse(apart) else apart * apart
                out[block] = np.asarray(square.sum(axis=1)).ravel()
                continue
            product = left.multiply(right) if sparse.issparse(left) else left * right
            lengths = self._lengths
            cosines = np.asarray(product.sum(axis=1)).ravel() + self._side[i[block]] + self._side[j[block]]
            norms = lengths[i[block]] * lengths[j[block]]
            empty = (lengths[i[block]] == 0) & (lengths[j[block]] == 0)
            near = 2 - 2 * np.divide(cosines + self._corner, norms, out=np.zeros(len(norms)), where=norms > 0)
            out[block] = np.where(empty, 0.0, np.maximum(near, 0.0))
        return out

    def _rounded(self, squares: np.ndarray) -> np.ndarray:
        step = self._step
        squares /= step
        np.rint(squares, out=squares)
        squares *= step
        return np.asarray(np.maximum(squares, 0, out=squares))

    @cached_property
    def _step(self) -> float:
        largest = 2.0 if self.cosine else float(self._squares.max(initial=0.0))
        return float(np.ldexp(1.0, int(np.frexp(largest)[1]) - BITS)) if largest > 0 else 1.0

    @cached_property
    def _squares(self) -> np.ndarray:
        """(n,) squared lengths of the values."""
        values = self.points.values
        if sparse.issparse(values):
            return np.asarray(cast("sparse.csr_array", values).power(2).sum(axis=1)).ravel()
        return np.asarray(np.einsum("ij,ij->i", values, values))

    @cached_property
    def _beyond(self) -> np.ndarray:
        """(q,) that the points as the table has them are beyond the values."""
        return np.asarray(self.points.origin - self.points.shift)

    @cached_property
    def _side(self) -> np.ndarray:
        return cast("np.ndarray", self.points.values @ self._beyond)

    @property
    def _corner(self) -> float:
        return float(self._beyond @ self._beyond)

    @cached_property
    def _lengths(self) -> np.ndarray:
        """(n,) lengths of the points as the table has them."""
        squares = self._squares + 2 * self._side + self._corner
        return np.asarray(np.sqrt(np.where(squares > TINY * (self._squares + self._corner), squares, 0.0)))


MEDIAN = "median"
MAX_SAMPLE = 2048  # rows whose pairs give the median distance
TILE = 256  # rows and columns of distances that are made at once, for their median
HELD = 1 << 20  # distances that a thread holds at once


@dataclass(frozen=True, eq=False)
class Graph:
    """Undirected graph of n rows."""

    weights: sparse.csr_array  # (n, n): symmetric, from 0
    degrees: np.ndarray  # (n,): sums of its rows
    bandwidth: float | None = None  # t of the weights exp(-d^2 / 2 t^2); None: all weigh 1

    @classmethod
    def join(cls, edges: np.ndarray, weights: np.ndarray, loops: np.ndarray, bandwidth: float | None) -> "Graph":
        """Graph of edges (e, 2), each once, with weights (e,), and loops (n,), 0 where there is none."""
        n = len(loops)
        i, j = edges.T
        row, col = np.concatenate([i, j, np.arange(n)]), np.concatenate([j, i, np.arange(n)])
        cells = np.concatenate([weights, weights, loops]), (row, col)
        matrix = sparse.csr_array(sparse.coo_array(cells, shape=(n, n)))
        matrix.eliminate_zeros()
        matrix.sort_indices()
        return cls(matrix, np.asarray(matrix.sum(axis=1)).ravel(), bandwidth)

    @property
    def laplacian(self) -> sparse.csr_array:
        """I - D^-1/2 W D^-1/2, CSR (n, n)."""
        roots = np.sqrt(np.where(self.degrees > 0, self.degrees, 1.0))
        scaled = self.weights.multiply(1 / roots[:, None]).multiply(1 / roots)
        out = sparse.csr_array(sparse.eye_array(len(roots)) - scaled)
        out.sort_indices()
        return out

    @property
    def components(self) -> np.ndarray:
        """(n,) number of the connected part of each row; rows without an edge are parts of their own."""
        return np.asarray(connected_components(self.weights, directed=False)[1])


def near_pairs(tile: Callable[[slice], np.ndarray], n: int, k: int, work: Work) -> np.ndarray:
    """Edges (e, 2), i < j, ascending, of rows one of which is among the k nearest of the other.

    tile: squared distances (b, n) of some rows to all; ties go to the lower row.
    """
    k = min(k, n - 1)
    bounds = np.linspace(0, n, min(PARTS, n) + 1).astype(int)
    work.plan(n)

    def part(number: int) -> np.ndarray:
        start, stop = bounds[number], bounds[number + 1]

        def distances(rows: slice) -> np.ndarray:
            work.tick(rows.stop - rows.start)
            block = slice(start + rows.start, start + rows.stop)
            out = tile(block)
            out[np.arange(rows.stop - rows.start), np.arange(block.start, block.stop)] = np.inf
            return out

        return nearest_of(distances, (int(stop - start), n), k, held=HELD)

    near = np.concatenate(work.spread(part, range(len(bounds) - 1)))
    i, j = np.repeat(np.arange(n), k), near.ravel()
    keys = np.unique(np.minimum(i, j) * n + np.maximum(i, j))
    return np.column_stack(np.divmod(keys, n))


def nearest_graph(
    distances: Distances,
    n_neighbors: int,
    bandwidth: float | str | None,
    self_loops: bool,
    random_state: int,
    work: Work,
) -> Graph:
    """Graph with an edge where one row is among the nearest of the other.

    He, Cai and Niyogi (2006), Laplacian score for feature selection.
    """
    n, everything = distances.points.shape[0], slice(None)
    edges = near_pairs(lambda rows: distances.tile(rows, everything), n, n_neighbors, work)
    squares = distances.pairs(*edges.T)
    weights, t = np.ones(len(edges)), None
    if bandwidth is not None:
        t = np.sqrt(median_square(distances, random_state, work) / 2) if bandwidth == MEDIAN else float(bandwidth)
        with np.errstate(over="ignore"):  # a narrow bandwidth leaves edges between equal rows only
            weights = np.exp(-squares / max(2 * t * t, np.finfo(float).tiny))
    return Graph.join(edges, weights, np.full(n, 1.0 if self_loops else 0.0), t)


def median_square(distances: Distances, random_state: int, work: Work, sample: int = MAX_SAMPLE) -> float:
    """Median of the squared distances of all pairs of rows that differ, or of those of `sample` rows; 1 without any."""
    n = distances.points.shape[0]
    rows = np.sort(np.random.default_rng(random_state).permutation(n)[:sample]) if n > sample else None
    blocks = [slice(start, min(start + TILE, n, sample)) for start in range(0, min(n, sample), TILE)]
    found = []
    for place, left in enumerate(blocks):
        for right in blocks[place:]:
            work.tick()
            tile = distances.tile(*((left, right) if rows is None else (rows[left], rows[right])))
            found.append(tile[np.triu_indices(len(tile), 1)] if left is right else tile.ravel())
    squares = np.concatenate(found)
    median = float(np.median(squares)) if len(squares) else 0.0
    if median == 0:
        squares = squares[squares > 0]
        median = float(np.median(squares)) if len(squares) else 1.0
    return median
