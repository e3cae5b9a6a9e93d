"""A network as it is drawn: nodes with sizes and shades, edges with widths, and labels that do not cover each other."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from AnyQt.QtCore import QRectF

SMALLEST, LARGEST = 4.0, 13.0  # radii of nodes in pixels
ASIDE = 0.65  # share of these of nodes without partners, where others have some
THIN, THICK = 1.2, 7.0  # edges in pixels
Q_LEVEL = 0.1  # false discovery rate up to which a feature counts as real
MANY = 60  # nodes from which on they become smaller
LINE = 0.25  # of a text's height: room between a node and its label
BELOW = [2]  # among the places beside a node
COVERED = 10**6  # more than there are edges
AWAY = 1.3 * np.arange(1, 15)  # of a text's height: how far a label of a node with edges may stand
TINY = 1e-9


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """Nodes and edges as they are drawn.

    names, and scores (m,), NaN where unknown; q (m,) or None; places (m, 2); pairs (e, 2) of nodes with z (e,), the
    strongest first; z_all (m, m) of all pairs or None as long as they are not known; about: what the scores are.
    """

    names: tuple[str, ...] = ()
    scores: np.ndarray = field(default_factory=lambda: np.zeros(0))
    q: np.ndarray | None = None
    places: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    pairs: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), int))
    z: np.ndarray = field(default_factory=lambda: np.zeros(0))
    about: str = ""

    @cached_property
    def degrees(self) -> np.ndarray:
        return np.bincount(self.pairs.ravel(), minlength=len(self.names))

    @cached_property
    def shares(self) -> np.ndarray:
        """Scores (m,) from 0, the smallest or one below zero, to 1; 0 where unknown."""
        scores = np.maximum(np.nan_to_num(self.scores), 0)
        return scores / scores.max() if scores.max(initial=0) > 0 else np.zeros(len(scores))

    @cached_property
    def radii(self) -> np.ndarray:
        """Radii (m,) in pixels: the area grows with the score."""
        smaller = float(np.clip(np.sqrt(MANY / max(len(self.names), 1)), 0.6, 1))
        smaller = np.where((self.degrees == 0) & (len(self.pairs) > 0), ASIDE, 1) * smaller
        return smaller * (SMALLEST + (LARGEST - SMALLEST) * np.sqrt(self.shares))

    @cached_property
    def widths(self) -> np.ndarray:
        if not len(self.z):
            return np.zeros(0)
        return THIN + (THICK - THIN) * (self.z / self.z.max()) ** 1.5

    def partners(self, node: int) -> list[int]:
        """Nodes that a node has edges with, the strongest first."""
        return [int(b if a == node else a) for a, b in self.pairs if node in (a, b)]

    def edge(self, a: int, b: int) -> int | None:
        found = np.flatnonzero((self.pairs == sorted((a, b))).all(axis=1))
        return int(found[0]) if len(found) else None


def label_order(degrees: np.ndarray, first: Sequence[int]) -> list[int]:
    """Nodes in the order in which they get labels: some first, then those with partners, then by rank."""
    rest = sorted(range(len(degrees)), key=lambda node: (degrees[node] == 0, node))
    return list(dict.fromkeys([*first, *rest]))


def placed_labels(
    order: Sequence[int],
    centers: np.ndarray,
    radii: np.ndarray,
    sizes: np.ndarray,
    lines: np.ndarray,
    below: np.ndarray,
    room: QRectF,
    forced: int,
) -> dict[int, QRectF]:
    """Places of labels beside their nodes, where they cover neither each other nor nodes, nor edges if possible.

    Where there is no such place, a label of a node with edges stands farther away.
    """
    m = len(centers)
    boxes = np.full((2 * m, 4), np.nan)  # of nodes, and of labels that are there; nothing is covered by NaN
    boxes[:m] = np.column_stack([centers - radii[:, None], centers + radii[:, None]])
    found: dict[int, QRectF] = {}
    for rank, node in enumerate(order):
        own = _beside(centers[node], radii[node], *sizes[node])
        own = own[BELOW] if below[node] and rank >= forced else own
        kept, boxes[node] = boxes[node].copy(), np.nan
        costs = _costs(own, room, boxes, lines)
        boxes[node] = kept
        if costs.min() >= COVERED and not below[node] and room.contains(*centers[node]):
            circles = radii[node] + AWAY * sizes[node][1]
            own = np.concatenate([_beside(centers[node], circle, *sizes[node]) for circle in circles])
            costs = _costs(own, room, boxes, lines)
        best = int(np.argmin(costs))
        if costs[best] < COVERED or rank < forced:
            left, top, right, bottom = boxes[m + node] = own[best]
            found[node] = QRectF(left, top, right - left, bottom - top)
    return found


def _beside(center: np.ndarray, radius: float, width: float, height: float) -> np.ndarray:
    """Right, left, below, above, then below and above towards either side: left, top, right and bottom of each."""
    (x, y), gap = center, radius + LINE * height
    below, above = y + radius, y - radius - height
    corners = [(x + gap, y - height / 2), (x - gap - width, y - height / 2)]
    corners += [(left, top) for left in (x - width / 2, x - radius, x + radius - width) for top in (below, above)]
    return np.column_stack([corners, np.array(corners) + (width, height)])  # noqa: RUF005 (a sum)


def _costs(areas: np.ndarray, room: QRectF, boxes: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Numbers of edges that areas (a, 4) cover; COVERED more where they cover anything else, or are not inside."""
    low, high = areas[:, None, :2], areas[:, None, 2:]
    outside = (low[:, 0] < (room.left(), room.top())).any(axis=1) | (high[:, 0] > (room.right(), room.bottom())).any(
        axis=1
    )
    covered = ((low < boxes[:, 2:]) & (high > boxes[:, :2])).all(axis=2).any(axis=1)
    start, step = lines[:, :2], lines[:, 2:] - lines[:, :2]
    step = np.where(np.abs(step) < TINY, TINY, step)
    ends = (low - start) / step, (high - start) / step
    # What is left of an edge between the four sides of an area
    enter, leave = np.minimum(*ends).max(axis=2), np.maximum(*ends).min(axis=2)
    crossed = np.maximum(enter, 0) < np.minimum(leave, 1)
    return crossed.sum(axis=1) + COVERED * (covered + 2 * outside)
