"""Two numbers from 0 to 1, the lower one never above the higher one, on one upright line."""

from collections.abc import Mapping, Sequence

from AnyQt.QtCore import QLineF, QPointF, QRectF, QSignalBlocker, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainter, QPalette, QPen
from AnyQt.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ...orange.ranker.scores import number_text
from ..utils.colors import faint, hue, muted

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
        return tuple(self._values)

    def set_values(self, low: float, high: float) -> None:
        """Show these, quietly; low must not be above high."""
        self._values = [float(low), float(high)]
        self._tell()
        self.update()

    def place(self, value: float) -> float:
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


AUTO = "auto"
BEGIN = 0.0, 1.0  # where the handles are before anything is known
TOP, GAP, HEIGHT = RADIUS + 3, 4, 128  # pixels
BEST = 8  # settings that a tooltip lists
NAMES = ("Influence of the farthest unlabelled row", "Influence of the nearest unlabelled row")
AXIS = "Distance to the nearest labelled row"
TOOLTIP = (
    "<p>Weight of an unlabelled row (upwards) by its distance to the nearest labelled row (to the right). Labelled "
    "rows have weight 1. The upper handle sets the weight of the nearest row, the lower one that of the "
    "farthest.</p><p>Drag a handle, or use Tab and the arrow keys. Behind the line is the distribution of the "
    "distances.</p>"
)
CHOOSE = (
    "Choose by cross-validation on the labelled rows: scores for each influence (and number of neighbours, if "
    "automatic) weigh the features of a nearest-neighbour classifier"
)


class InfluencePicture(QWidget):
    """A line from w1, near, down to w0, far; behind it the histogram of the distances."""

    def __init__(self, parent=None):
        super().__init__(parent, sizePolicy=QSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed), toolTip=TOOLTIP)
        self.w0, self.w1, self.counts = *BEGIN, ()
        self.setFixedHeight(HEIGHT)

    @property
    def foot(self) -> int:
        return self.fontMetrics().height() + GAP + 2

    def show_line(self, w0: float, w1: float, counts: Sequence[int] = ()) -> None:
        """counts: of unlabelled rows at equal steps of distance."""
        self.w0, self.w1, self.counts = w0, w1, tuple(counts)
        self.update()

    def sizeHint(self):
        return QSize(180, HEIGHT)

    def paintEvent(self, _):
        painter, palette, metrics = QPainter(self), self.palette(), self.fontMetrics()
        left = metrics.horizontalAdvance("0.5") + GAP
        area = QRectF(left, TOP, self.width() - left - GAP, self.height() - TOP - self.foot)
        quiet, enabled = muted(palette, 0.45 if self.isEnabled() else 0.7), self.isEnabled()
        for value, text in ((0, "0"), (0.5, "0.5"), (1, "1")):
            y = round(area.bottom() - value * area.height())
            painter.setPen(QPen(muted(palette, 0.85 if value else 0.6), 1))
            painter.drawLine(QLineF(area.left(), y, area.right(), y))
            painter.setPen(quiet)
            painter.drawText(QRectF(0, y - 20, left - GAP, 40), int(Qt.AlignRight | Qt.AlignVCenter), text)
        foot = QRectF(0, area.bottom() + GAP, self.width(), metrics.height())
        text = metrics.elidedText(AXIS, Qt.ElideRight, int(foot.width()))
        painter.drawText(foot, int(Qt.AlignRight | Qt.AlignVCenter), text)
        painter.setRenderHint(QPainter.Antialiasing)
        self._paint_counts(painter, area)
        color = hue(0, palette) if enabled else muted(palette, 0.6)
        near = QPointF(area.left(), area.bottom() - self.w1 * area.height())
        far = QPointF(area.right(), area.bottom() - self.w0 * area.height())
        painter.setPen(QPen(color, 2.2))
        painter.drawLine(near, far)
        painter.setBrush(palette.color(QPalette.Base))
        for end in (near, far):
            painter.drawEllipse(end, 3, 3)

    def _paint_counts(self, painter, area):
        most = max(self.counts, default=0)
        if most == 0:
            return
        width = area.width() / len(self.counts)
        painter.setPen(Qt.NoPen)
        painter.setBrush(faint(muted(self.palette(), 0.3), 46))
        for number, count in enumerate(self.counts):
            height = area.height() * count / most
            painter.drawRect(QRectF(area.left() + number * width, area.bottom() - height, max(width - 1, 1), height))


