"""PCT Ranker: features ranked by what many trees do with them, for any kind of target, or for none."""

import scipy.sparse as sp
from Orange.base import Model
from Orange.data import Table
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from ..orange.forest.job import PCT, ForestResult, asked, grow, key_of, settled
from ..orange.forest.model import model_of
from ..orange.jobs.job import Job
from ..orange.jobs.run import with_scores_of
from .pct.convergence_chart import ConvergenceChart
from .pct.panel import MAX_TREES, RFOREST, PCTPanel
from .ranker.area import CONVERGENCE
from .ranker.ranker import OWRanker
from .ssl.panel import labelled_lines, labelled_text
from .utils.strip import BUTTON
from .utils.task import IDLE, RUNNING, STOPPED


class OWPCTRanker(OWRanker):
    """One ensemble, and three scores of it side by side; it can be stopped, used, and gone on with."""

    name = "PCT Ranker"
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

    usual = (PCT,)
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

    def _make_results(self):
        super()._make_results()
        self.convergence = ConvergenceChart()
        self.area.views.add(CONVERGENCE, self.convergence)

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
            result = self._stopped_result()
        super().show_result(result, final)
        self.show_state(self.run_state)

    def _stopped_result(self):
        """Every tree that was grown before the stop, shown or not."""
        forest, jobs = self.result.forest, self.panel.own_jobs()
        if forest is None or not jobs or forest.key != key_of(jobs[0]) or not forest.ensemble.unbroken:
            return None  # perhaps there are trees of other parameters
        return with_scores_of(self.result, self.result.snapshot(jobs, asked(jobs), final=False))

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

    def add_to_summary(self):
        """Overrides OWRanker.add_to_summary: the three scores are of the same trees, whose number it shows."""
        self.panel.show_found(self.found)
        if self.run_state != RUNNING and self.found:
            early = "stopped early; " if self.run_state == STOPPED and self.area.lead.partial else ""
            self.area.strip.set_text(f"{early}{self.found['ensemble']}: {self.found['summary']}")

    def _send_tools(self):
        super()._send_tools()
        self._send_model()

    def _send_model(self):
        """The ensemble as it is shown; its trees are grown again only when they are asked for predictions."""
        p, info = self.problem, self.found
        model_key = (p.table, self.result.forest, info["trees"]) if info and p.labelled else None
        if model_key != self._sent_model:
            self._sent_model = model_key
            self.Outputs.model.send(model_of(*model_key, key_of(self.panel.own_jobs()[0])) if model_key else None)

    def report_items_of_data(self) -> tuple:
        """Numbers of labelled rows, in all and for each target."""
        lines = labelled_lines(self.problem)
        return (("Labelled", labelled_text(self.problem)), ("Of each target", ", ".join(lines) or None))


if __name__ == "__main__":
    WidgetPreview(OWPCTRanker).run(Table("heart_disease"))
