"""Density against epsilon, with the line that chooses epsilon."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette

from ..utils.chart import Chart, ChartView, line_pen
from ..utils.colors import faint, hue, muted
from .sparsejob import Curve

CURVE = 0  # number of the hue


class DensityChart(ChartView):
    """Share of the entries that is expected to remain at each epsilon; the dashed line may be dragged."""

    epsilon_moved = Signal(float)

    def __init__(self, parent=None):
        self.chart = Chart("Epsilon", "Density", log=(True, False))
        super().__init__(self.chart, name="Density by epsilon", parent=parent)
        self._curve, self._automatic, self._epsilon, self._after = Curve(np.zeros(0), np.zeros(0)), 0.0, 0.0, np.nan
        self.line = pg.InfiniteLine(angle=90, movable=True)
        self.line.setZValue(10)
        self.line.sigDragged.connect(lambda line: self.epsilon_moved.emit(self._nearest(line.value())))
        self.marker = pg.ScatterPlotItem(size=9)
        self.marker.setZValue(11)

    def show_curve(self, curve: Curve, automatic: float) -> None:
        """The density at each epsilon, and the paper's epsilon."""
        self._curve, self._automatic = curve, automatic
        self.draw()

    def show_choice(self, epsilon: float, after: float) -> None:
        """The epsilon that is chosen, and the density that came out (NaN: not yet known)."""
        self._epsilon, self._after = epsilon, after
        self._place()

    def draw(self) -> None:
        """Draw all anew."""
        curve, palette = self._curve, self.palette()
        shown = len(curve.epsilon) > 0
        self.chart.restart(shown)
        if not shown:
            return
        x, color = np.log10(curve.epsilon), hue(CURVE, palette)
        line = pg.PlotDataItem(x, curve.density, pen=line_pen(color, 2.2), antialias=True)
        line.setFillLevel(0)
        line.setFillBrush(faint(color, 36))
        self.chart.addItem(line)
        if self._automatic > 0:
            self._mark_automatic(palette)
        self.line.setPen(line_pen(palette.color(QPalette.Highlight), 1.4, Qt.DashLine))
        self.line.setHoverPen(line_pen(palette.color(QPalette.Highlight), 2))
        self.marker.setPen(pg.mkPen(color, width=2))
        self.marker.setBrush(palette.color(QPalette.Base))
        for item in (self.line, self.marker):
            self.chart.addItem(item, ignoreBounds=True)
        self.chart.setYRange(0, float(curve.density.max()), padding=0.04)
        self._place()

    def _mark_automatic(self, palette):
        place, color = np.log10(self._automatic), muted(palette, 0.4)
        self.chart.addItem(pg.InfiniteLine(place, angle=90, pen=line_pen(color, 1, Qt.DotLine)), ignoreBounds=True)
        low, high = self._range()
        text = pg.TextItem("automatic", color=color, anchor=(-0.05 if place < (low + high) / 2 else 1.05, 1))
        text.setPos(place, 0)
        self.chart.addItem(text, ignoreBounds=True)

    def _range(self) -> tuple[float, float]:
        """Range of log10 epsilon: the curve, and both marks wherever they are."""
        epsilons = np.array([*self._curve.epsilon[[0, -1]], self._automatic, self._epsilon])
        places = np.log10(epsilons[epsilons > 0])
        return places.min(), places.max()

    def _place(self):
        shown = len(self._curve.epsilon) > 0 and bool(self._epsilon > 0)
        if len(self._curve.epsilon):
            self.line.setBounds(self._range())
            self.chart.setXRange(*self._range(), padding=0.01)
        self.line.setVisible(shown)
        if shown:
            self.line.setValue(np.log10(self._epsilon))
        known = shown and np.isfinite(self._after)
        self.marker.setData([np.log10(self._epsilon)] if known else [], [self._after] if known else [])

    def _nearest(self, place) -> float:
        """The epsilon of the curve that is nearest to a place on the axis."""
        return float(self._curve.epsilon[np.argmin(np.abs(np.log10(self._curve.epsilon) - place))])