class AutomaticEditor(QWidget):
    """Parameters that can be chosen automatically: a check box, editors in a row, and a line about the choice."""

    def __init__(self, title: str, tip: str, *row: QWidget, checked: bool = True, stretched: int = 0):
        """stretched: place in the row of the widget that takes the room that is left."""
        super().__init__()
        self.automatic, self.choice = QCheckBox(title, checked=checked, toolTip=tip), QLabel(wordWrap=True)
        line, layout = QHBoxLayout(), QVBoxLayout(self)
        for place, widget in enumerate(row or (self.automatic,)):
            line.addWidget(widget, place == stretched)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        if row:
            layout.addWidget(self.automatic)
        layout.addLayout(line)
        layout.addWidget(self.choice)
        self.row = line

    def show_choice(self, text: str, tuning: str = "") -> None:
        """Show a choice in words; tuning: settings that were tried, as a table."""
        self.choice.setText(text)
        self.choice.setToolTip(tuning)
        self.choice.setVisible(bool(text))


def tuning_table(heads: Sequence[str], rows: Sequence[Sequence[str]], more: str = "") -> str:
    """Settings that were tried, each with its quality, for a tooltip."""
    lines = ("".join(f"<td align=right>&nbsp; {cell}</td>" for cell in row) for row in rows)
    head = "".join(f"<th align=right>&nbsp; {title}</th>" for title in heads)
    about = "Quality of predictions for held-out labelled rows; higher is better"
    return f"{about}<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>{more}"


class InfluenceEditor(AutomaticEditor):
    """w0 (far) and w1 (near): both "auto", or two numbers, w0 at most w1."""

    changed = Signal(object, object)

    def __init__(self):
        self.picture = InfluencePicture()
        self.slider = RangeSlider(NAMES, TOP, self.picture.foot)
        self.slider.setToolTip(TOOLTIP)
        super().__init__("&Choose for me", CHOOSE, self.slider, self.picture, stretched=1)
        self.row.setSpacing(GAP)
        self.automatic.clicked.connect(self._send)
        self.slider.changed.connect(self._send)

    def forget(self) -> None:
        self.slider.set_values(*BEGIN)
        self.picture.show_line(*BEGIN)

    def show_state(self, w0: float | str, w1: float | str, offered: bool, info: Mapping[str, object] | None) -> None:
        """Show what is set, or where that is "auto" what was chosen; until that is known what was shown before.

        offered: whether some rows are labelled and some are not; info: of a ranking, if there is one.
        """
        automatic = w0 == AUTO
        if automatic:
            w0, w1 = (info["w0"], info["w1"]) if info else self.slider.values
        with QSignalBlocker(self.automatic):
            self.automatic.setChecked(automatic)
        self.slider.set_values(w0, w1)
        spread = info["nearest"] if info else None
        self.picture.show_line(w0, w1, spread[2] if spread else self.picture.counts)
        self.automatic.setEnabled(offered)
        self.slider.setEnabled(offered and not automatic)
        self.picture.setEnabled(offered)
        tuning = tried(info["tuning"]) if info and info["tuning"] else ""
        self.show_choice(choice_text(info, automatic) if offered else "", tuning)

    def _send(self, *_):
        self.picture.show_line(*self.slider.values, self.picture.counts)
        self.changed.emit(*((AUTO, AUTO) if self.automatic.isChecked() else self.slider.values))


def choice_text(info: Mapping[str, object] | None, automatic: bool) -> str:
    """Choice in words."""
    if info is None:
        return "To be chosen by cross-validation" if automatic else ""
    found = f"{info['n_neighbors']} neighbours, influence {info['w0']:g} to {info['w1']:g}"
    if info["tuning"]:
        best = max(quality for *_, quality in info["tuning"])
        return f"Best of {len(info['tuning'])} settings: {found} (quality {number_text(best, 3)})"
    return f"Too few labelled rows to choose: {found}" if automatic else ""


def tried(tuning: Sequence[Sequence[float]]) -> str:
    """The best of the settings (k, w0, w1, quality) that were tried, as a table."""
    ranked = sorted(tuning, key=lambda setting: -setting[-1])
    rows = [(f"{k}", f"{w0:g} to {w1:g}", f"{quality:.3f}") for k, w0, w1, quality in ranked[:BEST]]
    more = f"and {len(ranked) - BEST} more, down to {ranked[-1][-1]:.3f}" if len(ranked) > BEST else ""
    return tuning_table(("Neighbours", "Influence", "Quality"), rows, more)
