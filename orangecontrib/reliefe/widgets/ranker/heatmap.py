"""From scores to colours, and the scale that explains them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QFont, QFontMetrics, QImage, QLinearGradient, QPainter, QPalette, QPen
from Orange.widgets.visualize.utils.plotutils import GraphicsView

from ..charts.points import Pointing
from ..utils.colors import hue, ink, muted
from ..utils.markup import plain
from .scores import decimals_of, number_text

SCALE_GAP = 5  # pixels between the scale and its numbers
LENGTH = 90  # pixels of the scale


@dataclass(frozen=True, eq=False)
class ColorScale:
    """Above zero a method's hue, below zero grey, both ever stronger up to the largest absolute score.

    low, high: range of the scores, zero included; number: of the hue.
    """

    low: float = 0.0
    high: float = 0.0
    number: int = 0
    palette: QPalette = field(default_factory=QPalette)

    @classmethod
    def of(cls, values: np.ndarray, number: int, palette: QPalette) -> "ColorScale":
        known = values[np.isfinite(values)]
        return cls(float(known.min(initial=0)), float(known.max(initial=0)), number, palette)

    @property
    def top(self) -> float:
        return max(-self.low, self.high)

    def text(self, value: float) -> str:
        return number_text(value, decimals_of(self.top))

    def colors(self, values: np.ndarray) -> np.ndarray:
        """(..., 3) uint8: the colours of values (...); unknown ones look like zero."""
        share = np.nan_to_num(values / self.top if self.top else np.zeros(np.shape(values)))[..., None]
        base, low, high = (np.array(color.getRgb()[:3], float) for color in self._ends())
        return (base + np.abs(share) * (np.where(share > 0, high, low) - base)).round().astype(np.uint8)

    def _ends(self):
        return self.palette.color(QPalette.Base), muted(self.palette, 0.4), hue(self.number, self.palette)

    def paint(self, painter: QPainter, area: QRectF) -> float:
        """The colours with both ends of the range, at the right of an area; returns where it begins."""
        metrics = painter.fontMetrics()
        low, high = self.text(self.low), self.text(self.high)
        right = area.right() - metrics.horizontalAdvance(high) - SCALE_GAP
        bar = QRectF(right - LENGTH, area.top() + 3, LENGTH, area.height() - 6)
        left = bar.left() - SCALE_GAP - metrics.horizontalAdvance(low)
        painter.setPen(muted(self.palette, 0.4))
        painter.drawText(area, int(Qt.AlignRight | Qt.AlignVCenter), high)
        painter.drawText(QPointF(left, area.center().y() + metrics.capHeight() / 2), low)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for place, color in zip((0, 1), self.colors(np.array([self.low, self.high])), strict=True):
            gradient.setColorAt(place, QColor(*map(int, color)))
        if self.low < 0 < self.high:
            gradient.setColorAt(-self.low / (self.high - self.low), self._ends()[0])
        painter.fillRect(bar, gradient)
        painter.drawRect(bar)
        return left - SCALE_GAP


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
        self._palette, self._font = palette, font
        self.scale = replace(self.scale, palette=palette)
        self.update()

    @staticmethod
    def area(frame: Sequence[float], row: int, column: int) -> QRectF:
        """Area of a cell; frame: left and top of the first one, width and height."""
        left, top, width, height = frame[:4]
        return QRectF(left + column * width, top + row * height, width, height)

    def paint_frame(self, painter, area: QRectF) -> None:
        role = QPalette.Highlight if self._focused else QPalette.Text
        painter.setPen(QPen(self._palette.color(role), 2))
        painter.drawRect(area)


GAP = 5  # pixels around the names
TALLEST = 26  # pixels of a row
WIDEST = 110  # of a column
NAMES, HEADS = 0.35, 0.4  # shares of the width and of the height that names may take
GRID = 6  # pixels of a cell from which on it has an edge
STRIP = 3  # of the mark of selected rows


class Frame(NamedTuple):
    """Place of the cells: left, top, width and height of a cell, and whether the names above stand upright."""

    left: float
    top: float
    width: float
    height: float
    upright: bool


class HeatCells(Cells):
    """Cells, names, a line that tells the current cell, and the scale of the colours."""

    def __init__(self):
        super().__init__()
        self.names, self.targets, self.values = (), (), np.zeros((0, 0))
        self.rows, self.selected = np.zeros(0, int), np.zeros(0, bool)
        self.first = 0  # the row at the top

    # State -----------------------------------------------------------------------------------------------------------

    def set_scores(self, names: Sequence[str], targets: Sequence[str], values: np.ndarray, number: int) -> None:
        """values: (t, p); see `HeatMap.set_scores`."""
        if list(targets) != list(self.targets) or len(names) != len(self.names):
            self.first, self.current = 0, None
        self.names, self.targets, self.values = names, tuple(targets), values
        self.scale = ColorScale.of(values, number, self._palette)
        if len(self.rows) and self.rows.max() >= len(names):
            self.rows = np.zeros(0, int)
        self.scroll(0)

    def set_order(self, rows: np.ndarray, selected: np.ndarray | None) -> None:
        """rows: (shown,), selected: (p,); what is current is a place, not a feature."""
        self.rows, self.selected = rows, np.zeros(len(self.names), bool) if selected is None else selected
        if self.current and self.current[0] >= len(rows):
            self.current = None
        self.scroll(0)

    def set_current(self, cell: tuple[int, int] | None) -> None:
        self.current = cell
        if cell is not None:
            self.first = min(max(self.first, cell[0] - self.visible + 1), cell[0])
        self.update()

    def scroll(self, rows: int) -> None:
        self.first = min(max(self.first + rows, 0), max(len(self.rows) - self.visible, 0))
        self.update()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self.scroll(0)

    @property
    def possible(self) -> bool:
        return bool(self.targets) and len(self.rows) > 0

    # Geometry --------------------------------------------------------------------------------------------------------

    @property
    def visible(self) -> int:
        line = QFontMetrics(self._font).height()
        return max(int((self.size().height() - self._heads()[0] - line - 2 * GAP) // (line + 2)), 1)

    def _heads(self) -> tuple[float, bool]:
        """Height of the names of the targets, and whether they stand upright, for they are wider than their columns."""
        metrics = QFontMetrics(self._font)
        longest = max(map(metrics.horizontalAdvance, self.targets), default=0) + 2 * GAP
        upright = longest > self._column()
        height = min(longest, HEADS * self.size().height()) if upright else metrics.height() + GAP
        return height, upright

    def _left(self) -> float:
        metrics = QFontMetrics(self._font)
        some = sorted(self.names, key=len)[-20:]  # one of them is the longest
        longest = max(map(metrics.horizontalAdvance, some), default=0) + 2  # for fractions of pixels
        return STRIP + 2 * GAP + min(longest, NAMES * self.size().width())

    def _column(self) -> float:
        return min((self.size().width() - self._left() - GAP) / max(len(self.targets), 1), WIDEST)

    def frame(self) -> Frame:
        top, upright = self._heads()
        line = QFontMetrics(self._font).height()
        space = self.size().height() - top - line - 2 * GAP
        shown = min(self.visible, max(len(self.rows), 1))
        return Frame(self._left(), top, self._column(), min(space / shown, TALLEST), upright)

    def row_at(self, place: QPointF) -> int | None:
        """The row at a place, also on its name."""
        frame, at = self.frame(), self.mapFromScene(place)
        row = int(np.floor((at.y() - frame.top) / frame.height))
        return self.first + row if 0 <= row < len(self._shown()) and self.targets else None

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        row, frame = self.row_at(place), self.frame()
        column = int(np.floor((self.mapFromScene(place).x() - frame.left) / frame.width))
        return (row, column) if row is not None and 0 <= column < len(self.targets) else None

    def _shown(self) -> np.ndarray:
        return self.rows[self.first : self.first + self.visible]

    def told(self) -> str:
        if not self.current or not self.possible:
            return ""
        row, column = self.current
        feature = self.rows[row]
        value = self.values[column, feature]
        if not np.isfinite(value):
            return f"{self.names[feature]}, {self.targets[column]}: no score"
        place = 1 + int((self.values[column] > value).sum())
        text = f"{value:.4g}".replace("-", "\u2212")
        return f"{self.names[feature]}, {self.targets[column]}: {text}, rank {place:,}"

    # Painting --------------------------------------------------------------------------------------------------------

    def paint(self, painter, *_):
        if not self.possible:
            return
        painter.setRenderHint(painter.RenderHint.Antialiasing, False)
        painter.setFont(self._font)
        frame, shown = self.frame(), self._shown()
        self._paint_cells(painter, frame, shown)
        self._paint_names(painter, frame, shown)
        self._paint_targets(painter, frame)
        self._paint_current(painter, frame)
        self._paint_foot(painter, frame)

    def _paint_cells(self, painter, frame, shown):
        pixels = np.ascontiguousarray(self.scale.colors(self.values[:, shown].T))
        height, width = pixels.shape[:2]
        area = QRectF(frame.left, frame.top, width * frame.width, height * frame.height)
        picture = QImage(pixels.data, width, height, 3 * width, QImage.Format_RGB888)
        painter.drawImage(area, picture)
        painter.setPen(QPen(self._palette.color(QPalette.Base), 1))
        if frame.width >= GRID:
            for column in range(1, width):
                x = frame.left + column * frame.width
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        for row in range(1, height):
            y = frame.top + row * frame.height
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(QPen(muted(self._palette, 0.75), 1))
        painter.drawRect(area)
        self._paint_values(painter, frame, shown, pixels)

    def _paint_values(self, painter, frame, shown, pixels):
        metrics = painter.fontMetrics()
        if metrics.horizontalAdvance(self.scale.text(-self.scale.top)) + GAP > frame.width:
            return
        for row, feature in enumerate(shown):
            for column in range(len(self.targets)):
                value = self.values[column, feature]
                painter.setPen(ink(QColor(*map(int, pixels[row, column]))))
                painter.drawText(self.area(frame, row, column), int(Qt.AlignCenter), self.scale.text(value))

    def _paint_names(self, painter, frame, shown):
        metrics, palette = painter.fontMetrics(), self._palette
        for row, feature in enumerate(shown):
            area = QRectF(STRIP + GAP, frame.top + row * frame.height, frame.left - STRIP - 2 * GAP, frame.height)
            if len(self.selected) > feature and self.selected[feature]:
                mark = QRectF(0, area.top(), STRIP, frame.height)
                painter.fillRect(mark, palette.color(QPalette.Highlight))
            painter.setPen(palette.color(QPalette.Text))
            text = metrics.elidedText(self.names[feature], Qt.ElideMiddle, round(area.width()))
            painter.drawText(area, int(Qt.AlignRight | Qt.AlignVCenter), text)

    def _paint_targets(self, painter, frame):
        """Every name that there is room for: where columns are narrower than letters are high, not each."""
        metrics = painter.fontMetrics()
        step = max(int(np.ceil(metrics.height() / frame.width)), 1) if frame.upright else 1
        painter.setPen(self._palette.color(QPalette.Text))
        for column in range(0, len(self.targets), step):
            middle = frame.left + (column + 0.5) * frame.width
            length = frame.top - GAP if frame.upright else frame.width - 2
            text = metrics.elidedText(self.targets[column], Qt.ElideMiddle, int(length))
            painter.save()
            if frame.upright:
                painter.translate(middle, frame.top - GAP)
                painter.rotate(-90)
                area, align = QRectF(0, -metrics.height() / 2, length, metrics.height()), Qt.AlignLeft | Qt.AlignVCenter
            else:
                area, align = QRectF(middle - frame.width / 2, 0, frame.width, frame.top), Qt.AlignCenter
            painter.drawText(area, int(align), text)
            painter.restore()

    def _paint_current(self, painter, frame):
        if not self.current or not self.first <= self.current[0] < self.first + self.visible:
            return
        row, column = self.current
        self.paint_frame(painter, self.area(frame, row - self.first, column))

    def _paint_foot(self, painter, frame):
        """Paint the text about the current cell, or the rows that are shown; at the right the scale."""
        metrics, palette, size = painter.fontMetrics(), self._palette, self.size()
        line = metrics.height()
        area = QRectF(STRIP + GAP, size.height() - line - GAP, size.width() - STRIP - 2 * GAP, line)
        left = self.scale.paint(painter, area)
        last = min(self.first + self.visible, len(self.rows))
        rows = f"{self.first + 1:,} to {last:,} of {len(self.rows):,} features" * (self.visible < len(self.rows))
        painter.setPen(muted(palette, 0.0 if self.current else 0.4))
        text = metrics.elidedText(self.told() or rows, Qt.ElideRight, int(left - area.left()))
        painter.drawText(area, int(Qt.AlignLeft | Qt.AlignVCenter), text)


NAME = "Scores of features for each target"
ABOUT = "Arrow keys move, Space selects the feature"
WHEEL = 40  # units of a wheel for a row: three rows a notch


class HeatMap(Pointing, GraphicsView):
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
            self.set_current(cell)

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        row = self.cells.row_at(self.mapToScene(event.pos()))
        if event.button() == Qt.LeftButton and row is not None:
            self.clicked.emit(int(self.cells.rows[row]))

    def set_current(self, cell: tuple[int, int] | None) -> None:
        self.cells.set_current(cell)
        self._tell()

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
        self.set_current((min(max(row, 0), last), min(max(column, 0), len(cells.targets) - 1)))

    def tip(self):
        return plain(self.cells.told())

    def _tell(self):
        self.setAccessibleDescription(self.cells.told() or ABOUT)

    # Palette ---------------------------------------------------------------------------------------------------------

    def focusInEvent(self, event):
        super().focusInEvent(event)
        if event.reason() in (Qt.TabFocusReason, Qt.BacktabFocusReason) and self.cells.possible:
            self.set_current(self.cells.current or (self.cells.first, 0))
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
