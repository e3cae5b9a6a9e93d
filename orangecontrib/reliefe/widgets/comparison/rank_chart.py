"""Diagram of mean ranks with their critical difference, painted by QPainter."""

from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QPen, QPolygonF

from ...orange.comparison.statistical_tests import MeanRanks
from ..charts.drawing import Drawing
from ..charts.legend import SOLID
from ..utils.colors import muted

GAP = 8  # pixels
TICK = 5  # pixels of a tick of the axis
BAR = 10  # pixels from one bar to the next
NAMES_SHARE = 0.3  # share of the width that the names at a side may take
LINE_HEIGHT = 1.45  # distance of two names, in heights of letters
LINES_ABOVE_AXIS = 3.2  # heights of letters; chosen by eye, as the two that follow
FIRST_NAME = 0.6  # distance of the first name from the bars, in distances of names
LINES_BELOW_NAMES = 1.5  # space for the first and below the last name, in distances of names
REACH = 12  # pixels from the line to a name within which the mouse means it


class Leader(NamedTuple):
    """Line from a rank on the axis down, and to the side to the name of a ranking; in pixels."""

    start: QPointF
    corner: QPointF
    end: QPointF


class RankChart(Drawing):
    """Rankings by their mean ranks, the best at the left.

    Rankings under one bar do not differ significantly; the ruler above is as long as the critical difference, or as
    the space for it. What `Drawing` calls things, which the mouse and keys reach one by one, are rankings here.
    """

    def __init__(self, parent=None):
        super().__init__("Mean ranks with their critical difference", parent)
        self.found: MeanRanks | None = None

    def show_ranks(self, found: MeanRanks | None) -> None:
        """Show mean ranks; None: nothing."""
        self.found = found
        if found is not None:
            order = np.argsort(found.diagram.ranks, kind="stable")
            self.note = ", ".join(f"{found.titles[i]} {found.diagram.ranks[i]:.2f}" for i in order)
        self.draw()

    @property
    def n_things(self):
        return len(self.found.titles) if self.found else 0

    def thing_at(self, place: QPointF) -> int | None:
        if self.found is None:
            return None
        leaders = [self._leader(thing) for thing in range(self.n_things)]
        distances = [abs(leader.end.y() - place.y()) for leader in leaders]
        candidates = []
        for thing, leader in enumerate(leaders):
            on_its_side = (place.x() <= leader.corner.x()) == bool(self.found.diagram.left[thing])
            if distances[thing] < REACH and on_its_side:
                candidates.append(thing)
        return min(candidates, key=lambda thing: distances[thing], default=None)

    def about(self, thing: int) -> str:
        diagram = self.found.diagram
        equal = np.abs(diagram.ranks - diagram.ranks[thing]) < diagram.difference
        others = [self.found.titles[i] for i in np.flatnonzero(equal) if i != thing]
        text = f"{self.found.titles[thing]}: mean rank {diagram.ranks[thing]:.2f}"
        return text + (f"; no significant difference to {', '.join(others)}" if others else "; differs from all others")

    # Places ----------------------------------------------------------------------------------------------------------

    def _names_width(self) -> float:
        """Width in pixels of the names at either side."""
        width = self.canvas.size().width()
        widest = max(self.metrics.horizontalAdvance(self._text(i)) for i in range(self.n_things))
        return min(widest + 2 * GAP, NAMES_SHARE * width)

    def _text(self, thing: int) -> str:
        rank, title = f"{self.found.diagram.ranks[thing]:.2f}", self.found.titles[thing]
        return f"{title}  {rank}" if self.found.diagram.left[thing] else f"{rank}  {title}"

    def _x(self, rank: float) -> float:
        """Pixel of a rank on the axis."""
        diagram, names = self.found.diagram, self._names_width()
        low, high = names + GAP, self.canvas.size().width() - names - GAP
        return low + (rank - diagram.low) / (diagram.high - diagram.low) * (high - low)

    def _axis_y(self) -> float:
        """Vertical pixel of the axis: the ruler and its text, ticks and numbers are above it."""
        return GAP + LINES_ABOVE_AXIS * self.metrics.height() + 2 * TICK

    def _leader(self, thing: int) -> Leader:
        diagram = self.found.diagram
        x, names = self._x(diagram.ranks[thing]), self._names_width()
        top = self._axis_y() + GAP + BAR * diagram.n_bar_lines + GAP
        space = self.canvas.size().height() - top - 2 * self.metrics.height()
        step = min(LINE_HEIGHT * self.metrics.height(), space / (max(diagram.lines) + LINES_BELOW_NAMES))
        y = top + step * (diagram.lines[thing] + FIRST_NAME)
        end = names if diagram.left[thing] else self.canvas.size().width() - names
        return Leader(QPointF(x, self._axis_y()), QPointF(x, y), QPointF(end, y))

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if self.found is None:
            return
        self._paint_axis(painter)
        diagram, axis = self.found.diagram, self._axis_y()
        for thing in range(self.n_things):
            self._paint_leader(painter, thing)
        painter.setPen(QPen(self.text_color, 4, SOLID, Qt.FlatCap))
        for first, last, line in diagram.bars:
            y = axis + GAP + BAR * (line + 0.5)
            painter.drawLine(QPointF(self._x(first) - 4, y), QPointF(self._x(last) + 4, y))
        painter.setPen(muted(self.palette(), 0.25))
        of = "data sets" if self.found.independent else "folds of one data set"
        text = f"Mean ranks over {self.found.n:,} {of}, 1 is best"
        if np.isfinite(self.found.p_value):
            text += f"; Friedman's test: p = {self.found.p_value:.2g}"
        line = self.metrics.height()
        below = QRectF(GAP, room.bottom() - line - 2, room.width() - 2 * GAP, line)
        self.write(painter, below, text, Qt.AlignLeft, Qt.ElideRight)

    def _paint_axis(self, painter):
        diagram = self.found.diagram
        y = self._axis_y()
        metrics = self.metrics
        painter.setPen(QPen(self.text_color, 1.2))
        painter.drawLine(QPointF(self._x(diagram.low), y), QPointF(self._x(diagram.high), y))
        for rank in range(diagram.low, diagram.high + 1):
            x = self._x(rank)
            painter.drawLine(QPointF(x, y), QPointF(x, y - TICK))
            label = QRectF(x - 30, y - TICK - metrics.height() - 1, 60, metrics.height())
            painter.drawText(label, Qt.AlignCenter, str(rank))
        left, wide = self._x(diagram.low), self._x(diagram.low + diagram.difference) - self._x(diagram.low)
        text = f"CD = {diagram.difference:.2f}"
        wide = min(wide, self.canvas.size().width() - left - 2 * GAP - metrics.horizontalAdvance(text))
        ruler = GAP + 0.7 * metrics.height()
        pen = QPen(muted(self.palette(), 0.25), 1.2)
        painter.setPen(pen)
        painter.drawLine(QPointF(left, ruler), QPointF(left + wide, ruler))
        for x in (left, left + wide):
            painter.drawLine(QPointF(x, ruler - TICK), QPointF(x, ruler + TICK))
        painter.drawText(QPointF(left + wide + GAP, ruler + metrics.ascent() / 2 - 1), text)

    def _paint_leader(self, painter, thing):
        strong = thing == self.current
        color = self.text_color if strong else muted(self.palette(), 0.35)
        painter.setPen(QPen(color, 2 if strong else 1))
        leader = self._leader(thing)
        painter.drawPolyline(QPolygonF(list(leader)))
        diagram, end = self.found.diagram, leader.end
        painter.setPen(self.text_color)
        painter.setFont(self.strong_font() if strong else self.font())
        height, width = self.metrics.height(), self._names_width() - GAP / 2
        left = diagram.left[thing]
        area = QRectF(0 if left else end.x() + GAP / 2, end.y() - height / 2, width, height)
        self.write(painter, area, self._text(thing), Qt.AlignRight if left else Qt.AlignLeft)
        painter.setFont(self.font())
