"""Small controls that several widgets use: frames of check boxes, labels of one line, links, folds."""

from collections.abc import Iterable
from itertools import pairwise

from AnyQt.QtCore import QEvent, QPoint, QSignalBlocker, QSize, Qt
from AnyQt.QtGui import QFontMetrics, QPainter, QPalette, QPen
from AnyQt.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)
from orangewidget.utils.combobox import ComboBoxSearch

from .colors import is_dark, link, muted


class BoxDelegate(QStyledItemDelegate):
    """Items with a frame around check boxes on dark palettes, where styles draw it in a shade that nobody sees."""

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


def elided_at_word(metrics: QFontMetrics, text: str, width: int) -> str:
    """Cut a text to a width in pixels behind a word, with an ellipsis; within the first word if that is too wide."""
    if metrics.horizontalAdvance(text) <= width:
        return text
    cut_text = metrics.elidedText(text, Qt.ElideRight, width)
    words, blank, _ = cut_text.rpartition(" ")
    return f"{words.rstrip(' ,;:·(')} …" if blank and len(words) * 2 > len(cut_text) else cut_text


class ElidedLabel(QLabel):
    """One line of plain text, cut behind a word where there is no room."""

    def __init__(self, text: str = "", **properties):
        super().__init__(text, textFormat=Qt.PlainText, **properties)

    def paintEvent(self, _):
        painter, room = QPainter(self), self.contentsRect()
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = elided_at_word(self.fontMetrics(), self.text(), room.width())
        painter.drawText(room, int(Qt.AlignLeft | Qt.AlignVCenter), text)


class Reasoned(QStackedWidget):
    """A part of a window; or in its place the reason why it is empty."""

    def __init__(self):
        super().__init__()
        self.reason = QLabel(alignment=Qt.AlignCenter, wordWrap=True, autoFillBackground=True, margin=24)
        self.reason.setTextFormat(Qt.PlainText)
        self.reason.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.reason.setBackgroundRole(QPalette.Base)
        self.reason.setForegroundRole(QPalette.Text)
        self.addWidget(self.reason)

    def say(self, reason: str) -> None:
        """Show a reason; the empty text brings the part back."""
        self.reason.setText(reason)
        self.setCurrentIndex(self.count() - 1 if not reason else 0)


class WrappedLabel(QLabel):
    """Plain text that takes as many lines as it needs in the room that is left."""

    def __init__(self, text: str = "", **properties):
        super().__init__(text, textFormat=Qt.PlainText, wordWrap=True, **properties)
        policy = QSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)


class QuietLabel(WrappedLabel):
    """Plain text that steps back."""

    def paintEvent(self, _):
        painter = QPainter(self)
        painter.setPen(muted(self.palette(), 0.4))
        painter.drawText(self.contentsRect(), int(Qt.AlignLeft | Qt.AlignVCenter | Qt.TextWordWrap), self.text())


class LinkLabel(QLabel):
    """Text with links: ``set_links("Suggested: {}", ("n:3", "3"))``; they keep up with the palette."""

    def __init__(self, template: str = "", *links: tuple[str, str], **properties):
        super().__init__(
            textFormat=Qt.RichText,
            textInteractionFlags=Qt.LinksAccessibleByMouse | Qt.LinksAccessibleByKeyboard,
            **properties,
        )
        self._template, self._links = "", ()
        self.set_links(template, *links)

    def set_links(self, template: str, *links: tuple[str, str]) -> None:
        """Fill the places of `template` with links, each (target, text)."""
        self._template, self._links = template, links
        color = link(self.palette()).name()
        self.setText(template.format(*(f'<a href="{to}" style="color:{color}">{text}</a>' for to, text in links)))

    def changeEvent(self, event):
        super().changeEvent(event)
        # Links keep the colour of the moment when the text was set.
        if event.type() == QEvent.PaletteChange and hasattr(self, "_template"):
            self.set_links(self._template, *self._links)


class FoldButton(QToolButton):
    """Button with an arrow that shows whether a part of the window is open."""

    def __init__(self, text: str = "", opened: bool = False, tip: str = ""):
        super().__init__(
            text=text, toolTip=tip, checkable=True, autoRaise=True, toolButtonStyle=Qt.ToolButtonTextBesideIcon
        )
        self.toggled.connect(lambda opened: self.setArrowType(Qt.DownArrow if opened else Qt.RightArrow))
        self.setArrowType(Qt.RightArrow)
        self.setChecked(opened)


START = QSize(1080, 640)  # pixels of a window; Qt's own choice is two thirds of the screen
START_SHARE = 0.92  # of the screen, at most


def open_large(widget: QWidget) -> None:
    """Give a window its first size; that of a stored workflow comes later."""
    widget.resize(START.boundedTo(widget.screen().availableSize() * START_SHARE))


