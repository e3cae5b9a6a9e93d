"""A picture of one chart or several, side by side or one above the other: the base of all plots with axes."""

from AnyQt.QtCore import QSize

from .chart import Chart
from .picture import Picture

MARGINS = (4, 8, 10, 4)  # pixels at the left, top, right and bottom
STACKED = 1.2  # charts stand one above the other if the width is less than so many heights


class ChartView(Picture):
    """Charts side by side, or one above the other where that is the wider way."""

    def __init__(self, *charts: Chart, name: str, parent=None, least: tuple[int, int] = (220, 160)):
        super().__init__(name, parent, least, MARGINS)
        self.charts, self._stacked = charts, None
        self._arrange()

    def sizeHint(self):
        return QSize(600, 400)

    def _arrange(self):
        stacked = self.width() < STACKED * self.height()
        if stacked == self._stacked:
            return
        first, self._stacked = self._stacked is None, stacked
        for chart in self.charts if not first else ():
            self.layout_item.removeItem(chart)
        for i, chart in enumerate(self.charts):
            self.layout_item.addItem(chart, i if stacked else 0, 0 if stacked else i)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "charts"):
            self._arrange()
