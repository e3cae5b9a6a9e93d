"""The table of the best variants: one row is chosen, all or some can be copied."""

from AnyQt.QtCore import QItemSelectionModel, QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QAction, QGuiApplication, QKeySequence
from AnyQt.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from ...core.words import cell
from .variantsmodel import CHROMOSOME, FREQUENCY, POSITION, RANK, SCORE, VARIANT, VariantsModel

WIDEST = {
    RANK: "1,000,000 ",
    VARIANT: "rs123456789",
    CHROMOSOME: "Chr. 22",
    POSITION: "249,250,621 ",
    SCORE: "-10.1234 ",
}
USUAL = "Frequency"  # as wide as all other columns are
PAD = 12
ABOUT = "The best variants, the best first; choose one to see its genotypes by class"


class VariantsTable(QTableView):
    """`variant_chosen`: the user went to the row of a variant."""

    variant_chosen = Signal(int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setModel(VariantsModel(self))
        self.setAccessibleName("Best variants")
        self.setAccessibleDescription(ABOUT)
        self.setToolTip(ABOUT)
        self.setSelectionBehavior(QAbstractItemView.SelectRows)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.ElideMiddle)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.horizontalHeader().setSortIndicator(RANK, Qt.AscendingOrder)
        self.horizontalHeader().setMinimumSectionSize(20)
        self.setSortingEnabled(True)
        self._chosen = None
        self.model().modelReset.connect(self._reset)
        self.selectionModel().currentRowChanged.connect(self._row_changed)
        copy = QAction("&Copy Rows", self, shortcut=QKeySequence(QKeySequence.Copy))
        copy.setShortcutContext(Qt.WidgetShortcut)
        copy.triggered.connect(self.copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ActionsContextMenu)
        self._fit_columns()

    def choose(self, variant: int | None) -> None:
        """Mark the row of a variant; none if it is not listed.  Emits nothing."""
        self._chosen = variant
        self._mark()

    def copy(self) -> None:
        """Put the selected rows on the clipboard, as a spreadsheet takes them; all if none is selected."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        lines = self.model().as_table(rows or range(self.model().rowCount()))
        QGuiApplication.clipboard().setText("\n".join("\t".join(map(cell, line)) for line in lines))

    def _reset(self):
        self._fit_columns()
        self._mark()

    def _fit_columns(self):
        header, wide = self.horizontalHeader(), self.fontMetrics().horizontalAdvance
        for column in range(self.model().columnCount()):
            header.setSectionResizeMode(column, QHeaderView.Stretch if column == VARIANT else QHeaderView.Fixed)
            if column != VARIANT:
                self.setColumnWidth(column, wide(WIDEST.get(column, USUAL)) + PAD)
        self._hide()

    def _hide(self):
        """Names come first: what has no room is hidden, and can be had by a wider window."""
        wide = self.fontMetrics().horizontalAdvance
        left = self.viewport().width() - wide(WIDEST[VARIANT]) - PAD
        tests = reversed(range(SCORE + 1, self.model().columnCount()))
        order = [RANK, SCORE, CHROMOSOME, *tests, POSITION, FREQUENCY]
        for column in order:
            left -= wide(WIDEST.get(column, USUAL)) + PAD
            self.setColumnHidden(column, left < 0 and column not in (RANK, SCORE))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._hide()

    def _mark(self):
        """Qt forgets the selection when the model is arranged anew."""
        row, selection = self.model().row_of(self._chosen), self.selectionModel()
        with QSignalBlocker(selection):
            selection.clear()
            if row is not None:
                how = QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows
                selection.setCurrentIndex(self.model().index(row, VARIANT), how)
                self.scrollTo(self.model().index(row, VARIANT))
        self.viewport().update()

    def _row_changed(self, current, _):
        if current.isValid():
            self._chosen = self.model().variant(current.row())
            self.variant_chosen.emit(self._chosen)
