"""Outputs of a ranker, and the moments at which they are sent."""

from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.utils.signals import LazyValue, lazy_table_transform
from Orange.widgets.widget import AttributeList

from ..utils.task import RUNNING
from .outputs import marked_table, preprocessor_of, reduced_table, remaining_domain, scores_table


class Sending:
    """For a ranker with `area`, `panel`, `problem`, `result` and `selection`."""

    @gui.deferred
    def commit(self):
        area, data = self.area, self.data
        ranked = self.problem is not None and area.lead is not None
        features = self.problem.features if ranked else ()
        chosen = [v for v, take in zip(features, area.model.selected, strict=True) if take] if ranked else []
        now = ranked, tuple(variable.name for variable in chosen)
        if now != self._sent_features:  # or else all that comes after would begin anew with each further score
            self._sent_features = now
            self.Outputs.reduced.send(reduced_table(data, chosen))
            self.Outputs.remaining.send(lazy_table_transform(remaining_domain(data, chosen), data) if ranked else None)
            self.Outputs.features.send(AttributeList(chosen) if chosen else None)
        names = area.model.names
        ready = [scores for scores in area.model.columns if not scores.partial or self.run_state != RUNNING]
        self.Outputs.scores.send(scores_table(names, ready, area.model.attributes, area.lead if ranked else None))
        made = LazyValue[Table](lambda: marked_table(data, names, now[1], ready), length=len(data)) if ranked else None
        self.Outputs.marked.send(made)
        self._send_tools()

    def _send_tools(self):
        """Scorer and preprocessor; again only if they change, since Test & Score starts anew with each."""
        job = self._leading_job()
        candidates = self.area.model.names if self.problem and self.restriction is not None else None
        now = job, self.mode, self.n_best, self.threshold, self.share, self.fdr, candidates
        if now == self._sent:
            return
        self._sent = now
        scorer = job and job.scorer()
        self.Outputs.scorer.send(scorer)
        self.Outputs.preprocessor.send(scorer and preprocessor_of(*now, scorer))

    def _leading_job(self):
        """Job of the scorer: without data, the highlighted method comes first."""
        usable = self.panel.active() or self.panel.ticked
        preferred = (self.leading, self.panel.current) if self.problem is None else (self.leading,)
        name = next((name for name in preferred if name in usable), self.panel.first(usable))
        return name and self.panel.job(name)
