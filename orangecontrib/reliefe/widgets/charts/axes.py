"""Axes of a `Chart` whose ticks are numbers as they are, also on a logarithmic scale (pyqtgraph)."""

import numpy as np
from Orange.widgets.visualize.utils.plotutils import AxisItem

OVERLAP = 16  # pixels by which the label of a tick may stand out of its axis
LEFT = 58  # pixels of the vertical axis with its title
DECADES = 3  # from here on a logarithmic axis has ticks at powers of ten only
WHOLE = 2.9  # log10 from which on numbers are written without decimals


class PlainAxis(AxisItem):
    """Ticks at numbers as they are; `log`: at 1, 2, 5, 10, ... in the place of their logarithms."""

    def __init__(self, orientation: str, log: bool = False):
        super().__init__(orientation)
        self.log = log
        self.enableAutoSIPrefix(False)  # else 0.1 is written 100 (x0.001)
        self.setStyle(hideOverlappingLabels=OVERLAP)

    def tickValues(self, low, high, size):
        if not self.log:
            return super().tickValues(low, high, size)
        digits = (1, 2, 5) if high - low < DECADES else (1,)
        powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
        logarithms = [np.log10(digit) + power for power in powers for digit in digits]
        return [(1, [logarithm for logarithm in logarithms if low <= logarithm <= high])]

    def tickStrings(self, values, scale, spacing):
        if not self.log:
            return super().tickStrings(values, scale, spacing)
        return [f"{10**value:,.0f}" if value > WHOLE else f"{10**value:.3g}" for value in values]
