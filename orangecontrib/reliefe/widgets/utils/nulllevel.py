"""The score that irrelevant features reach: computed behind the ranking, for the score that leads."""

import time

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.data import Table

from .jobs import Job
from .task import Prompt

SHUFFLES = 19
QUICK = 10.0  # seconds up to which nobody needs to be asked
TRIAL = 1.5  # seconds after which it can be told how long it takes; the ranking itself tells less: it may be compiled
LABEL = f"null level (1 in {SHUFFLES + 1})"
TOOLTIP = (
    f"<p>The target is shuffled {SHUFFLES} times and the features are ranked anew each time. The null level is the "
    "largest score that <i>any</i> feature reaches then.</p><p>If no feature tells anything about the target, the best "
    f"score exceeds the level with probability at most 1/{SHUFFLES + 1}. So features above it are hardly there by "
    "chance; those below it may still be useful.</p>"
)


def done(share: float, preparation: float) -> float:
    """Share of the time from the share of the shuffles: what is prepared is prepared once, in the first of them."""
    number, part = divmod(share * SHUFFLES, 1)
    if number == 0 and part <= preparation:
        units = part
    else:
        units = preparation + number * (1 - preparation) + max(part - preparation, 0)
    return units / (preparation + SHUFFLES * (1 - preparation))


def find(table: Table, job: Job, state) -> object:
    """The null level of a job, for a thread."""
    from ...conversion import arrays
    from ...core import Interrupted, null_level

    def report(share: float) -> None:
        if state.is_interruption_requested():
            raise Interrupted
        state.set_progress_value(min(100 * done(share, job.preparation), 99.9))

    data = arrays(table, method=job.method)
    about = {"nominal": data.nominal, "task": data.task, "hierarchy": data.hierarchy}
    about |= {"progress": report, "n_shuffles": SHUFFLES}
    return null_level(data.X, data.y, job.method, **about, **job.values)


class NullLevels(Prompt, QObject):
    """Null levels of jobs, computed one at a time and kept; `wanted`: the user likes to see them.

    What proves to take long is given up, unless the user asked for it.
    """

    changed = Signal()  # in any way: one is found, or begun, or given up

    def __init__(self, wanted: bool = True, parent=None):
        QObject.__init__(self, parent)
        Prompt.__init__(self)
        self.wanted, self._progress, self._started = wanted, 0.0, 0.0
        self.reset(None)

    def reset(self, table: Table | None) -> None:
        """Forget what was found for other data."""
        self.cancel()
        self._table, self._asked, self._job = table, set(), None
        self._found, self._failed, self._costs = {}, {}, {}

    def level(self, job: Job | None) -> float | None:
        """The null level of a job, if it is known and wanted."""
        return self._found[job].level if self.wanted and job in self._found else None

    def state(self, job: Job | None) -> tuple[bool, str, bool, str]:
        """Whether the job has a null level or will have one, the caption, whether it can have one, why it failed."""
        shown = self.wanted and job is not None and (job == self._job or job in self._found)
        return shown, self.caption(job), job is not None, self._failed.get(job, "")

    def caption(self, job: Job | None) -> str:
        """Name, and how far it is, how long it would take, or that it failed."""
        if job in self._failed:
            return "Null level: failed"
        if job is not None and job == self._job:
            return f"Null level: {self._progress:.0f} %"
        if job in self._found or job not in self._costs:
            return "Null level"
        seconds = self._costs[job]
        return f"Null level (about {seconds:.0f} s)" if seconds < 90 else f"Null level (about {seconds / 60:.0f} min)"

    def ask(self, job: Job | None, wanted: bool) -> None:
        """The user clicked: for this job even if it takes long, or no more."""
        self.wanted = wanted
        if wanted and job is not None:
            self._asked.add(job)
            self._failed.pop(job, None)
        else:
            self._asked.discard(job)

    def follow(self, job: Job | None) -> None:
        """Compute the level of this job, which leads now, if it is wanted and quick, or asked for; nothing for None."""
        if self._job is not None and (job != self._job or not self.wanted):
            self._give_up()
        settled = job in self._found or job in self._failed or (job in self._costs and job not in self._asked)
        if self.wanted and job not in (None, self._job) and not settled:
            self._job, self._progress, self._started = job, 0.0, time.monotonic()
            self.start(find, self._table, job)

    def on_partial_result(self, result):
        """There are none."""

    def on_done(self, result):
        self._found[self._job] = result
        self._end()

    def on_exception(self, ex):
        self._failed[self._job] = str(ex) or type(ex).__name__
        self._end()

    def _end(self):
        self._job = None
        self.changed.emit()

    def _connect_signals(self, state):
        super()._connect_signals(state)
        state.progress_changed.connect(self._progressed)

    def _disconnect_signals(self, state):
        super()._disconnect_signals(state)
        state.progress_changed.disconnect(self._progressed)

    def _progressed(self, progress):
        self._progress = progress
        spent = time.monotonic() - self._started
        if spent >= TRIAL:
            self._costs[self._job] = 100 * spent / progress
            if self._costs[self._job] > QUICK and self._job not in self._asked:
                self._give_up()
        self.changed.emit()

    def _give_up(self):
        self.cancel()
        self._job = None
