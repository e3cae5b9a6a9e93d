"""Text beside a point of a chart (pyqtgraph), for charts where mouse or keys go from point to point."""

import pyqtgraph as pg
from AnyQt.QtGui import QColor, QPalette

from ..utils.colors import faint, muted

RING_SIZE = 9  # pixels
FRONT = 30  # z: in front of all other items of a chart
ASIDE = 0.35  # distance of the text from the point, in heights of the text: it covers no ring
OPACITY = 225  # of the ground of the text, of 255


class Callout:
    """A ring around a point, and a text beside it that stays inside the chart."""

    def __init__(self, size: int = RING_SIZE):
        self.ring = pg.ScatterPlotItem(size=size)
        self.label = pg.TextItem(anchor=(0, 1))
        self.items = self.ring, self.label  # to be put into a chart at each drawing
        self.ring.setZValue(FRONT)
        self.label.setZValue(FRONT + 1)

    def hide(self) -> None:
        """Show nothing."""
        self.ring.setData([], [])
        self.label.setVisible(False)

    def show(self, box: pg.ViewBox, x: float, y: float, text: str, color: QColor, palette: QPalette) -> None:
        """Show a text beside a point.

        Parameters
        ----------
        box : ViewBox
            Plot of the chart.
        x, y : float
            The point, in units of the axes.
        text : str
        color : QColor
            Colour of the ring.
        palette : QPalette
            Palette of the view.
        """
        ground = palette.color(QPalette.Base)
        pen = pg.mkPen(color, width=2)  # a plain QPen is scaled with the symbol: a ragged blot
        self.ring.setData([x], [y], brush=ground, pen=pen)
        self.label.setColor(palette.color(QPalette.Text))
        self.label.fill = pg.mkBrush(faint(ground, OPACITY))
        self.label.border = pg.mkPen(muted(palette, 0.7))
        self.label.setText(text)
        (left, right), (bottom, top) = box.viewRange()
        # The text begins at the point at the left of the chart, ends at it at the right, and hangs down at the top.
        below = y >= (bottom + 2 * top) / 3
        self.label.setAnchor(((x - left) / (right - left), -ASIDE if below else 1 + ASIDE))
        self.label.setPos(x, y)
        self.label.setVisible(True)
