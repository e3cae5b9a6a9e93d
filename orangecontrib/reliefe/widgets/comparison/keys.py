"""Legends whose keys look like what they stand for: solid, dashed and dotted lines, symbols."""

from collections.abc import Sequence
from typing import NamedTuple

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor

from ..utils.legend import SWATCH, Entry, Legend

SOLID, DASHED, DOTTED, MIXED = Qt.SolidLine, Qt.DashLine, Qt.DotLine, Qt.DashDotLine
SWATCHES = {SOLID: SWATCH, DASHED: "\u254d\u254d", DOTTED: "\u00b7\u00b7\u00b7\u00b7", MIXED: "\u2501\u00b7\u2501"}
DIAMOND = "\u25c6"


class Key(NamedTuple):
    """What a line is called; style: of its pen; symbol: instead of a line."""

    text: str
    color: QColor
    strong: bool = False
    style: Qt.PenStyle = SOLID
    symbol: str = ""


class KeyLegend(Legend):
    """As `Legend`, of keys."""

    keys: Sequence[Key] = ()

    def show(self, entries: Sequence[Key], color: QColor) -> None:
        """Set the keys and the colour of their text."""
        self.keys = [Key(*entry) for entry in entries]
        super().show([Entry(*key[:3]) for key in self.keys], color)

    def _lines(self, metrics, width):
        lines, keys = super()._lines(metrics, width), iter(self.keys)
        swatches = (key.symbol or SWATCHES[key.style] for key in keys)
        return [[text.replace(SWATCH, next(swatches), 1) for text in line] for line in lines]
