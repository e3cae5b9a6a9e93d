"""Use of the features on the input: only these are ranked, or all are, and these are selected."""

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from .selection import MANUAL

RESTRICT, SELECT = USES = ("restrict", "select")
TITLES = {RESTRICT: "only these are ranked", SELECT: "these are selected"}
TIP = "Only the features on the input are ranked; or all are, and those on the input are selected, as if by hand"


class FeaturesBox(QWidget):
    """The choice; shown while something is connected."""

    changed = Signal(str)

    def __init__(self, use: str = RESTRICT, parent=None):
        super().__init__(parent)
        self.combo = QComboBox(toolTip=TIP, accessibleName="Features on the input")
        for name, title in TITLES.items():
            self.combo.addItem(title, name)
        self.combo.setCurrentIndex(self.combo.findData(use))
        self.combo.activated.connect(lambda index: self.changed.emit(self.combo.itemData(index)))
        label, row = QLabel("&Features input"), QHBoxLayout(self)
        label.setToolTip(TIP)
        label.setBuddy(self.combo)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label)
        row.addWidget(self.combo, 1)
        self.hide()


class FeaturesInput:
    """For a ranker with `selection`, `data`, `candidates`, and the settings that are named below."""

    def make_features_box(self) -> FeaturesBox:
        """The choice, for the box of the selection."""
        self.features_box = FeaturesBox(self.features_use)
        self.features_box.changed.connect(self._features_use_changed)
        return self.features_box

    @property
    def restriction(self) -> list | None:
        """The features that may be ranked; None: all."""
        return self.candidates if self.features_use == RESTRICT else None

    def unknown_features(self) -> int:
        """Number of the features on the input that are not in the data."""
        known = {variable.name for variable in self.data.domain.attributes}
        return len({variable.name for variable in self.candidates or ()} - known)

    def follow_features(self) -> None:
        """Select what has come, if it is for that, unless it was selected before: the user may have changed it."""
        self.features_box.setVisible(self.candidates is not None)
        names = [variable.name for variable in self.candidates or ()]
        if self.candidates is None or self.features_use == RESTRICT or names == self.features_taken:
            return
        self.features_taken = self.manual = names
        self.mode = MANUAL
        self.selection.set_mode(MANUAL)

    def _features_use_changed(self, use):
        if use != self.features_use:
            self.features_use, self.features_taken, self.arrived = use, None, True
            self.handleNewSignals()
