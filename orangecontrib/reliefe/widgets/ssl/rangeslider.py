"""Two numbers from 0 to 1, the lower one never above the higher one, on one upright line."""

from AnyQt.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainter, QPalette, QPen
from AnyQt.QtWidgets import QSizePolicy, QWidget

from ..utils.colors import hue, muted

LOW, HIGH = 0, 1
RADIUS = 6  # pixels of a handle
STEP, LARGE_STEP = 0.05, 0.25
KEYS = {Qt.Key_Up: STEP, Qt.Key_Right: STEP, Qt.Key_Plus: STEP, Qt.Key_PageUp: LARGE_STEP, Qt.Key_End: 1,
        Qt.Key_Down: -STEP, Qt.Key_Left: -STEP, Qt.Key_Minus: -STEP, Qt.Key_PageDown: -LARGE_STEP,
        Qt.Key_Home: -1}  # fmt: skip


class RangeSlider(QWidget):
    """Handles are dragged, or moved with the keys; Tab goes from one to the other."""

    changed = Signal(float, float)

    def __init__(self, names: tuple[str, str], top: int, bottom: int, parent=None):
        """names: of the low and of the high handle; top, bottom: pixels above 1 and below 0."""
        super().__init__(
            parent, focusPolicy=Qt.StrongFocus, sizePolicy=QSizePolicy(QSizePolicy.Fixed, QSizePolicy.Ignored)
        )
        self._names, self._top, self._bottom = names, top, bottom
        self._values, self._current, self._drags = [0.0, 1.0], HIGH, False
        self._tell()

    @property
    def values(self) -> tuple[float, float]:
        """(low, high)."""
        return tuple(self._values)

    def set_values(self, low: float, high: float) -> None:
        """Show these, quietly; low must not be above high."""
        self._values = [float(low), float(high)]
        self._tell()
        self.update()

    def place(self, value: float) -> float:
        """Place of a value, in pixels from the top."""
        return self.height() - self._bottom - value * (self.height() - self._top - self._bottom)

    def sizeHint(self):
        return QSize(2 * RADIUS + 6, 100)

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event):
        if event.button() != Qt.LeftButton:
            super().mousePressEvent(event)
            return
        at = event.pos().y()
        self._current = min((LOW, HIGH), key=lambda handle: abs(self.place(self._values[handle]) - at))
        self._drags = True
        self._move_to(at)

    def mouseMoveEvent(self, event):
        if self._drags:
            self._move_to(event.pos().y())

    def mouseReleaseEvent(self, event):
        self._drags = False

    def _move_to(self, at):
        share = (self.height() - self._bottom - at) / max(self.height() - self._top - self._bottom, 1)
        value = round(share / STEP) * STEP
        low, high = self._values
        if low == high != value:  # one upon the other: the one that has room where the mouse goes
            self._current = HIGH if value > high else LOW
        self._set_current(value)

    def keyPressEvent(self, event):
        if event.key() in KEYS:
            self._set_current(self._values[self._current] + KEYS[event.key()])
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward):
        other = HIGH if forward else LOW
        if self.hasFocus() and self._current != other:
            self._current = other
            self._tell()
            self.update()
            return True
        return super().focusNextPrevChild(forward)

    def focusInEvent(self, event):
        if event.reason() in (Qt.TabFocusReason, Qt.BacktabFocusReason):
            self._current = LOW if event.reason() == Qt.TabFocusReason else HIGH
            self._tell()
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event):
        super().focusOutEvent(event)
        self.update()

    def _set_current(self, value):
        low, high = (0.0, self._values[HIGH]) if self._current == LOW else (self._values[LOW], 1.0)
        value = round(min(max(value, low), high), 4)
        if value != self._values[self._current]:
            self._values[self._current] = value
            self._tell()
            self.update()
            self.changed.emit(*self._values)

    def _tell(self):
        low, high = self._values
        self.setAccessibleName(self._names[self._current])
        self.setAccessibleDescription(f"{self._values[self._current]:g}; range from {low:g} to {high:g}")

    # Painting --------------------------------------------------------------------------------------------------------

    def paintEvent(self, _):
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.Antialiasing)
        middle = self.width() / 2
        color = hue(0, palette) if self.isEnabled() else muted(palette, 0.6)
        low, high = (QPointF(middle, self.place(value)) for value in self._values)
        painter.setPen(QPen(muted(palette, 0.7), 3, Qt.SolidLine, Qt.RoundCap))
        painter.drawLine(QPointF(middle, self.place(0)), QPointF(middle, self.place(1)))
        painter.setPen(QPen(color, 3))
        painter.drawLine(low, high)
        for number in (1 - self._current, self._current):  # the current one on top
            focused = self.hasFocus() and number == self._current
            painter.setPen(QPen(palette.color(QPalette.Highlight) if focused else color, 3 if focused else 2))
            painter.setBrush(palette.color(QPalette.Base))
            at = (low, high)[number]
            painter.drawEllipse(QRectF(at.x() - RADIUS, at.y() - RADIUS, 2 * RADIUS, 2 * RADIUS))

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.EnabledChange):
            self.update()
