"""Way from places of a network to pixels: fitted, zoomed and moved; held by `NetworkView`."""

import numpy as np
from AnyQt.QtCore import QPointF, QRectF

ASIDE, ABOVE = 55.0, 30.0  # pixels beside the network, for names, and above and below it
MAX_SCALE = 400.0  # pixels of a unit at most
MIN_SCALE = 8.0  # pixels of a unit at least, by zooming
FITTED = 130.0  # pixels of a unit at most, where everything fits anyway
GRID = 180.0  # the same for a network without edges, whose nodes are a grid
TINY = 1e-9  # units


class Camera:
    """Scale and offset of the picture; while nobody zooms or moves it, the whole network is fitted."""

    def __init__(self):
        self.scale = FITTED  # pixels of a unit
        self.offset = QPointF(0, 0)  # pixel of the origin
        self.is_moved = False  # True once the user zoomed or moved

    def fit(self, points: np.ndarray, room: QRectF, max_scale: float = FITTED) -> None:
        """Show all points.

        Parameters
        ----------
        points : ndarray, shape (m, 2)
        room : QRectF
            Area of the picture in pixels.
        max_scale : float
            Pixels of a unit at most.
        """
        self.is_moved = False
        if not len(points):
            return
        low, high = points.min(axis=0), points.max(axis=0)
        width = max(room.width() - 2 * ASIDE, 1)
        height = max(room.height() - 2 * ABOVE, 1)
        spread = np.maximum(high - low, TINY)
        self.scale = float(np.clip(min(width / spread[0], height / spread[1]), MIN_SCALE / 4, max_scale))
        middle = (low + high) / 2 * self.scale
        self.offset = room.center() - QPointF(*middle)

    def to_pixels(self, point: np.ndarray) -> QPointF:
        """Return the pixel of a point (2,)."""
        return QPointF(float(point[0]) * self.scale, float(point[1]) * self.scale) + self.offset

    def to_point(self, pixel: QPointF) -> np.ndarray:
        """Return the point (2,) at a pixel."""
        point = (pixel - self.offset) / self.scale
        return np.array([point.x(), point.y()])

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zoom in or out; the point at a pixel stays there."""
        scale = float(np.clip(self.scale * factor, MIN_SCALE, MAX_SCALE))
        self.offset = at - (at - self.offset) * (scale / self.scale)
        self.scale = scale
        self.is_moved = True

    def move(self, by: QPointF) -> None:
        """Move the picture by so many pixels."""
        self.offset = self.offset + by
        self.is_moved = True
