"""QQ plot: sorted p-values against those of chance; a view of the rankers and of Rank Genotypes."""

from collections.abc import Sequence

import numpy as np

from ...genetics.manhattan import band, inflation
from ...orange.plane import Plane
from ..utils.colors import faint, muted
from .chart import Chart, line_pen
from .legend import DASHED
from .point_view import PointView

DOT = 5  # pixels of a p-value
CELL = 1  # pixels within which one point is drawn
DRAWN_ON = 400, 400  # pixels, at least, for which points are thinned: the chart may become larger
BAND_OPACITY = 50  # of 255
KEYS = "Arrow keys go from point to point, the smallest p first; Space chooses"
NO_P_VALUES = "There are no p-values yet: tick p-values to get them"


class QuantilePlot(PointView):
    """Sorted p-values against those of chance; `item_chosen` names a feature.

    Parameters
    ----------
    about : str
        Description of the plot, in its tooltip and for screen readers.
    parent : QWidget, optional
    """

    def __init__(self, about: str, parent=None):
        super().__init__("QQ plot", f"{about}. {KEYS}", parent)
        self.p: np.ndarray | None = None
        self.inflation = ""
        self._stale = True  # the text that there are none is to be drawn
        self.setToolTip(about)

    def make_chart(self):
        return Chart("\u2212log10 p by chance", "\u2212log10 p")

    def show_p(self, p: np.ndarray | None, names: Sequence[str], single: np.ndarray | None = None) -> None:
        """Show p-values.

        Parameters
        ----------
        p : ndarray, shape (m,), or None
            None: a text says that there are none.
        names : sequence of str, length m
        single : ndarray, optional
            p-values of tests of single variants, whose inflation is written instead of that of p.
        """
        if p is self.p:
            return
        self.p = p
        if p is None:
            self.inflation = ""
            self.set_points(np.zeros(0), np.zeros(0), (), np.zeros(0, int))
            return
        self.inflation = inflation(p) if single is None else f"single variants, {inflation(single)}"
        order = np.argsort(p, kind="stable")
        by_chance = np.empty(len(p))
        by_chance[order] = (np.arange(len(p)) + 0.5) / len(p)
        self.set_points(-np.log10(by_chance), -np.log10(p), names, order)

    def overview(self):
        return ". ".join(filter(None, (self.inflation, self.note)))

    def about(self, item):
        return f"{self.names[item]}: p {self.p[item]:.3g}"

    def draw_nothing(self):
        self.chart.vb.setRange(xRange=(0, 1), yRange=(0, 1), padding=0)
        self.chart.write(NO_P_VALUES, 0.5, 0.5, muted(self.palette(), 0.3))

    def draw_points(self):
        chart, palette = self.chart, self.palette()
        chart.restart(True)
        m = len(self.p)
        right = float(self.x.max())
        # The band of 95 % of the p-values of chance, and the diagonal.
        i, low, high = band(m)
        chart.band(
            -np.log10((i - 0.5) / m), -np.log10(low), -np.log10(high), faint(muted(palette, 0.3), BAND_OPACITY), 1
        )
        chart.line([0, right], [0, right], line_pen(muted(palette, 0.3), 1, DASHED), 2)
        # The points, as many as pixels can show.
        top = max(float(self.y.max()), -float(np.log10(low[0])))
        width, height = DRAWN_ON
        plane = Plane((-0.02 * right, 1.05 * right), (-0.02 * top, 1.05 * top), max(self.width(), width), height)
        drawn = plane.thinned(self.x, self.y, CELL)
        chart.dots(self.x[drawn], self.y[drawn], self.hue(0), DOT, 3)
        chart.write(self.inflation.replace(": ", ":\n"), plane.x[1], plane.y[0], self.text_color, (1, 1))
        chart.vb.setRange(xRange=plane.x, yRange=plane.y, padding=0)
