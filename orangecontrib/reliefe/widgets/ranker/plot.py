"""Standard errors in the plot of scores: a whisker on each point, or a band where there are too many."""

import math
from collections.abc import Callable
from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QFontMetricsF, QPalette, QPen
from AnyQt.QtWidgets import QCheckBox, QToolButton
from Orange.widgets.visualize.utils.plotutils import AxisItem

from ...core.words import percent
from ..charts.points import LEFT, SOLID, STYLES, Callout, Chart, ChartView, End, Entry, line_pen
from ..utils.colors import faint, hue, muted
from ..utils.markup import plain
from .scores import NULL_LABEL as LABEL
from .scores import NULL_TOOLTIP as TOOLTIP
from .scores import Scores, number_text
from .selection import BEST, FROM

BAND = 60  # opacity of the band


def reach(scores: Scores) -> float:
    """Largest value that the whiskers reach."""
    return scores.limits[1] if scores.errors is None else float(np.nanmax(scores.values + scores.errors, initial=0))


def whiskers(scores: Scores, shown: np.ndarray, x: np.ndarray, points: bool, color: QColor) -> pg.GraphicsObject:
    """One standard error to both sides of the scores at the ranks `shown` (m,), counted from 0, at x (m,).

    points: whether each score has a point of its own.
    """
    features = scores.order[shown]
    y, error = scores.values[features], scores.errors[features]
    if points:
        pen = QPen(color, 1.2)
        pen.setCosmetic(True)
        return pg.ErrorBarItem(x=x, y=y, height=2 * error, pen=pen)
    edges = [pg.PlotDataItem(x, y + side * error, pen=None) for side in (-1, 1)]
    return pg.FillBetweenItem(*edges, brush=faint(color, BAND))


GAP = 6  # pixels between two ranks


class RankAxis(AxisItem):
    """Ticks at ranks; `log`: 1, 2, 5, 10, ... at the place of their logarithm (pyqtgraph's own writes 10^0.3)."""

    log = False
    last = np.inf  # place beyond which there are no ranks

    def tickValues(self, low, high, size):
        if low < self.last < high:
            size, high = size * (self.last - low) / (high - low), self.last
        if not self.log:
            found = [(step, ticks) for step, ticks in super().tickValues(low, high, size) if step >= 1]
            return found or [(1, list(range(math.ceil(low), math.floor(high) + 1)))]
        for digits in ((1, 2, 5), (1, 3), (1,)):
            ranks = [d * 10**e for e in range(7) for d in digits if low <= np.log10(d * 10**e) <= high]
            room = np.diff(np.log10(ranks)) * size / max(high - low, 1e-9)
            if all(apart >= self._width(a, b) for apart, a, b in zip(room, ranks, ranks[1:], strict=False)):
                break
        return [(1, np.log10(ranks).tolist())]

    def _width(self, a: int, b: int) -> float:
        """Pixels that the half of each of two ranks needs, and a gap."""
        metrics = QFontMetricsF(self.style["tickFont"] or self.font())
        return (metrics.horizontalAdvance(f"{a:,}") + metrics.horizontalAdvance(f"{b:,}")) / 2 + GAP

    def tickStrings(self, values, scale, spacing):
        return [f"{10**v:,.0f}" if self.log else f"{v:,.0f}" for v in values]


STOP = "boosting stops"
MAX_MARKED = 1000


def marks(lead: Scores, x_of: Callable, color: QColor, named: bool) -> list[pg.InfiniteLine]:
    """The null level, where boosting stops, and below which rank no feature stands out from shuffled targets, as far as
    the leading scores have them.

    x_of: place of a rank on the axis; named: there is room to say what the lines are.
    """
    out = []
    if lead.null is not None:
        place = 0.98, 0 if lead.null > 0.9 * lead.span[1] else 1  # below the line where there is no room above
        out.append(_line(lead.null, 0, Qt.DotLine, LABEL, place, color))
    if lead.stop:
        x = float(x_of(min(lead.stop, len(lead.values)) + 0.5))
        right = x > 0.7 * x_of(len(lead.values))
        out.append(_line(x, 90, Qt.DashDotLine, STOP, (int(right), 0), color))
    if lead.last_real:
        x = float(x_of(min(lead.last_real, len(lead.values)) + 0.5))
        right = x > 0.7 * x_of(len(lead.values))
        out.append(_line(x, 90, Qt.SolidLine, f"FDR {percent(lead.level)}", (int(right), 0), color, 0.86))
    for line in out:
        line.label.setVisible(named)
    return out


