"""A chart of the values of two features by the target: cells with shares of classes, or points."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QSize, Qt
from AnyQt.QtGui import QColor
from AnyQt.QtWidgets import QToolTip

from ...core.words import counted
from ..utils.chart import LEFT, Chart, ChartView, line_pen
from ..utils.colors import faint, hue, mix
from ..utils.legend import SQUARE, Entry
from ..utils.markup import plain
from .pairvalues import Grid, PairValues, Points

CELL = 0.94  # side of the largest cell, in steps
OPAQUE, DENSE, MANY = 200, 110, 600  # opacity of a point among few and among many; points that are many
NAMES = 0.3  # share of the width that names of values may take
PAD = 8
LOW, HIGH = 1, 0  # hues of the smallest and the largest value of a number
SYMBOLS = "o", "t1", "s", "d", "+", "star"  # of classes: a second key beside colours
STEPS = 21  # colours of numbers


class PairChart(ChartView):
    """Draws what `PairsOfTable` found; the description for screen readers says the same in words."""

    def __init__(self, parent=None):
        self.chart, self.shown = Chart("", ""), None
        super().__init__(self.chart, name="Values of both features", parent=parent)
        self.setMinimumSize(QSize(150, 120))
        self.setMouseTracking(True)

    def show_values(self, shown: PairValues | None) -> None:
        """Show these instead of those before; None: nothing."""
        self.shown = shown
        self.setAccessibleDescription(shown.told if shown else "")
        self.draw()

    def draw(self) -> None:
        """Draw all anew."""
        drawing = self.shown and self.shown.drawing
        self.chart.restart(drawing is not None, self._legend(drawing), self.palette().text().color())
        for side in ("left", "bottom"):
            self.chart.getAxis(side).setTicks(None)
        self.chart.getAxis("left").setWidth(LEFT)
        if drawing is None:
            return
        self._label_axes(drawing.axes)
        (self._grid if isinstance(drawing, Grid) else self._points)(drawing)

    def _legend(self, drawing) -> list[Entry]:
        if drawing is None:
            return []
        if drawing.parts:
            return [Entry(part, hue(place, self.palette()), symbol=SQUARE) for place, part in enumerate(drawing.parts)]
        low, high = self._range(drawing)
        return [Entry(f"{value:.4g}", self._color(share), symbol=SQUARE) for value, share in ((low, 0), (high, 1))]

    # Colours of numbers ----------------------------------------------------------------------------------------------

    @staticmethod
    def _range(drawing) -> tuple[float, float]:
        """Numbers with the colours of both ends: far values must not make all others alike."""
        values = drawing.values if isinstance(drawing, Points) else drawing.means[drawing.sizes > 0]
        low, high = np.quantile(values, (0.02, 0.98)) if isinstance(drawing, Points) else (values.min(), values.max())
        return float(low), float(high)

    def _color(self, share: float) -> QColor:
        """Colour of a number: 0 is the smallest, 1 the largest."""
        ground, palette = self.palette().base().color(), self.palette()
        end = hue(HIGH if share >= 0.5 else LOW, palette)
        return mix(mix(ground, palette.text().color(), 0.25), end, min(2 * abs(share - 0.5), 1.0))

    def _shares(self, drawing, values) -> np.ndarray:
        low, high = self._range(drawing)
        return np.clip((values - low) / (high - low), 0, 1) if low < high else np.full(np.shape(values), 0.5)

    # Drawing ---------------------------------------------------------------------------------------------------------

    def _grid(self, grid):
        (gx, gy), side = grid.sizes.shape, CELL * np.sqrt(grid.sizes / max(grid.sizes.max(), 1))
        x, y = np.meshgrid(np.arange(gx), np.arange(gy), indexing="ij")
        there, pen = grid.sizes > 0, line_pen(self.palette().base().color(), 1)
        left = (x - side / 2)[there]
        if grid.means is not None:
            brushes = [self._color(share) for share in self._shares(grid, grid.means[there])]
            self._cells(left, left + side[there], y[there], side[there], brushes, pen)
        for place in range(len(grid.parts)):
            width = (side * grid.shares[..., place])[there]
            some = width > 0
            brush = [hue(place, self.palette())] * int(some.sum())
            self._cells(left[some], (left + width)[some], y[there][some], side[there][some], brush, pen)
            left = left + width
        self._fit()

    def _cells(self, x0, x1, y, high, brushes, pen):
        if len(x0):
            self.chart.addItem(
                pg.BarGraphItem(x0=x0, x1=x1, y0=y - high / 2, y1=y + high / 2, brushes=brushes, pen=pen)
            )

    def _points(self, points):
        opacity = OPAQUE if len(points.x) < MANY else DENSE
        if points.codes is None:
            steps = (self._shares(points, points.values) * (STEPS - 1)).round().astype(int)
            order = np.argsort(np.abs(steps - STEPS // 2), kind="stable")  # those that tell most on top
            colors = [pg.mkBrush(faint(self._color(step / (STEPS - 1)), opacity)) for step in range(STEPS)]
            look = {"brush": [colors[step] for step in steps[order]], "size": 7, "pen": None}
            self.chart.addItem(pg.ScatterPlotItem(points.x[order], points.y[order], **look))
        for place in range(len(points.parts)):
            own = points.codes == place
            look = {"brush": faint(hue(place, self.palette()), opacity), "size": 7, "pen": None}
            symbol = SYMBOLS[place % len(SYMBOLS)]
            self.chart.addItem(pg.ScatterPlotItem(points.x[own], points.y[own], symbol=symbol, **look))
        self._fit()

    def _fit(self):
        """Ranges and names of values."""
        drawing, metrics = self.shown.drawing, self.fontMetrics()
        across, up = drawing.axes
        ends = (None, None) if isinstance(drawing, Grid) else (drawing.x, drawing.y)
        for axis, values, set_range in zip(
            drawing.axes, ends, (self.chart.setXRange, self.chart.setYRange), strict=True
        ):
            if axis.names:
                set_range(-0.55, len(axis.names) - 0.45, padding=0)
            else:
                low, high = float(values.min()), float(values.max())
                set_range(*(low, high) if low < high else (low - 0.5, low + 0.5), padding=0.04)
        taken = LEFT
        if up.names:
            room = int(NAMES * self.chart.size().width())
            names = [metrics.elidedText(name, Qt.ElideMiddle, room) for name in up.names]
            self.chart.getAxis("left").setTicks([list(enumerate(names))])
            taken = max(map(metrics.horizontalAdvance, names)) + 2 * PAD + metrics.height()
            self.chart.getAxis("left").setWidth(taken)
        if across.names:
            room = int((self.chart.size().width() - taken) / len(across.names)) - PAD
            names = [metrics.elidedText(name, Qt.ElideMiddle, max(room, PAD)) for name in across.names]
            self.chart.getAxis("bottom").setTicks([list(enumerate(names))])

    def _label_axes(self, axes):
        room = max(int(self.chart.size().width()) - LEFT, 40)
        elided = self.fontMetrics().elidedText
        self.chart.setLabel("bottom", escape(elided(axes[0].title, Qt.ElideMiddle, room)))
        self.chart.setLabel("left", escape(elided(axes[1].title, Qt.ElideMiddle, int(self.height() * 0.7))))

    # Looking closer --------------------------------------------------------------------------------------------------

    def about(self, place: QPointF) -> str:
        """Text about the cell at a place of the axes; empty where there is none."""
        drawing = self.shown and self.shown.drawing
        if not isinstance(drawing, Grid):
            return ""
        i, j = round(place.x()), round(place.y())
        inside = 0 <= i < drawing.sizes.shape[0] and 0 <= j < drawing.sizes.shape[1]
        if not inside or not drawing.sizes[i, j]:
            return ""
        first, second = drawing.axes
        where = f"{first.title} = {first.names[i]}, {second.title} = {second.names[j]}"
        if drawing.means is not None:
            what = f"mean {drawing.means[i, j]:.4g}"
        else:
            shares = zip(drawing.parts, drawing.shares[i, j], strict=True)
            what = ", ".join(f"{part} {100 * share:.0f} %" for part, share in shares if share)
        return f"{where}: {counted(int(drawing.sizes[i, j]), 'row')}, {what}"

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        box = self.chart.getViewBox()
        inside = box.sceneBoundingRect().contains(self.mapToScene(event.pos()))
        text = self.about(box.mapSceneToView(self.mapToScene(event.pos()))) if inside else ""
        QToolTip.showText(event.globalPos(), plain(text), self)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if self.shown is not None:
            self.draw()
