"""Number of features after which boosting stops: the second suggestion beside the number of discoveries.

It follows the p-values, and is shown by `SuggestedCounts`.
"""

from dataclasses import dataclass

import numpy as np
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.data import Table

from ...orange.jobs.job import Job
from ...orange.jobs.progress import reporter
from .followup import FollowUp
from .pvalues import PValues
from .suggestedcounts import ASK, REAL, SuggestedCounts

BOOSTED = "boostedrelief"


@dataclass(frozen=True, eq=False)
class Stop:
    """Features (indices) that boosting takes before it stops, best first."""

    features: np.ndarray

    @classmethod
    def of(cls, ranking) -> "Stop":
        return cls(ranking.ranking[: ranking.info["stopped"]])


def find_stop(table: Table, job: Job, state) -> Stop:
    """Return the stop of boosting, for a thread."""
    return Stop.of(job.rank(table, reporter(state)))


class StoppingPoints(FollowUp):
    """Stops of boosting: computed after the p-values if that is quick, or asked for."""

    title = "How many predict"
    find = staticmethod(find_stop)

    real_chosen = Signal()  # the user chose the discoveries
    features_chosen = Signal(object)  # the user chose these features: indices, best first

    def __init__(self, look, widget, tests: PValues, counts: SuggestedCounts):
        super().__init__(look, widget, first=(tests,))
        self._tests = tests
        self._counts = counts
        counts.chosen.connect(self._chosen)

    @property
    def wanted(self) -> bool:
        return self._tests.wanted

    def job(self) -> Job | None:
        """Job of boosting, with the parameters that it has here; None where it does not rank, or is not wanted."""
        from ...core import METHODS

        ranking = self.look()
        problem = ranking.problem
        if not self.wanted or problem is None or problem.partly or not problem.labelled:
            return None
        if problem.feature_groups is not None:
            return None
        if BOOSTED not in METHODS or problem.task not in METHODS[BOOSTED].tasks:
            return None
        return ranking.job_of(BOOSTED)

    def ready(self) -> bool:
        return super().ready() and self._tests.complete(self.look().lead_job) is not None

    def follow(self, job: Job | None) -> None:
        """Compute a job, unless there is a ranking by boosting."""
        boosted = self.job()
        result = self.look().result
        if boosted is not None and result.is_final(boosted) and self.record(boosted).result is None:
            self._kept_record(boosted).result = Stop.of(result.rankings[boosted])
        super().follow(job)

    def show(self, job: Job | None) -> None:
        ranking = self.look()
        significance = self._tests.complete(ranking.lead_job)
        caption = self.caption(job) if job is not None else ""
        self._counts.show_state(significance, ranking.level, self.found(job), caption)

    def _chosen(self, answer):
        if answer == ASK:
            self.ask(self.job())
            self.changed.emit()
        elif answer == REAL:
            self.real_chosen.emit()
        else:
            self.features_chosen.emit(self.found(self.job()).features)
