"""Tests against shuffled targets, and numbers of features that are enough: what each of them guarantees."""

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
from ..utils.task import RUNNING, reporter
from .background import Extra
from .measures import counts, measures
from .pvalues import MORE, TITLE, Tested
from .pvalues import find as find_p_values
from .selection import BEST, FDR
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
    return Stop.of(job.rank(table, reporter(state)))


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


class PValues(Extra):
    """Tests of jobs; each goes on until it is complete, or stopped, and keeps what it has when another score leads."""

    title, setting = TITLE, "p_values"
    progressed = Signal(int)  # per cent

    def reset(self, table: Table | None) -> None:
        """Forget what was found for other data."""
        super().reset(table)
        self._stopped, self._wanted, self._shown = set(), {}, None
        p = self.ranker.problem
        possible = p is None or p.labelled > 0
        self.ranker.area.set_p_possible(possible, "" if possible else NO_TARGET)

    def connect(self) -> None:
        """The box is above the table; the panel below it says what is known."""
        super().connect()
        ranker, area, panel = self.ranker, self.ranker.area, self.ranker.area.significance
        area.p_box.setVisible(ranker.supervised)
        area.p_box.setChecked(self.wanted)
        area.p_box.clicked.connect(self.clicked)
        panel.z_box.setChecked(ranker.show_z)
        panel.z_box.clicked.connect(self._z_clicked)
        self.progressed.connect(panel.set_progress)
        panel.stopped.connect(lambda: self.stop(ranker.lead_job()))
        panel.more_wanted.connect(self._more_wanted)
        ranker.selection.offer_fdr(ranker.supervised and self.wanted)
        ranker.selection.levels.changed.connect(self._level_changed)
        ranker.settingsAboutToBePacked.connect(self._pack)

    def facts(self, job: Job) -> dict[str, object]:
        """Significance, at the level that is asked for."""
        tested = self.found(job)
        return {"significance": tested and tested.significance, "level": self.ranker.fdr}

    def refresh(self, job: Job | None) -> None:
        """Before all other extras."""
        ranker = self.ranker
        if job is not None and self._restore(job):
            ranker.show_scores()
        can = ranker.supervised and ranker.problem is not None and ranker.problem.labelled > 0
        self.follow(job if can and ranker.run_state != RUNNING else None)
        self._show(job)

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find_p_values, self._table, job, self._found.get(job), self._wanted.get(job)

    def has(self, job: Job | None) -> bool:
        """True if there are p-values of a job, whether or not they are complete."""
        return job in self._found

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

    def complete(self, job: Job | None) -> object | None:
        """Significance of a job once all shuffles are made that were asked for, or else None."""
        tested = self.found(job)
        return tested.significance if tested is not None and tested.complete else None

    def _restore(self, job) -> bool:
        """Take what the workflow kept about the job; True if there was something."""
        ranker, about = self.ranker, self.ranker.result.about
        if not self.wanted or about is None or not ranker.tested or job in self._found:
            return False
        kept = restored_test(ranker.tested, about.fingerprint, job, len(ranker.problem.features))
        if kept is not None:
            self._found[job] = Tested(*kept)
        return kept is not None

    def _pack(self):
        """Keep finished p-values in the workflow; those of before, as long as there are no others."""
        ranker, about = self.ranker, self.ranker.result.about
        if self._found and about is not None:
            found = {job: (tested.significance, tested.wanted) for job, tested in self._found.items()}
            ranker.tested = packed_tests(about.fingerprint, found) or ranker.tested

    def _show(self, job):
        ranker, area, lead = self.ranker, self.ranker.area, self.ranker.area.lead
        there = ranker.supervised and self.wanted and ranker.problem is not None
        wanted = there and ranker.problem.labelled > 0
        significance = lead.significance if lead else None
        columns = lead is not None and wanted, significance, lead and lead.title, ranker.show_z, len(area.model.names)
        if columns != self._shown:
            self._shown = columns
            found = measures(significance, lead.title, ranker.show_z, len(lead.values)) if columns[0] else ()
            area.model.set_tests(found)
        area.significance.setVisible(there)
        if there and not wanted:
            area.significance.set_state(None, ranker.fdr, False, "", NO_TARGET, False)
        elif wanted:
            running, failure = job is not None and job == self._job, self._failed.get(job, "")
            title = lead.title if job is not None else ""
            area.significance.set_state(self.found(job), ranker.fdr, running, title, failure, job is not None)

    def clicked(self, wanted: bool) -> None:
        """The box; without p-values there is no selection by them."""
        if not wanted and self.ranker.mode == FDR:
            self.ranker.mode = BEST
            self.ranker.selection.set_mode(BEST)
        self.want(wanted)
        self.ranker.apply_selection()
        self.ranker.commit_soon()

    def want(self, wanted: bool) -> None:
        """Compute p-values, or no more."""
        ranker = self.ranker
        ranker.p_values = self.wanted = ranker.stops.wanted = wanted
        ranker.area.p_box.setChecked(wanted)
        ranker.selection.offer_fdr(ranker.supervised and wanted)
        ranker.show_scores()
        ranker.extras.refresh(ranker)

    def _more_wanted(self):
        job = self.ranker.lead_job()
        if job is not None:
            self.add(job)

    def _level_changed(self, level):
        self.ranker.fdr = level
        self.ranker.show_scores()
        self.ranker.extras.refresh(self.ranker)
        self.ranker.commit_soon()

    def _z_clicked(self, wanted):
        self.ranker.show_z = wanted
        self.ranker.extras.refresh(self.ranker)


class Stops(Extra):
    """Stops of boosting: computed after the p-values if that is quick, or asked for; shown beside the other number."""

    title, setting = "How many predict", "p_values"

    def connect(self) -> None:
        """A click on a number selects that many."""
        self.changed.connect(self.show)
        self.ranker.enough.chosen.connect(self._chosen)

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find, self._table, job

    def job(self) -> Job | None:
        """Job of boosting, with the parameters that it has here; None where it does not rank, or is not wanted."""
        from ...core import METHODS

        p, panel = self.ranker.problem, self.ranker.panel
        if not self.wanted or p is None or p.partly or not p.labelled:
            return None
        if BOOSTED not in METHODS or p.task not in METHODS[BOOSTED].tasks:
            return None
        if BOOSTED in panel.methods:
            return panel.own_job(BOOSTED)
        return Job.of(BOOSTED, valid_parameters(METHODS[BOOSTED], None, p.task))

    def refresh(self, job: Job | None) -> None:
        """After the p-values; a ranking by boosting that is there anyway will do."""
        ranker, boosted = self.ranker, self.job()
        tested = ranker.tests.complete(job) is not None and not ranker.tests.busy
        if boosted is not None and ranker.result.is_final(boosted):
            self._found.setdefault(boosted, Stop.of(ranker.result.rankings[boosted]))
        self.follow(boosted if tested and ranker.has_time() else None)
        self.show()

    def show(self) -> None:
        """Show both numbers."""
        ranker, job = self.ranker, self.job()
        significance = ranker.tests.complete(ranker.lead_job())
        ranker.enough.show_real(significance, ranker.fdr)
        caption = self.caption(job) if job is not None else ""
        ranker.enough.show_stop(job and self.found(job), caption, significance, ranker.fdr)

    def _chosen(self, which):
        ranker = self.ranker
        if which == ASK:
            self.ask(self.job(), True)
            ranker.extras.refresh(ranker)
        elif which == REAL:
            ranker.selection.set_mode(FDR)
            ranker.selection_changed()
        else:
            ranker.select_by_hand([ranker.area.model.names[f] for f in self.found(self.job()).features])
