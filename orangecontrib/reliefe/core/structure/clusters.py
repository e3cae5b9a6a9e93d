"""Clusters of rows by k-means: the best of several runs, without randomness beyond a seed."""

import numpy as np

from ..points.points import Points, spans
from ..work.threads import Work

RUNS = 10
ROUNDS = 300


def k_means(points: Points, k: int, random_state: int, work: Work) -> np.ndarray:
    """Cluster (n,) of each row, of at most k.

    Centres begin far from each other: each row is drawn with a probability that grows with its squared distance to the
    nearest centre so far.

    Arthur and Vassilvitskii (2007), k-means++: the advantages of careful seeding.
    """
    rng = np.random.default_rng(random_state)
    best = np.zeros(points.shape[0], int)
    least = np.inf
    for _ in range(RUNS):
        labels, error = _run(points, k, rng, work)
        if error < least * (1 - 1e-9):
            best, least = labels, error
    return np.asarray(np.unique(best, return_inverse=True)[1]).ravel()


def _run(points: Points, k: int, rng: np.random.Generator, work: Work) -> tuple[np.ndarray, float]:
    """Labels (n,) and the sum of squared distances to the centres."""
    n = points.shape[0]
    centres = points.block(slice(first := int(rng.integers(n)), first + 1))
    squares = _squares(points, centres, work).ravel()
    for _ in range(1, k):
        total = squares.cumsum()
        if total[-1] <= 0:
            break
        row = min(int(np.searchsorted(total, rng.random() * total[-1], side="right")), n - 1)
        new = points.block(slice(row, row + 1))
        centres = np.concatenate([centres, new])
        squares = np.minimum(squares, _squares(points, new, work).ravel())
    labels = np.full(n, -1)
    for _ in range(ROUNDS):
        apart = _squares(points, centres, work)
        found = apart.argmin(axis=1)
        if (found == labels).all():
            break
        labels = found
        member = np.eye(len(centres))[labels]
        sizes = member.sum(axis=0)
        moved = points.back(member).T / np.maximum(sizes, 1)[:, None]
        centres = np.where(sizes[:, None] > 0, moved, centres)
    return labels, float(apart[np.arange(n), labels].sum())


def _squares(points: Points, centres: np.ndarray, work: Work) -> np.ndarray:
    """(n, k) squared distances, from 0."""
    out = np.empty((points.shape[0], len(centres)))
    for rows in spans(*points.shape):
        work.tick()
        block = points.block(rows)
        out[rows] = np.einsum("ij,ij->i", block, block)[:, None] - 2 * block @ centres.T
    return np.asarray(np.maximum(out + np.einsum("ij,ij->i", centres, centres), 0))
