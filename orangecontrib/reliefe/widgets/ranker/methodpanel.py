"""Panel of the methods of a ranker: presets, the list of methods, scores of Orange, and the form of a method."""

from collections.abc import Sequence
from functools import partial

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QVBoxLayout, QWidget
from Orange.preprocess.score import Scorer
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...orange.jobs.job import Job
from ...orange.jobs.result import Result
from ...orange.jobs.scorer_job import ScorerJob
from ...orange.problem import TableProblem
from ...orange.ranker.listed_methods import reason_unfit
from ...orange.ranker.method_choice import OWN, PRESETS, QUICK, facts_of, has_weights, methods_of, recommended
from ...orange.ranker.parameter_values import defaults, edited_parameters, kept_parameters, valid_parameters
from ...orange.stored_settings import anything, maybe, one_of, strings
from ..utils.colors import hues_of, lift_indicators
from ..utils.controls import placed
from .countsline import SuggestionLine
from .form import ParameterForm
from .methodlist import MethodList, ScorerGroup
from .presetbox import PresetBox


class MethodPanel(QWidget, gui.OWComponent):
    """A list of methods and the form of the highlighted one.

    Parameters that the user did not set follow the defaults, which may depend on the task.
    """

    ticks_changed = Signal(object)  # names of methods that are ticked now, and were not before
    parameters_changed = Signal()
    current_changed = Signal()

    chosen = Setting(None, fits=maybe(anything))  # names of the ticked methods and scores; None: the usual ones
    preset = Setting(QUICK, fits=one_of(*PRESETS, OWN))  # says what is ticked for any data, until the user ticks others
    all_methods = Setting(False)  # True if the list of all methods is open
    scorers_open = Setting(False)  # True if the group of Orange's scores is open
    unticked = Setting([], schema_only=True, fits=strings)  # names of connected scorers that are not computed
    current = Setting("")  # name of the highlighted method
    parameters = Setting({})  # {method: {parameter: value}}, only what the user set
    more_open = Setting(False)

    def __init__(self, widget, offered: Sequence, usual: Sequence[str] = ()):
        """widget: whose settings these are; usual: names of the methods that are ticked at first, one for each task."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        self.methods = {method.name: method for method in offered}
        stored = {name: kept_parameters(method, self.parameters.get(name)) for name, method in self.methods.items()}
        self.parameters = {name: values for name, values in stored.items() if values}
        self._usual = usual
        self._task = None
        self._has_feature_groups = False
        self._facts = None
        self._has_p_values = self._has_weights = False
        self.study: tuple[tuple[str, ...], str] = (), ""  # names of covariates, and of the group
        self.keep: tuple[str, ...] = ()  # names of the features, or groups of these, that are always selected
        self.feature_groups = ""  # rule by which features are ranked as one; empty: each feature is ranked
        self._before = {}  # values that the suggestion has changed
        self._valid: dict[str, tuple] = {}  # values of all parameters of a method, behind what they were made of
        placed(QVBoxLayout(self))
        only = len(self.methods) == 1
        self.method_box = box = gui.vBox(self, "Further scores" if only else "&Methods")
        ticked = list(self.methods) if only else self.chosen_or_usual  # a method alone is always ticked
        self.list = MethodList(offered, ticked, self.current or next(iter(ticked), ""))
        self.current = self.list.highlighted()
        self.list.numbers = self.hues
        self.list.ticks_changed.connect(self._ticked_by_hand)
        self.list.highlight_changed.connect(self._highlighted)
        self.presets = PresetBox(self.all_methods)
        self.presets.chosen.connect(self._preset_chosen)
        self.presets.folded.connect(self.list.setVisible)
        self.presets.folded.connect(partial(setattr, self, "all_methods"))
        box.layout().addWidget(self.presets)
        box.layout().addWidget(self.list)
        self.list.hide()
        self.scorers = ScorerGroup(self.hues)
        self.scorers.ticks_changed.connect(self._show_ticks)
        self.scorers.ticks_changed.connect(self._store_ticks)
        self.scorers.folded.connect(partial(setattr, self, "scorers_open"))
        box.layout().addWidget(self.scorers)
        box.setHidden(only)
        self.box = gui.vBox(self, "&Parameters")
        self.form = ParameterForm(self.more_open)
        self.form.cleared.connect(lambda: self.parameters.pop(self.current, None))
        self.form.changed.connect(self._edited)
        self.form.folded.connect(partial(setattr, self, "more_open"))
        self.suggestion = SuggestionLine()
        self.suggestion.wanted.connect(self._suit_counts)
        self.box.layout().addWidget(self.suggestion)
        self.box.layout().addWidget(self.form)
        self._show_ticks()
        self._show_current()

    @property
    def chosen_or_usual(self) -> Sequence:
        """Names of the ticked methods as they are stored, perhaps by another hand."""
        return self._usual if self.chosen is None else self.chosen

    @property
    def ticked(self) -> list[str]:
        """Names of the ticked methods, whether they fit the data or not."""
        return [*self.list.ticked(), *self.scorers.ticked()]

    @property
    def offered(self) -> dict[str, object]:
        """All that can be ticked, by name; the place gives the colour."""
        return {**self.methods, **self.scorers.methods}

    def offer(self, presets: bool, supervised: bool, p_values: bool) -> None:
        """Offer choices that stand for several methods, and Orange's scores; comes before the first data.

        p_values: True if p-values are computed.
        """
        self._has_p_values = p_values
        self.presets.setVisible(presets)
        self.list.setVisible(len(self.list.methods) > 1 and (self.all_methods or not presets))
        if presets:
            self._tick_preset()
        else:
            self.preset = OWN
        self.scorers.offer(supervised, self.chosen_or_usual, self.scorers_open, list(self.methods.values()))
        self._show_scorers()

    def set_problem(self, problem: TableProblem | None) -> None:
        self._facts, self._has_weights = facts_of(problem), has_weights(problem)
        self.list.recommend(recommended(self.methods, self._facts, self._needs, self._usual) if problem else ())
        self.suggestion.set_problem(problem)
        self.set_task(problem and problem.task, problem is not None and problem.feature_groups is not None)

    @property
    def _needs(self) -> str:
        """Clause on what needs scores that are as high for features that repeat others; empty if nothing does."""
        from ...core.methods.choice import why_usual

        covariates, group = self.study
        return why_usual(
            covariates=bool(covariates),
            groups=bool(group),
            feature_groups=bool(self.feature_groups),
            weights=self._has_weights,
            p_values=self._has_p_values,
        )

    def set_p_values(self, wanted: bool) -> None:
        """Follow whether p-values are computed, which decide on the method of *Quick*."""
        if wanted != self._has_p_values:
            self._has_p_values = wanted
            if self._task is not None and self._tick_preset():
                self._show_ticks()
                self._store_ticks()

    def connect_scorers(self, scorers: Sequence[Scorer]) -> None:
        """List these scorers, too; all are ticked but those that the user had unticked."""
        self.scorers.connect_scorers(scorers, self.unticked)
        self._show_scorers()

    def _show_scorers(self):
        self.method_box.setHidden(len(self.list.methods) == 1 and not self.scorers.methods)
        self._show_ticks()

    def preset_methods(self) -> list[str]:
        """Names of the methods of the preset, the one that answers first; none for the user's own ticks."""
        facts = facts_of(None) if self._facts is None else self._facts
        return methods_of(self.preset, self.methods, facts, self._needs) if self.preset else []

    def _tick_preset(self) -> bool:
        """Choose a preset; True if that changes anything: one without any method for the data does not."""
        before, names = self.ticked, self.preset_methods()
        if names:
            self.list.tick(names)
        return self.ticked != before

    def set_task(self, task: str | None, has_feature_groups: bool = False) -> None:
        """Grey out what does not fit; if nothing ticked fits, tick a usual method, so that data give a ranking.

        has_feature_groups: True if groups of features are ranked as one.
        """
        if (task, has_feature_groups) != (self._task, self._has_feature_groups):
            self._task = task
            self._has_feature_groups = has_feature_groups
            self.list.set_task(task, has_feature_groups)
            self.scorers.set_task(task, has_feature_groups)
            self._show_current()
        fitting, changed = self.own_fitting(), task is not None and self._tick_preset()
        if task is not None and fitting and not self.active():
            self.list.tick([*self.ticked, next((name for name in self._usual if name in fitting), fitting[0])])
            changed = True
        self._show_ticks()
        if changed:
            self._store_ticks()

    def _ticked_by_hand(self):
        self.preset = OWN
        self._show_ticks()
        self._store_ticks()

    def _preset_chosen(self, preset):
        """Tick what a preset stands for, now and for other data."""
        self.preset = preset
        self._tick_preset()
        self._show_ticks()
        self._store_ticks()

    def _store_ticks(self):
        before, self.chosen = self.chosen_or_usual, self.ticked
        self.unticked = self.scorers.unticked()
        self.ticks_changed.emit([name for name in self.chosen if name not in before])

    def _highlighted(self):
        self.current = self.list.highlighted()
        self._show_current()
        self.current_changed.emit()

    def _show_ticks(self):
        """Say at the fold which methods are computed; the highlighted method is one of these."""
        active = MethodPanel.own_active(self)
        is_folded = self.list.isHidden()  # then the parameters are those of the method that leads
        if self._task is not None and active and (self.current not in active or is_folded):
            self.list.highlight(self.first(active))
        offered = self.offered
        titles = [offered[name].title for name in (*active, *self.scorers.active())]
        self.presets.show_state(self.preset, titles, self._reason())
        self._show_effect()

    def _reason(self) -> str:
        """Sentence of scripts on the method of *Quick*; empty for other presets, or without data."""
        from ...core.methods.choice import automatic

        if self.preset != QUICK or self._task is None:
            return ""
        return automatic(self._facts, self._needs)[1]

    def _show_effect(self):
        method = self.methods[self.current]
        runs = self.current in MethodPanel.own_active(self) or self._task is None
        self.form.setEnabled(runs)
        self.box.setTitle(f"{method.title} &parameters" + (" (not ticked)" if not runs else ""))
        self._show_suggestion()

    def _show_suggestion(self):
        active = [self.methods[name] for name in MethodPanel.own_active(self) if self._task is not None]
        self.suggestion.show_for((method, self._values(method)) for method in active)

    def _suit_counts(self, wanted):
        """Set, or set back, what suits counts in all methods that are computed."""
        for method in (self.methods[name] for name in MethodPanel.own_active(self)):
            name = method.name
            changes = self.suggestion.changes(method)
            if wanted:
                self._before[name] = {parameter: self._values(method)[parameter] for parameter in changes}
            else:
                usual = defaults(method, self._task)
                changes = self._before.pop(name, {parameter: usual[parameter] for parameter in changes})
            self._store(method, self._values(method) | changes)
        self._show_current()
        self.parameters_changed.emit()

    def fitting(self) -> list[str]:
        """Names of all that fit the task; without one, all."""
        return [*self.own_fitting(), *self.scorers.fitting()]

    def own_fitting(self) -> list[str]:
        return [name for name in self.methods if self._fits(name)]

    def _fits(self, name: str) -> bool:
        """Return True if a method of the list ranks the data."""
        return not reason_unfit(self.methods[name], self._task, self._has_feature_groups)

    def active(self) -> list[str]:
        return [*self.own_active(), *self.scorers.active()]

    def own_active(self) -> list[str]:
        return [name for name in self.list.ticked() if self._fits(name)]

    def job(self, name: str) -> Job | ScorerJob:
        return self.scorers.job(name) if name in self.scorers.methods else self.own_job(name)

    def job_of(self, name: str) -> Job | ScorerJob:
        """Job of any method of the core, with the usual parameters if it is not offered here."""
        from ...core import METHODS

        if name in self.offered:
            return self.job(name)
        values = valid_parameters(METHODS[name], None, self._task)
        return Job.of(name, values, *self.study, self.keep, self.feature_groups)

    def scorer_job(self, leading: str, prefer_highlighted: bool) -> Job | ScorerJob | None:
        """Job of the method that leads, or else of the highlighted one if that is preferred; None without ticks."""
        usable = self.active() or self.ticked
        preferred = (leading, self.current) if prefer_highlighted else (leading,)
        name = next((name for name in preferred if name in usable), self.first(usable))
        return None if name is None else self.job(name)

    def choose(self, method: str, parameter: str, value: object) -> None:
        """Set a parameter of a method, as if it had been typed."""
        self.list.highlight(method)
        self.form.change({parameter: value})

    def lead_is_final(self, leading: str, result: Result) -> bool:
        """Return True if the score that is to lead in the end is there, whatever else is still to come."""
        names = [name for name in self.active() if self.job(name) not in result.failures]
        wanted = leading if leading in names else self.first(names)
        return wanted is not None and result.is_final(self.job(wanted))

    def own_job(self, name: str) -> Job:
        method = self.methods[name]
        keep = self.keep if method.traits.takes_kept_first else ()
        return Job.of(name, self._values(method), *self.study, keep, self.feature_groups)

    def hues(self) -> dict[str, int]:
        return hues_of(list(self.offered), self.active())

    def first(self, names: Sequence[str]) -> str | None:
        """The method that leads by default: the answer of the preset, or the first that is quick, and no scorer of
        Orange if there is a method."""
        answer = next(iter(self.preset_methods()), None)
        if answer in names:
            return answer
        jobs = {name: self.job(name) for name in names}
        return min(jobs, key=lambda name: (not jobs[name].is_of_core, jobs[name].preparation > 0), default=None)

    def jobs(self) -> list[Job | ScorerJob]:
        return [self.job(name) for name in self.active()]

    def own_jobs(self) -> list[Job]:
        return [self.own_job(name) for name in self.own_active()]

    def _values(self, method):
        made_of = method, self.parameters.get(method.name), self._task
        if self._valid.get(method.name, ((),))[0] != made_of:
            self._valid[method.name] = made_of, valid_parameters(*made_of)
        return dict(self._valid[method.name][1])

    def _edited(self, values):
        self._store(self.methods[self.current], values)
        self._show_suggestion()
        self.parameters_changed.emit()

    def _store(self, method, values):
        """Keep what the user set of all parameters of a method."""
        edited = edited_parameters(method, self.parameters.get(method.name, {}), values, self._task)
        others = {name: values for name, values in self.parameters.items() if name != method.name}
        self.parameters = others | ({method.name: edited} if edited else {})

    def _show_current(self):
        method = self.methods[self.current]
        self.form.set_method(method, self._values(method), self._task)
        self._show_effect()
        lift_indicators(self.form)
