"""The score that irrelevant features reach: computed behind the ranking, for the score that leads."""

from Orange.data import Table

from ..utils.jobs import Job
from ..utils.task import reporter
from .background import Extra

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
    return job.null_level(table, reporter(state), SHUFFLES)


class NullLevels(Extra):
    """Null levels of jobs: the box in the plot."""

    title, setting = "Null level", "null_level"

    def connect(self) -> None:
        """The box is in the plot."""
        super().connect()
        self.ranker.area.plot.null_clicked.connect(self.clicked)

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find, self._table, job

    def level(self, job: Job | None) -> float | None:
        """The null level of a job, if it is known and wanted."""
        found = self.found(job)
        return found and found.level

    def facts(self, job: Job) -> dict[str, object]:
        """The level."""
        return {"null": self.level(job)}

    def refresh(self, job: Job | None) -> None:
        """After p-values, and only where there is a target to shuffle."""
        ranker = self.ranker
        offered = ranker.has_null()
        job = job if ranker.problem is not None and offered else None
        self.follow(job if ranker.has_time() and not ranker.tests.busy else None)
        ranker.area.plot.set_null_state(*self.state(job), offered=offered)
