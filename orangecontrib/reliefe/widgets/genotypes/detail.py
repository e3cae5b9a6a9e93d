"""Facts about a variant, and the table of its genotypes by class."""

from html import escape

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from ...orange.genotypes.variant_counts import WORDS, VariantCounts
from ..utils.controls import placed

ABOUT = "Numbers of people with each genotype, and the frequency of the counted allele, by class"


class VariantDetail(QWidget):
    """Facts and counts of a variant; hidden as long as none is chosen."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.shown = None
        self.title, self.table = QLabel(wordWrap=True), QTableWidget()
        self.title.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.table.setAccessibleName("Genotypes by class")
        self.table.setToolTip(ABOUT)
        self.table.setEditTriggers(QAbstractItemView.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.NoSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.Stretch)
        self.table.horizontalHeader().setMinimumSectionSize(20)
        placed(QVBoxLayout(self), self.title, (self.table, 1), spacing=2).setContentsMargins(2, 2, 0, 0)
        self.show_counts(None)

    def show_counts(self, counts: VariantCounts | None) -> None:
        self.shown = counts
        self.setVisible(counts is not None)
        if counts is None:
            return
        self.title.setText(f"<b>{escape(counts.title)}</b>: {escape(counts.facts)}")
        self.table.setAccessibleDescription(counts.text)
        self.table.setColumnCount(len(counts.columns))
        self.table.setRowCount(len(counts.rows))
        self.table.setHorizontalHeaderLabels(counts.columns)
        for j, column in enumerate(counts.columns):
            self.table.horizontalHeaderItem(j).setToolTip(WORDS.get(column, column).capitalize())
        for i, row in enumerate(counts.rows):
            for j, text in enumerate(row):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignVCenter | (Qt.AlignRight if j else Qt.AlignLeft))
                item.setToolTip(f"{row[0]}, {counts.columns[j]}: {text}" if j else text)
                self.table.setItem(i, j, item)
