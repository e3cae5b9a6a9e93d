"""Legend of a chart: an entry for each curve, written in the place of the plot's title (pyqtgraph); made by `Chart`."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QFontMetrics

from .end_labels import BOLD_WIDTH

SOLID, DASHED, DOTTED, MIXED = Qt.SolidLine, Qt.DashLine, Qt.DotLine, Qt.DashDotLine
STYLES = SOLID, DASHED, DOTTED, MIXED, Qt.DashDotDotLine  # of curves: a second key beside colours
SWATCHES = {  # pieces of lines in letters
    SOLID: "\u2501\u2501",
    DASHED: "\u254d\u254d",
    DOTTED: "\u00b7\u00b7\u00b7\u00b7",
    MIXED: "\u2501\u00b7\u2501",
    Qt.DashDotDotLine: "\u2501\u00b7\u00b7",
}
DIAMOND, SQUARE = "\u25c6", "\u25a0"
DISK, RING = "\u25cf", "\u25cb"
GAP = "\u2002\u2002"  # between two entries
MAX_HEIGHT_SHARE = 0.3  # share of the height that the legend may take; chosen by eye
PADDING = 8  # pixels above and below the legend


class Entry(NamedTuple):
    """Entry of a curve, or of a kind of points."""

    text: str
    color: QColor  # of the swatch
    strong: bool = False  # True for the thick curve, whose text is bold
    style: Qt.PenStyle = SOLID  # of the curve
    symbol: str = ""  # swatch in the place of a piece of the curve

    @property
    def swatch(self) -> str:
        return self.symbol or SWATCHES[self.style]


def style(number: int) -> Qt.PenStyle:
    """Style of the curve with a number, from 0; the first one is solid."""
    return STYLES[number % len(STYLES)]


class Legend:
    """Takes the place of a plot's title, so that exported pictures have it, too."""

    def __init__(self, plot: pg.PlotItem):
        self._plot = plot
        self._color = QColor()
        self.entries: tuple[Entry, ...] = ()

    def show(self, entries: Sequence[Entry], color: QColor) -> None:
        """Set the entries and the colour of their text; `fit` places them."""
        self.entries, self._color = tuple(entries), color

    def fit(self, width: float, height: float) -> None:
        """Break the entries into lines.

        Parameters
        ----------
        width : float
            Pixels of the plot between its axes.
        height : float
            Pixels of the plot; entries beyond a share of it are left out.
        """
        label, layout = self._plot.titleLabel, self._plot.layout
        font = label.item.font()
        metrics = QFontMetrics(font)
        max_lines = max(int(MAX_HEIGHT_SHARE * height / metrics.height()), 1)
        lines = self._lines(metrics, width)
        if len(lines) > max_lines:
            lines = lines[:max_lines]
            lines[-1].append("\u2026")
        text = "<br>".join(GAP.join(line) for line in lines)
        self._plot.setTitle(text or None, color=self._color, size=f"{font.pointSizeF():g}pt", justify="left")
        if lines:  # pyqtgraph gives a title the room of one line, and asks for all of its width
            room = len(lines) * metrics.lineSpacing() + PADDING
            label.setMaximumHeight(room)
            label.setMinimumWidth(0)
            layout.setRowFixedHeight(0, room)

    def _lines(self, metrics: QFontMetrics, width: float) -> list[list[str]]:
        """Lines of entries as HTML, as many entries in each as its width has room for."""
        lines: list[list[str]] = []
        room = 0.0
        for entry in self.entries:
            swatch = entry.swatch
            text_room = int(width) - metrics.horizontalAdvance(swatch + " ")
            text = metrics.elidedText(entry.text, Qt.ElideMiddle, text_room)
            needed = BOLD_WIDTH * metrics.horizontalAdvance(f"{swatch} {text}{GAP}")
            if not lines or needed > room:
                lines.append([])
                room = width
            room -= needed
            name = f"<b>{escape(text)}</b>" if entry.strong else escape(text)
            lines[-1].append(f'<span style="color:{entry.color.name()}">{swatch}</span>&nbsp;{name}')
        return lines
