"""Values that parameters of methods may have in a widget, and parameters that matter there."""

from collections.abc import Callable

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QComboBox, QFormLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from ...core.methods.parameters import OBJECT
from ..utils.problem import UNSUPERVISED, WORDS
from ..utils.settings import MAX_INTEGER
from .methodlist import method_tooltip

PRESET = "preset"
LABELS_ONLY = ("Label distance", "Pool rows")  # by their labels: trees have another "pooled"
SEVERAL_ONLY = ("per_target",)
NOT_FOR_LABELS = ("global_part",)
ELSEWHERE = (PRESET, "labelled_only", "w0", "w1", "score", "n_trees", "supervision")  # have no field in a form
UNSHOWN = (PRESET, "labelled_only")  # of methods that another one ranks by
HIERARCHY_ONLY = ("label_decay", "label_weights", "gamma")
OF_EMBEDDING = ("dimension", "distance", "sparsify", "n_repeats", "n_representatives")
EMBEDS_LABELS = ("cosine", "hyperbolic")  # distances of labels that need coordinates
HIERARCHICAL = "hierarchical"
LABELLED = ("multi-label", HIERARCHICAL)
ALONE = ("classification", "regression", "unsupervised")  # tasks of one target at most


def defaults(method, task: str | None = None) -> dict:
    """Values of a method's parameters where nobody sets them, for targets of this kind; None: not known yet."""
    return {p.name: p.default for p in method.parameters} | (method.defaults(task) if task else {})


def valid_parameters(method, stored: object, task: str | None = None) -> dict:
    """All parameters of a method: what was stored, as far as it is known and possible, and else the defaults.

    All values can be keys of dictionaries.
    """
    return defaults(method, task) | kept_parameters(method, stored)


def kept_parameters(method, stored: object) -> dict:
    """Stored parameters, as far as they are known, possible, and not the default of all targets.

    A stored preset becomes the values that it stands for.
    """
    stored = stored if isinstance(stored, dict) else {}
    named, firm = stored.get(PRESET), _varying(method)
    kept = dict(presets(method).get(named if isinstance(named, str) else "", {}))
    for parameter in method.parameters:
        name = parameter.name
        if name not in stored or name == PRESET:
            continue
        try:
            usual = stored[name] == parameter.default
            kept[name] = parameter.default if usual else _checked(method, parameter, stored[name])
        except (TypeError, ValueError):
            continue  # from another version: the default will do
    return {p.name: kept[p.name] for p in method.parameters
            if p.name in kept and (kept[p.name] != p.default or p.name in firm)}  # fmt: skip


def changed_parameters(method, values: dict, task: str | None = None) -> dict:
    """Only what differs from the defaults for the task."""
    usual = defaults(method, task)
    return {name: values[name] for name in usual if values[name] != usual[name]}


def edited_parameters(method, kept: dict, values: dict, task: str | None = None) -> dict:
    """Parameters to be kept of `values`, which the user made of those that were `kept` and the defaults for the task.

    What the user set is kept for all tasks, also where it is the default of another one; what was never touched
    follows the defaults.  Settings stay short.
    """
    before = valid_parameters(method, kept, task)
    same = {name for name in kept if values[name] == before[name]}
    chosen = _varying(method) if values in presets(method).values() else set()
    wanted = changed_parameters(method, values, task).keys() | same | chosen
    return {name: value for name, value in values.items() if name in wanted}


def _varying(method) -> set[str]:
    """Names of the parameters whose default depends on the task."""
    return {name for task in method.tasks for name in method.defaults(task)}


def presets(method) -> dict[str, dict]:
    """The values that each preset of a method stands for, by its name."""
    names = next((p.choices for p in method.parameters if p.name == PRESET), ())
    return {name: {**method.check({PRESET: name}), PRESET: None} for name in names}


def out_of_place(parameter, task: str | None) -> bool:
    """True if a parameter means nothing for targets of this kind; None: not known yet."""
    if task is None:
        return False
    return (
        (parameter.name in SEVERAL_ONLY and task in ALONE)
        or (parameter.label in LABELS_ONLY and task not in LABELLED)
        or (parameter.name in NOT_FOR_LABELS and task in LABELLED)
        or (parameter.name in HIERARCHY_ONLY and task != HIERARCHICAL)
    )


def idle(name: str, values: dict) -> bool:
    """True if a parameter has no effect beside these other values."""
    if name == "max_features":
        return values.get("ensemble") == "bagging"
    if name == "n_repeats" and values.get("embedding") == "pca":
        return True
    if name == "n_representatives" and values.get("target_distance") in EMBEDS_LABELS:
        return False
    return name in OF_EMBEDDING and values.get("embedding", "") is None


def _checked(method, parameter, value):
    """A value on its own: whether values go together is said when they are used.  Only methods know their objects."""
    if isinstance(value, int | float) and not abs(value) <= MAX_INTEGER:
        raise ValueError(f"{parameter.name} is beyond what an editor shows")
    return (
        _frozen(method.check({parameter.name: value})[parameter.name])
        if parameter.kind == OBJECT
        else (parameter.check(value))
    )


def _frozen(value):
    """Coordinates, whatever they come in, as tuples."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value


NAMING = ("methods", "current", "leading", "parameters")  # settings that name methods


def renamed(stored: object) -> object:
    """Stored settings with the present names of methods in the place of earlier ones."""
    from ...core.methods.registry import ALIASES

    if isinstance(stored, dict):
        return {renamed(key): renamed(value) if isinstance(key, str) and key in NAMING else value
                for key, value in stored.items()}  # fmt: skip
    if isinstance(stored, list):
        return [renamed(value) for value in stored]
    return ALIASES.get(stored, stored) if isinstance(stored, str) else stored


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
