"""One editor for each kind of parameter: `value()`, `set_value(value)` and the signal `changed`."""

from collections.abc import Sequence

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QHBoxLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from ...core.methods.parameters import CHOICE, INTEGER, METHOD, NUMBER, OBJECT, RAMP, ROWS, SHARE, SWITCH, Parameter
from ...orange.ranker.listed_methods import method_tooltip, unfit_text
from ...orange.ranker.parameter_values import (
    ELSEWHERE,
    UNSHOWN,
    changed_parameters,
    defaults,
    idle,
    out_of_place,
    presets,
)
from ..utils.controls import FoldButton, LinkLabel, form, named, placed

MAX_NUMBER = 10**9


class SpinEditor:
    """Value of a spin box whose special number, if it has one, stands for None."""

    _none: int | float | None

    def value(self):
        number = super().value()
        return None if number == self._none else number

    def set_value(self, value):
        self.setValue(self._none if value is None else value)


class IntegerEditor(SpinEditor, QSpinBox):
    """A whole number; one step below the least stands for None, if the parameter may be None."""

    changed = Signal()

    def __init__(self, parameter: Parameter):
        super().__init__(alignment=Qt.AlignRight, keyboardTracking=False, showGroupSeparator=True)
        low = int(parameter.low) if parameter.low is not None else 0
        self._none = low - 1 if parameter.none is not None else None
        self.setRange(
            low if self._none is None else self._none, MAX_NUMBER if parameter.high is None else int(parameter.high)
        )
        self.setSpecialValueText(parameter.none or "")
        self.valueChanged.connect(self.changed)


class NumberEditor(SpinEditor, QDoubleSpinBox):
    """A number above its bound; the bound itself stands for None, if the parameter may be None."""

    changed = Signal()

    def __init__(self, parameter: Parameter):
        super().__init__(
            alignment=Qt.AlignRight, keyboardTracking=False, decimals=3, stepType=QDoubleSpinBox.AdaptiveDecimalStepType
        )
        low = float(parameter.low) if parameter.low is not None else -MAX_NUMBER
        self._none = low if parameter.none is not None else None
        self.setRange(
            low if parameter.none is not None else low + 1e-3, MAX_NUMBER if parameter.high is None else parameter.high
        )
        self.setSpecialValueText(parameter.none or "")
        self.valueChanged.connect(self.changed)


class ChoiceEditor(QComboBox):
    """One of several words; None, if the parameter may be None, is the first."""

    changed = Signal()

    def __init__(self, parameter: Parameter):
        super().__init__(sizeAdjustPolicy=QComboBox.AdjustToMinimumContentsLengthWithIcon, minimumContentsLength=6)
        if parameter.none is not None:
            self.addItem(parameter.none, None)
        for choice in parameter.choices:
            self.addItem(choice, choice)
        self.currentIndexChanged.connect(self.changed)

    def value(self):
        return self.currentData()

    def set_value(self, value):
        self.setCurrentIndex(max(self.findData(value), 0))


class SwitchEditor(QCheckBox):
    """True or False.  For a ramp, True stands for its usual bounds; others, set elsewhere, are kept until switched."""

    changed = Signal()

    def __init__(self, parameter: Parameter):
        super().__init__()
        self._own = None
        self.clicked.connect(self._clicked)

    def _clicked(self):
        self._own = None
        self.changed.emit()

    def value(self):
        return self._own or self.isChecked()

    def set_value(self, value):
        self._own = value if isinstance(value, tuple) else None
        self.setChecked(bool(value))


class ObjectEditor(ChoiceEditor):
    """One of several words, or what a script brought: that is shown as what it is, and kept until a word is chosen."""

    def __init__(self, parameter: Parameter):
        super().__init__(parameter)
        self._words, self._own = self.count(), None
        self.activated.connect(self._forget)

    def value(self):
        return self.currentData() if self.currentIndex() < self._words else self._own

    def set_value(self, value):
        before = self.value()
        with QSignalBlocker(self):
            self._forget(0)
            place = next((i for i in range(self._words) if self.itemData(i) == value), self._words)
            if place == self._words:
                self._own = value
                self.addItem(self.text_of(value))
            self.setCurrentIndex(place)
        if value != before:
            self.changed.emit()

    @staticmethod
    def text_of(value) -> str:
        """Coordinates and objects in a word or two."""
        if isinstance(value, tuple):
            return f"{value[0]}, own coordinates" if value and isinstance(value[0], str) else "own coordinates"
        return type(value).__name__

    def _forget(self, index):
        if index < self._words < self.count():
            self._own = None
            self.removeItem(self._words)


