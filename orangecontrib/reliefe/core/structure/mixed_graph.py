"""Graph of rows that are near by their targets, or by their features where targets are unknown.

Doquire and Verleysen (2013), A graph Laplacian based approach to semi-supervised feature selection.
"""

from dataclasses import dataclass

import numpy as np

from ..points.points import Points
from ..targets.targets import Target
from ..work.threads import Work
from .distances import Distances
from .graph import Graph
from .neighbours import MEDIAN, near_pairs

BITS = 40  # to which squared differences of targets are rounded
BREAK = 2.0**-32  # weight of the features' distance where targets differ by the same


@dataclass(frozen=True, eq=False)
class TargetPoints:
    """Targets as points: their squared differences are squared distances."""

    values: np.ndarray  # (n, c): numbers over their range, categories as indicators over sqrt 2; 0 where unknown
    known: np.ndarray  # (n, c): 1 where the value is known, else 0; of a category 1 in one of its columns
    counted: np.ndarray  # (n, t): 1 where the target is known, else 0

    @classmethod
    def of(cls, target: Target) -> "TargetPoints":
        """Points of n rows."""
        columns, nominal = target.columns
        values, known = [np.zeros((target.n, 0))], [np.zeros((target.n, 0))]
        for column, coded in zip(columns.T, nominal, strict=True):
            there = ~np.isnan(column)
            if coded:
                codes = np.unique(column[there])
                values.append((column[:, None] == codes) / np.sqrt(2))
                known.append(np.repeat(there[:, None], len(codes), axis=1))
                continue
            low, high = np.fmin.reduce(column, initial=np.inf), np.fmax.reduce(column, initial=-np.inf)
            scaled = (column - low) / (high - low) if high > low else np.zeros(len(column))
            values.append(np.where(there, scaled, 0.0)[:, None])
            known.append(there[:, None])
        counted = (~np.isnan(columns)).astype(np.float64)
        return cls(np.concatenate(values, axis=1), np.concatenate(known, axis=1).astype(np.float64), counted)

    def tile(self, rows: slice) -> tuple[np.ndarray, np.ndarray]:
        """Mean squared differences (b, n) over the targets that both rows know, and mask of pairs with one."""
        left, right = self.values[rows], self.values
        both = self.counted[rows] @ self.counted.T
        squares = (left * left) @ self.known.T + self.known[rows] @ (right * right).T - 2 * left @ right.T
        means = np.maximum(squares, 0) / np.maximum(both, 1)
        return np.ldexp(np.rint(np.ldexp(means, BITS)), -BITS), both > 0


def mixed_graph(
    points: Points,
    target: Target,
    n_neighbors: int,
    bandwidth: float | str | None,
    labelled_weight: float,
    self_loops: bool,
    work: Work,
) -> Graph:
    """Graph with an edge where one row is among the nearest of the other, by targets or features.

    Doquire and Verleysen (2013), A graph Laplacian based approach to semi-supervised feature selection for regression
    problems, Neurocomputing 121:5-13.
    """
    (n, q), everything = points.shape, slice(None)
    distances, targets = Distances(points), TargetPoints.of(target)

    def tile(rows: slice) -> np.ndarray:
        apart, (by_target, compared) = distances.tile(rows, everything), targets.tile(rows)
        apart /= max(q, 1)
        return np.where(compared, by_target + BREAK * apart, apart)

    edges = near_pairs(tile, n, n_neighbors, work)
    i, j = edges.T
    squares, factors = distances.pairs(i, j) / max(q, 1), np.ones(len(edges))
    for row in np.unique(i):
        work.tick()
        here = slice(*np.searchsorted(i, [row, row + 1]))
        by_target, compared = (found[0, j[here]] for found in targets.tile(slice(row, row + 1)))
        squares[here] = np.where(compared, by_target, squares[here])
        factors[here] = np.where(compared, labelled_weight, 1.0)
    weights, t = factors, None
    if bandwidth is not None:
        positive = squares[squares > 0]
        t = float(bandwidth) if bandwidth != MEDIAN else float(np.median(positive)) if len(positive) else 1.0
        weights = factors * np.exp(-squares / t)
    loops = np.where(targets.counted.any(axis=1), labelled_weight, 1.0) if self_loops else np.zeros(n)
    return Graph.join(edges, weights, loops, t)
