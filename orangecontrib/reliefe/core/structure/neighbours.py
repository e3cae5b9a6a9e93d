"""Graphs of near rows, and the distances from which their weights are chosen."""

from collections.abc import Callable

import numpy as np

from ..points.nearest import nearest_of
from ..work.threads import PARTS, Work
from .distances import Distances
from .graph import Graph

MEDIAN = "median"
MAX_SAMPLE = 2048  # rows whose pairs give the median distance
TILE = 256  # rows and columns of distances that are made at once, for their median
HELD = 1 << 20  # distances that a thread holds at once


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
