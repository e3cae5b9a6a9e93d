"""The parameters of a method as a form, made from the method's own table."""

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from .editors import editor
from .links import LinkLabel


def valid_parameters(method, stored: object) -> dict:
    """All parameters of a method: what was stored, as far as it is known and possible, and else the defaults."""
    values = {p.name: p.default for p in method.parameters}
    stored = stored if isinstance(stored, dict) else {}
    for parameter in method.parameters:
        if parameter.name in stored:
            try:
                values[parameter.name] = parameter.check(stored[parameter.name])
            except (TypeError, ValueError):
                continue  # from another version: the default will do
    return values


def changed_parameters(method, values: dict) -> dict:
    """Only what differs from the defaults: settings stay short, and follow defaults that get better."""
    return {p.name: values[p.name] for p in method.parameters if values[p.name] != p.default}


class ParameterForm(QWidget):
    """Few parameters in sight, the rest under More, and a way back to the defaults."""

    changed = Signal(dict)  # all values
    folded = Signal(bool)

    def __init__(self, opened: bool = False, parent=None):
        super().__init__(parent)
        self.method, self.editors = None, {}
        self.few, self.rest, self.nothing = QWidget(), QWidget(), QLabel("Nothing to set")
        self.more = QToolButton(
            text="M&ore",
            checkable=True,
            checked=opened,
            autoRaise=True,
            toolButtonStyle=Qt.ToolButtonTextBesideIcon,
            toolTip="Parameters that are seldom changed",
        )
        self.more.toggled.connect(self._fold)
        self.more.toggled.connect(self.folded)
        self.reset = LinkLabel("{}", ("defaults", "Defaults"), toolTip="Set all parameters of this method back")
        self.reset.linkActivated.connect(self.set_defaults)
        row, layout = QHBoxLayout(), QVBoxLayout(self)
        row.addWidget(self.more)
        row.addStretch()
        row.addWidget(self.reset)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.nothing)
        layout.addWidget(self.few)
        layout.addLayout(row)
        layout.addWidget(self.rest)
        for widget in (self.few, self.rest):
            form = QFormLayout(widget, fieldGrowthPolicy=QFormLayout.AllNonFixedFieldsGrow, labelAlignment=Qt.AlignLeft)
            form.setContentsMargins(0, 0, 0, 0)
            form.setVerticalSpacing(5)

    def set_method(self, method, values: dict) -> None:
        """Show the parameters of a method with these values."""
        self.method, self.editors = method, {}
        for widget in (self.few, self.rest):
            while widget.layout().rowCount():
                widget.layout().removeRow(0)
        for parameter in method.parameters:
            field = editor(parameter, values[parameter.name])
            field.changed.connect(self._changed)
            label = QLabel(parameter.label, toolTip=parameter.tooltip)
            label.setBuddy(field)
            label.setMinimumWidth(100)
            (self.rest if parameter.more else self.few).layout().addRow(label, field)
            self.editors[parameter.name] = field
        self._fold()

    def values(self) -> dict:
        """Name and value of every parameter."""
        return {name: field.value() for name, field in self.editors.items()}

    def set_defaults(self, _=None) -> None:
        """Back to the method's own values."""
        for parameter in self.method.parameters:
            with QSignalBlocker(self.editors[parameter.name]):
                self.editors[parameter.name].set_value(parameter.default)
        self._changed()

    def _changed(self, *_):
        self._fold()
        self.changed.emit(self.values())

    def _fold(self, *_):
        opened, parameters = self.more.isChecked(), self.method.parameters if self.method else ()
        some = any(p.more for p in parameters)
        self.more.setArrowType(Qt.DownArrow if opened else Qt.RightArrow)
        self.more.setVisible(some)
        self.rest.setVisible(some and opened)
        self.few.setVisible(not all(p.more for p in parameters))
        self.nothing.setVisible(not parameters)
        self.reset.setVisible(bool(self.method and changed_parameters(self.method, self.values())))
