"""Model of the tables of all widgets (Qt): columns that are sorted and filtered in NumPy, since a proxy is slow."""

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from AnyQt.QtCore import QAbstractTableModel, QModelIndex, Qt

from ...core.words import cell

ROOM_OF_ARROW = "\u2003"  # behind the title of the column that sorts: styles draw the arrow over it at the right
DIGITS = re.compile(r"(\d+)")


def natural_order(texts: Sequence[str]) -> np.ndarray:
    """Places (n,) of texts in an order where x2 comes before x10; equal ones share a place, empty ones are NaN."""
    keys = {text: [int(s) if s.isdecimal() else s for s in DIGITS.split(text.casefold())] for text in texts}
    positions = {text: position for position, text in enumerate(sorted(keys, key=keys.__getitem__))}
    return np.array([positions[text] if text else np.nan for text in texts], float)


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table of n items."""

    key: str  # identifies the column
    title: str
    values: Sequence[object]  # (n,), which are copied and saved
    text: Callable[[int], str] | None = None  # of an item, as the table shows it; None: its value
    tip: str = ""  # tooltip of the title
    align: Qt.AlignmentFlag = Qt.AlignLeft
    descending: bool = False  # True: the first click on the title sorts the largest values first
    widest: str = ""  # a text that must have room
    order: np.ndarray | None = None  # (n,) numbers to sort by, where these are not the values

    @cached_property
    def places(self) -> np.ndarray:
        """(n,) numbers to sort by; NaN comes last."""
        if self.order is not None:
            return self.order
        values = np.asarray(self.values)
        return values if values.dtype.kind in "iuf" else natural_order(self.values)

    def text_of(self, item: int) -> str:
        """Text of an item, as the table shows it."""
        return str(self.values[item]) if self.text is None else self.text(item)


class TableModel(QAbstractTableModel):
    """A table of n items; a row shows an item, a column a `Column`.

    Parameters
    ----------
    parent : QObject, optional
    by : str
        Key of the column that sorts at first.
    direction : Qt.SortOrder
    """

    mask: np.ndarray | None = None  # (n,) True for items that a filter shows; None: all

    def __init__(self, parent=None, by: str = "", direction: Qt.SortOrder = Qt.AscendingOrder):
        super().__init__(parent)
        self.fields: tuple[Column, ...] = ()  # the columns, from left to right
        self.rows = np.zeros(0, int)  # items of the visible rows, from top to bottom
        self.by = by  # key of the column that sorts
        self.direction = direction

    def column(self, key: str) -> Column | None:
        """The column with a key; None without one."""
        return next((field for field in self.fields if field.key == key), None)

    def place(self, key: str) -> int:
        """Number of the column with this key; -1 without one."""
        column = self.column(key)
        return -1 if column is None else self.fields.index(column)

    @property
    def sorted_by(self) -> tuple[int, Qt.SortOrder]:
        """Number of the column that sorts, and the direction."""
        return self.place(self.by), self.direction

    def sort(self, column: int, order: Qt.SortOrder = Qt.AscendingOrder) -> None:
        """Sort by a column; equal items keep their order in both directions."""
        self.by, self.direction = self.fields[column].key if 0 <= column < len(self.fields) else "", order
        self.rearrange()

    def rearrange(self) -> None:
        self.layoutAboutToBeChanged.emit()
        self.arrange()
        self.layoutChanged.emit()

    def arrange(self) -> None:
        """Sort all items, then filter."""
        column = self.column(self.by)
        if column is None:
            rows = np.arange(len(self.fields[0].values) if self.fields else 0)
        else:  # NaN comes last in both directions
            down = self.direction == Qt.DescendingOrder
            rows = np.argsort(-column.places if down else column.places, kind="stable")
        self.rows = rows if self.mask is None else rows[self.mask[rows]]

    def row_of(self, item: int | None) -> int | None:
        """Row of an item, or None if it is not shown."""
        rows = np.flatnonzero(self.rows == item) if item is not None else ()
        return int(rows[0]) if len(rows) else None

    def tip(self, item: int, column: Column) -> str:
        """Tooltip of a cell."""
        return ""

    def about(self, item: int) -> str:
        """Description of an item for screen readers."""
        return ""

    # What Qt asks ----------------------------------------------------------------------------------------------------

    def rowCount(self, parent=QModelIndex()):  # noqa: B008 (Qt's own signature)
        """Return the number of listed rows. Overrides QAbstractTableModel.rowCount."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent=QModelIndex()):  # noqa: B008
        """Return the number of columns. Overrides QAbstractTableModel.columnCount."""
        return 0 if parent.isValid() else len(self.fields)

    def data(self, index, role=Qt.DisplayRole):
        item, column = self.rows[index.row()], self.fields[index.column()]
        if role == Qt.DisplayRole:
            return column.text_of(item)
        if role == Qt.TextAlignmentRole:
            return int(Qt.AlignVCenter | column.align)
        if role == Qt.ToolTipRole:
            return self.tip(item, column)
        if role == Qt.AccessibleDescriptionRole:
            return self.about(item)
        return None

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        """Return titles and tooltips of columns. Overrides QAbstractTableModel.headerData."""
        if orientation != Qt.Horizontal or not 0 <= section < len(self.fields):
            return None
        column = self.fields[section]
        if role == Qt.DisplayRole:
            under_arrow = column.key == self.by and column.align == Qt.AlignRight
            return column.title + ROOM_OF_ARROW * under_arrow
        if role == Qt.ToolTipRole:
            return column.tip
        if role == Qt.TextAlignmentRole:
            return int(Qt.AlignVCenter | column.align)
        if role == Qt.InitialSortOrderRole:  # an int: the enum itself is ignored
            return (Qt.DescendingOrder if column.descending else Qt.AscendingOrder).value
        return None

    # Copies and files ------------------------------------------------------------------------------------------------

    @property
    def saved(self) -> Sequence[Column]:
        """Columns that are copied and saved."""
        return self.fields

    def as_table(self, items: Iterable[int]) -> list[list[str]]:
        """Titles, and the values of items as texts."""
        columns = self.saved
        return [[column.title for column in columns], *([str(c.values[item]) for c in columns] for item in items)]

    def as_text(self, items: Iterable[int]) -> str:
        """Items below their titles, tab-separated, for a spreadsheet."""
        return "\n".join("\t".join(map(cell, line)) for line in self.as_table(items))

    def lines_to_save(self) -> list[list[str]]:
        """Titles and all visible rows."""
        return self.as_table(self.rows)

    def write_csv(self, path: str) -> None:
        """Write the visible rows as a file of comma-separated values."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([*map(cell, line)] for line in self.lines_to_save())
