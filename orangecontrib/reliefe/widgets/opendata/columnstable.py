"""Table of the columns of a file (Qt): each with a small histogram and its values in the first ten rows.

Cells ask for what they show, so that only the page that is seen is computed, also of 20,000 columns.
"""

from collections.abc import Collection
from html import escape

import numpy as np
from AnyQt.QtCore import QAbstractTableModel, QModelIndex, QRectF, Qt
from AnyQt.QtWidgets import QHeaderView, QLabel, QStyledItemDelegate, QTableView, QVBoxLayout, QWidget
from Orange.data import Table
from Orange.widgets import gui

from ...core.words import counted, rough_percent
from ...orange.values.column_summary import ColumnSummaries
from ..utils.colors import hue, muted
from ..utils.controls import filter_line, placed
from ..utils.markup import plain

NO_PARENT = QModelIndex()
NAME, BARS, MISSING, ROLE, FIRST = range(5)  # columns; values of the rows follow from FIRST on
TITLES = ("Column", "Values", "Missing", "Role")
TIPS = {
    BARS: "Numbers of rows, in the colours of the classes. A number has bars from its smallest to its largest value",
    MISSING: "Share of the rows without a value",
}
FILTER_TIP = "Shows the columns whose names contain this text"
WIDTHS = {NAME: 150, BARS: 132, MISSING: 64, ROLE: 118}  # pixels
VALUE_WIDTH = 72  # pixels of a value
MARGIN = 4  # pixels around bars
GAP_FROM = 4  # pixels of a bar from which on there is a gap beside it


