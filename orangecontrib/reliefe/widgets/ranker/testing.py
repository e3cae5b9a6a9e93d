"""Numbers of features that are enough: two answers side by side, and what each of them guarantees."""

from dataclasses import dataclass

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QGridLayout, QSizePolicy, QWidget
from Orange.data import Table

from ...core.words import percent
from ..utils.controls import LinkLabel
from ..utils.jobs import Job
from ..utils.remembered import packed_tests, restored_test
from ..utils.task import RUNNING
from .background import Afterwards
from .measures import counts, measures
from .pvalues import PValues, Tested
from .selection import BEST, FDR, MANUAL
from .significancepanel import NO_TARGET
from .values import valid_parameters

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


class Testing:
    """For a ranker with `area`, `panel`, `problem`, `result`, `selection`, and the settings that are named here.

    The ranking comes first; p and q fill in afterwards, for the score that leads.  While the selection depends on them
    and there are none yet, nothing is sent.
    """

    def make_follow_ups(self) -> None:
        """Comes before the areas."""
        super().make_follow_ups()
        if self.mode == FDR and not self.supervised:
            self.mode = BEST
        self.p_values |= self.mode == FDR
        self.tests, self.stops = PValues(self.p_values, self), Stops(self.p_values, self)
        self.tests.changed.connect(self._follow_up_changed)
        self.stops.changed.connect(self._show_enough)
        self._shown_tests, self._unsent, self._held = None, False, False
        self.settingsAboutToBePacked.connect(self._pack_tests)

    def make_enough(self) -> Enough:
        """The two suggestions, for the box of the selection."""
        self.enough = Enough()
        self.enough.chosen.connect(self._enough_chosen)
        return self.enough

    def connect_follow_ups(self) -> None:
        """Comes after the areas."""
        super().connect_follow_ups()
        area, panel = self.area, self.area.significance
        area.p_box.setVisible(self.supervised)
        area.p_box.setChecked(self.p_values)
        area.p_box.clicked.connect(self._p_values_clicked)
        panel.z_box.setChecked(self.show_z)
        panel.z_box.clicked.connect(self._z_clicked)
        self.tests.progressed.connect(panel.set_progress)
        panel.stopped.connect(lambda: self.tests.stop(self._lead_job()))
        panel.more_wanted.connect(self._more_wanted)
        self.selection.offer_fdr(self.supervised and self.p_values)
        self.selection.levels.changed.connect(self._level_changed)

    def reset_follow_ups(self) -> None:
        """There are new data."""
        super().reset_follow_ups()
        self._held = self._unsent = False
        self._shown_tests = None
        for kind in (self.tests, self.stops):
            kind.reset(self.problem and self.problem.table)
        possible = self.problem is None or self.problem.labelled > 0
        self.area.set_p_possible(possible, "" if possible else NO_TARGET)

    def onDeleteWidget(self):
        for kind in (self.tests, self.stops):
            kind.shutdown()
        super().onDeleteWidget()

    # What is computed ------------------------------------------------------------------------------------------------

    def followed(self, job: Job) -> dict[str, object]:
        """Facts about a job: arguments of its `Scores`."""
        tested = self.tests.found(self.null_job(job))
        return super().followed(job) | {"significance": tested and tested.significance, "level": self.fdr}

    def has_time(self) -> bool:
        """True if nothing that matters more is under way."""
        return super().has_time() and not self.tests.busy

    def follow_up(self) -> None:
        """Let p-values be those of the score that leads now, and let what matters less wait for them."""
        job = self._lead_job()
        if job is not None and self._restore(job):
            self._show_scores()
        can = self.supervised and self.problem is not None and self.problem.labelled > 0
        self.tests.follow(job if can and self.run_state != RUNNING else None)
        self._unsent |= self.tests.busy
        super().follow_up()
        self._follow_stop()
        self._show_tests(job)
        self._release()

    @property
    def holds(self) -> bool:
        """True if the selection is by p-values that are still to come."""
        if self.mode != FDR or self.problem is None or not self.problem.labelled:
            return False
        job = self._lead_job()
        return self.tests.due(job) and job not in self.tests.known()

    def hold(self) -> None:
        """Let what comes after this widget wait for the selection."""
        self._held = True
        self.setInvalidated(True)

    def setInvalidated(self, state):
        """Not ready before the selection is."""
        super().setInvalidated(bool(state) or getattr(self, "_held", False))

    def _release(self):
        """Send what waited, or the p-values that have come."""
        if self.run_state == RUNNING:
            return
        if self._held and not self.holds:
            self._held = self._unsent = False
            self.setInvalidated(False)
            (self.commit.now if self._fresh else self.commit.deferred)()
            self._fresh = False
        elif self._unsent and not self.tests.busy:
            self._unsent = False
            self._commit_soon()

    def _restore(self, job) -> bool:
        """Take what the workflow kept about the job; True if there was something."""
        about = self.result.about
        if not self.p_values or about is None or not self.tested or job in self.tests.known():
            return False
        kept = restored_test(self.tested, about.fingerprint, job, len(self.problem.features))
        if kept is not None:
            self.tests.keep(job, Tested(*kept))
        return kept is not None

    def _pack_tests(self):
        """Keep finished p-values in the workflow; those of before, as long as there are no others."""
        known, about = self.tests.known(), self.result.about
        if known and about is not None:
            found = {job: (tested.significance, tested.wanted) for job, tested in known.items()}
            self.tested = packed_tests(about.fingerprint, found) or self.tested

    # The second answer: how many predict -----------------------------------------------------------------------------

    def _boosted_job(self) -> Job | None:
        """Job of boosting, with the parameters that it has here; None where it does not rank."""
        from ...core import METHODS

        p = self.problem
        if p is None or BOOSTED not in METHODS or p.task not in METHODS[BOOSTED].tasks or p.partly or not p.labelled:
            return None
        if BOOSTED in self.panel.methods:
            return self.panel.own_job(BOOSTED)
        return Job.of(BOOSTED, valid_parameters(METHODS[BOOSTED], None, p.task))

    def _complete(self):
        """Significance of the leading score once all shuffles are made that were asked for, or else None."""
        tested = self.tests.found(self._lead_job())
        return tested.significance if tested is not None and tested.complete else None

    def _follow_stop(self):
        job = self._boosted_job() if self.p_values else None
        tested = self._complete() is not None and not self.tests.busy
        if job is not None and self.result.is_final(job):
            self.stops.keep(job, self.result.rankings[job])
        self.stops.follow(job if tested and self.isVisible() and self.run_state != RUNNING else None)
        self._show_enough()

    def _show_enough(self):
        job, significance = self._boosted_job() if self.p_values else None, self._complete()
        self.enough.show_real(significance, self.fdr)
        caption = self.stops.caption(job) if job is not None else ""
        self.enough.show_stop(job and self.stops.found(job), caption, significance, self.fdr)

    def _enough_chosen(self, which):
        if which == REAL:
            self.selection.set_mode(FDR)
        elif which == PREDICT:
            features = self.stops.found(self._boosted_job()).features
            self.manual = [self.area.model.names[f] for f in features]
            self.selection.set_mode(MANUAL)
        else:
            self.stops.ask(self._boosted_job(), True)
            self.follow_up()
            return
        self._selection_changed()

    # What is shown ---------------------------------------------------------------------------------------------------

    def _show_tests(self, job):
        area, lead = self.area, self.area.lead
        there = self.supervised and self.p_values and self.problem is not None
        wanted = there and self.problem.labelled > 0
        significance = lead.significance if lead else None
        columns = lead is not None and wanted, significance, lead and lead.title, self.show_z, len(area.model.names)
        if columns != self._shown_tests:
            self._shown_tests = columns
            area.model.set_tests(
                measures(significance, lead.title, self.show_z, len(lead.values)) if columns[0] else ()
            )
        area.significance.setVisible(there)
        if there and not wanted:
            area.significance.set_state(None, self.fdr, False, "", NO_TARGET, False)
        elif wanted:
            tested = self.tests.found(job)
            running, failure = self.tests.under_way(job), self.tests.failure(job)
            title = lead.title if job is not None else ""
            area.significance.set_state(tested, self.fdr, running, title, failure, job is not None)

    # What the user does ----------------------------------------------------------------------------------------------

    def choose_selection(self) -> None:
        """The user chose a selection; one by p-values needs these."""
        if self.selection.mode == FDR and not self.p_values:
            self._want(True)

    def _p_values_clicked(self, wanted):
        if not wanted and self.mode == FDR:
            self.mode = BEST
            self.selection.set_mode(BEST)
        self._want(wanted)
        self._apply_selection()
        self._commit_soon()

    def _want(self, wanted):
        self.p_values = self.tests.wanted = self.stops.wanted = wanted
        self.area.p_box.setChecked(wanted)
        self.selection.offer_fdr(self.supervised and wanted)
        self._show_scores()
        self.follow_up()

    def _more_wanted(self):
        job = self._lead_job()
        if job is not None:
            self.tests.add(job)

    def _level_changed(self, level):
        self.fdr = level
        self._show_scores()
        self.follow_up()
        self._commit_soon()

    def _z_clicked(self, wanted):
        self.show_z = wanted
        self.follow_up()
