"""The list of methods: ticked ones are computed, the highlighted one can be edited."""

from collections.abc import Sequence
from html import escape

from AnyQt.QtCore import QRect, QSignalBlocker, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyleOptionViewItem

from ..utils.boxes import BoxDelegate
from ..utils.colors import hue, muted
from ..utils.problem import UNSUPERVISED, WORDS

NAME, ABOUT, NUMBER = (Qt.UserRole + i for i in range(3))
MOST_ROWS = 12  # shown without scrolling
BOX, GAP, SWATCH, WIDEST = 34, 10, 20, 270  # pixels: check box, between the columns, at the right edge, of the list


def method_tooltip(method) -> str:
    """Name, idea and source of a method, as rich text."""
    return f"<b>{escape(method.title)}</b>: {escape(method.idea)}<br><i>{escape(method.citation)}</i>"


class MethodDelegate(BoxDelegate):
    """Check box and name as usual; then, quieter, what it is; the method's colour at the right edge."""

    def paint(self, painter, option, index):
        super().paint(painter, option, index)
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        rect, palette = option.rect, option.palette
        enabled, highlighted = (bool(option.state & s) for s in (QStyle.State_Enabled, QStyle.State_Selected))
        if option.checkState == Qt.Checked and enabled:
            swatch = QRect(rect.right() - 12, rect.center().y() - 5, 11, 11)  # its frame tells it from the highlight
            painter.fillRect(swatch, palette.color(QPalette.Base))
            painter.fillRect(swatch.adjusted(1, 1, -1, -1), hue(index.data(NUMBER), palette))
        left = BOX + self.parent().name_width() + GAP
        space = QRect(rect.left() + left, rect.top(), rect.width() - left - SWATCH, rect.height())
        quiet = muted(palette, 0.4 if enabled else 0.1)  # what is disabled is pale already
        painter.setPen(palette.color(QPalette.HighlightedText) if highlighted else quiet)
        text = option.fontMetrics.elidedText(index.data(ABOUT), Qt.ElideRight, space.width())
        painter.drawText(space, int(Qt.AlignLeft | Qt.AlignVCenter), text)

    def sizeHint(self, option, index):
        return QSize(120, option.fontMetrics.height() + 8)


class MethodList(QListWidget):
    """`ticked()` and `highlighted()` are names of methods; those that do not fit the data are grey."""

    ticks_changed = Signal()
    highlight_changed = Signal()

    def __init__(self, methods: Sequence, ticked: Sequence[str], highlighted: str, parent=None):
        super().__init__(
            parent,
            accessibleName="Methods",
            frameShape=QListWidget.NoFrame,
            uniformItemSizes=True,
            horizontalScrollBarPolicy=Qt.ScrollBarAlwaysOff,
            toolTip="Ticked methods are computed; Space ticks",
        )
        self.methods = self._offered = tuple(methods)
        self.setItemDelegate(MethodDelegate(self))
        self.viewport().setAutoFillBackground(False)
        for number, method in enumerate(self.methods):
            item = QListWidgetItem(method.title, self)
            item.setData(NAME, method.name)
            item.setData(NUMBER, number)
            item.setCheckState(Qt.Checked if method.name in ticked else Qt.Unchecked)
            if method.name == highlighted:
                self.setCurrentItem(item)
        if self.currentItem() is None:
            self.setCurrentRow(0)
        self.set_task(None)
        self.setFixedHeight(self.sizeHintForRow(0) * min(len(self.methods), MOST_ROWS) + 2)
        about = max((self.fontMetrics().horizontalAdvance(method.about) for method in self.methods), default=0)
        self.setMinimumWidth(min(BOX + self.name_width() + GAP + about + SWATCH + 8, WIDEST))
        self.itemChanged.connect(self._changed)
        self.currentItemChanged.connect(lambda *_: self.highlight_changed.emit())

    def name_width(self) -> int:
        """Pixels of the longest name."""
        return max((self.fontMetrics().horizontalAdvance(method.title) for method in self.methods), default=0)

    def ticked(self) -> list[str]:
        """Names of the ticked methods, also of those that do not fit."""
        return [item.data(NAME) for item in self._items() if item.checkState() == Qt.Checked]

    def tick(self, names: Sequence[str]) -> None:
        """Tick these methods and no others, quietly."""
        with QSignalBlocker(self):
            for item in self._items():
                item.setCheckState(Qt.Checked if item.data(NAME) in names else Qt.Unchecked)
        self.viewport().update()

    def highlighted(self) -> str:
        """Name of the method whose parameters are shown."""
        return self.currentItem().data(NAME)

    def highlight(self, name: str) -> None:
        """Show the parameters of a method."""
        self.setCurrentRow([method.name for method in self.methods].index(name))

    def set_task(self, task: str | None) -> None:
        """Grey out what does not fit the task, and put it behind what does; None: everything fits."""
        with QSignalBlocker(self):
            current, items = self.currentItem(), {item.data(NAME): item for item in self._items()}
            self.methods = tuple(
                sorted(self._offered, key=lambda method: task is not None and task not in method.tasks)
            )
            if [item.data(NAME) for item in self._items()] != [method.name for method in self.methods]:
                while self.count():
                    self.takeItem(0)
                for method in self.methods:
                    self.addItem(items[method.name])
                self.setCurrentItem(current)
            for item, method in zip(self._items(), self.methods, strict=True):
                fits = task is None or task in method.tasks
                item.setFlags(
                    (Qt.ItemIsEnabled if fits else Qt.NoItemFlags) | Qt.ItemIsSelectable | Qt.ItemIsUserCheckable
                )
                unfit = "needs a target" if task == UNSUPERVISED else f"not for {WORDS.get(task, task)}"
                about = method.about if fits else unfit
                item.setData(ABOUT, about)
                item.setToolTip(method_tooltip(method) + ("" if fits else f"<br>({about})"))
                item.setData(Qt.AccessibleTextRole, f"{method.title}, {about}")
        self.viewport().update()

    def _items(self):
        return [self.item(i) for i in range(self.count())]

    def _changed(self, item):
        if item.checkState() == Qt.Checked:
            self.setCurrentItem(item)
        self.ticks_changed.emit()
