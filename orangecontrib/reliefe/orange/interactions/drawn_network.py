"""A network as it is drawn: nodes with sizes and shades, edges with widths."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

SMALLEST, LARGEST = 4.0, 13.0  # radii of nodes in pixels
ALONE = 0.65  # radius of a node without partners, relative to others, in a network with edges
THIN, THICK = 1.2, 7.0  # widths of edges in pixels
SHARPER = 1.5  # exponent by which widths of edges grow with z; chosen by eye
Q_LEVEL = 0.1  # false discovery rate up to which a feature is significant
MANY = 60  # nodes from which on they become smaller
SMALLER = 0.6  # radius at least, relative to that in a small network


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """Nodes and edges as they are drawn."""

    names: tuple[str, ...] = ()  # of m nodes
    scores: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (m,), NaN where unknown
    q: np.ndarray | None = None  # (m,)
    places: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))  # (m, 2)
    pairs: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), int))  # (e, 2) nodes of edges, strongest first
    z: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (e,) of the edges
    about: str = ""  # title of the scores

    @cached_property
    def degrees(self) -> np.ndarray:
        """(m,) numbers of edges of the nodes."""
        return np.bincount(self.pairs.ravel(), minlength=len(self.names))

    @cached_property
    def shares(self) -> np.ndarray:
        """(m,) scores relative to the largest; 0 where they are unknown or below zero."""
        scores = np.maximum(np.nan_to_num(self.scores), 0)
        return scores / scores.max() if scores.max(initial=0) > 0 else np.zeros(len(scores))

    @cached_property
    def radii(self) -> np.ndarray:
        """(m,) radii in pixels: the area grows with the score."""
        scale = float(np.clip(np.sqrt(MANY / max(len(self.names), 1)), SMALLER, 1))
        alone = (self.degrees == 0) & (len(self.pairs) > 0)
        return np.where(alone, ALONE, 1) * scale * (SMALLEST + (LARGEST - SMALLEST) * np.sqrt(self.shares))

    @cached_property
    def widths(self) -> np.ndarray:
        """(e,) widths of the edges in pixels."""
        if not len(self.z):
            return np.zeros(0)
        return THIN + (THICK - THIN) * (self.z / self.z.max()) ** SHARPER

    def partners(self, node: int) -> list[int]:
        """Nodes that a node has edges with, the strongest first."""
        return [int(b if a == node else a) for a, b in self.pairs if node in (a, b)]

    def edge(self, a: int, b: int) -> int | None:
        """Number of the edge between two nodes; None if there is none."""
        matches = np.flatnonzero((self.pairs == sorted((a, b))).all(axis=1))
        return int(matches[0]) if len(matches) else None
