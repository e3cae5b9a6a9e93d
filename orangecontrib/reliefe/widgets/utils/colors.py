"""Colours that follow the palette: one hue for each method, everywhere (list, header, bars, plot)."""

from functools import lru_cache

from AnyQt.QtGui import QColor, QPainter, QPalette, QPixmap
from AnyQt.QtWidgets import QCheckBox, QRadioButton, QWidget

LIGHT = (
    "#2f6db5", "#cc6a1f", "#3d8f4a", "#8657b3", "#b83f6f",
    "#2b8a94", "#8a7430", "#5a62c8", "#a5493b", "#66822f",
    "#c04fc9", "#23906e",
)  # fmt: skip
DARK = (
    "#6aa9ec", "#f0a05c", "#7ccb86", "#bd95e6", "#ee86ae",
    "#6cc8d1", "#cdb660", "#9aa2f5", "#e58d7f", "#a9c76d",
    "#e59af0", "#6fd3ae",
)  # fmt: skip


def mix(a: QColor, b: QColor, share: float) -> QColor:
    """The colour that lies `share` (0 to 1) of the way from `a` to `b`."""
    return QColor(_mixed(a.rgb(), b.rgb(), share))


@lru_cache(256)  # tables ask for the same few colours in every cell
def _mixed(a: int, b: int, share: float) -> int:
    x, y = QColor(a).getRgb()[:3], QColor(b).getRgb()[:3]
    return QColor(*(round(u + (v - u) * share) for u, v in zip(x, y, strict=True))).rgb()


def faint(color: QColor, alpha: int) -> QColor:
    """The same colour, transparent: alpha from 0 to 255."""
    return QColor(color.red(), color.green(), color.blue(), alpha)


def is_dark(palette: QPalette) -> bool:
    """Whether the palette writes light on dark."""
    return palette.color(QPalette.Base).lightness() < 128


def hue(number: int, palette: QPalette) -> QColor:
    """The colour of the method with this number."""
    hues = DARK if is_dark(palette) else LIGHT
    return QColor(hues[number % len(hues)])


def swatch(number: int, palette: QPalette, hollow: bool = False) -> QPixmap:
    """A small square in that colour."""
    square = QPixmap(10, 10)
    square.fill(hue(number, palette))
    if hollow:
        painter = QPainter(square)
        painter.fillRect(2, 2, 6, 6, palette.color(QPalette.Button))
        painter.end()
    return square


def muted(palette: QPalette, share: float = 0.5) -> QColor:
    """The text's colour, stepping back by `share`: for what may be overlooked at first glance."""
    return mix(palette.color(QPalette.Text), palette.color(QPalette.Base), share)


def selection_tint(palette: QPalette) -> QColor:
    """Background of selected rows: light enough for bars and text to keep their own colours."""
    share = 0.32 if is_dark(palette) else 0.18
    return mix(palette.color(QPalette.Base), palette.color(QPalette.Highlight), share)


def link(palette: QPalette) -> QColor:
    """Colour of links that can be read on a window of this palette, even if it forgot to define one."""
    color = palette.color(QPalette.Link)
    if is_dark(palette) and color.lightness() < 140:
        return mix(color, palette.color(QPalette.WindowText), 0.6)
    return color


def lift_indicators(widget: QWidget) -> None:
    """On dark palettes styles draw boxes and radio buttons nearly black on black: give them a lighter ground."""
    for button in widget.findChildren(QRadioButton) + widget.findChildren(QCheckBox):
        palette = QPalette()
        if is_dark(widget.palette()):
            own = widget.palette()
            palette.setColor(QPalette.Base, mix(own.color(QPalette.Window), own.color(QPalette.WindowText), 0.22))
        button.setPalette(palette)
