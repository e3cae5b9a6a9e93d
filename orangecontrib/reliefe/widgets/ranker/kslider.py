"""Sliders for the number of neighbours and for sigma, below the table."""

from html import escape

import numpy as np
from AnyQt.QtCore import QSignalBlocker, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QGridLayout, QLabel, QSlider, QWidget

from ..utils.elided import ElidedLabel
from .neighbourcurves import TOOLTIP

ONE_ROW = 560  # pixels from which on both sliders have room beside each other
STEPS, LEAST = 30, 0.5  # values of sigma, and the least of them
SETTLED = 400  # ms after the last key or turn of the wheel, when a position is meant
AGREED = 0.9  # agreement below which the ranking depends on k
NOTE = "depends on k"


def sigmas(K: int) -> list[float | None]:
    """Values of sigma with two digits, in equal ratios up to twice the number of places; None, the last, is none."""
    values = np.geomspace(LEAST, max(2.0 * K, 2 * LEAST), STEPS)
    return [*dict.fromkeys(float(f"{value:.2g}") for value in values), None]


class KBar(QWidget):
    """Says where the sliders are (`moved`), and where they are to stay (`chosen`): number of neighbours, and sigma."""

    moved = Signal(int, object)
    chosen = Signal(int, object)
    clicked = Signal(bool)  # the box: whether all k are wanted

    def __init__(self, parent=None):
        super().__init__(parent)
        self._sigmas, self._sigma = sigmas(1), None
        self.box = QCheckBox("All &k", toolTip=TOOLTIP, accessibleName="Scores for all numbers of neighbours")
        self.box.clicked.connect(self.clicked)
        self.k, self.sigma = QSlider(Qt.Horizontal, minimum=1), QSlider(Qt.Horizontal, minimum=0)
        self.k_label, self.sigma_label = QLabel(), QLabel()
        self.note = ElidedLabel()
        self._settle = QTimer(self, singleShot=True, interval=SETTLED)
        self._settle.timeout.connect(self._choose)
        self.k.setAccessibleName("Number of neighbours")
        self.sigma.setAccessibleName("Sigma of the neighbours' weights")
        for slider in (self.k, self.sigma):
            slider.setMinimumWidth(60)
            slider.valueChanged.connect(self._changed)
            slider.sliderReleased.connect(self._choose)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(2)
        self._one_row = None
        self._arrange()
        self.set_position(1, None)
        self.set_note(None, 1, 1)

    def _arrange(self):
        one = self.width() >= ONE_ROW
        if one == self._one_row:
            return
        self._one_row, layout = one, self.layout()
        while layout.count():
            layout.takeAt(0)
        row, first = (0, 3) if one else (1, 1)
        places = [(self.box, 0, 0), (self.k, 0, 1), (self.k_label, 0, 2), (self.note, 0 if one else 1, 5 if one else 0)]
        places += [(self.sigma, row, first), (self.sigma_label, row, first + 1)]
        for widget, *place in places:
            layout.addWidget(widget, *place)
        for column, share in enumerate((0, 3, 0, 2, 0, 0) if one else (0, 1, 0, 0, 0, 0)):
            layout.setColumnStretch(column, share)
        layout.activate()
        self.setMinimumHeight(layout.totalMinimumSize().height())  # or two rows are pressed into one in a low window

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._arrange()

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """Controls in the order of Tab."""
        return self.box, self.k, self.sigma

    @property
    def busy(self) -> bool:
        """True while the user is about to choose."""
        return self.k.isSliderDown() or self.sigma.isSliderDown() or self._settle.isActive()

    @property
    def position(self) -> tuple[int, float | None]:
        """Number of neighbours and sigma."""
        return self.k.value(), self._sigma

    def set_state(self, ticked: bool, text: str, possible: bool, failure: str = "") -> None:
        """Set what the box says."""
        self.box.setToolTip(f"<p>{escape(failure)}</p>" if failure else TOOLTIP)
        self.box.setChecked(ticked)
        self.box.setEnabled(possible)
        self.box.setText(text.replace("All k", "All &k"))
        self.layout().activate()  # at once: the text may be cut off otherwise

    def set_limits(self, K: int | None, has_sigma: bool) -> None:
        """Let the sliders go up to K neighbours; None: nothing is known yet."""
        known = K is not None
        for part in (self.sigma, self.sigma_label):
            part.setVisible(has_sigma)
        for part in (self.k, self.k_label, self.sigma, self.sigma_label):
            part.setEnabled(known)
        if not known:
            return
        self._sigmas = sigmas(K)
        with QSignalBlocker(self.k), QSignalBlocker(self.sigma):
            self.k.setMaximum(K)
            self.k.setPageStep(max(K // 10, 1))
            self.sigma.setMaximum(len(self._sigmas) - 1)
        self.k.setToolTip(f"Number of nearest neighbours of each row (of each class), 1 to {K}")
        self.sigma.setToolTip(
            f"The q-th neighbour weighs exp(-(q/σ)²), σ from {LEAST:g} to {self._sigmas[-2]:g}; at the right end all "
            "neighbours weigh the same"
        )

    def set_position(self, k: int, sigma: float | None) -> None:
        """Move the sliders as the parameters are, unless the user is moving them."""
        if self.busy:
            return
        self._sigma = sigma
        known = [number for number in self._sigmas if number is not None]
        place = len(known) if sigma is None else int(np.argmin(np.abs(np.log(np.array(known) / sigma))))
        with QSignalBlocker(self.k), QSignalBlocker(self.sigma):
            self.k.setValue(k)
            self.sigma.setValue(place)
        self._show_numbers()

    def set_k(self, k: int, stay: bool = False) -> None:
        """The user shows a number of neighbours elsewhere; stay: and means it."""
        self.k.setValue(k)
        if stay:
            self._choose()

    def set_note(self, agreement: float | None, k: int, K: int) -> None:
        """Say that the ranking depends on k where those with half and twice as many neighbours do not agree."""
        shown = agreement is not None and agreement < AGREED
        self.note.setText(NOTE if shown else "")
        self.note.setMinimumWidth(self.note.fontMetrics().horizontalAdvance(NOTE) + 6 if shown else 0)
        few, many = max(k // 2, 1), min(2 * k, K)
        self.note.setToolTip(
            f"<p>With {few} and with {many} neighbours the features come in another order: the correlation of their "
            f"ranks is {agreement:.2f}, and below {AGREED} this is said.</p><p>So choose k with care. A feature whose "
            "score falls as k grows acts together with others, or in a part of the data only; one whose score stays or "
            "rises acts by itself. The view <i>Score by k</i> shows it.</p>"
            if shown
            else ""
        )
        self.note.setAccessibleDescription(f"Agreement {agreement:.2f}" if shown else "")

    def stop(self) -> None:
        """Forget what the user was about to choose, with a slider in the hand, too."""
        self._settle.stop()
        with QSignalBlocker(self.k), QSignalBlocker(self.sigma):
            self.k.setSliderDown(False)
            self.sigma.setSliderDown(False)

    def _show_numbers(self):
        k, sigma = self.position
        self.k_label.setText(f"k = {k}")
        self.sigma_label.setText("σ: none" if sigma is None else f"σ = {sigma:g}")
        metrics = self.fontMetrics()
        for label, widest in ((self.k_label, f"k = {max(self.k.maximum(), 10)}"), (self.sigma_label, "σ = 0.00")):
            label.setMinimumWidth(max(metrics.horizontalAdvance(text) for text in (widest, label.text())) + 4)
        self.k.setAccessibleDescription(self.k_label.text())
        self.sigma.setAccessibleDescription(self.sigma_label.text())

    def _changed(self, _):
        if self.sender() is self.sigma:
            self._sigma = self._sigmas[self.sigma.value()]
        self._show_numbers()
        if not (self.k.isSliderDown() or self.sigma.isSliderDown()):
            self._settle.start()
        self.moved.emit(*self.position)

    def _choose(self):
        self._settle.stop()
        self.chosen.emit(*self.position)
