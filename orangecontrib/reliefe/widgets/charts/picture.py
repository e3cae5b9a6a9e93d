"""Base of all pictures of the widgets: a view of Qt that follows the palette, and is read by screen readers."""

from html import escape

import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, QSize
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QToolTip

from ..utils.appearance import LABEL, TITLE, Appearance, StyledView
from ..utils.markup import plain


class Picture(StyledView):
    """Base of charts and drawings, whose colours follow the palette.

    Its font, and a title above, are visual settings of the user.

    A picture may have elements to point at, such as points or cells. One of them may be `current`: a tooltip and the
    screen reader say what it is. It is no longer current once the mouse has left.

    A subclass defines `draw()`. With elements it also defines `element_at(position)`, `about(element)`, and `mark()`,
    which shows the current element.

    Parameters
    ----------
    name : str
        Name of the picture for screen readers.
    parent : QWidget, optional
    least : (int, int)
        Least width and height in pixels.
    margins : (int, int, int, int)
        Pixels at the left, top, right and bottom.
    """

    current: object = None
    note = ""  # description of the picture for screen readers, while no element is current
    _stale = False  # True if it is drawn as soon as it is seen

    def __init__(self, name: str, parent=None, least: tuple[int, int] = (220, 160), margins=(0, 0, 0, 0)):
        super().__init__(parent)
        self._page = pg.GraphicsLayout()  # the title, if any, above the layout of the picture
        self._page.layout.setContentsMargins(0, 0, 0, 0)
        self._page.layout.setSpacing(0)
        self.layout_item = self._page.addLayout(1, 0)
        self.layout_item.layout.setContentsMargins(*margins)
        self.title: pg.LabelItem | None = None
        self.setCentralItem(self._page)
        self.setMinimumSize(QSize(*least))
        self.setAccessibleName(name)
        self.setAccessibleDescription(self.note)

    def set_appearance(self, appearance: Appearance) -> None:
        super().set_appearance(appearance)
        self._show_title(appearance.annotation(self.accessibleName(), TITLE))
        self.setFont(appearance.font(LABEL))
        self.draw_if_seen()

    def _show_title(self, text: str):
        """Write a title above the picture; without a text there is none."""
        if self.title is not None:
            self._page.removeItem(self.title)
            self.title = None
        if text:
            font = self.appearance.font(TITLE)
            self.title = pg.LabelItem(escape(text), color=self.text_color, size=f"{font.pointSizeF():g}pt")
            self.title.item.setFont(font)
            self._page.addItem(self.title, 0, 0)

    def element_at(self, position: QPointF) -> object:
        """Return the element at a position of the scene; None if none is near."""
        return None

    def about(self, element: object) -> str:
        """Describe an element in a line."""
        return ""

    def mark(self) -> None:
        """Show which element is current."""

    def set_current(self, element: object) -> None:
        """Point at an element; None: at nothing."""
        if element != self.current:
            self.current = element
            self.describe()
            self.mark()

    def draw_if_seen(self) -> None:
        """Draw now, or when somebody looks."""
        self._stale = not self.isVisible()
        if not self._stale:
            self.draw()

    def draw_if_stale(self) -> None:
        """Draw now what nobody has seen yet: before the picture is saved or reported."""
        if self._stale:
            self._stale = False
            self.draw()

    def showEvent(self, event):
        """Draw what has waited for somebody to look. Overrides QWidget.showEvent."""
        super().showEvent(event)
        self.draw_if_stale()

    def overview(self) -> str:
        """Describe the picture for screen readers."""
        return self.note

    def describe(self) -> None:
        """Describe the current element, or the picture, for screen readers."""
        self.setAccessibleDescription(self.overview() if self.current is None else self.about(self.current))

    def tip(self) -> str:
        return "" if self.current is None else plain(self.about(self.current))

    @property
    def text_color(self) -> QColor:
        return self.palette().color(QPalette.Text)

    @property
    def ground(self) -> QColor:
        return self.palette().color(QPalette.Base)

    @property
    def marked(self) -> QColor:
        """Colour of what is selected."""
        return self.palette().color(QPalette.Highlight)

    def mouseMoveEvent(self, event):
        """Point at the element below the mouse. Overrides QGraphicsView.mouseMoveEvent."""
        super().mouseMoveEvent(event)
        self.set_current(self.element_at(self.mapToScene(event.pos())))

    def viewportEvent(self, event):
        """Show the tooltip. Overrides QGraphicsView.viewportEvent."""
        if event.type() == QEvent.ToolTip and (text := self.tip()):
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def leaveEvent(self, event):
        """Point at nothing. Overrides QWidget.leaveEvent."""
        super().leaveEvent(event)
        if not self.hasFocus():
            self.set_current(None)

    def wheelEvent(self, event):
        """Leave the wheel to the parent. Overrides QGraphicsView.wheelEvent."""
        event.ignore()  # nothing is zoomed

    def changeEvent(self, event):
        """Follow the palette and the font. Overrides QWidget.changeEvent."""
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange) and hasattr(self, "layout_item"):
            if self.title is not None:
                self._show_title(self.title.item.toPlainText())
            self.draw()
