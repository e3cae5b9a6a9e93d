"""Smoothness of features on a graph of rows: how little they differ between rows that are joined.

For weights S, degrees D and a feature f, both scores are f'(D - S)f over a variance of f. The former is the sum of S_ij
(f_i - f_j)^2 / 2. Smooth vectors are eigenvectors of the normalised Laplacian, I - D^-1/2 S D^-1/2, with the least
eigenvalues.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse

from ..points.points import Points, spans
from ..targets.targets import Target
from ..work.threads import PARTS, Work
from .neighbours import MEDIAN, TINY, Distances, Graph, near_pairs

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
    values, m, total = points.values, points.shift, degrees.sum()
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


SMALL = 256  # rows up to which all eigenvectors are found at once
VECTORS = 40  # at least, of a Lanczos iteration
ITERATIONS = 100  # for each row

Product = Callable[[np.ndarray], np.ndarray]


def graph_product(graph: Graph) -> Product:
    """Product of D^-1/2 W D^-1/2 with vectors (n, k)."""
    root = inverse_roots(graph.degrees)

    def product(vectors: np.ndarray) -> np.ndarray:
        return np.asarray(root[:, None] * (graph.weights @ (root[:, None] * vectors)))

    return product


def inverse_roots(degrees: np.ndarray) -> np.ndarray:
    """(n,) 1 / sqrt(degree), 0 for rows without an edge."""
    return np.where(degrees > 0, 1 / np.sqrt(np.where(degrees > 0, degrees, 1.0)), 0.0)


def smooth_vectors(
    product: Product, degrees: np.ndarray, components: np.ndarray, k: int, work: Work
) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvectors of the normalised Laplacian that are constant on no connected part.

    The eigenvalue 0 has an eigenvector for each part, which says nothing else; these are left out.  Signs: the largest
    entry is positive, the first of several.

    Shapes: `degrees` (n,); `components` (n,); returns values (k,), vectors (n, k).
    """
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    n = len(degrees)
    parts = int(components.max()) + 1
    k = min(k, n - parts)
    if k < 1:
        return np.zeros(0), np.zeros((n, 0))
    sizes = np.sqrt(np.where(degrees > 0, degrees, 1.0))
    sizes /= np.sqrt(np.bincount(components, sizes**2))[components]
    trivial = sparse.csr_array((sizes, (np.arange(n), components)), shape=(n, parts))
    back = trivial.T.tocsr()

    def deflated(vectors: np.ndarray) -> np.ndarray:
        """All eigenvalues of what is trivial become -1, the least that there are."""
        work.tick()
        return np.asarray(product(vectors) - 2 * (trivial @ (back @ vectors)))

    if n <= max(SMALL, 3 * k):
        matrix = deflated(np.eye(n))
        values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    else:
        operator = LinearOperator(
            (n, n), matvec=lambda v: deflated(v.reshape(n, 1)).ravel(), matmat=deflated, dtype=np.float64
        )
        start = np.random.default_rng(0).uniform(-1, 1, n)
        try:
            width = min(max(3 * k, VECTORS), n - 1)
            values, vectors = eigsh(operator, k, which="LA", v0=start, ncv=width, maxiter=ITERATIONS * n)
        except ArpackNoConvergence:
            raise ValueError(
                "the eigenvectors of the graph were not found; take more neighbours or a larger bandwidth"
            ) from None
    order = np.argsort(-values, kind="stable")[:k]
    values, vectors = 1 - values[order], vectors[:, order]
    length = np.abs(vectors)
    first = np.argmax(length >= length.max(axis=0) * (1 - 1e-6), axis=0)
    return values, vectors * np.where(vectors[first, np.arange(k)] < 0, -1.0, 1.0)
