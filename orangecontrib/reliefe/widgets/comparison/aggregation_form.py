"""Controls of how rankings are aggregated."""

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QWidget

from ...orange.comparison.aggregation import METHODS, STABILITY
from ..utils.controls import choices, form, spin

BEST_OF_HALF = (1, 1_000_000)  # best features of a half


class AggregationForm(QWidget):
    """Method, and for stability how many features a half selects."""

    changed = Signal()

    def __init__(self, method: str, n_best: int, parent=None):
        super().__init__(parent)
        self.combo = choices("Aggregation", [(title, name, tip) for name, (title, tip) in METHODS.items()], method)
        tip = "Number of best features in each half of the data. With fewer, fewer are stable by chance"
        self.spin = spin("Best features of a half", n_best, *BEST_OF_HALF, tip)
        rows = form(self)
        rows.addRow("&Method", self.combo)
        rows.addRow("Best of a &half", self.spin)
        self.label = rows.labelForField(self.spin)
        self.combo.activated.connect(self._changed)
        self.spin.valueChanged.connect(self._changed)
        self._show()

    @property
    def method(self) -> str:
        return self.combo.currentData()

    @property
    def n_best(self) -> int:
        return self.spin.value()

    def _changed(self, *_):
        self._show()
        self.changed.emit()

    def _show(self):
        for part in (self.label, self.spin):
            part.setVisible(self.method == STABILITY)
