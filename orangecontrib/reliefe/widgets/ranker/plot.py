"""Every score over its own rank, with what may be selected."""

import math
from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QFontMetricsF
from AnyQt.QtWidgets import QCheckBox, QToolButton
from Orange.widgets.visualize.utils.plotutils import AxisItem

from ...core.words import percent
from ...orange.plane import evenly_spaced
from ...orange.ranker.scores import NULL_LABEL as LABEL
from ...orange.ranker.scores import NULL_TOOLTIP as TOOLTIP
from ...orange.ranker.scores import MethodScores, number_text
from ...orange.ranker.selection import BEST, FROM
from ..charts.axes import LEFT
from ..charts.chart import Chart, line_pen
from ..charts.curve_view import ALONG, Curve, CurveView, Spot
from ..charts.end_labels import End
from ..charts.legend import DASHED, DOTTED, MIXED, SOLID, STYLES, Entry
from ..utils.colors import faint, muted
from ..utils.markup import plain

GAP = 6  # pixels between two ranks


class RankAxis(AxisItem):
    """Ticks at ranks; `log`: 1, 2, 5, 10, ... at the place of their logarithm (pyqtgraph's own writes 10^0.3)."""

    log = False
    last = np.inf  # place beyond which there are no ranks

    def changeEvent(self, event):
        if "label" in vars(self):  # Qt may change the palette of an axis that is not made yet, or taken apart already
            super().changeEvent(event)

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


class Mark(NamedTuple):
    """A line across the plot: at a value of the y axis, or at a place of the x axis if it is upright."""

    value: float
    text: str
    angle: int = 90
    style: Qt.PenStyle = SOLID
    anchor: tuple[float, float] = (0, 0)
    at: float = 0.98


def marks(lead: MethodScores, x_of: object) -> list[Mark]:
    """The null level, where boosting stops, and the last rank that stands out from permuted targets, as far as the
    leading scores have them.

    x_of: place of a rank on the axis.
    """
    out, last = [], len(lead.values)
    if lead.null is not None:
        below = lead.null > 0.9 * lead.span[1]  # where there is no room above
        out.append(Mark(lead.null, LABEL, 0, DOTTED, (0.98, 0 if below else 1)))
    for rank, text, style, at in (
        (lead.stop, STOP, MIXED, 0.98), (lead.last_real, f"FDR {percent(lead.level)}", SOLID, 0.86)
    ):  # fmt: skip
        if rank:
            x = float(x_of(min(rank, last) + 0.5))
            out.append(Mark(x, text, 90, style, (int(x > 0.7 * x_of(last)), 0), at))
    return out


KEYS = f"{ALONG}. Space selects the feature"
SPOKEN = 3  # best features that are described for screen readers
MAX_POINTS = 200  # features that are drawn as points, too
MAX_CURVE_POINTS = 2000  # points of a curve: more than there are pixels, and a tenth of the time of drawing 20,000
MIN_LOG_FEATURES = 100  # features from which on ranks are logarithmic, unless the user says otherwise
BAND = 60  # opacity of the band of standard errors, where there are too many points for whiskers
ROOMY = 380, 160  # pixels from which on there is room for the axis' and the null level's names
DEPTH = 0.3  # how far below zero the y axis reaches for other scores than the leading one, as a share of the best


