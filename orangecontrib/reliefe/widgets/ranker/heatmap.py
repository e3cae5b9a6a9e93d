"""Scores of features for each of several targets, as colours: the widget that scrolls, listens and tells."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QToolTip
from Orange.widgets.visualize.utils.plotutils import GraphicsView

from ..utils.markup import plain
from .cells import STEPS
from .heatcells import HeatCells

NAME = "Scores of features for each target"
ABOUT = "Arrow keys move, Space selects the feature"
WHEEL = 40  # units of a wheel for a row: three rows a notch


class HeatMap(GraphicsView):
    """Rows are features in a given order, columns are targets; as many rows as there is room for, and one can scroll.

    Hovering, or moving with the keys, tells name and value of a cell.
    """

    clicked = Signal(int)  # feature

    def __init__(self, parent=None):
        super().__init__(parent)
        self.cells = HeatCells()
        self._rolled = 0
        layout = pg.GraphicsLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addItem(self.cells)
        self.setCentralItem(layout)
        self.setMinimumSize(QSize(200, 110))
        self.setFocusPolicy(Qt.StrongFocus)
        self.setAccessibleName(NAME)
        self.setMouseTracking(True)
        self._recolor()

    @property
    def possible(self) -> bool:
        """True if there is anything to show."""
        return bool(self.cells.targets)

    def set_scores(self, names: Sequence[str], targets: Sequence[str], values: np.ndarray, number: int = 0) -> None:
        """Show other scores; values: (t, p), NaN where there is none; number: of the method's hue."""
        self.cells.set_scores(names, targets, values, number)
        self._tell()

    def set_order(self, rows: np.ndarray, selected: np.ndarray | None = None) -> None:
        """rows (shown,): features from top to bottom; selected (p,) bool: those that are marked."""
        self.cells.set_order(rows, selected)
        self._tell()

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        cell = self.cells.cell_at(self.mapToScene(event.pos()))
        if cell != self.cells.current:
            self.cells.set_current(cell)
            self._tell()

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        row = self.cells.row_at(self.mapToScene(event.pos()))
        if event.button() == Qt.LeftButton and row is not None:
            self.clicked.emit(int(self.cells.rows[row]))

    def leaveEvent(self, event):
        super().leaveEvent(event)
        if not self.hasFocus():
            self.cells.set_current(None)

    def wheelEvent(self, event):
        self._rolled += event.angleDelta().y()
        steps = int(self._rolled / WHEEL)
        self._rolled -= steps * WHEEL
        self.cells.scroll(-steps)
        event.accept()

    def keyPressEvent(self, event):
        cells, key = self.cells, event.key()
        if not cells.possible:
            super().keyPressEvent(event)
            return
        row, column = cells.current or (cells.first, 0)
        last, page = len(cells.rows) - 1, max(cells.visible - 1, 1)
        places = {Qt.Key_Home: 0, Qt.Key_End: last, Qt.Key_PageUp: row - page, Qt.Key_PageDown: row + page}
        if key in STEPS:
            down, right = STEPS[key] if cells.current else (0, 0)  # the first key only shows where one is
            row, column = row + down, column + right
        elif key in places:
            row = places[key]
        elif key in (Qt.Key_Space, Qt.Key_Return, Qt.Key_Enter) and cells.current:
            self.clicked.emit(int(cells.rows[row]))
        else:
            super().keyPressEvent(event)
            return
        cells.set_current((min(max(row, 0), last), min(max(column, 0), len(cells.targets) - 1)))
        self._tell()

    def viewportEvent(self, event):
        if event.type() == QEvent.ToolTip and self.cells.current:
            QToolTip.showText(event.globalPos(), plain(self.cells.told()), self)
            return True
        return super().viewportEvent(event)

    def _tell(self):
        self.setAccessibleDescription(self.cells.told() or ABOUT)

    # Palette ---------------------------------------------------------------------------------------------------------

    def focusInEvent(self, event):
        super().focusInEvent(event)
        if event.reason() in (Qt.TabFocusReason, Qt.BacktabFocusReason) and self.cells.possible:
            self.cells.set_current(self.cells.current or (self.cells.first, 0))
            self._tell()
        self.cells.set_focused(True)

    def focusOutEvent(self, event):
        super().focusOutEvent(event)
        self.cells.set_focused(False)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange) and hasattr(self, "cells"):
            self._recolor()

    def _recolor(self):
        self.cells.set_look(self.palette(), self.font())
