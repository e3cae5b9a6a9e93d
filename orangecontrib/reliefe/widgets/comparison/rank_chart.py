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
REACH = 12  # pixels from the line to a name within which the mouse means it


class Leader(NamedTuple):
    """Line from a rank on the axis down, and to the side to the name of a ranking; in pixels."""

    start: QPointF
    corner: QPointF
    end: QPointF


class RankChart(Drawing):
    """Rankings by their mean ranks, the best at the left.

    Rankings under one bar do not differ significantly; the ruler above is as long as the critical difference. The
    things of the drawing are rankings.
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
        d = self.found.diagram
        equal = np.abs(d.ranks - d.ranks[thing]) < d.difference
        others = [self.found.titles[i] for i in np.flatnonzero(equal) if i != thing]
        text = f"{self.found.titles[thing]}: mean rank {d.ranks[thing]:.2f}"
        return text + (f"; no significant difference to {', '.join(others)}" if others else "; differs from all others")

    # Places ----------------------------------------------------------------------------------------------------------

    def _names(self) -> float:
        """Pixels of the names at either side."""
        width = self.canvas.size().width()
        widest = max(self.metrics.horizontalAdvance(self._text(i)) for i in range(self.n_things))
        return min(widest + 2 * GAP, NAMES_SHARE * width)

    def _text(self, thing: int) -> str:
        rank, title = f"{self.found.diagram.ranks[thing]:.2f}", self.found.titles[thing]
        return f"{title}  {rank}" if self.found.diagram.left[thing] else f"{rank}  {title}"

    def _x(self, rank: float) -> float:
        """Pixel of a rank on the axis."""
        d, names = self.found.diagram, self._names()
        low, high = names + GAP, self.canvas.size().width() - names - GAP
        return low + (rank - d.low) / (d.high - d.low) * (high - low)

    def _axis(self) -> float:
        """Pixel of the height of the axis."""
        return GAP + 3.2 * self.metrics.height() + 2 * TICK

    def _leader(self, thing: int) -> Leader:
        d = self.found.diagram
        x, names = self._x(d.ranks[thing]), self._names()
        top = self._axis() + GAP + BAR * d.n_bar_lines + GAP
        space = self.canvas.size().height() - top - 2 * self.metrics.height()
        step = min(LINE_HEIGHT * self.metrics.height(), space / (max(d.lines) + 1.5))
        y = top + step * (d.lines[thing] + 0.6)
        end = names if d.left[thing] else self.canvas.size().width() - names
        return Leader(QPointF(x, self._axis()), QPointF(x, y), QPointF(end, y))

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if self.found is None:
            return
        self._paint_axis(painter)
        d, axis = self.found.diagram, self._axis()
        for thing in range(self.n_things):
            self._paint_leader(painter, thing)
        painter.setPen(QPen(self.text_color, 4, SOLID, Qt.FlatCap))
        for first, last, line in d.bars:
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
        d = self.found.diagram
        y = self._axis()
        metrics = self.metrics
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

    def _paint_leader(self, painter, thing):
        strong = thing == self.current
        color = self.text_color if strong else muted(self.palette(), 0.35)
        painter.setPen(QPen(color, 2 if strong else 1))
        leader = self._leader(thing)
        painter.drawPolyline(QPolygonF(list(leader)))
        d, end = self.found.diagram, leader.end
        painter.setPen(self.text_color)
        painter.setFont(self.strong_font() if strong else self.font())
        height, width = self.metrics.height(), self._names() - GAP / 2
        left = d.left[thing]
        area = QRectF(0 if left else end.x() + GAP / 2, end.y() - height / 2, width, height)
        self.write(painter, area, self._text(thing), Qt.AlignRight if left else Qt.AlignLeft)
        painter.setFont(self.font())
