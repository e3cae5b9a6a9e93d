"""Base of tables of colours, painted by QPainter: heat maps, and tables of pairs of rankings."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QImage, QPainter, QPen

from ..utils.colors import ink, muted
from .drawing import Drawing
from .keys import ARROWS, CHOOSE

GAP = 5  # pixels around names
MIN_GRID = 6  # pixels of a cell from which on it has an edge
FRAME_SHADE = 0.75  # of the frame around all cells: share of the ground in the text's colour


class CellGeometry(NamedTuple):
    """Geometry of a table of cells, in pixels of the canvas."""

    left: float  # of the first cell
    top: float  # of the first cell
    width: float  # of a cell
    height: float  # of a cell

    def area(self, row: int, column: int) -> QRectF:
        return QRectF(self.left + column * self.width, self.top + row * self.height, self.width, self.height)


class Cells(Drawing):
    """Rows and columns of colours; arrow keys go from cell to cell.

    The elements of the drawing are cells: (row, column). A subclass defines `shape`, `frame()`, the geometry, and
    `choose(cell)`, which the Space key calls.
    """

    shape = 0, 0  # rows, columns
    first = 0  # the row at the top

    @property
    def n_elements(self):
        return self.shape[0] * self.shape[1]

    def has(self, element):
        return element[0] < self.shape[0] and element[1] < self.shape[1]

    @property
    def visible(self) -> int:
        """Rows that have room."""
        return max(self.shape[0], 1)

    def choose(self, cell: tuple[int, int]) -> None:
        pass

    def row_at(self, position: QPointF) -> int | None:
        """The row at a place, also on its name."""
        frame = self.frame()
        row = int(np.floor((position.y() - frame.top) / frame.height))
        return self.first + row if 0 <= row < min(self.visible, self.shape[0] - self.first) else None

    def element_at(self, position):
        row, frame = self.row_at(position), self.frame()
        column = int(np.floor((position.x() - frame.left) / frame.width))
        return (row, column) if row is not None and 0 <= column < self.shape[1] else None

    # Keys ------------------------------------------------------------------------------------------------------------

    @property
    def begin(self) -> tuple[int, int]:
        """The cell that the first key goes to."""
        return self.first, 0

    def keyPressEvent(self, event):
        """Go from one cell to the next. Overrides Drawing.keyPressEvent."""
        key, (rows, columns) = event.key(), self.shape
        row, column = self.current or self.begin
        page = max(self.visible - 1, 1)
        target_rows = {Qt.Key_Home: 0, Qt.Key_End: rows - 1, Qt.Key_PageUp: row - page, Qt.Key_PageDown: row + page}
        if not self.n_elements or not (key in ARROWS or key in target_rows or (key in CHOOSE and self.current)):
            super(Drawing, self).keyPressEvent(event)
        elif key in CHOOSE:
            self.choose(self.current)
        else:
            down, right = ARROWS.get(key, (0, 0)) if self.current else (0, 0)
            row = target_rows.get(key, row) + down
            self.set_current((min(max(row, 0), rows - 1), min(max(column + right, 0), columns - 1)))

    def focusInEvent(self, event):
        super().focusInEvent(event)
        if event.reason() in (Qt.TabFocusReason, Qt.BacktabFocusReason) and self.n_elements:
            self.set_current(self.current or self.begin)
        self.mark()

    def focusOutEvent(self, event):
        super().focusOutEvent(event)
        self.mark()

    # Painting --------------------------------------------------------------------------------------------------------

    def paint_cells(
        self,
        painter: QPainter,
        frame: CellGeometry,
        colors: np.ndarray,
        texts: Sequence[Sequence[str]],
        strong: object = (),
    ) -> None:
        """Paint the cells, with their texts if all have room.

        Parameters
        ----------
        painter : QPainter
        frame : CellGeometry
            Geometry of the cells.
        colors : ndarray, shape (r, c, 3)
            Red, green and blue of each cell, 0 to 255.
        texts : sequence of sequences of str, shape (r, c)
        strong : container of (row, column)
            Cells whose text is bold.
        """
        pixels = np.ascontiguousarray(colors, np.uint8)
        rows, columns = pixels.shape[:2]
        area = QRectF(frame.left, frame.top, columns * frame.width, rows * frame.height)
        painter.setRenderHint(QPainter.Antialiasing, False)
        painter.drawImage(area, QImage(pixels.data, columns, rows, 3 * columns, QImage.Format_RGB888))
        painter.setPen(QPen(self.ground, 1))
        for column in range(1, columns if frame.width >= MIN_GRID else 1):
            x = frame.left + column * frame.width
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        for row in range(1, rows if frame.height >= MIN_GRID else 1):
            y = frame.top + row * frame.height
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(QPen(muted(self.palette(), FRAME_SHADE), 1))
        painter.drawRect(area)
        longest = max((text for line in texts for text in line), key=len, default="")
        if self.metrics.horizontalAdvance(longest) + GAP > frame.width or self.metrics.height() > frame.height:
            return
        for row, line in enumerate(texts):
            for column, text in enumerate(line):
                painter.setFont(self.strong_font() if (row, column) in strong else self.font())
                painter.setPen(ink(QColor(*map(int, pixels[row, column]))))
                painter.drawText(frame.area(row, column), int(Qt.AlignCenter), text)
        painter.setFont(self.font())

    def paint_names(
        self, painter: QPainter, frame: CellGeometry, names: Sequence[str], left: float, gap: float = GAP
    ) -> None:
        """Write names from `left` to a gap before the cells; not each where rows are low."""
        line = self.metrics.height()
        painter.setPen(self.text_color)
        for row in range(0, len(names), max(int(np.ceil(line / frame.height)), 1)):
            middle = frame.top + (row + 0.5) * frame.height
            area = QRectF(left, middle - line / 2, frame.left - left - gap, line)
            self.write(painter, area, names[row], Qt.AlignRight | Qt.AlignVCenter)

    def paint_heads(
        self, painter: QPainter, frame: CellGeometry, heads: Sequence[str], top: float, upright=False
    ) -> None:
        """Write titles of columns between `top` and the cells; not each where columns are narrow."""
        line, high = self.metrics.height(), frame.top - top - upright * GAP
        room = line if upright else max(map(self.metrics.horizontalAdvance, heads), default=0)
        step = max(int(np.ceil(room / frame.width)), 1)
        painter.setPen(self.text_color)
        for column in range(0, len(heads), step):
            left = frame.left + column * frame.width
            if upright:
                painter.save()
                painter.translate(left + frame.width / 2, frame.top - GAP)
                painter.rotate(-90)
                self.write(painter, QRectF(0, -line / 2, high, line), heads[column], Qt.AlignLeft | Qt.AlignVCenter)
                painter.restore()
            else:
                self.write(painter, QRectF(left, top, step * frame.width, high), heads[column], Qt.AlignCenter)

    def paint_current(self, painter: QPainter, frame: CellGeometry) -> None:
        """Paint a frame around the current cell, a stronger one with the focus."""
        if self.current and self.first <= self.current[0] < self.first + self.visible:
            painter.setPen(QPen(self.marked if self.hasFocus() else self.text_color, 2))
            painter.setBrush(Qt.NoBrush)
            painter.drawRect(frame.area(self.current[0] - self.first, self.current[1]))
