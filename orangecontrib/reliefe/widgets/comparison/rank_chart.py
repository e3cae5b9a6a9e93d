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
    the space for it. What `Drawing` calls elements, which the mouse and keys reach one by one, are rankings here.
    """

    def __init__(self, parent=None):
        super().__init__("Mean ranks with their critical difference", parent)
        self.mean_ranks: MeanRanks | None = None

    def show_ranks(self, mean_ranks: MeanRanks | None) -> None:
        """Show mean ranks; None: nothing."""
        self.mean_ranks = mean_ranks
        if mean_ranks is not None:
            order = np.argsort(mean_ranks.diagram.ranks, kind="stable")
            self.note = ", ".join(f"{mean_ranks.titles[i]} {mean_ranks.diagram.ranks[i]:.2f}" for i in order)
        self.draw()

    @property
    def n_elements(self):
        return len(self.mean_ranks.titles) if self.mean_ranks else 0

    def element_at(self, position: QPointF) -> int | None:
        if self.mean_ranks is None:
            return None
        leaders = [self._leader(ranking) for ranking in range(self.n_elements)]
        distances = [abs(leader.end.y() - position.y()) for leader in leaders]
        candidates = []
        for ranking, leader in enumerate(leaders):
            on_its_side = (position.x() <= leader.corner.x()) == bool(self.mean_ranks.diagram.left[ranking])
            if distances[ranking] < REACH and on_its_side:
                candidates.append(ranking)
        return min(candidates, key=lambda ranking: distances[ranking], default=None)

    def about(self, ranking: int) -> str:
        diagram = self.mean_ranks.diagram
        equal = np.abs(diagram.ranks - diagram.ranks[ranking]) < diagram.difference
        equal_titles = [self.mean_ranks.titles[i] for i in np.flatnonzero(equal) if i != ranking]
        text = f"{self.mean_ranks.titles[ranking]}: mean rank {diagram.ranks[ranking]:.2f}"
        if not equal_titles:
            return f"{text}; differs from all others"
        return f"{text}; no significant difference to {', '.join(equal_titles)}"

    # Places ----------------------------------------------------------------------------------------------------------

    def _names_width(self) -> float:
        """Width in pixels of the names at either side."""
        width = self.canvas.size().width()
        widest = max(self.metrics.horizontalAdvance(self._text(i)) for i in range(self.n_elements))
        return min(widest + 2 * GAP, NAMES_SHARE * width)

    def _text(self, ranking: int) -> str:
        rank, title = f"{self.mean_ranks.diagram.ranks[ranking]:.2f}", self.mean_ranks.titles[ranking]
        return f"{title}  {rank}" if self.mean_ranks.diagram.left[ranking] else f"{rank}  {title}"

    def _x(self, rank: float) -> float:
        """Pixel of a rank on the axis."""
        diagram, names = self.mean_ranks.diagram, self._names_width()
        low, high = names + GAP, self.canvas.size().width() - names - GAP
        return low + (rank - diagram.low) / (diagram.high - diagram.low) * (high - low)

    def _axis_y(self) -> float:
        """Vertical pixel of the axis: the ruler and its text, ticks and numbers are above it."""
        return GAP + LINES_ABOVE_AXIS * self.metrics.height() + 2 * TICK

    def _leader(self, ranking: int) -> Leader:
        diagram = self.mean_ranks.diagram
        x, names = self._x(diagram.ranks[ranking]), self._names_width()
        top = self._axis_y() + GAP + BAR * diagram.n_bar_lines + GAP
        space = self.canvas.size().height() - top - 2 * self.metrics.height()
        step = min(LINE_HEIGHT * self.metrics.height(), space / (max(diagram.lines) + LINES_BELOW_NAMES))
        y = top + step * (diagram.lines[ranking] + FIRST_NAME)
        end = names if diagram.left[ranking] else self.canvas.size().width() - names
        return Leader(QPointF(x, self._axis_y()), QPointF(x, y), QPointF(end, y))

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if self.mean_ranks is None:
            return
        self._paint_axis(painter)
        diagram, axis = self.mean_ranks.diagram, self._axis_y()
        for ranking in range(self.n_elements):
            self._paint_leader(painter, ranking)
        painter.setPen(QPen(self.text_color, 4, SOLID, Qt.FlatCap))
        for first, last, line in diagram.bars:
            y = axis + GAP + BAR * (line + 0.5)
            painter.drawLine(QPointF(self._x(first) - 4, y), QPointF(self._x(last) + 4, y))
        painter.setPen(muted(self.palette(), 0.25))
        sources = "data sets" if self.mean_ranks.independent else "folds of one data set"
        text = f"Mean ranks over {self.mean_ranks.n:,} {sources}, 1 is best"
        if np.isfinite(self.mean_ranks.p_value):
            text += f"; Friedman's test: p = {self.mean_ranks.p_value:.2g}"
        line = self.metrics.height()
        below = QRectF(GAP, room.bottom() - line - 2, room.width() - 2 * GAP, line)
        self.write(painter, below, text, Qt.AlignLeft, Qt.ElideRight)

    def _paint_axis(self, painter):
        diagram = self.mean_ranks.diagram
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

    def _paint_leader(self, painter, ranking):
        strong = ranking == self.current
        color = self.text_color if strong else muted(self.palette(), 0.35)
        painter.setPen(QPen(color, 2 if strong else 1))
        leader = self._leader(ranking)
        painter.drawPolyline(QPolygonF(list(leader)))
        diagram, end = self.mean_ranks.diagram, leader.end
        painter.setPen(self.text_color)
        painter.setFont(self.strong_font() if strong else self.font())
        height, width = self.metrics.height(), self._names_width() - GAP / 2
        left = diagram.left[ranking]
        area = QRectF(0 if left else end.x() + GAP / 2, end.y() - height / 2, width, height)
        self.write(painter, area, self._text(ranking), Qt.AlignRight if left else Qt.AlignLeft)
        painter.setFont(self.font())
