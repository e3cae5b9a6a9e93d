"""Charts that are looked at with mouse and keys, and read by screen readers."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, QSize, Qt
from AnyQt.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPalette, QPen
from AnyQt.QtWidgets import QToolTip
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView

from ..utils.colors import faint, mix, muted
from ..utils.markup import plain

LEAST = 300  # pixels of a chart from which on names have room beside the curves
MOST = 0.28  # share of the width that they may take
GAP = 8  # pixels around a name
STRONGER = 1.1  # times as wide are strong letters


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


def spread_out(n: int, most: int) -> np.ndarray:
    """At most so many of n places, evenly."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))


class EndLabels:
    """Makes room at the right of a plot, and writes there; nothing for less than two curves, or in a narrow plot."""

    def __init__(self, plot: pg.PlotItem):
        self._plot = plot
        self._items = []
        self._ends = ()
        self._range = (0.0, 1.0)
        self._palette, self._font = QPalette(), QFont()
        plot.vb.sigResized.connect(self._place)

    def forget(self) -> None:
        self._items, self._ends = [], ()

    def show(self, ends: Sequence[End], x_range: tuple[float, float], palette: QPalette, font: QFont) -> None:
        """Name these ends; x_range: what the plot shows of the curves."""
        self._ends = tuple(ends)
        self._range = x_range
        self._palette = palette
        self._font = font
        self._place()

    @property
    def texts(self) -> list[str]:
        return [item.toPlainText() for item in sorted(self._items, key=lambda item: -item.pos().y())]

    def _place(self, *_):
        for item in self._items:
            self._plot.removeItem(item)
        self._items = []
        if not self._ends:
            return
        (low, high) = self._range
        box = self._plot.vb
        metrics = QFontMetricsF(self._font)
        width, height = box.width(), box.height()
        named = self._named(int(height / metrics.height())) if width >= LEAST else []
        room = min(
            max((STRONGER * metrics.horizontalAdvance(end.text) for end in named), default=-2 * GAP) + 2 * GAP,
            MOST * width,
        )
        self._plot.setXRange(low, low + (high - low) * width / max(width - room, 1), padding=0)
        if not named:
            return
        bottom, top = box.viewRange()[1]
        line = metrics.height() / height * (top - bottom)  # which may be near the largest number
        places = spread([end.y for end in named], line, bottom + line / 2, top - line / 2)
        for end, y in zip(named, places, strict=True):
            text = metrics.elidedText(end.text, Qt.ElideMiddle, (room - GAP) / (STRONGER if end.strong else 1))
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


SOLID, DASHED, DOTTED, MIXED = Qt.SolidLine, Qt.DashLine, Qt.DotLine, Qt.DashDotLine
STYLES = SOLID, DASHED, DOTTED, MIXED, Qt.DashDotDotLine  # of curves: a second key beside colours
SWATCHES = dict(zip(STYLES, ("\u2501\u2501", "\u254d\u254d", "\u00b7\u00b7\u00b7\u00b7", "\u2501\u00b7\u2501",
                             "\u2501\u00b7\u00b7"), strict=True))  # fmt: skip
DIAMOND, SQUARE = "\u25c6", "\u25a0"
LEGEND_GAP = "\u2002\u2002"  # between two entries
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
        return self.symbol or SWATCHES[self.style]


def style(place: int) -> Qt.PenStyle:
    """Style of the curve at a place of a legend; the first one is solid."""
    return STYLES[place % len(STYLES)]


class Legend:
    """Takes the place of a plot's title, so that exported pictures have it, too."""

    def __init__(self, plot: pg.PlotItem):
        self._plot = plot
        self._color = QColor()
        self.entries = ()

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
        text = "<br>".join(LEGEND_GAP.join(line) for line in lines)
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
            needed = STRONGER * metrics.horizontalAdvance(f"{swatch} {text}{LEGEND_GAP}")
            if not lines or needed > left:
                lines.append([])
                left = width
            left -= needed
            name = f"<b>{escape(text)}</b>" if entry.strong else escape(text)
            lines[-1].append(f'<span style="color:{entry.color.name()}">{swatch}</span>&nbsp;{name}')
        return lines


OVERLAP = 16  # pixels by which the label of a tick may stand out of its axis
LEFT = 58  # pixels of the vertical axis
DECADES = 3  # from here on a logarithmic axis has ticks at powers of ten only