class ScorePlot(CurveView):
    """Every score over its own rank; the leading one gives the y axis, the others are stretched to the same best.

    The legend says by how much, since an exported picture has no tooltip.  No pan, no zoom: nothing to get lost in.
    """

    cut_moved = Signal(int)  # best n
    threshold_moved = Signal(float)
    clicked = Signal(int)  # feature
    log_changed = Signal(bool)
    null_clicked = Signal(bool)

    def __init__(self, log: bool | None = None, parent=None):
        super().__init__("Scores by rank", KEYS, parent, (200, 110))
        self.columns = []
        self.leading = 0
        self.names = []
        self._log = log
        self._cut = (None, 0)
        self._null_offered = True
        self._marks = []
        self._make_buttons()
        self.draw()

    def make_charts(self):
        self.n_line, self.t_line = (pg.InfiniteLine(angle=angle, movable=True) for angle in (90, 0))
        self.n_line.sigDragged.connect(lambda line: self.cut_moved.emit(self._rank(line.value())))
        self.t_line.sigDragged.connect(lambda line: self.threshold_moved.emit(float(line.value())))
        self.fill = pg.PlotCurveItem(pen=None, fillLevel=0)
        self.rank_axis = RankAxis("bottom")
        self.rank_axis.setHeight(2 * self.fontMetrics().height() + 8)  # whether it has a name or not
        chart = Chart("", "", axis=self.rank_axis)
        chart.getAxis("left").setTickDensity(1.5)
        return (chart,)

    def _make_buttons(self):
        self.log_button = QToolButton(self, text="log", checkable=True)
        self.log_button.setToolTip("Logarithmic axis of ranks")
        self.log_button.setAccessibleName("Logarithmic ranks")
        self.log_button.clicked.connect(self._set_log)
        self.null_box = QCheckBox("Null level", self, toolTip=TOOLTIP, accessibleName="Null level")
        self.null_box.clicked.connect(self.null_clicked)

    def set_data(self, columns: list[MethodScores], leading: int, names: list[str]) -> None:
        """Draw these scores; no axes without any."""
        self.columns = list(columns)
        self.leading = leading
        self.names = names
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
        """Ranks (from 0) that are drawn of the first n: all, or as many as pixels can show."""
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
            entries.append(Entry(text, self.hue(scores.number), place == self.leading, self._style(place)))
        return entries

    def draw(self):
        shown = bool(self.columns)
        self._marks = []
        self.log_button.setChecked(self.log)
        self.log_button.setVisible(shown)
        self.null_box.setVisible(shown and self._null_offered)
        if not shown:
            self.clear()
            return
        self.chart.restart(True, self._legend(), self.text_color)
        self._title_ranks()
        self.rank_axis.log = self.log
        lead = self.columns[self.leading]
        self.chart.setLabel("left", escape(lead.title))
        number, metrics = number_text(lead.span[1], max(lead.decimals - 1, 0)), self.fontMetrics()
        self.chart.set_left_width(max(LEFT, metrics.horizontalAdvance(number) + metrics.height() + 12))
        self._draw_curves(lead)
        for line in (self.n_line, self.t_line):
            line.setPen(line_pen(self.marked, 0, DASHED))
            line.setHoverPen(line_pen(self.marked, 0))
        self.chart.put(self.n_line, self.t_line, z=10)
        color = muted(self.palette(), 0.25)
        self._marks = [
            self.chart.level(value, line_pen(color, 0, style), text, angle, at, anchor)
            for value, text, angle, style, anchor, at in marks(lead, self._x)
        ]
        self._name_marks()
        self._set_ranges(lead)
        if not self.hasFocus():
            self.current = None
        self.set_curves([self._as_curve(scores) for scores in self.columns])
        self._place_cut()

    def _draw_curves(self, lead):
        palette = self.palette()
        self.fill.setBrush(faint(self.hue(lead.number), 46))
        self.chart.addItem(self.fill)
        for place, scores in enumerate(self.columns):
            y = self._curve(scores)
            leads = scores is lead
            color = self.hue(scores.number)
            shown = self._shown(len(y))
            x = self._x(shown + 1)
            tested = leads and scores.real is not None
            pen = line_pen(muted(palette, 0.45) if tested else color, 2.2 if leads else 1.3, self._style(place))
            points = leads and len(y) <= MAX_POINTS
            look = {"symbol": "o", "symbolSize": 6, "symbolPen": None, "symbolBrush": pen.color()} if points else {}
            self.chart.line(x, y[shown], pen, 5 if leads else 3, **look)
            if tested:
                real = np.flatnonzero(scores.real[scores.order[: len(y)]])
                real = real[evenly_spaced(len(real), MAX_MARKED)]
                self.chart.dots(self._x(real + 1), y[real], color, z=6)
            if leads and scores.errors is not None and len(y):
                errors = scores.errors[scores.order[shown]]
                if points:
                    whiskers = pg.ErrorBarItem(x=x, y=y[shown], height=2 * errors, pen=line_pen(pen.color(), 1.2))
                    self.chart.addItem(whiskers)
                else:
                    self.chart.band(x, y[shown] - errors, y[shown] + errors, faint(pen.color(), BAND))

    def _set_ranges(self, lead):
        """The leading score gives the range: a deep tail of another one must not flatten it."""
        low, high = lead.span
        if lead.errors is not None:
            high = max(high, float(np.nanmax(lead.values + lead.errors, initial=0)))
        lowest = min(self._curve(s).min(initial=0) for s in self.columns)
        self.chart.setYRange(max(lowest, min(low, -DEPTH * high)), high if high > low else low + 1, padding=0.06)
        last = self._x(len(self.names))
        low, high = (0, last) if self.log else (0.5, last + 0.5)
        pad, palette = 0.015 * (high - low), self.palette()
        self.rank_axis.last = high + pad
        curves = [(scores, self._curve(scores)) for scores in self.columns]
        ends = [End(s.title, self.hue(s.number), y[-1], s is lead) for s, y in curves if len(y)]
        self.chart.ends.show(ends, (low - pad, high + pad), palette, self.font())

    def _place_cut(self):
        mode, value = self._cut
        if not self.columns:
            return
        self.n_line.setVisible(mode == BEST)
        self.t_line.setVisible(mode == FROM)
        y = self._curve(self.columns[self.leading])
        n = 0
        if mode == BEST:
            n = min(value, len(y))
        elif mode == FROM:
            n = int((y >= value).sum())
        shown = self._shown(n)
        self.fill.setData(self._x(shown + 1), y[shown])
        if mode == BEST and n:
            self.n_line.setBounds((self._x(1), self._x(len(y) + 0.5)))
            self.n_line.setValue(self._x(n + 0.5))
        elif mode == FROM:
            self.t_line.setValue(value)

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def _as_curve(self, scores: MethodScores) -> Curve:
        y = self._curve(scores)
        return Curve(self._x(np.arange(1, len(y) + 1)), y, self.hue(scores.number))

    def first_line(self):
        return self.leading

    def overview(self):
        """Describe the best features of each score."""
        texts = []
        for scores in self.columns:
            best = scores.order[:SPOKEN]
            texts.append(f"{scores.title}: " + ", ".join(f"{self.names[f]} {scores.text(f)}" for f in best))
        return ". ".join([*texts, self.note])

    def about(self, spot):
        scores = self.columns[spot.line]
        feature = int(scores.order[spot.point])
        text = f"{self.names[feature]}  {scores.text(feature)}{scores.error_text(feature)}"
        return f"{text}  (rank {scores.ranks[feature]:,})"

    def choose(self, spot: Spot) -> None:
        """The user chose a feature."""
        self.clicked.emit(int(self.columns[spot.line].order[spot.point]))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "log_button"):
            self._place_buttons()
            self._name_marks()

    def _name_marks(self):
        for line in self._marks:
            line.label.setVisible(self.width() >= ROOMY[0] and self.height() >= ROOMY[1])

    def _place_buttons(self):
        for button, right in ((self.log_button, False), (self.null_box, True)):
            button.resize(button.sizeHint())
            left = self.width() - button.width() - 10 if right else 4
            button.move(left, self.height() - button.height() - 4)
        if self.columns:
            self._title_ranks()

    def _title_ranks(self):
        self.chart.setLabel("bottom", "Rank" if self.width() >= ROOMY[0] else "")
