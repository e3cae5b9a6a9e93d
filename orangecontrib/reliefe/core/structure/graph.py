"""Undirected graph of rows."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components


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
