"""The Manhattan plot: a point for each variant along the chromosomes; of a million those are drawn that can be seen."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSize, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal

from ...genetics.genotypes import Variants
from ...orange.plane import Plane
from ..charts.chart import Chart, line_pen
from ..charts.chart_view import ChartView
from ..charts.legend import DOTTED
from ..ranker.volcano import name_beside, room
from ..utils.colors import hue, mix, muted

SEPARATOR = "|"  # of the parts of a label


def label_of(variants: Variants, variant: int) -> str:
    """Name, chromosome and position of a variant; names alone may be those of many."""
    v = variants
    return SEPARATOR.join((str(v.name[variant]), str(v.chromosome[variant]), str(v.position[variant])))


def find(variants: Variants, label: str) -> int | None:
    """Index of the variant with this label; None if there is none."""
    parts = label.rsplit(SEPARATOR, 2)
    some = np.flatnonzero(variants.name == parts[0])
    return next((f for f in some.tolist() if label_of(variants, f) == label), None)


CELL = 3  # pixels within which one point is drawn
REACH = 12  # pixels from a click to a variant
SIZE, BEST_SIZE, MARK = 4, 6, 13
ODD, BEST = 0, 1  # hues of every other chromosome, and of the best variants
TURN = 1.25  # zoom of a key
STEP = 0.2  # of the view, by a key
HALF = 0.6  # of the view: names of variants to the right of it stand to their left
GAP = "   "  # between a mark and its name
ROOM = 8  # pixels between the names of two chromosomes
CLOSEST = 1e-7  # stretch of the axis that can fill the view
NAMED = 10  # of the best variants that have their names beside them
TIP = (
    "Each point is a variant. Click one for its genotypes, or the name of a chromosome to see that alone. Drag over a "
    "region or turn the wheel to zoom, double-click for all. Keys: + and - zoom, arrows move, 0 shows all"
)


class ManhattanView(ChartView):
    """`variant_chosen`: the user clicked near a variant."""

    note = TIP
    variant_chosen = Signal(int)

    def __init__(self, parent=None):
        self.chart = Chart("Chromosome", "Score")
        super().__init__(self.chart, name="Manhattan plot", parent=parent, least=(220, 150))
        self.setToolTip(TIP)
        self.setFocusPolicy(Qt.StrongFocus)
        self.found = None
        self.n_best = 0
        self.chosen = None
        self.drawn = np.zeros(0, int)
        self._places = None
        look = {"pen": None, "pxMode": True}
        self._dots = [pg.ScatterPlotItem(size=SIZE, symbol="s", **look) for _ in range(2)]
        self._best = pg.ScatterPlotItem(size=BEST_SIZE, symbol="o", **look)
        self._mark = pg.ScatterPlotItem(size=MARK, symbol="o", brush=None)
        self._name = pg.TextItem()
        self._level = pg.InfiniteLine(angle=0)
        self._labels = []
        box = self.chart.getViewBox()
        box.setMouseMode(box.RectMode)
        box.setMouseEnabled(True, False)
        box.disableAutoRange()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._redraw)
        box.sigRangeChanged.connect(self._later.start)
        box.sigResized.connect(self._later.start)
        self.scene().sigMouseClicked.connect(self._clicked)

    # What is shown ---------------------------------------------------------------------------------------------------

    def show_found(self, found, n_best: int) -> None:
        """Show the scores of a `Found`, with the n best in another colour; None, or without scores: nothing."""
        self.found, self.n_best = (found if found is not None and found.scored is not None else None), n_best
        if self.found is None:
            self.chosen = self._places = None
        self.draw()

    def choose(self, variant: int | None, reveal: bool = False) -> None:
        """Mark a variant; reveal: move the view so that it is seen.  Emits nothing."""
        self.chosen = variant
        if variant is not None and self.found is not None and reveal:
            x = self.found.kept.places.x[variant]
            low, high = self.chart.getViewBox().viewRange()[0]
            if not low <= x <= high:
                self._show_stretch(x - (high - low) / 2, x + (high - low) / 2)
            low, high = self.view.y
            if not low <= self.found.scored.heights[variant] <= high:
                self._set_limits()
        self._place_mark()

    def draw(self) -> None:
        """Draw all again; another set of variants is shown whole."""
        shown, palette = self.found is not None, self.palette()
        self.chart.restart(shown)
        self.drawn = np.zeros(0, int)
        self.chart.getViewBox().setMouseEnabled(shown, False)
        if not shown:
            return
        color = hue(ODD, palette)
        brushes = color, mix(color, self.ground, 0.45), hue(BEST, palette)
        for item, brush in zip((*self._dots, self._best), brushes, strict=True):
            item.clear()  # else each of its points is painted again
            item.setBrush(brush)
        self._mark.setPen(pg.mkPen(self.text_color, width=2))
        self._name.setColor(self.text_color)
        self._level.setPen(line_pen(muted(palette, 0.4), 1, DOTTED))
        for z, item in enumerate((*self._dots, self._level, self._best, self._mark, self._name)):
            self.chart.put(item, z=z)
        self.chart.setLabel("left", self.found.scored.label)
        self._level.setVisible(self.found.scored.level is not None)
        self._level.setValue(self.found.scored.level or 0)
        self._set_limits()
        self._redraw()

    def _set_limits(self):
        heights, box = self.found.scored.heights, self.chart.getViewBox()
        low, high = float(heights.min()), float(heights.max())
        high = max(high, self.found.scored.level or high)
        pad = 0.08 * (high - low) or 0.5
        new = self.found.kept.places is not self._places
        self._places = self.found.kept.places
        box.setLimits(xMin=-0.02, xMax=1.02, minXRange=CLOSEST, yMin=None, yMax=None)
        box.setYRange(low - pad / 2, high + pad, padding=0)
        if new:
            box.setXRange(-0.01, 1.01, padding=0)

    @property
    def view(self) -> Plane:
        return Plane.of(self.chart.getViewBox())

    def _redraw(self):
        if self.found is None:
            return
        places, heights = self.found.kept.places, self.found.scored.heights
        self.drawn = places.thinned(heights, self.view, CELL)
        odd = places.number[self.drawn] % 2
        for parity, item in enumerate(self._dots):
            own = self.drawn[odd == parity]
            item.setData(places.x[own], heights[own])
        best = self.found.scored.order[: self.n_best]
        self._best.setData(places.x[best], heights[best])
        self._write_chromosomes()
        self._name_best(best)
        self._place_mark()

    def _name_best(self, best):
        """Names beside the best variants that are seen, as far as they cover neither each other nor the frame."""
        for label in self._labels:
            self.chart.removeItem(label)
        plane = self.view
        frame = self.chart.vb.sceneBoundingRect()
        self._labels = []
        taken = []
        for variant in best[:NAMED].tolist():
            x, y = self._places.x[variant], self.found.scored.heights[variant]
            right, up = plane.pixels(np.array(x), np.array(y))
            point, name = (frame.left() + float(right), frame.bottom() - float(up)), self.names[variant]
            place = room(name, self.fontMetrics(), point, frame, taken) if plane.x[0] <= x <= plane.x[1] else None
            if place is not None and variant != self.chosen:
                taken.append(place)
                self._labels.append(name_beside(name, (x, y), point, place, self.font(), self.text_color))
                self.chart.put(self._labels[-1], z=4)

    @property
    def names(self) -> np.ndarray:
        return self.found.kept.data.variants.name

    def _write_chromosomes(self):
        """Names below the parts of the chromosomes that are seen."""
        (low, high), places = self.view.x, self._places
        ends = np.clip(places.ends, low, high)
        seen = np.flatnonzero((places.ends[:, 1] >= low) & (places.ends[:, 0] <= high))
        written, last = [], -np.inf
        for c in seen.tolist():
            middle, name = float(ends[c].mean()), places.names[c]
            at, half = (middle - low) / (high - low) * self.view.width, self.fontMetrics().horizontalAdvance(name) / 2
            if at - half >= last:
                written.append((middle, name))
                last = at + half + ROOM
        self.chart.getAxis("bottom").setTicks([written])
        self.chart.setLabel("bottom", self._stretch(seen, low, high))

    def _stretch(self, seen, low, high) -> str:
        """Title of the axis: positions if one chromosome is seen in part."""
        if not any(self._places.names):
            return "Variants in their order"
        some = self._places.within(low, high) if len(seen) == 1 else ()
        if not len(some) or len(some) == (self._places.number == seen[0]).sum():
            return "Chromosome"
        first, last = self.found.kept.data.variants.position[some[[0, -1]]].tolist()
        return f"Chromosome {self._places.names[seen[0]]}, {first:,} to {last:,}" if last else "Chromosome"

    def _place_mark(self):
        shown = self.chosen is not None and self.found is not None
        if shown:
            x, y = self.found.kept.places.x[self.chosen], self.found.scored.heights[self.chosen]
            self._mark.setData([x], [y])
            (low, high), name = self.view.x, str(self.found.kept.data.variants.name[self.chosen])
            share = (x - low) / (high - low)
            self._name.setAnchor((0, 0.5) if share < HALF else (1, 0.5))
            self._name.setText(f"{GAP}{name}{GAP}")
            self._name.setPos(x, y)
        self._mark.setVisible(shown)
        self._name.setVisible(shown)

    # What the user does ----------------------------------------------------------------------------------------------

    def show_all(self) -> None:
        if self.found is not None:
            self._set_limits()
            self.chart.getViewBox().setXRange(-0.01, 1.01, padding=0)

    def zoom(self, factor: float) -> None:
        """Show a stretch around the middle, or around the chosen variant, that is so many times shorter."""
        low, high = self.view.x
        middle = (low + high) / 2
        if self.chosen is not None and self.found is not None:
            middle = float(self.found.kept.places.x[self.chosen])
        width = (high - low) / factor
        share = min(max((middle - low) / (high - low), 0.0), 1.0)
        self._show_stretch(middle - share * width, middle + (1 - share) * width)

    def _show_stretch(self, low, high):
        self.chart.getViewBox().setXRange(low, high, padding=0)

    def _clicked(self, event):
        if event.button() != Qt.LeftButton or self.found is None:
            return
        box = self.chart.getViewBox()
        if event.double():
            self.show_all()
            return
        at, places = box.mapSceneToView(event.scenePos()), self.found.kept.places
        if box.sceneBoundingRect().contains(event.scenePos()):
            self.click(at.x(), at.y())
        elif event.scenePos().y() > box.sceneBoundingRect().bottom():
            low, high = places.ends[np.abs(places.ends.mean(axis=1) - at.x()).argmin()]
            pad = 0.02 * (high - low)
            self._show_stretch(low - pad, high + pad)

    def click(self, x: float, y: float) -> None:
        """Choose the variant that is nearest to a place in the plane, if one is near."""
        places, heights = self.found.kept.places, self.found.scored.heights
        variant = places.nearest(heights, self.view, (x, y), REACH)
        if variant is not None:
            self.choose(variant)
            self.variant_chosen.emit(variant)

    def wheelEvent(self, event):
        pg.GraphicsView.wheelEvent(self, event)  # which zooms

    def keyPressEvent(self, event):
        moves = {Qt.Key_Left: -STEP, Qt.Key_Right: STEP}
        if self.found is None:
            super().keyPressEvent(event)
        elif event.key() in moves:
            low, high = self.view.x
            step = moves[event.key()] * (high - low)
            self._show_stretch(low + step, high + step)
        elif event.key() in (Qt.Key_Plus, Qt.Key_Equal, Qt.Key_Minus):
            self.zoom(1 / TURN if event.key() == Qt.Key_Minus else TURN)
        elif event.key() == Qt.Key_0:
            self.show_all()
        else:
            super().keyPressEvent(event)

    def sizeHint(self):
        return QSize(640, 260)