def line_pen(color: QColor, width: float, style: Qt.PenStyle = SOLID) -> QPen:
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
    """Axes with labels and no pan, zoom or menu: nothing to get lost in.

    `line`, `dots`, `bars`, `band`, `level` and `write` draw arrays; what has a larger z lies in front.
    """

    def __init__(self, bottom: str, left: str, log: tuple[bool, bool] = (False, False), axis: AxisItem | None = None):
        """bottom, left: labels of the axes; log: which of the two are logarithmic; axis: of another kind, below."""
        axes = {"bottom": axis or PlainAxis("bottom", log[0]), "left": PlainAxis("left", log[1])}
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

    # What is drawn ---------------------------------------------------------------------------------------------------

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
        """Points, by default without an outline."""
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
        if font is not None:
            item.setFont(font)
        item.setPos(x, y)
        self.put(item)

    def level(
        self, value: float, pen: QPen, text: str = "", angle: int = 0, at: float = 0.98, anchor: tuple = (0, 0)
    ) -> pg.InfiniteLine:
        """A line across the chart, named at a share of its length."""
        label = {"label": text, "labelOpts": {"position": at, "anchors": [anchor] * 2, "color": pen.color()}}
        line = pg.InfiniteLine(value, angle=angle, pen=pen, **(label if text else {}))
        self.put(line, z=4)
        return line

    def _added(self, item, z):
        item.setZValue(z)
        self.addItem(item)
        return item

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "above"):
            self._fit_legend()

    def _fit_legend(self):
        self.above.fit(self.size().width() - LEFT, self.size().height())


class Picture(GraphicsView):
    """Base of charts and drawings, whose colours follow the palette.

    One thing may be `current`: a tooltip says what it is, and no thing is once the mouse has left.  A subclass gives
    `draw`; and, if there are things to point at, `thing_at` a place of the scene, `about` a thing, and `mark`, which
    shows what is current.
    """

    current: object = None
    note = ""  # what the picture is, for those who do not see it
    _stale = False  # whether it is still to be drawn

    def __init__(self, name: str, parent=None, least: tuple[int, int] = (220, 160), margins=(0, 0, 0, 0)):
        """least: width and height in pixels; margins: at the left, top, right and bottom."""
        super().__init__(parent)
        self.layout_item = pg.GraphicsLayout()
        self.layout_item.setContentsMargins(*margins)
        self.setCentralItem(self.layout_item)
        self.setMinimumSize(QSize(*least))
        self.setAccessibleName(name)
        self.setAccessibleDescription(self.note)

    def thing_at(self, place: QPointF) -> object:
        return None

    def about(self, thing: object) -> str:
        return ""

    def mark(self) -> None:
        pass

    def set_current(self, thing: object) -> None:
        if thing != self.current:
            self.current = thing
            self.describe()
            self.mark()

    def draw_if_seen(self) -> None:
        """Draw now, or when somebody looks."""
        self._stale = not self.isVisible()
        if not self._stale:
            self.draw()

    def showEvent(self, event):
        super().showEvent(event)
        if self._stale:
            self.draw_if_seen()

    def describe(self) -> None:
        """Describe the current thing, or the picture, for screen readers."""
        self.setAccessibleDescription(self.note if self.current is None else self.about(self.current))

    def tip(self) -> str:
        return "" if self.current is None else plain(self.about(self.current))

    @property
    def text_color(self) -> QColor:
        return self.palette().color(QPalette.Text)

    @property
    def ground(self) -> QColor:
        return self.palette().color(QPalette.Base)

    @property
    def marked(self) -> QColor:
        """Colour of what is selected."""
        return self.palette().color(QPalette.Highlight)

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        self.set_current(self.thing_at(self.mapToScene(event.pos())))

    def viewportEvent(self, event):
        if event.type() == QEvent.ToolTip and (text := self.tip()):
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def leaveEvent(self, event):
        super().leaveEvent(event)
        if not self.hasFocus():
            self.set_current(None)

    def wheelEvent(self, event):
        event.ignore()  # nothing is zoomed

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange) and hasattr(self, "layout_item"):
            self.draw()


class ChartView(Picture):
    """Charts side by side, or one above the other where that is the wider way."""

    def __init__(self, *charts: Chart, name: str, parent=None, least: tuple[int, int] = (220, 160)):
        super().__init__(name, parent, least, (4, 8, 10, 4))
        self.charts, self._stacked = charts, None
        self._arrange()

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
        if hasattr(self, "charts"):
            self._arrange()


class Callout:
    """A ring around a point, and a text beside it that stays inside the chart."""

    def __init__(self, size: int = 9):
        self.items = self.ring, self.label = pg.ScatterPlotItem(size=size), pg.TextItem(anchor=(0, 1))
        for number, item in enumerate(self.items):
            item.setZValue(30 + number)

    def hide(self) -> None:
        self.ring.setData([], [])
        self.label.setVisible(False)

    def show(self, box: pg.ViewBox, x: float, y: float, text: str, color: QColor, palette: QPalette) -> None:
        """Show a text beside a point of a plot; color: of the ring."""
        ground = palette.color(QPalette.Base)
        pen = pg.mkPen(color, width=2)  # a plain QPen is scaled with the symbol: a ragged blot
        self.ring.setData([x], [y], brush=ground, pen=pen)
        self.label.setColor(palette.color(QPalette.Text))
        self.label.fill, self.label.border = pg.mkBrush(faint(ground, 225)), pg.mkPen(muted(palette, 0.7))
        self.label.setText(text)
        (x0, x1), (y0, y1) = box.viewRange()
        self.label.setAnchor(((x - x0) / (x1 - x0), int(y < (y0 + 2 * y1) / 3)))
        self.label.setPos(x, y)
        self.label.setVisible(True)
