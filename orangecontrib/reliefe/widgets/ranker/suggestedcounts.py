"""Two suggestions for the number of selected features: how many are significant, and how many predict."""

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QGridLayout, QSizePolicy, QWidget

from ...core.words import percent
from ..utils.controls import LinkLabel
from .measures import counts

REAL, PREDICT, ASK = "real", "predict", "ask"
ANSWERS = {  # to how many features are enough: title and tooltip
    REAL: (
        "Features that stand out",
        "All features whose scores stand out from those for shuffled targets, including redundant ones. The expected "
        "share of false discoveries is at most the false discovery rate. Click to select them",
    ),
    PREDICT: (
        "Features to predict from",
        "A short list without redundancy, to predict from. Boosted Relief adds the feature that explains most beyond "
        "those before, until the best of the rest gains no more than chance. No guarantee. Click to select these "
        "features",
    ),
}


class SuggestedCounts(QWidget):
    """Two suggestions, each with its guarantee below; a click selects that many."""

    chosen = Signal(str)  # REAL, PREDICT or ASK

    def __init__(self, parent=None):
        super().__init__(parent)
        self.parts, grid = {}, QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setHorizontalSpacing(12)
        for column, (name, (title, tip)) in enumerate(ANSWERS.items()):
            self.parts[name] = LinkLabel(wordWrap=True, accessibleName=title, toolTip=tip)
            self.parts[name].setAlignment(Qt.AlignTop)
            self.parts[name].setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
            self.parts[name].linkActivated.connect(self.chosen)
            grid.addWidget(self.parts[name], 0, column)
            grid.setColumnStretch(column, 1)
        self.hide()

    def show_state(self, significance: object | None, level: float, stop: object | None, caption: str) -> None:
        """Show how many features stand out, and where boosting stops.

        significance: None if it is not known yet, and then nothing is suggested.  stop: None if it is not known; then
        caption has the progress, and is empty where boosting does not rank.
        """
        self.setVisible(significance is not None)
        if significance is None:
            return
        found, rate = counts(significance, level), f"(false discovery rate {percent(level)})"
        verb = "stands" if found == 1 else "stand"
        link = [(REAL, f"{found:,} {verb} out {rate}")] * (found > 0)
        self.parts[REAL].set_links("{}" if found else f"None stands out {rate}", *link)
        part, n = self.parts[PREDICT], len(stop.features) if stop is not None else 0
        part.setVisible(stop is not None or bool(caption))
        if stop is None:
            waits = "%" in caption or "failed" in caption
            asked = caption.replace("predict", "predict?", 1)
            part.set_links(caption if waits else "{}", *[(ASK, asked)] * (not waits))
        elif not n:
            part.set_links("None predicts<br><small>nothing above chance for boosting</small>")
        else:
            real = int((significance.q[stop.features] <= level).sum())
            few = f"only {real:,} of {n:,} stand out from chance"
            below = few if found < n else "a short list without repetition; no guarantee"
            verb = "predicts" if n == 1 else "predict"
            part.set_links("{}" + f"<br><small>{below}</small>", (PREDICT, f"{n:,} {verb}"))
