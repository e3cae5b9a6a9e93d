"""Sending of a ranker's outputs."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from Orange.data import Table
from Orange.widgets.utils.signals import LazyValue, lazy_table_transform
from Orange.widgets.widget import AttributeList

from ...orange.ranker.preprocessors import preprocessor_of
from ...orange.ranker.selection import SelectionRule
from ...orange.ranker.tables import Fact, marked_table, reduced_table, remaining_domain, scores_table
from ..utils.task import RUNNING


class Sender:
    """Sends what a ranker has, and the tables of features only if there are other ones; features: those sent last."""

    def __init__(self, ranker):
        self.ranker = ranker
        self.features = None
        self._tools = None

    def send(self) -> None:
        ranker = self.ranker
        area, data = ranker.area, ranker.data
        ranked = ranker.problem is not None and area.lead is not None
        features = ranker.problem.features if ranked else ()
        chosen = [v for v, take in zip(features, area.model.selected, strict=True) if take] if ranked else []
        now = ranked, tuple(variable.name for variable in chosen)
        if now != self.features:  # else all that follows would start again with each score
            self.features = now
            metas = ranker.problem.table.domain.metas if ranked else ()  # with those of a study
            ranker.Outputs.reduced.send(reduced_table(data, chosen, metas))
            ranker.Outputs.remaining.send(
                lazy_table_transform(remaining_domain(data, chosen), data) if ranked else None
            )
            ranker.Outputs.features.send(AttributeList(chosen) if chosen else None)
        names = area.model.names
        ready = [scores for scores in area.model.columns if not scores.partial or ranker.run_state != RUNNING]
        facts = [*(_groups(ranker) if ranked else ()), *(Fact(c.title, c.values) for c in area.model.attributes)]
        ranker.Outputs.scores.send(scores_table(names, ready, facts, area.lead if ranked else None))
        made = LazyValue[Table](lambda: marked_table(data, names, now[1], ready), length=len(data)) if ranked else None
        ranker.Outputs.marked.send(made)
        ranker.why.send()

    def send_tools(self) -> None:
        """Send scorer and preprocessor; again only if they change, since Test & Score starts again with each."""
        ranker = self.ranker
        job = self._leading_job()
        covariates, group = ranker.panel.study
        restricted = ranker.restriction is not None or covariates or group or ranker.left_out
        candidates = ranker.area.model.names if ranker.problem and restricted else None
        now = job, _rule(ranker, ranker.fold_alike, ranker.keep), candidates
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
    rule = _rule(ranker, model.groups is not None, ranker.panel.keep)
    return repeating_script(ranker.given, ranking, job, rule, ranker.area.selected_names())


def _rule(ranker, folded: bool, keep: Sequence[str]) -> SelectionRule:
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
