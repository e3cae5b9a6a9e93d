"""Points of a chart: which ones are drawn of more than pixels can show, and which one is near the mouse."""

from typing import Any, NamedTuple

import numpy as np


class Plane(NamedTuple):
    """Part of a plane that is seen, and its size in pixels."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: float
    height: float

    @classmethod
    def of(cls, box: Any) -> "Plane":
        """Part that a `ViewBox` of pyqtgraph shows."""
        (x, y), area = box.viewRange(), box.rect()
        return cls(tuple(x), tuple(y), max(area.width(), 1.0), max(area.height(), 1.0))

    def pixels(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        across, up = self.x[1] - self.x[0], self.y[1] - self.y[0]
        return (x - self.x[0]) * (self.width / across), (y - self.y[0]) * (self.height / up)

    def thinned(self, x: np.ndarray, y: np.ndarray, cell: float) -> np.ndarray:
        """Places in x and y of the points that are drawn: of those in one cell of so many pixels, one."""
        seen = np.flatnonzero((x >= self.x[0]) & (x <= self.x[1]) & (y >= self.y[0]) & (y <= self.y[1]))
        columns, rows = int(self.width / cell) + 1, int(self.height / cell) + 1
        if len(seen) <= columns:
            return seen
        across, up = self.pixels(x[seen], y[seen])
        cells = (across / cell).astype(np.int32) * np.int32(rows) + (up / cell).astype(np.int32)
        drawn = np.full(columns * rows, -1)
        drawn[np.minimum(cells, columns * rows - 1)] = seen
        return drawn[drawn >= 0]

    def nearest(self, x: np.ndarray, y: np.ndarray, at: tuple[float, float], reach: float) -> int | None:
        """Place in x and y of the point nearest to a place in the plane, at most so many pixels away."""
        (across, up), (left, low) = self.pixels(x, y), self.pixels(np.array(at[0]), np.array(at[1]))
        distances = np.hypot(across - left, up - low)
        near = np.flatnonzero(distances <= reach)  # without NaN
        return int(near[distances[near].argmin()]) if len(near) else None


def evenly_spaced(n: int, most: int) -> np.ndarray:
    """Indices, at most `most` and evenly spaced, of n points."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))
