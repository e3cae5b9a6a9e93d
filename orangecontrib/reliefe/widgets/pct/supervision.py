"""Weight of the target against the features in what trees make alike: by hand, or chosen automatically."""

from collections.abc import Mapping, Sequence

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from ..ranker.scores import number_text
from .job import AUTO, TUNED

STEPS, PAGE = 20, 5  # of the slider
# taken automatically where some rows lack a target, and where none does
PARTLY_LABELLED_WEIGHT, LABELLED_WEIGHT = 0.5, 1.0
TOOLTIP = (
    "<p>What rows in a leaf are to be alike in: at the right the target only, at the left the features only, as if "
    "there were no target, and in between both.</p>"
    "<p>Rows without a known target count, too, unless it is the target only.</p>"
)
CHOOSE = "By cross-validation on the labelled rows: forests with 0, 0.1, ... 1 predict those that were left out"
ALL, SOME, NONE = "all", "some", "none"  # how many rows are labelled


class SupervisionEditor(QWidget):
    """The weight of the target: a number from 0 to 1, "auto" (left alone), or "tuned"."""

    changed = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent)
        name = "Weight of the target"
        self.automatic = QCheckBox("Choose &for me", toolTip=CHOOSE)
        self.slider = QSlider(Qt.Horizontal, maximum=STEPS, pageStep=PAGE, accessibleName=name, toolTip=TOOLTIP)
        self.spin = QDoubleSpinBox(
            maximum=1,
            singleStep=1 / STEPS,
            alignment=Qt.AlignRight,
            accessibleName=name,
            toolTip=TOOLTIP,
            keyboardTracking=False,
        )
        self.told = QLabel(wordWrap=True)
        row, layout = QHBoxLayout(), QVBoxLayout(self)
        for part, stretch in ((QLabel("Features"), 0), (self.slider, 1), (QLabel("Target"), 0), (self.spin, 0)):
            row.addWidget(part, stretch)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.automatic)
        layout.addLayout(row)
        layout.addWidget(self.told)
        self.automatic.clicked.connect(self._choose)
        self.slider.valueChanged.connect(lambda step: self._send(step / STEPS))
        self.spin.valueChanged.connect(self._send)

    def show_state(self, weight: float | str, labelled: str, info: Mapping[str, object] | None) -> None:
        """Show what is set, or else what is taken; labelled: ALL, SOME or NONE; info: of a ranking, if there is one."""
        number = weight
        if labelled == NONE:
            number = 0.0
        elif weight in (AUTO, TUNED):
            number = info["supervision"] if info else LABELLED_WEIGHT if labelled == ALL else PARTLY_LABELLED_WEIGHT
        with QSignalBlocker(self.automatic):
            self.automatic.setChecked(weight == TUNED)
        self._show(number)
        self.automatic.setEnabled(labelled != NONE)
        for part in (self.slider, self.spin):
            part.setEnabled(labelled != NONE and weight != TUNED)
        self.told.setText(told(weight, labelled, info))
        self.told.setToolTip(tried(info["tuning"]) if info and info["tuning"] else "")
        self.told.setVisible(bool(self.told.text()))

    def _show(self, number):
        with QSignalBlocker(self.slider), QSignalBlocker(self.spin):
            self.slider.setValue(round(STEPS * number))
            self.spin.setValue(number)

    def _choose(self):
        self.changed.emit(TUNED if self.automatic.isChecked() else self.spin.value())

    def _send(self, number):
        self._show(number)
        self.changed.emit(round(float(number), 4))


def told(weight: float | str, labelled: str, info: Mapping[str, object] | None) -> str:
    """Choice and its reason, in words."""
    if labelled == NONE:
        return "No row has a target: features only"
    if weight == AUTO:
        return "Half, since only some rows are labelled" if labelled == SOME else ""
    if weight != TUNED:
        return ""
    if info is None:
        return "To be chosen by cross-validation"
    if not info["tuning"]:
        return "Too few labelled rows to choose"
    best = max(quality for _, quality in info["tuning"])
    return f"Best of {len(info['tuning'])} weights: {info['supervision']:g} (quality {number_text(best, 3)})"


def tried(tuning: Sequence[Sequence[float]]) -> str:
    """The weights that were tried, with their qualities, as a table."""
    rows = "".join(f"<tr><td>{w:g}</td><td align=right>&nbsp; {quality:.3f}</td></tr>" for w, quality in tuning)
    head = "<tr><th>Weight</th><th align=right>&nbsp; Quality</th></tr>"
    return f"Quality of predictions for labelled rows that were left out; higher is better<table>{head}{rows}</table>"
