"""Chart of the scores of a few features for every number of neighbours, and its reader, which works in a thread."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QObject, Qt
from AnyQt.QtCore import pyqtSignal as Signal

from ...orange.jobs.progress import raise_if_stopped
from ..charts.chart import Chart, line_pen
from ..charts.curve_view import ALONG, Curve, CurveView, Spot
from ..charts.end_labels import End
from ..charts.legend import SQUARE, Entry, style
from ..utils.colors import faint, muted
from ..utils.task import TaskThread


class CurveRequest(NamedTuple):
    """Part of the curves that is asked for.

    features: (c,) indices of the features.
    k: number of neighbours.
    sigma: decay of the weights of neighbours; None: all weigh the same.
    """

    features: tuple[int, ...]
    k: int
    sigma: float | None


class CurveResult(NamedTuple):
    """Part of the curves that was read.

    request: what was asked for.
    curve: (K, c) scores of the features for all numbers of neighbours.
    band: two arrays (K, c), the range of the scores by chance; None where it is not known.
    agreement: of the rankings with half and twice as many neighbours.
    """

    request: CurveRequest
    curve: np.ndarray
    band: tuple[np.ndarray, np.ndarray] | None
    agreement: float


def read(curves, request: CurveRequest, state) -> CurveResult:
    """Read from curves (core's `NeighbourCurves`), for a thread."""
    features = list(request.features)
    raise_if_stopped(state)
    curve = curves.curve(features, request.sigma)
    raise_if_stopped(state)
    band = curves.band(features, request.sigma)
    raise_if_stopped(state)
    return CurveResult(request, curve, band, curves.agreement(request.k, request.sigma))


class CurveReader(TaskThread, QObject):
    """Reads curves in a thread for the chart.

    It is no `FollowUp`: it has no box and no setting, takes no time that anybody would be asked about, and keeps one
    result, which stays on the screen until the next one is there.
    """

    changed = Signal()

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        TaskThread.__init__(self)
        self.reading = None
        self._curves = None
        self._request = None

    def forget(self) -> None:
        """Forget the last result: there are no curves any more."""
        self.cancel()
        self.reading = self._curves = self._request = None

    def ask(self, curves, request: CurveRequest) -> None:
        """Read from curves, unless that was done last."""
        if curves is self._curves and request == self._request:
            return
        if curves is not self._curves:
            self.reading = None
        self._curves = curves
        self._request = request
        self.start(read, curves, request)

    def on_done(self, result):
        self.reading = result
        self.changed.emit()

    def on_exception(self, ex):
        self.reading = None  # no curves are drawn; the slider itself needs none
        self.changed.emit()


KEYS = f"{ALONG}. Space sets this number of neighbours"
BAND, ALONE = 22, 55  # opacity of a band among several, and of a single one
STEPS, MAX_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000), 10  # between ticks, and number of these
BAND_TEXT = "shaded: chance alone (z within ±2)"


def ticks(K: int) -> list[int]:
    """Some numbers of neighbours: 1, and round ones up to K."""
    step = next((step for step in STEPS if MAX_TICKS * step >= K), STEPS[-1])
    return [*dict.fromkeys((1, *range(step, K + 1, step)))]


