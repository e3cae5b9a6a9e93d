"""Chart of agreement: a clustered table of every two rankings, and curves over the number of best features."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal

from ...orange.comparison.agreements import MEASURES, Agreements
from ...orange.comparison.ranking_tree import RankingTree
from ..charts.chart import Chart, line_pen
from ..charts.legend import DASHED, Entry
from ..utils.colors import faint, muted
from .agreement_cells import AgreementCells

MAX_LINES = 100  # pairs up to which each has a line; of more only the mean and a band are drawn
CENTRAL = 0.1, 0.9  # quantiles at the edges of the band
MIN_ASPECT = 1.25  # times as wide as high: from here on side by side


class AgreementChart(AgreementCells):
    """A table of every two rankings, beside curves of their agreement for all numbers of best features.

    Hovering a cell, or moving with the keys, describes a pair and draws its curve; a click chooses it.
    """

    note = "Arrow keys move, Space selects the features that both rankings have among their best"
    chosen = Signal(int, int)  # two rankings
    n_moved = Signal(int)

    def __init__(self, parent=None):
        self.agreements: Agreements | None = None
        self.n = 1  # number of best features whose agreement the cells show
        self._area = False  # True if the cells show the area under the curves
        self._titles: tuple[str, ...] = ()
        self._ranks: np.ndarray | None = None  # (t, p) of the features in the rankings
        self._drawn: tuple[int, int] | None = None  # the pair that has a curve
        self._is_wide: bool | None = None  # True if the curves are beside the cells, False: below; None: not there
        super().__init__("Agreement of every two rankings", parent, (260, 200), (4, 6, 8, 4))
        self.scene().sigMouseClicked.connect(self._clicked_chart)
        self._arrange()

    @cached_property
    def line(self) -> pg.InfiniteLine:
        """The line at the number of best features, which can be moved."""
        line = pg.InfiniteLine(angle=90, movable=True)
        line.sigPositionChangeFinished.connect(lambda line: self.n_moved.emit(self._n_at(line.value())))
        return line

    @cached_property
    def curve(self) -> Chart:
        """The chart of the curves, which is made when there are any."""
        return Chart("Number of best features", "Agreement", log=(True, False))

    @property
    def has_curves(self) -> bool:
        """True if the measure depends on the number of best features."""
        return self.agreements is not None and len(self.agreements.sizes) > 1

    def show_agreements(
        self, titles: Sequence[str], ranks: np.ndarray, agreements: Agreements, tree: RankingTree, n: int, area: bool
    ) -> None:
        """Draw agreements.

        Parameters
        ----------
        titles : sequence of str, length t
            Of the rankings.
        ranks : ndarray of int, shape (t, p)
            Ranks of the features in the rankings, from 0.
        agreements : Agreements
        tree : RankingTree
            Gives the order of the rankings.
        n : int
            Number of best features whose agreement the cells show.
        area : bool
            True: the cells show the area under the curves instead.
        """
        self._titles = tuple(titles)
        self._ranks = ranks
        self.agreements = agreements
        self.n = n
        self._area = area
        self._arrange()
        self.show_values(titles, agreements.area if area else agreements.at(n), tree)

    @property
    def compared(self) -> tuple[int, int] | None:
        """The rankings of the current cell, None if they are one."""
        pair = self.current and self.pair(self.current)
        return pair if pair and pair[0] != pair[1] else None

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw(self):
        super().draw()
        self._draw_curves()

    def mark(self):
        super().mark()
        if self.compared != self._drawn:
            self._draw_curves()

    def _draw_curves(self):
        self._drawn = self.compared
        if not self.has_curves:
            return
        agreements, chart = self.agreements, self.curve
        color = muted(self.palette(), 0.2)
        chart.restart(True, self._entries(color), self.text_color)
        chart.setLabel("left", MEASURES[agreements.measure][0])
        x, above = np.log10(agreements.sizes), np.triu_indices(len(self._titles), 1)
        values = agreements.values[:, above[0], above[1]]  # (s, pairs)
        if values.shape[1] > MAX_LINES:
            chart.band(x, *np.quantile(values, CENTRAL, axis=1), faint(color, 50))
        for curve in values.T if 1 < values.shape[1] <= MAX_LINES else ():
            chart.line(x, curve, line_pen(faint(color, 70), 1))
        chart.line(x, values.mean(axis=1), line_pen(color, 2.2))
        if self._drawn and values.shape[1] > 1:
            chart.line(x, agreements.values[:, self._drawn[0], self._drawn[1]], line_pen(self.marked, 2.2))
        self.line.setVisible(not self._area)
        self.line.setPen(line_pen(muted(self.palette(), 0.3), 1.5, DASHED))
        self.line.setHoverPen(line_pen(self.marked, 2))
        self.line.setPos(np.log10(max(self.n, 1)))
        chart.put(self.line, z=10)
        chart.setXRange(0, x[-1], padding=0.03)
        chart.setYRange(min(float(np.nanmin(values, initial=0)), 0), 1.0, padding=0.03)

    def _entries(self, color):
        pairs = len(self._titles) * (len(self._titles) - 1) // 2
        entries = [Entry(f"mean of {pairs:,} pairs" if pairs > 1 else " and ".join(self._titles), color)]
        if self._drawn and pairs > 1:
            text = " and ".join(self._titles[ranking] for ranking in self._drawn)
            entries.append(Entry(text, self.marked, True))
        return entries

    def _arrange(self):
        """Place the curves beside or below the cells, or the cells alone without any."""
        is_wide = self.width() > MIN_ASPECT * self.height() if self.has_curves else None
        layout = self.layout_item
        if layout.items and self._is_wide == is_wide:
            return
        for item in list(layout.items):
            layout.removeItem(item)
        layout.addItem(self.canvas, 0, 0)
        if is_wide is not None:
            layout.addItem(self.curve, *((0, 1) if is_wide else (1, 0)))
        grid = layout.layout
        for track in (0, 1):
            grid.setColumnStretchFactor(track, (6, 5)[track] if is_wide else 1 - track)
            grid.setRowStretchFactor(track, (3, 2)[track] if is_wide is False else 1 - track)
            grid.setColumnPreferredWidth(track, 100 if is_wide or track == 0 else 0)
            grid.setRowPreferredHeight(track, 100 if is_wide is False or track == 0 else 0)
        self._is_wide = is_wide

    def about(self, cell):
        i, j = self.pair(cell)
        if i == j:
            return self._titles[i]
        value = self.values[i, j]
        text = self.scale.text(value) if np.isfinite(value) else "none, since one ranking has only equal scores"
        n = int(self.n)
        common = int(((self._ranks[i] < n) & (self._ranks[j] < n)).sum())
        return f"{text}, {common:,} of the best {n:,} in common: {self._titles[i]} and {self._titles[j]}"

    # What the user does ----------------------------------------------------------------------------------------------

    @property
    def begin(self):
        return 0, min(1, len(self._titles) - 1)

    def choose(self, cell):
        self.chosen.emit(*self.pair(cell))

    def _n_at(self, x) -> int:
        return int(np.clip(round(10**x), 1, self.agreements.sizes[-1]))

    def _clicked_chart(self, event):
        if not self.has_curves or self._area:
            return
        if self.curve.vb.sceneBoundingRect().contains(event.scenePos()):
            self.n_moved.emit(self._n_at(self.curve.vb.mapSceneToView(event.scenePos()).x()))

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        cell = self.element_at(self.canvas_place(event))
        if event.button() == Qt.LeftButton and cell is not None:
            self.set_current(cell)
            self.choose(cell)

    def sizeHint(self):
        """Return the size that is best. Overrides QWidget.sizeHint."""
        return QSize(700, 420)

    def resizeEvent(self, event):
        """Arrange cells and curves by the shape of the view. Overrides QGraphicsView.resizeEvent."""
        super().resizeEvent(event)
        if hasattr(self, "canvas"):
            self._arrange()
