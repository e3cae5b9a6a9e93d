"""Editor of a parameter that is a method itself: its name, and below it, indented, that method's own parameters."""

from collections.abc import Callable

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QComboBox, QFormLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from ..utils.problem import UNSUPERVISED, WORDS
from .methodlist import method_tooltip
from .values import UNSHOWN, out_of_place

INDENT = 14  # pixels


class MethodEditor(QComboBox):
    """Value: (name, ((parameter, value), ...)) with only what differs from the defaults of that method.

    `details` has the fields of its parameters: forms put it below, in their whole width.
    """

    changed = Signal()

    def __init__(self, parameter: object, make: Callable[[object, object], QWidget]):
        """make: the editor of a parameter that shows a value."""
        super().__init__(sizeAdjustPolicy=QComboBox.AdjustToMinimumContentsLengthWithIcon, minimumContentsLength=6)
        self._make, self._editors, self._task = make, {}, None
        self._methods = {method.name: method for method in parameter.methods}
        self._set: dict[str, dict[str, object]] = {}  # of every method that was shown, what was set
        for method in self._methods.values():
            self.addItem(method.title, method.name)
            self.setItemData(self.count() - 1, method_tooltip(method), Qt.ToolTipRole)
        self.details = QWidget()
        self.few, self.rest = QWidget(), QWidget()
        self.more = QToolButton(
            checkable=True, autoRaise=True, toolButtonStyle=Qt.ToolButtonTextBesideIcon, arrowType=Qt.RightArrow
        )
        self.more.toggled.connect(self._fold)
        layout = QVBoxLayout(self.details)
        layout.setContentsMargins(INDENT, 0, 0, 0)
        layout.setSpacing(4)
        for widget in (self.few, self.more, self.rest):
            layout.addWidget(widget)
        for widget in (self.few, self.rest):
            form = QFormLayout(widget, fieldGrowthPolicy=QFormLayout.AllNonFixedFieldsGrow, labelAlignment=Qt.AlignLeft)
            form.setContentsMargins(0, 0, 0, 0)
            form.setVerticalSpacing(5)
        self.currentIndexChanged.connect(self._chosen)
        self._show()

    def value(self) -> tuple[str, tuple[tuple[str, object], ...]]:
        """The method and what was set of its parameters."""
        name = self.currentData()
        return name, tuple(sorted(self._set.get(name, {}).items()))

    def set_value(self, value: tuple[str, tuple[tuple[str, object], ...]]) -> None:
        """Show a method and its parameters."""
        before, (name, parameters) = self.value(), value
        with QSignalBlocker(self):
            self.setCurrentIndex(max(self.findData(name), 0))
        self._set[name] = dict(parameters)
        self._show()
        if self.value() != before:
            self.changed.emit()

    def set_task(self, task: str | None) -> None:
        """Grey out the methods that do not rank for the task, and leave out parameters that mean nothing there."""
        self._task = task
        for place, method in enumerate(self._methods.values()):
            fits = task is None or task in method.tasks
            self.model().item(place).setEnabled(fits)
            unfit = "needs a target" if task == UNSUPERVISED else f"not for {WORDS.get(task, task)}"
            tip = method_tooltip(method) + ("" if fits else f"<br>({unfit})")
            self.setItemData(place, tip, Qt.ToolTipRole)
        self._show()

    def _chosen(self):
        self._show()
        self.changed.emit()

    def _show(self):
        name = self.currentData()
        method, kept = self._methods[name], self._set.get(name, {})
        for widget in (self.few, self.rest):
            while widget.layout().rowCount():
                widget.layout().removeRow(0)
        self._editors = {}
        for parameter in method.parameters:
            if parameter.name in UNSHOWN or out_of_place(parameter, self._task):
                continue
            field = self._make(parameter, kept.get(parameter.name, parameter.default))
            field.changed.connect(self._edited)
            label = QLabel(parameter.label, toolTip=parameter.tooltip)
            label.setBuddy(field)
            label.setMinimumWidth(100 - INDENT)
            (self.rest if parameter.more else self.few).layout().addRow(label, field)
            self._editors[parameter] = field
        self.more.setText(f"More of {method.title}")
        self.setToolTip(method_tooltip(method))
        self._fold()

    def _fold(self, *_):
        few, rest = (widget.layout().rowCount() > 0 for widget in (self.few, self.rest))
        opened = self.more.isChecked()
        self.more.setArrowType(Qt.DownArrow if opened else Qt.RightArrow)
        self.few.setVisible(few)
        self.more.setVisible(rest)
        self.rest.setVisible(rest and opened)

    def _edited(self):
        name = self.currentData()
        kept = dict(self._set.get(name, {}))
        for parameter, field in self._editors.items():
            kept.pop(parameter.name, None)
            if field.value() != parameter.default:
                kept[parameter.name] = field.value()
        self._set[name] = kept
        self.changed.emit()
