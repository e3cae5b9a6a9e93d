"""Box of choices for people, by their question, above the list of methods."""

from collections.abc import Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QButtonGroup, QGridLayout, QRadioButton, QWidget

from ...orange.ranker.method_choice import FEWEST, INTERACTIONS, OWN, QUICK, THOROUGH
from ..utils.controls import FoldButton, QuietLabel
from ..utils.markup import plain

TITLES = {
    QUICK: ("&Quick", "a first look, at once"),
    THOROUGH: ("All that matt&er", "several, side by side"),
    FEWEST: ("Fewest that predi&ct", "without repetition"),
    INTERACTIONS: ("What acts to&gether", "interactions"),
}
TIPS = {
    QUICK: (
        "For a first look: the method that scripts take for the same data, and beside it ReliefE if it fits. "
        "Covariates, a group and p-values change the method"
    ),
    THOROUGH: "Methods that find all relevant features, also redundant ones. Trust most those on which all agree",
    FEWEST: "A small set of features that predicts well. Features that repeat other ones come late",
    INTERACTIONS: (
        "Finds features that are informative only in combination, like two interacting genes. It learns which "
        "features matter, and compares rows that are alike in those"
    ),
}


class PresetBox(QWidget):
    """`preset`: the one that is checked, or OWN."""

    chosen = Signal(str)  # by the user
    folded = Signal(bool)

    def __init__(self, opened: bool = False, parent=None):
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.group, self.buttons = QButtonGroup(self), {}
        for row, (name, (title, about)) in enumerate(TITLES.items()):
            button = QRadioButton(title, toolTip=TIPS[name], accessibleDescription=TIPS[name])
            button.setProperty("preset", name)
            self.group.addButton(button)
            self.buttons[name] = button
            grid.addWidget(button, row, 0)
            grid.addWidget(QuietLabel(about, toolTip=TIPS[name]), row, 1)
        self.group.buttonClicked.connect(self._clicked)
        self.fold = FoldButton("All met&hods", opened, "Tick any methods; those that fit the data come first")
        self.fold.toggled.connect(self.folded)
        self.ticked = QuietLabel()
        grid.addWidget(self.fold, len(TITLES), 0, 1, 2)
        grid.addWidget(self.ticked, len(TITLES) + 1, 0, 1, 2)

    def show_state(self, preset: str, titles: Sequence[str], reason: str = "") -> None:
        """Check a preset, or none, and say which methods are computed, and why."""
        self.group.setExclusive(False)
        for name, button in self.buttons.items():
            button.setChecked(name == preset)
        self.group.setExclusive(True)
        text = ", ".join(titles) or "none ticked"
        self.ticked.setText(f"your choice: {text}" if preset == OWN else reason or text)
        self.ticked.setToolTip(plain(f"Computed: {text}" + (f". {reason}" if reason else "")))

    def _clicked(self, button):
        self.chosen.emit(button.property("preset"))
