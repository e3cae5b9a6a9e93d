"""The list of pairs, with a filter: one row is chosen, several can be copied."""

from AnyQt.QtCore import QEvent, QItemSelectionModel, QSignalBlocker, Qt
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
from ..ranker.namefilter import TIP, not_found
from ..utils.colors import muted
from .pairsmodel import LAST_EDGE, SECOND, PairsModel, Z

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
