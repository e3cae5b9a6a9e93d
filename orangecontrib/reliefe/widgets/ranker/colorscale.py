"""From scores to colours, and the scale that explains them."""

from dataclasses import dataclass, field

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QLinearGradient, QPainter, QPalette

from ..utils.colors import hue, muted
from .scores import decimals_of, number_text

GAP = 5  # pixels between the scale and its numbers
LENGTH = 90  # pixels of the scale


@dataclass(frozen=True, eq=False)
class ColorScale:
    """Above zero a method's hue, below zero grey, both ever stronger up to the largest absolute score.

    low, high: range of the scores, zero included; number: of the hue.
    """

    low: float = 0.0
    high: float = 0.0
    number: int = 0
    palette: QPalette = field(default_factory=QPalette)

    @classmethod
    def of(cls, values: np.ndarray, number: int, palette: QPalette) -> "ColorScale":
        """The scale of all of these values."""
        known = values[np.isfinite(values)]
        return cls(float(known.min(initial=0)), float(known.max(initial=0)), number, palette)

    @property
    def top(self) -> float:
        """The largest absolute score."""
        return max(-self.low, self.high)

    def text(self, value: float) -> str:
        """A score with as many decimals as the largest needs."""
        return number_text(value, decimals_of(self.top))

    def colors(self, values: np.ndarray) -> np.ndarray:
        """(..., 3) uint8: the colours of values (...); unknown ones look like zero."""
        share = np.nan_to_num(values / self.top if self.top else np.zeros(np.shape(values)))[..., None]
        base, low, high = (np.array(color.getRgb()[:3], float) for color in self._ends())
        return (base + np.abs(share) * (np.where(share > 0, high, low) - base)).round().astype(np.uint8)

    def _ends(self):
        """Zero, the lowest and the highest."""
        return self.palette.color(QPalette.Base), muted(self.palette, 0.4), hue(self.number, self.palette)

    def paint(self, painter: QPainter, area: QRectF) -> float:
        """The colours with both ends of the range, at the right of an area; returns where it begins."""
        metrics = painter.fontMetrics()
        low, high = self.text(self.low), self.text(self.high)
        right = area.right() - metrics.horizontalAdvance(high) - GAP
        bar = QRectF(right - LENGTH, area.top() + 3, LENGTH, area.height() - 6)
        left = bar.left() - GAP - metrics.horizontalAdvance(low)
        painter.setPen(muted(self.palette, 0.4))
        painter.drawText(area, int(Qt.AlignRight | Qt.AlignVCenter), high)
        painter.drawText(QPointF(left, area.center().y() + metrics.capHeight() / 2), low)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for place, color in zip((0, 1), self.colors(np.array([self.low, self.high])), strict=True):
            gradient.setColorAt(place, QColor(*map(int, color)))
        if self.low < 0 < self.high:
            gradient.setColorAt(-self.low / (self.high - self.low), self._ends()[0])
        painter.fillRect(bar, gradient)
        painter.drawRect(bar)
        return left - GAP
