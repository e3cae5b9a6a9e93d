"""Scores of features for each target as colours, and the scale that explains them."""

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal

from ..charts.cells import GAP, CellGeometry, Cells
from ..charts.color_scale import ColorScale, range_of
from ..utils.colors import muted

TALLEST = 26  # pixels of a row
MAX_COLUMN_WIDTH = 110  # of a column
NAMES, HEADS = 0.35, 0.4  # shares of the width and of the height that names may take
STRIP = 3  # of the mark of selected rows
WHEEL = 40  # units of a wheel for a row: three rows a notch


class HeatMap(Cells):
    """Rows are features in a given order, columns are targets; as many rows as there is room for, and one can scroll.

    Hovering, or moving with the keys, shows name and value of a cell.
    """

    note = "Arrow keys move, Space selects the feature"
    clicked = Signal(int)  # feature

    def __init__(self, parent=None):
        self.names = ()
        self.targets = ()
        self.values = np.zeros((0, 0))
        self.rows, self.selected = np.zeros(0, int), np.zeros(0, bool)
        self._number = 0  # of the method's hue
        self._range = (0.0, 0.0)  # of all scores, zero included
        self._longest = ()
        self._rolled = 0
        super().__init__("Scores of features for each target", parent, (200, 110))

    @property
    def shape(self):
        return len(self.rows), len(self.targets)

    @property
    def scale(self) -> ColorScale:
        """The scale of all scores in the colours of the palette."""
        return ColorScale(*self._range, self.hue(self._number), self.palette())

    def set_scores(self, names: Sequence[str], targets: Sequence[str], values: np.ndarray, number: int = 0) -> None:
        """Show other scores; values: (t, p), NaN where there is none; number: of the method's hue."""
        if list(targets) != list(self.targets) or len(names) != len(self.names):
            self.first, self.current = 0, None
        self.names = names
        self.targets = tuple(targets)
        self.values = values
        self._number = number
        self._range = range_of(values)
        self._longest = sorted(names, key=len)[-20:]  # one of them is the widest
        if len(self.rows) and self.rows.max() >= len(names):
            self.rows = np.zeros(0, int)
        self.scroll(0)

    def set_order(self, rows: np.ndarray, selected: np.ndarray | None = None) -> None:
        """rows (shown,): features from top to bottom; selected (p,) bool: those that are marked."""
        self.rows, self.selected = rows, np.zeros(len(self.names), bool) if selected is None else selected
        self.scroll(0)

    def scroll(self, rows: int) -> None:
        """Further down by so many rows."""
        self.first = min(max(self.first + rows, 0), max(len(self.rows) - self.visible, 0))
        self.draw()

    # Geometry --------------------------------------------------------------------------------------------------------

    @property
    def visible(self):
        line = self.metrics.height()
        return max(int((self.canvas.size().height() - self._heads()[0] - line - 2 * GAP) // (line + 2)), 1)

    def _heads(self) -> tuple[float, bool]:
        """Height of the names of the targets, and whether they stand upright, for they are wider than their columns."""
        metrics = self.metrics
        longest = max(map(metrics.horizontalAdvance, self.targets), default=0) + 2 * GAP
        upright = longest > self._column()
        height = min(longest, HEADS * self.canvas.size().height()) if upright else metrics.height() + GAP
        return height, upright

    def _left(self) -> float:
        widest = max(map(self.metrics.horizontalAdvance, self._longest), default=0) + 2  # for fractions of pixels
        return STRIP + 2 * GAP + min(widest, NAMES * self.canvas.size().width())

    def _column(self) -> float:
        return min((self.canvas.size().width() - self._left() - GAP) / max(len(self.targets), 1), MAX_COLUMN_WIDTH)

    def frame(self):
        top, line = self._heads()[0], self.metrics.height()
        space = max(self.canvas.size().height() - top - line - 2 * GAP, 1)
        shown = min(self.visible, max(len(self.rows), 1))
        return CellGeometry(self._left(), top, max(self._column(), 1), min(space / shown, TALLEST))

    def row_at(self, place):
        return super().row_at(place) if self.targets else None

    def about(self, cell):
        row, column = cell
        feature = self.rows[row]
        value = self.values[column, feature]
        if not np.isfinite(value):
            return f"{self.names[feature]}, {self.targets[column]}: no score"
        place = 1 + int((self.values[column] > value).sum())
        text = f"{value:.4g}".replace("-", "\u2212")
        return f"{self.names[feature]}, {self.targets[column]}: {text}, rank {place:,}"

    # Painting --------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room):
        if not self.n_elements:
            return
        frame, scale = self.frame(), self.scale
        shown = self.rows[self.first : self.first + self.visible]
        values = self.values[:, shown].T
        roomy = self.metrics.horizontalAdvance(scale.text(-scale.top)) + GAP <= frame.width
        texts = [[scale.text(value) for value in line] for line in values] if roomy else ()
        self.paint_cells(painter, frame, scale.colors(values), texts)
        for row in np.flatnonzero(self.selected[shown]):
            painter.fillRect(QRectF(0, frame.top + row * frame.height, STRIP, frame.height), self.marked)
        self.paint_names(painter, frame, [self.names[feature] for feature in shown], STRIP + GAP)
        self.paint_heads(painter, frame, self.targets, 0, self._heads()[1])
        self.paint_current(painter, frame)
        line = self.metrics.height()
        area = QRectF(STRIP + GAP, room.height() - line - GAP, room.width() - STRIP - 2 * GAP, line)
        area.setRight(scale.paint(painter, area))
        rows = f"{self.first + 1:,} to {self.first + len(shown):,} of {len(self.rows):,} features"
        text = self.about(self.current) if self.current else rows * (len(shown) < len(self.rows))
        painter.setPen(muted(self.palette(), 0.0 if self.current else 0.4))
        self.write(painter, area, text, Qt.AlignLeft | Qt.AlignVCenter, Qt.ElideRight)

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def set_current(self, cell):
        if cell is not None:
            self.first = min(max(self.first, cell[0] - self.visible + 1), cell[0])
        super().set_current(cell)

    def choose(self, cell):
        self.clicked.emit(int(self.rows[cell[0]]))

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        row = self.row_at(self.canvas_place(event))
        if event.button() == Qt.LeftButton and row is not None:
            self.choose((row, 0))

    def wheelEvent(self, event):
        self._rolled += event.angleDelta().y()
        steps = int(self._rolled / WHEEL)
        self._rolled -= steps * WHEEL
        self.scroll(-steps)
        event.accept()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "canvas"):
            self.scroll(0)
