"""The selection by p-values as a preprocessor, so that it happens within each fold."""

import time
from dataclasses import dataclass, field
from threading import Lock

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QComboBox
from Orange.data import Domain, Table
from Orange.preprocess.preprocess import Preprocess

from ...core.words import percent
from ..utils.jobs import Job
from .background import Afterwards


class KeepDiscoveries(Preprocess):
    """Leaves out all features but those at a level of the false discovery rate by the scores of a job."""

    def __init__(self, job: Job, level: float):
        self.job, self.level = job, level

    def __call__(self, data: Table) -> Table:
        """The data with these features, and all targets and metas."""
        test = self.job.significance_test(data)
        for _ in test.shuffle(progress=_nothing):
            pass
        kept, domain = test.result().q <= self.level, data.domain
        features = [feature for feature, keep in zip(domain.attributes, kept, strict=True) if keep]
        return data.transform(Domain(features, domain.class_vars, domain.metas))


def _nothing(share: float) -> None:
    """Nobody wants to know how far it is, or to stop it."""


TITLE = "p-values"
LEVELS = (0.01, 0.05, 0.1, 0.2)  # of the false discovery rate
LEVEL = 0.1
MORE = 199  # shuffles of the second helping
MIN_SHUFFLES = 3  # shuffles from which on something is shown: fewer have no spread
TOOLTIP = (
    "<p>Which features are real? The target is shuffled again and again, and the leading score of each feature is "
    "compared with what all features reach then. <b>q</b>: of the features down to this one, about so many are "
    "expected to be chance. Features above the level that is chosen under Selection are grey.</p><p>The ranking comes "
    "first, and p-values fill in; they are also sent, as metas of Scores. It can be stopped at any time.</p>"
)
PER_FEATURE = 5e-5  # seconds more between them, since what is shown takes longer for many features
EVERY = 0.25  # seconds between partial results


@dataclass(frozen=True, eq=False)
class Tested:
    """Significance by so many shuffles."""

    significance: object  # z, p and q
    wanted: int  # number of shuffles that were asked for
    test: object = None  # the test that more shuffles are added to; None for p-values that came with the workflow
    # Held by the thread that shuffles: one that was stopped may be on its last rows
    lock: Lock = field(default_factory=Lock)

    @property
    def complete(self) -> bool:
        """True if there are as many shuffles as were asked for."""
        return self.significance.n_shuffles >= self.wanted


def find(table: Table, job: Job, known: Tested | None, wanted: int | None, state) -> Tested:
    """Significance of a job's scores by `wanted` shuffles (None: as many as the core takes), for a thread.

    Shuffles that are `known` are not made again.
    """
    from ...core import Interrupted

    def report(share: float) -> None:
        if state.is_interruption_requested():
            raise Interrupted
        state.set_progress_value(min(100 * share, 99.9))

    test, lock = (known.test, known.lock) if known and known.test else (job.significance_test(table), Lock())
    with lock:
        shown, due = known.significance.n_shuffles if known else 0, 0.0
        for number in test.shuffle(wanted, progress=report):
            now = time.monotonic()
            if number > shown and number >= MIN_SHUFFLES and now >= due:
                state.set_partial_result(Tested(test.result(), wanted or test.default_shuffles, test, lock))
                due = now + max(EVERY, PER_FEATURE * len(table.domain.attributes))
        return Tested(test.result(), wanted or test.default_shuffles, test, lock)


class PValues(Afterwards):
    """Tests of jobs; each goes on until it is complete, or stopped, and keeps what it has when another score leads."""

    title = TITLE
    progressed = Signal(int)  # per cent

    def reset(self, table: Table | None) -> None:
        """Forget what was found for other data."""
        super().reset(table)
        self._stopped, self._wanted = set(), {}

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find, self._table, job, self._found.get(job), self._wanted.get(job)

    def keep(self, job: Job, tested: Tested) -> None:
        """Take what the workflow kept, unless there is something already."""
        if job not in self._found:
            self._found[job] = tested

    def known(self) -> dict[Job, Tested]:
        """All that was found, whether or not it is complete."""
        return dict(self._found)

    def failure(self, job: Job | None) -> str:
        """Reason why there are none; empty as long as there may be."""
        return self._failed.get(job, "")

    def under_way(self, job: Job | None) -> bool:
        """True if shuffles of a job are being made."""
        return job is not None and job == self._job

    def due(self, job: Job | None) -> bool:
        """True if shuffles of a job are still to come."""
        if not self.wanted or job is None or job in self._failed or job in self._stopped:
            return False
        return not (job in self._found and self._found[job].complete)

    def stop(self, job: Job | None) -> None:
        """Keep what there is, until the user wants more."""
        self._stopped.add(job)
        if job == self._job:
            self._give_up()
        self.changed.emit()

    def add(self, job: Job) -> None:
        """The user wants the rest of what was stopped, or else more shuffles."""
        known = self._found.get(job)
        if known is not None and known.complete:
            self._wanted[job] = MORE if known.wanted < MORE else known.wanted + MORE + 1
            self._found[job] = Tested(known.significance, self._wanted[job], known.test, known.lock)
        self._stopped.discard(job)
        self._failed.pop(job, None)
        self.changed.emit()

    def follow(self, job: Job | None) -> None:
        """Shuffle for this job, which leads now; nothing for None."""
        if self._job is not None and (job != self._job or not self.wanted):
            self._give_up()
        if self._job is None and self.due(job):
            self._asked.add(job)  # whoever wants p-values waits for them
            self._job, self._partial, self._progress = job, self._found.get(job), 0.0
            self.start(*self.work(job))

    def _progressed(self, progress):
        """Shuffles are shown as they arrive; in between there is but a number."""
        before, self._progress = self._progress, progress
        if int(progress) != int(before):
            self.progressed.emit(int(progress))

    def _give_up(self):
        if self._partial is not None:
            self._found[self._job] = self._partial
        super()._give_up()


TIP = (
    "False discovery rate, from 1 to 20 %: of the features that are selected, about so many are expected to be chance. "
    "The others are grey."
)


class LevelBox(QComboBox):
    """One of `LEVELS`."""

    changed = Signal(float)

    def __init__(self, level: float = LEVEL, parent=None):
        super().__init__(parent, toolTip=TIP, accessibleName="False discovery rate")
        for each in LEVELS:
            self.addItem(percent(each), each)
        self.setCurrentIndex(LEVELS.index(level) if level in LEVELS else LEVELS.index(LEVEL))
        self.activated.connect(lambda index: self.changed.emit(LEVELS[index]))

    @property
    def level(self) -> float:
        """The chosen one."""
        return LEVELS[self.currentIndex()]
