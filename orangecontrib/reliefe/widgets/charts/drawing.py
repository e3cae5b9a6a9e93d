"""Base of pictures that are painted by QPainter, not plotted: networks, tables of colours, diagrams of ranks."""

import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QFont, QFontMetricsF, QPainter

from .keys import BACK, NEXT
from .picture import Picture


class _Canvas(pg.GraphicsWidget):
    """Paints what its view says."""

    def __init__(self, view):
        super().__init__()
        self._view = view

    def paint(self, painter, *_):
        painter.setFont(self._view.font())
        painter.setRenderHint(QPainter.Antialiasing)
        self._view.paint_on(painter, QRectF(0, 0, self.size().width(), self.size().height()))


class Drawing(Picture):
    """A picture that its subclass paints in `paint_on(painter, area)`.

    If there are elements to point at, the subclass says how many in `n_elements`. Elements are numbers from 0, and
    arrow keys go from one to the next. `element_at` gets positions on the canvas.
    """

    n_elements = 0

    def __init__(self, name: str, parent=None, least: tuple[int, int] = (220, 160), margins=(0, 0, 0, 0)):
        super().__init__(name, parent, least, margins)
        self.canvas = _Canvas(self)
        self.layout_item.addItem(self.canvas)
        self.setFocusPolicy(Qt.StrongFocus)

    @property
    def metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.font())

    def strong_font(self) -> QFont:
        font = QFont(self.font())
        font.setBold(True)
        return font

    def draw(self):
        if self.current is not None and not self.has(self.current):
            self.current = None
        self.describe()
        self.mark()

    def has(self, element: object) -> bool:
        """True if the drawing has this element."""
        return element < self.n_elements

    def mark(self):
        self.canvas.update()

    def write(self, painter: QPainter, area: QRectF, text: str, align: int, elide: int = Qt.ElideMiddle) -> None:
        """Write as much of a text as has room."""
        painter.drawText(area, int(align), self.metrics.elidedText(text, elide, max(area.width(), 0)))

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def canvas_place(self, event) -> QPointF:
        """Place of a mouse event."""
        return self.canvas.mapFromScene(self.mapToScene(event.pos()))

    def mouseMoveEvent(self, event):
        """Point at the element below the mouse. Overrides Picture.mouseMoveEvent."""
        super(Picture, self).mouseMoveEvent(event)
        self.set_current(self.element_at(self.canvas_place(event)))

    def keyPressEvent(self, event):
        """Go from one element to the next. Overrides QGraphicsView.keyPressEvent."""
        step = (event.key() in NEXT) - (event.key() in BACK)
        if not step or not self.n_elements:
            super().keyPressEvent(event)
        else:
            self.set_current(0 if self.current is None else (self.current + step) % self.n_elements)
