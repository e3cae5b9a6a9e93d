"""The strip below the ranking: what is being done, or what was done, and the way to stop."""

from AnyQt.QtCore import QTimer
from AnyQt.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from ...core.compilation import COMPILATION, TOLD
from .clusterdialog import ClusterButton
from .elided import ElidedLabel
from .markup import plain
from .task import FAILED, RUNNING, STOPPED

BUTTON = {
    RUNNING: ("S&top", "Keep the ranking as it is now"),
    STOPPED: ("&Resume", "Rank by all rows"),
    FAILED: ("&Rank again", "Try once more"),
}
POLL = 200  # ms between two looks at the compiler
BEFOREHAND = f"{TOLD}. The command orange-reliefe warm does it beforehand, for all methods."


class Strip(QWidget):
    """One line of text and a button; `buttons`: its text and tooltip in each state that has one.

    While something runs and waits for the compiler, the line says that instead.
    """

    def __init__(self, parent=None, buttons=BUTTON):
        super().__init__(parent)
        self._buttons, self._said, self._compiled = buttons, ("", ""), COMPILATION.count
        self._timer = QTimer(self, interval=POLL)
        self._timer.timeout.connect(self._look)
        self.label = ElidedLabel(sizePolicy=QSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred))
        self.button = QPushButton(buttons[RUNNING][0], autoDefault=False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 0)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.button)
        layout.addWidget(ClusterButton())
        self.setMinimumHeight(self.button.sizeHint().height() + 6)

    def set_status(self, text: str) -> None:
        """From a task; the empty text that its end sends must not wipe the summary."""
        if text:
            self.set_text(text)

    def set_text(self, text: str, tooltip: str = "") -> None:
        """Show a line; more may stand in its tooltip."""
        self._said = text, tooltip or text
        self._say(*self._said)

    def set_state(self, state: str) -> None:
        """The button stops, resumes or tries again, or there is none."""
        if state == RUNNING:
            self._compiled = COMPILATION.count
            self._timer.start()
        elif self._timer.isActive():
            self._timer.stop()
            self._say(*self._said)
        self.button.setVisible(state in self._buttons)
        if state in self._buttons:
            text, tip = self._buttons[state]
            self.button.setText(text)
            self.button.setToolTip(tip)

    def _look(self):
        """Between two of many compilations there are moments without one: their number tells, too."""
        compiling = COMPILATION.active or COMPILATION.count != self._compiled
        self._compiled = COMPILATION.count
        self._say(*(TOLD, BEFOREHAND) if compiling else self._said)

    def _say(self, text, tooltip):
        self.label.setText(text)
        self.label.setToolTip(plain(tooltip))
