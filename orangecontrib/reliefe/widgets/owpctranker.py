"""PCT Ensemble Ranker: features ranked by what many trees do with them, for any kind of target, or for none."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import scipy.sparse as sp
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette
from Orange.base import Model
from Orange.data import Table
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from ..orange.forest.job import PCT, ForestResult, asked, grow, key_of, settled
from ..orange.forest.model import model_of
from ..orange.jobs.job import Job
from ..orange.jobs.with_scorers import with_known_scores
from ..orange.ranker.scores import Scores
from .charts.axes import LEFT
from .charts.chart import Chart, line_pen
from .charts.chart_view import ChartView
from .charts.end_labels import End
from .charts.legend import Entry, style
from .pct.panel import MAX_TREES, RFOREST, PCTPanel
from .ranker.area import CONVERGENCE
from .ranker.ranker import OWRanker
from .ssl.panel import labelled_lines, labelled_text
from .utils.colors import hue, muted
from .utils.sparkline import MIN_AGREEMENT
from .utils.strip import BUTTON
from .utils.task import IDLE, RUNNING, STOPPED

SHOWN, TOP = 6, 20  # best features: lines, and those that agree
ABOVE = 1.05  # top of the axis of agreement
ROOMY, APART = 420, 42  # pixels from which on there is room for both charts, and between two ticks


class ConvergenceChart(ChartView):
    """Left: scores of the best features after 10, 20, 50 ... trees.  Right: how much of the top 20 is as before."""

    def __init__(self, parent=None):
        self.scores = Chart("Trees", "Score", log=(True, False))
        self.agreement = Chart("Trees", f"Agreement of the {TOP} best", log=(True, False))
        self._lead = None
        self._names = ()
        self._path = {}
        self._curve = ()
        self._placed = ()
        name = "Convergence of the leading score"
        super().__init__(self.scores, self.agreement, name=name, parent=parent, least=(200, 110))

    @property
    def possible(self) -> bool:
        return self._lead is not None and len(self._path) > 1

    def show_path(
        self, lead: Scores | None, names: Sequence[str], path: Mapping[int, np.ndarray], curve: Sequence
    ) -> None:
        """lead: the leading score of the features with these names; path: {trees: (p,)}; curve: [trees, agreement]."""
        self._lead = lead
        self._names = names
        self._path = dict(sorted(path.items()))
        self._curve = tuple(curve)
        self.draw()

    def draw(self) -> None:
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
            self.scores.line(x, scores[:, feature], line_pen(color, 2.2 if place == 0 else 1.3, style(place)), **look)
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


class OWPCTRanker(OWRanker):
    """One ensemble, and three scores of it side by side; it can be stopped, used, and gone on with."""

    name = "PCT Ensemble Ranker"
    description = "Rank features by ensembles of predictive clustering trees, and select the best"
    icon = "icons/pctranker.svg"
    priority = 40
    keywords = (
        "rank, tree, forest, random forest, extra trees, bagging, genie3, symbolic, permutation, importance, "
        "predictive clustering, clus, semi-supervised, unsupervised, multi-target, multi-label, feature selection, pct"
    )

    class Error(OWRanker.Error):
        sparse = Msg("Without a target, trees need dense data. Choose a target, or rank sparse data with URelief")

    class Outputs(OWRanker.Outputs):
        model = Output("Model", Model, dynamic=False)

    usual = usual_before = (PCT,)
    panel_type = PCTPanel
    ranks = staticmethod(grow)
    result_type = ForestResult
    buttons = {
        **BUTTON,
        RUNNING: ("S&top", "Stop, and keep the trees so far"),
        STOPPED: ("&Continue", "Grow the remaining trees"),
        IDLE: ("&Continue", "Double the number of trees"),
    }

    _sent_model = None

    def offered(self):
        # Here, and not above: Orange imports all widgets at its start.
        from ..core import METHODS

        return (METHODS[PCT],)

    def _main_area(self):
        super()._main_area()
        self.convergence = ConvergenceChart()
        self.area.views.add(CONVERGENCE, self.convergence, lambda: self.convergence.possible)

    @property
    def found(self) -> dict | None:
        """Facts about the ensemble that is asked for; None before its first trees."""
        jobs, lead = self.panel.own_jobs(), self.area.lead
        if lead and lead.name in self.panel.methods:
            jobs = [self.panel.job(lead.name)]
        ranking = next(filter(None, map(self.result.rankings.get, jobs)), None)
        return ranking and ranking.info

    def next_task(self):
        task = super().next_task()
        if task is not None and sp.issparse(self.problem.table.X) and not self.problem.labelled:
            self.Error.sparse()
            return None
        return task

    def null_job(self, job: Job) -> Job:
        """As many trees, and the same choices."""
        return settled(job, self.result)

    def has_null(self) -> bool:
        """Trees share out what there is to gain, also among irrelevant features: only errors show that."""
        lead = self.area.lead
        return super().has_null() and (lead is None or lead.name == RFOREST or lead.name not in self.panel.methods)

    def show_result(self, result, final):
        if result is None and self.run_state == STOPPED:
            result = self._kept()
        super().show_result(result, final)
        self.show_state(self.run_state)

    def _kept(self):
        """Every tree that was grown before the stop, shown or not."""
        forest, jobs = self.result.forest, self.panel.own_jobs()
        if forest is None or not jobs or forest.key != key_of(jobs[0]) or not forest.ensemble.unbroken:
            return None  # perhaps there are trees of other parameters
        return with_known_scores(self.result.snapshot(jobs, asked(jobs), final=False), self.result)

    def show_state(self, state):
        super().show_state(state)
        if state == IDLE:
            self.area.strip.button.setVisible(self.area.lead is not None)

    def resume(self) -> None:
        if self.run_state == IDLE and self.found:
            self.panel.form.change({"n_trees": min(2 * self.found["trees"], MAX_TREES)})
        else:
            super().resume()

    def show_scores(self):
        super().show_scores()
        lead = self.area.lead
        job = lead and self.panel.job(lead.name)
        self.convergence.show_path(lead, self.area.model.names, self.result.paths.get(job, {}),
                                   self.result.curves.get(job, ()))  # fmt: skip
        self.area.views.show_view()

    def _show_summary(self):
        super()._show_summary()
        self.panel.show_found(self.found)
        if self.run_state != RUNNING and self.found:  # the three scores are of the same trees
            early = "stopped early; " if self.run_state == STOPPED and self.area.lead.partial else ""
            self.area.strip.set_text(f"{early}{self.found['ensemble']}: {self.found['summary']}")

    def _send_tools(self):
        super()._send_tools()
        self._send_model()

    def _send_model(self):
        """The ensemble as it is shown; its trees are grown again only when they are asked for predictions."""
        p, found = self.problem, self.found
        now = (p.table, self.result.forest, found["trees"]) if found and p.labelled else None
        if now != self._sent_model:
            self._sent_model = now
            self.Outputs.model.send(model_of(*now, key_of(self.panel.own_jobs()[0])) if now else None)

    def report_items_of_data(self) -> tuple:
        """Numbers of labelled rows, in all and for each target."""
        lines = labelled_lines(self.problem)
        return (("Labelled", labelled_text(self.problem)), ("Of each target", ", ".join(lines) or None))


if __name__ == "__main__":
    WidgetPreview(OWPCTRanker).run(Table("heart_disease"))
