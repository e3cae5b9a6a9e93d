"""Mean ranks of rankings on an axis, with bars over those that do not differ: a critical-difference diagram."""

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QPen, QPolygonF

from ..charts.drawing import Drawing
from ..utils.colors import muted
from .statisticsjob import MeanRanks

NAME = "Mean ranks with their critical difference"
GAP = 8
TICK = 5
BAR = 10  # pixels from one bar to the next
NAMES = 0.3  # share of the width that the names at a side may take
LINE = 1.45  # of a name, in heights of letters
NEAR_PIXELS = 12


class RankChart(Drawing):
    """Best at the left.  Rankings under one bar cannot be told apart; the length of the ruler above is the critical
    difference."""

    def __init__(self, parent=None):
        super().__init__(NAME, parent)
        self.found: MeanRanks | None = None

    def show_ranks(self, found: MeanRanks | None) -> None:
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
        ways = [self._way(thing) for thing in range(self.n_things)]
        near = [abs(way[2].y() - place.y()) for way in ways]
        inside = [
            thing for thing, way in enumerate(ways)
            if near[thing] < NEAR_PIXELS and (place.x() <= way[1].x()) == bool(self.found.diagram.left[thing])
        ]  # fmt: skip
        return min(inside, key=lambda thing: near[thing], default=None)

    def about(self, thing: int) -> str:
        d = self.found.diagram
        equal = np.abs(d.ranks - d.ranks[thing]) < d.difference
        others = [self.found.titles[i] for i in np.flatnonzero(equal) if i != thing]
        text = f"{self.found.titles[thing]}: mean rank {d.ranks[thing]:.2f}"
        return text + (f"; no significant difference to {', '.join(others)}" if others else "; differs from all others")

    # Places ----------------------------------------------------------------------------------------------------------

    def _names(self) -> float:
        width = self.canvas.size().width()
        widest = max(self.metrics.horizontalAdvance(self._text(i)) for i in range(self.n_things))
        return min(widest + 2 * GAP, NAMES * width)

    def _text(self, thing: int) -> str:
        rank, title = f"{self.found.diagram.ranks[thing]:.2f}", self.found.titles[thing]
        return f"{title}  {rank}" if self.found.diagram.left[thing] else f"{rank}  {title}"

    def _x(self, rank: float) -> float:
        d, names = self.found.diagram, self._names()
        low, high = names + GAP, self.canvas.size().width() - names - GAP
        return low + (rank - d.low) / (d.high - d.low) * (high - low)

    def _axis(self) -> float:
        return GAP + 3.2 * self.metrics.height() + 2 * TICK

    def _way(self, thing: int) -> tuple[QPointF, QPointF, QPointF]:
        """From the axis down, and to the side."""
        d = self.found.diagram
        x, names = self._x(d.ranks[thing]), self._names()
        top = self._axis() + GAP + BAR * d.n_bar_lines + GAP
        space = self.canvas.size().height() - top - 2 * self.metrics.height()
        step = min(LINE * self.metrics.height(), space / (max(d.lines) + 1.5))
        y = top + step * (d.lines[thing] + 0.6)
        end = names if d.left[thing] else self.canvas.size().width() - names
        return QPointF(x, self._axis()), QPointF(x, y), QPointF(end, y)

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if self.found is None:
            return
        self._paint_axis(painter)
        d, axis = self.found.diagram, self._axis()
        for thing in range(self.n_things):
            self._paint_way(painter, thing)
        painter.setPen(QPen(self.text_color, 4, Qt.SolidLine, Qt.FlatCap))
        for first, last, line in d.bars:
            y = axis + GAP + BAR * (line + 0.5)
            painter.drawLine(QPointF(self._x(first) - 4, y), QPointF(self._x(last) + 4, y))
        painter.setPen(muted(self.palette(), 0.25))
        what = "data sets" if self.found.independent else "folds of one data set"
        text = f"Mean ranks over {self.found.n:,} {what}, 1 is best"
        if np.isfinite(self.found.p_value):
            text += f"; Friedman's test: p = {self.found.p_value:.2g}"
        below = QRectF(GAP, room.bottom() - self.metrics.height() - 2, room.width() - 2 * GAP, self.metrics.height())
        painter.drawText(below, Qt.AlignLeft, self.metrics.elidedText(text, Qt.ElideRight, below.width()))

    def _paint_axis(self, painter):
        d, y, metrics = self.found.diagram, self._axis(), self.metrics
        painter.setPen(QPen(self.text_color, 1.2))
        painter.drawLine(QPointF(self._x(d.low), y), QPointF(self._x(d.high), y))
        for rank in range(d.low, d.high + 1):
            x = self._x(rank)
            painter.drawLine(QPointF(x, y), QPointF(x, y - TICK))
            label = QRectF(x - 30, y - TICK - metrics.height() - 1, 60, metrics.height())
            painter.drawText(label, Qt.AlignCenter, str(rank))
        left, wide = self._x(d.low), self._x(d.low + d.difference) - self._x(d.low)
        text = f"CD = {d.difference:.2f}"
        wide = min(wide, self.canvas.size().width() - left - 2 * GAP - metrics.horizontalAdvance(text))
        ruler = GAP + 0.7 * metrics.height()
        pen = QPen(muted(self.palette(), 0.25), 1.2)
        painter.setPen(pen)
        painter.drawLine(QPointF(left, ruler), QPointF(left + wide, ruler))
        for x in (left, left + wide):
            painter.drawLine(QPointF(x, ruler - TICK), QPointF(x, ruler + TICK))
        painter.drawText(QPointF(left + wide + GAP, ruler + metrics.ascent() / 2 - 1), text)

    def _paint_way(self, painter, thing):
        strong = thing == self.current
        color = self.text_color if strong else muted(self.palette(), 0.35)
        painter.setPen(QPen(color, 2 if strong else 1))
        way = self._way(thing)
        painter.drawPolyline(QPolygonF(list(way)))
        d, end = self.found.diagram, way[2]
        painter.setPen(self.text_color)
        painter.setFont(self.strong_font() if strong else self.font())
        height, width = self.metrics.height(), self._names() - GAP / 2
        text = self.metrics.elidedText(self._text(thing), Qt.ElideMiddle, width)
        if d.left[thing]:
            painter.drawText(QRectF(0, end.y() - height / 2, end.x() - GAP / 2, height), Qt.AlignRight, text)
        else:
            painter.drawText(QRectF(end.x() + GAP / 2, end.y() - height / 2, width, height), Qt.AlignLeft, text)
        painter.setFont(self.font())