def real_points(real: np.ndarray, x_of: Callable, y: np.ndarray, color: QColor) -> pg.ScatterPlotItem:
    """Points for the features that stand out from shuffled targets: mask and scores (p,) by rank."""
    ranks = np.flatnonzero(real)
    if len(ranks) > MAX_MARKED:  # more than can be told apart
        ranks = ranks[np.unique(np.linspace(0, len(ranks) - 1, MAX_MARKED).astype(int))]
    points = pg.ScatterPlotItem(x_of(ranks + 1), y[ranks], size=6, pen=None, brush=color)
    points.setZValue(6)
    return points


def _line(value, angle: int, style: Qt.PenStyle, label: str, anchor: tuple[float, float], color: QColor, at=0.98):
    look = {"position": at, "anchors": [anchor] * 2, "color": color}
    line = pg.InfiniteLine(value, angle=angle, pen=QPen(color, 0, style), label=label, labelOpts=look)
    line.setZValue(4)
    return line


class Point(NamedTuple):
    """A feature on a curve: x, y in the units of the axes."""

    scores: Scores
    feature: int
    x: float
    y: float


class PlotMouse:
    """For a plot with `chart`, `columns`, `names`, `log`, `callout`, and a signal `clicked`."""

    def feature_at(self, position) -> Point | None:
        """The curve that is nearest to a position in the scene, at the rank there."""
        box = self.chart.vb
        if not self.columns or not box.sceneBoundingRect().contains(position):
            return None
        at = box.mapSceneToView(position)
        rank = int(np.clip(round(10 ** at.x() if self.log else at.x()), 1, len(self.names)))
        curves = [(scores, self._curve(scores)) for scores in self.columns]
        points = [
            Point(scores, int(scores.order[rank - 1]), float(self._x(rank)), float(y[rank - 1]))
            for scores, y in curves
            if rank <= len(y)
        ]
        return min(points, key=lambda point: abs(point.y - at.y()), default=None)

    def _hover(self, position):
        point = self.feature_at(position)
        if point is None:
            self.callout.hide()
            return
        scores, feature = point.scores, point.feature
        text = f"{self.names[feature]}  {scores.text(feature)}{scores.error_text(feature)}"
        color = hue(scores.number, self.palette())
        self.callout.show(
            self.chart.vb, point.x, point.y, f"{text}  (rank {scores.ranks[feature]:,})", color, self.palette()
        )

    def _click(self, event):
        point = self.feature_at(event.scenePos()) if event.button() == Qt.LeftButton else None
        if point:
            self.clicked.emit(point.feature)

    def leaveEvent(self, event):
        super().leaveEvent(event)
        self.callout.hide()


MAX_POINTS = 200  # features that are drawn as points, too
MAX_CURVE_POINTS = 2000  # points of a curve: more than there are pixels, and a tenth of the time of drawing 20,000
MIN_LOG_FEATURES = 100  # features from which on ranks are logarithmic, unless the user says otherwise
ROOMY = 380, 160  # pixels from which on there is room for the axis' and the null level's names
DEPTH = 0.3  # how far below zero the y axis reaches for other scores than the leading one, as a share of the best


