"""Nearest-neighbour graphs of rows, and the median distance from which their bandwidth is chosen.

`methods/graph_filters.py` calls `nearest_graph`; `mixed_graph` calls `near_pairs` with distances of its own.
"""

from collections.abc import Callable

import numpy as np

from ..points.nearest import nearest_of
from ..work.threads import PARTS, Work
from .distances import Distances
from .graph import Graph

MEDIAN = "median"  # bandwidth that is chosen by the median distance
MAX_SAMPLE = 2048  # rows whose pairs give the median distance; chosen by eye
ROWS_PER_TILE = 256  # rows and columns of the distances that are computed at once for their median; chosen by eye
CELLS_PER_THREAD = 1 << 20  # distances that a thread holds at once in a search: 8 MiB


def near_pairs(tile: Callable[[slice], np.ndarray], n: int, k: int, work: Work) -> np.ndarray:
    """Find the pairs of rows one of which is among the k nearest rows of the other.

    Parameters
    ----------
    tile : callable
        Computes the squared distances (b, n) of the rows of a slice to all rows.
    n : int
        Number of rows.
    k : int
        Number of nearest rows; ties go to the lower row.
    work : Work
        Threads and progress.

    Returns
    -------
    (e, 2) int array
        Pairs i < j, ascending, each once.
    """
    k = min(k, n - 1)
    bounds = np.linspace(0, n, min(PARTS, n) + 1).astype(int)
    work.plan(n)

    def nearest_rows(number: int) -> np.ndarray:
        """Find the k nearest rows (b, k) of a part of the rows."""
        start = bounds[number]
        stop = bounds[number + 1]

        def distances_to_others(rows: slice) -> np.ndarray:
            """Compute the distances of rows of this part to all rows, infinite to the row itself."""
            length = rows.stop - rows.start
            work.tick(length)
            block = slice(start + rows.start, start + rows.stop)
            block_distances = tile(block)
            block_distances[np.arange(length), np.arange(block.start, block.stop)] = np.inf
            return block_distances

        return nearest_of(distances_to_others, (int(stop - start), n), k, held=CELLS_PER_THREAD).rows

    i = np.repeat(np.arange(n), k)
    j = np.concatenate(work.spread(nearest_rows, range(len(bounds) - 1))).ravel()
    pair_numbers = np.unique(np.minimum(i, j) * n + np.maximum(i, j))
    return np.column_stack(np.divmod(pair_numbers, n))


def nearest_graph(
    distances: Distances,
    n_neighbors: int,
    bandwidth: float | str | None,
    random_state: int,
    work: Work,
) -> Graph:
    """Make the graph with an edge where one row is among the nearest of the other.

    Edges have the weights exp(-d^2 / 2 t^2). Each row has an edge of weight 1 to itself, as in scikit-feature.

    He, Cai and Niyogi (2006), Laplacian score for feature selection.

    Parameters
    ----------
    distances : Distances
        Squared distances d^2 of the rows.
    n_neighbors : int
        Number of nearest rows.
    bandwidth : float, str or None
        t; `MEDIAN` for t^2 = median of d^2 / 2; None for the weight 1.
    random_state : int
        Seed of the rows for the median.
    work : Work
        Threads and progress.

    Returns
    -------
    Graph
    """
    n = distances.points.shape[0]
    edges = near_pairs(lambda rows: distances.tile(rows, slice(None)), n, n_neighbors, work)
    squares = distances.pairs(*edges.T)
    weights = np.ones(len(edges))
    t: float | None = None
    if bandwidth is not None:
        t = np.sqrt(median_square(distances, random_state, work) / 2) if bandwidth == MEDIAN else float(bandwidth)
        with np.errstate(over="ignore"):  # a narrow bandwidth leaves edges between equal rows only
            weights = np.exp(-squares / max(2 * t * t, np.finfo(float).tiny))
    return Graph.join(edges, weights, np.ones(n), t)


def median_square(distances: Distances, random_state: int, work: Work, sample: int = MAX_SAMPLE) -> float:
    """Compute the median squared distance of all pairs of rows.

    Where it is 0, pairs of equal rows are left out; 1 if all rows are equal.

    Parameters
    ----------
    distances : Distances
        Squared distances of the rows.
    random_state : int
        Seed of the sample.
    work : Work
        Ticks.
    sample : int
        Rows whose pairs are taken if there are more.

    Returns
    -------
    float
    """
    n = distances.points.shape[0]
    rows = np.sort(np.random.default_rng(random_state).permutation(n)[:sample]) if n > sample else None
    n_sampled = min(n, sample)
    blocks = [slice(start, min(start + ROWS_PER_TILE, n_sampled)) for start in range(0, n_sampled, ROWS_PER_TILE)]
    squares_of_tiles = []
    for number, first_block in enumerate(blocks):
        for second_block in blocks[number:]:
            work.tick()
            tile = (
                distances.tile(first_block, second_block)
                if rows is None
                else distances.tile(rows[first_block], rows[second_block])
            )
            squares_of_tiles.append(
                tile[np.triu_indices(len(tile), 1)] if first_block is second_block else tile.ravel()
            )
    squares = np.concatenate(squares_of_tiles)
    median = float(np.median(squares)) if len(squares) else 0.0
    if median == 0:
        squares = squares[squares > 0]
        median = float(np.median(squares)) if len(squares) else 1.0
    return median
