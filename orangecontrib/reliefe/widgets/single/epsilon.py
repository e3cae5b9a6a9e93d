"""The choice of epsilon: the paper's, or by hand with a slider in equal ratios."""

import numpy as np
from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QValidator
from AnyQt.QtWidgets import QButtonGroup, QDoubleSpinBox, QGridLayout, QLabel, QRadioButton, QSlider, QWidget

MAX_EPSILON = 1e12
FACTOR = 1.1  # of a step of the spin box


class RatioSpin(QDoubleSpinBox):
    """Positive numbers of any size, written short; a step is a ratio."""

    def __init__(self, **properties):
        super().__init__(
            decimals=15, minimum=1 / MAX_EPSILON, maximum=MAX_EPSILON, keyboardTracking=False, **properties
        )
        self.setSpecialValueText(" ")  # nothing chosen yet

    def textFromValue(self, value):
        return f"{value:.4g}"

    def valueFromText(self, text):
        return float(text.replace(",", ""))

    def validate(self, text, position):
        try:
            self.valueFromText(text)
        except ValueError:
            return QValidator.Intermediate, text, position
        return QValidator.Acceptable, text, position

    def fixup(self, text):
        return self.textFromValue(self.value())

    def stepBy(self, steps):
        self.setValue(float(f"{self.value() * FACTOR**steps:.4g}"))


class EpsilonBox(QWidget):
    """State is plain: automatic (bool) and epsilon (float), which is remembered while it is automatic."""

    changed = Signal()

    def __init__(self, automatic: bool, epsilon: float, parent=None):
        super().__init__(parent)
        self.epsilon, self._grid = epsilon, np.zeros(0)
        what = "Values are compared with epsilon / √(rows + columns)"
        self.auto = QRadioButton("&Automatic", toolTip=f"As in the paper: the largest mean of a row or column. {what}")
        self.manual = QRadioButton("&Epsilon", toolTip=f"The larger, the sparser. {what}")
        self.auto_value = QLabel(alignment=Qt.AlignRight | Qt.AlignVCenter, toolTip="The paper's epsilon for the data")
        about = "Epsilon, in equal ratios: left keeps all, right makes the data ever sparser"
        self.slider = QSlider(Qt.Horizontal, accessibleName="Epsilon", toolTip=about)
        tip = "Epsilon, above 0, in units of the values"
        self.spin = RatioSpin(alignment=Qt.AlignRight, accessibleName="Epsilon", toolTip=tip)
        self.spin.setFixedWidth(self.fontMetrics().horizontalAdvance("0.000e-00") + 34)
        group = QButtonGroup(self)
        for button in (self.auto, self.manual):
            group.addButton(button)
            button.clicked.connect(self.changed)
        (self.auto if automatic else self.manual).setChecked(True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.auto, 0, 0, 1, 2)
        grid.addWidget(self.auto_value, 0, 2)
        grid.addWidget(self.manual, 1, 0)
        grid.addWidget(self.slider, 1, 1)
        grid.addWidget(self.spin, 1, 2)
        self.slider.valueChanged.connect(lambda step: self.set_epsilon(float(self._grid[step])))
        self.spin.valueChanged.connect(self.set_epsilon)
        self.set_grid(self._grid, 0.0)

    @property
    def automatic(self) -> bool:
        return self.auto.isChecked()

    def set_grid(self, grid: np.ndarray, automatic: float) -> None:
        """The epsilons that the slider goes through, ascending (none: no data), and the paper's."""
        self._grid = grid
        self.manual.setEnabled(len(grid) > 0 or self.epsilon > 0)
        self.slider.setEnabled(len(grid) > 0)
        self.spin.setEnabled(len(grid) > 0)
        self.auto_value.setText(f"{automatic:.4g}" if automatic > 0 else "")
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(len(grid) - 1, 0))
        if len(grid) and not self.epsilon > 0:  # nothing was chosen ever: begin where the paper does
            self.epsilon = float(f"{automatic:.3g}")
        self._show()

    def set_epsilon(self, epsilon: float) -> None:
        self.epsilon = float(epsilon)
        self.manual.setChecked(True)
        self._show()
        self.changed.emit()

    def _show(self):
        with QSignalBlocker(self.slider), QSignalBlocker(self.spin):
            if self.epsilon > 0:
                self.spin.setValue(self.epsilon)
            if len(self._grid):
                step = int(np.argmin(np.abs(np.log(self._grid / self.epsilon))))
                if self._grid[self.slider.value()] != self._grid[step]:
                    self.slider.setValue(step)
