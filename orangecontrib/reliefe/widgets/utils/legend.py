"""The legend of a chart: lines above it, where they cover nothing."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QFontMetrics

SOLID, DASHED, DOTTED, MIXED = Qt.SolidLine, Qt.DashLine, Qt.DotLine, Qt.DashDotLine
STYLES = SOLID, DASHED, DOTTED, MIXED, Qt.DashDotDotLine  # of curves: a second key beside colours
SWATCHES = dict(zip(STYLES, ("\u2501\u2501", "\u254d\u254d", "\u00b7\u00b7\u00b7\u00b7", "\u2501\u00b7\u2501",
                             "\u2501\u00b7\u00b7"), strict=True))  # fmt: skip
DIAMOND, SQUARE = "\u25c6", "\u25a0"
GAP = "\u2002\u2002"  # between two entries
MAX_HEIGHT_SHARE = 0.3  # share of the height that the legend may take


class Entry(NamedTuple):
    """Title of a curve; strong: it is the thick one; style: of its pen; symbol: instead of a line."""

    text: str
    color: QColor
    strong: bool = False
    style: Qt.PenStyle = SOLID
    symbol: str = ""

    @property
    def swatch(self) -> str:
        """Swatch before the name, which looks like the curve."""
        return self.symbol or SWATCHES[self.style]


def style(place: int) -> Qt.PenStyle:
    """Style of the curve at a place of a legend; the first one is solid."""
    return STYLES[place % len(STYLES)]


class Legend:
    """Takes the place of a plot's title, so that exported pictures have it, too."""

    def __init__(self, plot: pg.PlotItem):
        self._plot, self._color, self.entries = plot, QColor(), ()

    def show(self, entries: Sequence[Entry], color: QColor) -> None:
        """Set the entries and the colour of their text; `fit` places them."""
        self.entries, self._color = tuple(entries), color

    def fit(self, width: float, height: float) -> None:
        """Break lines for a plot whose axes are `width` wide; entries beyond a share of its `height` are left out."""
        label, layout = self._plot.titleLabel, self._plot.layout
        font = label.item.font()
        metrics = QFontMetrics(font)
        most = max(int(MAX_HEIGHT_SHARE * height / metrics.height()), 1)
        lines = self._lines(metrics, width)
        if len(lines) > most:
            lines = lines[:most]
            lines[-1].append("\u2026")
        text = "<br>".join(GAP.join(line) for line in lines)
        self._plot.setTitle(text or None, color=self._color, size=f"{font.pointSizeF():g}pt", justify="left")
        if lines:  # pyqtgraph gives a title the room of one line, and asks for all of its width
            room = len(lines) * metrics.lineSpacing() + 8
            label.setMaximumHeight(room)
            label.setMinimumWidth(0)
            layout.setRowFixedHeight(0, room)

    def _lines(self, metrics, width) -> list[list[str]]:
        lines, left = [], 0.0
        for entry in self.entries:
            swatch = entry.swatch
            text = metrics.elidedText(entry.text, Qt.ElideMiddle, int(width) - metrics.horizontalAdvance(swatch + " "))
            needed = 1.1 * metrics.horizontalAdvance(f"{swatch} {text}{GAP}")  # strong letters are wider
            if not lines or needed > left:
                lines.append([])
                left = width
            left -= needed
            name = f"<b>{escape(text)}</b>" if entry.strong else escape(text)
            lines[-1].append(f'<span style="color:{entry.color.name()}">{swatch}</span>&nbsp;{name}')
        return lines
