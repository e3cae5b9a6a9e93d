"""A chart of the values of one feature: boxes, stacked bars, points, or a histogram."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter, QToolButton, QVBoxLayout, QWidget
from Orange.data import Table

from ..charts.points import LEFT, SQUARE, Chart, ChartView, Entry, line_pen
from ..utils.colors import faint, hue, ink, muted
from ..utils.controls import ElidedLabel
from ..utils.markup import plain
from .featurevalues import Bars, Boxes, FeatureValues, Histogram, Points, ValuesOfTable
from .view import RankingView

THICK = 0.62  # share of a row that a box or a bar takes
REACH = 1.5  # of the whiskers, in interquartile ranges
NAMES = 0.38  # share of the width that names of groups may take
PAD = 8  # pixels around a text
BINS, LEAST = 10, 50  # of a line of medians: groups of equal size, and points from which on it is drawn
OPAQUE, DENSE = 150, 60  # opacity of a point among few, and among many
MANY = 1_000  # points


class ValuesChart(ChartView):
    """Draws what `ValuesOfTable` found; the description for screen readers says the same in words."""

    def __init__(self, parent=None):
        self.chart, self.shown = Chart("", ""), None
        super().__init__(self.chart, name="Values of the feature", parent=parent)
        self.setMinimumSize(QSize(150, 110))

    def show_values(self, shown: FeatureValues | None) -> None:
        self.shown = shown
        drawing = shown and shown.drawing
        self.setAccessibleDescription(f"{shown.title}. {drawing.told()}. {shown.caption}" if drawing else "")
        self.draw()

    def draw(self) -> None:
        chart, drawing = self.chart, self.shown and self.shown.drawing
        stacked = isinstance(drawing, Bars) and len(drawing.parts) > 1
        legend = (
            [Entry(part, self._hue(place), symbol=SQUARE) for place, part in enumerate(drawing.parts)]
            if stacked
            else ()
        )
        chart.restart(drawing is not None, legend, self.palette().text().color())
        chart.getViewBox().invertY(isinstance(drawing, Boxes | Bars))
        chart.getAxis("left").setTicks(None)
        chart.getAxis("left").setWidth(LEFT)
        for kind, draw in ((Boxes, self._boxes), (Bars, self._bars), (Points, self._points), (Histogram, self._bins)):
            if isinstance(drawing, kind):
                draw(drawing)

    def _hue(self, place):
        return hue(place, self.palette())

    def _name_rows(self, names) -> float:
        """Write the names of groups at the left; returns the width that is left, in pixels."""
        axis, metrics, width = self.chart.getAxis("left"), self.fontMetrics(), self.chart.size().width()
        room = int(NAMES * width)
        texts = [metrics.elidedText(name, Qt.ElideMiddle, room) for name in names]
        axis.setTicks([list(enumerate(texts))])
        taken = max(map(metrics.horizontalAdvance, texts), default=0) + 2 * PAD
        axis.setWidth(taken)
        self.chart.setYRange(-0.5, len(names) - 0.5, padding=0.02)
        return max(width - taken, 1.0)

    def _boxes(self, boxes):
        groups = [(name, values) for name, values in boxes.groups if len(values)]
        places = {name: place for place, (name, _) in enumerate(boxes.groups)}
        self._name_rows([f"{name} ({len(values):,})" for name, values in groups])
        self._label_axes(boxes.axis, "")
        for row, (name, values) in enumerate(groups):
            self._box(row, values, self._hue(places[name] if boxes.colored else 0))
        self._set_x(np.concatenate([values for _, values in groups]))

    def _box(self, row, values, color):
        low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
        near = values[(values >= low - REACH * (high - low)) & (values <= high + REACH * (high - low))]
        ends = near.min(initial=low), near.max(initial=high)
        x = np.array([ends[0], low, high, ends[1]])
        self.chart.addItem(pg.PlotDataItem(x, np.full(4, row), connect="pairs", pen=line_pen(color, 1.5)))
        box = pg.BarGraphItem(x0=[low], x1=[high], y0=[row - THICK / 2], y1=[row + THICK / 2],
                              brush=faint(color, 90), pen=line_pen(color, 1.5))  # fmt: skip
        self.chart.addItem(box)
        across = np.array([row - THICK / 2, row + THICK / 2])
        self.chart.addItem(pg.PlotDataItem([middle] * 2, across, pen=line_pen(self.palette().text().color(), 2.5)))
        far = values[(values < ends[0]) | (values > ends[1])]
        look = {"size": 4, "pen": None, "brush": faint(color, OPAQUE)}
        self.chart.addItem(pg.ScatterPlotItem(far, np.full(len(far), row), **look))

    def _bars(self, bars):
        sizes = bars.counts.sum(axis=1)
        left, pixels = (
            np.zeros(len(sizes)),
            self._name_rows([f"{n} ({s:,})" for n, s in zip(bars.names, sizes, strict=True)]),
        )
        whole = sizes if len(bars.parts) > 1 else np.full(len(sizes), sizes.sum())
        rows = np.arange(len(sizes))
        self._label_axes("Share of the rows", "")
        for place, part in enumerate(bars.parts):
            share = 100 * bars.counts[:, place] / whole
            color = self._hue(place)
            bar = pg.BarGraphItem(x0=left, x1=left + share, y0=rows - THICK / 2, y1=rows + THICK / 2,
                                  brush=color, pen=line_pen(self.palette().base().color(), 1))  # fmt: skip
            self.chart.addItem(bar)
            for row, (start, width) in enumerate(zip(left, share, strict=True)):
                self._write(row, start + width / 2, f"{width:.0f} %", part, width * pixels / 100 - PAD, color)
            left = left + share
        top = 100 if len(bars.parts) > 1 else left.max()
        self.chart.setXRange(0, top, padding=0.01)

    def _write(self, row, x, share, part, room, color):
        """A class and its share within its part of a bar: as much as there is room for."""
        wide = self.fontMetrics().horizontalAdvance
        text = next((text for text in (f"{part}: {share}", share) if wide(text) < room), "")
        if text:
            item = pg.TextItem(text, color=ink(color), anchor=(0.5, 0.5))
            item.setPos(x, row)
            self.chart.addItem(item, ignoreBounds=True)

    def _points(self, points):
        color = self._hue(0)
        look = {"size": 5, "pen": None, "brush": faint(color, OPAQUE if len(points.x) < MANY else DENSE)}
        self.chart.addItem(pg.ScatterPlotItem(points.x, points.y, **look))
        if len(points.x) >= LEAST:
            order = np.argsort(points.x, kind="stable")
            parts = [order[part] for part in np.array_split(np.arange(len(order)), BINS)]
            medians = np.array([[np.median(points.x[part]), np.median(points.y[part])] for part in parts])
            pen = line_pen(muted(self.palette(), 0.15), 2)
            self.chart.addItem(pg.PlotDataItem(medians[:, 0], medians[:, 1], pen=pen, antialias=True))
        self._label_axes(*points.names)
        self._set_x(points.x)
        self._set_range(self.chart.setYRange, points.y)

    def _bins(self, histogram):
        edges, counts = histogram.edges, histogram.counts
        look = {"brush": self._hue(0), "pen": line_pen(self.palette().base().color(), 1)}
        self.chart.addItem(pg.BarGraphItem(x0=edges[:-1], x1=edges[1:], y0=0 * counts, y1=counts, **look))
        self._label_axes(histogram.axis, "Rows")
        self.chart.setXRange(edges[0], edges[-1], padding=0.02)
        self.chart.setYRange(0, max(counts.max(), 1), padding=0.03)

    def _label_axes(self, bottom, left):
        room = max(int(self.chart.size().width()) - LEFT, 40)
        self.chart.setLabel("bottom", escape(self.fontMetrics().elidedText(bottom, Qt.ElideMiddle, room)))
        left = self.fontMetrics().elidedText(left, Qt.ElideMiddle, int(self.height() * 0.7))
        self.chart.setLabel("left", escape(left))
        self.chart.getAxis("left").showLabel(bool(left))

    def _set_x(self, values):
        self._set_range(self.chart.setXRange, values)

    @staticmethod
    def _set_range(set_range, values):
        low, high = float(values.min()), float(values.max())
        set_range(*(low, high) if low < high else (low - 0.5, low + 0.5), padding=0.04)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if self.shown is not None:
            self.draw()


BESIDE = 620  # pixels from which on there is room for the panel beside the table; else it is below
SHARES = 3, 2  # of table and panel
OPEN = "Values"
TIP = "Values of the current feature by class or target, or press Enter on it"


class ValuesPanel(QWidget):
    """Follows the current row of a table of features; closed, or in a window that is closed, it computes nothing.

    Without a current row it shows the best feature.
    """

    opened = Signal(bool)  # by the user; False: closed

    def __init__(self, table: RankingView, parent=None):
        super().__init__(parent)
        self._view, self._data, self._values, self._wanted, self._drawn = table, None, None, None, None
        self.open, self.chart = False, ValuesChart()
        self.title, self.caption = ElidedLabel(), ElidedLabel()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        for label in (self.title, self.caption):
            label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.closer = QToolButton(text="×", autoRaise=True, toolTip="Close", accessibleName="Close the values")
        self.closer.clicked.connect(self._close)
        self.box = QToolButton(text=OPEN, checkable=True, toolTip=TIP, accessibleName="Values of the current feature")
        self.box.clicked.connect(self._set_by_user)
        self._arrange()
        self.hide()
        table.activated.connect(self._activated)
        table.selectionModel().currentChanged.connect(self._current_changed)
        for signal in (table.model().modelReset, table.model().layoutChanged):
            signal.connect(self._follow)

    def _arrange(self):
        top, layout = QHBoxLayout(), QVBoxLayout(self)
        top.addWidget(self.title, 1)
        top.addWidget(self.closer)
        layout.setContentsMargins(4, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(self.chart, 1)
        layout.addWidget(self.caption)

    def set_data(self, table: Table | None) -> None:
        """Features of this table are shown from now on; the same feature as before, if there is one."""
        self._data, self._values, self._drawn = table, None, None

    def set_open(self, wanted: bool) -> None:
        self.open = wanted
        self.box.setChecked(wanted)
        self.setVisible(wanted)
        self._follow()

    def _set_by_user(self, wanted):
        if wanted != self.open:
            self.set_open(wanted)
            self.opened.emit(wanted)

    def _close(self):
        self._view.setFocus()
        self._set_by_user(False)

    def _activated(self, index):
        self._current_changed(index)
        self._set_by_user(True)

    def _current_changed(self, index, _=None):
        model = self._view.model()
        if 0 <= index.row() < len(model.rows):
            self._wanted = model.names[model.rows[index.row()]]
            self._follow()

    def _feature(self):
        model = self._view.model()
        if self._wanted in model.names:
            return model.names.index(self._wanted)
        if not model.names:
            return None
        return int(model.columns[model.leading].order[0]) if model.columns else 0

    def _follow(self, *_):
        if not self.isVisible():
            return
        feature = self._feature() if self._data is not None else None
        if feature == self._drawn and feature is not None:
            return
        self._drawn, shown = feature, None
        if feature is not None:
            self._values = self._values or ValuesOfTable(self._data)
            shown = self._values.of(feature)
        for label, text in ((self.title, shown.title if shown else ""), (self.caption, shown.caption if shown else "")):
            label.setText(text)
            label.setToolTip(plain(text))
        self.chart.show_values(shown)

    def showEvent(self, event):
        super().showEvent(event)
        self._follow()


class TableAndValues(QSplitter):
    """Table and panel: side by side, or one above the other where it is narrow."""

    def __init__(self, table: QWidget, panel: ValuesPanel):
        super().__init__(Qt.Horizontal, childrenCollapsible=False)
        for part, share in zip((table, panel), SHARES, strict=True):
            self.addWidget(part)
            self.setStretchFactor(self.indexOf(part), share)
        self.setSizes([100 * share for share in SHARES])

    def resizeEvent(self, event):
        wanted = Qt.Horizontal if self.width() >= BESIDE else Qt.Vertical
        if wanted != self.orientation():
            self.setOrientation(wanted)
            self.setSizes([100 * share for share in SHARES])
        super().resizeEvent(event)
