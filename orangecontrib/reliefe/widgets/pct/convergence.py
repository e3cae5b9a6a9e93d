"""Convergence of the scores of the best features, and of the list of the best, as trees are added."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtGui import QPalette

from ..charts.points import LEFT, Chart, ChartView, End, Entry, line_pen, style
from ..ranker.scores import Scores
from ..utils.colors import hue, muted
from ..utils.sparkline import MIN_AGREEMENT

SHOWN, TOP = 6, 20  # best features: lines, and those that agree
ABOVE = 1.05  # top of the axis of agreement
ROOMY, APART = 420, 42  # pixels from which on there is room for both charts, and between two ticks


class ConvergenceChart(ChartView):
    """Left: scores of the best features after 10, 20, 50 ... trees.  Right: how much of the top 20 is as before."""

    def __init__(self, parent=None):
        self.scores = Chart("Trees", "Score", log=(True, False))
        self.agreement = Chart("Trees", f"Agreement of the {TOP} best", log=(True, False))
        self._lead, self._names, self._path, self._curve, self._placed = None, (), {}, (), ()
        super().__init__(self.scores, self.agreement, name="Convergence of the leading score", parent=parent)
        self.setMinimumSize(QSize(200, 110))

    @property
    def possible(self) -> bool:
        """True if there is anything to see: scores after two numbers of trees."""
        return self._lead is not None and len(self._path) > 1

    def show_path(
        self, lead: Scores | None, names: Sequence[str], path: Mapping[int, np.ndarray], curve: Sequence
    ) -> None:
        """lead: the leading score of the features with these names; path: {trees: (p,)}; curve: [trees, agreement]."""
        self._lead, self._names, self._path, self._curve = lead, names, dict(sorted(path.items())), tuple(curve)
        self.draw()

    def draw(self) -> None:
        """Draw both charts."""
        self._draw_scores()
        self._draw_agreement()

    def _draw_scores(self):
        palette, best = self.palette(), self._lead.order[:SHOWN] if self.possible else ()
        legend = [
            Entry(self._names[feature], hue(place, palette), place == 0, style(place))
            for place, feature in enumerate(best)
        ]
        self.scores.restart(self.possible, legend, palette.color(QPalette.Text))
        if not self.possible:
            return
        self.scores.setLabel("left", escape(self._lead.title))
        x, scores = np.log10(list(self._path)), np.array(list(self._path.values()))
        for place, feature in enumerate(best):
            color = hue(place, palette)
            look = {"symbol": "o", "symbolSize": 5, "symbolBrush": color, "symbolPen": None}
            pen = line_pen(color, 2.2 if place == 0 else 1.3, style(place))
            self.scores.addItem(pg.PlotDataItem(x, scores[:, feature], pen=pen, antialias=True, **look))
        low, high = min(scores[:, best].min(), 0.0), scores[:, best].max()
        self._set_trees(self.scores, x)
        self.scores.setYRange(low, high if high > low else low + 1, padding=0.06)
        ends = [
            End(entry.text, entry.color, scores[-1, f], entry.strong) for entry, f in zip(legend, best, strict=True)
        ]
        self.scores.ends.show(ends, tuple(self.scores.vb.viewRange()[0]), palette, self.font())

    def _draw_agreement(self):
        shown, palette = self.possible and len(self._curve) > 0, self.palette()
        self.agreement.restart(shown)
        if not shown:
            return
        trees, agreement = np.array(self._curve, float).T
        x, color = np.log10(trees), hue(self._lead.number, palette)
        level = pg.InfiniteLine(MIN_AGREEMENT, angle=0, pen=line_pen(muted(palette, 0.25), 1, Qt.DotLine))
        self.agreement.addItem(level, ignoreBounds=True)
        look = {"symbol": "o", "symbolSize": 6, "symbolBrush": color, "symbolPen": None}
        self.agreement.addItem(pg.PlotDataItem(x, agreement, pen=line_pen(color, 2.2), antialias=True, **look))
        self.agreement.setLabel("left", f"Agreement of the {min(TOP, len(self._names))} best")
        self._set_trees(self.agreement, np.array([np.log10(next(iter(self._path))), *x]))
        self.agreement.setYRange(0, ABOVE, padding=0)

    @staticmethod
    def _set_trees(chart, x):
        """Ticks at as many of the numbers of trees, log10 (m,), as there is room for; the last one comes first."""
        room, last = max(chart.size().width() - LEFT, APART) / max(x[-1] - x[0], 1e-9), np.inf
        ticks = []
        for place in x[::-1]:
            if (last - place) * room >= APART:
                ticks.append((place, f"{10**place:,.0f}"))
                last = place
        chart.getAxis("bottom").setTicks([ticks])
        chart.setXRange(x[0], x[-1], padding=0.05)

    def _arrange(self):
        """Place both charts, or the scores alone where there is no room: the line below says how the list agrees."""
        placed = self.charts if self.width() >= ROOMY else self.charts[:1]
        if placed == self._placed:
            return
        for chart in self._placed:
            self.layout_item.removeItem(chart)
        for column, chart in enumerate(placed):
            self.layout_item.addItem(chart, 0, column)
        self._placed = placed

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "_placed"):
            self.draw()
