"""The upper left of a ranker: which methods, and with which parameters."""

from collections.abc import Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QVBoxLayout, QWidget
from Orange.widgets import gui

from ..utils.colors import lift_indicators
from ..utils.jobs import Job
from ..utils.problem import Problem
from .form import ParameterForm
from .methodlist import MethodList
from .presetbox import PresetBox
from .presets import OWN, Facts, methods_of
from .values import edited_parameters, kept_parameters, valid_parameters


class MethodPanel(QWidget):
    """A list of methods and the form of the highlighted one.

    State is plain: ticked and current are names of methods; parameters is {method: {parameter: value}} with only what
    the user has set: the rest follows the defaults, which may depend on the task.  What is not known is ignored.
    preset says which methods are ticked for any data, until the user ticks others.
    """

    ticks_changed = Signal()
    parameters_changed = Signal()
    current_changed = Signal()

    def __init__(
        self, offered: Sequence, ticked: Sequence[str], current: str, parameters: dict, more_open: bool = False
    ):
        super().__init__()
        self.methods = {method.name: method for method in offered}
        self._stored, self._task, self._facts, self.preset = dict(parameters), None, Facts(), OWN
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        box = gui.vBox(self, "&Methods")
        box.setHidden(len(self.methods) == 1)  # then it is always ticked
        if len(self.methods) == 1:
            ticked = list(self.methods)
        self.list = MethodList(offered, ticked, current or next(iter(ticked), ""))
        self.list.ticks_changed.connect(self._ticked_by_hand)
        self.list.highlight_changed.connect(self._show_current)
        self.list.highlight_changed.connect(self.current_changed)
        self.presets = PresetBox()
        self.presets.chosen.connect(self._preset_chosen)
        self.presets.folded.connect(self.list.setVisible)
        box.layout().addWidget(self.presets)
        box.layout().addWidget(self.list)
        self.list.hide()
        self.box = gui.vBox(self, "&Parameters")
        self.form = ParameterForm(more_open)
        self.form.cleared.connect(lambda: self._stored.pop(self.current, None))
        self.form.changed.connect(self._edited)
        self.box.layout().addWidget(self.form)
        self._show_ticks()
        self._show_current()

    @property
    def ticked(self) -> list[str]:
        """Names of the ticked methods, whether they fit the data or not."""
        return self.list.ticked()

    @property
    def current(self) -> str:
        """Name of the method whose parameters are shown."""
        return self.list.highlighted()

    @property
    def parameters(self) -> dict:
        """What the user has set, of all methods."""
        kept = {name: kept_parameters(method, self._stored.get(name)) for name, method in self.methods.items()}
        return {name: values for name, values in kept.items() if values}

    def set_problem(self, problem: Problem | None, usual: Sequence[str] = ()) -> None:
        """Show what the data allow."""
        self._facts = Facts.of(problem)
        self.set_task(problem and problem.task, usual)

    def offer_presets(self, offered: bool, preset: str, all_methods: bool) -> None:
        """Show the choices for people, one of them chosen, above the methods, folded unless all are wanted."""
        self.presets.setVisible(offered)
        self.list.setVisible(not offered)
        if offered:
            self.set_preset(preset)
            self.presets.fold.setChecked(all_methods)

    def set_preset(self, preset: str) -> None:
        """Tick what a preset stands for, now and for other data; OWN: nothing changes."""
        self.preset = preset
        self._tick_preset()
        self._show_ticks()

    def _tick_preset(self) -> bool:
        """Choose a preset; True if that changes anything: one without any method for the data does not."""
        before, names = self.ticked, methods_of(self.preset, self.methods, self._facts) if self.preset else []
        if names:
            self.list.tick(names)
        return self.ticked != before

    def set_task(self, task: str | None, usual: Sequence[str] = ()) -> None:
        """Grey out what does not fit; if nothing ticked fits, tick the first usual method that does.

        So whoever connects data sees a ranking.
        """
        if task != self._task:
            self._task = task
            self.list.set_task(task)
            self._show_current()
        fitting, changed = self.fitting(), task is not None and self._tick_preset()
        if task is not None and fitting and not self.active():
            self.list.tick([*self.ticked, next((name for name in usual if name in fitting), fitting[0])])
            changed = True
        self._show_ticks()
        if changed:
            self.ticks_changed.emit()

    def _ticked_by_hand(self):
        self.preset = OWN
        self._show_ticks()
        self.ticks_changed.emit()

    def _preset_chosen(self, preset):
        self.set_preset(preset)
        self.ticks_changed.emit()

    def _show_ticks(self):
        """Say at the fold which methods are computed; the highlighted method is one of these."""
        active = MethodPanel.active(self)
        if self._task is not None and active and self.current not in active:
            self.list.highlight(self.first(active))
        self.presets.show_state(self.preset, [self.methods[name].title for name in active])
        self._show_effect()

    def _show_effect(self):
        """Parameters of what is not computed have none."""
        method = self.methods[self.current]
        runs = self.current in MethodPanel.active(self) or self._task is None
        self.form.setEnabled(runs)
        self.box.setTitle(f"{method.title} &parameters" + (" (not ticked)" if not runs else ""))

    def fitting(self) -> list[str]:
        """Names of the methods that fit the task; without one, all."""
        return [name for name, method in self.methods.items() if self._task is None or self._task in method.tasks]

    def active(self) -> list[str]:
        """Names of the methods that are ticked and fit."""
        fitting = self.fitting()
        return [name for name in self.ticked if name in fitting]

    def job(self, name: str) -> Job:
        """The method with all of its parameters."""
        return Job.of(name, self._values(self.methods[name]))

    def first(self, names: Sequence[str]) -> str | None:
        """The one of these methods that leads if the user has no other wish: the first of those that are quick.

        It is there at once, and stays when what takes longer comes.
        """
        return min(names, key=lambda name: self.job(name).preparation > 0, default=None)

    def jobs(self) -> list[Job]:
        """What is to be computed."""
        return [self.job(name) for name in self.active()]

    def _values(self, method):
        return valid_parameters(method, self._stored.get(method.name), self._task)

    def _edited(self, values):
        method, kept = self.methods[self.current], self.parameters.get(self.current, {})
        self._stored[method.name] = edited_parameters(method, kept, values, self._task)
        self.parameters_changed.emit()

    def _show_current(self):
        method = self.methods[self.current]
        self.form.set_method(method, self._values(method), self._task)
        self._show_effect()
        lift_indicators(self.form)