class WordsEditor(QComboBox):
    """Editor of numbers, or words in their place; suggests some of them."""

    changed = Signal()

    def __init__(self, parameter: Parameter, suggested: Sequence = ()):
        super().__init__(
            editable=True,
            insertPolicy=QComboBox.NoInsert,
            minimumContentsLength=6,
            sizeAdjustPolicy=QComboBox.AdjustToMinimumContentsLengthWithIcon,
        )
        self._parameter, self._value = parameter, parameter.default
        for value in (*([None] if parameter.none is not None else []), *parameter.choices, *suggested):
            self.addItem(self.text_of(value))
        self.activated.connect(self._read)
        self.lineEdit().editingFinished.connect(self._read)

    def text_of(self, value) -> str:
        if value is None:
            return self._parameter.none or ""
        if isinstance(value, str):
            return value
        return f"{value:,}" if isinstance(value, int) else f"{100 * value:g} %"

    def value_of(self, text: str):
        """The value that a text means; ValueError or TypeError if none."""
        text = text.strip().replace(",", "").replace("\u202f", "").replace(" ", "").casefold()
        if text in self._parameter.choices:
            return text
        if text in ("", (self._parameter.none or "").replace(" ", "").casefold()):
            return self._parameter.check(None)
        return self._parameter.check(self.number_of(text))

    def number_of(self, text: str) -> int | float:
        return int(text)

    def _read(self, *_):
        try:
            value = self.value_of(self.currentText())
        except (TypeError, ValueError):
            value = self._value
        new, self._value = value != self._value, value
        self.setEditText(self.text_of(value))
        if new:
            self.changed.emit()

    def value(self):
        return self._value

    def set_value(self, value):
        new, self._value = value != self._value, value
        with QSignalBlocker(self):
            self.setEditText(self.text_of(value))
        if new:
            self.changed.emit()


class RowsEditor(WordsEditor):
    """All rows, a number of them, a share, or a word: "all", "500", "25 %", "converge"."""

    def number_of(self, text: str) -> int | float | None:
        if not text.endswith("%"):
            return float(text) if "." in text else int(text)
        share = float(text[:-1]) / 100
        return None if share == 1 and self._parameter.none is not None else share


class ShareEditor(WordsEditor):
    """A number, or a word: "0.25", "auto"."""

    def text_of(self, value) -> str:
        return f"{value:g}" if isinstance(value, float) else super().text_of(value)

    def value_of(self, text: str):
        return super().value_of(text.replace(",", "."))  # it separates no thousands here

    def number_of(self, text: str) -> float:
        return float(text)


EDITORS = {  # of a kind of parameters: the class, and suggested values
    INTEGER: (IntegerEditor,),
    NUMBER: (NumberEditor,),
    SHARE: (ShareEditor, (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)),
    CHOICE: (ChoiceEditor,),
    SWITCH: (SwitchEditor,),
    RAMP: (SwitchEditor,),
    ROWS: (RowsEditor, (256, 1024, 4096, 0.1, 0.5)),
    OBJECT: (ObjectEditor,),
}
WORDED = {  # of kinds that may be a word, too
    INTEGER: (WordsEditor, (2, 5, 10, 15, 20, 30, 50, 100)),
    NUMBER: (ShareEditor, (0.5, 1.0, 2.0, 5.0)),
}
OWN = {  # of single parameters
    "share": (ShareEditor, (0.1, 0.25, 0.5, 0.75, 0.9)),  # neither nothing nor all
    "max_features": (RowsEditor, (1, 10, 0.1, 0.3)),
    "f_test": (ShareEditor, (0.001, 0.005, 0.01, 0.05, 0.1)),  # a level of significance
}


def editor(parameter: Parameter, value: object) -> QWidget:
    """An editor of a parameter that shows `value`."""
    if parameter.kind == METHOD:
        widget = MethodEditor(parameter)
    else:
        kind, *suggested = EDITORS[parameter.kind]
        if parameter.choices and parameter.kind in WORDED:
            kind, *suggested = WORDED[parameter.kind]
        kind, *suggested = OWN.get(parameter.name, (kind, *suggested))
        widget = kind(parameter, *suggested)
    widget.set_value(value)
    if parameter.kind != METHOD:  # whose tooltip is about the chosen method
        widget.setToolTip(parameter.tooltip)
    widget.setAccessibleName(parameter.label)
    return widget


INDENT, LABEL_WIDTH = 14, 100  # pixels


class Fields(QWidget):
    """Labels and editors of parameters: few in sight, the rest below a button."""

    def __init__(self, more: FoldButton):
        super().__init__()
        self.few, self.rest, self.more, self.row, layout = QWidget(), QWidget(), more, QHBoxLayout(), QVBoxLayout(self)
        self.more.toggled.connect(self.fold)
        self.row.addWidget(self.more)
        self.row.addStretch()
        placed(layout, self.few, self.row, self.rest, spacing=4)
        for widget in (self.few, self.rest):
            form(widget).setVerticalSpacing(5)

    def clear(self) -> None:
        """Take all fields away."""
        for widget in (self.few, self.rest):
            while widget.layout().rowCount():
                widget.layout().removeRow(0)

    def add(self, parameter: Parameter, value: object, width: int) -> QWidget:
        """Add an editor of a parameter that shows a value; width: of its label at least."""
        field = editor(parameter, value)
        label = named(parameter.label, field, parameter.tooltip)
        label.setMinimumWidth(width)
        (self.rest if parameter.more else self.few).layout().addRow(label, field)
        return field

    def fold(self, *_) -> None:
        """Show the parts that have fields, the second one if it is open."""
        few, rest = (widget.layout().rowCount() > 0 for widget in (self.few, self.rest))
        self.few.setVisible(few)
        self.more.setVisible(rest)
        self.rest.setVisible(rest and self.more.isChecked())


