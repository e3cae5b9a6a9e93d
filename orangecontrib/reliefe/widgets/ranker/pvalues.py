"""p-values of the leading score: their panel above the table, and when they are computed."""

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QMessageBox, QPushButton, QSizePolicy, QWidget
from Orange.data import Table

from ...orange.jobs.job import Job
from ...orange.jobs.p_values import Tested, find_p_values, with_more
from ...orange.jobs.remembered_tests import packed_tests, restored_test
from ...orange.ranker.decision import PValuesState
from ...orange.ranker.selection import BEST, FDR
from ..utils.controls import LinkLabel, placed
from ..utils.markup import plain
from ..utils.task import RUNNING
from .extras import Extra
from .measures import headline, measures, shortage, strictly

TITLE = "What p means, and what it does not"
MEANING = (
    "<p>A small p means that the feature scores higher than features do for shuffled targets. <b>q</b> is the false "
    "discovery rate: the expected share of false discoveries among the features down to this one.</p><p>It does "
    "<b>not</b> mean:</p><ul><li>A feature with a large p is useless. With few rows, relevant features can be "
    "missed.</li> <li>The feature adds information. Copies of a relevant feature are found, too.</li> <li>The effect "
    "is large. For its size, see the score.</li></ul> <p>All p are too small if features were selected by the target "
    "before, or if rows belong together (repeated measurements, families, time).</p> <p>Each feature is compared "
    "with all, so p is right on average. More in the help of this widget (F1), section <i>p-values</i>.</p>"
)
MEANS = "means"
ENOUGH = 20  # shuffles before which nothing is said of how many features stand out
NO_TARGET = "There is no target to shuffle, so there are no p-values"
WAITS = "p-values come after the ranking"


class SignificancePanel(QWidget):
    """Line above the table about shuffled targets; it is shown while p-values are wanted."""

    stopped = Signal()
    more_wanted = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.label = LinkLabel(wordWrap=True, accessibleName="p-values")
        self.label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.label.linkActivated.connect(self._show_meaning)
        self.z_box = QCheckBox(
            "&z", accessibleName="Show z",
            toolTip="Show z, too: the score minus its mean over shuffled targets, in standard deviations",
        )  # fmt: skip
        self.button = QPushButton("&More shuffles", autoDefault=False)
        self.button.clicked.connect(lambda: (self.stopped if self._running else self.more_wanted).emit())
        self.meaning = None
        self._running = False
        self._first = ""
        placed(QHBoxLayout(self), (self.label, 1), self.z_box, self.button)
        self.hide()

    def set_state(
        self,
        tested: Tested | None,
        level: float,
        running: bool,
        title: str,
        failure: str = "",
        possible: bool = True,
        study: bool = False,
    ) -> None:
        """Show a result for the score `title`, or the failure; possible: there is a score for p-values.

        study: the first note says what is permuted.
        """
        self._running = running
        self._first = ""
        tip = ""
        if running and tested is not None and tested.significance.n_shuffles < ENOUGH:
            tested = None
        if failure:
            text = (failure if failure == NO_TARGET else f"p-values: failed: {failure}").rstrip(".")
        elif tested is not None:
            text = f"{title}: {headline(tested.significance, level, tested.wanted)}"
        else:
            text = self._first = f"{title}: shuffling the target" if title else ""
        if tested is not None:
            short = shortage(tested.significance, level)
            notes = tested.significance.notes
            tip = "\n".join(filter(None, [strictly(tested.significance), short, *notes]))
            text += f"; {notes[0]}" if study and notes else ""
            text += f"; {short}" if short and not running else ""
        self._write(text or WAITS)
        self.label.setToolTip(plain(tip))
        self.button.setVisible(possible)
        if running:
            look = "Sto&p", "Stop, and keep the p-values so far"
        elif tested is None or not tested.complete or failure:
            look = "Sh&uffle", "Continue with the remaining shuffles"
        else:
            wanted = f"{with_more(tested).wanted:,} shuffles in all"
            look = "&More shuffles", f"{wanted}: finer p and a steadier q; the shuffles so far are kept"
        self.button.setText(look[0])
        self.button.setToolTip(look[1])

    def set_progress(self, percent: int) -> None:
        """Show the progress of the first shuffles."""
        if self._running and self._first:
            self._write(f"{self._first}: {percent} %")

    def _write(self, text):
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("{", "{{").replace("}", "}}")
        self.label.set_links(escaped + ". {}", (MEANS, "What p means"))

    def _show_meaning(self, *_):
        self.meaning = QMessageBox(QMessageBox.Information, TITLE, MEANING, QMessageBox.Ok, self)
        self.meaning.open()  # and the widget goes on beside it


