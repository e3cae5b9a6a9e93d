"""Chart of the quality of the best features of each ranking, by their number (pyqtgraph)."""

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import pyqtSignal as Signal

from ...core.words import percent
from ...orange.comparison.quality import REFERENCE, SEEN, Quality, QualityLine
from ...orange.comparison.quality_table import MEASURES, WHOLE
from ..charts.chart import Chart, line_pen
from ..charts.curve_view import Curve, CurveView, Spot
from ..charts.end_labels import End
from ..charts.legend import DASHED, DIAMOND, DOTTED, MIXED, SOLID, Entry
from ..utils.colors import faint, mix, muted

ABOUT = "Arrow keys move along curves and between them, Space selects the best features there"
REFERENCE_STYLES = (DOTTED, MIXED, DASHED)
MAX_BANDS = 2  # rankings up to which each has an interval; of more only the leading one
HAS_SEEN, FAILED = " (has seen the test rows)", " (failed)"  # after a title


class QualityChart(CurveView):
    """Rankings in their hues, dashed if they have seen the test rows; references in grey; diamonds where it is enough.

    Hovering, or moving with the keys, shows the value; a click chooses.
    """

    chosen = Signal(str, int)  # title of a ranking, number of its best features
    reach = 24  # pixels

    def __init__(self, parent=None):
        self.quality: Quality | None = None
        self.lead = ""  # title of the leading ranking
        self.n_marked = 0  # number of features that is marked; 0: none
        super().__init__("Quality by number of features", ABOUT, parent)

    def make_charts(self):
        self.cut_line = pg.InfiniteLine(angle=90)
        return (Chart("Number of best features", ""),)

    def show_quality(self, quality: Quality | None, lead: str = "") -> None:
        """Draw these curves; lead: title of the one that is thick."""
        self.quality, self.lead = quality, lead
        self.draw()

    def set_cut(self, n: int) -> None:
        """Mark a number of features; 0: none."""
        self.n_marked = n
        self._place_cut()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw(self):
        quality, palette = self.quality, self.palette()
        if quality is None:
            self.clear()
            return
        keys = [self._key(number) for number in range(len(quality.lines))]
        keys.append(Entry("enough: within a standard error of the best", muted(palette, 0.3), symbol=DIAMOND))
        self.chart.restart(True, keys, self.text_color)
        self.chart.setLabel("left", MEASURES[quality.measure])
        self.chart.getAxis("bottom").setTicks([[(np.log2(size), f"{size:,}") for size in quality.sizes]])
        known_values = quality.whole[~np.isnan(quality.whole)]
        if len(known_values):
            color, ends = muted(palette, 0.25), np.log2(quality.sizes[[0, -1]])
            self.chart.line(ends, [known_values.mean()] * 2, line_pen(color, 1, DASHED))  # names of curves are beyond
            self.chart.write(WHOLE.lower(), ends[0], known_values.mean(), color, (0, 1))
        for number, line in enumerate(quality.lines):
            self._draw_line(number, line)
        self.chart.put(self.cut_line)
        self.chart.enableAutoRange(axis="y")
        self.chart.vb.updateAutoRange()
        right = max(np.log2(quality.sizes[-1]), 0.5)
        self.chart.ends.show(self._ends(), (-0.03 * right, 1.03 * right), palette, self.font())
        self._place_cut()
        x = np.log2(quality.sizes)
        lines = enumerate(quality.lines)
        self.set_curves([Curve(x, self._mean(line), self._key(number).color) for number, line in lines])

    def _ends(self) -> list[End]:
        means = [self._mean(line) for line in self.quality.lines]
        last = [mean[np.isfinite(mean)][-1:] for mean in means]
        keys = [self._key(number)._replace(text=line.title) for number, line in enumerate(self.quality.lines)]
        return [End(key.text, key.color, float(y[0]), key.strong) for key, y in zip(keys, last, strict=True) if len(y)]

    def _draw_line(self, number: int, line: QualityLine):
        key, mean = self._key(number), self._mean(line)
        is_known = np.isfinite(mean)
        if not is_known.any():
            return
        x = np.log2(self.quality.sizes)
        strong, reference = line.title == self.lead, line.kind == REFERENCE
        compared = sum(drawn_line.kind != REFERENCE for drawn_line in self.quality.lines)
        if not reference and (strong or compared <= MAX_BANDS):
            low, high = self.quality.interval(line)
            has_interval = np.isfinite(low)
            if has_interval.sum() > 1:
                color = faint(key.color, 60 if strong else 28)
                self.chart.band(x[has_interval], low[has_interval], high[has_interval], color, 1)
        pen = line_pen(key.color, 2.6 if strong else 1.4, key.style)
        z = 5
        if strong:
            z = 10
        elif reference:
            z = 2
        self.chart.line(x[is_known], mean[is_known], pen, z)
        n = None if reference else self.quality.enough(line)
        if n is not None:
            at = self.quality.sizes == n
            brush, pen = key.color if strong else self.ground, pg.mkPen(key.color, width=1.5)
            self.chart.dots(x[at], mean[at], brush, 13, 20 if strong else 15, symbol="d", pen=pen)

    def _key(self, number: int) -> Entry:
        line, palette = self.quality.lines[number], self.palette()
        if line.kind == REFERENCE:
            reference = [candidate for candidate in self.quality.lines if candidate.kind == REFERENCE].index(line)
            return Entry(line.title, muted(palette, 0.2 + 0.15 * reference), False, REFERENCE_STYLES[reference % 3])
        more = HAS_SEEN if line.kind == SEEN else ""
        if len(line.values) and np.isnan(line.values).all():
            more = FAILED
        color = self.hue(number)
        if self.lead and line.title != self.lead:
            color = mix(color, self.ground, 0.15)
        return Entry(line.title + more, color, line.title == self.lead, DASHED if line.kind == SEEN else SOLID)

    def _mean(self, line: QualityLine) -> np.ndarray:
        return self.quality.curve(line).mean if len(line.values) else np.full(len(self.quality.sizes), np.nan)

    def _place_cut(self):
        if not self.has_charts:
            return
        self.cut_line.setVisible(self.quality is not None and self.n_marked > 0)
        if self.n_marked > 0:
            self.cut_line.setPen(line_pen(self.marked, 1.5, DASHED))
            self.cut_line.setValue(np.log2(self.n_marked))

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def about(self, spot: Spot) -> str:
        quality, line = self.quality, self.quality.lines[spot.line]
        curve, (low, high) = quality.curve(line), quality.interval(line)
        text = f"{line.title}, best {quality.sizes[spot.point]:,}: {curve.mean[spot.point]:.3f}"
        if np.isfinite(low[spot.point]):
            text += f" ({low[spot.point]:.3f} to {high[spot.point]:.3f})"
        share = curve.relative[spot.point]
        has_share = quality.higher_is_better and np.isfinite(share)
        return text + (f", {percent(share)} of the value for all features" if has_share else "")

    def first_line(self):
        titles = [line.title for line in self.quality.lines]
        return titles.index(self.lead) if self.lead in titles else 0

    def choose(self, spot: Spot) -> None:
        """The user wants the best features at a point; a reference stands for the leading ranking."""
        line = self.quality.lines[spot.line]
        title = self.lead if line.kind == REFERENCE else line.title
        if title:
            self.chosen.emit(title, int(self.quality.sizes[spot.point]))
