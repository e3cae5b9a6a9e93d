"""Numbers of features that are enough: two answers side by side, and what each of them guarantees."""

from dataclasses import dataclass

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QGridLayout, QSizePolicy, QWidget
from Orange.data import Table

from ...core.words import percent
from ..utils.jobs import Job
from ..utils.links import LinkLabel
from .background import Afterwards
from .measures import counts

BOOSTED = "boostedrelief"  # the method whose stop is the second answer
REAL, PREDICT, ASK = "real", "predict", "ask"
REAL_TIP = (
    "Which stand out? All features whose scores stand out from those of shuffled targets. Of those that are selected, "
    "at most the false discovery rate is expected to be chance. Features that repeat others are among them."
)
PREDICT_TIP = (
    "Which do I need to predict? A short list without repetition: Boosted Relief takes the feature next that tells "
    "most of what those before leave open, until the best of the rest gains no more than chance. No guarantee. A click "
    "selects these features, as if by hand."
)


@dataclass(frozen=True, eq=False)
class Stop:
    """Features (indices) that boosting takes before it stops, best first."""

    features: np.ndarray

    @classmethod
    def of(cls, ranking: object) -> "Stop":
        """That of a ranking by boosting."""
        return cls(ranking.ranking[: ranking.info["stopped"]])


def find(table: Table, job: Job, state) -> Stop:
    """Stop of boosting, for a thread."""
    from ...core import Interrupted

    def report(share: float) -> None:
        if state.is_interruption_requested():
            raise Interrupted
        state.set_progress_value(min(100 * share, 99.9))

    return Stop.of(job.rank(table, report))


class Stops(Afterwards):
    """Stops of boosting: computed after the p-values if that is quick, or asked for."""

    title = "How many predict"

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find, self._table, job

    def keep(self, job: Job, ranking: object) -> None:
        """Take the stop of a ranking that is there anyway."""
        if job not in self._found:
            self._found[job] = Stop.of(ranking)


class Enough(QWidget):
    """Two suggestions, each with what it guarantees below; a click selects that many."""

    chosen = Signal(str)  # REAL, PREDICT or ASK

    def __init__(self, parent=None):
        super().__init__(parent)
        self.parts, grid = {}, QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setHorizontalSpacing(12)
        for column, (name, title, tip) in enumerate(
            ((REAL, "Features that stand out", REAL_TIP), (PREDICT, "Features to predict from", PREDICT_TIP))
        ):
            self.parts[name] = LinkLabel(wordWrap=True, accessibleName=title, toolTip=tip)
            self.parts[name].setAlignment(Qt.AlignTop)
            self.parts[name].setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
            self.parts[name].linkActivated.connect(self.chosen)
            grid.addWidget(self.parts[name], 0, column)
            grid.setColumnStretch(column, 1)
        self.hide()

    def show_real(self, significance: object | None, level: float) -> None:
        """Say how many stand out from shuffled targets; None: not yet known, and then nothing is suggested."""
        self.setVisible(significance is not None)
        if significance is None:
            return
        found, rate = counts(significance, level), f"(false discovery rate {percent(level)})"
        if found:
            self.parts[REAL].set_links("{}", (REAL, f"{found:,} {'stands' if found == 1 else 'stand'} out {rate}"))
        else:
            self.parts[REAL].set_links(f"None stands out {rate}")

    def show_stop(self, stop: Stop | None, caption: str, significance: object | None, level: float) -> None:
        """Say where boosting stops; caption: how far that is, if it is not known; empty: it does not rank here."""
        part = self.parts[PREDICT]
        part.setVisible(stop is not None or bool(caption))
        if stop is None:
            known = "%" in caption or "failed" in caption
            asked = caption.replace("predict", "predict?", 1)
            part.set_links(caption if known else "{}", *(() if known else ((ASK, asked),)))
            return
        n = len(stop.features)
        if not n:
            part.set_links("None predicts<br><small>nothing above chance for boosting</small>")
            return
        below = "a short list without repetition; no guarantee"
        if significance is not None and int((significance.q <= level).sum()) < n:
            real = int((significance.q[stop.features] <= level).sum())
            below = f"only {real:,} of {n:,} stand out from chance"
        part.set_links("{}" + f"<br><small>{below}</small>", (PREDICT, f"{n:,} {'predicts' if n == 1 else 'predict'}"))
