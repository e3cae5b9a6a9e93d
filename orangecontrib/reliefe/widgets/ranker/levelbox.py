"""The choice of a false discovery rate."""

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QComboBox

from ...core.words import percent
from .pvalues import LEVEL, LEVELS

TIP = (
    "False discovery rate, from 1 to 20 %: of the features that are selected, about so many are expected to be chance. "
    "The others are grey."
)


class LevelBox(QComboBox):
    """One of `LEVELS`."""

    changed = Signal(float)

    def __init__(self, level: float = LEVEL, parent=None):
        super().__init__(parent, toolTip=TIP, accessibleName="False discovery rate")
        for each in LEVELS:
            self.addItem(percent(each), each)
        self.setCurrentIndex(LEVELS.index(level) if level in LEVELS else LEVELS.index(LEVEL))
        self.activated.connect(lambda index: self.changed.emit(LEVELS[index]))

    @property
    def level(self) -> float:
        """The chosen one."""
        return LEVELS[self.currentIndex()]
