"""Choice of columns: a target where the data have none that fits, and features that are left out."""

from collections.abc import Sequence

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from Orange.data import DiscreteVariable, Domain, Table
from Orange.preprocess.transformation import MappingTransform
from Orange.widgets.settings import Setting

from ...core.words import shown, some
from ...orange.problem import UNSUPERVISED, task_of, texts_like_classes
from ...orange.stored_settings import strings
from ...orange.targets import are_times
from ..utils.controls import LinkLabel, choices, fill, placed
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


class ColumnsBox(QWidget):
    """Shows only what there is to choose."""

    chosen = Signal(str)  # name of a target
    left_out = Signal(list)  # names of features

    def __init__(self):
        super().__init__()
        self.names = []
        self._suspects = []
        self._out = []
        self.targets = choices("Target", tip=TIP, letters=LETTERS)
        self.targets.activated.connect(lambda index: self.chosen.emit(self.targets.itemData(index)))
        label = QLabel("Targe&t", toolTip=TIP)
        label.setBuddy(self.targets)
        self._row = label, self.targets
        self.links = LinkLabel(toolTip=LEAVE_TIP, wordWrap=True)
        self.links.linkActivated.connect(self._follow)
        placed(QVBoxLayout(self), placed(QHBoxLayout(), label, (self.targets, 1)), self.links)
        self.offer([], "")
        self.show_suspects([], [])

    def offer(self, names: Sequence[str], chosen: str) -> None:
        """Offer columns as targets; none: the data have a target that fits."""
        self.names = list(names)
        fill(self.targets, [("choose", ""), *((name, name) for name in names)], chosen)
        for part in self._row:
            part.setVisible(bool(names))
        self._show()

    def show_suspects(self, suspects: Sequence[str], left_out: Sequence[str]) -> None:
        """Offer to leave features out, and to take back those that are left out."""
        self._suspects, self._out = list(suspects), list(left_out)
        parts = [(OUT, "Leave out", suspects), (BACK, "Take back", left_out)]
        links = [(to, plain(f"{verb} {some([shown(name) for name in names])}")) for to, verb, names in parts if names]
        self.links.set_links("<br>".join("{}" for _ in links), *links)
        self.links.setVisible(bool(links))
        self._show()

    def _show(self):
        self.setVisible(bool(self.names or self._suspects or self._out))

    def _follow(self, link):
        self.left_out.emit([*self._out, *self._suspects] if link == OUT else [])


class Columns:
    """A ranker with the box."""

    target = Setting("", schema_only=True)  # name of a column, where the data have no target that fits
    left_out = Setting([], schema_only=True, fits=strings)  # names of features

    def add_columns(self, layout: QVBoxLayout, place: int) -> None:
        self.columns = ColumnsBox()
        self.columns.chosen.connect(lambda name: self._choose("target", name))
        self.columns.left_out.connect(lambda names: self._choose("left_out", names))
        self.offer = LinkLabel(wordWrap=True, visible=False)
        self.offer.linkActivated.connect(self._take)
        layout.insertWidget(place, self.columns)
        layout.insertWidget(place + 1, self.offer)

    def suggest(self, text: str, name: str = "", click: str = "") -> None:
        """Say a sentence, and offer by a click that a method leads; nothing without a sentence."""
        self.offer.set_links(f"{text}. {{}}", (name, click))
        self.offer.setVisible(bool(text))

    def _take(self, name):
        if name not in self.panel.active():
            self.panel.list.by_name[name].setCheckState(Qt.Checked)
        self._lead_by(name)

    def _choose(self, setting, value):
        setattr(self, setting, value)
        self.arrived = True
        self.handleNewSignals()

    def settled(self, data: Table | None) -> Table | None:
        """The data with the target that the user chose, which is offered if no method here ranks for theirs."""
        tasks = {task for method in self.panel.methods.values() for task in method.tasks}
        names = []
        if data is not None and len(data) and self.supervised and UNSUPERVISED not in tasks:
            known = data.domain.class_vars
            fits = known and (are_times(known) or task_of(data.domain) in tasks)
            names = [] if fits else possible_targets(data)
        self.columns.offer(names, self.target)
        return with_target(data, self.target) if self.target in names else data

    def show_suspects(self) -> None:
        found = [r for job, r in self.result.rankings.items() if job.own]
        names = {r.features[f].name for r in found for f in r.info.get("suspects", ()) if f < len(r.features)}
        order = [] if self.problem is None else [v.name for v in self.problem.features]
        there = [] if self.data is None else [v.name for v in self.data.domain.attributes]
        self.columns.show_suspects([n for n in order if n in names], [n for n in there if n in self.left_out])
