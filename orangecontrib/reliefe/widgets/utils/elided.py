"""A label that ends with dots where it has no room, and keeps its text."""

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPainter
from AnyQt.QtWidgets import QLabel


class ElidedLabel(QLabel):
    """One line of plain text."""

    def __init__(self, text: str = "", **properties):
        super().__init__(text, textFormat=Qt.PlainText, **properties)

    def paintEvent(self, _):
        painter, room = QPainter(self), self.contentsRect()
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), Qt.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignLeft | Qt.AlignVCenter), text)
