"""Editor of a parameter that is a method itself: its name, and below it the parameters that matter most."""

from collections.abc import Callable

from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QComboBox, QFormLayout, QLabel, QVBoxLayout, QWidget


class MethodEditor(QWidget):
    """Value: (name, ((parameter, value), ...)) with only what differs from the defaults of that method."""

    changed = Signal()

    def __init__(self, parameter: object, make: Callable[[object, object], QWidget]):
        """make: the editor of a parameter that shows a value."""
        super().__init__()
        self._make, self._editors = make, {}
        self._methods = {method.name: method for method in parameter.methods}
        self._set: dict[str, dict[str, object]] = {}  # of every method that was shown, what was set
        self.combo = QComboBox(
            sizeAdjustPolicy=QComboBox.AdjustToMinimumContentsLengthWithIcon,
            minimumContentsLength=6,
            accessibleName=parameter.label,
        )
        for method in self._methods.values():
            self.combo.addItem(method.title, method.name)
        self.form = QFormLayout(fieldGrowthPolicy=QFormLayout.AllNonFixedFieldsGrow)
        self.form.setContentsMargins(12, 0, 0, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.combo)
        layout.addLayout(self.form)
        self.setFocusProxy(self.combo)
        self.combo.currentIndexChanged.connect(self._chosen)
        self._show()

    def value(self) -> tuple[str, tuple[tuple[str, object], ...]]:
        """The method and what was set of its parameters."""
        name = self.combo.currentData()
        return name, tuple(sorted(self._set.get(name, {}).items()))

    def set_value(self, value: tuple[str, tuple[tuple[str, object], ...]]) -> None:
        """Show a method and its parameters."""
        before, (name, parameters) = self.value(), value
        with QSignalBlocker(self.combo):
            self.combo.setCurrentIndex(max(self.combo.findData(name), 0))
        self._set[name] = dict(parameters)
        self._show()
        if self.value() != before:
            self.changed.emit()

    def _chosen(self):
        self._show()
        self.changed.emit()

    def _show(self):
        name = self.combo.currentData()
        method, kept = self._methods[name], self._set.get(name, {})
        while self.form.rowCount():
            self.form.removeRow(0)
        self._editors = {}
        for parameter in method.parameters:
            if parameter.more:
                continue
            field = self._make(parameter, kept.get(parameter.name, parameter.default))
            field.changed.connect(self._edited)
            label = QLabel(parameter.label, toolTip=parameter.tooltip)
            label.setBuddy(field)
            self.form.addRow(label, field)
            self._editors[parameter] = field

    def _edited(self):
        name = self.combo.currentData()
        kept = dict(self._set.get(name, {}))
        for parameter, field in self._editors.items():
            kept.pop(parameter.name, None)
            if field.value() != parameter.default:
                kept[parameter.name] = field.value()
        self._set[name] = kept
        self.changed.emit()