class MethodEditor(QComboBox):
    """Value: (name, ((parameter, value), ...)), what differs from the defaults; `details` has the fields below."""

    changed = Signal()

    def __init__(self, parameter: Parameter):
        super().__init__(sizeAdjustPolicy=QComboBox.AdjustToMinimumContentsLengthWithIcon, minimumContentsLength=6)
        self._editors, self._task = {}, None
        self._methods = {method.name: method for method in parameter.methods}
        self._set: dict[str, dict[str, object]] = {}  # of every method that was shown, what was set
        for method in self._methods.values():
            self.addItem(method.title, method.name)
            self.setItemData(self.count() - 1, method_tooltip(method), Qt.ToolTipRole)
        self.details = Fields(FoldButton())
        self.details.layout().setContentsMargins(INDENT, 0, 0, 0)
        self.currentIndexChanged.connect(self._chosen)
        self._show()

    def value(self) -> tuple[str, tuple[tuple[str, object], ...]]:
        name = self.currentData()
        return name, tuple(sorted(self._set.get(name, {}).items()))

    def set_value(self, value: tuple[str, tuple[tuple[str, object], ...]]) -> None:
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
            tip = method_tooltip(method) + ("" if fits else f"<br>({unfit_text(task)})")
            self.setItemData(place, tip, Qt.ToolTipRole)
        self._show()

    def _chosen(self):
        self._show()
        self.changed.emit()

    def _show(self):
        name = self.currentData()
        method, kept = self._methods[name], self._set.get(name, {})
        self.details.clear()
        self._editors = {}
        for parameter in method.parameters:
            if parameter.name in UNSHOWN or out_of_place(parameter, self._task):
                continue
            value = kept.get(parameter.name, parameter.default)
            field = self._editors[parameter] = self.details.add(parameter, value, LABEL_WIDTH - INDENT)
            field.changed.connect(self._edited)
        self.details.more.setText(f"More of {method.title}")
        self.setToolTip(method_tooltip(method))
        self.details.fold()

    def _edited(self):
        name = self.currentData()
        kept = dict(self._set.get(name, {}))
        for parameter, field in self._editors.items():
            kept.pop(parameter.name, None)
            if field.value() != parameter.default:
                kept[parameter.name] = field.value()
        self._set[name] = kept
        self.changed.emit()


DEFAULTS = "defaults"
TITLES = {"paper": "The paper's choices"}  # of presets


class ParameterForm(Fields):
    """Parameters of a method, and links that set all of them: to presets and to the defaults."""

    changed = Signal(dict)  # all values
    cleared = Signal()  # comes before: the user's values are to be forgotten
    folded = Signal(bool)

    def __init__(self, opened: bool = False):
        super().__init__(FoldButton("M&ore", opened, "Parameters that are seldom changed"))
        self.method = None
        self.editors = {}
        self._task = None
        self._values = {}
        self.more.toggled.connect(self.folded)
        self.nothing, self.links = QLabel("Nothing to set"), LinkLabel()
        self.links.linkActivated.connect(self._follow)
        self.layout().insertWidget(0, self.nothing)
        self.row.addWidget(self.links)

    def set_method(self, method, values: dict, task: str | None = None) -> None:
        """Show the parameters of a method with these values; only those that mean something for the task."""
        self.method = method
        self.editors = {}
        self._task = task
        self._values = dict(values)
        self.clear()
        shown = [p for p in method.parameters if p.name not in ELSEWHERE and not out_of_place(p, task)]
        width = max((self.fontMetrics().horizontalAdvance(p.label) + 10 for p in shown), default=0)
        for parameter in shown:
            field = self.editors[parameter.name] = self.add(parameter, values[parameter.name], max(width, LABEL_WIDTH))
            field.changed.connect(self._changed)
            if parameter.kind == METHOD:
                field.set_task(task)
                (self.rest if parameter.more else self.few).layout().addRow(field.details)
        self.fold()

    def values(self) -> dict:
        return self._values | {name: field.value() for name, field in self.editors.items()}

    def change(self, values: dict) -> None:
        """Set some of the parameters, also those that have no field here, as if the user had done it in the form."""
        self._set(self.values() | values)

    def set_defaults(self) -> None:
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
        self.fold()
        self.changed.emit(self.values())

    def fold(self, *_) -> None:
        super().fold()
        self.nothing.setVisible(not (self.method and self.method.parameters))
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
        tips = ["Parameters of the publication that introduced the method"] * any(name in TITLES for name, _ in links)
        tips += [f"{title}: a published method that equals this one with other parameters" for name, title in links
                 if name not in TITLES]  # fmt: skip
        if changed_parameters(self.method, values, self._task):
            links.append((DEFAULTS, "Defaults"))
            tips.append("Defaults: reset all parameters of this method")
        self.links.setToolTip("\n".join(tips))
        self.links.set_links(" \u00b7 ".join(["{}"] * len(links)), *links)
        self.links.setVisible(bool(links))
