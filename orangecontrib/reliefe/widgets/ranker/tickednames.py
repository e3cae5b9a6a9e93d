"""A list of names of columns (of Qt), any number of which are ticked, with a filter above it.

The boxes of studies and of kept features show one.
"""

from collections.abc import Collection, Sequence

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ..utils.controls import BoxDelegate, filter_line, placed

MIN_ROWS = 3  # of the list, that are seen at once
MAX_ROWS = 10  # more are scrolled; chosen by eye for a window of 720 pixels


class TickedNames(QWidget):
    """List of names; `ticked` is emitted when the user ticks a name or unticks it."""

    ticked = Signal(str, bool)

    def __init__(self, title: str, tip: str):
        """title: what the names are of, for screen readers; tip: tooltip of the list."""
        super().__init__()
        self.filter = filter_line(f"Filter {title.lower()}", "Show only columns whose name contains this")
        self.list = QListWidget(
            uniformItemSizes=True, accessibleName=title, toolTip=tip,
            horizontalScrollBarPolicy=Qt.ScrollBarAlwaysOff,
        )  # fmt: skip
        self.list.setItemDelegate(BoxDelegate(self.list))
        self._show_rows()
        placed(QVBoxLayout(self), self.filter, self.list)
        self.filter.textChanged.connect(self._filter)
        self.list.itemChanged.connect(lambda item: self.ticked.emit(item.text(), item.checkState() == Qt.Checked))

    def set_names(self, names: Sequence[str]) -> None:
        """List these names, none of them ticked."""
        with QSignalBlocker(self.list):
            self.list.clear()
            for name in names:
                QListWidgetItem(name, self.list).setCheckState(Qt.Unchecked)
        self._show_rows()
        self._filter(self.filter.text())

    def _show_rows(self):
        """Make the list as high as its names need."""
        n_rows = min(max(self.list.count(), MIN_ROWS), MAX_ROWS)
        height = max(self.list.sizeHintForRow(0), self.fontMetrics().height() + 4)
        self.list.setFixedHeight(n_rows * height + 2 * self.list.frameWidth())

    def show_ticked(self, names: Collection[str]) -> None:
        """Tick these names, and untick the rest."""
        with QSignalBlocker(self.list):
            for item in map(self.list.item, range(self.list.count())):
                item.setCheckState(Qt.Checked if item.text() in names else Qt.Unchecked)

    def _filter(self, text):
        pattern = text.casefold().strip()
        for item in map(self.list.item, range(self.list.count())):
            item.setHidden(pattern not in item.text().casefold())
