"""Curves of quality over the number of best features, with intervals, references, and the number that is enough."""

from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette

from ...core.words import percent
from ..charts.points import (
    DASHED,
    DIAMOND,
    DOTTED,
    MIXED,
    SOLID,
    Callout,
    Chart,
    ChartView,
    End,
    Entry,
    Plane,
    Pointing,
    line_pen,
)
from ..utils.colors import faint, hue, mix, muted
from .evaluation import MEASURES, REFERENCE, SEEN, WHOLE, Line, Quality

NAME = "Quality by number of features"
ABOUT = "Arrow keys move along curves and between them, Space selects the best features there"
REFERENCE_STYLES = (DOTTED, MIXED, DASHED)
BANDS = 2  # rankings that all have an interval; of more only the leading one
SIZE_KEYS = {Qt.Key_Left: -1, Qt.Key_Right: 1}
LINE_KEYS = {Qt.Key_Up: -1, Qt.Key_Down: 1}
MORE = {"seen": " (has seen the test rows)", "failed": " (failed)"}
REACH = 24  # pixels from which on nothing is meant


class Spot(NamedTuple):
    """A point: which line, which of the sizes."""

    line: int
    place: int


class QualityChart(Pointing, ChartView):
    """Rankings in their hues, dashed if they have seen the test rows; references in grey; diamonds where it is enough.

    Hovering, or moving with the keys, tells the value; a click chooses.
    """

    chosen = Signal(str, int)  # title of a ranking, number of its best features

    def __init__(self, parent=None):
        self.quality: Quality | None = None
        self.lead, self.cut, self.current = "", 0, None
        self.plot = Chart("Number of best features", "")
        super().__init__(self.plot, name=NAME, parent=parent)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setAccessibleDescription(ABOUT)
        self.callout, self.cut_line = Callout(10), pg.InfiniteLine(angle=90)
        self.scene().sigMouseMoved.connect(self._hover)
        self.scene().sigMouseClicked.connect(self._click)

    def show_quality(self, quality: Quality | None, lead: str = "") -> None:
        """Draw these curves; lead: title of the one that is thick."""
        self.quality, self.lead = quality, lead
        if self.current and (quality is None or self.current.line >= len(quality.lines)):
            self.current = None
        self.draw()

    def set_cut(self, n: int) -> None:
        """Mark a number of features; 0: none."""
        self.cut = n
        self._place_cut()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw(self):
        quality, palette = self.quality, self.palette()
        keys = [self._key(number) for number in range(len(quality.lines))] if quality else []
        if quality:
            keys.append(Entry("enough: within a standard error of the best", muted(palette, 0.3), symbol=DIAMOND))
        self.plot.restart(quality is not None, keys, palette.color(QPalette.Text))
        if quality is None:
            return
        self.plot.setLabel("left", MEASURES[quality.measure])
        ticks = [(np.log2(size), f"{size:,}") for size in quality.sizes]
        self.plot.getAxis("bottom").setTicks([ticks])
        self._draw_whole()
        for number, line in enumerate(quality.lines):
            self._draw_line(number, line)
        for item in (self.cut_line, self.callout.ring, self.callout.label):
            self.plot.addItem(item, ignoreBounds=True)
        last = np.log2(quality.sizes[-1])
        self.plot.enableAutoRange(axis="y")
        self.plot.vb.updateAutoRange()
        right = max(last, 0.5)
        self.plot.ends.show(self._ends(), (-0.03 * right, 1.03 * right), palette, self.font())
        self._place_cut()
        self._mark()

    def _ends(self) -> list[End]:
        means = [self._mean(line) for line in self.quality.lines]
        last = [mean[np.isfinite(mean)][-1:] for mean in means]
        keys = [self._key(number)._replace(text=line.title) for number, line in enumerate(self.quality.lines)]
        return [End(key.text, key.color, float(y[0]), key.strong) for key, y in zip(keys, last, strict=True) if len(y)]

    def _draw_whole(self):
        known = self.quality.whole[~np.isnan(self.quality.whole)]
        if len(known):
            color = muted(self.palette(), 0.25)
            look = {"position": 0.02, "anchors": [(0, 1), (0, 1)], "color": color}
            pen = line_pen(color, 1, DASHED)
            self.plot.addItem(pg.InfiniteLine(known.mean(), 0, pen=pen, label=WHOLE.lower(), labelOpts=look))

    def _draw_line(self, number: int, line: Line):
        key, mean = self._key(number), self._mean(line)
        known = np.isfinite(mean)
        if not known.any():
            return
        x = np.log2(self.quality.sizes)
        strong, reference = line.title == self.lead, line.kind == REFERENCE
        if not reference and (strong or len(self._compared()) <= BANDS):
            self._draw_band(x, line, faint(key.color, 60 if strong else 28))
        curve = pg.PlotDataItem(x[known], mean[known], pen=line_pen(key.color, 2.6 if strong else 1.4, key.style),
                                antialias=True)  # fmt: skip
        curve.setZValue(10 if strong else 2 if reference else 5)
        self.plot.addItem(curve)
        n = None if reference else self.quality.enough(line)
        if n is not None:
            place = int(np.flatnonzero(self.quality.sizes == n)[0])
            pen = pg.mkPen(key.color, width=1.5)
            brush = key.color if strong else self.palette().color(QPalette.Base)
            diamond = pg.ScatterPlotItem([x[place]], [mean[place]], symbol="d", size=13, pen=pen, brush=brush)
            diamond.setZValue(20 if strong else 15)
            self.plot.addItem(diamond)

    def _draw_band(self, x, line, color):
        low, high = self.quality.interval(line)
        known = np.isfinite(low)
        if known.sum() > 1:
            edges = [pg.PlotCurveItem(x[known], edge[known], pen=None) for edge in (low, high)]
            band = pg.FillBetweenItem(*edges, brush=color)
            band.setZValue(1)
            self.plot.addItem(band)

    def _key(self, number: int) -> Entry:
        line, palette = self.quality.lines[number], self.palette()
        if line.kind == REFERENCE:
            own = [other for other in self.quality.lines if other.kind == REFERENCE].index(line)
            return Entry(line.title, muted(palette, 0.2 + 0.15 * own), False, REFERENCE_STYLES[own % 3])
        more = MORE["seen"] if line.kind == SEEN else ""
        if len(line.values) and np.isnan(line.values).all():
            more = MORE["failed"]
        color = hue(number, palette)
        if self.lead and line.title != self.lead:
            color = mix(color, palette.color(QPalette.Base), 0.15)
        return Entry(line.title + more, color, line.title == self.lead, DASHED if line.kind == SEEN else SOLID)

    def _compared(self) -> list[Line]:
        return [line for line in self.quality.lines if line.kind != REFERENCE]

    def _mean(self, line: Line) -> np.ndarray:
        return self.quality.curve(line).mean if len(line.values) else np.full(len(self.quality.sizes), np.nan)

    def _place_cut(self):
        self.cut_line.setVisible(self.quality is not None and self.cut > 0)
        if self.cut > 0:
            self.cut_line.setPen(line_pen(self.palette().color(QPalette.Highlight), 1.5, DASHED))
            self.cut_line.setValue(np.log2(self.cut))

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def told(self, spot: Spot) -> str:
        quality, line = self.quality, self.quality.lines[spot.line]
        curve, (low, high) = quality.curve(line), quality.interval(line)
        text = f"{line.title}, best {quality.sizes[spot.place]:,}: {curve.mean[spot.place]:.3f}"
        if np.isfinite(low[spot.place]):
            text += f" ({low[spot.place]:.3f} to {high[spot.place]:.3f})"
        share = curve.relative[spot.place]
        told = quality.higher_is_better and np.isfinite(share)
        return text + (f", {percent(share)} of what all features reach" if told else "")

    def spot_at(self, position) -> Spot | None:
        """The nearest point of a curve at a position in the scene; None if nothing is near."""
        box, quality = self.plot.vb, self.quality
        if quality is None or not box.sceneBoundingRect().contains(position):
            return None
        means = np.array([self._mean(line) for line in quality.lines])
        plane, at = Plane.of(box), box.mapSceneToView(position)
        across, up = plane.pixels(np.log2(quality.sizes), means)
        x, y = plane.pixels(np.array(at.x()), np.array(at.y()))
        place = int(np.argmin(np.abs(across - x)))
        far = np.abs(up[:, place] - y)
        if np.isnan(far).all() or np.nanmin(far) > REACH:
            return None
        return Spot(int(np.nanargmin(far)), place)

    def _hover(self, position):
        self.set_current(self.spot_at(position))

    def _click(self, event):
        if event.button() == Qt.LeftButton:
            self.set_current(self.spot_at(event.scenePos()))
            self.choose()

    def choose(self) -> None:
        """The user wants the best features at the current point; a reference stands for the leading ranking."""
        if self.current:
            line = self.quality.lines[self.current.line]
            title = self.lead if line.kind == REFERENCE else line.title
            if title:
                self.chosen.emit(title, int(self.quality.sizes[self.current.place]))

    def set_current(self, spot: Spot | None) -> None:
        if spot != self.current:
            self.current = spot
            self._mark()

    def _mark(self):
        spot = self.current
        shown = spot is not None and bool(np.isfinite(self._mean(self.quality.lines[spot.line])[spot.place]))
        self.setAccessibleDescription(self.told(spot) if shown else ABOUT)
        if not shown:
            self.callout.hide()
            return
        y, color = self._mean(self.quality.lines[spot.line])[spot.place], self._key(spot.line).color
        x = np.log2(self.quality.sizes[spot.place])
        self.callout.show(self.plot.vb, x, y, self.told(spot), color, self.palette())

    def tip(self):
        return ""  # the text beside the point says it

    def keyPressEvent(self, event):
        key, quality = event.key(), self.quality
        if quality is None or key not in (*SIZE_KEYS, *LINE_KEYS, Qt.Key_Space, Qt.Key_Return, Qt.Key_Enter):
            super().keyPressEvent(event)
        elif key not in SIZE_KEYS and key not in LINE_KEYS:
            self.choose()
        elif self.current is None:
            first = next((n for n, line in enumerate(quality.lines) if line.title == self.lead), 0)
            self.set_current(Spot(first, 0))
        else:
            line = (self.current.line + LINE_KEYS.get(key, 0)) % len(quality.lines)
            place = min(max(self.current.place + SIZE_KEYS.get(key, 0), 0), len(quality.sizes) - 1)
            self.set_current(Spot(line, place))
