"""Places of the names of nodes beside a network, where they do not cover each other; for `NetworkView`."""

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QRectF

GAP = 0.25  # of a text's height: room between a node and its label
BELOW = [2]  # of the places beside a node, the one below
COVERED = 10**6  # cost of covering a node or a label: more than there are edges
OUTSIDE = 2 * COVERED  # cost of an area that leaves the room: worse than to cover a label
AWAY = 1.3 * np.arange(1, 15)  # of a text's height: distances of a label that has no room beside its node
TINY = 1e-9  # pixels


def label_order(degrees: np.ndarray, first: Sequence[int]) -> list[int]:
    """Nodes in the order in which they get labels.

    Parameters
    ----------
    degrees : ndarray of int, shape (m,)
        Numbers of edges of the nodes, which are in the order of their ranks.
    first : sequence of int
        Nodes that come first; then those with edges, then the others, each by rank.
    """
    by_degree = sorted(range(len(degrees)), key=lambda node: (degrees[node] == 0, node))
    return list(dict.fromkeys([*first, *by_degree]))


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

    Where there is no such place, a label of a node with edges stands farther away. All lengths are pixels.

    Parameters
    ----------
    order : sequence of int
        Nodes in the order in which they get labels.
    centers : ndarray, shape (m, 2)
    radii : ndarray, shape (m,)
    sizes : ndarray, shape (m, 2)
        Width and height of the labels.
    lines : ndarray, shape (e, 4)
        Edges: x and y of both ends.
    below : ndarray of bool, shape (m,)
        True for nodes whose labels stand below them, as in the grid of nodes without edges.
    room : QRectF
        Area that labels do not leave.
    forced : int
        The first nodes of the order, so many, get a label in any case.

    Returns
    -------
    dict from int to QRectF
        Areas of the labels, by nodes.
    """
    m = len(centers)
    boxes = np.full((2 * m, 4), np.nan)  # of nodes, then of labels that are placed; NaN covers nothing
    boxes[:m] = np.column_stack([centers - radii[:, None], centers + radii[:, None]])
    areas: dict[int, QRectF] = {}
    for number, node in enumerate(order):
        candidates = _areas_around(centers[node], radii[node], *sizes[node])
        if below[node] and number >= forced:
            candidates = candidates[BELOW]
        # A label may cover its own node.
        box_of_node = boxes[node].copy()
        boxes[node] = np.nan
        costs = _costs(candidates, room, boxes, lines)
        boxes[node] = box_of_node
        may_stand_away = not below[node] and room.contains(*centers[node])  # a node outside has no label far inside
        if costs.min() >= COVERED and may_stand_away:
            circles = radii[node] + AWAY * sizes[node][1]
            candidates = np.concatenate([_areas_around(centers[node], circle, *sizes[node]) for circle in circles])
            costs = _costs(candidates, room, boxes, lines)
        best = int(np.argmin(costs))
        if costs[best] < COVERED or number < forced:
            boxes[m + node] = candidates[best]
            left, top, right, bottom = candidates[best]
            areas[node] = QRectF(left, top, right - left, bottom - top)
    return areas


def _areas_around(center: np.ndarray, radius: float, width: float, height: float) -> np.ndarray:
    """Areas (8, 4) of a label: left, top, right and bottom.

    They are right of a circle, left of it, below and above it, then below and above towards either side.
    """
    x, y = center
    gap = radius + GAP * height
    below, above = y + radius, y - radius - height
    corners = [(x + gap, y - height / 2), (x - gap - width, y - height / 2)]
    for left in (x - width / 2, x - radius, x + radius - width):
        corners += [(left, below), (left, above)]
    top_left = np.array(corners)
    return np.column_stack([top_left, top_left + np.array([width, height])])


def _costs(areas: np.ndarray, room: QRectF, boxes: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Numbers (a,) of edges that areas (a, 4) cover; COVERED more where they cover a box, OUTSIDE where they leave."""
    low, high = areas[:, None, :2], areas[:, None, 2:]
    before = (low[:, 0] < (room.left(), room.top())).any(axis=1)
    beyond = (high[:, 0] > (room.right(), room.bottom())).any(axis=1)
    covered = ((low < boxes[:, 2:]) & (high > boxes[:, :2])).all(axis=2).any(axis=1)
    # Shares of an edge at which it enters and leaves an area: it crosses the area if these overlap with [0, 1].
    start, step = lines[:, :2], lines[:, 2:] - lines[:, :2]
    step = np.where(np.abs(step) < TINY, TINY, step)
    to_low, to_high = (low - start) / step, (high - start) / step
    enter = np.minimum(to_low, to_high).max(axis=2)
    leave = np.maximum(to_low, to_high).min(axis=2)
    crossed = np.maximum(enter, 0) < np.minimum(leave, 1)
    return crossed.sum(axis=1) + COVERED * covered + OUTSIDE * (before | beyond)
