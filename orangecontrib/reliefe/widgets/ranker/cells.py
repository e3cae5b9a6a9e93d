"""Base of pictures made of cells: colours and letters, and a frame around the cell that is told about."""

from collections.abc import Sequence
from dataclasses import replace

import pyqtgraph as pg
from AnyQt.QtCore import QRectF, Qt
from AnyQt.QtGui import QFont, QPalette, QPen

from .colorscale import ColorScale

STEPS = {Qt.Key_Up: (-1, 0), Qt.Key_Down: (1, 0), Qt.Key_Left: (0, -1), Qt.Key_Right: (0, 1)}  # rows, columns


class Cells(pg.GraphicsWidget):
    """`current`: (row, column), or None; `scale`: from values to colours."""

    def __init__(self):
        super().__init__()
        self.scale, self.current = ColorScale(), None
        self._palette, self._font, self._focused = QPalette(), QFont(), False

    def set_focused(self, focused: bool) -> None:
        """With the focus, the current cell has a stronger frame."""
        self._focused = focused
        self.update()

    def set_look(self, palette: QPalette, font: QFont) -> None:
        """Colours and letters."""
        self._palette, self._font = palette, font
        self.scale = replace(self.scale, palette=palette)
        self.update()

    @staticmethod
    def area(frame: Sequence[float], row: int, column: int) -> QRectF:
        """Area of a cell; frame: left and top of the first one, width and height."""
        left, top, width, height = frame[:4]
        return QRectF(left + column * width, top + row * height, width, height)

    def paint_frame(self, painter, area: QRectF) -> None:
        """Around the current cell."""
        role = QPalette.Highlight if self._focused else QPalette.Text
        painter.setPen(QPen(self._palette.color(role), 2))
        painter.drawRect(area)
