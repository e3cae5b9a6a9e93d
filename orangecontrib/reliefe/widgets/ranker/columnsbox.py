"""Choice of columns: a target where the data have none that fits, and features that are left out."""

from collections.abc import Collection, Iterable, Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from Orange.data import DiscreteVariable, Domain, Table
from Orange.preprocess.transformation import MappingTransform
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...core.words import shown, some
from ...orange.jobs.result import Result
from ...orange.problem import UNSUPERVISED, task_of, texts_like_classes
from ...orange.stored_settings import strings
from ...orange.targets import are_times
from ..utils.controls import LinkLabel, choices, fill, named, placed
from ..utils.markup import plain

LETTERS = 14  # of the box of targets
TIP = "Column to predict. It stays chosen for further data, and is the target of what is sent"
LEAVE_TIP = "The column becomes a meta: it is neither ranked nor compared. Another click takes it back"
OUT, BACK = "out", "back"  # targets of links


def possible_targets(data: Table) -> list[str]:
    """Names of the columns that may be targets: categories, numbers, and texts of a few values that repeat."""
    texts, columns = set(texts_like_classes(data)), (*data.domain.class_vars, *data.domain.metas)
    return [v.name for v in (*columns, *data.domain.attributes) if not v.is_string or v.name in texts]


def with_target(data: Table, name: str) -> Table:
    """The data with one column as the target, texts as categories; former targets become metas."""
    domain, target = data.domain, data.domain[name]
    made = target
    if target.is_string:
        texts = sorted({str(text) for text in data.get_column(target)} - {"", "?"})
        codes = {text: code for code, text in enumerate(texts)}
        made = DiscreteVariable(name, texts, compute_value=MappingTransform(target, codes))
    metas = [v for v in (*domain.metas, *domain.class_vars) if v is not target]
    return data.transform(Domain([v for v in domain.attributes if v is not target], made, metas))


class ColumnsBox(QWidget, gui.OWComponent):
    """Shows only what there is to choose; `changed`: the user chose."""

    changed = Signal()

    target = Setting("", schema_only=True)  # name of a column, where the data have no target that fits
    left_out = Setting([], schema_only=True, fits=strings)  # names of features

    def __init__(self, widget):
        """widget: whose settings these are."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        self.names = []
        self._suspects = []
        self._out = []
        self.targets = choices("Target", tip=TIP, letters=LETTERS)
        self.targets.activated.connect(self._target_chosen)
        label = named("Targe&t", self.targets)
        self._row = label, self.targets
        self.links = LinkLabel(toolTip=LEAVE_TIP, wordWrap=True)
        self.links.linkActivated.connect(self._link_followed)
        placed(QVBoxLayout(self), placed(QHBoxLayout(), label, (self.targets, 1)), self.links)
        self.offer([])
        self.show_suspects(Result(), [], None)

    def offer(self, names: Sequence[str]) -> None:
        """Offer columns as targets; none: the data have a target that fits."""
        self.names = list(names)
        fill(self.targets, [("choose", ""), *((name, name) for name in names)], self.target)
        for part in self._row:
            part.setVisible(bool(names))
        self._show()

    def with_chosen_target(self, data: Table | None, tasks: Collection[str]) -> Table | None:
        """Offer a target if the data have none for these tasks, and return the data with the one that was chosen."""
        names = []
        if data is not None and len(data) and UNSUPERVISED not in tasks:
            class_vars = data.domain.class_vars
            fits = class_vars and (are_times(class_vars) or task_of(data.domain) in tasks)
            names = [] if fits else possible_targets(data)
        self.offer(names)
        return with_target(data, self.target) if self.target in names else data

    def show_suspects(self, result: Result, features: Sequence[str], data: Table | None) -> None:
        """Offer to leave out what seem to be identifiers, and to take back what is left out.

        result: rankings, of which those by the core suspect features.
        features: names of those that are ranked.
        """
        rankings = [ranking for job, ranking in result.rankings.items() if job.own]
        variables = () if data is None else data.domain.attributes
        self._suspects = suspects_of(rankings, features)
        self._out = [variable.name for variable in variables if variable.name in self.left_out]
        parts = [(OUT, "Leave out", self._suspects), (BACK, "Take back", self._out)]
        links = [(to, plain(f"{verb} {some([shown(name) for name in names])}")) for to, verb, names in parts if names]
        self.links.set_links("<br>".join("{}" for _ in links), *links)
        self.links.setVisible(bool(links))
        self._show()

    def _show(self):
        self.setVisible(bool(self.names or self._suspects or self._out))

    def _target_chosen(self, index):
        self.target = self.targets.itemData(index)
        self.changed.emit()

    def _link_followed(self, link):
        self.left_out = [*self._out, *self._suspects] if link == OUT else []
        self.changed.emit()


class SuggestedMethod(LinkLabel):
    """Sentence, and a link by which a method leads; `linkActivated`: with its name."""

    def __init__(self):
        super().__init__(wordWrap=True, visible=False)

    def suggest(self, text: str, name: str, click: str) -> None:
        """Say a sentence, and offer a method; click: text of the link; nothing without a sentence."""
        self.set_links(f"{text}. {{}}", (name, click))
        self.setVisible(bool(text))


def suspects_of(rankings: Iterable, features: Sequence[str]) -> list[str]:
    """Names of the features that rankings of the core suspect to be identifiers, in the order of the features."""
    names = {
        ranking.features[f].name
        for ranking in rankings
        for f in ranking.info.get("suspects", ())
        if f < len(ranking.features)
    }
    return [name for name in features if name in names]
