"""Nearest-neighbour graph of rows by their targets, or by their features where targets are unknown.

`methods/graph_filters.py` calls `mixed_graph` for data with few targets.

Doquire and Verleysen (2013), A graph Laplacian based approach to semi-supervised feature selection for regression
problems, Neurocomputing 121:5-13.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..points.points import Points
from ..targets.targets import Target
from ..work.threads import Work
from .distances import Distances
from .graph import Graph
from .neighbours import MEDIAN, near_pairs

ROUNDING_BITS = 40  # binary digits after the point to which squared differences of targets are rounded
TIE_BREAKER = 2.0**-32  # weight of the distance by features where targets differ by the same


class TargetDifferences(NamedTuple):
    """Differences of rows in their targets.

    squares (b, n): mean squared differences over the targets that both rows know.
    is_comparable (b, n) bool: True where both rows know a target.
    """

    squares: np.ndarray
    is_comparable: np.ndarray


@dataclass(frozen=True, eq=False)
class TargetPoints:
    """Targets as points: their squared differences are squared distances.

    values (n, c): numbers over their range, categories as indicators over sqrt 2; 0 where unknown.
    known (n, c): 1 where the value is known, else 0; of a category 1 in all of its columns.
    counted (n, t): 1 where the target is known, else 0.
    """

    values: np.ndarray
    known: np.ndarray
    counted: np.ndarray

    @classmethod
    def of(cls, target: Target) -> "TargetPoints":
        """Make points of the n rows of a target."""
        columns, nominal = target.columns
        values = [np.zeros((target.n, 0))]
        is_known_by_column = [np.zeros((target.n, 0))]
        for column, is_nominal in zip(columns.T, nominal, strict=True):
            is_present = ~np.isnan(column)
            if is_nominal:
                codes = np.unique(column[is_present])
                values.append((column[:, None] == codes) / np.sqrt(2))
                is_known_by_column.append(np.repeat(is_present[:, None], len(codes), axis=1))
                continue
            low = np.fmin.reduce(column, initial=np.inf)
            high = np.fmax.reduce(column, initial=-np.inf)
            scaled = (column - low) / (high - low) if high > low else np.zeros(len(column))
            values.append(np.where(is_present, scaled, 0.0)[:, None])
            is_known_by_column.append(is_present[:, None])
        counted = (~np.isnan(columns)).astype(np.float64)
        return cls(
            np.concatenate(values, axis=1), np.concatenate(is_known_by_column, axis=1).astype(np.float64), counted
        )

    def tile(self, rows: slice) -> TargetDifferences:
        """Compute the differences of rows (b,) to all rows."""
        left = self.values[rows]
        right = self.values
        n_common = self.counted[rows] @ self.counted.T
        # sum of (x - y)^2 over the columns that both know; values that are unknown are 0.
        squares = (left * left) @ self.known.T + self.known[rows] @ (right * right).T - 2 * left @ right.T
        means = np.maximum(squares, 0) / np.maximum(n_common, 1)
        rounded = np.ldexp(np.rint(np.ldexp(means, ROUNDING_BITS)), -ROUNDING_BITS)
        return TargetDifferences(rounded, n_common > 0)


def mixed_graph(
    points: Points,
    target: Target,
    n_neighbors: int,
    bandwidth: float | str | None,
    labelled_weight: float,
    work: Work,
) -> Graph:
    """Make the graph with an edge where one row is among the nearest of the other, by targets or features.

    Edges have the weights exp(-d^2 / t), times `labelled_weight` where d is a difference of targets.

    Parameters
    ----------
    points : Points
        Features of the n rows.
    target : Target
        Targets, unknown for most rows.
    n_neighbors : int
        Number of nearest rows.
    bandwidth : float, str or None
        t; `MEDIAN` for the median of d^2 over the edges; None for weights without d.
    labelled_weight : float
        Factor of the weights of edges by targets.
    work : Work
        Threads and progress.

    Returns
    -------
    Graph
    """
    n, q = points.shape
    distances = Distances(points)
    targets = TargetPoints.of(target)

    def mixed_squares(rows: slice) -> np.ndarray:
        """Compute the squared distances (b, n) of rows to all rows."""
        by_features = distances.tile(rows, slice(None))
        by_features /= max(q, 1)
        by_target = targets.tile(rows)
        return np.where(by_target.is_comparable, by_target.squares + TIE_BREAKER * by_features, by_features)

    edges = near_pairs(mixed_squares, n, n_neighbors, work)
    i, j = edges.T
    # Squared distances of the edges, without the tie breaker.
    squares = distances.pairs(i, j) / max(q, 1)
    factors = np.ones(len(edges))
    for row in np.unique(i):
        work.tick()
        edges_of_row = slice(*np.searchsorted(i, [row, row + 1]))
        by_target = targets.tile(slice(row, row + 1))
        target_squares = by_target.squares[0, j[edges_of_row]]
        is_comparable = by_target.is_comparable[0, j[edges_of_row]]
        squares[edges_of_row] = np.where(is_comparable, target_squares, squares[edges_of_row])
        factors[edges_of_row] = np.where(is_comparable, labelled_weight, 1.0)
    weights = factors
    t: float | None = None
    if bandwidth is not None:
        positive = squares[squares > 0]
        median = float(np.median(positive)) if len(positive) else 1.0
        t = median if bandwidth == MEDIAN else float(bandwidth)
        weights = factors * np.exp(-squares / t)
    return Graph.join(edges, weights, np.zeros(n), t)
