"""Names at the right ends of curves: what tells them apart without colours."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QFont, QFontMetricsF, QPalette

from .colors import mix

LEAST = 300  # pixels of a chart from which on names have room beside the curves
MOST = 0.28  # share of the width that they may take
GAP = 8  # pixels around a name


class End(NamedTuple):
    """Name of a curve and the height at which it ends; strong: it is the thick one."""

    text: str
    color: QColor
    y: float
    strong: bool = False


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, in their order, so far apart, between two bounds; equal ones keep their order."""
    order = np.argsort(wanted, kind="stable")
    places = np.clip(np.asarray(wanted, float)[order], low, high)
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + apart)
    for i in range(len(places) - 1, -1, -1):
        above = places[i + 1] - apart if i + 1 < len(places) else high
        places[i] = min(places[i], above)
    out = np.empty(len(places))
    out[order] = places
    return out.tolist()


class EndLabels:
    """Makes room at the right of a plot, and writes there; nothing for less than two curves, or in a narrow plot."""

    def __init__(self, plot: pg.PlotItem):
        self._plot, self._items, self._ends, self._range = plot, [], (), (0.0, 1.0)
        self._palette, self._font = QPalette(), QFont()
        plot.vb.sigResized.connect(self._place)

    def forget(self) -> None:
        """The plot was cleared."""
        self._items, self._ends = [], ()

    def show(self, ends: Sequence[End], x_range: tuple[float, float], palette: QPalette, font: QFont) -> None:
        """Name these ends; x_range: what the plot shows of the curves."""
        self._ends, self._range, self._palette, self._font = tuple(ends), x_range, palette, font
        self._place()

    @property
    def texts(self) -> list[str]:
        """Texts from top to bottom."""
        return [item.toPlainText() for item in sorted(self._items, key=lambda item: -item.pos().y())]

    def _place(self, *_):
        for item in self._items:
            self._plot.removeItem(item)
        self._items = []
        if not self._ends:
            return
        (low, high), box, metrics = self._range, self._plot.vb, QFontMetricsF(self._font)
        width, height = box.width(), box.height()
        named = self._named(int(height / metrics.height())) if width >= LEAST else []
        room = min(
            max((metrics.horizontalAdvance(end.text) for end in named), default=-2 * GAP) + 2 * GAP, MOST * width
        )
        self._plot.setXRange(low, low + (high - low) * width / max(width - room, 1), padding=0)
        if not named:
            return
        bottom, top = box.viewRange()[1]
        line = metrics.height() * (top - bottom) / height
        places = spread([end.y for end in named], line, bottom + line / 2, top - line / 2)
        for end, y in zip(named, places, strict=True):
            text = metrics.elidedText(end.text, Qt.ElideMiddle, room - GAP)
            item = pg.TextItem(text, mix(end.color, self._palette.color(QPalette.Text), 0.25), anchor=(0, 0.5))
            font = QFont(self._font)
            font.setBold(end.strong)
            item.setFont(font)
            item.setPos(high, y)
            self._plot.addItem(item, ignoreBounds=True)
            self._items.append(item)

    def _named(self, most: int) -> list[End]:
        """As many as have room, the strong one first; none if there is but one curve."""
        if len(self._ends) < 2:
            return []
        first = sorted(range(len(self._ends)), key=lambda i: not self._ends[i].strong)[:most]
        return [self._ends[i] for i in sorted(first)]
