"""Stability of the leading score: chances of features to be among the best in other samples of the rows."""

import numpy as np
import scipy.sparse as sp
from Orange.data import Table
from Orange.widgets.settings import Setting

from ...orange.jobs.job import Job
from ...orange.jobs.progress import reporter
from ...orange.problem import CLASSIFICATION, task_of
from ..utils.markup import plain
from .area import RankingArea
from .followup import BoxState, FollowUp
from .nulllevel import NullLevels
from .pvalues import PValues

SAMPLES = 20  # chosen by eye
MIN_SAMPLES = 3  # samples from which on a partial result is shown
STABILITY = (
    f"<p>Features are ranked on {SAMPLES} random samples, each with about two thirds of the rows. The disk in a cell "
    "shows how often the feature is among the best n. The percentage beside this box is the mean over the best "
    "n.</p><p>If the list changes much between samples, many other lists are as good. Boosted lists change more: of "
    "redundant features they keep one, which depends on the sample.</p>"
)


def strata(table: Table) -> np.ndarray | None:
    """(n,) groups of rows that no sample may lose: classes, or rows with and without a target; None: a single group."""
    if task_of(table.domain) == CLASSIFICATION:
        return table.Y
    if not table.domain.class_vars or sp.issparse(table.Y):
        return None
    return np.isnan(table.Y.astype(float).reshape(len(table), -1)).all(axis=1)


def find_chances(table: Table, job: Job, state) -> object:
    """Return chances of the features by the rankings of all samples (core's `TopChances`), for a thread."""
    from ...core.evaluation import TopChances, distinct_rows
    from ...orange.conversion import group_codes

    chances = None
    failure = None
    rows_strata = strata(table)
    groups = group_codes(table, job.group)
    for number in range(SAMPLES):
        sample = table[distinct_rows(len(table), number, rows_strata, groups)]
        try:
            ranking = job.rank(sample, reporter(state, number / SAMPLES, (number + 1) / SAMPLES))
            of_sample = TopChances.of([ranking.scores])
        except ValueError as error:  # of few rows a sample may have too few
            failure = error
            continue
        chances = of_sample if chances is None else chances.joined(of_sample)
        if MIN_SAMPLES <= len(chances) < SAMPLES:
            state.set_partial_result(chances)
    if chances is None:
        raise failure
    return chances


class Stabilities(FollowUp):
    """Chances of the scores that led so far, also from the first few samples."""

    title = "Stability"
    find = staticmethod(find_chances)

    ticked = Setting(False)  # shown if it is quick

    def __init__(
        self,
        widget,
        first: tuple[PValues, NullLevels],
        area: RankingArea,
    ):
        """area: has the check box that asks for it and shows its state, and the table, which shows the chances."""
        super().__init__(widget, first=first)
        self._box = area.stability_box
        self._box.setToolTip(STABILITY)
        self._model = area.model
        self._box.clicked.connect(self.clicked)

    def ready(self) -> bool:
        """Return True after p-values, and after the null level, too, unless the user asked for it."""
        job = self.job()
        tests, nulls = self._first
        urgent = job is not None and (job == self._job or self.record(job).asked)
        ranking = self.ranking
        return ranking.visible and not ranking.running and not tests.busy and (urgent or not nulls.busy)

    def n_ranked(self, result) -> int:
        return len(result(1))

    def facts(self, job: Job, result: object) -> dict[str, object]:
        return {"chances": result}

    def offer(self, possible: bool) -> None:
        self._box.setEnabled(possible)

    def caption(self, job: Job | None) -> str:
        if job is not None and job == self._job:
            return f"{self.title}: {int(self._progress * SAMPLES / 100)} of {SAMPLES}"
        return super().caption(job)

    def show(self, job: Job | None, result: object, box: BoxState) -> None:
        mean = self._model.mean_share() if box.ticked and box.caption == self.title else None
        self._box.setChecked(box.ticked)
        self._box.setText(box.caption if mean is None else f"{box.caption}: {100 * mean:.0f} %")
        self._box.setEnabled(box.possible)
        self._box.setToolTip(plain(box.failure) or STABILITY)
