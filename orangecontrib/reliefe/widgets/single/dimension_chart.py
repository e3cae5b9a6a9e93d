"""Chart of Intrinsic Dimension: the fit of one estimator, and the estimates from more and more rows (pyqtgraph)."""

from typing import NamedTuple

import numpy as np
from AnyQt.QtGui import QColor

from ...orange.dimension import ESTIMATORS, TWO_NN, Estimates, fit_of
from ...orange.plane import evenly_spaced
from ..charts.chart import Chart, line_pen
from ..charts.curve_view import ALONG, Curve, CurveView
from ..charts.legend import Entry, style
from ..utils.colors import faint, muted

MAX_POINTS = 2000  # points of the fit that are drawn: more look the same
WHISKER = 0.01  # half the width of an interval's ends, as a share of the axis
ASIDE = 0.03  # distance of the second interval from the end of its curve, as a share of the axis
POINT_OPACITY = 130  # of 255
HEADROOM = 1.12  # times as high as the highest estimate is the axis, for the numbers above the points
THICK, THIN = 2.2, 1.3  # pixels of the leading curve and of the other one


class EstimateCurve(NamedTuple):
    """Estimates of one estimator, from few rows to many."""

    method: str
    rows: np.ndarray  # (m,) int
    dimensions: np.ndarray  # (m,)
    interval: tuple[float, float] | None  # of the last estimate
    color: QColor
    number: int  # of the estimator, from 0


class DimensionChart(CurveView):
    """Left: ln of the ratio of the two nearest distances against -ln(1 - F); the slope of the line is the dimension.

    Right: dimension against rows; where the curve still rises, more rows would give more.
    """

    def __init__(self, parent=None):
        super().__init__("Fit, and dimension by number of rows", ALONG, parent, (440, 240))
        self._estimates = Estimates()
        self._lead = TWO_NN  # the estimator whose curve is thick
        self._drawn: list[EstimateCurve] = []

    def make_charts(self):
        fit = Chart("ln (second / first distance)", "−ln (1 − F)")
        curve = Chart("Rows", "Dimension", log=(True, False))
        return fit, curve

    @property
    def fit(self) -> Chart:
        """The chart at the left."""
        return self.charts[0]

    @property
    def curve(self) -> Chart:
        """The chart at the right."""
        return self.charts[1]

    @property
    def pointed(self):
        return self.curve

    def show_estimates(self, estimates: Estimates, lead: str) -> None:
        """Draw estimates; the curve of the leading estimator is the thick one."""
        self._estimates = estimates
        self._lead = lead
        self.draw()

    def draw(self) -> None:
        if not self._estimates.found:
            self.clear()
            return
        self._draw_fit(self._estimates.last(TWO_NN))
        self._draw_curves()

    # Fit -------------------------------------------------------------------------------------------------------------

    def _draw_fit(self, dimension):
        """Draw the points and the line of an estimate by two nearest neighbours; None: there is none."""
        shown = dimension is not None and bool(np.isfinite(dimension.estimate))
        self.fit.restart(shown)
        if not shown:
            if dimension is not None:
                self.fit.setRange(xRange=(0, 1), yRange=(0, 1))
                self.fit.write(f"No estimate by {ESTIMATORS[TWO_NN].lower()}", 0.5, 0.5, muted(self.palette(), 0.35))
            return
        x, y = np.asarray(dimension.x), np.asarray(dimension.y)
        drawn = evenly_spaced(len(x), MAX_POINTS)
        color = self.hue(list(ESTIMATORS).index(TWO_NN))
        self.fit.dots(x[drawn], y[drawn], faint(color, POINT_OPACITY), 5)
        # The line through the origin, as far as the points go.
        right, top = float(x.max()) or 1.0, float(y.max()) or 1.0
        slope = dimension.estimate
        end = min(right, top / slope) if slope > 0 else right
        self.fit.line([0, end], [0, end * slope], line_pen(color, 2))
        self.fit.write(f"slope {slope:.3g}\nr² {fit_of(dimension):.3f}", right, 0, self.text_color, (1, 1))
        self.fit.setXRange(0, right, padding=0.03)
        self.fit.setYRange(0, top, padding=0.03)

    # Curves ----------------------------------------------------------------------------------------------------------

    def _curve_of(self, number: int, method: str) -> EstimateCurve:
        points = [(rows, result) for rows, result in self._estimates.curve(method) if np.isfinite(result.estimate)]
        rows = np.array([rows for rows, _ in points], int)
        dimensions = np.array([result.estimate for _, result in points])
        interval = points[-1][1].interval if points else None
        return EstimateCurve(method, rows, dimensions, interval, self.hue(number), number)

    def _draw_curves(self):
        curves = [self._curve_of(number, method) for number, method in enumerate(ESTIMATORS)]
        self._drawn = [curve for curve in curves if len(curve.rows)]
        legend = [
            Entry(ESTIMATORS[curve.method], curve.color, curve.method == self._lead, style(curve.number))
            for curve in self._drawn
        ]
        self.curve.restart(bool(legend), legend, self.text_color)
        if not legend:
            self.set_curves(())
            return
        rows = np.unique(np.concatenate([curve.rows for curve in self._drawn])).tolist()
        low, high = np.log10(min(rows[0], rows[-1] / 2)), np.log10(rows[-1])
        for curve in self._drawn:
            self._draw_curve(curve, high - low)
        highest = max(max(*curve.dimensions, *(curve.interval or (0.0,))) for curve in self._drawn)
        self.curve.getAxis("bottom").setTicks([[(np.log10(n), f"{n:,}") for n in rows]])
        self.curve.setXRange(low, high, padding=0.08)
        self.curve.setYRange(0, HEADROOM * max(highest, 0.0) or 1.0, padding=0)
        self.set_curves([Curve(np.log10(curve.rows), curve.dimensions, curve.color) for curve in self._drawn])

    def _draw_curve(self, curve: EstimateCurve, width: float):
        """Draw a curve on an axis of some width, with the interval of its last estimate."""
        leads = curve.method == self._lead
        color = curve.color
        x, y = np.log10(curve.rows), curve.dimensions
        look = {"symbol": "o", "symbolSize": 7 if leads else 5, "symbolBrush": color, "symbolPen": None}
        self.curve.line(x, y, line_pen(color, THICK if leads else THIN, style(curve.number)), **look)
        if curve.interval is not None:
            middle = x[-1] + (0.0 if leads else ASIDE * width)
            pen = line_pen(color, THIN)
            self.curve.line([middle] * 2, curve.interval, pen)
            for end in curve.interval:
                self.curve.line([middle - WHISKER * width, middle + WHISKER * width], [end, end], pen)
        if leads:
            for log_rows, value in zip(x, y, strict=True):
                anchor = 1.05 if log_rows == x[-1] else 0.5, 1.1
                self.curve.write(f"{value:.3g}", log_rows, value, muted(self.palette(), 0.25), anchor)

    # Screen readers --------------------------------------------------------------------------------------------------

    def overview(self):
        """Describe the last estimates."""
        texts = []
        for curve in self._drawn:
            text = f"{ESTIMATORS[curve.method]}: {curve.dimensions[-1]:.3g} from {curve.rows[-1]:,} rows"
            if curve.interval is not None:
                low, high = curve.interval
                text += f" ({low:.3g} to {high:.3g})"
            texts.append(text)
        return ". ".join([*texts, self.note])

    def about(self, spot):
        curve = self._drawn[spot.line]
        return f"{ESTIMATORS[curve.method]}: {curve.dimensions[spot.point]:.3g} from {curve.rows[spot.point]:,} rows"
