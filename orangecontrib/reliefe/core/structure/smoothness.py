"""Smoothness of features on a graph of rows: how little they differ between connected rows.

For weights S, degrees D and a feature f, both scores are f'(D - S)f over a variance of f. The former is the sum of
S_ij (f_i - f_j)^2 / 2. `methods/graph_filters.py` calls these functions.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse

from ..points.points import Points, spans
from ..work.threads import PARTS, Work
from .distances import TINY, Distances
from .graph import Graph

TILE = 256  # rows and columns of similarities that are made at once


@dataclass(frozen=True, eq=False)
class Forms:
    """Sums over rows, for each of q columns f of the points."""

    joined: np.ndarray  # (q,): f'Sf
    squares: np.ndarray  # (q,): f'Df
    firsts: np.ndarray  # (q,): f'D1
    degrees: np.ndarray  # (n,): d

    @property
    def rough(self) -> np.ndarray:
        """(q,) f'(D - S)f."""
        return np.asarray(np.maximum(self.squares - self.joined, 0.0))

    @property
    def laplacian(self) -> np.ndarray:
        """(q,) Laplacian score, from 0 (smooth) to 2: over the variance weighted by degrees; 1 where that is 0."""
        total = self.degrees.sum()
        variance = self.squares - self.firsts**2 / (total if total > 0 else 1.0)
        known = variance > TINY * self.squares
        return np.where(known, self.rough / np.where(known, variance, 1.0), 1.0)

    def squares_with(self, offset: np.ndarray) -> np.ndarray:
        """(q,) f'Df of the features, which are the columns plus `offset` (q,)."""
        return np.asarray(self.squares + 2 * offset * self.firsts + offset**2 * self.degrees.sum())

    def first_style(self, offset: np.ndarray) -> np.ndarray:
        """(q,) over the squares of the features, which are the columns plus `offset` (q,)."""
        squares = self.squares_with(offset)
        return np.where(squares > 0, self.rough / np.where(squares > 0, squares, 1.0), 1.0)


def forms_on_graph(points: Points, graph: Graph, work: Work) -> Forms:
    """Sums on a sparse graph."""
    n, q = points.shape
    bounds = np.linspace(0, n, PARTS + 1).astype(int)

    def part(number: int) -> np.ndarray:
        out = np.zeros(q)
        for rows in spans(bounds[number + 1] - bounds[number], q):
            work.tick(rows.stop - rows.start)
            some = slice(bounds[number] + rows.start, bounds[number] + rows.stop)
            out += _products(points.values[some], graph.weights[some] @ points.values)
        return out

    work.plan(n)
    return _centred(points, work.total(part), graph.degrees)


def _fall(distances: np.ndarray, gamma: float) -> np.ndarray:
    """Set squared distances to exp(-gamma d^2), which is 0 where the product is beyond all numbers."""
    with np.errstate(over="ignore"):
        distances *= -gamma
    np.exp(distances, out=distances)
    return distances


def forms_of_all_pairs(points: Points, distances: Distances, gamma: float, work: Work) -> Forms:
    """Sums for the weights exp(-gamma d^2) of all pairs of rows, none of which is kept."""
    n, q = points.shape
    starts, columns = list(range(0, n, TILE)), spans(q, TILE)
    tiles = [(a, b) for a in starts for b in starts if b >= a]
    work.plan(len(tiles))
    step = max(len(tiles) / PARTS, 1.0)

    def part(number: int) -> np.ndarray:
        out = np.zeros(q + n)
        for a, b in tiles[int(np.ceil(number * step)) : int(np.ceil((number + 1) * step))]:
            work.tick(1)
            rows, cols = slice(a, min(a + TILE, n)), slice(b, min(b + TILE, n))
            weights = distances.tile(rows, cols)
            _fall(weights, gamma)
            out[q:][rows] += weights.sum(axis=1)
            if b > a:
                out[q:][cols] += weights.sum(axis=0)
            for some in columns:
                left, right = (points.values[span, some] for span in (rows, cols))
                both = weights @ right if not sparse.issparse(right) else (right.T @ weights.T).T
                out[:q][some] += (2 if b > a else 1) * _products(left, both)
        return out

    found = work.total(part)
    return _centred(points, found[:q], found[q:])


def _products(left: np.ndarray | sparse.csr_array, right: np.ndarray | sparse.csr_array) -> np.ndarray:
    """(q,) sums of the products of the columns of two matrices (b, q)."""
    if sparse.issparse(left):
        return np.asarray(cast("sparse.csr_array", left).multiply(right).sum(axis=0)).ravel()
    return np.asarray(np.einsum("ij,ij->j", left, cast("np.ndarray", right)))


def _centred(points: Points, joined: np.ndarray, degrees: np.ndarray) -> Forms:
    """Sums for F = values - shift from those for the values."""
    values = points.values
    m = points.shift
    total = degrees.sum()
    firsts = values.T @ degrees
    if sparse.issparse(values):
        squares = cast("sparse.csr_array", values).power(2).T @ degrees
    else:
        squares = np.zeros(len(m))
        for rows in spans(*values.shape):
            squares += degrees[rows] @ np.square(values[rows])
    extra = m * m * total - 2 * m * firsts
    return Forms(joined + extra, squares + extra, firsts - m * total, degrees)


def all_pairs_product(distances: Distances, gamma: float, work: Work) -> Callable[[np.ndarray], np.ndarray]:
    """Product of the weights exp(-gamma d^2) of all pairs, computed again each time, with vectors (n, k)."""
    n = distances.points.shape[0]
    starts = range(0, n, TILE)

    def product(vectors: np.ndarray) -> np.ndarray:
        def part(start: int) -> np.ndarray:
            work.tick()
            rows, out = slice(start, min(start + TILE, n)), 0.0
            for other in starts:
                cols = slice(other, min(other + TILE, n))
                out = out + _fall(distances.tile(rows, cols), gamma) @ vectors[cols]
            return cast("np.ndarray", out)

        return np.concatenate(work.spread(part, starts))

    return product