def name_tab_stops(widget) -> None:
    """Name for screen readers what Orange's widgets leave nameless: the scrolled controls, and buttons of pictures."""
    for area in widget.findChildren(QScrollArea):
        if area.isAncestorOf(widget.controlArea):
            area.setAccessibleName("Controls")
    for button in widget.statusBar().findChildren(QAbstractButton):
        button.setAccessibleName(button.toolTip())


def placed(layout: QBoxLayout, *parts: object, spacing: int | None = None) -> QBoxLayout:
    """A layout with its parts and no margins.

    A part is a widget, a layout, pixels of an empty space, or a widget or layout with its stretch.
    """
    layout.setContentsMargins(0, 0, 0, 0)
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        part, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(part, int):
            layout.addSpacing(part)
        else:
            (layout.addLayout if isinstance(part, QLayout) else layout.addWidget)(part, stretch)
    return layout


def filter_line(placeholder: str, tip: str, **properties: object) -> QLineEdit:
    """An editor of a filter."""
    return QLineEdit(
        placeholderText=placeholder, clearButtonEnabled=True, accessibleName=placeholder, toolTip=tip, **properties
    )


MIN_BOX_WIDTH = 70  # pixels of a box of choices


def form(parent: QWidget | None = None) -> QFormLayout:
    """Rows of names and fields, without margins."""
    layout = QFormLayout(parent, fieldGrowthPolicy=QFormLayout.AllNonFixedFieldsGrow, labelAlignment=Qt.AlignLeft)
    layout.setContentsMargins(0, 0, 0, 0)
    return layout


def spin(name: str, value: int, low: int, high: int, tip: str) -> QSpinBox:
    """An editor of a whole number."""
    box = QSpinBox(
        minimum=low, maximum=high, alignment=Qt.AlignRight, keyboardTracking=False, showGroupSeparator=True,
        accessibleName=name, toolTip=tip,
    )  # fmt: skip
    box.setValue(value)
    return box


def number_box(
    name: str,
    value: float,
    low: float,
    high: float,
    tip: str,
    kind: type[QDoubleSpinBox] = QDoubleSpinBox,
    **look: object,
) -> QDoubleSpinBox:
    """An editor of a number; look: further properties, such as decimals."""
    box = kind(
        minimum=low, maximum=high, alignment=Qt.AlignRight, keyboardTracking=False, accessibleName=name, toolTip=tip,
        **look,
    )  # fmt: skip
    box.setValue(value)
    return box


def named(text: str, part: QWidget, tip: str = "") -> QLabel:
    """Label of a part; the letter behind & leads to it; tip: by default that of the part."""
    label = QLabel(text, toolTip=tip or part.toolTip())
    label.setBuddy(part)
    return label


def choices(
    name: str,
    items: Iterable[tuple] = (),
    wanted: object = None,
    tip: str = "",
    letters: int = 0,
    has_filter: bool = False,
) -> QComboBox:
    """A box as wide as its longest entry, now or later, where there is room, or as some letters.

    has_filter: True if typing filters the entries, for boxes of thousands.  Other arguments: those of `fill`.
    """
    kind = ComboBoxSearch if has_filter else QComboBox
    combo = kind(accessibleName=name, toolTip=tip, sizeAdjustPolicy=QComboBox.AdjustToContents)
    for line in combo.findChildren(QLineEdit):  # of the filter
        line.setAccessibleName(f"Filter {name.lower()}")
    combo.setMinimumWidth(MIN_BOX_WIDTH)
    if letters:
        combo.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(letters)
    fill(combo, items, wanted)
    return combo


def fill(combo: QComboBox, items: Iterable[tuple], wanted: object) -> None:
    """Offer these and no other entries, as if by no user.

    items: (text, data) or (text, data, tooltip); wanted: data of the one that is chosen, or else it is the first.
    """
    with QSignalBlocker(combo):
        combo.clear()
        for number, (text, data, *tip) in enumerate(items):
            combo.addItem(text, data)
            combo.setItemData(number, *(tip or ("",)), Qt.ToolTipRole)
        combo.setCurrentIndex(max(combo.findData(wanted), 0))
    combo.setEnabled(combo.count() > 1)


def order_tabs(*areas: QWidget) -> None:
    """Let the Tab key go from left to right, and line by line, through what is visible in one area after the other."""
    order = []
    for area in areas:
        slack, lines = area.fontMetrics().height() / 2, []
        parts = [part for part in area.findChildren(QWidget) if part.isVisible() and part.focusPolicy() & Qt.TabFocus]
        places = {part: part.mapTo(area, QPoint(0, 0)) for part in parts if part.focusProxy() is None}
        for part in sorted(places, key=lambda part: places[part].y()):
            if not lines or places[part].y() > places[lines[-1][0]].y() + slack:
                lines.append([])
            lines[-1].append(part)
        order += [part for line in lines for part in sorted(line, key=lambda part: places[part].x())]
    for before, after in pairwise(order):
        QWidget.setTabOrder(before, after)
