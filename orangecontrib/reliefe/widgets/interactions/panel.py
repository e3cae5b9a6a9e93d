"""Controls of Feature Interactions: which features are looked at, and how."""

from collections.abc import Sequence

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtWidgets import QComboBox

from ..utils.problem import WORDS

DEFAULT = "boostedlearnedrelief"  # finds pairs among many features, and rarely features that act together by chance
OFFERED = (
    DEFAULT, "learnedrelief", "boostedrelief", "turf", "multisurf", "relieff", "rrelieff", "reliefe", "pct",
    "randomforest",
)  # fmt: skip
TIP = "The ranking whose best features are looked at. Connect Scores to take another one"
SCORES_TIP = "Column of the scores on the input; its best features are looked at"
GIVEN, GIVEN_TIP = "Features on the input", "Exactly the features on the input are looked at"


class RankingBox(QComboBox):
    """Method to rank by; or a column of the scores, or the features, that are on the input."""

    def __init__(self, parent=None):
        super().__init__(parent, accessibleName="Ranked by")
        self.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(21)

    def offer_methods(self, chosen: str, task: str | None) -> None:
        """List the methods; those that do not rank for a kind of target are grey."""
        from ...core import METHODS

        with QSignalBlocker(self):
            self.clear()
            for name in OFFERED:
                method = METHODS[name]
                self.addItem(method.title, name)
                fits = task is None or task in method.tasks
                self.model().item(self.count() - 1).setEnabled(fits)
                tip = method.idea if fits else f"Not for {WORDS.get(task, task)}"
                self.setItemData(self.count() - 1, tip, Qt.ToolTipRole)
            self.setCurrentIndex(self.findData(usable(chosen, task)))
        self.setEnabled(True)
        self.setToolTip(TIP)

    def offer_columns(self, titles: Sequence[str], chosen: str) -> None:
        """List columns of scores."""
        with QSignalBlocker(self):
            self.clear()
            for title in titles:
                self.addItem(title, title)
            self.setCurrentIndex(max(self.findData(chosen), 0))
        self.setEnabled(True)
        self.setToolTip(SCORES_TIP)

    def offer_nothing(self) -> None:
        """Say that the features are given."""
        with QSignalBlocker(self):
            self.clear()
            self.addItem(GIVEN, "")
        self.setEnabled(False)
        self.setToolTip(GIVEN_TIP)


def usable(method: str, task: str | None) -> str:
    """The method if it can rank for a kind of target, else the usual one, which ranks for all."""
    from ...core import METHODS

    return method if method in OFFERED and (task is None or task in METHODS[method].tasks) else DEFAULT
