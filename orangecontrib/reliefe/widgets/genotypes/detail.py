"""Close view of a variant: its genotypes by class, or the mean of a number for each genotype."""

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from ..utils.colors import muted
from .counts import WORDS, Counts

HINT = "Click a point of the plot or a row of the table to see the genotypes of a variant by class"
ABOUT = "Numbers of people with each genotype, and the frequency of the counted allele, by class"


class Detail(QWidget):
    """A hint, or facts and counts of a variant."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.shown, self._hint = None, ""
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.title)
        layout.addWidget(self.table, 1)
        self.show_counts(None)

    def set_ready(self, ready: bool) -> None:
        """Hint at what can be chosen, if there is anything."""
        self._hint = HINT if ready else ""

    def show_counts(self, counts: Counts | None) -> None:
        """Show these; None: the hint."""
        self.shown = counts
        self.table.setVisible(counts is not None)
        self.title.setText(f"<b>{_plain(counts.title)}</b>: {_plain(counts.facts)}" if counts else self._hint)
        self.title.setAlignment(Qt.AlignLeft | Qt.AlignTop if counts else Qt.AlignCenter)
        self.table.setAccessibleDescription(counts.told if counts else "")
        self._recolor()
        if counts is None:
            return
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

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "shown"):
            self._recolor()

    def _recolor(self):
        palette = QPalette(self.palette())
        if self.shown is None:
            palette.setColor(QPalette.WindowText, muted(self.palette(), 0.3))
        self.title.setPalette(palette)


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