class ScorePlot(PlotMouse, ChartView):
    """Every score over its own rank; the leading one gives the y axis, the others are stretched to the same best.

    The legend says by how much, since an exported picture has no tooltip.  No pan, no zoom: nothing to get lost in.
    """

    cut_moved = Signal(int)  # best n
    threshold_moved = Signal(float)
    clicked = Signal(int)  # feature
    log_changed = Signal(bool)
    null_clicked = Signal(bool)

    def __init__(self, log: bool | None = None, parent=None):
        self.rank_axis = RankAxis("bottom")
        self.chart = Chart("", "", axis=self.rank_axis)
        super().__init__(self.chart, name="Scores by rank", parent=parent)
        self.columns, self.leading, self.names = [], 0, []
        self._log, self._cut, self._null_offered = log, (None, 0), True
        self.setMinimumSize(QSize(200, 110))
        self.chart.getAxis("left").setTickDensity(1.5)
        self.rank_axis.setHeight(2 * self.fontMetrics().height() + 8)  # whether it has a name or not
        self._make_items()
        self.draw()

    def _make_items(self):
        self.n_line, self.t_line = (pg.InfiniteLine(angle=angle, movable=True) for angle in (90, 0))
        self.n_line.sigDragged.connect(lambda line: self.cut_moved.emit(self._rank(line.value())))
        self.t_line.sigDragged.connect(lambda line: self.threshold_moved.emit(float(line.value())))
        for line in (self.n_line, self.t_line):
            line.setZValue(10)
        self.fill = pg.PlotCurveItem(pen=None, fillLevel=0)
        self.callout = Callout()
        self.scene().sigMouseMoved.connect(self._hover)
        self.scene().sigMouseClicked.connect(self._click)
        self.log_button = QToolButton(
            self,
            text="log",
            checkable=True,
            toolTip="Logarithmic axis of ranks",
            accessibleName="Logarithmic ranks",
            autoRaise=True,
        )
        self.log_button.clicked.connect(self._set_log)
        self.null_box = QCheckBox("Null level", self, toolTip=TOOLTIP, accessibleName="Null level")
        self.null_box.clicked.connect(self.null_clicked)

    def set_data(self, columns: list[Scores], leading: int, names: list[str]) -> None:
        """Draw these scores; no axes without any."""
        self.columns, self.leading, self.names = list(columns), leading, names
        self.draw()

    def set_null_state(self, ticked: bool, text: str, possible: bool, failure: str = "", offered: bool = True) -> None:
        """Set what the box of the null level says; offered: whether it is there at all."""
        self._null_offered = offered
        self.null_box.setVisible(offered and bool(self.columns))
        self.null_box.setToolTip(plain(failure) or TOOLTIP)
        self.null_box.setChecked(ticked)
        self.null_box.setText(text)
        self.null_box.setEnabled(possible)
        self._place_buttons()

    def set_cut(self, mode: str | None, n: int, threshold: float) -> None:
        """mode: "best" or "from" draw a line at n or threshold, others none."""
        self._cut = mode, (n if mode == BEST else threshold)
        self._place_cut()

    @property
    def log(self) -> bool:
        """True if ranks are logarithmic: as the user wants, or for many features."""
        return len(self.names) > MIN_LOG_FEATURES if self._log is None else self._log

    def _set_log(self, on):
        self._log = on
        self.draw()
        self.log_changed.emit(on)

    # Drawing ---------------------------------------------------------------------------------------------------------

    def _x(self, ranks):
        return np.log10(ranks) if self.log else np.asarray(ranks, float)

    def _rank(self, x) -> int:
        return int(np.clip(round(10**x - 0.5 if self.log else x - 0.5), 1, max(len(self.names), 1)))

    def _shown(self, n) -> np.ndarray:
        """Ranks (from 0) that are drawn of the first n: all, or as many as can be told apart."""
        if n <= MAX_CURVE_POINTS:
            return np.arange(n)
        places = np.geomspace(1, n, MAX_CURVE_POINTS) if self.log else np.linspace(1, n, MAX_CURVE_POINTS)
        return np.unique(np.round(places).astype(int)) - 1

    def _curve(self, scores):
        """Scores in descending order, in the units of the leading method."""
        y = scores.values[scores.order]
        return y[np.isfinite(y)] * self._scale(scores)

    def _scale(self, scores):
        own, top = scores.limits[1], self.columns[self.leading].limits[1]
        return top / own if own > 0 and top > 0 else 1

    def _style(self, place):
        """The leading curve is solid, and the others are each in another way."""
        others = [other for other in range(len(self.columns)) if other != self.leading]
        return SOLID if place == self.leading else STYLES[1 + others.index(place) % (len(STYLES) - 1)]

    def _legend(self) -> list[Entry]:
        entries = []
        for place, scores in enumerate(self.columns if len(self.columns) > 1 else ()):
            scale = self._scale(scores)
            text = scores.title if abs(scale - 1) < 0.005 else f"{scores.title} × {scale:.3g}"
            entries.append(Entry(text, hue(scores.number, self.palette()), place == self.leading, self._style(place)))
        return entries

    def draw(self):
        shown = bool(self.columns)
        self.chart.restart(shown, self._legend(), self.palette().color(QPalette.Text))
        self.rank_axis.log = self.log
        self.log_button.setChecked(self.log)
        self.log_button.setVisible(shown)
        self.null_box.setVisible(shown and self._null_offered)
        if not shown:
            return
        lead = self.columns[self.leading]
        self.chart.setLabel("left", escape(lead.title))
        number, metrics = number_text(lead.span[1], max(lead.decimals - 1, 0)), self.fontMetrics()
        self.chart.getAxis("left").setWidth(max(LEFT, metrics.horizontalAdvance(number) + metrics.height() + 12))
        self._draw_curves(lead)
        self._draw_lines()
        self._draw_marks(lead)
        self._set_ranges(lead)
        self.callout.hide()
        self._place_cut()

    def _draw_curves(self, lead):
        palette = self.palette()
        self.fill.setBrush(faint(hue(lead.number, palette), 46))
        self.chart.addItem(self.fill)
        for place, scores in enumerate(self.columns):
            y = self._curve(scores)
            shown = self._shown(len(y))
            tested = scores is lead and scores.real is not None
            color = muted(palette, 0.45) if tested else hue(scores.number, palette)
            pen = line_pen(color, 2.2 if scores is lead else 1.3, self._style(place))
            points = {}
            if len(y) <= MAX_POINTS and scores is lead:
                points = {"symbol": "o", "symbolSize": 6, "symbolPen": None, "symbolBrush": pen.color()}
            curve = pg.PlotDataItem(self._x(shown + 1), y[shown], pen=pen, antialias=True, **points)
            curve.setZValue(5 if scores is lead else 3)
            self.chart.addItem(curve)
            if tested:
                real = scores.real[scores.order[: len(y)]]
                self.chart.addItem(real_points(real, self._x, y, hue(scores.number, palette)))
            if scores is lead and scores.errors is not None and len(y):
                self.chart.addItem(whiskers(scores, shown, self._x(shown + 1), bool(points), pen.color()))

    def _draw_lines(self):
        color = self.palette().color(QPalette.Highlight)
        for item in (self.n_line, self.t_line, self.callout.ring, self.callout.label):
            self.chart.addItem(item, ignoreBounds=True)
        for line in (self.n_line, self.t_line):
            line.setPen(QPen(color, 0, Qt.DashLine))
            line.setHoverPen(QPen(color, 0))

    def _draw_marks(self, lead):
        roomy = self.width() >= ROOMY[0] and self.height() >= ROOMY[1]
        for line in marks(lead, self._x, muted(self.palette(), 0.25), roomy):
            self.chart.addItem(line, ignoreBounds=True)

    def _set_ranges(self, lead):
        """The leading score gives the range: a deep tail of another one must not flatten it."""
        low, high = lead.span[0], max(lead.span[1], reach(lead))
        lowest = min(self._curve(s).min(initial=0) for s in self.columns)
        self.chart.setYRange(max(lowest, min(low, -DEPTH * high)), high if high > low else low + 1, padding=0.06)
        last = self._x(len(self.names))
        low, high = (0, last) if self.log else (0.5, last + 0.5)
        pad, palette = 0.015 * (high - low), self.palette()
        self.rank_axis.last = high + pad
        curves = [(scores, self._curve(scores)) for scores in self.columns]
        ends = [End(s.title, hue(s.number, palette), y[-1], s is lead) for s, y in curves if len(y)]
        self.chart.ends.show(ends, (low - pad, high + pad), palette, self.font())

    def _place_cut(self):
        mode, value = self._cut
        shown = bool(self.columns)
        self.n_line.setVisible(shown and mode == BEST)
        self.t_line.setVisible(shown and mode == FROM)
        if not shown:
            return
        y = self._curve(self.columns[self.leading])
        n = min(value, len(y)) if mode == BEST else int((y >= value).sum()) if mode == FROM else 0
        shown = self._shown(n)
        self.fill.setData(self._x(shown + 1), y[shown])
        if mode == BEST and n:
            self.n_line.setBounds((self._x(1), self._x(len(y) + 0.5)))
            self.n_line.setValue(self._x(n + 0.5))
        elif mode == FROM:
            self.t_line.setValue(value)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "log_button"):
            self._place_buttons()

    def _place_buttons(self):
        for button, right in ((self.log_button, False), (self.null_box, True)):
            button.resize(button.sizeHint())
            left = self.width() - button.width() - 10 if right else 4
            button.move(left, self.height() - button.height() - 4)
        self.chart.setLabel("bottom", "Rank" if self.width() >= ROOMY[0] else "")
        self.chart.getAxis("bottom").setVisible(bool(self.columns))  # a new label shows the axis, of nothing as well
