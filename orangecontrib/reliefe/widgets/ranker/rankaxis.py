"""The axis of ranks."""

import math

import numpy as np
from AnyQt.QtGui import QFontMetricsF
from Orange.widgets.visualize.utils.plotutils import AxisItem

GAP = 6  # pixels between two ranks


class RankAxis(AxisItem):
    """Ticks at ranks; `log`: 1, 2, 5, 10, ... at the place of their logarithm (pyqtgraph's own writes 10^0.3)."""

    log = False
    last = np.inf  # place beyond which there are no ranks

    def tickValues(self, low, high, size):
        if low < self.last < high:
            size, high = size * (self.last - low) / (high - low), self.last
        if not self.log:
            found = [(step, ticks) for step, ticks in super().tickValues(low, high, size) if step >= 1]
            return found or [(1, list(range(math.ceil(low), math.floor(high) + 1)))]
        for digits in ((1, 2, 5), (1, 3), (1,)):
            ranks = [d * 10**e for e in range(7) for d in digits if low <= np.log10(d * 10**e) <= high]
            room = np.diff(np.log10(ranks)) * size / max(high - low, 1e-9)
            if all(apart >= self._width(a, b) for apart, a, b in zip(room, ranks, ranks[1:], strict=False)):
                break
        return [(1, np.log10(ranks).tolist())]

    def _width(self, a: int, b: int) -> float:
        """Pixels that the half of each of two ranks needs, and a gap."""
        metrics = QFontMetricsF(self.style["tickFont"] or self.font())
        return (metrics.horizontalAdvance(f"{a:,}") + metrics.horizontalAdvance(f"{b:,}")) / 2 + GAP

    def tickStrings(self, values, scale, spacing):
        return [f"{10**v:,.0f}" if self.log else f"{v:,.0f}" for v in values]
