"""Conditional p-values of the leading score: whether features add to the remaining ones."""

import numpy as np
from Orange.widgets.settings import Setting

from ...core.inference.conditional import tested_by_default
from ...orange.jobs.job import Job
from ...orange.jobs.p_values import find_conditional, why_impossible
from ...orange.ranker.decision import PValuesState
from ..utils.markup import plain
from .area import RankingArea
from .followup import BoxState, FollowUp, ShownRanking
from .pvalues import PValues
from .significancepanel import ADDS, ADDS_TIP


class AddsToOthers(FollowUp):
    """Tests of features given the remaining features, which follow p-values.

    Results belong to the job of the leading score. With many features, discoveries and selected features are tested,
    and those that are selected later are tested later.
    """

    title = ADDS
    continues = True

    ticked = Setting(False)

    def __init__(self, widget, tests: PValues, area: RankingArea):
        """tests: p-values, whose line has the check box; area: has this line, and the selected features."""
        super().__init__(widget, first=(tests,))
        self._tests = tests
        self._box = area.significance.adds_box
        self._model = area.model
        self._under_way: frozenset[int] = frozenset()  # features of the work
        # Of each job: significance, tests of features, and both in one
        self._joined: dict[Job, tuple[object, object, object]] = {}
        self._box.clicked.connect(self.clicked)

    @property
    def wanted(self) -> bool:
        return self.ticked and self._tests.wanted

    def concerns(self, ranking: ShownRanking) -> bool:
        """Return True with p-values, whose line offers these tests, or says why there are none."""
        return self._tests.wanted

    def job(self) -> Job | None:
        """Return the job of the leading score; None if its features cannot be tested."""
        job = self.ranking.lead_job
        return None if job is None or why_impossible(job) else job

    def ready(self) -> bool:
        """Return True after p-values, also if nobody looks: these tests are sent, too."""
        tested = self._tests.found(self.job())
        return tested is not None and not self.ranking.running and not self._tests.busy

    def features(self) -> list[int]:
        """Indices of the discoveries at the level of the widget, of the selected features, and of all if these are few.

        Discoveries and selected features come first.
        """
        significance = self._tests.found(self.job()).significance
        first = np.flatnonzero(self._model.selected | (significance.q <= self.ranking.level))
        default = tested_by_default(first, len(significance.q))
        return [*dict.fromkeys([*first.tolist(), *default.tolist()])]

    def work(self, job: Job) -> tuple:
        features = self.features()
        self._under_way = frozenset(features)
        return find_conditional, self.table, job, features, self.record(job).result

    def is_complete(self, result: object) -> bool:
        """Return True if the result has all features; before p-values nobody knows which these are."""
        if self._tests.found(self.job()) is None:
            return False
        tested = [] if result is None else result.features.tolist()
        return {*self.features()} <= {*tested}

    def follow(self, job: Job | None) -> None:
        """Start again from the tests so far if other features are to be tested than those under way."""
        if self.busy and job == self._job and not {*self.features()} <= self._under_way:
            self.give_up()
        super().follow(job)

    def reset(self) -> None:
        super().reset()
        self._joined = {}

    def facts(self, job: Job, result: object) -> dict[str, object]:
        """Return p-values with those of the tested features, if there are both."""
        tested = self._tests.found(job)
        if tested is None or result is None:
            return {}
        parts = tested.significance, result
        if self._joined.get(job, ())[:2] != parts:
            self._joined[job] = *parts, tested.significance.with_tests(result)
        return {"significance": self._joined[job][2]}

    def complete(self, job: Job | None) -> object | None:
        """Significance of a job with all tests so far, if its permutations are complete; else None."""
        significance = self._tests.complete(job)
        return None if significance is None else self.facts(job, self.found(job)).get("significance", significance)

    def state_of(self, job: Job | None) -> PValuesState:
        """State of the p-values of a job, of which these tests are the last part."""
        state = self._tests.state_of(job)
        return state._replace(running=state.running or self.busy)

    def caption(self, job: Job | None) -> str:
        """Work fails here only where there are no such tests; the tooltip has the reason."""
        record = self.record(job)
        if record.failure:
            return f"{self.title}: not here"
        conditional = self.found(job)
        if job is None or job == self._job or conditional is None:
            return super().caption(job)
        return f"{self.title}: {len(conditional.adding):,} of {len(conditional.p):,}"

    def show(self, job: Job | None, result: object, box: BoxState) -> None:
        record = self.record(job)
        lead_job = self.ranking.lead_job
        reason = "" if lead_job is None else why_impossible(lead_job)
        is_on = self.wanted and not record.failure and (record.asked or not record.given_up)
        self._box.setChecked(is_on and not reason)
        self._box.setEnabled(not reason)
        self._box.setText(box.caption)
        self._box.setToolTip(plain(reason or box.failure) or ADDS_TIP)
