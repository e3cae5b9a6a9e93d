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
from ..utils.task import reporter


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
    test, lock = (known.test, known.lock) if known and known.test else (job.significance_test(table), Lock())
    with lock:
        shown, due = known.significance.n_shuffles if known else 0, 0.0
        for number in test.shuffle(wanted, progress=reporter(state)):
            now = time.monotonic()
            if number > shown and number >= MIN_SHUFFLES and now >= due:
                state.set_partial_result(Tested(test.result(), wanted or test.default_shuffles, test, lock))
                due = now + max(EVERY, PER_FEATURE * len(table.domain.attributes))
        return Tested(test.result(), wanted or test.default_shuffles, test, lock)


TIP = (
    "False discovery rate, from 1 to 20 %: of the features that are selected, about so many are expected to be chance. "
    "The others are grey."
)


def is_level(value: object) -> bool:
    """One of the offered false discovery rates."""
    return isinstance(value, float) and value in LEVELS


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
