"""Colours of all charts; they follow the palette: one hue for each method, everywhere (list, header, bars, plot)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from AnyQt.QtGui import QColor, QPainter, QPalette, QPixmap
from AnyQt.QtWidgets import QCheckBox, QRadioButton, QWidget

# Every two of a palette, and each of them and the greys of `muted`, differ by 10 or more (CIE76), also as people see
# them who lack one kind of cones; each has a contrast of 3 or more to the ground.
LIGHT = (
    "#326db5", "#dc7a1c", "#418249", "#764399", "#b6215d",
    "#378996", "#917d29", "#5a59c3", "#89352f", "#506d21",
    "#cf5ed9", "#2fa67a",
)  # fmt: skip
DARK = (
    "#78a5d7", "#e48e45", "#80cf88", "#9c7dd6", "#fc5c92",
    "#5dc1cd", "#dbc460", "#98a4fb", "#d08376", "#a6c670",
    "#f8a9ff", "#80e1b9",
)  # fmt: skip
INKS = "#202020", "#f4f4f4"  # on light and on dark
FLARE = 0.05  # of a screen, relative to white


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
    """True if the palette writes light on dark."""
    return palette.color(QPalette.Base).lightness() < 128


def hue(number: int, palette: QPalette) -> QColor:
    """The colour of the method with this number."""
    hues = DARK if is_dark(palette) else LIGHT
    return QColor(hues[number % len(hues)])


def hues_of(offered: Sequence[str], shown: Iterable[str]) -> dict[str, int]:
    """Numbers of the hues of what is shown: its place among all that is offered, or the next that no other has."""
    n, wanted = len(LIGHT), set(shown)
    given: dict[str, int] = {}
    for name in (name for name in offered if name in wanted):  # who comes first keeps its own
        place = offered.index(name)
        free = [(place + step) % n for step in range(n) if (place + step) % n not in given.values()]
        given[name] = free[0] if free else place % n
    return given


def ink(color: QColor) -> QColor:
    """Colour of text that can be read on a colour."""
    light = luminance(color) + FLARE
    return QColor(max(INKS, key=lambda ink: abs(np.log(light / (luminance(QColor(ink)) + FLARE)))))


def luminance(color: QColor) -> float:
    """Relative to white (Web Content Accessibility Guidelines 2)."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.getRgbF()[:3]]
    return float(np.dot((0.2126, 0.7152, 0.0722), parts))


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
