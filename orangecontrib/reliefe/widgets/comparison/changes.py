"""Lists that are kept in the workflow, and the features that came, went and moved since then."""

from collections.abc import Sequence
from datetime import date

import numpy as np
from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QGuiApplication
from AnyQt.QtWidgets import QInputDialog, QLabel, QMenu, QPushButton

from ...core.words import counted, some
from ...orange.comparison.comparison import KeptList
from ...orange.comparison.kept_lists import MAX_LISTS, MAX_NAMES
from ...orange.ranker.scores import Scores
from ...orange.stored_settings import between, string
from ..table.model import Column, TableModel
from ..table.view import ItemsView
from ..utils.controls import choices, fill, spin
from ..utils.markup import plain
from .view import NO_RANKINGS, View

USUAL_BEST, MOST_NAMED = 20, 10  # best features at first; names in a sentence
AGGREGATED = ""  # in place of the title of a ranking
NOTHING = "No list is kept yet. Choose Lists, Keep This List: later, this tab shows the features that are new or gone"
KEEP_TIP = f"Keep the names of the best {MAX_NAMES:,} features in the workflow, which has room for {MAX_LISTS} lists"


class ChangesView(View):
    """The best features of now beside those of a kept list."""

    title = "Changes"
    tooltip = "Features that are new, gone or moved since a list was kept"
    kept = {"now": string, "since": string, "n": between(1)}

    edited = Signal(list)  # the kept lists, after the user changed them

    def __init__(self, settings=None, parent=None):
        super().__init__(settings, parent)
        self.aggregated: Scores | None = None
        self.sentences = ""
        self.now = choices("List of now", tip="The ranking that is compared, and that is kept", letters=8)
        self.since = choices("Kept list", tip="The list that it is compared with", letters=8)
        self.spin = spin("Best features of both lists", 1, 1, 1, "Number of best features of both lists")
        self.button = QPushButton("&Lists", autoDefault=False, toolTip="Keep, rename and delete lists; copy changes")
        menu = QMenu(self.button, toolTipsVisible=True)
        self.keep = menu.addAction("&Keep This List\u2026", self._keep)
        self.keep.setToolTip(KEEP_TIP)
        self.rename = menu.addAction("&Rename\u2026", self._rename)
        self.delete = menu.addAction("&Delete", self._delete)
        menu.addSeparator()
        self.copy = menu.addAction("&Copy Sentences", self._copy)
        self.button.setMenu(menu)
        self.add_control("&Now", self.now, 1)
        self.add_control("&Since", self.since, 1)
        self.add_control("Best &n", self.spin)
        self.controls.addWidget(self.button)
        self.model = TableModel(self)
        self.table = ItemsView(self.model, ("change", "then", "now"), 3, accessibleName="New, gone and moved features")
        self.notes = QLabel(wordWrap=True, margin=4, textFormat=Qt.PlainText)
        self.notes.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.set_body(self.table, self.notes)
        self.now.activated.connect(lambda: self._chosen(now=self.now.currentData()))
        self.since.activated.connect(lambda: self._chosen(since=self.since.currentData()))
        self.spin.valueChanged.connect(lambda n: self._chosen(n=n))
        self.set_comparison(None)

    def set_comparison(self, comparison):
        super().set_comparison(comparison)
        self.set_aggregated(None)

    def set_aggregated(self, scores: Scores | None) -> None:
        """Take the aggregated ranking, which follows the comparison as soon as it is known."""
        self.aggregated = None if scores is None or scores.partial else scores
        self._show()

    def image_item(self):
        return None  # its sentences are reported

    def caption(self):
        return self.sentences

    @property
    def lists(self) -> Sequence[KeptList]:
        return self.comparison.lists if self.comparison else ()

    def _listed(self) -> list[str]:
        """Names of all features as they stand now, the best first."""
        title, c = self.now.currentData(), self.comparison
        if title is None:
            return []
        order = self.aggregated.order if title == AGGREGATED else c.orders[c.titles.index(title)]
        return [c.features[feature] for feature in order]

    def _since(self) -> KeptList | None:
        return next((kept for kept in self.lists if kept.name == self.since.currentData()), None)

    def _show(self):
        c = self.comparison
        items = [] if self.aggregated is None else [(f"{self.aggregated.title} of all", AGGREGATED)]
        items += [(title, title) for title in (c.titles if c else ()) if title not in c.kept]
        fill(self.now, items, self.settings.get("now", AGGREGATED))
        fill(self.since, [(kept.name, kept.name, kept.date) for kept in self.lists], self.settings.get("since"))
        listed, since = self._listed(), self._since()
        self.keep.setEnabled(bool(listed) and len(self.lists) < MAX_LISTS)
        for action in (self.rename, self.delete):
            action.setEnabled(since is not None)
        self.sentences = ""
        shown = bool(listed) and since is not None
        if shown:
            self._compare(listed, since)
        self.spin.setEnabled(shown)
        self.copy.setEnabled(shown)
        self.placeholder("" if shown else NOTHING if listed else NO_RANKINGS)

    def _compare(self, listed: list[str], since: KeptList):
        # Here, and not above: SciPy is not to be loaded when Orange starts.
        from ...core.evaluation import changes

        cut = since.number > len(since.features)
        with QSignalBlocker(self.spin):
            self.spin.setMaximum(len(since.features) if cut else max(len(listed), len(since.features)))
            self.spin.setValue(self.settings.get("n", USUAL_BEST))
        n = self.spin.value()
        found = changes(since.features, listed, n)
        kinds = ["new"] * len(found.new) + ["gone"] * len(found.gone)
        kinds += [f"{'up' if m.now < m.before else 'down'} {abs(m.now - m.before):,}" for m in found.moved]
        moves = [*found.new, *found.gone, *found.moved]
        self.model.beginResetModel()
        self.model.fields = (
            Column("feature", "Feature", [move.feature for move in moves], widest="W" * 12),
            Column("change", "Change", kinds, None, "New, gone, or the number of places", widest="down 1,000"),
            _places("then", "Then", [move.before for move in moves], "Place in the kept list; a dash: not in it"),
            _places("now", "Now", [move.now for move in moves], "Place now; a dash: not ranked now"),
        )
        self.model.arrange()
        self.model.endResetModel()
        of = counted(min(n, len(listed)), "feature")
        moved = [f"{m.feature} from {m.before:,} to {m.now:,}" for m in found.moved]
        new, gone = (some([move.feature for move in each], MOST_NAMED) for each in (found.new, found.gone))
        came = f"{len(found.new):,} of {of} {_are(found.new)} new: {new}"
        came = came if new else f"none of {of} is new"
        went = f"{len(found.gone):,} {_are(found.gone)} gone: {gone}" if gone else "none is gone"
        largest = f"The largest moves are {some(moved)}." if moved else "No feature moved among those that stayed."
        self.sentences = f"Since {since.name} ({since.date}), {came}, and {went}. {largest}"
        note = f"\nOf {since.number:,} features, {since.name} keeps the best {len(since.features):,}." if cut else ""
        self.notes.setText(self.sentences + note)

    # What the user does ----------------------------------------------------------------------------------------------

    def _chosen(self, **settings):
        self.settings |= settings
        self._show()
        self.change()

    def _name(self, title: str, name: str, others: Sequence[KeptList]) -> str:
        """The name that the user gives to a list, unlike those of the other ones; empty: none."""
        label = "Name of the list"
        while True:
            name, given = QInputDialog.getText(self.window(), title, label, text=name)
            name = name.strip() if given else ""
            if name not in [kept.name for kept in others]:
                return name
            label = plain(f"There is a list {name} already. Give another name")

    def _keep(self):
        listed, today = self._listed(), date.today().isoformat()
        name = self._name("Keep This List", today, self.lists)
        if name:
            self.edited.emit([*self.lists, KeptList(name, today, len(listed), listed[:MAX_NAMES])])

    def _rename(self):
        since = self._since()
        name = self._name("Rename List", since.name, [kept for kept in self.lists if kept is not since])
        if name:
            self.settings["since"] = name
            self.edited.emit([kept._replace(name=name) if kept is since else kept for kept in self.lists])

    def _delete(self):
        self.edited.emit([kept for kept in self.lists if kept is not self._since()])

    def _copy(self):
        QGuiApplication.clipboard().setText(self.sentences)


def _are(moves: Sequence) -> str:
    return "is" if len(moves) == 1 else "are"


def _places(key: str, title: str, places: Sequence[int | None], tip: str) -> Column:
    """A column of places; unknown ones come last in any order."""
    numbers = np.array([np.nan if place is None else place for place in places], float)
    texts = ["\u2013" if place is None else f"{place:,}" for place in places]
    values = ["" if place is None else place for place in places]
    return Column(key, title, values, texts.__getitem__, tip, Qt.AlignRight, widest="1,000", order=numbers)
