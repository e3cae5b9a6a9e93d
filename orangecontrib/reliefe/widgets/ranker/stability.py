"""Probability that a feature were among the best ones if other rows had come: rankings of bootstrap samples."""

import numpy as np
import scipy.sparse as sp
from Orange.data import Table

from ..utils.jobs import Job
from ..utils.problem import CLASSIFICATION, task_of
from ..utils.task import reporter
from .background import Extra

TITLE = "Stability"
SAMPLES = 20
MIN_SAMPLES = 3  # samples from which on something is shown
TOOLTIP = (
    f"<p>The rows are drawn {SAMPLES} times with replacement, and the features are ranked anew by those that were "
    "drawn, each once: about two in three. The disk in a cell is filled by how often the feature is then among the "
    "best n; the per cent beside this box are the mean of the best n.</p><p>A list that changes much from sample to "
    "sample is one of many that would do as well. Boosted lists change more than others: of features that tell the "
    "same they keep one, now this, now that.</p>"
)


def strata(table: Table) -> np.ndarray | None:
    """(n,) what no sample may lose: every class, or rows with and without a target; None: all rows are alike."""
    if task_of(table.domain) == CLASSIFICATION:
        return table.Y
    if not table.domain.class_vars or sp.issparse(table.Y):
        return None
    return np.isnan(table.Y.astype(float).reshape(len(table), -1)).all(axis=1)


def find(table: Table, job: Job, state) -> object:
    """Chances of the features by the rankings of all samples (core's `TopChances`), for a thread."""
    from ...core.evaluation import TopChances, distinct_rows

    found, failure, alike, report = None, None, strata(table), reporter(state)
    for number in range(SAMPLES):
        sample = table[distinct_rows(len(table), number, alike)]
        try:
            ranking = job.rank(sample, lambda share, done=number: report((done + share) / SAMPLES))
            chances = TopChances.of([ranking.scores])
        except ValueError as error:  # of few rows a sample may have too few
            failure = error
            continue
        found = chances if found is None else found.joined(chances)
        if MIN_SAMPLES <= len(found) < SAMPLES:
            state.set_partial_result(found)
    if found is None:
        raise failure
    return found


class Stabilities(Extra):
    """Chances of jobs, also from the first few samples: the box above the table."""

    title, setting = TITLE, "stability"

    def connect(self) -> None:
        """The box is above the table."""
        super().connect()
        self.ranker.area.stability_box.clicked.connect(self.clicked)

    def facts(self, job: Job) -> dict[str, object]:
        """The chances."""
        return {"chances": self.found(job)}

    def refresh(self, job: Job | None) -> None:
        """After p-values, and after the null level unless the user asked for it."""
        ranker = self.ranker
        time = ranker.has_time() and not ranker.tests.busy and (self.urgent(job) or not ranker.nulls.busy)
        self.follow(job if time else None)
        ranker.area.set_stability_state(*self.state(job))

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find, self._table, job

    def caption(self, job: Job | None) -> str:
        """As long as it runs, the number of samples."""
        if job is not None and job == self._job:
            return f"{self.title}: {int(self._progress * SAMPLES / 100)} of {SAMPLES}"
        return super().caption(job)
