"""The parameters of a method as a form, made from the method's own table."""

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from ...core.methods.parameters import METHOD
from ..utils.links import LinkLabel
from .editors import editor
from .values import ELSEWHERE, changed_parameters, defaults, idle, out_of_place, presets

DEFAULTS = "defaults"
TITLES = {"paper": "The paper's choices"}  # of presets


class ParameterForm(QWidget):
    """Few parameters in sight, the rest under More, and ways to a preset and back to the defaults.

    A preset is no state: its link sets the other parameters.
    """

    changed = Signal(dict)  # all values
    cleared = Signal()  # comes before: what was set is to be forgotten
    folded = Signal(bool)

    def __init__(self, opened: bool = False, parent=None):
        super().__init__(parent)
        self.method, self.editors, self._task, self._values = None, {}, None, {}
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
        self.links = LinkLabel()
        self.links.linkActivated.connect(self._follow)
        row, layout = QHBoxLayout(), QVBoxLayout(self)
        row.addWidget(self.more)
        row.addStretch()
        row.addWidget(self.links)
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

    def set_method(self, method, values: dict, task: str | None = None) -> None:
        """Show the parameters of a method with these values; only those that mean something for the task."""
        self.method, self.editors, self._task, self._values = method, {}, task, dict(values)
        for widget in (self.few, self.rest):
            while widget.layout().rowCount():
                widget.layout().removeRow(0)
        shown = [p for p in method.parameters if p.name not in ELSEWHERE and not out_of_place(p, task)]
        width = max((self.fontMetrics().horizontalAdvance(p.label) + 10 for p in shown), default=0)
        for parameter in shown:
            field = editor(parameter, values[parameter.name])
            field.changed.connect(self._changed)
            label = QLabel(parameter.label, toolTip=parameter.tooltip)
            label.setBuddy(field)
            label.setMinimumWidth(max(width, 100))
            form = (self.rest if parameter.more else self.few).layout()
            form.addRow(label, field)
            if parameter.kind == METHOD:
                field.set_task(task)
                form.addRow(field.details)
            self.editors[parameter.name] = field
        self._fold()

    def values(self) -> dict:
        """Name and value of every parameter."""
        return self._values | {name: field.value() for name, field in self.editors.items()}

    def change(self, values: dict) -> None:
        """Set some of the parameters, also those that have no field here, as if the user had done it in the form."""
        self._set(self.values() | values)

    def set_defaults(self) -> None:
        """Back to the method's own values for the task."""
        self.cleared.emit()
        self._set(defaults(self.method, self._task))

    def _follow(self, link):
        self.set_defaults() if link == DEFAULTS else self._set(presets(self.method)[link])

    def _set(self, values):
        self._values = dict(values)
        for name, field in self.editors.items():
            with QSignalBlocker(field):
                field.set_value(values[name])
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
        if self.method:
            self._show_state(self.values())

    def _show_state(self, values):
        """Grey what has no effect beside the other values; offer the presets and the defaults that differ from them."""
        for name, field in self.editors.items():
            used = not idle(name, values)
            field.setEnabled(used)
            widget = self.rest if next(p for p in self.method.parameters if p.name == name).more else self.few
            widget.layout().labelForField(field).setEnabled(used)
        links = [(name, TITLES.get(name, name)) for name, preset in presets(self.method).items() if preset != values]
        tips = ["The choices of the publication that introduced the method"] * any(name in TITLES for name, _ in links)
        tips += [f"{title}: a method of the literature that is this one with other parameters" for name, title in links
                 if name not in TITLES]  # fmt: skip
        if changed_parameters(self.method, values, self._task):
            links.append((DEFAULTS, "Defaults"))
            tips.append("Defaults: set all parameters of this method back")
        self.links.setToolTip("\n".join(tips))
        self.links.set_links(" \u00b7 ".join(["{}"] * len(links)), *links)
        self.links.setVisible(bool(links))
