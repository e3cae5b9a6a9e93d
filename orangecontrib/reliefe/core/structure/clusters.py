"""Clusters of rows by k-means: the best of several runs, random only by a seed.

`methods/graph_filters.py` calls `k_means` with the smooth vectors of a graph, as points.
"""

from typing import NamedTuple

import numpy as np

from ..points.points import Points, spans
from ..work.threads import Work

N_RUNS = 10  # runs, each from other first centres, as is usual; chosen by eye
MAX_ITERATIONS = 300  # iterations of a run at most; chosen by eye
MIN_IMPROVEMENT = 1e-9  # share of the error that a run must improve on the best one: less is rounding


class Clustering(NamedTuple):
    """Result of one run.

    labels (n,): cluster of each row.
    error: sum of the squared distances of the rows to the centres of their clusters.
    """

    labels: np.ndarray
    error: float


def k_means(points: Points, k: int, random_state: int, work: Work) -> np.ndarray:
    """Cluster the rows.

    The first centres lie far from each other: each is drawn with a probability that is proportional to its squared
    distance to the nearest centre so far.

    Arthur and Vassilvitskii (2007), k-means++: the advantages of careful seeding.

    Parameters
    ----------
    points : Points
        The n rows.
    k : int
        Number of clusters at most.
    random_state : int
        Seed of the first centres.
    work : Work
        Ticks.

    Returns
    -------
    (n,) int array
        Cluster of each row, numbered from 0 without gaps.
    """
    rng = np.random.default_rng(random_state)
    best = Clustering(np.zeros(points.shape[0], int), np.inf)
    for _ in range(N_RUNS):
        clustering = _run(points, k, rng, work)
        if clustering.error < best.error * (1 - MIN_IMPROVEMENT):
            best = clustering
    return np.asarray(np.unique(best.labels, return_inverse=True)[1]).ravel()


def _run(points: Points, k: int, rng: np.random.Generator, work: Work) -> Clustering:
    """Draw centres, and move them to the means of their clusters until no row changes its cluster."""
    n = points.shape[0]
    centres = _draw_centres(points, k, rng, work)
    labels = np.full(n, -1)
    for _ in range(MAX_ITERATIONS):
        squares = _squared_distances(points, centres, work)
        nearest = squares.argmin(axis=1)
        if (nearest == labels).all():
            break
        labels = nearest
        indicators = np.eye(len(centres))[labels]
        sizes = indicators.sum(axis=0)
        means = points.back(indicators).T / np.maximum(sizes, 1)[:, None]
        centres = np.where(sizes[:, None] > 0, means, centres)
    return Clustering(labels, float(squares[np.arange(n), labels].sum()))


def _draw_centres(points: Points, k: int, rng: np.random.Generator, work: Work) -> np.ndarray:
    """Draw k rows (k, q) as the first centres; fewer if fewer rows differ."""
    n = points.shape[0]
    row = int(rng.integers(n))
    centres = points.block(slice(row, row + 1))
    squares = _squared_distances(points, centres, work).ravel()
    for _ in range(1, k):
        cumulative = squares.cumsum()
        if cumulative[-1] <= 0:
            break
        row = min(int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")), n - 1)
        centre = points.block(slice(row, row + 1))
        centres = np.concatenate([centres, centre])
        squares = np.minimum(squares, _squared_distances(points, centre, work).ravel())
    return centres


def _squared_distances(points: Points, centres: np.ndarray, work: Work) -> np.ndarray:
    """Compute the squared distances (n, k) of the rows to centres (k, q), at least 0."""
    squares = np.empty((points.shape[0], len(centres)))
    for rows in spans(*points.shape):
        work.tick()
        block = points.block(rows)
        squares[rows] = np.einsum("ij,ij->i", block, block)[:, None] - 2 * block @ centres.T
    return np.asarray(np.maximum(squares + np.einsum("ij,ij->i", centres, centres), 0))
