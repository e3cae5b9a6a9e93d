"""Scores for every number of neighbours, computed behind the ranking, and what is read from them."""

from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.data import Table

from ..utils.jobs import Job
from ..utils.task import Prompt
from .background import Afterwards

K, SIGMA = "n_neighbors", "sigma"  # parameters that the sliders set
TOOLTIP = (
    "<p>Scores for every number of neighbours k at once, from one more search behind the ranking; then the sliders "
    "show them without any waiting. What is sent is always ranked anew: as if k had been typed.</p>"
)


def base_job(job: Job | None) -> Job | None:
    """Job of all numbers of neighbours for one of them; None for a method that has none."""
    from ...core import METHODS

    if job is None or not job.own or not METHODS[job.method].has_all_k(job.values):
        return None
    usual = {p.name: p.default for p in METHODS[job.method].parameters if p.name == K} | {SIGMA: None}
    return Job.of(job.method, {name: usual.get(name, value) for name, value in job.values.items()})


def find(table: Table, job: Job, state) -> object:
    """Curves of a job (core's `NeighbourCurves`), for a thread."""
    from ...core import Interrupted
    from ...table_curves import neighbour_curves

    def report(share: float) -> None:
        if state.is_interruption_requested():
            raise Interrupted
        state.set_progress_value(min(100 * share, 99.9))

    return neighbour_curves(table, job.method, progress=report, **job.values)


class AllNeighbours(Afterwards):
    """Curves of base jobs; only the last ones are kept, which may take 64 MB."""

    title = "All k"

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find, self._table, job

    def caption(self, job: Job | None) -> str:
        """Nothing fails here but what has no scores for all k; the tooltip says why."""
        return f"{self.title}: not here" if job in self._failed else super().caption(job)

    def ask(self, job: Job | None, wanted: bool) -> None:
        """The user clicked; what nobody wants to see takes no room."""
        super().ask(job, wanted)
        if not wanted:
            self._found.clear()

    def on_done(self, result):
        self._found.clear()
        super().on_done(result)


class Wanted(NamedTuple):
    """Question to curves: features (c,), number of neighbours and sigma."""

    features: tuple[int, ...]
    k: int
    sigma: float | None


class Reading(NamedTuple):
    """Answer: scores (K, c) of the features for all k, what chance leaves them in, and the agreement around k.

    band: two arrays (K, c), or None where it is not known.
    """

    wanted: Wanted
    curve: np.ndarray
    band: tuple[np.ndarray, np.ndarray] | None
    agreement: float


def read(curves, wanted: Wanted, state) -> Reading:
    """Answer of curves, for a thread."""
    from ...core import Interrupted

    features, found = list(wanted.features), []
    for ask in (
        lambda: curves.curve(features, wanted.sigma),
        lambda: curves.band(features, wanted.sigma),
        lambda: curves.agreement(wanted.k, wanted.sigma),
    ):
        if state.is_interruption_requested():
            raise Interrupted
        found.append(ask())
    return Reading(wanted, *found)


class Reader(Prompt, QObject):
    """Reads curves in a thread, one question at a time; an answer stays until there is another."""

    changed = Signal()

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        Prompt.__init__(self)
        self.reading, self._curves, self._asked = None, None, None

    def ask(self, curves, wanted: Wanted | None) -> None:
        """Ask curves; None: there are none, and the answer to others is forgotten."""
        if curves is None or wanted is None:
            self.cancel()
            self.reading = self._curves = self._asked = None
        elif curves is not self._curves or wanted != self._asked:
            if curves is not self._curves:
                self.reading = None
            self._curves, self._asked = curves, wanted
            self.start(read, curves, wanted)

    def on_done(self, result):
        self.reading = result
        self.changed.emit()

    def on_exception(self, ex):
        self.reading = None  # the sliders do without
        self.changed.emit()
