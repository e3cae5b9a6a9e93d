"""The axis of ranks."""

import numpy as np
from Orange.widgets.visualize.utils.plotutils import AxisItem


class RankAxis(AxisItem):
    """Ticks at ranks; `log`: 1, 2, 5, 10, ... at the place of their logarithm (pyqtgraph's own writes 10^0.3)."""

    log = False

    def tickValues(self, low, high, size):
        if not self.log:
            return [(step, ticks) for step, ticks in super().tickValues(low, high, size) if step >= 1]
        steps = [d * 10**e for e in range(7) for d in (1, 2, 5)]
        return [(1, [np.log10(s) for s in steps if low <= np.log10(s) <= high])]

    def tickStrings(self, values, scale, spacing):
        return [f"{10**v:,.0f}" if self.log else f"{v:,.0f}" for v in values]
