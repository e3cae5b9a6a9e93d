"""Way from places of a network to pixels: fitted, zoomed and moved."""

import numpy as np
from AnyQt.QtCore import QPointF, QRectF

ASIDE, ABOVE = 55.0, 30.0  # pixels beside the network, for names, and above and below it
CLOSEST, FARTHEST = 400.0, 8.0  # pixels of a unit
FITTED = 130.0  # of a unit at most, where everything fits anyway


class Camera:
    """`scale` in pixels a unit, `offset` in pixels; as long as nobody zooms or moves, everything is fitted."""

    def __init__(self):
        self.scale, self.offset, self.free = FITTED, QPointF(0, 0), False

    def fit(self, places: np.ndarray, room: QRectF) -> None:
        """Show all places (m, 2)."""
        self.free = False
        if not len(places):
            return
        low, high = places.min(axis=0), places.max(axis=0)
        inner = max(room.width() - 2 * ASIDE, 1), max(room.height() - 2 * ABOVE, 1)
        spread = np.maximum(high - low, 1e-9)
        self.scale = float(np.clip(min(inner[0] / spread[0], inner[1] / spread[1]), FARTHEST / 4, FITTED))
        middle = (low + high) / 2 * self.scale
        self.offset = room.center() - QPointF(*middle)

    def to_pixels(self, place: np.ndarray) -> QPointF:
        """Pixels of a place (2,)."""
        return QPointF(float(place[0]) * self.scale, float(place[1]) * self.scale) + self.offset

    def to_place(self, point: QPointF) -> np.ndarray:
        """Place of pixels."""
        point = (point - self.offset) / self.scale
        return np.array([point.x(), point.y()])

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zoom in or out; what is at a point stays there."""
        scale = float(np.clip(self.scale * factor, FARTHEST, CLOSEST))
        self.offset = at - (at - self.offset) * (scale / self.scale)
        self.scale, self.free = scale, True

    def move(self, by: QPointF) -> None:
        """Move everything."""
        self.offset, self.free = self.offset + by, True
