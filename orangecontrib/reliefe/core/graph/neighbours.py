"""Graph in which each row is joined with its nearest ones."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..parallel import PARTS, Work
from ..points.nearest import nearest_of
from .distances import Distances

MEDIAN = "median"
MAX_SAMPLE = 2048  # rows whose pairs give the median distance
TILE = 256  # rows and columns of distances that are made at once, for their median
HELD = 1 << 20  # distances that a thread holds at once

Tile = Callable[[slice], np.ndarray]


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


def near_pairs(tile: Tile, n: int, k: int, work: Work) -> np.ndarray:
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

    References
    ----------
    He, Cai and Niyogi (2006), Laplacian score for feature selection.
    """
    n, everything = distances.points.shape[0], slice(None)
    edges = near_pairs(lambda rows: distances.tile(rows, everything), n, n_neighbors, work)
    squares = distances.pairs(*edges.T)
    weights, t = np.ones(len(edges)), None
    if bandwidth is not None:
        t = np.sqrt(median_square(distances, random_state, work) / 2) if bandwidth == MEDIAN else float(bandwidth)
        weights = np.exp(-squares / (2 * t * t))
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
