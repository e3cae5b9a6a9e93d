"""Views of tables (Qt): their look, copies and files, and a view whose columns hide where they have no room."""

from collections.abc import Callable, Sequence

from AnyQt.QtCore import QItemSelectionModel, QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QAction, QGuiApplication, QKeySequence
from AnyQt.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from .model import TableModel
from .saving import save_chosen_file


class TableView(QTableView):
    """Shows a `TableModel`, and saves it."""

    failed = Signal(str)  # why nothing was saved; empty: it was
    file_name = "table"  # of a file that is saved, at first

    def __init__(self, model: TableModel, parent=None, **properties):
        super().__init__(
            parent,
            showGrid=False,
            cornerButtonEnabled=False,
            wordWrap=False,
            tabKeyNavigation=False,  # else the keyboard cannot leave
            **properties,
        )
        self.setModel(model)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.Fixed)  # anything else measures all rows
        rows.setDefaultSectionSize(self.fontMetrics().height() + 7)
        self.horizontalHeader().setSortIndicator(*model.sorted_by)
        self.setSortingEnabled(True)

    def add_action(self, title: str, act: Callable[[], object], shortcut: QKeySequence | None = None) -> None:
        """Add an entry to the context menu."""
        self.setContextMenuPolicy(Qt.ActionsContextMenu)
        action = QAction(title, self)
        if shortcut is not None:
            action.setShortcut(shortcut)
            action.setShortcutContext(Qt.WidgetShortcut)
        action.triggered.connect(act)
        self.addAction(action)

    def offer_copies(self) -> None:
        """Let the user copy rows by the context menu and the usual keys."""
        self.add_action("&Copy Rows", self.copy, QKeySequence(QKeySequence.Copy))

    def copy(self) -> None:
        """Copy the selected rows, or all."""
        model = self.model()
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        QGuiApplication.clipboard().setText(model.as_text(model.rows[rows] if rows else model.rows))

    def save(self) -> None:
        """Save the table in a file that the user names."""
        self.save_by(self.model().write_csv, "Save Table as CSV", f"{self.file_name}.csv", "CSV (*.csv)")

    def save_by(self, write: Callable[[str], object], title: str, name: str, pattern: str) -> None:
        """Write a file that the user names; `failed` says why there is none."""
        failure = save_chosen_file(self.window(), write, title, name, pattern)
        if failure is not None:
            self.failed.emit(failure)


SORT_MARK = 14  # pixels of the arrow of the column that sorts
PAD = 8  # pixels around a text


class ItemsView(TableView):
    """A table of items one of which is chosen.  Columns that have no room are hidden.

    Parameters
    ----------
    model : TableModel
    important : sequence of str
        Keys of the columns that are as wide as their texts, the most important first; the others share the rest.
    always : int
        Number of important columns that are never hidden.
    parent : QWidget, optional
    """

    item_chosen = Signal(int)  # the user went to its row

    def __init__(self, model: TableModel, important: Sequence[str], always: int, parent=None, **properties):
        self._important = important
        self._always = always
        self._chosen = None
        super().__init__(model, parent, textElideMode=Qt.ElideMiddle, **properties)
        self.setSelectionBehavior(QAbstractItemView.SelectRows)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.horizontalHeader().setMinimumSectionSize(20)
        self.offer_copies()
        model.modelReset.connect(self.fit_columns)
        for signal in (model.modelReset, model.layoutChanged):
            signal.connect(self._mark)
        self.selectionModel().currentRowChanged.connect(self._row_changed)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Hide important columns that have no room, the last ones first."""
        header = self.horizontalHeader()
        model = self.model()
        wide = self.fontMetrics().horizontalAdvance
        room = self.viewport().width()  # pixels
        for position, column in enumerate(model.fields):
            if column.key in self._important:
                header.setSectionResizeMode(position, QHeaderView.Fixed)
            else:
                header.setSectionResizeMode(position, QHeaderView.Stretch)
                room -= wide(column.widest) + PAD
        for number, key in enumerate(self._important):
            column = model.column(key)
            if column is not None:
                width = max(wide(column.widest), wide(column.title) + SORT_MARK) + PAD
                room -= width
                self.setColumnWidth(model.place(key), width)
                self.setColumnHidden(model.place(key), room < 0 and number >= self._always)

    def resizeEvent(self, event):
        """Fit the columns to the width. Overrides QTableView.resizeEvent."""
        super().resizeEvent(event)
        self.fit_columns()

    def choose(self, item: int | None) -> None:
        """Mark the row of an item; none if it is not shown.  Emits nothing."""
        self._chosen = item
        self._mark()

    def _mark(self):
        """Select the chosen item again, since Qt forgets or moves the selection when rows are arranged."""
        row, selection = self.model().row_of(self._chosen), self.selectionModel()
        with QSignalBlocker(selection):
            selection.clear()
            if row is not None:
                index = self.model().index(row, 0)
                selection.setCurrentIndex(index, QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows)
                self.scrollTo(index)
        self.viewport().update()

    def _row_changed(self, current, _):
        if current.isValid():
            self._chosen = int(self.model().rows[current.row()])
            self.item_chosen.emit(self._chosen)
