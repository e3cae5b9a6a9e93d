"""Number of features that stand out from chance, a suggestion below the rule of the selection; shown by `PValues`."""

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QSizePolicy

from ...core.words import percent
from ..utils.controls import LinkLabel
from .measures import counts

LINK = "discoveries"
TIP = (
    "All features whose scores stand out from those for shuffled targets, including redundant ones. The expected "
    "share of false discoveries is at most the false discovery rate. Click to select them"
)


class SuggestedCount(LinkLabel):
    """Sentence with the number of discoveries; a click on it selects them."""

    def __init__(self):
        super().__init__(wordWrap=True, accessibleName="Features that stand out", toolTip=TIP)
        self.setAlignment(Qt.AlignTop)
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.hide()

    def show_significance(self, significance: object | None, level: float) -> None:
        """Show how many features stand out at a false discovery rate; nothing without complete p-values (None)."""
        self.setVisible(significance is not None)
        if significance is None:
            return
        n_discoveries = counts(significance, level)
        rate = f"(false discovery rate {percent(level)})"
        if n_discoveries == 0:
            self.set_links(f"None stands out {rate}")
            return
        verb = "stands" if n_discoveries == 1 else "stand"
        self.set_links("{}", (LINK, f"{n_discoveries:,} {verb} out {rate}"))