class ColumnsModel(QAbstractTableModel):
    """Columns of a table as rows.

    Attributes
    ----------
    summaries : ColumnSummaries, optional
        Summaries of the table; None without one.
    columns : (m,) int array
        Indices of the columns that are shown.
    suspects : collection of str
        Names of the columns that a finding is about.
    """

    def __init__(self, parent=None):
        super().__init__(parent)
        self.summaries: ColumnSummaries | None = None
        self.columns = np.zeros(0, int)
        self.suspects: Collection[str] = ()
        self._text = ""

    def set_table(self, table: Table | None, suspects: Collection[str] = ()) -> None:
        """Show the columns of a table, or nothing."""
        self.beginResetModel()
        self.summaries = None if table is None else ColumnSummaries(table)
        self.suspects = suspects
        self._filter()
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Show the columns whose names contain a text, whatever its case."""
        self.beginResetModel()
        self._text = text.strip().casefold()
        self._filter()
        self.endResetModel()

    def _filter(self):
        variables = () if self.summaries is None else self.summaries.variables
        matching = [j for j, variable in enumerate(variables) if self._text in variable.name.casefold()]
        self.columns = np.array(matching, int)

    # Overrides of QAbstractTableModel ---------------------------------------------------------------------------------

    def rowCount(self, parent=NO_PARENT):
        return 0 if parent.isValid() else len(self.columns)

    def columnCount(self, parent=NO_PARENT):
        return 0 if parent.isValid() or self.summaries is None else FIRST + self.summaries.n_first

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation != Qt.Horizontal:
            return None
        if role == Qt.DisplayRole:
            return TITLES[section] if section < FIRST else f"row {section - FIRST + 1}"
        return TIPS.get(section) if role == Qt.ToolTipRole else None

    def data(self, index, role=Qt.DisplayRole):
        if self.summaries is None:
            return None
        column = int(self.columns[index.row()])
        variable = self.summaries.variables[column]
        field = index.column()
        if role == Qt.DecorationRole and field == NAME:
            return gui.attributeIconDict[variable]
        if role == Qt.TextAlignmentRole:
            is_right = field == MISSING or (field >= FIRST and variable.is_continuous)
            return int((Qt.AlignRight if is_right else Qt.AlignLeft) | Qt.AlignVCenter)
        if role == Qt.FontRole and field == NAME and variable.name in self.suspects:
            font = self.parent().font()
            font.setBold(True)
            return font
        if role in (Qt.ToolTipRole, Qt.AccessibleTextRole) and field in (NAME, BARS):
            about = f"{variable.name}: {self.summaries.of(column).about}"
            return plain(about) if role == Qt.ToolTipRole else about
        return self._text_of(column, field) if role == Qt.DisplayRole else None

    def _text_of(self, column, field):
        if field == NAME:
            return self.summaries.variables[column].name
        if field == ROLE:
            return self.summaries.role(column)
        if field == MISSING:
            missing = self.summaries.of(column).missing
            return rough_percent(missing) if missing else "none"
        if field == BARS:
            summary = self.summaries.of(column)
            return "" if len(summary.counts) else summary.about
        return self.summaries.first_value(column, field - FIRST)


class BarsDelegate(QStyledItemDelegate):
    """Bars of numbers of rows, from the bottom of the cell, in parts by class."""

    def paint(self, painter, option, index):
        """Draw the bars over an empty cell. Overrides QStyledItemDelegate.paint."""
        super().paint(painter, option, index)
        model = index.model()
        counts = model.summaries.of(int(model.columns[index.row()])).counts
        if not len(counts):
            return
        cell = QRectF(option.rect).adjusted(MARGIN, MARGIN, -MARGIN, -1)
        width = cell.width() / len(counts)
        gap = 1.0 if width >= GAP_FROM else 0.0
        scale = cell.height() / max(int(counts.sum(axis=1).max()), 1)
        n_classes = len(model.summaries.classes)
        for bar, counts_of_bar in enumerate(counts):
            bottom = cell.bottom()
            left = cell.left() + bar * width
            for part in np.flatnonzero(counts_of_bar):
                height = counts_of_bar[part] * scale
                color = hue(int(part), option.palette) if part < n_classes else muted(option.palette)
                painter.fillRect(QRectF(left, bottom - height, width - gap, height), color)
                bottom -= height


class ColumnsTable(QWidget):
    """A filter, the table, and the meaning of its colours."""

    def __init__(self):
        super().__init__()
        self.filter = filter_line("Filter columns", FILTER_TIP)
        self.view = QTableView(
            accessibleName="Columns of the data",
            showGrid=False,
            cornerButtonEnabled=False,
            wordWrap=False,
            tabKeyNavigation=False,  # else the keyboard cannot leave
            selectionBehavior=QTableView.SelectRows,
        )
        self.model = ColumnsModel(self.view)
        self.view.setModel(self.model)
        self._bars = BarsDelegate(self.view)
        self.view.setItemDelegateForColumn(BARS, self._bars)
        self.view.setHorizontalScrollMode(QTableView.ScrollPerPixel)
        rows = self.view.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.Fixed)  # anything else measures all rows
        rows.setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.legend = QLabel(textFormat=Qt.RichText, wordWrap=True)
        self.filter.textChanged.connect(self.model.set_filter)
        placed(QVBoxLayout(self), self.filter, (self.view, 1), self.legend, spacing=4)

    def show_table(self, table: Table | None, suspects: Collection[str] = ()) -> None:
        """Show the columns of a table; names of suspects, which findings are about, are bold."""
        self.model.set_table(table, suspects)
        for column in range(self.model.columnCount()):
            self.view.setColumnWidth(column, WIDTHS.get(column, VALUE_WIDTH))
        n_columns = len(self.model.columns)
        self.view.setAccessibleDescription("" if table is None else counted(n_columns, "column"))
        self._show_legend()

    def _show_legend(self):
        """Say which class has which colour; nothing without classes."""
        summaries = self.model.summaries
        names = summaries.classes if summaries is not None and len(summaries.classes) > 1 else ()
        squares = [
            f'<span style="color:{hue(number, self.palette()).name()}">\u25a0</span> {escape(name)}'
            for number, name in enumerate(names)
        ]
        self.legend.setText("&nbsp;&nbsp; ".join(squares))
        self.legend.setVisible(bool(squares))

    def changeEvent(self, event):
        """Follow the palette. Overrides QWidget.changeEvent."""
        super().changeEvent(event)
        if event.type() == event.Type.PaletteChange and hasattr(self, "legend"):
            self._show_legend()
