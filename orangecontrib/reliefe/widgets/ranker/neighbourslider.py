"""Slider for the number of neighbours of the leading score, below the table of a ranker."""

from html import escape

from AnyQt.QtCore import QSignalBlocker, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSlider, QWidget

from ..utils.controls import ElidedLabel, placed

TOOLTIP = (
    "<p>Scores for all numbers of neighbours k, computed after the ranking. The slider then shows the scores for any "
    "k at once. The outputs always contain scores that were ranked with the chosen k.</p>"
)
SETTLE_MS = 400  # after the last key or turn of the wheel, when a position is meant
AGREED = 0.9  # agreement below which the ranking depends on k
NOTE = "depends on k"
MIN_WIDTH = 60  # pixels of the slider


class NeighbourSlider(QWidget):
    """A box that asks for the scores for all k, a slider that goes through them, and a note about the ranking."""

    moved = Signal(int)  # to a number of neighbours
    chosen = Signal(int)  # a number that stays
    clicked = Signal(bool)  # the box: whether all k are wanted

    def __init__(self, parent=None):
        super().__init__(parent)
        self.box = QCheckBox("All &k", toolTip=TOOLTIP, accessibleName="Scores for all numbers of neighbours")
        self.slider = QSlider(Qt.Horizontal, minimum=1, accessibleName="Number of neighbours")
        self.slider.setMinimumWidth(MIN_WIDTH)
        self.number, self.note = QLabel(), ElidedLabel()
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._choose)
        self.box.clicked.connect(self.clicked)
        self.slider.valueChanged.connect(self._changed)
        self.slider.sliderReleased.connect(self._choose)
        placed(QHBoxLayout(self), self.box, (self.slider, 1), self.number, self.note)
        self.set_k(1)
        self.set_note(None, 1, 1)

    @property
    def busy(self) -> bool:
        """True while the user is about to choose."""
        return self.slider.isSliderDown() or self._settle.isActive()

    @property
    def k(self) -> int:
        return self.slider.value()

    def set_state(self, ticked: bool, text: str, possible: bool, failure: str = "") -> None:
        """Show a state of the box."""
        self.box.setToolTip(f"<p>{escape(failure)}</p>" if failure else TOOLTIP)
        self.box.setChecked(ticked)
        self.box.setEnabled(possible)
        self.box.setText(text.replace("All k", "All &k"))
        self.layout().activate()  # at once: the text may be cut off otherwise

    def set_limit(self, K: int | None) -> None:
        """Let the slider go up to K neighbours; None: it is not known yet."""
        for part in (self.slider, self.number):
            part.setEnabled(K is not None)
        if K is None:
            return
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(K)
            self.slider.setPageStep(max(K // 10, 1))
        self.slider.setToolTip(f"Number of nearest neighbours of each row (of each class), 1 to {K}")

    def set_k(self, k: int) -> None:
        """Move the slider as the parameter is, unless the user is moving it; emits nothing."""
        if self.busy:
            return
        with QSignalBlocker(self.slider):
            self.slider.setValue(k)
        self._show_number()

    def move_to(self, k: int, stay: bool = False) -> None:
        """Move to a number of neighbours, as the user did elsewhere; stay: and choose it."""
        self.slider.setValue(k)
        if stay:
            self._choose()

    def set_note(self, agreement: float | None, k: int, K: int) -> None:
        """Note that the ranking depends on k where the rankings with half and twice as many neighbours disagree."""
        shown = agreement is not None and agreement < AGREED
        few, many = max(k // 2, 1), min(2 * k, K)
        self.note.setText(f"{NOTE}: ranks by k = {few} and {many} correlate by {agreement:.2f}" if shown else "")
        least = f"{NOTE}: \u2026"
        self.note.setMinimumWidth(self.note.fontMetrics().horizontalAdvance(least) + 6 if shown else 0)
        self.note.setToolTip(
            f"<p>With {few} and with {many} neighbours the features rank differently: the correlation of their ranks "
            f"is {agreement:.2f}, below {AGREED}.</p><p>Choose k with care. If the score of a feature falls as k "
            "grows, it interacts with other features, or matters in a part of the data only. If it stays or rises, "
            "the feature matters alone. See the view <i>Score by k</i>.</p>"
            if shown
            else ""
        )
        self.note.setAccessibleDescription(f"Agreement {agreement:.2f}" if shown else "")

    def stop(self) -> None:
        """Forget the number that the user was about to choose, also of a slider that is held."""
        self._settle.stop()
        with QSignalBlocker(self.slider):
            self.slider.setSliderDown(False)

    def _show_number(self):
        text, advance = f"k = {self.k}", self.fontMetrics().horizontalAdvance
        widest = f"k = {max(self.slider.maximum(), 10)}"
        self.number.setText(text)
        self.number.setMinimumWidth(max(advance(widest), advance(text)) + 4)
        self.slider.setAccessibleDescription(text)

    def _changed(self, _):
        self._show_number()
        if not self.slider.isSliderDown():
            self._settle.start()
        self.moved.emit(self.k)

    def _choose(self):
        self._settle.stop()
        self.chosen.emit(self.k)
