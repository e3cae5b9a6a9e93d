"""Scores of some features over the number of neighbours, with the band that chance leaves each in."""

from collections.abc import Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette

from ..utils.chart import Chart, ChartView, line_pen
from ..utils.colors import faint, hue, muted
from ..utils.endlabels import End
from ..utils.legend import SQUARE, Entry, style
from .neighbourcurves import Reading

SHOWN = 6  # curves: more cannot be told apart
BAND, ALONE = 22, 55  # opacity of a band among several, and of a single one
STEPS, MAX_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000), 10  # between ticks, and number of these
BAND_TEXT = "shaded: chance alone (z within ±2)"


def ticks(K: int) -> list[int]:
    """Some numbers of neighbours: 1, and round ones up to K."""
    step = next((step for step in STEPS if MAX_TICKS * step >= K), STEPS[-1])
    return [*dict.fromkeys((1, *range(step, K + 1, step)))]


def _nothing() -> None:
    """Stand in for pyqtgraph's own minimum of a title, which is the width of its text."""


class NeighbourChart(ChartView):
    """Curves of a `Reading`; the line at the number of neighbours that is shown can be moved."""

    k_moved = Signal(int)
    k_chosen = Signal(int)

    def __init__(self, parent=None):
        self.chart = Chart("Number of neighbours k", "Score")
        self._reading, self._names, self._title, self._k, self._more = None, (), "", 1, 0
        self.chart.getAxis("left").setStyle(maxTickLevel=1)
        self.chart.titleLabel.updateMin = _nothing  # or a long legend would not let the chart get narrow
        self.chart.titleLabel.setMinimumSize(0, 0)
        self.line = pg.InfiniteLine(angle=90, movable=True)
        self.line.sigDragged.connect(lambda line: self.k_moved.emit(self._k_of(line.value())))
        self.line.sigPositionChangeFinished.connect(lambda line: self.k_chosen.emit(self._k_of(line.value())))
        self.line.setZValue(10)
        super().__init__(self.chart, name="Scores by number of neighbours", parent=parent)
        self.setMinimumSize(QSize(200, 110))
        self.setToolTip(
            "<p>Falls as k grows: the feature acts together with others, or in a part of the data only. Flat, or "
            "rising: it acts by itself. Where curves cross, the order of the features depends on k.</p><p>Shaded is "
            "where a feature's score is if its values are dealt to the rows at random: mean ± 2 standard "
            "deviations.</p>"
        )

    @property
    def possible(self) -> bool:
        """True if there is anything to see."""
        return self._reading is not None and len(self._names) > 0 and len(self._reading.curve) > 1

    def show_reading(self, reading: Reading | None, names: Sequence[str], title: str, more: int = 0) -> None:
        """Draw what was read about the features with these names; title: of the score; more: features left out."""
        self._reading, self._names, self._title, self._more = reading, tuple(names), title, more
        self.setAccessibleDescription(self._told())
        self.draw()

    def set_k(self, k: int) -> None:
        """Mark this number of neighbours."""
        self._k = k
        if not self.line.moving:
            self.line.setValue(k)

    def draw(self) -> None:
        """Draw all anew."""
        palette, shown = self.palette(), self.possible
        hues = [hue(place, palette) for place in range(len(self._names))]
        entries = [
            Entry(name, color, place == 0, style(place))
            for place, (name, color) in enumerate(zip(self._names, hues, strict=True))
        ]
        text = palette.color(QPalette.Text)
        if shown and self._reading.band is not None:
            entries.append(Entry(BAND_TEXT, muted(palette, 0.65), symbol=SQUARE))
        if self._more:
            entries.append(Entry(f"{self._more:,} more selected", text, symbol="+"))
        self.chart.restart(shown, entries, text)
        if not shown:
            return
        self.chart.setLabel("left", escape(self._title))
        curve, band = self._reading.curve, self._reading.band
        ks = np.arange(1, len(curve) + 1)
        for place, color in enumerate(hues):
            if band is not None:
                self._shade(ks, *(values[:, place] for values in band), faint(color, ALONE if len(hues) == 1 else BAND))
            pen = line_pen(color, 2.2 if place == 0 else 1.5, style(place))
            item = pg.PlotDataItem(ks, curve[:, place], pen=pen, antialias=True)
            item.setZValue(5)
            self.chart.addItem(item)
        self._set_ranges(curve, band)
        self.line.setPen(line_pen(palette.color(QPalette.Highlight), 1, Qt.DashLine))
        self.line.setHoverPen(line_pen(palette.color(QPalette.Highlight), 2))
        self.line.setBounds((1, len(curve)))
        self.chart.getAxis("bottom").setTicks([[(k, f"{k}") for k in ticks(len(curve))]])
        self.chart.addItem(self.line, ignoreBounds=True)
        self.set_k(self._k)
        ends = [End(entry.text, entry.color, y, entry.strong) for entry, y in zip(entries, curve[-1], strict=False)]
        self.chart.ends.show(ends, (1, len(curve)), palette, self.font())

    def _shade(self, ks, low, high, color):
        curves = [pg.PlotCurveItem(ks, values, pen=None) for values in (low, high)]
        self.chart.addItem(pg.FillBetweenItem(*curves, brush=color))

    def _set_ranges(self, curve, band):
        """All curves are seen, and of the bands what is as high as they are: for few neighbours these are wide."""
        low, high = min(curve.min(), 0.0), max(curve.max(), 0.0)
        if band is not None:
            beyond = 0.5 * (high - low)
            low, high = max(min(low, band[0].min()), low - beyond), min(max(high, band[1].max()), high + beyond)
        self.chart.setYRange(low, high if high > low else low + 1, padding=0.06)

    def _k_of(self, x) -> int:
        return int(np.clip(round(x), 1, len(self._reading.curve) if self._reading is not None else 1))

    def _told(self) -> str:
        """Curves in words, for screen readers."""
        if not self.possible:
            return ""
        curve = self._reading.curve
        places = dict.fromkeys((1, min(10, len(curve)), len(curve)))
        lines = [
            f"{name}: " + ", ".join(f"{curve[k - 1, place]:.3g} at k = {k}" for k in places)
            for place, name in enumerate(self._names)
        ]
        return "; ".join(lines)
