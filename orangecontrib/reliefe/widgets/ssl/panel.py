"""Methods of SSL-Relief: the ranking by all rows, and beside it the one by labelled rows only."""

from collections.abc import Mapping, Sequence
from html import escape

from AnyQt.QtWidgets import QLabel
from Orange.widgets import gui

from ...orange.jobs.job import Job
from ...orange.problem import HIERARCHICAL, MULTI_LABEL, MULTI_TARGET, TableProblem
from ...orange.ranker.listed_methods import ListedMethod
from ..ranker.methodpanel import MethodPanel
from .influence import AUTO, InfluenceEditor

SSL, LABELLED = "sslrelief", "labelled"  # the columns
SEVERAL = (MULTI_TARGET, MULTI_LABEL, HIERARCHICAL)
MAX_TARGETS = 30  # that have scores of their own without being asked for
LISTED = 20  # with their numbers of known values in a tooltip


LABELLED_ONLY = {
    "name": LABELLED,
    "title": "Labelled only",
    "idea": "The same ranking without the unlabelled rows, to compare with",
    "parameters": (),
}


def with_each(method: object, each: bool, **fields: object) -> ListedMethod:
    """A method whose default is to score for each of several targets, if `each`."""

    def defaults(task: str) -> dict[str, object]:
        return method.defaults(task) | ({"per_target": each} if task in SEVERAL else {})

    return ListedMethod(method, each=each, defaults=defaults, **fields)


class SSLPanel(MethodPanel):
    """SSL-Relief, with a second column where some rows are labelled and some are not, and what else uses both."""

    _partly = False  # whether some rows are labelled and some are not; read while the panel is made

    def __init__(self, widget, offered: Sequence, usual: Sequence[str] = ()):
        super().__init__(widget, offered, usual)
        self._offered, self._info = self.methods, None
        self._offer(True)
        self.influence_box = gui.vBox(self, "&Unlabelled rows")
        self.counts = QLabel(accessibleName="Labelled rows")
        self.editor = InfluenceEditor()
        self.editor.changed.connect(lambda w0, w1: self.form.change({"w0": w0, "w1": w1}))
        self.influence_box.layout().addWidget(self.counts)
        self.influence_box.layout().addWidget(self.editor)
        self.parameters_changed.connect(lambda: self.show_found(None))
        self.list.highlight_changed.connect(self._show_influence)
        self.set_problem(None)

    def set_problem(self, problem: TableProblem | None) -> None:
        each = scored_each(problem)
        has_changed = each != self.methods[SSL].each
        if has_changed:
            self._offer(each)
        self._partly, self._info = problem is not None and problem.partly, None
        self.editor.forget()
        self.counts.setText(labelled_text(problem))
        self.counts.setToolTip(labelled_table(problem))
        self.counts.setAccessibleDescription("\n".join(labelled_lines(problem)))
        super().set_problem(problem)
        if has_changed:
            self._show_current()
        self._show_influence()

    def _offer(self, each: bool):
        """each: whether targets have scores of their own without being asked for."""
        ssl = self._offered[SSL]
        self.methods = {**self._offered, SSL: with_each(ssl, each), LABELLED: with_each(ssl, each, **LABELLED_ONLY)}

    def show_found(self, info: Mapping[str, object] | None) -> None:
        self._info = info
        self._show_influence()

    def own_active(self) -> list[str]:
        """Names of ticked methods; SSL-Relief twice, unless its second column would be the same or empty."""
        names = super().own_active()
        return [*names, *([LABELLED] if self._partly and SSL in names else [])]

    def own_job(self, name: str) -> Job:
        if name not in (SSL, LABELLED):
            return super().own_job(name)
        values = self._values(self.methods[SSL])
        if name == LABELLED:
            values |= {"labelled_only": True, "per_target": False, "w0": AUTO, "w1": AUTO}  # which do not matter
        return Job.of(SSL, values, *self.study)

    def _values(self, method):
        """Influences that do not go together are chosen automatically."""
        values = super()._values(method)
        if "w0" not in values:
            return values
        w0, w1 = values["w0"], values["w1"]
        if (w0 == AUTO) != (w1 == AUTO) or (w0 != AUTO and w0 > w1):
            values |= {"w0": AUTO, "w1": AUTO}
        return values

    def _show_influence(self):
        self.editor.setVisible(self.current == SSL)
        values = self._values(self.methods[SSL])
        self.editor.show_state(values["w0"], values["w1"], self._partly, self._info if self._partly else None)


def scored_each(problem: TableProblem | None) -> bool:
    """True if targets have scores of their own without being asked for."""
    return problem is None or 2 <= len(problem.targets) <= MAX_TARGETS


def labelled_text(problem: TableProblem | None) -> str:
    """ "120 of 900 rows labelled"."""
    if problem is None:
        return "No data"
    n = len(problem.table)
    if problem.partly:
        return f"{problem.labelled:,} of {n:,} rows labelled"
    if n == 1 and problem.labelled:
        return "The only row is labelled"
    return f"All {n:,} rows are labelled" if problem.labelled else f"None of {n:,} rows is labelled"


def labelled_lines(problem: TableProblem | None) -> list[str]:
    """Numbers of rows in which each of several targets is known."""
    if problem is None or len(problem.targets) < 2:
        return []
    lines = [f"{v.name}: {count:,}" for v, count in zip(problem.targets, problem.known, strict=True)]
    return lines[:LISTED] + [f"and {len(lines) - LISTED:,} more"] * (len(lines) > LISTED)


def labelled_table(problem: TableProblem | None) -> str:
    """The same as a tooltip."""
    lines = labelled_lines(problem)
    return "Rows in which each target is known<br>" + "<br>".join(map(escape, lines)) if lines else ""
