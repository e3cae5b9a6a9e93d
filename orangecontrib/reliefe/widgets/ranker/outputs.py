"""Sending of a ranker's outputs."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from Orange.data import Table
from Orange.widgets.utils.signals import LazyValue, lazy_table_transform
from Orange.widgets.widget import AttributeList

from ...orange.ranker.decision import Decision
from ...orange.ranker.preprocessors import preprocessor_of
from ...orange.ranker.selection import SelectionRule
from ...orange.ranker.tables import Fact, marked_table, reduced_table, remaining_domain, scores_table


class Sender:
    """Sends what a ranker decides on; tables of the selected features only if there are other ones."""

    def __init__(self, ranker):
        self.ranker = ranker
        self._features = None
        self._tools = None

    def send(self, decision: Decision) -> None:
        """Send the tables that a decision is about."""
        ranker = self.ranker
        area, data = ranker.area, ranker.data
        names, columns = area.model.names, decision.columns
        ranked = decision.selected is not None
        if (decision.data, decision.selected) != self._features:  # else all that follows would start again
            self._features = decision.data, decision.selected
            self._send_features(decision)
        facts = [*(_groups(ranker) if ranked else ()), *(Fact(c.title, c.values) for c in area.model.attributes)]
        ranker.Outputs.scores.send(scores_table(names, columns, facts, area.lead))
        marked = None
        if ranked:
            selected = decision.selected
            marked = LazyValue[Table](lambda: marked_table(data, names, selected, columns), length=len(data))
        ranker.Outputs.marked.send(marked)
        ranker.why.send()

    def _send_features(self, decision):
        outputs, data, problem = self.ranker.Outputs, self.ranker.data, self.ranker.problem
        if decision.selected is None:
            for output in (outputs.reduced, outputs.remaining, outputs.features):
                output.send(None)
            return
        selected = set(decision.selected)
        chosen = [variable for variable in problem.features if variable.name in selected]
        outputs.reduced.send(reduced_table(data, chosen, problem.table.domain.metas))  # with those of a study
        outputs.remaining.send(lazy_table_transform(remaining_domain(data, chosen), data))
        outputs.features.send(AttributeList(chosen) if chosen else None)

    def send_tools(self) -> None:
        """Send scorer and preprocessor; again only if they change, since Test & Score starts again with each."""
        ranker = self.ranker
        job = self._leading_job()
        covariates, group = ranker.panel.study
        restricted = ranker.restriction is not None or covariates or group or ranker.left_out
        candidates = ranker.area.model.names if ranker.problem and restricted else None
        now = job, rule_of(ranker, ranker.fold_alike, ranker.keep), candidates
        if now == self._tools:
            return
        self._tools = now
        scorer = job and job.scorer()
        ranker.Outputs.scorer.send(scorer)
        ranker.Outputs.preprocessor.send(scorer and preprocessor_of(*now, scorer))

    def _leading_job(self):
        """Job of the scorer: without data, the highlighted method comes first."""
        ranker = self.ranker
        usable = ranker.panel.active() or ranker.panel.ticked
        preferred = (ranker.leading, ranker.panel.current) if ranker.problem is None else (ranker.leading,)
        name = next((name for name in preferred if name in usable), ranker.panel.first(usable))
        return name and ranker.panel.job(name)


def groups_of(ranker) -> Sequence[str]:
    """Names (p,) of the best features of the groups by the leading score, empty for features that are alone; ()."""
    lead = ranker.area.lead
    return () if lead is None else ranker.result.groups.get(ranker.panel.job(lead.name), ())


def script_of(ranker) -> str:
    """Script that repeats what a ranker shows; empty without a finished ranking."""
    job, lead = ranker.lead_job(), ranker.area.lead
    if job is None or not job.own or not ranker.result.is_final(ranker.panel.job(lead.name)):
        return ""
    from ...orange.ranker.script import repeating_script  # it loads the core

    model, ranking = ranker.area.model, ranker.result.rankings[ranker.panel.job(lead.name)]
    rule = rule_of(ranker, model.groups is not None, ranker.panel.keep)
    return repeating_script(ranker.given, ranking, job, rule, ranker.area.selected_names())


def rule_of(ranker, folded: bool, keep: Sequence[str]) -> SelectionRule:
    """Rule of the selection as it is set."""
    return SelectionRule(
        mode=ranker.mode,
        n=ranker.n_best,
        threshold=ranker.threshold,
        share=ranker.share,
        level=ranker.fdr,
        folded=folded,
        keep=tuple(keep),
    )


def _groups(ranker) -> list[Fact]:
    """Groups of correlated features and their sizes, if there are any."""
    groups = groups_of(ranker)
    sizes = Counter(groups)
    sizes = np.array([float(sizes[group]) if group else 1.0 for group in groups])
    return [Fact("Group", groups), Fact("Group size", sizes)] if any(groups) else []
