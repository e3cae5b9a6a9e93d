"""Manhattan plot of Rank Genotypes: a point for each variant along the chromosomes, by pyqtgraph.

Of a million variants, those are drawn that can be seen.
"""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QRectF, QSize, Qt, QTimer

from ...orange.plane import Plane
from ..charts.chart import Chart, line_pen
from ..charts.legend import DOTTED
from ..charts.point_view import REACH, PointView
from ..utils.colors import mix, muted

CELL = 3  # pixels within which one point is drawn
SIZE, BEST_SIZE = 4, 6  # pixels of points
ODD, BEST = 0, 1  # hues of every other chromosome, and of the best variants
EVEN_TINT = 0.45  # share of the ground in the colour of the other chromosomes
TURN = 1.25  # zoom of a key
STEP = 0.2  # share of the view by which a key moves it
ROOM = 8  # pixels between the names of two chromosomes
WHOLE = -0.01, 1.01  # range of the x axis with all variants, which lie in [0, 1]
AXIS_LIMITS = -0.02, 1.02  # range that the axis cannot leave
MIN_RANGE = 1e-7  # stretch of the axis that can fill the view
TIP = (
    "Each point is a variant. Click one for its genotypes, or the name of a chromosome to see that alone. Drag over a "
    "region or turn the wheel to zoom, double-click for all. Keys: + and - zoom, Left and Right move, 0 shows all, "
    "Up and Down go from variant to variant, the best first, Space shows its genotypes"
)


