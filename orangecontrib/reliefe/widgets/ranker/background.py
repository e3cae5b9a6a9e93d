"""Base of what is computed behind a finished ranking: one job at a time, results are kept, long ones given up."""

import time

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.data import Table

from ...core.kernels.compilation import COMPILATION
from ..utils.jobs import Job
from ..utils.task import Prompt

QUICK = 10.0  # seconds up to which nobody needs to be asked
TRIAL = 1.5  # seconds after which it can be told how long it takes; the ranking itself tells less: it may be compiled


def clock() -> float:
    """Seconds that do not go on while kernels are compiled, which happens but once."""
    return time.monotonic() - COMPILATION.seconds


class Extra(Prompt, QObject):
    """For a subclass that gives `title`, `setting` and `work(job)`: something about each score of a ranker that leads.

    What proves to take long is given up, unless the user asked for it.  `wanted`: the user likes to see it, as the
    setting of the ranker says.
    """

    title: str
    setting: str
    preview: object = None  # scores that are shown in the place of the leading ones, and never sent
    changed = Signal()  # in any way: something is found, or begun, or given up

    def __init__(self, ranker):
        QObject.__init__(self, ranker)
        Prompt.__init__(self)
        self.ranker, self.wanted, self._progress, self._started = ranker, getattr(ranker, self.setting), 0.0, 0.0
        self.reset(None)

    def connect(self) -> None:
        """Connect the controls, which the ranker has made."""
        self.changed.connect(self._show_change)

    def _show_change(self):
        self.ranker.extras.changed(self.ranker)

    def facts(self, job: Job) -> dict[str, object]:
        """Facts about a job: arguments of its `Scores`."""
        return {}

    def refresh(self, job: Job | None) -> None:
        """Compute this for the score that leads now, if there is time for it, and show its state; None: no score."""

    def shown(self, result: object) -> object:
        """The rankings of the methods as they are shown: with the preview, if there is one."""
        return result

    def drop_preview(self) -> None:
        """Show the ranking again, from the next time on."""

    def ranking_failed(self) -> None:
        """There are no scores."""

    def clicked(self, wanted: bool) -> None:
        """The user wants to see this, or not."""
        setattr(self.ranker, self.setting, wanted)
        self.ask(self.ranker.lead_job(), wanted)
        self.ranker.show_scores()
        self.ranker.extras.refresh(self.ranker)

    def work(self, job: Job) -> tuple:
        """A function for a thread and its arguments; what it returns is what is found about the job."""
        raise NotImplementedError

    def reset(self, table: Table | None) -> None:
        """Forget what was found for other data."""
        self.cancel()
        self._table, self._asked, self._job = table, set(), None
        self._found, self._failed, self._costs, self._partial = {}, {}, {}, None

    @property
    def busy(self) -> bool:
        """True if something is being computed."""
        return self._job is not None

    def urgent(self, job: Job | None) -> bool:
        """True if a job is to be computed, or is, though something else may be under way."""
        return job is not None and (job == self._job or job in self._asked)

    def found(self, job: Job | None) -> object:
        """Results of a job, perhaps not yet all, if they are wanted, or else None."""
        known = self._partial if job is not None and job == self._job else self._found.get(job)
        return known if self.wanted else None

    def state(self, job: Job | None) -> tuple[bool, str, bool, str]:
        """State of the box: whether there is a result or will be, caption, whether there can be, why it failed."""
        shown = self.wanted and job is not None and (job == self._job or job in self._found)
        return shown, self.caption(job), job is not None, self._failed.get(job, "")

    def caption(self, job: Job | None) -> str:
        """Title, and how far it is, how long it would take, or that it failed."""
        if job in self._failed:
            return f"{self.title}: failed"
        if job is not None and job == self._job:
            return f"{self.title}: {self._progress:.0f} %"
        if job in self._found or job not in self._costs:
            return self.title
        seconds = self._costs[job]
        return f"{self.title} (about {f'{seconds:.0f} s' if seconds < 90 else f'{seconds / 60:.0f} min'})"

    def ask(self, job: Job | None, wanted: bool) -> None:
        """The user clicked: for this job even if it takes long, or no more."""
        self.wanted = wanted
        if wanted and job is not None:
            self._asked.add(job)
            self._failed.pop(job, None)
        else:
            self._asked.discard(job)

    def follow(self, job: Job | None) -> None:
        """Compute it for this job, which leads now, if it is wanted and quick, or asked for; nothing for None."""
        if self._job is not None and (job != self._job or not self.wanted):
            self._give_up()
        settled = job in self._found or job in self._failed or (job in self._costs and job not in self._asked)
        if self.wanted and job not in (None, self._job) and not settled:
            self._job, self._partial, self._progress, self._started = job, None, 0.0, clock()
            self.start(*self.work(job))

    def on_partial_result(self, result):
        self._partial = result
        self.changed.emit()

    def on_done(self, result):
        self._found[self._job] = result
        self._end()

    def on_exception(self, ex):
        self._failed[self._job] = str(ex) or type(ex).__name__
        self._end()

    def _end(self):
        self._job = self._partial = None
        self.changed.emit()

    def _connect_signals(self, state):
        super()._connect_signals(state)
        state.progress_changed.connect(self._progressed)

    def _disconnect_signals(self, state):
        super()._disconnect_signals(state)
        state.progress_changed.disconnect(self._progressed)

    def _progressed(self, progress):
        self._progress = progress
        spent = clock() - self._started
        if spent >= TRIAL and progress > 0:
            self._costs[self._job] = 100 * spent / progress
            if self._costs[self._job] > QUICK and self._job not in self._asked:
                self._give_up()
        self.changed.emit()

    def _give_up(self):
        self.cancel()
        self._job = self._partial = None


class Extras(list[Extra]):
    """Extras of a ranker, in the order in which they are computed as far as one waits for another."""

    def facts(self, job: Job) -> dict[str, object]:
        """Facts of all of them about a job."""
        return {name: fact for extra in self for name, fact in extra.facts(job).items()}

    def refresh(self, ranker) -> None:
        """Let all of them be those of the score that leads now."""
        for extra in self:
            extra.refresh(ranker.lead_job())
        ranker.release()

    def changed(self, ranker) -> None:
        """One of them is found, begun, or given up."""
        lead = ranker.area.lead
        facts = ranker.facts(ranker.panel.job(lead.name)) if lead else {}
        if any(getattr(lead, name) is not value for name, value in facts.items() if name != "level"):
            ranker.show_scores()
        self.refresh(ranker)

    def shown(self, result: object) -> object:
        """A result as it is shown."""
        for extra in self:
            result = extra.shown(result)
        return result

    def drop_previews(self) -> None:
        """Show the ranking again, from the next time on."""
        for extra in self:
            extra.drop_preview()


TOOLTIP = (
    "<p>Boosting takes the feature next that tells most of what those before it leave open. It stops where the best "
    "one that is left gains no more than copies of features whose rows were shuffled: that many are worth having "
    "together. Relevant features that only repeat others come later.</p><p>Boosted lists change more from sample to "
    "sample than others: tick <i>Stability</i> to see how much.</p>"
)


def suggestion(stop: int) -> tuple[str, list[tuple[str, str]]]:
    """Template and links that say after how many features boosting stops."""
    if not stop:
        return "nothing above chance for boosting", []
    return "{} (where boosting stops)", [(str(stop), f"best {stop:,}")]
