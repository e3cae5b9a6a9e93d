"""A first look at a table: its size and target, how it was read, and findings with a button each."""

from collections.abc import Sequence

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from ...core.description import CATEGORIES, COVARIATE, DIFF, DROP, GROUP, MISSING, TASK, TIMES, TRANSPOSE, Finding
from ..utils.controls import QuietLabel, placed

# Texts of the buttons by the actions
BUTTONS = {
    DROP: "Leave out",
    MISSING: "Read as missing",
    CATEGORIES: "Read as categories",
    GROUP: "Keep together",
    COVARIATE: "Adjust for it",
    DIFF: "By presence",
    TASK: "Read as classes",
    TIMES: "Read as times",
    TRANSPOSE: "Turn",
}
TIPS = {
    GROUP: "The column is sent as the group of rows, which the rankers take in Study",
    DIFF: "Numbers of features that are not 0 become 1, so that rows differ by presence, and not by amount",
    COVARIATE: "The column is sent as a covariate, for which the rankers adjust scores, as in Study",
    TRANSPOSE: "Rows become columns: this ticks Rows are features, which you can untick again",
    TIMES: "Both columns are sent as the target: times until an event, with censoring",
}
NOTHING = "Nothing looks suspect"


class FirstLook(QScrollArea):
    """Lines of text, and a row for each finding.

    A click disables all buttons until `show_lines` shows what it has changed, so that two quick clicks are one.
    """

    action_chosen = Signal(object)  # the user pressed the button of this Finding
    undone = Signal()  # the user pressed the button that takes all changes back

    def __init__(self):
        super().__init__(widgetResizable=True, accessibleName="First look")
        self.setFrameShape(QScrollArea.NoFrame)
        self.buttons: list[QPushButton] = []
        self.undo = QPushButton("&Undo changes", autoDefault=False, toolTip="Read all columns as they are in the file")
        self.undo.clicked.connect(self._undo_clicked)
        self.show_lines(())

    def show_lines(
        self,
        lines: Sequence[str],
        findings: Sequence[Finding] | None = None,
        changed: bool = False,
    ) -> None:
        """Show sentences and findings.

        findings: None if there is no table to look at.
        changed: True if buttons have changed how the file is read.
        """
        self.undo.setParent(None)
        self.undo.setEnabled(True)
        self.buttons = []
        content = QWidget()
        layout = placed(QVBoxLayout(content), spacing=6)
        for k, line in enumerate(lines):
            label = QLabel(line, wordWrap=True, textFormat=Qt.PlainText, textInteractionFlags=Qt.TextSelectableByMouse)
            font = label.font()
            font.setBold(k == 0)
            label.setFont(font)
            layout.addWidget(label)
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        for row, finding in enumerate(findings or ()):
            grid.addWidget(QLabel(finding.sentence, wordWrap=True, textFormat=Qt.PlainText), row, 1)
            grid.addWidget(self._action(finding), row, 0)
        layout.addLayout(grid)
        if findings is not None and not findings:
            layout.addWidget(QuietLabel(NOTHING))
        if changed:
            layout.addWidget(self.undo, 0, Qt.AlignLeft)
            self.undo.show()
        layout.addStretch(1)
        self.setWidget(content)

    def _action(self, finding: Finding) -> QPushButton:
        """Button that acts on a finding."""
        tip = TIPS.get(finding.action, finding.sentence)
        button = QPushButton(BUTTONS[finding.action], autoDefault=False, toolTip=tip)
        button.setAccessibleDescription(finding.sentence)
        button.clicked.connect(lambda: self._action_clicked(finding))
        self.buttons.append(button)
        return button

    def _action_clicked(self, finding: Finding) -> None:
        self._disable_buttons()
        self.action_chosen.emit(finding)

    def _undo_clicked(self) -> None:
        self._disable_buttons()
        self.undone.emit()

    def _disable_buttons(self) -> None:
        """Take no more clicks until the file has been read again."""
        for button in (*self.buttons, self.undo):
            button.setEnabled(False)