class NeighbourChart(CurveView):
    """Curves of a `CurveResult`; the line at the number of neighbours that is shown can be moved."""

    k_moved = Signal(int)
    k_chosen = Signal(int)
    chosen_by_click = False  # the line is dragged

    def __init__(self, parent=None):
        super().__init__("Scores by number of neighbours", KEYS, parent, (200, 110))
        self._reading = None
        self._names = ()
        self._title = ""
        self._k = 1
        self._more = 0
        self.setToolTip(
            "<p>If a curve falls as k grows, the feature interacts with other features, or matters in a part of the "
            "data only. If it stays or rises, the feature matters alone. Where curves cross, the order of the "
            "features depends on k.</p><p>Shaded is the range of a feature's score if its values are randomly "
            "permuted: mean ± 2 standard deviations.</p>"
        )

    def make_charts(self):
        chart = Chart("Number of neighbours k", "Score")
        chart.getAxis("left").setStyle(maxTickLevel=1)
        # pyqtgraph's own minimum of a title is the width of its text: a long legend would keep the chart wide.
        chart.titleLabel.updateMin = lambda: None
        chart.titleLabel.setMinimumSize(0, 0)
        self.line = pg.InfiniteLine(angle=90, movable=True)
        self.line.sigDragged.connect(lambda line: self.k_moved.emit(self._k_of(line.value())))
        self.line.sigPositionChangeFinished.connect(lambda line: self.k_chosen.emit(self._k_of(line.value())))
        return (chart,)

    @property
    def has_content(self) -> bool:
        return self._reading is not None and len(self._names) > 0 and len(self._reading.curve) > 1

    def show_reading(self, reading: CurveResult | None, names: Sequence[str], title: str, more: int = 0) -> None:
        """Draw the curves of the features with these names; title: of the score; more: features left out."""
        self._reading = reading
        self._names = tuple(names)
        self._title = title
        self._more = more
        self.draw()

    def set_k(self, k: int) -> None:
        """Mark this number of neighbours."""
        self._k = k
        if self.has_charts and not self.line.moving:
            self.line.setValue(k)

    def draw(self) -> None:
        if not self.has_content:
            self.clear()
            return
        palette = self.palette()
        hues = [self.hue(place) for place in range(len(self._names))]
        pairs = zip(self._names, hues, strict=True)
        entries = [Entry(name, color, place == 0, style(place)) for place, (name, color) in enumerate(pairs)]
        if self._reading.band is not None:
            entries.append(Entry(BAND_TEXT, muted(palette, 0.65), symbol=SQUARE))
        if self._more:
            entries.append(Entry(f"{self._more:,} more selected", self.text_color, symbol="+"))
        self.chart.restart(True, entries, self.text_color)
        self.chart.setLabel("left", escape(self._title))
        curve, band = self._reading.curve, self._reading.band
        ks = np.arange(1, len(curve) + 1)
        for place, color in enumerate(hues):
            if band is not None:
                low, high = (values[:, place] for values in band)
                self.chart.band(ks, low, high, faint(color, ALONE if len(hues) == 1 else BAND))
            self.chart.line(ks, curve[:, place], line_pen(color, 2.2 if place == 0 else 1.5, style(place)), 5)
        self._set_ranges(curve, band)
        self.line.setPen(line_pen(self.marked, 1, Qt.DashLine))
        self.line.setHoverPen(line_pen(self.marked, 2))
        self.line.setBounds((1, len(curve)))
        self.chart.getAxis("bottom").setTicks([[(k, f"{k}") for k in ticks(len(curve))]])
        self.chart.put(self.line, z=10)
        self.set_k(self._k)
        ends = [End(entry.text, entry.color, y, entry.strong) for entry, y in zip(entries, curve[-1], strict=False)]
        self.chart.ends.show(ends, (1, len(curve)), palette, self.font())
        self.set_curves([Curve(ks, scores, color) for scores, color in zip(curve.T, hues, strict=True)])

    def _set_ranges(self, curve, band):
        """Show all curves, and the bands up to half that height beyond: for few neighbours bands are wide."""
        low, high = min(curve.min(), 0.0), max(curve.max(), 0.0)
        if band is not None:
            beyond = 0.5 * (high - low)
            low, high = max(min(low, band[0].min()), low - beyond), min(max(high, band[1].max()), high + beyond)
        self.chart.setYRange(low, high if high > low else low + 1, padding=0.06)

    def _k_of(self, x) -> int:
        return int(np.clip(round(x), 1, len(self._reading.curve) if self._reading is not None else 1))

    def overview(self):
        """Describe the curves at a few numbers of neighbours."""
        if not self.has_content:
            return ""
        curve = self._reading.curve
        ks = dict.fromkeys((1, min(10, len(curve)), len(curve)))
        texts = []
        for number, name in enumerate(self._names):
            texts.append(f"{name}: " + ", ".join(f"{curve[k - 1, number]:.3g} at k = {k}" for k in ks))
        return ". ".join(["; ".join(texts), self.note])

    def about(self, spot):
        k = spot.point + 1
        return f"{self._names[spot.line]}: {self._reading.curve[spot.point, spot.line]:.3g} at k = {k}"

    def choose(self, spot: Spot) -> None:
        """The user wants the number of neighbours of a point."""
        self.k_chosen.emit(spot.point + 1)
