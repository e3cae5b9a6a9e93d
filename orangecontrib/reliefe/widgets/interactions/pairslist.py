"""Pairs of features as a model for Qt's tables: sorted and filtered here, not by a proxy."""

import csv
from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QAbstractTableModel, QEvent, QItemSelectionModel, QModelIndex, QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QAction, QGuiApplication, QKeySequence, QPalette, QPen
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QLineEdit,
    QMenu,
    QStyledItemDelegate,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from ...core.words import cell
from ..ranker.namefilter import TIP, matching, not_found
from ..utils.colors import muted
from ..utils.markup import plain

FIRST, SECOND, Z, SYNERGY, GAIN_1, GAIN_2 = range(6)
TITLES = ("Feature 1", "Feature 2", "z", "Synergy", "Gain 1", "Gain 2")
TIPS = (
    "The one of both that ranks higher",
    "The other one",
    "How many standard deviations the synergy lies above that of targets whose effects only add up",
    "0 where what both tell adds up, above 0 where each tells more with the other",
    "How much the score of feature 1 rises among rows alike in feature 2",
    "How much the score of feature 2 rises among rows alike in feature 1",
)
LAST_EDGE = Qt.UserRole + 1  # True for the last row above the level, with rows below it


class PairsModel(QAbstractTableModel):
    """`rows`: indices of the pairs that are shown, in their order; pairs are sorted by z at first."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.names, self.level, self._text = (), np.inf, ""
        self.nodes, self.numbers = np.zeros((0, 2), int), np.zeros((0, 4))
        self.rows, self.missing, self._sorted = np.zeros(0, int), [], (Z, Qt.DescendingOrder)

    def set_network(self, network) -> None:
        """Show the pairs of a `TablePartners`; None: none."""
        self.beginResetModel()
        m = 0 if network is None else len(network.variables)
        self.names = () if network is None else tuple(variable.name for variable in network.variables)
        self.level = np.inf if network is None else network.level
        a, b = np.triu_indices(m, 1)
        self.nodes = np.column_stack([a, b])
        self.numbers = np.zeros((0, 4))
        if network is not None:
            self.numbers = np.column_stack(
                [network.z[a, b], network.synergy[a, b], network.gain[a, b], network.gain[b, a]]
            )
        self._arrange()
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Show pairs with a feature that a text stands for."""
        self.beginResetModel()
        self._text = text
        self._arrange()
        self.endResetModel()

    def sort(self, column, order=Qt.AscendingOrder):
        """Sort by a column; of equal ones the larger z comes first."""
        self.beginResetModel()
        self._sorted = column, order
        self._arrange()
        self.endResetModel()

    @property
    def sorted_by_z(self) -> bool:
        """True if edges are the first rows."""
        return self._sorted == (Z, Qt.DescendingOrder)

    @property
    def n_edges(self) -> int:
        """Number of pairs above the level."""
        return int((self.numbers[:, 0] > self.level).sum())

    def _arrange(self):
        found, self.missing = matching(self._text, [name.casefold() for name in self.names])
        by_z = np.argsort(-self.numbers[:, 0], kind="stable")
        column, order = self._sorted
        if column >= Z:
            keys = self.numbers[by_z, column - Z]
        else:
            places = {name: place for place, name in enumerate(sorted(self.names, key=str.casefold))}
            keys = np.array([places[self.names[node]] for node in self.nodes[by_z, column]], float)
        rows = by_z[np.argsort(keys if order == Qt.AscendingOrder else -keys, kind="stable")]
        self.rows = rows[found[self.nodes[rows]].any(axis=1)] if len(rows) else rows

    # What is asked by views ------------------------------------------------------------------------------------------

    def rowCount(self, parent=QModelIndex()):  # noqa: B008 (as Qt has it)
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else len(TITLES)

    def pair(self, row: int) -> tuple[int, int]:
        """Nodes of the pair in a row."""
        a, b = self.nodes[self.rows[row]]
        return int(a), int(b)

    def row_of(self, a: int, b: int) -> int | None:
        """Row of a pair of nodes, or None if it is not shown."""
        found = np.flatnonzero((self.nodes[self.rows] == sorted((a, b))).all(axis=1))
        return int(found[0]) if len(found) else None

    def above(self, row: int) -> bool:
        """True if the pair in a row is an edge."""
        return bool(self.numbers[self.rows[row], 0] > self.level)

    def data(self, index, role=Qt.DisplayRole):
        row, column = index.row(), index.column()
        if role == Qt.DisplayRole:
            return self._text_of(row, column)
        if role == Qt.TextAlignmentRole:
            return int(Qt.AlignVCenter | (Qt.AlignRight if column >= Z else Qt.AlignLeft))
        if role == Qt.ForegroundRole and not self.above(row):
            return muted(QGuiApplication.palette(), 0.45)
        if role == Qt.ToolTipRole:
            return plain(self._about(row))
        if role == Qt.AccessibleDescriptionRole:
            return self._about(row)
        if role == LAST_EDGE:
            more = row + 1 < len(self.rows)
            return self.sorted_by_z and more and self.above(row) and not self.above(row + 1)
        return None

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation != Qt.Horizontal:
            return None
        if role == Qt.TextAlignmentRole:
            return int(Qt.AlignVCenter | (Qt.AlignRight if section >= Z else Qt.AlignLeft))
        if role == Qt.InitialSortOrderRole:
            return (Qt.DescendingOrder if section >= Z else Qt.AscendingOrder).value
        return {Qt.DisplayRole: TITLES, Qt.ToolTipRole: TIPS}[role][section] if role in (
            Qt.DisplayRole, Qt.ToolTipRole) else None  # fmt: skip

    def _text_of(self, row, column):
        if column < Z:
            return self.names[self.nodes[self.rows[row], column]]
        value = self.numbers[self.rows[row], column - Z]
        return f"{round(value, 3) + 0.0:.1f}" if column == Z else f"{round(value, 3) + 0.0:.3f}"

    def _about(self, row):
        a, b = (self.names[node] for node in self.pair(row))
        z, synergy, one, two = self.numbers[self.rows[row]]
        side = "above" if self.above(row) else "below"
        return (
            f"{a} and {b}: z = {z:.4g}, {side} the level of {self.level:.4g}; synergy {synergy:.4g}; gain of {a} among "
            f"rows alike in {b} {one:.4g}, of {b} among rows alike in {a} {two:.4g}"
        )

    # For elsewhere ---------------------------------------------------------------------------------------------------

    def as_table(self, rows: Sequence[int]) -> list[list[str]]:
        """Titles, then rows in full precision."""
        lines = [[self.names[a], self.names[b], *map(str, self.numbers[self.rows[row]].tolist())]
                 for row, (a, b) in zip(rows, map(self.pair, rows), strict=True)]  # fmt: skip
        return [list(TITLES), *lines]

    def write_csv(self, path: str) -> None:
        """Save the pairs that are shown."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([*map(cell, line)] for line in self.as_table(range(len(self.rows))))


SORT_MARK = 14  # pixels of a header
NAME = 6  # wide letters of a name that are shown at least
ABOUT = "Pairs of features, the strongest first; those above the level come before the line"


class PairDelegate(QStyledItemDelegate):
    """Cells as usual, with a line below the last pair above the level."""

    def paint(self, painter, option, index):
        super().paint(painter, option, index)
        if index.data(LAST_EDGE):
            painter.save()
            painter.setPen(QPen(muted(option.palette, 0.2), 2))
            painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
            painter.restore()


class PairsTable(QTableView):
    """The table itself; its menu copies and saves."""

    failed = Signal(str)  # why nothing was saved; empty: it was

    def __init__(self, model: PairsModel, parent=None):
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName("Pairs of features")
        self.setAccessibleDescription(ABOUT)
        self.setItemDelegate(PairDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectRows)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.ElideMiddle)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        header = self.horizontalHeader()
        header.setSortIndicator(Z, Qt.DescendingOrder)
        self.setSortingEnabled(True)
        for column in range(model.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.Stretch if column <= SECOND else QHeaderView.Fixed)
        self._fit_columns()
        self.menu = QMenu(self)
        self._add("&Copy Rows", self.copy, QKeySequence(QKeySequence.Copy))
        self._add("&Save Table as CSV\u2026", self.save)
        self.setContextMenuPolicy(Qt.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)

    def _show_menu(self, at):
        if self.model().rowCount():
            self.menu.popup(self.viewport().mapToGlobal(at))

    def _fit_columns(self):
        wide, titles = self.fontMetrics().horizontalAdvance, self.model().headerData
        columns = range(Z, self.model().columnCount())
        self._widths = {c: max(wide("-0.000"), wide(titles(c, Qt.Horizontal)) + SORT_MARK) + 6 for c in columns}
        for column, width in self._widths.items():
            self.setColumnWidth(column, width)

    def resizeEvent(self, event):
        """Names come first: what has no room is hidden, and told by tooltips."""
        super().resizeEvent(event)
        room = self.viewport().width() - 2 * self.fontMetrics().horizontalAdvance("W" * NAME)
        for column, width in self._widths.items():
            room -= width
            self.setColumnHidden(column, column > Z and room < 0)

    def _add(self, title, act, shortcut=None):
        action = QAction(title, self)
        if shortcut is not None:
            action.setShortcut(shortcut)
            action.setShortcutContext(Qt.WidgetShortcut)
        action.triggered.connect(act)
        self.menu.addAction(action)
        self.addAction(action)

    def copy(self) -> None:
        """Put the selected rows on the clipboard, as a spreadsheet takes them; all if none is selected."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        lines = self.model().as_table(rows or range(self.model().rowCount()))
        QGuiApplication.clipboard().setText("\n".join("\t".join(map(cell, line)) for line in lines))

    def save(self) -> None:
        """Save what is shown, in a file that the user names."""
        path, _ = QFileDialog.getSaveFileName(self.window(), "Save Table as CSV", "pairs.csv", "CSV (*.csv)")
        if not path:
            return
        try:
            self.model().write_csv(path)
        except OSError as error:
            self.failed.emit(f"The table was not saved: {error.strerror or error}")
        else:
            self.failed.emit("")


