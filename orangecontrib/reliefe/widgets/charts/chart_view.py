"""A picture of one chart or several, side by side or one above the other: the base of all plots with axes."""

from collections.abc import Sequence

from AnyQt.QtCore import QSize

from ..utils.appearance import AXIS_TICKS, AXIS_TITLE, LABEL, LEGEND, TITLE, X_TITLE, Y_TITLE, Appearance
from .chart import Chart
from .picture import Picture

MIN_SIZE = 220, 160  # pixels
MARGINS = (4, 8, 10, 4)  # pixels at the left, top, right and bottom
STACKED = 1.2  # charts stand one above the other if the width is less than so many heights


class ChartView(Picture):
    """Charts side by side, or one above the other where that is the wider way.

    A chart takes 5 ms to make, so that charts are made when there is something to draw. A subclass makes them in
    `make_charts()`. Without anything to draw, its `draw` calls `clear()`.

    Parameters
    ----------
    name : str
        Name of the picture for screen readers.
    parent : QWidget, optional
    least : (int, int)
        Least width and height in pixels.
    """

    _charts: tuple[Chart, ...] | None = None  # None: not made yet
    _styled = False  # True once the user changed visual settings

    def __init__(self, name: str, parent=None, least: tuple[int, int] = MIN_SIZE):
        super().__init__(name, parent, least, MARGINS)
        self._placed: dict[Chart, tuple[int, int]] = {}  # (row, column) of charts

    def make_charts(self) -> Sequence[Chart]:
        """Make the charts of the picture, and what is drawn on them again and again."""
        raise NotImplementedError

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The charts, which are made at the first call."""
        if self._charts is None:
            self._charts = tuple(self.make_charts())
            if self._styled:
                self._style_charts()
            self._arrange()
        return self._charts

    @property
    def chart(self) -> Chart:
        """The first chart, or the only one."""
        return self.charts[0]

    @property
    def has_charts(self) -> bool:
        """True once the charts exist."""
        return self._charts is not None

    def clear(self) -> None:
        """Show empty charts."""
        for chart in self.charts if self.has_charts else ():
            chart.restart(False)

    # Visual settings -------------------------------------------------------------------------------------------------

    def annotations(self):
        return TITLE, X_TITLE, Y_TITLE

    def set_appearance(self, appearance: Appearance) -> None:
        self._styled = True
        self.appearance = appearance
        if self.has_charts:
            self._style_charts()
        super().set_appearance(appearance)

    def _style_charts(self):
        """Set fonts of all charts, and the titles of the axes of the first one."""
        look = self.appearance
        for chart in self.charts:
            chart.set_fonts(look.font(AXIS_TITLE), look.font(AXIS_TICKS), look.font(LEGEND), look.font(LABEL))
        name = self.accessibleName()
        self.charts[0].set_axis_titles(look.annotation(name, X_TITLE), look.annotation(name, Y_TITLE))

    def sizeHint(self):
        """Return the size that is best. Overrides QWidget.sizeHint."""
        return QSize(600, 400)

    # Layout ----------------------------------------------------------------------------------------------------------

    def cells_of(self, charts: Sequence[Chart]) -> dict[Chart, tuple[int, int]]:
        """Rows and columns of the charts that have room."""
        stacked = self.width() < STACKED * self.height()
        return {chart: (number, 0) if stacked else (0, number) for number, chart in enumerate(charts)}

    def _arrange(self):
        cells = self.cells_of(self.charts)
        if cells == self._placed:
            return
        for chart in self._placed:
            self.layout_item.removeItem(chart)
        for chart, cell in cells.items():
            self.layout_item.addItem(chart, *cell)
        self._placed = cells
        self.layout_item.layout.activate()  # now: charts are drawn for their sizes

    def resizeEvent(self, event):
        """Arrange the charts by the shape of the view. Overrides QGraphicsView.resizeEvent."""
        super().resizeEvent(event)
        if self.has_charts:
            self._arrange()
