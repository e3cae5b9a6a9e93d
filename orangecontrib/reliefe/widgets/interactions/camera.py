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
        self.free = False  # True once the user zoomed or moved

    def fit(self, places: np.ndarray, room: QRectF, most: float = FITTED) -> None:
        """Show all places.

        Parameters
        ----------
        places : ndarray, shape (m, 2)
        room : QRectF
            Area of the picture in pixels.
        most : float
            Pixels of a unit at most.
        """
        self.free = False
        if not len(places):
            return
        low, high = places.min(axis=0), places.max(axis=0)
        width = max(room.width() - 2 * ASIDE, 1)
        height = max(room.height() - 2 * ABOVE, 1)
        spread = np.maximum(high - low, TINY)
        self.scale = float(np.clip(min(width / spread[0], height / spread[1]), MIN_SCALE / 4, most))
        middle = (low + high) / 2 * self.scale
        self.offset = room.center() - QPointF(*middle)

    def to_pixels(self, place: np.ndarray) -> QPointF:
        """Pixel of a place (2,)."""
        return QPointF(float(place[0]) * self.scale, float(place[1]) * self.scale) + self.offset

    def to_place(self, pixel: QPointF) -> np.ndarray:
        """Place (2,) of a pixel."""
        place = (pixel - self.offset) / self.scale
        return np.array([place.x(), place.y()])

    def zoom(self, factor: float, at: QPointF) -> None:
        """Zoom in or out; the place at a pixel stays there."""
        scale = float(np.clip(self.scale * factor, MIN_SCALE, MAX_SCALE))
        self.offset = at - (at - self.offset) * (scale / self.scale)
        self.scale = scale
        self.free = True

    def move(self, by: QPointF) -> None:
        """Move the picture by so many pixels."""
        self.offset = self.offset + by
        self.free = True
