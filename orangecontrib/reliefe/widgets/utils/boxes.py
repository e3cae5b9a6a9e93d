"""Check boxes of lists."""

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPen
from AnyQt.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from .colors import is_dark, muted


class BoxDelegate(QStyledItemDelegate):
    """Items as usual, but with a frame around check boxes on dark palettes.

    Styles frame boxes in a shade of the window, which nobody sees on a dark one.
    """

    def paint(self, painter, option, index):
        super().paint(painter, option, index)
        if is_dark(option.palette) and index.data(Qt.CheckStateRole) is not None:
            option = QStyleOptionViewItem(option)
            self.initStyleOption(option, index)
            self._frame(painter, option)

    @staticmethod
    def _frame(painter, option):
        box = option.widget.style().subElementRect(QStyle.SE_ItemViewItemCheckIndicator, option, option.widget)
        painter.setPen(QPen(muted(option.palette, 0.4 if option.state & QStyle.State_Enabled else 0.7), 1))
        painter.drawRect(box.adjusted(0, 0, -1, -1))