class ManhattanView(PointView):
    """Scores along the chromosomes, which can be zoomed; `item_chosen` names a variant."""

    most_named = 10
    letters_of_name = 20  # "chr22:5713573:AC:G" in full; chosen by eye

    def __init__(self, parent=None):
        super().__init__("Manhattan plot", TIP, parent, (220, 150))
        self.setToolTip(TIP)
        self.result = None  # `VariantResult` of orange.genotypes with scores, or None
        self.n_best = 0
        self.drawn = np.zeros(0, int)  # variants that have points
        self._places = None  # `Places` of the variants for which the axes were set
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._redraw)

    def make_chart(self):
        chart = Chart("Chromosome", "Score")
        look = {"pen": None, "pxMode": True}
        self._even = pg.ScatterPlotItem(size=SIZE, symbol="s", **look)
        self._odd = pg.ScatterPlotItem(size=SIZE, symbol="s", **look)
        self._best = pg.ScatterPlotItem(size=BEST_SIZE, symbol="o", **look)
        self._level = pg.InfiniteLine(angle=0)
        box = chart.vb
        box.setMouseMode(box.RectMode)
        box.disableAutoRange()
        box.sigRangeChanged.connect(self._later.start)
        box.sigResized.connect(self._later.start)
        return chart

    # Data ------------------------------------------------------------------------------------------------------------

    def show_found(self, result, n_best: int) -> None:
        """Show scores.

        Parameters
        ----------
        result : VariantResult or None
            Result of the job; None, or one without scores: the chart is empty.
        n_best : int
            Number of the best variants, which have another colour.
        """
        self.n_best = n_best
        self.result = result if result is not None and result.scored is not None else None
        self.drawn = np.zeros(0, int)
        if self.result is None:
            self._places = None
            self.set_points(np.zeros(0), np.zeros(0), (), np.zeros(0, int))
            return
        scored = result.scored
        self.set_points(result.kept.places.x, scored.heights, result.kept.data.variants.name, scored.order)

    def about(self, variant):
        v, scored = self.result.kept.data.variants, self.result.scored
        facts = [str(v.name[variant])]
        if v.chromosome[variant]:
            facts.append(f"chromosome {v.chromosome[variant]}")
        if v.position[variant]:
            facts.append(f"position {int(v.position[variant]):,}")
        facts.append(f"{scored.label} {scored.heights[variant]:.4g}")
        facts.append(f"rank {scored.rank[variant]:,}")
        return ", ".join(facts)

    def label(self, variant):
        return str(self.names[variant])

    def choose(self, item: int | None, reveal: bool = False) -> None:
        """Mark a variant; reveal: move the view so that it is seen.  Emits nothing."""
        if item is not None and self.has_content and reveal:
            self.reveal(item)
        super().choose(item)

    def reveal(self, item):
        low, high = self.view.x
        x = self.x[item]
        if not low <= x <= high:
            self._show_stretch(x - (high - low) / 2, x + (high - low) / 2)
        bottom, top = self.view.y
        if not bottom <= self.y[item] <= top:
            self._set_limits()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw_nothing(self):
        if self.has_charts:
            self.chart.vb.setMouseEnabled(False, False)

    def draw_points(self):
        """Draw all again; another set of variants is shown whole."""
        self.chart.restart(True)
        self.chart.vb.setMouseEnabled(True, False)
        palette = self.palette()
        color = self.hue(ODD)
        brushes = mix(color, self.ground, EVEN_TINT), color, self.hue(BEST)
        for item, brush in zip((self._even, self._odd, self._best), brushes, strict=True):
            item.clear()  # else each of its points is painted again
            item.setBrush(brush)
        self._level.setPen(line_pen(muted(palette, 0.4), 1, DOTTED))
        for z, item in enumerate((self._even, self._odd, self._level, self._best)):
            self.chart.put(item, z=z)
        self.chart.setLabel("left", self.result.scored.label)
        self._level.setVisible(self.result.scored.level is not None)
        self._level.setValue(self.result.scored.level or 0)
        self._set_limits()
        self._draw_dots()

    def _set_limits(self):
        low, high = float(self.y.min()), float(self.y.max())
        high = max(high, self.result.scored.level or high)
        pad = 0.08 * (high - low) or 0.5
        box = self.chart.vb
        box.setLimits(xMin=AXIS_LIMITS[0], xMax=AXIS_LIMITS[1], minXRange=MIN_RANGE, yMin=None, yMax=None)
        box.setYRange(low - pad / 2, high + pad, padding=0)
        if self.result.kept.places is not self._places:
            self._places = self.result.kept.places
            box.setXRange(*WHOLE, padding=0)

    @property
    def view(self) -> Plane:
        """The part of the plane that is seen."""
        return Plane.of(self.chart.vb)

    def _redraw(self):
        if self.has_content and not self._stale:
            self._draw_dots()
            self.name_best()
            self.mark()

    def _draw_dots(self):
        places = self._places
        self.drawn = places.thinned(self.y, self.view, CELL)
        parity = places.number[self.drawn] % 2
        even, odd = self.drawn[parity == 0], self.drawn[parity == 1]
        self._even.setData(self.x[even], self.y[even])
        self._odd.setData(self.x[odd], self.y[odd])
        best = self.order[: self.n_best]
        self._best.setData(self.x[best], self.y[best])
        self._write_chromosomes()

    def candidates(self):
        """The best variants that are seen, but for the chosen one, which has a name already."""
        best = self.order[: min(self.most_named, self.n_best)]
        low, high = self.view.x
        return best[(self.x[best] >= low) & (self.x[best] <= high) & (best != self.chosen)]

    def covered(self):
        """The best points, and the line of the level, which would strike names through."""
        areas = super().covered()
        if self.result.scored.level is not None:
            frame = self.chart.vb.sceneBoundingRect()
            _, up = Plane.of(self.chart.vb).pixels(0.0, self.result.scored.level)
            areas.append(QRectF(frame.left(), frame.bottom() - up, frame.width(), 1))
        return areas

    def _write_chromosomes(self):
        """Names below the parts of the chromosomes that are seen."""
        (low, high), places = self.view.x, self._places
        ends = np.clip(places.ends, low, high)
        visible = np.flatnonzero((places.ends[:, 1] >= low) & (places.ends[:, 0] <= high))
        ticks, last = [], -np.inf
        for number in visible.tolist():
            middle, name = float(ends[number].mean()), places.names[number]
            pixel = (middle - low) / (high - low) * self.view.width
            half = self.fontMetrics().horizontalAdvance(name) / 2
            if pixel - half >= last:
                ticks.append((middle, name))
                last = pixel + half + ROOM
        self.chart.getAxis("bottom").setTicks([ticks])
        self.chart.setLabel("bottom", self._stretch(visible, low, high))

    def _stretch(self, visible, low, high) -> str:
        """Title of the axis: positions if one chromosome is seen in part."""
        places = self._places
        if not any(places.names):
            return "Variants in their order"
        variants = places.within(low, high) if len(visible) == 1 else ()
        if not len(variants) or len(variants) == (places.number == visible[0]).sum():
            return "Chromosome"
        first, last = self.result.kept.data.variants.position[variants[[0, -1]]].tolist()
        return f"Chromosome {places.names[visible[0]]}, {first:,} to {last:,}" if last else "Chromosome"

    # Zoom ------------------------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        """Show all chromosomes."""
        if self.has_content:
            self._set_limits()
            self.chart.vb.setXRange(*WHOLE, padding=0)

    def zoom(self, factor: float) -> None:
        """Show a stretch around the middle, or around the chosen variant, that is so many times shorter."""
        low, high = self.view.x
        middle = float(self.x[self.chosen]) if self.chosen is not None and self.has_content else (low + high) / 2
        width = (high - low) / factor
        share = min(max((middle - low) / (high - low), 0.0), 1.0)
        self._show_stretch(middle - share * width, middle + (1 - share) * width)

    def _show_stretch(self, low, high):
        self.chart.vb.setXRange(low, high, padding=0)

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def nearest(self, x, y):
        return self._places.nearest(self.y, self.view, (x, y), REACH)

    def double_clicked(self):
        self.show_all()

    def clicked_ground(self, position: QPointF):
        """Show a chromosome whose name below the axis was clicked."""
        if position.y() <= self.chart.vb.sceneBoundingRect().bottom():
            return
        ends = self._places.ends
        x = self.chart.vb.mapSceneToView(position).x()
        low, high = ends[np.abs(ends.mean(axis=1) - x).argmin()]
        pad = 0.02 * (high - low)
        self._show_stretch(low - pad, high + pad)

    def wheelEvent(self, event):
        """Zoom. Overrides Picture.wheelEvent."""
        pg.GraphicsView.wheelEvent(self, event)  # which zooms

    def keyPressEvent(self, event):
        """Zoom, or move along the genome. Overrides PointView.keyPressEvent."""
        key = event.key()
        if not self.has_content:
            super().keyPressEvent(event)
        elif key in (Qt.Key_Left, Qt.Key_Right):
            low, high = self.view.x
            step = STEP * (high - low) * (1 if key == Qt.Key_Right else -1)
            self._show_stretch(low + step, high + step)
        elif key in (Qt.Key_Plus, Qt.Key_Equal, Qt.Key_Minus):
            self.zoom(1 / TURN if key == Qt.Key_Minus else TURN)
        elif key == Qt.Key_0:
            self.show_all()
        else:
            super().keyPressEvent(event)

    def sizeHint(self):
        """Return the size that is best. Overrides QWidget.sizeHint."""
        return QSize(640, 260)
