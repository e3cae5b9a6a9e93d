"""Outputs of a ranker: tables, lists of features, scorer, preprocessor and rows, sent if there is something new."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from Orange.data import Table
from Orange.preprocess.score import Scorer
from Orange.widgets.utils.signals import LazyValue, lazy_table_transform
from Orange.widgets.widget import AttributeList

from ...orange.jobs.job import Job
from ...orange.problem import TableProblem
from ...orange.ranker.conclusion import conclude_lead
from ...orange.ranker.decision import Decision
from ...orange.ranker.preprocessors import preprocessor_of
from ...orange.ranker.scores import MethodScores
from ...orange.ranker.selection import SelectionRule
from ...orange.ranker.tables import Fact, marked_table, reduced_table, remaining_domain, scores_table
from ...orange.ranker.writings import Writings
from ...orange.scores_table import SOURCE
from ..table.model import Column
from .explanation import MAX_ROWS
from .followup import ShownRanking

UNTITLED = "untitled"  # name of tables that have none


class Sources(NamedTuple):
    """Sources of the outputs.

    data: table with the target that was chosen; None without data.
    problem: features that are ranked, and metas of a study.
    lead: leading scores.
    facts: further metas of the table of scores.
    """

    data: Table | None
    problem: TableProblem | None
    lead: MethodScores | None
    facts: Sequence[Fact]


class Sender:
    """Sends those outputs that differ from the ones sent last: each widget behind would start again.

    `Dispatch` says when outputs are sent, and compares decisions. This memory is another one: without *Send
    automatically*, a decision may never be sent.
    """

    def __init__(self, outputs):
        """outputs: of the widget."""
        self._outputs = outputs
        self._features = None  # number of the data, and names that were sent last
        self._tools: tuple | None = None  # what scorer and preprocessor were made of
        self._explanation: object = None  # whose rows were sent last

    def send(self, decision: Decision, sources: Sources) -> None:
        """Send the tables that a decision is about; tables of the selected features if there are other ones."""
        outputs, data = self._outputs, sources.data
        columns, selected = decision.columns, decision.selected
        if (decision.data, selected) != self._features:
            self._features = decision.data, selected
            self._send_features(selected, sources)
        names = [variable.name for variable in sources.problem.ranked] if selected is not None else []
        scores = scores_table(names, columns, sources.facts, sources.lead)
        if scores is not None and data is not None and data.name != UNTITLED:
            scores.attributes = {**scores.attributes, SOURCE: data.name}
        outputs.scores.send(scores)
        marked = None
        if selected is not None:
            problem = sources.problem
            marked = LazyValue[Table](lambda: _marked(data, problem, selected, columns), length=len(data))
        outputs.marked.send(marked)

    def _send_features(self, selected, sources):
        outputs, data = self._outputs, sources.data
        if selected is None:
            for output in (outputs.reduced, outputs.remaining, outputs.features):
                output.send(None)
            return
        chosen = sources.problem.features_of(selected)
        outputs.reduced.send(reduced_table(data, chosen, sources.problem.table.domain.metas))
        outputs.remaining.send(lazy_table_transform(remaining_domain(data, chosen), data))
        outputs.features.send(AttributeList(chosen) if chosen else None)

    def send_tools(
        self, job: Job | None, rule: SelectionRule, candidates: Sequence[str] | None, goes_by_z: bool
    ) -> None:
        """Send the scorer of a job, and the preprocessor of a selection.

        candidates: names of the features that are ranked; None: all.
        goes_by_z: True if the order is that of z, see `MethodScores`.
        """
        tools = job, rule, candidates, goes_by_z
        if tools == self._tools:
            return
        self._tools = tools
        scorer: Scorer | None = None
        preprocessor = None
        if job is not None:
            scorer = job.scorer()
            preprocessor = preprocessor_of(job, rule, candidates, scorer, goes_by_z)
        self._outputs.scorer.send(scorer)
        self._outputs.preprocessor.send(preprocessor)

    def send_rows(self, explanation: object, data: Table | None) -> None:
        """Send the rows that count most for and against a feature, if the widget has the output; None: no rows.

        explanation: core's `Explanation` of the rank of the feature.
        """
        output = getattr(self._outputs, "rows", None)
        if output is None or explanation is self._explanation:
            return
        from ...orange.partners import contributing_rows

        self._explanation = explanation
        output.send(None if explanation is None else contributing_rows(data, explanation, MAX_ROWS))


def _marked(data: Table, problem: TableProblem, selected: Collection[str], columns: Sequence[MethodScores]) -> Table:
    """Data with marks of the features whose scores, or those of their groups, are selected."""
    index_of_ranked = {variable.name: index for index, variable in enumerate(problem.ranked)}
    index_of_features = {
        feature.name: index_of_ranked[name]
        for feature, name in zip(problem.features, problem.ranked_name_of_features, strict=True)
    }
    return marked_table(data, index_of_features, [v.name for v in problem.features_of(selected)], columns)


def groups_of(ranking: ShownRanking) -> Sequence[str]:
    """Names (p,) of the best features of the groups by the leading score, empty for features that are alone; ()."""
    return () if ranking.lead is None else ranking.result.groups.get(ranking.job_of(ranking.lead.name), ())


def facts_of(groups: Sequence[str], attributes: Sequence[Column]) -> list[Fact]:
    """Facts for the table of scores: groups of correlated features and their sizes, and attributes of features."""
    facts = [Fact(column.title, column.values) for column in attributes]
    if not any(groups):
        return facts
    counts = Counter(groups)
    sizes = np.array([float(counts[group]) if group else 1.0 for group in groups])
    return [Fact("Group", groups), Fact("Group size", sizes), *facts]


def writings_of(
    ranking: ShownRanking,
    table: Table | None,
    rule: SelectionRule,
    selected: Sequence[str],
    complete: Callable[[Job], object],
    facts: Mapping[str, Sequence[Any]],
) -> Writings:
    """Make a script, and a ranking for a web page, of the leading score.

    complete: returns the p-values of a job; None if they are not finished.
    facts: further columns (p,) of the page by their titles.
    """
    job = ranking.lead_job
    if job is None or not job.is_of_core:
        return Writings()
    asked = ranking.job_of(ranking.lead.name)
    if not ranking.result.is_final(asked):
        return Writings()
    from ...core.conclusion import LEVEL  # a page marks the discoveries at this false discovery rate
    from ...orange.ranker.script import repeating_script  # it loads the core

    finished = ranking.result.rankings[asked]
    significance = complete(job)
    if significance is not None:
        finished = replace(finished, significance=significance)
    return Writings(
        repeating_script(table, finished, job, rule, selected),
        finished,
        {} if job.feature_groups else job.adjusting,
        facts,
        conclude_lead(replace(ranking.lead, significance=significance, level=LEVEL), finished, job),
    )
