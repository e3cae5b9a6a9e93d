"""The best variants as a model for Qt's tables: sorted here, not by a proxy."""

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QAbstractTableModel, QModelIndex, Qt

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
