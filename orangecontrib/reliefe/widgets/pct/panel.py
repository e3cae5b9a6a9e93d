"""The upper left of the forest ranker: the parameters of the ensemble, how many trees, how much the target counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from Orange.widgets import gui

from ..ranker.methodpanel import MethodPanel
from ..ssl.panel import Offered, labelled_lines, labelled_table, labelled_text, scored_each
from ..utils.jobs import Job
from ..utils.problem import Problem
from .job import AUTO, PCT
from .supervision import ALL, NONE, SOME, SupervisionEditor
from .trees import TreesEditor

GENIE3, SYMBOLIC, RFOREST = SCORES = ("genie3", "symbolic", "rforest")  # the columns


class Grown(Offered):
    """The method as it is offered here: as many trees as it takes, too."""

    @property
    def parameters(self) -> tuple:
        """Those of the method."""
        return tuple(replace(p, default=AUTO) if p.name == "n_trees" else p for p in self.method.parameters)


@dataclass(frozen=True)
class Column:
    """One of the scores of an ensemble."""

    name: str
    title: str
    idea: str
    method: object
    parameters = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """Those of the ensemble."""
        return self.method.tasks

    @property
    def citation(self) -> str:
        """That of the ensemble."""
        return self.method.citation

    def defaults(self, task: str) -> dict[str, object]:
        """There is nothing to set."""
        return {}


IDEAS = {
    GENIE3: ("Genie3", "How much more alike rows are after the tests on the feature"),
    SYMBOLIC: ("Symbolic", "How many rows meet a test on the feature; near the root they all do"),
    RFOREST: ("Random forest", "How much predictions for rows out of the bag lose when the feature is permuted"),
}


class PCTPanel(MethodPanel):
    """One ensemble, with a column for each of its scores."""

    def __init__(
        self, offered: Sequence, ticked: Sequence[str], current: str, parameters: dict, more_open: bool = False
    ):
        (method,) = offered
        super().__init__([Grown(method)], ticked, current, parameters, more_open)
        self._method, self._labelled, self._found = method, ALL, None
        self._offer(True)
        self.trees_box = gui.vBox(self, "T&rees")
        self.trees = TreesEditor()
        self.trees.changed.connect(lambda trees: self.form.change({"n_trees": trees}))
        self.trees_box.layout().addWidget(self.trees)
        self.supervision_box = gui.vBox(self, "Rows are to be alike in")
        self.supervision = SupervisionEditor()
        self.supervision.changed.connect(lambda weight: self.form.change({"supervision": weight}))
        self.supervision_box.layout().addWidget(self.supervision)
        self.parameters_changed.connect(lambda: self.show_found(None))
        self.set_problem(None)

    def _offer(self, each):
        columns = {name: Column(name, *idea, self._method) for name, idea in IDEAS.items()}
        self.methods = {**columns, PCT: Grown(self._method, each)}

    def set_problem(self, problem: Problem | None, usual: Sequence[str] = ()) -> None:
        """Show what the data allow, and how many rows are labelled."""
        each = scored_each(problem)
        other = each != self.methods[PCT].each
        self._offer(each)
        self._found = None
        self._labelled = ALL if problem is None or problem.labelled == len(problem.table) else SOME
        if problem is not None and not problem.labelled:
            self._labelled = NONE
        lines = labelled_text(problem) if problem else ""
        self.supervision_box.setToolTip(labelled_table(problem) or lines)
        self.supervision_box.setAccessibleDescription("\n".join([lines, *labelled_lines(problem)]))
        self.set_task(problem and problem.task, usual)
        if other:
            self._show_current()
        self._show_found()

    def show_found(self, info: Mapping[str, object] | None) -> None:
        """Show what came out: the info of a ranking; None: there is none yet."""
        self._found = info
        self._show_found()

    def own_active(self) -> list[str]:
        """All scores."""
        return list(SCORES) if super().own_active() else []

    def own_job(self, name: str) -> Job:
        """The ensemble with all of its parameters, and the score."""
        return Job.of(PCT, self._values(self.methods[PCT]) | ({"score": name} if name in SCORES else {}))

    def _show_found(self):
        values = self._values(self.methods[PCT])
        self.trees.show_state(values["n_trees"], self._found)
        self.supervision.show_state(values["supervision"], self._labelled, self._found)
