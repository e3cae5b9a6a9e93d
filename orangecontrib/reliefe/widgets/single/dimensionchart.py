"""Fit of the dimension to the distances, and its dependence on the number of rows."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSize
from AnyQt.QtGui import QPalette

from ..charts.points import Chart, ChartView, End, Entry, line_pen, style
from ..utils.colors import faint, hue, muted
from .dimensionjob import ESTIMATORS, TWO_NN, Estimates, fit_of

MAX_POINTS = 2000  # points of the fit that are drawn: more cannot be told apart
WHISKER, ASIDE = 0.01, 0.03  # half the width of an interval's ends, and where the second one stands: log10 of rows


class DimensionChart(ChartView):
    """Left: ln of the ratio of the two nearest distances against -ln(1 - F); the slope of the line is the dimension.

    Right: dimension against rows; where the curve still rises, more rows would give more.
    """

    def __init__(self, parent=None):
        self.fit = Chart("ln (second / first distance)", "−ln (1 − F)")
        self.curve = Chart("Rows", "Dimension", log=(True, False))
        super().__init__(self.fit, self.curve, name="Fit, and dimension by number of rows", parent=parent)
        self.setMinimumSize(QSize(440, 240))
        self._estimates, self._lead = Estimates(), TWO_NN

    def show_estimates(self, estimates: Estimates, lead: str) -> None:
        """Draw these; the curve of the leading method is the thick one."""
        self._estimates, self._lead = estimates, lead
        self.draw()

    def draw(self) -> None:
        self._draw_fit(self._estimates.last(TWO_NN))
        self._draw_curves()

    def _draw_fit(self, found):
        shown = found is not None and len(found.x) > 0
        self.fit.restart(shown)
        if not shown:
            return
        x, y, palette = np.asarray(found.x), np.asarray(found.y), self.palette()
        some = np.unique(np.linspace(0, len(x) - 1, min(len(x), MAX_POINTS)).round().astype(int))
        color = hue(list(ESTIMATORS).index(TWO_NN), palette)
        points = pg.ScatterPlotItem(x[some], y[some], size=5, pen=None, brush=faint(color, 130))
        self.fit.addItem(points)
        right, top = float(x.max()) or 1.0, float(y.max()) or 1.0
        end = min(right, top / found.estimate) if found.estimate > 0 else right
        self.fit.addItem(pg.PlotDataItem([0, end], [0, end * found.estimate], pen=line_pen(color, 2), antialias=True))
        note = pg.TextItem(f"slope {found.estimate:.3g}\nr² {fit_of(found):.3f}", anchor=(1, 1))
        note.setColor(palette.color(QPalette.Text))
        note.setPos(right, 0)
        self.fit.addItem(note, ignoreBounds=True)
        self.fit.setXRange(0, right, padding=0.03)
        self.fit.setYRange(0, top, padding=0.03)

    def _draw_curves(self):
        curves = {method: _finite(self._estimates.curve(method)) for method in ESTIMATORS}
        shown = any(curves.values())
        palette = self.palette()
        legend = [
            Entry(title, hue(number, palette), method == self._lead, style(number))
            for number, (method, title) in enumerate(ESTIMATORS.items())
            if curves[method]
        ]
        self.curve.restart(shown, legend, palette.color(QPalette.Text))
        if not shown:
            return
        highs = [0.0]
        for number, (method, curve) in enumerate(curves.items()):
            if curve:
                highs += self._draw_curve(method, curve, hue(number, palette), style(number))
        rows = sorted({n for curve in curves.values() for n, _ in curve})
        self.curve.getAxis("bottom").setTicks([[(np.log10(n), f"{n:,}") for n in rows]])
        self.curve.setXRange(np.log10(min(rows[0], rows[-1] / 2)), np.log10(rows[-1]), padding=0.08)
        self.curve.setYRange(0, 1.12 * max(highs) or 1.0, padding=0)
        ends = [
            End(title, hue(number, palette), curves[method][-1][1].estimate, method == self._lead)
            for number, (method, title) in enumerate(ESTIMATORS.items())
            if curves[method]
        ]
        self.curve.ends.show(ends, tuple(self.curve.vb.viewRange()[0]), palette, self.font())

    def _draw_curve(self, method, curve, color, dashes) -> list[float]:
        """Draw one, and tell how high it reaches."""
        lead = method == self._lead
        x, y = np.log10([n for n, _ in curve]), np.array([found.estimate for _, found in curve])
        look = {"symbol": "o", "symbolSize": 7 if lead else 5, "symbolBrush": color, "symbolPen": None}
        pen = line_pen(color, 2.2 if lead else 1.3, dashes)
        self.curve.addItem(pg.PlotDataItem(x, y, pen=pen, antialias=True, **look))
        last = curve[-1][1]
        if last.interval is not None:
            self._draw_interval(x[-1] + (0.0 if lead else ASIDE), last.interval, line_pen(color, 1.3))
        for place, value in zip(x, y, strict=True) if lead else ():
            text = pg.TextItem(f"{value:.3g}", anchor=(1.05 if place == x[-1] else 0.5, 1.1))
            text.setColor(muted(self.palette(), 0.25))
            text.setPos(place, value)
            self.curve.addItem(text, ignoreBounds=True)
        return [*y, *(last.interval or ())]

    def _draw_interval(self, place, interval, pen):
        self.curve.addItem(pg.PlotDataItem([place] * 2, interval, pen=pen))
        for end in interval:
            self.curve.addItem(pg.PlotDataItem([place - WHISKER, place + WHISKER], [end, end], pen=pen))


def _finite(curve):
    return [(n, found) for n, found in curve if np.isfinite(found.estimate)]
