"""Line above the table about the p-values of the leading score: what they are made of, and its buttons."""

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QMessageBox, QPushButton, QSizePolicy, QWidget

from ...core.pages.feature_table import CONDITIONAL
from ...core.targets.facts import no_p_values
from ...core.words import sentence
from ...orange.jobs.p_values import Tested, with_more
from ...orange.ranker.proposals import Proposal
from ...orange.study_roles import COVARIATE, GROUP
from ..utils.controls import LinkLabel, placed
from ..utils.markup import plain
from .measures import headline, shortage, shuffles_text, strictly

ADDS = CONDITIONAL.capitalize()
ADDS_TIP = (
    "<p>Does a feature add anything to the information of the remaining features? A copy of a relevant feature has a "
    "small p, but adds nothing.</p><p>After the p-values, all features are tested if there are up to 100. Otherwise "
    "the discoveries and the selected features are. The column "
    f"<i>{CONDITIONAL}</i> has conditional p-values, which are also metas of Scores. If one is small, "
    "the feature adds something. The next column is their false discovery rate q. If the features were chosen by these "
    "rows, judge them by q. <i>Invalid</i> means that p does not hold for these data. This box shows how many features "
    "have at most .05, and how many were tested.</p><p>A feature takes a ranking and a regression. Untick to stop.</p>"
)
TITLE = "What p means, and what it does not"
MEANING = (
    "<p>A small p means that the feature scores higher than features do for shuffled targets. <b>q</b> is the false "
    "discovery rate: the expected share of false discoveries among the features down to this one.</p><p>It does "
    "<b>not</b> mean:</p><ul><li>A feature with a large p is useless. With few rows, relevant features can be "
    "missed.</li> <li>The feature adds information. Copies of a relevant feature are found, too. To test this, "
    f"tick <i>{ADDS}</i>.</li> <li>The effect is large. For its size, see the score.</li></ul> <p>All p are too small "
    "if features were selected by the target before, or if rows belong together (repeated measurements, families, "
    "time).</p> <p>Each feature is compared with all, so p is right on average. More in the help of this widget (F1), "
    "section <i>p-values</i>.</p>"
)
MEANS, TAKE, REFUSE = "means", "take", "refuse"  # targets of links
# Texts of the links that take a proposal, and refuse it, by the role
ANSWERS = {
    GROUP: ("Make it the group", "Rows are independent"),
    COVARIATE: ("Adjust for it", "It is no batch"),
}
ENOUGH = 20  # shuffles before which nothing is said of how many features stand out
WAITS = "p-values come after the ranking"


class SignificancePanel(QWidget):
    """Line above the table about shuffled targets; it is shown while p-values are wanted."""

    stopped = Signal()
    more_wanted = Signal()
    answered = Signal(object, bool)  # a Proposal, and whether the user takes it

    def __init__(self, parent=None):
        super().__init__(parent)
        self.label = LinkLabel(wordWrap=True, accessibleName="p-values")
        self.label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.label.linkActivated.connect(self._follow_link)
        self._question: Proposal | None = None  # that is asked
        self.z_box = QCheckBox(
            "&z", accessibleName="Show z",
            toolTip="Show z, too: the score minus its mean over shuffled targets, in standard deviations",
        )  # fmt: skip
        self.adds_box = QCheckBox(ADDS, accessibleName=ADDS, toolTip=ADDS_TIP)
        self.button = QPushButton("&More shuffles", autoDefault=False)
        self.button.clicked.connect(lambda: (self.stopped if self._running else self.more_wanted).emit())
        self.meaning = None
        self._running = False
        self._first = ""
        placed(QHBoxLayout(self), (self.label, 1), self.adds_box, self.z_box, self.button)
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
        is_counted: bool = False,
    ) -> None:
        """Show a result for the score `title`, or the failure; possible: there is a score for p-values.

        study: the first note says what is permuted.
        is_counted: True if the sentence above this line says how many features are significant.
        """
        self._question = None
        self._running = running
        self._first = ""
        tip = ""
        if running and tested is not None and tested.significance.n_shuffles < ENOUGH:
            tested = None
        if failure:
            text = (failure if failure == sentence(no_p_values()) else f"p-values: failed: {failure}").rstrip(".")
        elif tested is not None:
            shuffles = shuffles_text(tested.significance, tested.n_requested)
            text = f"{title}: {shuffles if is_counted else headline(tested.significance, level, tested.n_requested)}"
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
            in_all = f"{with_more(tested).n_requested:,} shuffles in all"
            look = "&More shuffles", f"{in_all}: finer p and a steadier q; the shuffles so far are kept"
        self.button.setText(look[0])
        self.button.setToolTip(look[1])

    def set_progress(self, percent: int) -> None:
        """Show the progress of the first shuffles."""
        if self._running and self._first:
            self._write(f"{self._first}: {percent} %")

    def _write(self, text):
        self.label.set_links(_for_links(text) + ". {}", (MEANS, "What p means"))

    def ask(self, proposal: Proposal) -> None:
        """Ask whether a column has a role in the study, before p-values are computed."""
        self._running = False
        self._first = ""
        self._question = proposal
        take, refuse = ANSWERS[proposal.role]
        text = _for_links(f"Before p-values: {proposal.advice}")
        self.label.set_links(text + ". {} &nbsp; {}", (TAKE, take), (REFUSE, refuse))
        self.label.setToolTip(plain(proposal.advice))
        self.button.hide()

    def _follow_link(self, link):
        if link == MEANS:
            self._show_meaning()
        elif self._question is not None:
            self.answered.emit(self._question, link == TAKE)

    def _show_meaning(self):
        self.meaning = QMessageBox(QMessageBox.Information, TITLE, MEANING, QMessageBox.Ok, self)
        self.meaning.open()  # and the widget goes on beside it


def _for_links(text: str) -> str:
    """Return a plain text as a part of a template of links."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("{", "{{").replace("}", "}}")
