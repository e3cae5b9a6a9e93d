"""Scale of colours for numbers, and its legend, painted by QPainter: for the heat map and the table of agreement."""

from dataclasses import dataclass

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QLinearGradient, QPainter, QPalette

from ...orange.ranker.scores import decimals_of, number_text
from ..utils.colors import muted

SCALE_GAP = 5  # pixels between the scale and its numbers
LENGTH = 90  # pixels of the scale


@dataclass(frozen=True, eq=False)
class ColorScale:
    """Above zero a hue, below zero grey, both ever stronger up to the largest absolute value."""

    low: float  # least value, at most 0
    high: float  # largest value, at least 0
    color: QColor  # of the largest value
    palette: QPalette

    @property
    def top(self) -> float:
        """The largest absolute value."""
        return max(-self.low, self.high)

    def text(self, value: float) -> str:
        """A value with as many decimals as the scale needs."""
        return number_text(value, decimals_of(self.top))

    def colors(self, values: np.ndarray) -> np.ndarray:
        """(..., 3) uint8: the colours of values (...); unknown ones look like zero."""
        share = np.nan_to_num(values / self.top if self.top else np.zeros(np.shape(values)))[..., None]
        base, low, high = (np.array(color.getRgb()[:3], float) for color in self._ends())
        return (base + np.abs(share) * (np.where(share > 0, high, low) - base)).round().astype(np.uint8)

    def _ends(self):
        return self.palette.color(QPalette.Base), muted(self.palette, 0.4), self.color

    def paint(self, painter: QPainter, area: QRectF) -> float:
        """The colours with both ends of the range, at the right of an area; returns where it begins."""
        metrics = painter.fontMetrics()
        low, high = self.text(self.low), self.text(self.high)
        right = area.right() - metrics.horizontalAdvance(high) - SCALE_GAP
        bar = QRectF(right - LENGTH, area.top() + 3, LENGTH, area.height() - 6)
        left = bar.left() - SCALE_GAP - metrics.horizontalAdvance(low)
        painter.setPen(muted(self.palette, 0.4))
        painter.drawText(area, int(Qt.AlignRight | Qt.AlignVCenter), high)
        painter.drawText(QPointF(left, area.center().y() + metrics.capHeight() / 2), low)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for share, color in zip((0, 1), self.colors(np.array([self.low, self.high])), strict=True):
            gradient.setColorAt(share, QColor(*map(int, color)))
        if self.low < 0 < self.high:
            gradient.setColorAt(-self.low / (self.high - self.low), self._ends()[0])
        painter.fillRect(bar, gradient)
        painter.drawRect(bar)
        return left - SCALE_GAP


def range_of(values: np.ndarray) -> tuple[float, float]:
    """Least and largest of the finite values, zero included."""
    finite = values[np.isfinite(values)]
    return float(finite.min(initial=0)), float(finite.max(initial=0))
