"""The posterior of two rankings as a cloud in a triangle: a corner for each outcome on a new data set."""

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QPen, QPolygonF

from ...core.words import percent
from ..charts.drawing import Drawing
from ..utils.colors import faint, hue, mix, muted
from .statisticsjob import Posterior

NAME = "Posterior probabilities in a triangle"
GAP = 10
HEIGHT = 3**0.5 / 2
HUES = (0, 2, 1)  # of the first, of neither, of the second
DOT = 3
MAX_DOTS = 3000  # dots of a region
NEITHER = "Practically equal"


class TriangleChart(Drawing):
    """Each dot is a draw: the nearer to a corner, the more probable that outcome.  Lines divide the regions in which an
    outcome is the most probable one; the numbers are the shares of the dots there."""

    def __init__(self, parent=None):
        super().__init__(NAME, parent)
        self.found: Posterior | None = None
        self._points, self._largest = np.zeros((0, 2)), np.zeros(0, int)

    def show_posterior(self, found: Posterior | None) -> None:
        self.found = found
        if found is not None:
            from ...core.evaluation import in_triangle

            self._points, self._largest = in_triangle(found.found.draws), found.found.draws.argmax(axis=1)
            self.note = "; ".join(self.about(corner) for corner in range(3))
        self.draw()

    @property
    def n_things(self):
        return 3 if self.found else 0

    def thing_at(self, place: QPointF) -> int | None:
        if self.found is None:
            return None
        x, y = self._inverse(place)
        middle = 1 - x - y / (2 * HEIGHT), y / HEIGHT, x - y / (2 * HEIGHT)
        return int(np.argmax(middle)) if min(middle) >= -0.15 else None

    def about(self, corner: int) -> str:
        found = self.found.found
        return f"{self._title(corner)}: probability {percent((found.first, found.rope, found.second)[corner], 1)}"

    def _title(self, corner: int) -> str:
        better = self.found.first if corner == 0 else self.found.second
        return f"{NEITHER} (\u00b1{self.found.rope:g})" if corner == 1 else f"{better} is better"

    # Places ----------------------------------------------------------------------------------------------------------

    def _frame(self) -> tuple[float, float, float]:
        width, height = self.canvas.size().width(), self.canvas.size().height()
        line = self.metrics.height()
        side = max(min(width - 4 * GAP, (height - 5.5 * line - 2 * GAP) / HEIGHT), 20)
        return (width - side) / 2, height - 3.2 * line - GAP, side

    def _at(self, x: float, y: float) -> QPointF:
        left, bottom, side = self._frame()
        return QPointF(left + x * side, bottom - y * side)

    def _inverse(self, place: QPointF) -> tuple[float, float]:
        left, bottom, side = self._frame()
        return (place.x() - left) / side, (bottom - place.y()) / side

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if self.found is None:
            return
        corners = self._at(0, 0), self._at(0.5, HEIGHT), self._at(1, 0)
        painter.setPen(QPen(self.text_color, 1.2))
        painter.setBrush(Qt.NoBrush)
        painter.drawPolygon(QPolygonF(list(corners)))
        self._paint_cloud(painter)
        painter.setPen(QPen(muted(self.palette(), 0.35), 1, Qt.DashLine))
        center = self._at(0.5, HEIGHT / 3)
        for x, y in ((0.25, HEIGHT / 2), (0.75, HEIGHT / 2), (0.5, 0)):
            painter.drawLine(center, self._at(x, y))
        self._paint_names(painter, room, corners)

    def _paint_cloud(self, painter):
        left, bottom, side = self._frame()
        for corner in range(3):
            pen = QPen(faint(hue(HUES[corner], self.palette()), 90), DOT, Qt.SolidLine, Qt.RoundCap)
            painter.setPen(pen)
            own = self._points[self._largest == corner][:MAX_DOTS]
            painter.drawPoints(QPolygonF([QPointF(left + x * side, bottom - y * side) for x, y in own]))

    def _paint_names(self, painter, room, corners):
        line, found, width = self.metrics.height(), self.found.found, room.width() / 2 - GAP
        places = (
            (QRectF(GAP, corners[0].y() + 4, width, 2 * line), Qt.AlignLeft),
            (QRectF(GAP, corners[1].y() - 2 * line - 4, room.width() - 2 * GAP, 2 * line), Qt.AlignHCenter),
            (QRectF(room.width() - GAP - width, corners[2].y() + 4, width, 2 * line), Qt.AlignRight),
        )
        shares = found.first, found.rope, found.second
        for corner, ((place, side), share) in enumerate(zip(places, shares, strict=True)):
            painter.setPen(mix(hue(HUES[corner], self.palette()), self.text_color, 0.25))
            painter.setFont(self.strong_font())
            title = self.metrics.elidedText(self._title(corner), Qt.ElideMiddle, 0.9 * place.width())
            painter.drawText(place, side | Qt.AlignTop, f"{title}\n{percent(share, 1)}")
        painter.setFont(self.font())
        painter.setPen(muted(self.palette(), 0.25))
        text = f"{self.found.q:,} data sets, {self.found.m:,} folds each"
        below = QRectF(GAP, room.bottom() - line - 2, room.width() - 2 * GAP, line)
        painter.drawText(below, Qt.AlignHCenter, self.metrics.elidedText(text, Qt.ElideRight, below.width()))
