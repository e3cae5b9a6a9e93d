"""Chart of PCT Ranker: scores and agreement of the best features as trees are added (pyqtgraph)."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
from AnyQt.QtCore import Qt

from ...core.words import counted, percent
from ...orange.ranker.scores import MethodScores
from ..charts.axes import LEFT
from ..charts.chart import Chart, line_pen
from ..charts.curve_view import ALONG, Curve, CurveView
from ..charts.end_labels import End
from ..charts.legend import Entry, style
from ..utils.colors import muted
from ..utils.sparkline import MIN_AGREEMENT

SHOWN = 6  # best features that have curves
TOP = 20  # best features whose agreement is shown
ABOVE = 1.05  # top of the axis of agreement
ROOMY = 420  # pixels from which on there is room for both charts
APART = 42  # pixels between two ticks


class ConvergenceChart(CurveView):
    """Left: scores of the best features after 10, 20, 50 ... trees.  Right: how much of the top 20 is as before."""

    def __init__(self, parent=None):
        super().__init__("Convergence of the leading score", ALONG, parent, (200, 110))
        self._lead: MethodScores | None = None  # the leading score
        self._names: Sequence[str] = ()  # of the features
        self._path: dict[int, np.ndarray] = {}  # scores (p,) by numbers of trees, ascending
        self._curve: tuple = ()  # [trees, agreement] of the best features with those of fewer trees

    def make_charts(self):
        scores = Chart("Trees", "Score", log=(True, False))
        agreement = Chart("Trees", f"Agreement of the {TOP} best", log=(True, False))
        return scores, agreement

    @property
    def scores(self) -> Chart:
        """The chart at the left."""
        return self.charts[0]

    @property
    def agreement(self) -> Chart:
        """The chart at the right."""
        return self.charts[1]

    @property
    def has_content(self) -> bool:
        return self._lead is not None and len(self._path) > 1

    def show_path(
        self, lead: MethodScores | None, names: Sequence[str], path: Mapping[int, np.ndarray], curve: Sequence
    ) -> None:
        """Draw the convergence of a score.

        Parameters
        ----------
        lead : MethodScores or None
            The leading score; None: the charts are empty.
        names : sequence of str, length p
            Names of the features.
        path : mapping from int to ndarray, shape (p,)
            Scores by numbers of trees.
        curve : sequence of (int, float)
            Number of trees, and share of the best features that are as before.
        """
        self._lead = lead
        self._names = names
        self._path = dict(sorted(path.items()))
        self._curve = tuple(curve)
        self.draw()

    def draw(self) -> None:
        if not self.has_content:
            self.clear()
            return
        self._draw_scores()
        self._draw_agreement()

    def _draw_scores(self):
        palette, best = self.palette(), self._lead.order[:SHOWN]
        legend = [
            Entry(self._names[feature], self.hue(rank), rank == 0, style(rank)) for rank, feature in enumerate(best)
        ]
        self.scores.restart(True, legend, self.text_color)
        self.scores.setLabel("left", escape(self._lead.title))
        x, scores = np.log10(list(self._path)), np.array(list(self._path.values()))
        for rank, feature in enumerate(best):
            color = self.hue(rank)
            look = {"symbol": "o", "symbolSize": 5, "symbolBrush": color, "symbolPen": None}
            self.scores.line(x, scores[:, feature], line_pen(color, 2.2 if rank == 0 else 1.3, style(rank)), **look)
        low, high = min(scores[:, best].min(), 0.0), scores[:, best].max()
        self._set_trees(self.scores, x)
        self.scores.setYRange(low, high if high > low else low + 1, padding=0.06)
        ends = [
            End(entry.text, entry.color, scores[-1, f], entry.strong) for entry, f in zip(legend, best, strict=True)
        ]
        self.scores.ends.show(ends, tuple(self.scores.vb.viewRange()[0]), palette, self.font())
        self.set_curves([Curve(x, scores[:, f], entry.color) for entry, f in zip(legend, best, strict=True)])

    def _draw_agreement(self):
        shown, palette = len(self._curve) > 0, self.palette()
        self.agreement.restart(shown)
        if not shown:
            return
        trees, agreement = np.array(self._curve, float).T
        x, color = np.log10(trees), self.hue(self._lead.number)
        self.agreement.level(MIN_AGREEMENT, line_pen(muted(palette, 0.25), 1, Qt.DotLine))
        look = {"symbol": "o", "symbolSize": 6, "symbolBrush": color, "symbolPen": None}
        self.agreement.line(x, agreement, line_pen(color, 2.2), **look)
        self.agreement.setLabel("left", f"Agreement of the {min(TOP, len(self._names))} best")
        self._set_trees(self.agreement, np.array([np.log10(next(iter(self._path))), *x]))
        self.agreement.setYRange(0, ABOVE, padding=0)

    @staticmethod
    def _set_trees(chart, x):
        """Ticks at as many of the numbers of trees, log10 (m,), as there is room for; the last one comes first."""
        room, last = max(chart.size().width() - LEFT, APART) / max(x[-1] - x[0], 1e-9), np.inf
        ticks = []
        for tick in x[::-1]:
            if (last - tick) * room >= APART:
                ticks.append((tick, f"{10**tick:,.0f}"))
                last = tick
        chart.getAxis("bottom").setTicks([ticks])
        chart.setXRange(x[0], x[-1], padding=0.05)

    # Screen readers --------------------------------------------------------------------------------------------------

    def overview(self):
        """Describe the best features, and how much they agree with those of fewer trees."""
        if not self.has_content:
            return ""
        trees, scores = [*self._path.items()][-1]
        best = ", ".join(f"{self._names[feature]} {scores[feature]:.3g}" for feature in self._lead.order[:SHOWN])
        texts = [f"{self._lead.title} after {counted(trees, 'tree')}: {best}"]
        if self._curve:
            texts.append(f"{percent(self._curve[-1][1])} of the {min(TOP, len(self._names))} best are as before")
        return ". ".join([*texts, self.note])

    def about(self, spot):
        feature = self._lead.order[spot.line]
        trees, scores = [*self._path.items()][spot.point]
        return f"{self._names[feature]}: {scores[feature]:.3g} after {counted(trees, 'tree')}"

    # Layout ----------------------------------------------------------------------------------------------------------

    def cells_of(self, charts):
        """Place both charts, or the scores alone where there is no room: the line below says how the list agrees."""
        shown = charts if self.width() >= ROOMY else charts[:1]
        return {chart: (0, column) for column, chart in enumerate(shown)}

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if self.has_charts:
            self.draw()  # ticks are as many as have room
