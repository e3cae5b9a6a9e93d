"""Weight of the target against the features in what trees make alike: by hand, or chosen automatically."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QLabel, QSlider
from Orange.widgets import gui

from ...core.words import percent
from ...orange.forest.job import AUTO, PCT, TUNED, trees_text
from ...orange.jobs.job import Job
from ...orange.problem import TableProblem
from ...orange.ranker.listed_methods import UNIVARIATE, ListedMethod
from ...orange.ranker.scores import number_text
from ..ranker.methodpanel import MethodPanel
from ..ssl.automatic import AutomaticEditor, tuning_table
from ..ssl.panel import labelled_lines, labelled_table, labelled_text, scored_each, with_each
from ..utils.controls import number_box, spin
from ..utils.sparkline import MIN_AGREEMENT

STEPS, PAGE = 20, 5  # of the slider
# taken automatically where some rows lack a target, and where none does
PARTLY_LABELLED_WEIGHT, LABELLED_WEIGHT = 0.5, 1.0
TOOLTIP = (
    "<p>Trees group rows that are alike in the target (slider at the right), in the features, as without a target "
    "(at the left), or in both (between).</p><p>Unless it is the target only, rows without a known target count, "
    "too.</p>"
)
CHOOSE = "Choose by cross-validation on the labelled rows, from the weights 0, 0.1, ... 1"
ALL, SOME, NONE = "all", "some", "none"  # how many rows are labelled


class SupervisionEditor(AutomaticEditor):
    """The weight of the target: a number from 0 to 1, "auto" (left alone), or "tuned"."""

    changed = Signal(object)

    def __init__(self):
        name = "Weight of the target"
        self.slider = QSlider(Qt.Horizontal, maximum=STEPS, pageStep=PAGE, accessibleName=name, toolTip=TOOLTIP)
        self.spin = number_box(name, 0, 0, 1, TOOLTIP, singleStep=1 / STEPS)
        row = QLabel("Features"), self.slider, QLabel("Target"), self.spin
        super().__init__("Choose &for me", CHOOSE, *row, checked=False, stretched=1)
        self.automatic.clicked.connect(self._choose)
        self.slider.valueChanged.connect(lambda step: self._send(step / STEPS))
        self.spin.valueChanged.connect(self._send)

    def show_state(self, weight: float | str, labelled: str, info: Mapping[str, object] | None) -> None:
        """Show what is set, or else what is taken; labelled: ALL, SOME or NONE; info: of a ranking, if there is one."""
        number = weight
        if labelled == NONE:
            number = 0.0
        elif weight in (AUTO, TUNED) and info:
            number = info["supervision"]
        elif weight in (AUTO, TUNED):
            number = LABELLED_WEIGHT if labelled == ALL else PARTLY_LABELLED_WEIGHT
        with QSignalBlocker(self.automatic):
            self.automatic.setChecked(weight == TUNED)
        self._show(number)
        self.automatic.setEnabled(labelled != NONE)
        for part in (self.slider, self.spin):
            part.setEnabled(labelled != NONE and weight != TUNED)
        settings = [(f"{w:g}", f"{quality:.3f}") for w, quality in info["tuning"] or ()] if info else ()
        tuning = tuning_table(("Weight", "Quality"), settings) if settings else ""
        self.show_choice(choice_text(weight, labelled, info), tuning)

    def _show(self, number):
        with QSignalBlocker(self.slider), QSignalBlocker(self.spin):
            self.slider.setValue(round(STEPS * number))
            self.spin.setValue(number)

    def _choose(self):
        self.changed.emit(TUNED if self.automatic.isChecked() else self.spin.value())

    def _send(self, number):
        self._show(number)
        self.changed.emit(round(float(number), 4))


def choice_text(weight: float | str, labelled: str, info: Mapping[str, object] | None) -> str:
    """Choice and its reason, in words."""
    if labelled == NONE:
        return "No row has a target: features only"
    if weight == AUTO:
        return "Half, since only some rows are labelled" if labelled == SOME else ""
    if weight != TUNED:
        return ""
    if info is None:
        return "To be chosen by cross-validation"
    if not info["tuning"]:
        return "Too few labelled rows to choose"
    best = max(quality for _, quality in info["tuning"])
    return f"Best of {len(info['tuning'])} weights: {info['supervision']:g} (quality {number_text(best, 3)})"


USUAL_TREES, MAX_TREES = 100, 100_000  # trees: a number to begin with, and the most
FIRST = 10  # trees of the first ranking that others are compared with
STILL = (
    "Add trees, up to 1,000, until twice as many hardly change the 20 best features by Genie3, twice in a row. With "
    "few trees, the list depends on the seed, above all if there are many features."
)


class TreesEditor(AutomaticEditor):
    """The number of trees: "auto", or an integer."""

    changed = Signal(object)

    def __init__(self):
        super().__init__("Until the list is &steady", STILL)
        tip = "Number of trees; trees that were grown before are kept"
        self.spin = spin("Number of trees", USUAL_TREES, 1, MAX_TREES, tip)
        self.row.addWidget(self.spin)
        self.choice.setToolTip(STILL)
        self.automatic.clicked.connect(self._send)
        self.spin.valueChanged.connect(self._send)

    def show_state(self, trees: int | str, info: Mapping[str, object] | None) -> None:
        """Show what is set, or where that is "auto" how many there are; info: of a ranking, if there is one."""
        automatic = trees == AUTO
        if automatic:
            trees = info["trees"] if info else self.spin.value()
        with QSignalBlocker(self.automatic), QSignalBlocker(self.spin):
            self.automatic.setChecked(automatic)
            self.spin.setValue(trees)
        self.spin.setEnabled(not automatic)
        self.show_choice(list_state(info) if info else "", STILL)

    def _send(self, *_):
        self.changed.emit(AUTO if self.automatic.isChecked() else self.spin.value())


def list_state(info: Mapping[str, object]) -> str:
    """State of the list after these trees, in words."""
    trees, curve = trees_text(info["trees"]), info["convergence"]
    if info["has_converged"]:
        return f"{trees}: the list is steady"
    if not curve:
        return f"{trees}: too few to see whether the list is steady"
    (last, agreement), before = curve[-1], curve[-2][0] if len(curve) > 1 else FIRST
    best = "the best" if last == info["trees"] else f"the best of {last:,}"
    state = f"{trees}; {best} agree by {percent(agreement)} with those of {before:,}"
    return f"{state}. To be sure, press Continue" if agreement >= MIN_AGREEMENT else state


GENIE3, SYMBOLIC, RFOREST = SCORES = ("genie3", "symbolic", "rforest")  # the columns


IDEAS = {
    GENIE3: ("Genie3", "Decrease of impurity by the tests on the feature"),
    SYMBOLIC: ("Symbolic", "Number of rows that are tested on the feature, so tests near the root count most"),
    RFOREST: ("Random forest", "Loss of quality of predictions for out-of-bag rows if the feature is permuted"),
}


def grown(method: object, each: bool) -> ListedMethod:
    """The ensemble with its number of trees chosen automatically by default."""
    parameters = tuple(replace(p, default=AUTO) if p.name == "n_trees" else p for p in method.parameters)
    return with_each(method, each, parameters=parameters)


class PCTPanel(MethodPanel):
    """One ensemble, with a column for each of its scores."""

    def __init__(self, widget, offered: Sequence, usual: Sequence[str] = ()):
        (method,) = offered
        super().__init__(widget, [grown(method, True)], usual)
        self._method = method
        self._labelled = ALL
        self._info = None
        self._offer(True)
        self.trees_box = gui.vBox(self, "T&rees")
        self.trees = TreesEditor()
        self.trees.changed.connect(lambda trees: self.form.change({"n_trees": trees}))
        self.trees_box.layout().addWidget(self.trees)
        self.supervision_box = gui.vBox(self, "Group rows by")
        self.supervision = SupervisionEditor()
        self.supervision.changed.connect(lambda weight: self.form.change({"supervision": weight}))
        self.supervision_box.layout().addWidget(self.supervision)
        self.parameters_changed.connect(lambda: self.show_found(None))
        self.set_problem(None)

    def _offer(self, each):
        common = {"family": UNIVARIATE, "parameters": (), "defaults": lambda task: {}}
        self.methods = {
            name: ListedMethod(self._method, name=name, title=title, idea=idea, **common)
            for name, (title, idea) in IDEAS.items()
        }
        self.methods[PCT] = grown(self._method, each)

    def set_problem(self, problem: TableProblem | None) -> None:
        each = scored_each(problem)
        has_changed = each != self.methods[PCT].each
        self._offer(each)
        self._info = None
        self._labelled = ALL if problem is None or problem.labelled == len(problem.table) else SOME
        if problem is not None and not problem.labelled:
            self._labelled = NONE
        lines = labelled_text(problem) if problem else ""
        self.supervision_box.setToolTip(labelled_table(problem) or lines)
        self.supervision_box.setAccessibleDescription("\n".join([lines, *labelled_lines(problem)]))
        self.set_task(problem and problem.task)
        if has_changed:
            self._show_current()
        self._show_found()

    def show_found(self, info: Mapping[str, object] | None) -> None:
        self._info = info
        self._show_found()

    def own_active(self) -> list[str]:
        return list(SCORES) if super().own_active() else []

    def own_job(self, name: str) -> Job:
        return Job.of(PCT, self._values(self.methods[PCT]) | ({"score": name} if name in SCORES else {}))

    def _show_found(self):
        values = self._values(self.methods[PCT])
        self.trees.show_state(values["n_trees"], self._info)
        self.supervision.show_state(values["supervision"], self._labelled, self._info)