class PValues(Extra):
    """Tests of jobs; each goes on until it is complete, or stopped, and keeps its shuffles when another score leads."""

    title, setting = "p-values", "p_values"

    def __init__(self, ranker):
        super().__init__(ranker)
        area, panel = ranker.area, ranker.area.significance
        area.p_box.setVisible(ranker.supervised)
        area.p_box.setChecked(self.wanted)
        area.p_box.clicked.connect(self.clicked)
        panel.z_box.setChecked(ranker.show_z)
        panel.z_box.clicked.connect(self._z_clicked)
        panel.stopped.connect(lambda: self.stop(ranker.lead_job()))
        panel.more_wanted.connect(self._more_wanted)
        ranker.selection.offer_fdr(ranker.supervised and self.wanted)
        ranker.selection.level_changed.connect(self._level_changed)
        ranker.settingsAboutToBePacked.connect(self._pack)

    def reset(self, table: Table | None) -> None:
        super().reset(table)
        self._stopped = set()
        self._wanted = {}
        self._shown = None
        p = self.ranker.problem
        self.ranker.area.offer_p_values("" if p is None or p.labelled > 0 else NO_TARGET)

    def ready(self) -> bool:
        """Before all other extras."""
        ranker = self.ranker
        can = ranker.supervised and ranker.problem is not None and ranker.problem.labelled > 0
        return can and ranker.run_state != RUNNING

    def work(self, job: Job) -> tuple:
        return find_p_values, self._table, job, self._found.get(job), self._wanted.get(job)

    def facts(self, job: Job) -> dict[str, object]:
        tested = self.found(job)
        return {"significance": tested and tested.significance, "level": self.ranker.fdr}

    def refresh(self) -> None:
        """Take p-values of the leading score from the workflow, or compute them."""
        job, (ranker, about) = self.job(), (self.ranker, self.ranker.result.about)
        if job is not None and self.wanted and about is not None and ranker.tested and job not in self._found:
            kept = restored_test(ranker.tested, about.fingerprint, job, len(ranker.problem.features))
            if kept is not None:
                self._found[job] = Tested(*kept)
                ranker.refresh("scores")
        super().refresh()

    def due(self, job: Job | None) -> bool:
        """True if shuffles of a job are still to come."""
        if not self.wanted or job is None or job in self._failed or job in self._stopped:
            return False
        return not (job in self._found and self._found[job].complete)

    def state_of(self, job: Job | None) -> PValuesState:
        """State of the p-values of a job, for the decision on outputs."""
        return PValuesState(missing=self.due(job) and job not in self._found, running=self.busy)

    def complete(self, job: Job | None) -> object | None:
        """Significance of a job if all shuffles that were asked for are there, else None."""
        tested = self.found(job)
        return tested.significance if tested is not None and tested.complete else None

    def stop(self, job: Job | None) -> None:
        """Keep the shuffles so far, until the user wants more."""
        self._stopped.add(job)
        if job == self._job:
            self._give_up()
        self.changed.emit()

    def follow(self, job: Job | None) -> None:
        """Shuffle for a job; whoever wants p-values waits for them, however long it takes."""
        if self._job is not None and (job != self._job or not self.wanted):
            self._give_up()
        if self._job is None and self.due(job):
            self._asked.add(job)
            self._job, self._partial, self._progress = job, self._found.get(job), 0.0
            self.start(*self.work(job))

    def _progressed(self, progress):
        """Show a number; the shuffles themselves are shown as they arrive."""
        before, self._progress = self._progress, progress
        if int(progress) != int(before):
            self.ranker.area.significance.set_progress(int(progress))

    def _give_up(self):
        if self._partial is not None:
            self._found[self._job] = self._partial
        super()._give_up()

    def _pack(self):
        """Keep finished p-values in the workflow; earlier ones stay as long as there are none."""
        about = self.ranker.result.about
        if self._found and about is not None:
            found = {job: (tested.significance, tested.wanted) for job, tested in self._found.items()}
            self.ranker.tested = packed_tests(about.fingerprint, found) or self.ranker.tested

    def show(self, job: Job | None) -> None:
        ranker = self.ranker
        area = self.ranker.area
        lead = self.ranker.area.lead
        there = ranker.supervised and self.wanted and ranker.problem is not None
        labelled = there and ranker.problem.labelled > 0
        significance = lead.significance if lead else None
        columns = lead is not None and labelled, significance, lead and lead.title, ranker.show_z, ranker.fdr
        if columns != self._shown:
            self._shown = columns
            found = measures(*columns[1:4], len(lead.values), ranker.fdr) if columns[0] else ()
            area.model.set_tests(found)
        area.significance.setVisible(there)
        if there and not labelled:
            area.significance.set_state(None, ranker.fdr, False, "", NO_TARGET, False)
        elif labelled:
            running, failure = job is not None and job == self._job, self._failed.get(job, "")
            title = lead.title if job is not None else ""
            study = job is not None and bool(job.covariates or job.group)
            area.significance.set_state(self.found(job), ranker.fdr, running, title, failure, job is not None, study)

    # What the user does ----------------------------------------------------------------------------------------------

    def clicked(self, wanted: bool) -> None:
        """Compute p-values, or no more; without them there is no selection by them."""
        if not wanted and self.ranker.mode == FDR:
            self.ranker.mode = BEST
            self.ranker.selection.set_mode(BEST)
        self.want(wanted)

    def want(self, wanted: bool) -> None:
        """Compute p-values, or no more."""
        ranker = self.ranker
        ranker.p_values = self.wanted = ranker.stops.wanted = wanted
        ranker.area.p_box.setChecked(wanted)
        ranker.selection.offer_fdr(ranker.supervised and wanted)
        ranker.panel.set_p_values(wanted)
        ranker.refresh("scores")

    def _more_wanted(self):
        """Go on with shuffles that were stopped, or else add more."""
        job = self.job()
        if job is None:
            return
        known = self._found.get(job)
        if known is not None and known.complete:
            self._found[job] = with_more(known)
            self._wanted[job] = self._found[job].wanted
        self._stopped.discard(job)
        self._failed.pop(job, None)
        self.changed.emit()

    def _level_changed(self, level):
        self.ranker.fdr = level
        self.ranker.refresh("scores")

    def _z_clicked(self, wanted):
        self.ranker.show_z = wanted
        self.ranker.refresh()
