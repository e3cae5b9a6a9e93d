"""Number of trees: as many as it takes, or a number."""

from collections.abc import Mapping

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from ...core.words import percent
from ..utils.sparkline import MIN_AGREEMENT
from .job import AUTO, trees_text

USUAL_TREES, MAX_TREES = 100, 100_000  # trees: a number to begin with, and the most
FIRST = 10  # trees of the first ranking that others are compared with
STILL = (
    "Trees are added until the 20 best features by Genie3 hardly change when there are twice as many, twice in a row, "
    "up to 1,000. A list from few trees is another one with another seed, above all where there are many features."
)


class TreesEditor(QWidget):
    """The number of trees: "auto", or an integer."""

    changed = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.automatic = QCheckBox("Until the list is &steady", checked=True, toolTip=STILL)
        self.spin = QSpinBox(
            minimum=1,
            maximum=MAX_TREES,
            value=USUAL_TREES,
            alignment=Qt.AlignRight,
            accessibleName="Number of trees",
            toolTip="Number of trees; trees that are there already are not grown again",
            keyboardTracking=False,
            showGroupSeparator=True,
        )
        self.told = QLabel(wordWrap=True, toolTip=STILL)
        row, layout = QHBoxLayout(), QVBoxLayout(self)
        row.addWidget(self.automatic, 1)
        row.addWidget(self.spin)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.told)
        self.automatic.clicked.connect(self._send)
        self.spin.valueChanged.connect(self._send)

    def show_state(self, trees: int | str, info: Mapping[str, object] | None) -> None:
        """Show what is set, or where that is "auto" how many there are; info: of a ranking, if there is one."""
        automatic = trees == AUTO
        if automatic:
            trees = info["trees"] if info else self.spin.value()
        with QSignalBlocker(self.automatic), QSignalBlocker(self.spin):
            self.automatic.setChecked(automatic)
            self.spin.setValue(trees)
        self.spin.setEnabled(not automatic)
        self.told.setText(told(info) if info else "")
        self.told.setVisible(bool(self.told.text()))

    def _send(self, *_):
        self.changed.emit(AUTO if self.automatic.isChecked() else self.spin.value())


def told(info: Mapping[str, object]) -> str:
    """State of the list after these trees, in words."""
    trees, curve = trees_text(info["trees"]), info["convergence"]
    if info["has_converged"]:
        return f"{trees}: the list is steady"
    if not curve:
        return f"{trees}: too few to see whether the list is steady"
    (last, agreement), before = curve[-1], curve[-2][0] if len(curve) > 1 else FIRST
    best = "the best" if last == info["trees"] else f"the best of {last:,}"
    found = f"{trees}; {best} agree by {percent(agreement)} with those of {before:,}"
    return f"{found}: press Continue to be sure" if agreement >= MIN_AGREEMENT else found
