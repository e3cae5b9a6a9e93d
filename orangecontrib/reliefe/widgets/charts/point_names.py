"""Names beside the best points of a chart (pyqtgraph), where they cover nothing; placed by `PointView`."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QRectF
from AnyQt.QtGui import QColor, QFont, QFontMetrics

from .chart import Chart

MARGIN = 2  # pixels around a name
BESIDE = 6  # pixels from the centre of a point to its name
BLANK = 0.2  # share of a line's height above and below the letters
NAME_Z = 7  # in front of the points


class NamedPoint(NamedTuple):
    """A point that gets a name if there is room."""

    name: str
    x: float  # in units of the axes
    y: float
    pixel: QPointF  # its place in the scene


def free_area(
    name: str, metrics: QFontMetrics, point: QPointF, frame: QRectF, covered: Sequence[QRectF]
) -> QRectF | None:
    """Area for a name right of a point, left of it, above or below, where it covers nothing.

    Parameters
    ----------
    name : str
    metrics : QFontMetrics
        Of the font of the name.
    point : QPointF
        The point in pixels.
    frame : QRectF
        Area that the name may not leave.
    covered : sequence of QRectF
        Areas that the name may not cover.

    Returns
    -------
    QRectF or None
        None if there is no room.
    """
    width = metrics.horizontalAdvance(name) + 2 * MARGIN
    height = metrics.height() + 2 * MARGIN
    x, y = point.x(), point.y()
    level = y - height / 2
    right = x + BESIDE, level
    left = x - BESIDE - width, level
    start = min(max(x - width / 2, frame.left()), frame.right() - width)  # in the middle, but inside the frame
    above = start, y - BESIDE - height
    below = start, y + BESIDE
    for corner in (right, left, above, below):
        area = QRectF(*corner, width, height)
        letters = area.adjusted(0, BLANK * height, 0, -BLANK * height)
        if frame.contains(area) and not any(map(letters.intersects, covered)):
            return area
    return None


class PointNames:
    """Names that are in a chart; `show` replaces them."""

    def __init__(self, chart: Chart):
        self._chart = chart
        self.labels: list[pg.TextItem] = []

    def show(
        self, points: Iterable[NamedPoint], max_names: int, font: QFont, color: QColor, covered: Sequence[QRectF] = ()
    ) -> None:
        """Write names as far as they cover neither each other nor the frame.

        Parameters
        ----------
        points : iterable of NamedPoint
            The best first.
        max_names : int
            Number of names at most.
        font : QFont
        color : QColor
        covered : sequence of QRectF
            Areas in pixels that no name may cover.
        """
        for label in self.labels:
            self._chart.removeItem(label)
        self.labels = []
        frame = self._chart.vb.sceneBoundingRect()
        covered_areas = [*covered]
        for point in points:
            if len(self.labels) == max_names:
                break
            area = free_area(point.name, QFontMetrics(font), point.pixel, frame, covered_areas)
            if area is not None:
                covered_areas.append(area)
                self._write(point, area, font, color)

    def _write(self, point: NamedPoint, area: QRectF, font: QFont, color: QColor):
        """Write a name in its area; it stays beside its point on any axes."""
        away = point.pixel - area.topLeft()
        label = pg.TextItem(point.name, color=color, anchor=(away.x() / area.width(), away.y() / area.height()))
        label.textItem.document().setDocumentMargin(MARGIN)
        label.setFont(font)
        label.setPos(point.x, point.y)
        self._chart.put(label, z=NAME_Z)
        self.labels.append(label)
