"""Editor of the influence of unlabelled rows in SSL-Relief: two weights, by hand or by cross-validation."""

from collections.abc import Mapping, Sequence

from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QLabel

from ...orange.ranker.scores import number_text
from ..utils.controls import number_box
from .automatic import AutomaticEditor, tuning_table

AUTO = "auto"
BEGIN = 0.0, 1.0  # weights that are shown before anything is known
STEP = 0.05  # of the weights
BEST = 8  # settings that a tooltip lists
NEAREST_TIP = "Weight of the unlabelled row that is nearest to a labelled row, from 0 to 1. Labelled rows have weight 1"
FARTHEST_TIP = (
    "Weight of the unlabelled row that is farthest from all labelled rows, from 0 to 1, at most that of the nearest. "
    "Between both, weights fall linearly with the distance to the nearest labelled row"
)
CHOOSE = (
    "Choose by cross-validation on the labelled rows: scores for each influence (and number of neighbours, if "
    "automatic) weigh the features of a nearest-neighbour classifier"
)


class InfluenceEditor(AutomaticEditor):
    """w0 (farthest row) and w1 (nearest row): both "auto", or two numbers, w0 at most w1."""

    changed = Signal(object, object)

    def __init__(self):
        name = "Influence of the nearest unlabelled row"
        self.nearest = number_box(name, 0, 0, 1, NEAREST_TIP, singleStep=STEP)
        self.farthest = number_box(name.replace("nearest", "farthest"), 0, 0, 1, FARTHEST_TIP, singleStep=STEP)
        row = QLabel("Nearest"), self.nearest, QLabel("Farthest"), self.farthest
        super().__init__("&Choose for me", CHOOSE, *row)
        self.distances = QLabel(wordWrap=True)
        self.layout().addWidget(self.distances)
        self.automatic.clicked.connect(self._send)
        self.nearest.valueChanged.connect(self._nearest_changed)
        self.farthest.valueChanged.connect(self._farthest_changed)
        self.forget()

    @property
    def weights(self) -> tuple[float, float]:
        """w0 and w1 as they are shown."""
        return self.farthest.value(), self.nearest.value()

    def forget(self) -> None:
        self._show(*BEGIN)
        self._show_distances(None)

    def show_state(self, w0: float | str, w1: float | str, offered: bool, info: Mapping[str, object] | None) -> None:
        """Show what is set, or where that is "auto" what was chosen; until that is known what was shown before.

        offered: whether some rows are labelled and some are not; info: of a ranking, if there is one.
        """
        automatic = w0 == AUTO
        if automatic:
            w0, w1 = (info["w0"], info["w1"]) if info else self.weights
        with QSignalBlocker(self.automatic):
            self.automatic.setChecked(automatic)
        self._show(w0, w1)
        if info:
            self._show_distances(info["nearest"])
        self.automatic.setEnabled(offered)
        for weight in (self.nearest, self.farthest):
            weight.setEnabled(offered and not automatic)
        tuning = tuning_rows(info["tuning"]) if info and info["tuning"] else ""
        self.show_choice(choice_text(info, automatic) if offered else "", tuning)

    def _show(self, w0, w1):
        with QSignalBlocker(self.nearest), QSignalBlocker(self.farthest):
            self.farthest.setValue(w0)
            self.nearest.setValue(w1)

    def _show_distances(self, nearest: Sequence[object] | None):
        text = ""
        if nearest:
            low, high, _ = nearest
            text = f"Distances of unlabelled rows to the nearest labelled row: {low:.3g} to {high:.3g}"
        self.distances.setText(text)
        self.distances.setVisible(bool(text))

    def _nearest_changed(self, w1):
        self._show(min(self.farthest.value(), w1), w1)
        self._send()

    def _farthest_changed(self, w0):
        self._show(w0, max(self.nearest.value(), w0))
        self._send()

    def _send(self, *_):
        w0, w1 = (round(weight, 4) for weight in self.weights)
        self.changed.emit(*((AUTO, AUTO) if self.automatic.isChecked() else (w0, w1)))


def choice_text(info: Mapping[str, object] | None, automatic: bool) -> str:
    """Choice in words."""
    if info is None:
        return "To be chosen by cross-validation" if automatic else ""
    setting = f"{info['n_neighbors']} neighbours, influence {info['w0']:g} to {info['w1']:g}"
    if info["tuning"]:
        best = max(quality for *_, quality in info["tuning"])
        return f"Best of {len(info['tuning'])} settings: {setting} (quality {number_text(best, 3)})"
    return f"Too few labelled rows to choose: {setting}" if automatic else ""


def tuning_rows(tuning: Sequence[Sequence[float]]) -> str:
    """The best of the settings (k, w0, w1, quality) that were tried, as a table."""
    ranked = sorted(tuning, key=lambda setting: -setting[-1])
    rows = [(f"{k}", f"{w0:g} to {w1:g}", f"{quality:.3f}") for k, w0, w1, quality in ranked[:BEST]]
    more = f"and {len(ranked) - BEST} more, down to {ranked[-1][-1]:.3f}" if len(ranked) > BEST else ""
    return tuning_table(("Neighbours", "Influence", "Quality"), rows, more)
