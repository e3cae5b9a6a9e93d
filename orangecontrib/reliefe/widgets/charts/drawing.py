"""Base of pictures that are painted and not plotted: colours of the palette, things that can be pointed at."""

import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from AnyQt.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette
from Orange.widgets.visualize.utils.plotutils import GraphicsView

from .points import Pointing

NEXT = (Qt.Key_Right, Qt.Key_Down)
BACK = (Qt.Key_Left, Qt.Key_Up)


class _Canvas(pg.GraphicsWidget):
    """Paints what its view says."""

    def __init__(self, view):
        super().__init__()
        self._view = view

    def paint(self, painter, *_):
        painter.setFont(self._view.font())
        painter.setRenderHint(QPainter.Antialiasing)
        self._view.paint_on(painter, QRectF(0, 0, self.size().width(), self.size().height()))


class Drawing(Pointing, GraphicsView):
    """A subclass gives `paint_on`; and, if there are things to point at, `n_things`, `thing_at` and `about`.

    `current` is the thing (int) that is pointed at, or None; arrow keys go from one to the next.
    """

    note = ""  # what the picture is, for those who do not see it

    def __init__(self, name: str, parent=None):
        super().__init__(parent)
        self.current: int | None = None
        self.canvas = _Canvas(self)
        layout = pg.GraphicsLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addItem(self.canvas)
        self.setCentralItem(layout)
        self.setMinimumSize(QSize(220, 160))
        self.setFocusPolicy(Qt.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)

    def paint_on(self, painter: QPainter, room: QRectF) -> None:
        raise NotImplementedError

    @property
    def n_things(self) -> int:
        return 0

    def thing_at(self, place: QPointF) -> int | None:
        return None

    def about(self, thing: int) -> str:
        return ""

    # Help for subclasses ---------------------------------------------------------------------------------------------

    @property
    def text_color(self) -> QColor:
        return self.palette().color(QPalette.Text)

    @property
    def ground(self) -> QColor:
        return self.palette().color(QPalette.Base)

    @property
    def metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.font())

    def strong_font(self) -> QFont:
        font = QFont(self.font())
        font.setBold(True)
        return font

    def redraw(self) -> None:
        if self.current is not None and self.current >= self.n_things:
            self.current = None
        self.setAccessibleDescription(self.note if self.current is None else self.about(self.current))
        self.canvas.update()

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def set_current(self, thing: int | None) -> None:
        if thing != self.current:
            self.current = thing
            self.redraw()

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        self.set_current(self.thing_at(self.canvas.mapFromScene(self.mapToScene(event.pos()))))

    def keyPressEvent(self, event):
        step = (event.key() in NEXT) - (event.key() in BACK)
        if not step or not self.n_things:
            super().keyPressEvent(event)
        elif self.current is None:
            self.set_current(0)
        else:
            self.set_current((self.current + step) % self.n_things)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange) and hasattr(self, "canvas"):
            self.redraw()
