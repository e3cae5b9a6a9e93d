"""Differences of all pairs of rankings on one data set, as a table of colours."""

from typing import NamedTuple

from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QPen

from ...core.words import percent
from ..charts.drawing import Drawing
from ..utils.colors import hue, mix, muted
from .statisticsjob import LEVEL, Pairs

NAME = "Differences of pairs of rankings"
GAP = 6
TALLEST, WIDEST = 34, 92  # pixels of a cell
NAMES = 0.34  # share of the width that names may take
BETTER, WORSE = 0, 1  # hues
STRONGEST = 0.62  # share of the hue where it is certain
ABOUT = (
    "Row minus column: the mean difference in test folds. Blue: the ranking of the row is better, orange: the other "
    "one; the stronger, the more probable. Bold: p < 0.05"
)


class Frame(NamedTuple):
    """Place of the cells."""

    left: float
    top: float
    width: float
    height: float


class PairsChart(Drawing):
    """Rankings by their mean, best first, as rows and as columns."""

    note = ABOUT

    def __init__(self, parent=None):
        super().__init__(NAME, parent)
        self.pairs: Pairs | None = None

    def show_pairs(self, pairs: Pairs | None) -> None:
        self.pairs = pairs
        self.redraw()

    @property
    def n_things(self):
        return len(self.pairs.titles) ** 2 if self.pairs else 0

    def thing_at(self, place: QPointF) -> int | None:
        if self.pairs is None:
            return None
        frame, k = self._frame(self.canvas.size().width(), self.canvas.size().height()), len(self.pairs.titles)
        row, column = (place.y() - frame.top) // frame.height, (place.x() - frame.left) // frame.width
        return int(row * k + column) if 0 <= row < k and 0 <= column < k else None

    def about(self, thing: int) -> str:
        pairs = self.pairs
        i, j = divmod(thing, len(pairs.titles))
        if i == j:
            return f"{pairs.titles[i]}: mean {pairs.means[i]:.4f}"
        d = pairs.differences[i, j]
        return (
            f"{pairs.titles[i]} \u2212 {pairs.titles[j]}: {_signed(d.mean)} ({_signed(d.low)} to {_signed(d.high)}), "
            f"p = {d.p_value:.3g}; better {percent(d.first)}, practically equal {percent(d.rope)}, "
            f"worse {percent(d.second)}"
        )

    # Drawing ---------------------------------------------------------------------------------------------------------

    def _frame(self, width: float, height: float) -> Frame:
        metrics, k = self.metrics, len(self.pairs.titles)
        line = metrics.height()
        widest = max(metrics.horizontalAdvance(f"{k}  {title}") for title in self.pairs.titles)
        left = min(widest + 2 * GAP, NAMES * width)
        top = 2 * GAP + line
        space = height - top - 2 * line - 2 * GAP
        return Frame(left, top, min((width - left - GAP) / k, WIDEST), max(min(space / k, TALLEST), 4))

    def paint_on(self, painter, room: QRectF):
        if self.pairs is None:
            return
        frame, metrics = self._frame(room.width(), room.height()), self.metrics
        k = len(self.pairs.titles)
        painter.setPen(self.text_color)
        for i, title in enumerate(self.pairs.titles):
            text = metrics.elidedText(f"{i + 1}  {title}", Qt.ElideRight, frame.left - 2 * GAP)
            row = QRectF(GAP, frame.top + i * frame.height, frame.left - 2 * GAP, frame.height)
            painter.drawText(row, Qt.AlignLeft | Qt.AlignVCenter, text)
            head = QRectF(frame.left + i * frame.width, GAP, frame.width, metrics.height())
            painter.drawText(head, Qt.AlignCenter, str(i + 1))
        for thing in range(k * k):
            self._paint_cell(painter, frame, thing)
        if self.current is not None:
            painter.setPen(QPen(self.text_color, 1.5))
            painter.setBrush(Qt.NoBrush)
            painter.drawRect(self._cell(frame, self.current))
        told = self.about(self.current) if self.current is not None else ABOUT
        below = QRectF(GAP, frame.top + k * frame.height + GAP, room.width() - 2 * GAP, 2 * metrics.height())
        painter.setPen(muted(self.palette(), 0.25))
        painter.drawText(below, Qt.AlignLeft | Qt.AlignTop | Qt.TextWordWrap, told)

    def _cell(self, frame: Frame, thing: int) -> QRectF:
        i, j = divmod(thing, len(self.pairs.titles))
        return QRectF(frame.left + j * frame.width, frame.top + i * frame.height, frame.width, frame.height)

    def _paint_cell(self, painter, frame, thing):
        pairs, cell = self.pairs, self._cell(frame, thing)
        i, j = divmod(thing, len(pairs.titles))
        inner = cell.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setFont(self.font())
        if i == j:
            painter.fillRect(inner, muted(self.palette(), 0.93))
            text, painter_pen = f"{pairs.means[i]:.3f}", muted(self.palette(), 0.4)
        else:
            d = pairs.differences[i, j]
            painter.fillRect(inner, self._color(d.first - d.second))
            text, painter_pen = _signed(d.mean), self.text_color
            if d.p_value < LEVEL:
                painter.setFont(self.strong_font())
        if cell.height() >= self.metrics.height() and cell.width() >= self.metrics.horizontalAdvance(text) + 2:
            painter.setPen(painter_pen)
            painter.drawText(cell, Qt.AlignCenter, text)
        painter.setFont(self.font())

    def _color(self, value: float) -> QColor:
        """value: from -1, the column is better, to 1, the row is."""
        return mix(self.ground, hue(BETTER if value > 0 else WORSE, self.palette()), STRONGEST * min(abs(value), 1.0))


def _signed(value: float) -> str:
    """With a true minus sign, and no negative zero."""
    text = f"{round(value, 4) + 0.0:+.3f}"
    return text.replace("-", "\u2212") if float(text) else "0.000"
