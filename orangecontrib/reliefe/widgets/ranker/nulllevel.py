"""The score that irrelevant features reach: computed behind the ranking, for the score that leads."""

from Orange.data import Table

from ..utils.jobs import Job
from .background import Afterwards

SHUFFLES = 19
LABEL = f"null level (1 in {SHUFFLES + 1})"
TOOLTIP = (
    f"<p>The target is shuffled {SHUFFLES} times and the features are ranked anew each time. The null level is the "
    "largest score that <i>any</i> feature reaches then.</p><p>If no feature tells anything about the target, the best "
    f"score exceeds the level with probability at most 1/{SHUFFLES + 1}. So features above it are hardly there by "
    "chance; those below it may still be useful.</p>"
)


def find(table: Table, job: Job, state) -> object:
    """The null level of a job, for a thread."""
    from ...core import Interrupted

    def report(share: float) -> None:
        if state.is_interruption_requested():
            raise Interrupted
        state.set_progress_value(min(100 * share, 99.9))

    return job.null_level(table, report, SHUFFLES)


class NullLevels(Afterwards):
    """Null levels of jobs."""

    title = "Null level"

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find, self._table, job

    def level(self, job: Job | None) -> float | None:
        """The null level of a job, if it is known and wanted."""
        found = self.found(job)
        return found and found.level
