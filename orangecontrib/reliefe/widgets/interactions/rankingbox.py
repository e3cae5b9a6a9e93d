"""Choice of the ranking whose best features are paired."""

from collections.abc import Sequence

from AnyQt.QtWidgets import QComboBox

from ...orange.problem import WORDS
from ..utils.controls import fill

DEFAULT = "boostedlearnedrelief"  # finds pairs among many features, and rarely features that act together by chance
OFFERED = (
    DEFAULT, "learnedrelief", "boostedrelief", "turf", "multisurf", "relieff", "rrelieff", "reliefe", "pct",
    "randomforest",
)  # fmt: skip
TIP = "The ranking whose best features are tested in pairs. To use another ranking, connect Scores"
SCORES_TIP = "Column of Scores whose best features are tested in pairs"
GIVEN, GIVEN_TIP = "Features on the input", "The features on the input are tested in pairs"


class RankingBox(QComboBox):
    """Method to rank by; or a column of the scores, or the features, that are on the input."""

    def __init__(self, parent=None):
        super().__init__(parent, accessibleName="Ranked by")
        self.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(21)

    def offer_methods(self, chosen: str, task: str | None) -> None:
        """List the methods; those that do not rank for a kind of target are grey."""
        from ...core import METHODS

        methods = [METHODS[name] for name in OFFERED]
        fits = [task is None or task in method.tasks for method in methods]
        tips = [method.idea if fit else f"Not for {WORDS.get(task, task)}"
                for method, fit in zip(methods, fits, strict=True)]  # fmt: skip
        fill(self, zip((method.title for method in methods), OFFERED, tips, strict=True), usable(chosen, task))
        for number, fit in enumerate(fits):
            self.model().item(number).setEnabled(fit)
        self.setToolTip(TIP)

    def offer_columns(self, titles: Sequence[str], chosen: str) -> None:
        fill(self, [(title, title) for title in titles], chosen)
        self.setToolTip(SCORES_TIP)

    def offer_nothing(self) -> None:
        fill(self, [(GIVEN, "")], "")
        self.setToolTip(GIVEN_TIP)


def usable(method: str, task: str | None) -> str:
    """The method if it can rank for a kind of target, else the usual one, which ranks for all."""
    from ...core import METHODS

    return method if method in OFFERED and (task is None or task in METHODS[method].tasks) else DEFAULT
