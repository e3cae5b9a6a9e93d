"""The best variants as a model for Qt's tables: sorted here, not by a proxy."""

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QAction, QGuiApplication, QKeySequence
from AnyQt.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from ...core.words import cell

RANK, VARIANT, CHROMOSOME, POSITION, FREQUENCY, SCORE = range(6)
TITLES = ("#", "Variant", "Chr.", "Position", "Frequency", "Score", "z", "p", "q")
TIPS = (
    "Rank, 1 is the best",
    "Name of the variant",
    "Chromosome",
    "Base pairs along the chromosome",
    "Frequency of the rarer allele, 0 to 0.5",
    "The higher, the more the variant tells of the phenotype, alone or with others",
    "How many standard deviations the score lies above that for shuffled phenotypes",
    "Probability to reach this z if the phenotype has nothing to do with the genotypes",
    "False discovery rate of taking all variants down to this one",
)
LEFT = (VARIANT, CHROMOSOME)  # columns of texts


class VariantsModel(QAbstractTableModel):
    """`rows`: indices of the variants that are listed, in their order; the best come first at first."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.found, self.best, self.rows, self._n_columns = None, np.zeros(0, int), np.zeros(0, int), SCORE + 1
        self._columns, self._sorted = [], (RANK, Qt.AscendingOrder)

    def show_best(self, found, n: int) -> None:
        """List the n best variants of a `job.Found`; None, or one without scores: nothing."""
        self.beginResetModel()
        scored = None if found is None else found.scored
        self.found = found if scored is not None else None
        self.best = scored.order[:n] if scored is not None else np.zeros(0, int)
        self._columns = self._read() if scored is not None else []
        self._n_columns = len(self._columns) or SCORE + 1
        self._arrange()
        self.endResetModel()

    def _read(self) -> list[np.ndarray]:
        """Values of the variants that are listed, column by column."""
        kept, scored, best = self.found.kept, self.found.scored, self.best
        v, test = kept.data.variants, scored.ranking.significance
        columns = [scored.rank[best], v.name[best], v.chromosome[best], v.position[best]]
        columns += [kept.frequency[best], scored.ranking.scores[best]]
        return columns + ([values[best] for values in test.columns.values()] if test is not None else [])

    def sort(self, column, order=Qt.AscendingOrder):
        """Sort by a column; of equal ones the better comes first."""
        self.beginResetModel()
        self._sorted = column, order
        self._arrange()
        self.endResetModel()

    def _arrange(self):
        column, order = self._sorted
        if not len(self.best) or column >= len(self._columns):
            self.rows = np.arange(len(self.best))
            return
        keys = self._columns[column]
        if column == CHROMOSOME:
            keys = self.found.kept.places.number[self.best]
        elif column in LEFT:
            keys = np.unique(keys, return_inverse=True)[1]
        self.rows = np.argsort(keys if order == Qt.AscendingOrder else -keys, kind="stable")

    # What is asked by views ------------------------------------------------------------------------------------------

    def rowCount(self, parent=QModelIndex()):  # noqa: B008 (as Qt has it)
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        return 0 if parent.isValid() else self._n_columns

    def variant(self, row: int) -> int:
        """Index of the variant in a row."""
        return int(self.best[self.rows[row]])

    def row_of(self, variant: int | None) -> int | None:
        """Row of a variant, or None if it is not listed."""
        found = np.flatnonzero(self.best[self.rows] == variant) if variant is not None else ()
        return int(found[0]) if len(found) else None

    def data(self, index, role=Qt.DisplayRole):
        if role in (Qt.DisplayRole, Qt.ToolTipRole):
            return self._text(index.row(), index.column(), role == Qt.ToolTipRole)
        if role == Qt.TextAlignmentRole:
            return int(Qt.AlignVCenter | (Qt.AlignLeft if index.column() in LEFT else Qt.AlignRight))
        return None

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation != Qt.Horizontal or not 0 <= section < len(TITLES):
            return None
        if role == Qt.TextAlignmentRole:
            return int(Qt.AlignVCenter | (Qt.AlignLeft if section in LEFT else Qt.AlignRight))
        if role == Qt.InitialSortOrderRole:
            return (Qt.DescendingOrder if section in (SCORE, SCORE + 1) else Qt.AscendingOrder).value
        return {Qt.DisplayRole: TITLES, Qt.ToolTipRole: TIPS}.get(role, [None] * len(TITLES))[section]

    def _text(self, row: int, column: int, full: bool = False) -> str:
        value = self._columns[column][self.rows[row]]
        if column in LEFT:
            return str(value)
        if column in (RANK, POSITION):
            return f"{int(value):,}" if column == RANK or value else ""
        if full:
            return f"{TITLES[column]}: {float(value)!r}"
        if np.isnan(value):
            return "\u2013"
        if column == FREQUENCY:
            return f"{value:.3f}"
        return f"{round(value, 4) + 0.0:.4f}" if column == SCORE else f"{value:.3g}"

    # For elsewhere ---------------------------------------------------------------------------------------------------

    def as_table(self, rows: Sequence[int]) -> list[list[str]]:
        """Titles, then rows in full precision."""
        titles = list(TITLES[: self._n_columns])
        return [titles, *([str(column[self.rows[row]]) for column in self._columns] for row in rows)]


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
