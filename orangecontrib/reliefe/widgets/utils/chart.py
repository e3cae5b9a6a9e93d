"""Base of small charts: axes that can be read, colours of the palette, one picture to save."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtGui import QColor, QPen
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView

from .endlabels import EndLabels
from .legend import Entry, Legend

OVERLAP = 16  # pixels by which the label of a tick may stand out of its axis
LEFT = 58  # pixels of the vertical axis
DECADES = 3  # from here on a logarithmic axis has ticks at powers of ten only


def line_pen(color: QColor, width: float, style: Qt.PenStyle = Qt.SolidLine) -> QPen:
    """A pen whose width is in pixels whatever the scale."""
    pen = QPen(color, width, style)
    pen.setCosmetic(True)
    return pen


class PlainAxis(AxisItem):
    """Ticks at numbers as they are; `log`: at 1, 2, 5, 10, ... in the place of their logarithms."""

    def __init__(self, orientation: str, log: bool = False):
        super().__init__(orientation)
        self.log = log
        self.enableAutoSIPrefix(False)  # else 0.1 is written 100 (x0.001)
        self.setStyle(hideOverlappingLabels=OVERLAP)

    def tickValues(self, low, high, size):
        if not self.log:
            return super().tickValues(low, high, size)
        digits = (1, 2, 5) if high - low < DECADES else (1,)
        powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
        places = [np.log10(digit) + power for power in powers for digit in digits]
        return [(1, [place for place in places if low <= place <= high])]

    def tickStrings(self, values, scale, spacing):
        if not self.log:
            return super().tickStrings(values, scale, spacing)
        return [f"{10**value:,.0f}" if value > 2.9 else f"{10**value:.3g}" for value in values]


class Chart(pg.PlotItem):
    """Axes with labels and no pan, zoom or menu: nothing to get lost in."""

    def __init__(self, bottom: str, left: str, log: tuple[bool, bool] = (False, False)):
        """bottom, left: labels of the axes; log: which of the two are logarithmic."""
        axes = {"bottom": PlainAxis("bottom", log[0]), "left": PlainAxis("left", log[1])}
        super().__init__(axisItems=axes, enableMenu=False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setLabel("bottom", bottom)
        self.setLabel("left", left)
        self.getAxis("left").setWidth(LEFT)
        self.getAxis("left").setTickDensity(0.7)
        self.above, self.ends = Legend(self), EndLabels(self)
        self.show_axes(False)

    def show_axes(self, shown: bool) -> None:
        """An empty chart has none: they would count from 0 to 1."""
        for axis in ("left", "bottom"):
            self.getAxis(axis).setVisible(shown)

    def restart(self, shown: bool, legend: Sequence[Entry] = (), color: QColor | None = None) -> None:
        """Begin a new drawing, with axes or without; a legend, if any, is written above, in this colour."""
        self.clear()
        self.ends.forget()
        self.show_axes(shown)
        self.above.show(legend if shown else (), color or QColor())
        self._fit_legend()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "above"):
            self._fit_legend()

    def _fit_legend(self):
        self.above.fit(self.size().width() - LEFT, self.size().height())


class ChartView(GraphicsView):
    """Charts side by side, or one above the other where that is the wider way; draws again when the palette changes.

    A subclass gives `draw()`.
    """

    def __init__(self, *charts: Chart, name: str, parent=None):
        super().__init__(parent)
        self.charts, self._stacked = charts, None
        self.layout_item = pg.GraphicsLayout()
        self.layout_item.setContentsMargins(4, 8, 10, 4)
        self.setCentralItem(self.layout_item)
        self.setMinimumSize(QSize(220, 160))
        self.setAccessibleName(name)
        self._arrange()

    def draw(self) -> None:
        """Draw what there is in the colours of the palette."""
        raise NotImplementedError

    def sizeHint(self):
        return QSize(600, 400)

    def _arrange(self):
        stacked = self.width() < 1.2 * self.height()
        if stacked == self._stacked:
            return
        first, self._stacked = self._stacked is None, stacked
        for chart in self.charts if not first else ():
            self.layout_item.removeItem(chart)
        for i, chart in enumerate(self.charts):
            self.layout_item.addItem(chart, i if stacked else 0, 0 if stacked else i)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "layout_item"):
            self._arrange()

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == event.Type.PaletteChange and hasattr(self, "layout_item"):
            self.draw()
