"""Undirected graph of rows, as a sparse adjacency matrix.

`neighbours` and `mixed_graph` make one; `methods/graph_filters.py` scores features by it.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components


@dataclass(frozen=True, eq=False)
class Graph:
    """Undirected graph of n rows.

    weights (n, n): symmetric adjacency matrix W, weights from 0.
    degrees (n,): sums of the rows of W.
    bandwidth: t of the weights exp(-d^2 / 2 t^2), or exp(-d^2 / t) in `mixed_graph`; None: all edges weigh 1.
    """

    weights: sparse.csr_array
    degrees: np.ndarray
    bandwidth: float | None = None

    @classmethod
    def join(cls, edges: np.ndarray, weights: np.ndarray, loops: np.ndarray, bandwidth: float | None) -> "Graph":
        """Make a graph of edges.

        Parameters
        ----------
        edges : (e, 2) int array
            Rows of each edge, which is listed once.
        weights : (e,) array
            Weights of the edges.
        loops : (n,) array
            Weight of the edge from each row to itself, 0 for none.
        bandwidth : float, optional
            Bandwidth of the weights.

        Returns
        -------
        Graph
        """
        n = len(loops)
        i, j = edges.T
        rows = np.concatenate([i, j, np.arange(n)])
        cols = np.concatenate([j, i, np.arange(n)])
        values = np.concatenate([weights, weights, loops])
        adjacency = sparse.csr_array(sparse.coo_array((values, (rows, cols)), shape=(n, n)))
        adjacency.eliminate_zeros()
        adjacency.sort_indices()
        return cls(adjacency, np.asarray(adjacency.sum(axis=1)).ravel(), bandwidth)

    @property
    def laplacian(self) -> sparse.csr_array:
        """Normalised Laplacian I - D^-1/2 W D^-1/2 (n, n)."""
        roots = np.sqrt(np.where(self.degrees > 0, self.degrees, 1.0))
        scaled = self.weights.multiply(1 / roots[:, None]).multiply(1 / roots)
        laplacian_matrix = sparse.csr_array(sparse.eye_array(len(roots)) - scaled)
        laplacian_matrix.sort_indices()
        return laplacian_matrix

    @property
    def components(self) -> np.ndarray:
        """Number of the connected component of each row (n,); a row without an edge is a component."""
        return np.asarray(connected_components(self.weights, directed=False)[1])
