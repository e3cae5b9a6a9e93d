"""Names of curves at their right ends, beside the plot (pyqtgraph); made by `Chart` for all charts of curves."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QFont, QFontMetricsF, QPalette

from ..utils.colors import mix

MIN_WIDTH = 300  # pixels of a chart from which on names have room beside the curves; chosen by eye
MAX_SHARE = 0.28  # share of the width that names take at most; chosen by eye
GAP = 8  # pixels around a name
BOLD_WIDTH = 1.1  # width of bold letters, relative to plain ones
TINT = 0.25  # share of the text's colour in that of a name, for contrast


class End(NamedTuple):
    """Right end of a curve."""

    text: str  # name of the curve
    color: QColor
    y: float  # height of the end, in units of the y axis
    strong: bool = False  # True for the thick curve, whose name is bold


def spread(best_heights: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Heights of labels that do not overlap.

    Parameters
    ----------
    best_heights : sequence of float
        Heights where the labels would be best.
    apart : float
        Least distance of two labels.
    low, high : float
        Bounds of all heights.

    Returns
    -------
    list of float
        Heights near the best ones and in their order; equal ones keep their order.
    """
    order = np.argsort(best_heights, kind="stable")
    heights = np.clip(np.asarray(best_heights, float)[order], low, high)
    # Upwards, each label leaves the one below; downwards, those at the top are pushed back between the bounds.
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + apart)
    for i in range(len(heights) - 1, -1, -1):
        bound = heights[i + 1] - apart if i + 1 < len(heights) else high
        heights[i] = min(heights[i], bound)
    in_given_order = np.empty(len(heights))
    in_given_order[order] = heights
    return in_given_order.tolist()


class EndLabels:
    """Makes room at the right of a plot and writes there; nothing for less than two curves, or in a narrow plot."""

    def __init__(self, plot: pg.PlotItem):
        self._plot = plot
        self._items: list[pg.TextItem] = []
        self._ends: tuple[End, ...] = ()
        self._range = (0.0, 1.0)
        self._palette, self._font = QPalette(), QFont()
        plot.vb.sigResized.connect(self._write_names)

    def forget(self) -> None:
        """Name no curves; the caller has cleared the plot."""
        self._items, self._ends = [], ()

    def show(self, ends: Sequence[End], x_range: tuple[float, float], palette: QPalette, font: QFont) -> None:
        """Name these ends.

        Parameters
        ----------
        ends : sequence of End
        x_range : (float, float)
            Range of the curves on the x axis, which is extended by the room for the names.
        palette : QPalette
            Of the view.
        font : QFont
            Of the names.
        """
        self._ends = tuple(ends)
        self._range = x_range
        self._palette = palette
        self._font = font
        self._write_names()

    @property
    def texts(self) -> list[str]:
        """Names as they are written, from top to bottom."""
        return [item.toPlainText() for item in sorted(self._items, key=lambda item: -item.pos().y())]

    def _write_names(self, *_):
        for item in self._items:
            self._plot.removeItem(item)
        self._items = []
        if not self._ends:
            return
        low, high = self._range
        box = self._plot.vb
        metrics = QFontMetricsF(self._font)
        width, height = box.width(), box.height()
        named_ends = self._ends_with_room(int(height / metrics.height())) if width >= MIN_WIDTH else []
        widest = max((BOLD_WIDTH * metrics.horizontalAdvance(end.text) for end in named_ends), default=-2 * GAP)
        room = min(widest + 2 * GAP, MAX_SHARE * width)
        self._plot.setXRange(low, low + (high - low) * width / max(width - room, 1), padding=0)
        if not named_ends:
            return
        bottom, top = box.viewRange()[1]
        line = metrics.height() / height * (top - bottom)  # which may be near the largest number
        heights = spread([end.y for end in named_ends], line, bottom + line / 2, top - line / 2)
        for end, y in zip(named_ends, heights, strict=True):
            self._write(end, high, y, room - GAP)

    def _write(self, end: End, x: float, y: float, room: float):
        """Write the name of a curve at a place of the plot; room: its pixels."""
        font = QFont(self._font)
        font.setBold(end.strong)
        letters = room / BOLD_WIDTH if end.strong else room
        text = QFontMetricsF(self._font).elidedText(end.text, Qt.ElideMiddle, letters)
        item = pg.TextItem(text, mix(end.color, self._palette.color(QPalette.Text), TINT), anchor=(0, 0.5))
        item.setFont(font)
        item.setPos(x, y)
        self._plot.addItem(item, ignoreBounds=True)
        self._items.append(item)

    def _ends_with_room(self, max_ends: int) -> list[End]:
        """As many ends as have room, the strong one first; none if there is but one curve."""
        if len(self._ends) < 2:
            return []
        strong_first = sorted(range(len(self._ends)), key=lambda i: not self._ends[i].strong)
        return [self._ends[i] for i in sorted(strong_first[:max_ends])]
