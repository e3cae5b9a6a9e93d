"""Diagram of the posterior probabilities of two rankings in a triangle, painted by QPainter."""

from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QPen, QPolygonF

from ...core.words import percent
from ...orange.comparison.statistical_tests import Posterior
from ..charts.drawing import Drawing
from ..charts.legend import DASHED, SOLID
from ..utils.colors import faint, mix, muted

GAP = 8  # pixels
HEIGHT = 3**0.5 / 2  # of a triangle with equal sides of length 1
FIRST, NEITHER, SECOND = range(3)  # corners: the outcome that is certain there
HUES = {FIRST: 0, NEITHER: 2, SECOND: 1}
DOT = 3  # pixels of a draw
DOT_OPACITY = 90  # of 255
MAX_DOTS = 3000  # dots of a region that are drawn
OUTSIDE = -0.15  # least share of an outcome for the mouse to mean the triangle: a little outside counts
EQUAL = "Practically equal"


class Geometry(NamedTuple):
    """Place of the triangle on the canvas, in pixels."""

    left: float
    bottom: float
    length: float


class TriangleChart(Drawing):
    """Each dot is a draw from the posterior: the nearer to a corner, the more probable that outcome.

    Lines divide the regions in which an outcome is the most probable one; the numbers are the shares of the dots there.
    The elements of the drawing are the corners.
    """

    def __init__(self, parent=None):
        super().__init__("Posterior probabilities in a triangle", parent)
        self.posterior: Posterior | None = None
        self._points = np.zeros((0, 2))  # draws in a triangle with sides of length 1
        self._largest = np.zeros(0, int)  # (d,) the most probable outcome of each draw

    def show_posterior(self, posterior: Posterior | None) -> None:
        """Show a posterior; None: nothing."""
        self.posterior = posterior
        if posterior is not None:
            from ...core.evaluation import in_triangle

            draws = posterior.found.draws
            self._points = in_triangle(draws)
            self._largest = draws.argmax(axis=1)
            self.note = "; ".join(self.about(corner) for corner in range(3))
        self.draw()

    @property
    def n_elements(self):
        return 3 if self.posterior else 0

    def element_at(self, position: QPointF) -> int | None:
        if self.posterior is None:
            return None
        left, bottom, length = self._frame()
        x, y = (position.x() - left) / length, (bottom - position.y()) / length
        # Shares of the three outcomes at this place (barycentric coordinates).
        shares = 1 - x - y / (2 * HEIGHT), y / HEIGHT, x - y / (2 * HEIGHT)
        return int(np.argmax(shares)) if min(shares) >= OUTSIDE else None

    def about(self, corner: int) -> str:
        probabilities = self.posterior.found
        shares = probabilities.first, probabilities.rope, probabilities.second
        return f"{self._title(corner)}: probability {percent(shares[corner], 1)}"

    def _title(self, corner: int) -> str:
        if corner == NEITHER:
            return f"{EQUAL} (\u00b1{self.posterior.rope:g})"
        better = self.posterior.first if corner == FIRST else self.posterior.second
        return f"{better} is better"

    # Places ----------------------------------------------------------------------------------------------------------

    def _frame(self) -> Geometry:
        width, height = self.canvas.size().width(), self.canvas.size().height()
        line = self.metrics.height()
        length = max(min(width - 4 * GAP, (height - 5.5 * line - 2 * GAP) / HEIGHT), 20)
        return Geometry((width - length) / 2, height - 3.2 * line - GAP, length)

    def _at(self, x: float, y: float) -> QPointF:
        """Pixel of a place in a triangle with sides of length 1."""
        left, bottom, length = self._frame()
        return QPointF(left + x * length, bottom - y * length)

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if self.posterior is None:
            return
        corners = self._at(0, 0), self._at(0.5, HEIGHT), self._at(1, 0)
        painter.setPen(QPen(self.text_color, 1.2))
        painter.setBrush(Qt.NoBrush)
        painter.drawPolygon(QPolygonF(list(corners)))
        self._paint_cloud(painter)
        painter.setPen(QPen(muted(self.palette(), 0.35), 1, DASHED))
        center = self._at(0.5, HEIGHT / 3)
        for x, y in ((0.25, HEIGHT / 2), (0.75, HEIGHT / 2), (0.5, 0)):
            painter.drawLine(center, self._at(x, y))
        self._paint_names(painter, room, corners)

    def _paint_cloud(self, painter):
        left, bottom, length = self._frame()
        for corner in range(3):
            pen = QPen(faint(self.hue(HUES[corner]), DOT_OPACITY), DOT, SOLID, Qt.RoundCap)
            painter.setPen(pen)
            dots = self._points[self._largest == corner][:MAX_DOTS]
            painter.drawPoints(QPolygonF([QPointF(left + x * length, bottom - y * length) for x, y in dots]))

    def _paint_names(self, painter, room, corners):
        line = self.metrics.height()
        probabilities = self.posterior.found
        width = room.width() / 2 - GAP
        areas = (
            (QRectF(GAP, corners[0].y() + 4, width, 2 * line), Qt.AlignLeft),
            (QRectF(GAP, corners[1].y() - 2 * line - 4, room.width() - 2 * GAP, 2 * line), Qt.AlignHCenter),
            (QRectF(room.width() - GAP - width, corners[2].y() + 4, width, 2 * line), Qt.AlignRight),
        )
        shares = probabilities.first, probabilities.rope, probabilities.second
        for corner, ((area, align), share) in enumerate(zip(areas, shares, strict=True)):
            painter.setPen(mix(self.hue(HUES[corner]), self.text_color, 0.25))
            painter.setFont(self.strong_font())
            title = self.metrics.elidedText(self._title(corner), Qt.ElideMiddle, 0.9 * area.width())
            painter.drawText(area, align | Qt.AlignTop, f"{title}\n{percent(share, 1)}")
        painter.setFont(self.font())
        painter.setPen(muted(self.palette(), 0.25))
        text = f"{self.posterior.q:,} data sets, {self.posterior.m:,} folds each"
        below = QRectF(GAP, room.bottom() - line - 2, room.width() - 2 * GAP, line)
        self.write(painter, below, text, Qt.AlignHCenter, Qt.ElideRight)
