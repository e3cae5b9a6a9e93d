"""The views of Rank Genotypes: Manhattan plot, best variants, and one of them; they agree on which one that is."""

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QSplitter, QVBoxLayout, QWidget

from .counts import counts_of
from .detail import Detail
from .manhattanview import ManhattanView
from .variantstable import VariantsTable

SIDE_BY_SIDE = 700  # pixels from which on a variant is beside the table, and not below


class GenotypesArea(QWidget):
    """`chosen`: index of the variant that the user chose in a view."""

    chosen = Signal(int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.found = None
        self.plot, self.table, self.detail = ManhattanView(), VariantsTable(), Detail()
        self.outer, self.lower = QSplitter(Qt.Vertical), QSplitter()
        for splitter in (self.outer, self.lower):
            splitter.setChildrenCollapsible(False)
        self.lower.addWidget(self.table)
        self.lower.addWidget(self.detail)
        self.outer.addWidget(self.plot)
        self.outer.addWidget(self.lower)
        self._beside = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.outer)
        self.plot.variant_chosen.connect(self._choose)
        self.table.variant_chosen.connect(self._choose)

    def sizeHint(self):
        return QSize(760, 560)

    def show_found(self, found, n_best: int) -> None:
        """Show another result; nothing is chosen.  None: nothing."""
        self.found = found if found is not None and found.scored is not None else None
        self.detail.set_ready(self.found is not None)
        self.choose(None)
        self.plot.show_found(found, n_best)
        self.table.model().show_best(found, n_best)

    def choose(self, variant: int | None, reveal: bool = False) -> None:
        """Show this variant in all views; reveal: in the plot, wherever it is.  Emits nothing."""
        self.plot.choose(variant, reveal)
        self.table.choose(variant)
        shown = variant is not None and self.found is not None
        self.detail.show_counts(counts_of(self.found, variant) if shown else None)

    def _choose(self, variant):
        self.choose(variant, reveal=True)
        self.chosen.emit(variant)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        beside = self.width() >= SIDE_BY_SIDE
        if beside != self._beside:
            self._beside = beside
            self.lower.setOrientation(Qt.Horizontal if beside else Qt.Vertical)
            self.lower.setSizes([self.width() * 3 // 5, self.width() * 2 // 5] if beside else [self.height() // 2] * 2)
            self.outer.setSizes([self.height() // 2] * 2)