class PairsList(QWidget):
    """Filter and table.  `pair_chosen`: the user went to a row."""

    pair_chosen = Signal(int, int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.model = PairsModel(self)
        self.table = PairsTable(self.model)
        self.filter = QLineEdit(placeholderText="Filter by name", clearButtonEnabled=True, toolTip=TIP)
        self.filter.setAccessibleName("Filter of pairs by the name of a feature")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addWidget(self.filter)
        layout.addWidget(self.table, 1)
        self._chosen = None
        self._recolor()
        self.filter.textChanged.connect(self._filter)
        self.table.selectionModel().currentRowChanged.connect(self._row_changed)
        self.model.modelReset.connect(self._mark)

    def show_network(self, network) -> None:
        """List the pairs of a `TablePartners`; None: none."""
        self._chosen = None
        self.model.set_network(network)
        self._filter(self.filter.text())

    def choose(self, *nodes: int) -> None:
        """Mark the row of a pair; of anything else none.  Emits nothing."""
        self._chosen = nodes if len(nodes) == 2 else None
        self._mark()

    def _mark(self):
        """Qt forgets the selection when the model is arranged anew."""
        row = None if self._chosen is None else self.model.row_of(*self._chosen)
        selection = self.table.selectionModel()
        with QSignalBlocker(selection):
            selection.clear()
            if row is not None:
                index = self.model.index(row, 0)
                how = QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows
                selection.setCurrentIndex(index, how)
                self.table.scrollTo(index)
        self.table.viewport().update()

    def _filter(self, text):
        self.model.set_filter(text)
        told, tip = not_found(self.model.missing)
        self.filter.setToolTip(tip or TIP)
        self.filter.setAccessibleDescription(told)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "filter"):
            self._recolor()

    def _recolor(self):
        """Some dark palettes have no colour of their own for a hint."""
        palette = QPalette(self.palette())
        palette.setColor(QPalette.PlaceholderText, muted(self.palette(), 0.45))
        self.filter.setPalette(palette)

    def _row_changed(self, current, _):
        if current.isValid():
            self._chosen = self.model.pair(current.row())
            self.pair_chosen.emit(*self._chosen)
