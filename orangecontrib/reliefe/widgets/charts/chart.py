"""A plot with axes, a legend above and names of curves beside it (pyqtgraph), which `ChartView` shows."""

from collections.abc import Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtGui import QColor, QFont, QPen
from Orange.widgets.visualize.utils.plotutils import AxisItem

from .axes import LEFT, PlainAxis
from .end_labels import EndLabels
from .legend import SOLID, Entry, Legend

LEVEL_Z = 4  # lines across a chart lie in front of bands, and behind strong curves
LEFT_TICKS = 0.7  # density of ticks of the vertical axis, 1 is pyqtgraph's


def line_pen(color: QColor, width: float, style: object = SOLID) -> QPen:
    """A pen whose width is in pixels whatever the scale."""
    pen = QPen(color, width, style)
    pen.setCosmetic(True)
    return pen


class Chart(pg.PlotItem):
    """Axes with labels and no pan, zoom or menu: nothing to get lost in.

    `line`, `dots`, `bars`, `band`, `level` and `write` draw arrays; items with a larger z lie in front.

    Parameters
    ----------
    bottom, left : str
        Titles of the axes.
    log : (bool, bool)
        True for an axis that is logarithmic: bottom, left.
    axis : AxisItem, optional
        Another kind of axis below.
    """

    def __init__(self, bottom: str, left: str, log: tuple[bool, bool] = (False, False), axis: AxisItem | None = None):
        axes = {"bottom": axis or PlainAxis("bottom", log[0]), "left": PlainAxis("left", log[1])}
        self._titles: dict[str, str] = {}  # of the axes, as the chart's owner set them
        self._typed_titles: dict[str, str] = {}  # of the axes, as the user typed them
        self._label_font: QFont | None = None  # of texts in the chart; None: that of the application
        self._enlarged = 1.0  # size of the largest font of the axes, relative to that of the application
        super().__init__(axisItems=axes, enableMenu=False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setLabel("bottom", bottom)
        self.setLabel("left", left)
        self.set_left_width(LEFT)
        self.getAxis("left").setTickDensity(LEFT_TICKS)
        self.above, self.ends = Legend(self), EndLabels(self)
        self.show_axes(False)

    # Visual settings -------------------------------------------------------------------------------------------------

    def set_fonts(self, title: QFont, ticks: QFont, legend: QFont, label: QFont) -> None:
        """Set the fonts of the titles of the axes, of their ticks, of the legend, and of texts in the chart."""
        self._label_font = label
        for axis_name in ("bottom", "left"):
            axis = self.getAxis(axis_name)
            axis.setTickFont(ticks)
            axis.label.setFont(title)
            axis.resizeEvent(None)
        self._enlarged = max(title.pointSizeF(), ticks.pointSizeF()) / max(QFont().pointSizeF(), 1)
        self.set_left_width(LEFT)
        self.titleLabel.item.setFont(legend)
        self._fit_legend()

    def set_axis_titles(self, bottom: str, left: str) -> None:
        """Set titles that the user typed; an empty one gives way to the chart's own."""
        self._typed_titles = {"bottom": bottom, "left": left}
        for axis in self._typed_titles:
            shown = self.getAxis(axis).isVisible()
            self.setLabel(axis, self._titles.get(axis, ""))
            self.getAxis(axis).setVisible(shown)  # a new title shows the axis

    def setLabel(self, axis, text=None, units=None, unitPrefix=None, **args):
        self._titles[axis] = text
        typed = self._typed_titles.get(axis)
        super().setLabel(axis, escape(typed) if typed else text, units, unitPrefix, **args)

    def set_left_width(self, pixels: float) -> None:
        """Set the width of the vertical axis, which is larger with larger fonts."""
        self.getAxis("left").setWidth(pixels * max(self._enlarged, 1))

    # Drawing ---------------------------------------------------------------------------------------------------------

    def show_axes(self, shown: bool) -> None:
        """An empty chart has none: they would count from 0 to 1."""
        for axis in ("left", "bottom"):
            self.getAxis(axis).setVisible(shown)

    def restart(self, shown: bool, legend: Sequence[Entry] = (), color: QColor | None = None) -> None:
        """Begin a new drawing.

        Parameters
        ----------
        shown : bool
            False: the chart is empty, without axes.
        legend : sequence of Entry
            Written above, if there are any.
        color : QColor, optional
            Colour of the text of the legend.
        """
        self.clear()
        self.ends.forget()
        self.show_axes(shown)
        self.above.show(legend if shown else (), color or QColor())
        self._fit_legend()

    # Marks -----------------------------------------------------------------------------------------------------------

    def put(self, *items: pg.GraphicsObject, z: float | None = None) -> None:
        """Add items for which the axes make no room."""
        for item in items:
            if z is not None:
                item.setZValue(z)
            self.addItem(item, ignoreBounds=True)

    def line(self, x: object, y: object, pen: QPen, z: float = 0, **look: object) -> pg.PlotDataItem:
        """A curve through points; look: of its symbols, or how they are connected."""
        return self._added(pg.PlotDataItem(x, y, pen=pen, antialias=True, **look), z)

    def dots(self, x: object, y: object, brush: object, size: float = 6, z: float = 0, **look: object) -> None:
        """Points, by default without an outline; size: their diameter in pixels."""
        self._added(pg.ScatterPlotItem(x, y, **{"size": size, "brush": brush, "pen": None} | look), z)

    def bars(self, x: tuple[object, object], y: tuple[object, object], pen: QPen, **look: object) -> None:
        """Rectangles between two ends in x and two in y; look: `brush`, or `brushes` of each."""
        if len(x[0]):
            self._added(pg.BarGraphItem(x0=x[0], x1=x[1], y0=y[0], y1=y[1], pen=pen, **look), 0)

    def band(self, x: object, low: object, high: object, color: QColor, z: float = 0) -> None:
        """An area between two curves."""
        edges = [pg.PlotCurveItem(np.asarray(x), np.asarray(y)) for y in (low, high)]  # PlotDataItem needs a pen
        self._added(pg.FillBetweenItem(*edges, brush=color), z)

    def write(
        self, text: str, x: float, y: float, color: QColor, anchor: tuple = (0.5, 0.5), font: QFont | None = None
    ) -> None:
        """A text at a place; anchor: the share of its width and height that is there."""
        item = pg.TextItem(text, color, anchor=anchor)
        if font or self._label_font:
            item.setFont(font or self._label_font)
        item.setPos(x, y)
        self.put(item)

    def level(
        self, value: float, pen: QPen, text: str = "", angle: int = 0, at: float = 0.98, anchor: tuple = (0, 0)
    ) -> pg.InfiniteLine:
        """A line across the chart, named at a share of its length."""
        label = {"label": text, "labelOpts": {"position": at, "anchors": [anchor] * 2, "color": pen.color()}}
        line = pg.InfiniteLine(value, angle=angle, pen=pen, **(label if text else {}))
        self.put(line, z=LEVEL_Z)
        return line

    def _added(self, item, z):
        item.setZValue(z)
        self.addItem(item)
        return item

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "above"):  # Qt resizes it while pyqtgraph makes it
            self._fit_legend()

    def _fit_legend(self):
        self.above.fit(self.size().width() - LEFT, self.size().height())
