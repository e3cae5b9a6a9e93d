"""List of the rankings that are compared, with their colours."""

from collections.abc import Sequence

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QIcon
from AnyQt.QtWidgets import QListWidget, QListWidgetItem

from ..utils.colors import swatch
from ..utils.controls import BoxDelegate
from ..utils.markup import plain

MAX_ROWS = 8  # rankings that are listed without scrolling


class RankingList(QListWidget):
    """The rankings with their colours; those that are not ticked take no part."""

    changed = Signal()

    def __init__(self, parent=None):
        super().__init__(parent, accessibleName="Rankings", frameShape=QListWidget.NoFrame, uniformItemSizes=True)
        self.setToolTip("Tick the rankings to compare; the Space key ticks")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.ElideMiddle)
        self.viewport().setAutoFillBackground(False)
        self.setItemDelegate(BoxDelegate(self))
        self._titles: tuple[str, ...] = ()
        self._compared: dict[str, int] = {}  # numbers of those that the views show
        self.itemChanged.connect(lambda _: (self._recolor(), self.changed.emit()))

    def set_titles(self, titles: Sequence[str], left_out: Sequence[str], compared: Sequence[str] = ()) -> None:
        """List these rankings, and tick those that are not left out; compared: those that the views show, in order."""
        self._compared = {title: number for number, title in enumerate(compared)}
        self.blockSignals(True)
        if tuple(titles) != self._titles:
            self.clear()
            for title in titles:
                item = QListWidgetItem(title, self)
                item.setFlags(Qt.ItemIsEnabled | Qt.ItemIsSelectable | Qt.ItemIsUserCheckable)
                item.setToolTip(plain(title))
        for row, title in enumerate(titles):
            self.item(row).setCheckState(Qt.Unchecked if title in left_out else Qt.Checked)
        self._titles = tuple(titles)
        self.blockSignals(False)
        self._recolor()
        rows = min(max(len(titles), 2), MAX_ROWS)
        self.setFixedHeight((self.sizeHintForRow(0) if titles else self.fontMetrics().height() + 4) * rows + 4)

    def left_out(self) -> list[str]:
        return [self.item(i).text() for i in range(self.count()) if self.item(i).checkState() != Qt.Checked]

    def _recolor(self):
        """Colours are those of the views; what these do not show has none."""
        self.blockSignals(True)
        for i in range(self.count()):
            number = self._compared.get(self.item(i).text())
            square = swatch(number or 0, self.palette())
            if number is None or self.item(i).checkState() != Qt.Checked:
                square.fill(Qt.transparent)
            self.item(i).setIcon(QIcon(square))
        self.blockSignals(False)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == event.Type.PaletteChange and hasattr(self, "_titles"):
            self._recolor()
