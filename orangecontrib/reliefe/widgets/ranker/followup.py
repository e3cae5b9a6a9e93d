"""Results that follow a ranking, such as p-values: computed in a thread for the score that leads, and shown.

A kind of result is a subclass of `FollowUp` in a file of its own, a `SettingProvider` of the ranker, and a line of
`OWRanker.made_follow_ups`.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.data import Table
from Orange.widgets import gui

from ...core.kernels.compilation import clock
from ...core.words import counted, duration
from ...orange.jobs.job import Job
from ...orange.jobs.result import Result
from ...orange.problem import TableProblem
from ...orange.ranker.scores import MethodScores
from ..utils.task import TaskThread

QUICK = 10.0  # seconds up to which nobody needs to be asked; chosen by eye
OTHER_FEATURES = "The result is of {}, and {} are ranked"
TRIAL = 1.5  # seconds before the time that is left is estimated; a ranking predicts it badly: kernels may be compiled


class ShownRanking(NamedTuple):
    """Ranking as follow-ups see it.

    problem: table that is ranked, and its task; None without data.
    result: rankings so far.
    lead: leading scores as they are shown; None without any.
    lead_job: job of the leading scores, with the parameters that were chosen automatically; None until they are final.
    job_of: returns the job of a method by its name.
    has_null: True if permuted targets give the leading scores a scale.
    level: of the false discovery rate.
    running: True while the ranking runs.
    visible: True if the window is open.
    """

    problem: TableProblem | None
    result: Result
    lead: MethodScores | None
    lead_job: Job | None
    job_of: Callable[[str], Job]
    has_null: bool
    level: float
    running: bool
    visible: bool


NO_RANKING = ShownRanking(
    problem=None,
    result=Result(),
    lead=None,
    lead_job=None,
    job_of=lambda name: Job.of(name, {}),
    has_null=True,
    level=MethodScores.level,
    running=False,
    visible=False,
)


@dataclass
class Record:
    """State of the work for one job.

    result: result of the work, perhaps an unfinished one; None: none yet.
    asked: True if the user wants it even if it takes long.
    given_up: True if the work was given up since it takes long, or was stopped by the user.
    seconds: estimated duration of the work; None: not known.
    failure: message of the error that ended the work; empty without one.
    """

    result: object = None
    asked: bool = False
    given_up: bool = False
    seconds: float | None = None
    failure: str = ""


class BoxState(NamedTuple):
    """State of a check box of results.

    ticked: True if there is a result, or will be one.
    caption: text of the box.
    possible: True if there is a score that the result can be of.
    failure: message of the error that ended the work; empty without one.
    """

    ticked: bool
    caption: str
    possible: bool
    failure: str


class FollowUp(TaskThread, QObject, gui.OWComponent):
    """Runs the work of one kind of results, one job at a time, and keeps a record for each job.

    A subclass gives `title`, `ticked`, `find` and `show`, and overrides `job`, `ready`, `work`, `facts` or `caption`
    where it differs.  Jobs are hashable.  Work that takes long is given up unless the user asked for it.
    """

    title: str  # of the check box
    ticked: bool  # a `Setting`: the user likes to see the results
    find: Callable[..., object]  # (table, job, state) -> result, for a thread
    continues = False  # True if work that was given up goes on later from its last partial result

    changed = Signal()  # a result has come, or work has begun, progressed or ended
    ticked_changed = Signal()  # by the user

    def __init__(
        self,
        widget: QObject,
        first: Sequence["FollowUp"] = (),
    ):
        """widget: whose part this is; first: follow-ups computed before."""
        QObject.__init__(self, widget)
        TaskThread.__init__(self)
        gui.OWComponent.__init__(self, widget)
        # What `FollowUps` hands over
        self.ranking = NO_RANKING  # that is shown
        self.awake = False  # True from the first ranking that this concerns until other data come
        self._first = first
        self._records: dict[Hashable, Record] = {}
        self._job: Hashable = None  # that is computed
        self._partial: object = None
        self._progress = 0.0  # per cent
        self._started = 0.0

    # What kinds differ in --------------------------------------------------------------------------------------------

    @property
    def wanted(self) -> bool:
        """True if there is a use for the results."""
        return self.ticked

    def concerns(self, ranking: ShownRanking) -> bool:
        """Return True if there is something to compute or to show; until then nothing else is called."""
        return self.wanted

    def offer(self, possible: bool) -> None:
        """Offer the results while nobody wants them; possible: there is a leading score that they can be of."""

    def job(self) -> Hashable:
        """Return the job that the result is about, by default that of the leading score; None: there is none."""
        return self.ranking.lead_job

    def ready(self) -> bool:
        """Return True if there is time: nothing that matters more is under way, and somebody looks."""
        ranking = self.ranking
        return ranking.visible and not ranking.running and not any(other.busy for other in self._first)

    def work(self, job: Hashable) -> tuple:
        """Return a function for a thread, and its arguments."""
        return self.find, self.table, job

    def is_complete(self, result: object) -> bool:
        """Return True if there is nothing to add to a result."""
        return result is not None

    def n_ranked(self, result: object) -> int | None:
        """Return the number of ranked features that a result has a value for each of; None: it has no such values."""
        return None

    def facts(self, job: Hashable, result: object) -> dict[str, object]:
        """Return arguments of the `MethodScores` of a job with a result; None: it has none, or none is wanted."""
        return {}

    def show(self, job: Hashable, result: object, box: BoxState) -> None:
        """Show the result of a job, perhaps a partial one, and the state of the check box; None: there is no result."""

    def shown(self, result: Result) -> Result:
        """Return rankings with scores that are shown for a moment in the place of the leading ones, and never sent."""
        return result

    def drop_preview(self) -> bool:
        """Show the ranking itself from the next time on; True if it was not shown."""
        return False

    def ranking_failed(self) -> None:
        """Forget the ranking that was to come."""

    # State -----------------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        return self._job is not None

    @property
    def is_blank(self) -> bool:
        """True if there is nothing to forget."""
        return not (self._records or self.busy)

    @property
    def table(self) -> Table:
        """Data that are ranked."""
        return self.ranking.problem.table

    def record(self, job: Hashable) -> Record:
        """Record of a job; an empty one that is not kept if there is none."""
        return self._records.get(job) or Record()

    def _kept_record(self, job):
        return self._records.setdefault(job, Record())

    def found(self, job: Hashable) -> object:
        """Result of a job, perhaps a partial one, if it is wanted; else None."""
        if not self.wanted:
            return None
        return self._partial if job is not None and job == self._job else self.record(job).result

    def is_due(self, job: Hashable) -> bool:
        """Return True if work for a job is still to be done."""
        record = self.record(job)
        settled = self.is_complete(record.result) or record.failure or (record.given_up and not record.asked)
        return self.wanted and job is not None and not settled

    def state(self, job: Hashable) -> BoxState:
        """Return the state of the check box of these results for a job."""
        record = self.record(job)
        shown = self.wanted and job is not None and (job == self._job or record.result is not None)
        return BoxState(shown, self.caption(job), job is not None, record.failure)

    def caption(self, job: Hashable) -> str:
        """Title, with the progress, the estimated time, or a note that the work failed."""
        record = self.record(job)
        if record.failure:
            return f"{self.title}: failed"
        if job is not None and job == self._job:
            return f"{self.title}: {self._progress:.0f} %"
        if record.result is not None or record.seconds is None:
            return self.title
        return f"{self.title} (about {duration(record.seconds)})"

    # What happens ----------------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Forget all results, as other data have come."""
        self.cancel()
        self._records = {}
        self._job = None
        self._partial = None

    def refresh(self) -> None:
        """Compute the result for the score that leads now, if there is time, and show its state."""
        job = self.job()
        self.follow(job if self.ready() else None)
        self.show(job, self.found(job), self.state(job))

    def clicked(self, ticked: bool) -> None:
        """Note that the user likes to see the result, or not."""
        self.ticked = ticked
        self.ask(self.job(), ticked)
        self.ticked_changed.emit()

    def ask(self, job: Hashable, wanted: bool = True) -> None:
        """Compute a job even if that takes long or failed before; or no more."""
        if job is None:
            return
        record = self._kept_record(job)
        record.asked = wanted
        if wanted:
            record.failure = ""

    def follow(self, job: Hashable) -> None:
        """Compute a job if it is due; end the work for any other job."""
        if self._job is not None and (job != self._job or not self.wanted):
            self.give_up()
        if job != self._job and self.is_due(job):
            self._job = job
            self._partial = self.record(job).result
            self._progress = 0.0
            self._started = clock()
            self.start(*self.work(job))

    def stop(self) -> None:
        """End the work, since the user does not want to wait for it any more."""
        record = self._kept_record(self._job)
        record.asked = False
        record.given_up = True
        self.give_up()
        self.changed.emit()

    def give_up(self) -> None:
        """End the work; partial results are lost, unless the work can continue."""
        self.cancel()
        if self.continues and self._partial is not None:
            self._kept_record(self._job).result = self._partial
        self._job = None
        self._partial = None

    def progressed(self) -> None:
        """Show the progress, and give up what turns out to take long."""
        spent = clock() - self._started
        if spent >= TRIAL and self._progress > 0:
            record = self._kept_record(self._job)
            record.seconds = 100 * spent / self._progress
            if record.seconds > QUICK and not record.asked:
                record.given_up = True
                self.give_up()
        self.changed.emit()

    # From the thread -------------------------------------------------------------------------------------------------

    def on_partial_result(self, result):
        if self._refuse(result):
            self.cancel()
            self._end()
            return
        self._partial = result
        self.changed.emit()

    def on_done(self, result):
        if not self._refuse(result):
            self._kept_record(self._job).result = result
        self._end()

    def _refuse(self, result) -> bool:
        """Return True if a result is of another number of features than are ranked, and note this as a failure.

        The views put results beside scores, feature by feature, and would fail within an event of the window.
        """
        n_of_result = self.n_ranked(result)
        if n_of_result is None:
            return False
        n_ranked = len(self.ranking.problem.ranked)
        if n_of_result == n_ranked:
            return False
        self._kept_record(self._job).failure = OTHER_FEATURES.format(counted(n_of_result, "feature"), f"{n_ranked:,}")
        return True

    def on_exception(self, ex):
        self._kept_record(self._job).failure = str(ex) or type(ex).__name__
        self._end()

    def _end(self):
        self._job = None
        self._partial = None
        self.changed.emit()

    def _connect_signals(self, state):
        super()._connect_signals(state)
        state.progress_changed.connect(self._progress_changed)

    def _disconnect_signals(self, state):
        super()._disconnect_signals(state)
        state.progress_changed.disconnect(self._progress_changed)

    def _progress_changed(self, progress):
        self._progress = progress
        self.progressed()
