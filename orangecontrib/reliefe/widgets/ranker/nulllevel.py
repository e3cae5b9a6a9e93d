"""Null level of the leading score, where no p-values are wanted, which say the same more finely.

Its check box is in the plot of scores by rank.
"""

from Orange.data import Table
from Orange.widgets.settings import Setting

from ...orange.jobs.job import Job
from ...orange.jobs.progress import reporter
from ...orange.ranker.scores import SHUFFLES
from .followup import BoxState, FollowUp, ShownRanking
from .plot import ScorePlot
from .pvalues import PValues


def find_null_level(table: Table, job: Job, state) -> object:
    """Return the null level of a job (core's `NullLevel`), for a thread."""
    return job.null_level(table, reporter(state), SHUFFLES)


class NullLevels(FollowUp):
    """Null levels of the scores that led so far."""

    title = "Null level"
    find = staticmethod(find_null_level)

    ticked = Setting(True)  # shown if it is quick

    def __init__(self, widget, tests: PValues, plot: ScorePlot):
        super().__init__(widget, first=(tests,))
        self._tests = tests
        self._plot = plot
        plot.null_clicked.connect(self.clicked)

    @property
    def offered(self) -> bool:
        """True if the leading score has a null level, and there are no p-values beside it."""
        return self.ranking.has_null and not self._tests.ticked

    def concerns(self, ranking: ShownRanking) -> bool:
        """Return True: the box in the plot is there, or hidden beside p-values, whether it is ticked or not."""
        return True

    def job(self) -> Job | None:
        return self.ranking.lead_job if self.offered else None

    def facts(self, job: Job, result: object) -> dict[str, object]:
        has_level = self.offered and result is not None
        return {"null": result.level if has_level else None}

    def show(self, job: Job | None, result: object, box: BoxState) -> None:
        self._plot.set_null_state(*box, offered=self.offered)
