"""The picture of the agreement view: the matrix of pairs, and how agreement changes with the number of features."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QToolTip
from Orange.widgets.visualize.utils.plotutils import GraphicsView

from ..ranker.cells import STEPS
from ..utils.chart import Chart, line_pen
from ..utils.colors import faint, muted
from ..utils.legend import Entry
from ..utils.markup import plain
from .agreementjob import MEASURES, Agreements
from .matrix import Matrix, Tree

NAME = "Agreement of every two rankings"
ABOUT = "Arrow keys move, Space selects the features that both rankings have among their best"
MAX_LINES = 100  # pairs that are drawn as lines each; of more only the mean and the central part
CENTRAL = 0.1, 0.9
MIN_ASPECT = 1.25  # times as wide as high: from here on side by side


class AgreementChart(GraphicsView):
    """Hovering a cell, or moving with the keys, tells about a pair and draws its curve; a click chooses it."""

    chosen = Signal(int, int)  # two rankings
    n_moved = Signal(int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.matrix, self.curve = Matrix(), Chart("Number of best features", "Agreement", log=(True, False))
        self.line = pg.InfiniteLine(angle=90, movable=True)
        self.line.setZValue(10)
        self.line.sigPositionChangeFinished.connect(lambda line: self.n_moved.emit(self._n_at(line.value())))
        self.scene().sigMouseClicked.connect(self._clicked_chart)
        self._agreements, self._n, self._area, self._titles, self._places = None, 1, False, (), None
        self._beside = None  # how the two are arranged
        self.items_layout = pg.GraphicsLayout()
        self.items_layout.setContentsMargins(4, 6, 8, 4)
        self.setCentralItem(self.items_layout)
        self.setMinimumSize(QSize(260, 200))
        self.setFocusPolicy(Qt.StrongFocus)
        self.setAccessibleName(NAME)
        self.setMouseTracking(True)
        self._arrange()
        self._recolor()

    def show_agreements(
        self, titles: Sequence[str], places: np.ndarray, found: Agreements, tree: Tree, n: int, area: bool
    ) -> None:
        """Draw these; places (t, p) of the features; n: whose agreement the matrix shows; area: under the curves."""
        self._titles, self._places, self._agreements, self._n, self._area = tuple(titles), places, found, n, area
        self.matrix.set_values(titles, found.area if area else found.at(n), tree)
        self._set_current(self.matrix.current)
        self._arrange()
        self.draw()

    @property
    def pair(self) -> tuple[int, int] | None:
        """The rankings of the current cell, None if they are one."""
        pair = self.matrix.current and self.matrix.pair(self.matrix.current)
        return pair if pair and pair[0] != pair[1] else None

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the curves in the colours of the palette."""
        found, palette = self._agreements, self.palette()
        shown = found is not None and len(found.sizes) > 1
        color = muted(palette, 0.2)
        self.curve.restart(shown, self._entries(color) if shown else (), palette.color(QPalette.Text))
        if not shown:
            return
        self.curve.setLabel("left", MEASURES[found.measure][0])
        x, above = np.log10(found.sizes), np.triu_indices(len(self._titles), 1)
        values = found.values[:, above[0], above[1]]  # (s, pairs)
        if values.shape[1] <= MAX_LINES:
            for curve in values.T if values.shape[1] > 1 else ():
                self.curve.addItem(pg.PlotCurveItem(x, curve, pen=line_pen(faint(color, 70), 1), antialias=True))
        else:
            ends = [pg.PlotCurveItem(x, end) for end in np.quantile(values, CENTRAL, axis=1)]
            self.curve.addItem(pg.FillBetweenItem(*ends, brush=faint(color, 50)))
        self.curve.addItem(pg.PlotCurveItem(x, values.mean(axis=1), pen=line_pen(color, 2.2), antialias=True))
        if self.pair and values.shape[1] > 1:
            pen = line_pen(palette.color(QPalette.Highlight), 2.2)
            self.curve.addItem(
                pg.PlotCurveItem(x, found.values[:, self.pair[0], self.pair[1]], pen=pen, antialias=True)
            )
        self._draw_n(palette)
        low = min(float(np.nanmin(values, initial=0)), 0)
        self.curve.setXRange(0, x[-1], padding=0.03)
        self.curve.setYRange(low, 1.0, padding=0.03)

    def _entries(self, color):
        pairs = len(self._titles) * (len(self._titles) - 1) // 2
        entries = [Entry(f"mean of {pairs:,} pairs" if pairs > 1 else " and ".join(self._titles), color)]
        if self.pair and pairs > 1:
            text = " and ".join(self._titles[ranking] for ranking in self.pair)
            entries.append(Entry(text, self.palette().color(QPalette.Highlight), True))
        return entries

    def _draw_n(self, palette):
        self.line.setVisible(not self._area)
        self.line.setPen(line_pen(muted(palette, 0.3), 1.5, Qt.DashLine))
        self.line.setHoverPen(line_pen(palette.color(QPalette.Highlight), 2))
        self.line.setPos(np.log10(max(self._n, 1)))
        self.curve.addItem(self.line, ignoreBounds=True)

    def _arrange(self):
        """The curves beside or below the matrix, or none where the measure has no numbers of features."""
        curves = self._agreements is None or len(self._agreements.sizes) > 1
        beside = curves and (self.width() > MIN_ASPECT * self.height())
        if self._beside == (curves, beside):
            return
        layout = self.items_layout
        for item in list(layout.items):
            layout.removeItem(item)
        layout.addItem(self.matrix, 0, 0)
        self.curve.setVisible(curves)
        if curves:
            layout.addItem(self.curve, *((0, 1) if beside else (1, 0)))
        grid = layout.layout
        for place in (0, 1):
            grid.setColumnStretchFactor(place, (6, 5)[place] if beside else 1 - place)
            grid.setRowStretchFactor(place, (3, 2)[place] if curves and not beside else 1 - place)
            grid.setColumnPreferredWidth(place, 100 * (beside or not place))
            grid.setRowPreferredHeight(place, 100 * ((curves and not beside) or not place))
        self._beside = curves, beside

    # What the user does ----------------------------------------------------------------------------------------------

    def _n_at(self, x) -> int:
        return int(np.clip(round(10**x), 1, self._agreements.sizes[-1]))

    def _clicked_chart(self, event):
        inside = self.curve.vb.sceneBoundingRect().contains(event.scenePos())
        if self._agreements is not None and self.curve.isVisible() and inside and not self._area:
            self.n_moved.emit(self._n_at(self.curve.vb.mapSceneToView(event.scenePos()).x()))

    def _set_current(self, cell):
        before = self.pair
        self.matrix.set_current(cell, self._told(cell))
        self.setAccessibleDescription(self.matrix.told or ABOUT)
        if self.pair != before:
            self.draw()

    def _told(self, cell) -> str:
        if cell is None or self._agreements is None or max(cell) >= len(self._titles):
            return ""
        i, j = self.matrix.pair(cell)
        if i == j:
            return self._titles[i]
        value = self.matrix.values[i, j]
        text = self.matrix.scale.text(value) if np.isfinite(value) else "none, for a ranking has only equal scores"
        n = int(self._n)
        common = int(((self._places[i] < n) & (self._places[j] < n)).sum())
        return f"{text}, {common:,} of the best {n:,} in common: {self._titles[i]} and {self._titles[j]}"

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        cell = self.matrix.cell_at(self.mapToScene(event.pos()))
        if cell != self.matrix.current and (cell or not self.hasFocus()):
            self._set_current(cell)

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        cell = self.matrix.cell_at(self.mapToScene(event.pos()))
        if event.button() == Qt.LeftButton and cell is not None:
            self._set_current(cell)
            self.chosen.emit(*self.matrix.pair(cell))

    def leaveEvent(self, event):
        super().leaveEvent(event)
        if not self.hasFocus():
            self._set_current(None)

    def keyPressEvent(self, event):
        cell, key, last = self.matrix.current, event.key(), len(self._titles) - 1
        if last < 0 or not (key in STEPS or (cell and key in (Qt.Key_Space, Qt.Key_Return, Qt.Key_Enter))):
            super().keyPressEvent(event)
        elif key in STEPS:
            down, right = STEPS[key] if cell else (0, 0)  # the first key only shows where one is
            row, column = cell or (0, min(1, last))
            self._set_current((min(max(row + down, 0), last), min(max(column + right, 0), last)))
        else:
            self.chosen.emit(*self.matrix.pair(cell))

    def viewportEvent(self, event):
        if event.type() == QEvent.ToolTip and self.matrix.told:
            QToolTip.showText(event.globalPos(), plain(self.matrix.told), self)
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event):
        super().focusInEvent(event)
        self.matrix.set_focused(True)

    def focusOutEvent(self, event):
        super().focusOutEvent(event)
        self.matrix.set_focused(False)

    # Look ------------------------------------------------------------------------------------------------------------

    def sizeHint(self):
        return QSize(700, 420)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "items_layout"):
            self._arrange()

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange) and hasattr(self, "items_layout"):
            self._recolor()

    def _recolor(self):
        self.matrix.set_look(self.palette(), self.font())
        self.draw()
