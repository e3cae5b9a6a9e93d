"""Pairs of features as a table with a filter."""

import numpy as np
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QGuiApplication, QPalette, QPen
from AnyQt.QtWidgets import QStyledItemDelegate, QVBoxLayout, QWidget

from ...orange.name_filter import TIP, matching, not_found
from ..table.model import Column, TableModel
from ..table.view import ItemsView
from ..utils.colors import muted
from ..utils.controls import filter_line, placed
from ..utils.markup import plain

Z = "z"  # key of its column
NUMBERS = {  # keys: titles, and what the columns are
    Z: ("z", "Synergy minus its mean for targets without interactions, in standard deviations"),
    "synergy": ("Synergy", "Above 0 if each feature is more informative with the other one, 0 if their gains add up"),
    "gain 1": ("Gain 1", "How much the score of feature 1 rises among rows alike in feature 2"),
    "gain 2": ("Gain 2", "How much the score of feature 2 rises among rows alike in feature 1"),
}
LAST_EDGE = Qt.UserRole + 1  # True for the last row above the level, with rows below it
NAME = "W" * 6  # as much of a name is shown at least
ABOUT = "Pairs of features, the strongest first; those above the level come before the line"


class PairsModel(TableModel):
    """Items are pairs of features by falling z: nodes (n, 2), numbers (n, 4) are z, synergy, and both gains."""

    def __init__(self, parent=None):
        super().__init__(parent, Z, Qt.DescendingOrder)
        self._text, self.missing = "", []
        self.set_network(None)

    def set_network(self, network) -> None:
        """Show the pairs of a `TablePartners`; None: none."""
        self.beginResetModel()
        self.names, self.level = (), np.inf
        self.nodes, self.numbers = np.zeros((0, 2), int), np.zeros((0, 4))
        if network is not None:
            self.names, self.level = tuple(variable.name for variable in network.variables), network.level
            a, b = np.triu_indices(len(self.names), 1)
            order = np.argsort(-network.z[a, b], kind="stable")
            a, b = a[order], b[order]
            self.nodes = np.column_stack([a, b])
            self.numbers = np.column_stack(
                [network.z[a, b], network.synergy[a, b], network.gain[a, b], network.gain[b, a]]
            )
        first, second = ([self.names[node] for node in nodes] for nodes in self.nodes.T)
        self.fields = (
            Column("feature 1", "Feature 1", first, tip="The feature of the pair that ranks higher", widest=NAME),
            Column("feature 2", "Feature 2", second, tip="The second feature of the pair", widest=NAME),
            *map(self._number, NUMBERS, self.numbers.T),
        )
        self._filter()
        self.endResetModel()

    @staticmethod
    def _number(key, values) -> Column:
        def text(pair):
            return f"{round(values[pair], 3) + 0.0:.{1 if key == Z else 3}f}"

        return Column(key, NUMBERS[key][0], values, text, NUMBERS[key][1], Qt.AlignRight, True, "-0.000")

    def set_filter(self, text: str) -> None:
        self.beginResetModel()
        self._text = text
        self._filter()
        self.endResetModel()

    def _filter(self):
        is_found, self.missing = matching(self._text, [name.casefold() for name in self.names])
        self.mask = is_found[self.nodes].any(axis=1) if len(self.nodes) else None
        self.arrange()

    def pair(self, row: int) -> tuple[int, int]:
        a, b = self.nodes[self.rows[row]]
        return int(a), int(b)

    def item(self, *nodes: int) -> int | None:
        indices = np.flatnonzero((self.nodes == sorted(nodes)).all(axis=1)) if len(nodes) == 2 else ()
        return int(indices[0]) if len(indices) else None

    def above(self, row: int) -> bool:
        return bool(self.numbers[self.rows[row], 0] > self.level)

    def data(self, index, role=Qt.DisplayRole):
        row = index.row()
        if role == Qt.ForegroundRole and not self.above(row):
            return muted(QGuiApplication.palette(), 0.45)
        if role == LAST_EDGE:
            more, by_z = row + 1 < len(self.rows), (self.by, self.direction) == (Z, Qt.DescendingOrder)
            return by_z and more and self.above(row) and not self.above(row + 1)
        return super().data(index, role)

    def tip(self, item, column):
        return plain(self.about(item))

    def about(self, item):
        a, b = (self.names[node] for node in self.nodes[item])
        z, synergy, one, two = self.numbers[item]
        relation = "above" if z > self.level else "below"
        return (
            f"{a} and {b}: z = {z:.4g}, {relation} the level of {self.level:.4g}; synergy {synergy:.4g}; "
            f"gain of {a} among rows alike in {b} {one:.4g}, of {b} among rows alike in {a} {two:.4g}"
        )


class PairDelegate(QStyledItemDelegate):
    """Cells as usual, with a line below the last pair above the level."""

    def paint(self, painter, option, index):
        super().paint(painter, option, index)
        if index.data(LAST_EDGE):
            painter.save()
            painter.setPen(QPen(muted(option.palette, 0.2), 2))
            painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
            painter.restore()


class PairsList(QWidget):
    """Filter and table.  `pair_chosen`: the user went to a row."""

    pair_chosen = Signal(int, int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.model = PairsModel(self)
        self.table = ItemsView(self.model, tuple(NUMBERS), 1, accessibleName="Pairs of features")
        self.table.file_name = "pairs"
        self.table.setAccessibleDescription(ABOUT)
        self.table.setItemDelegate(PairDelegate(self.table))
        self.table.add_action("&Save Table as CSV\u2026", self.table.save)
        self.filter = filter_line("Filter by name", TIP)
        self.filter.setAccessibleName("Filter of pairs by the name of a feature")
        placed(QVBoxLayout(self), self.filter, (self.table, 1), spacing=3)
        self._recolor()
        self.filter.textChanged.connect(self._filter)
        self.table.item_chosen.connect(lambda item: self.pair_chosen.emit(*self.model.nodes[item].tolist()))

    def show_network(self, network) -> None:
        """List the pairs of a `TablePartners`; None: none."""
        self.table.choose(None)
        self.model.set_network(network)
        self._filter(self.filter.text())

    def choose(self, *nodes: int) -> None:
        """Mark the row of a pair; of anything else none.  Emits nothing."""
        self.table.choose(self.model.item(*nodes))

    def _filter(self, text):
        self.model.set_filter(text)
        text, tip = not_found(self.model.missing)
        self.filter.setToolTip(tip or TIP)
        self.filter.setAccessibleDescription(text)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "filter"):
            self._recolor()

    def _recolor(self):
        """Some dark palettes have no colour of their own for a hint."""
        palette = QPalette(self.palette())
        palette.setColor(QPalette.PlaceholderText, muted(self.palette(), 0.45))
        self.filter.setPalette(palette)
