"""The strip below the ranking: what is being done, or what was done, and the way to stop."""

from AnyQt.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from .elided import ElidedLabel
from .task import FAILED, RUNNING, STOPPED

BUTTON = {
    RUNNING: ("S&top", "Keep the ranking as it is now"),
    STOPPED: ("&Resume", "Rank by all rows"),
    FAILED: ("&Rank again", "Try once more"),
}


class Strip(QWidget):
    """One line of text and a button; `buttons`: its text and tooltip in each state that has one."""

    def __init__(self, parent=None, buttons=BUTTON):
        super().__init__(parent)
        self._buttons = buttons
        self.label = ElidedLabel(sizePolicy=QSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred))
        self.button = QPushButton(buttons[RUNNING][0], autoDefault=False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 0)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.button)
        self.setMinimumHeight(self.button.sizeHint().height() + 6)

    def set_status(self, text: str) -> None:
        """From a task; the empty text that its end sends must not wipe the summary."""
        if text:
            self.set_text(text)

    def set_text(self, text: str, tooltip: str = "") -> None:
        """Show a line; more may stand in its tooltip."""
        self.label.setText(text)
        self.label.setToolTip(tooltip or text)

    def set_state(self, state: str) -> None:
        """The button stops, resumes or tries again, or there is none."""
        self.button.setVisible(state in self._buttons)
        if state in self._buttons:
            text, tip = self._buttons[state]
            self.button.setText(text)
            self.button.setToolTip(tip)
