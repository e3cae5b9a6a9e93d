"""The line above the table that says what shuffled targets told, and the ways to more of it, and to what it means."""

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QMessageBox, QPushButton, QSizePolicy, QWidget

from ..utils.controls import LinkLabel
from ..utils.markup import plain
from .measures import headline, shortage, strictly
from .pvalues import MORE, Tested

TITLE = "What p means, and what it does not"
MEANING = (
    "<p>A small p says: this feature scores higher than features do when the target has nothing to do with the rows. "
    "<b>q</b> is the false discovery rate: of the features down to this one, about so many are expected to be "
    "chance.</p>"
    "<p>It does <b>not</b> say:</p><ul>"
    "<li>that a feature with a large p is useless: few rows show little;</li>"
    "<li>that the feature tells something that others do not: one that only repeats a relevant one is found, too;</li>"
    "<li>how large the effect is: that is the score;</li>"
    "<li>anything, if the features were chosen by the target before: then all p are too small;</li>"
    "<li>anything, if rows belong together (repeated measurements, families, time): they must be exchangeable.</li>"
    "</ul><p>p is right on average over the features, since it compares all of them with each other; a single odd "
    "column among others is judged by the crowd. More in the help of this widget (F1), section <i>p-values</i>.</p>"
)
MEANS = "means"
ENOUGH = 20  # shuffles before which nothing is said of how many features stand out
NO_TARGET = "There is no target to shuffle, so there are no p-values"
WAITS = "p-values come after the ranking"


class SignificancePanel(QWidget):
    """Shown while p-values are wanted; `set_state` says what is known."""

    stopped = Signal()
    more_wanted = Signal()
    z_wanted = Signal(bool)

    def __init__(self, with_z: bool = False, parent=None):
        super().__init__(parent)
        self.label = LinkLabel(wordWrap=True, accessibleName="p-values")
        self.label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.label.linkActivated.connect(self.show_meaning)
        self.z_box = QCheckBox(
            "&z", checked=with_z, accessibleName="Show z",
            toolTip="Show z, too: the score less its mean over shuffled targets, in standard deviations",
        )  # fmt: skip
        self.z_box.clicked.connect(self.z_wanted)
        self.button = QPushButton("&More shuffles", autoDefault=False)
        self.button.clicked.connect(self._clicked)
        self.meaning, self._running, self._first = None, False, ""
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.z_box)
        layout.addWidget(self.button)
        self.hide()

    def set_state(
        self, tested: Tested | None, level: float, running: bool, title: str, failure: str = "", possible: bool = True
    ) -> None:
        """Say what is known.

        title: of the score; failure: why there are no p-values; possible: there is a score that they may be of.
        """
        self._running, self._first = running, ""
        if running and tested is not None and tested.significance.n_shuffles < ENOUGH:
            tested = None
        if tested is None and title and not failure:
            self._first = f"{title}: shuffling the target"
        text, tip = self._text(tested, level, title, failure), ""
        if tested is not None:
            notes = [shortage(tested.significance, level), *_plain(tested.significance.notes)]
            tip = "\n".join(filter(None, [strictly(tested.significance), *notes]))
            short = notes[0] if not running else ""
            text += f"; {short}" if short else ""
        self.label.set_links(_escaped(text) + ". {}", (MEANS, "What p means"))
        self.label.setToolTip(plain(tip))
        self.button.setVisible(possible)
        if running:
            self.button.setText("Sto&p")
            self.button.setToolTip("Keep the p-values as they are now")
        elif tested is None or not tested.complete or failure:
            self.button.setText("Sh&uffle")
            self.button.setToolTip("Go on with the shuffles that were asked for")
        else:
            self.button.setText("&More shuffles")
            wanted = MORE if tested.wanted < MORE else tested.wanted + MORE + 1
            self.button.setToolTip(
                f"{wanted:,} shuffles in all: finer p and a steadier q; those that are there are kept"
            )

    def set_progress(self, percent: int) -> None:
        """Say how far the first shuffles are."""
        if self._running and self._first:
            self.label.set_links(f"{_escaped(self._first)}: {percent} %. {{}}", (MEANS, "What p means"))

    @staticmethod
    def _text(tested, level, title, failure) -> str:
        if failure:
            return (failure if failure == NO_TARGET else f"p-values: failed: {failure}").rstrip(".")
        if tested is None:
            return f"{title}: shuffling the target" if title else WAITS
        return f"{title}: {headline(tested.significance, level, tested.wanted)}"

    def _clicked(self):
        (self.stopped if self._running else self.more_wanted).emit()

    def show_meaning(self, *_) -> None:
        """Show what p means, beside the widget, which goes on."""
        box = QMessageBox(QMessageBox.Information, TITLE, MEANING, QMessageBox.Ok, self)
        self.meaning = box
        box.open()


def _plain(notes) -> list[str]:
    """Notes in words of the widget."""
    return [
        note.replace(
            "significance.own_p in Python counts each alone", "tooltips also have p by each feature's own shuffles"
        )
        for note in notes
    ]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("{", "{{").replace("}", "}}")
