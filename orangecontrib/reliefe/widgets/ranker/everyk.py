"""Scores for every number of neighbours, computed behind the ranking, and what is read from them."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QObject, QSignalBlocker, QSize, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import QCheckBox, QGridLayout, QLabel, QSlider, QWidget
from Orange.data import Table

from ..charts.points import SQUARE, Chart, ChartView, End, Entry, line_pen, style
from ..utils.colors import faint, hue, muted
from ..utils.controls import ElidedLabel
from ..utils.jobs import Job
from ..utils.task import Prompt, reporter

K, SIGMA = "n_neighbors", "sigma"  # parameters that the sliders set
TOOLTIP = (
    "<p>Scores for every number of neighbours k at once, from one more search behind the ranking; then the sliders "
    "show them without any waiting. What is sent is always ranked anew: as if k had been typed.</p>"
)


def base_job(job: Job | None) -> Job | None:
    """Job of all numbers of neighbours for one of them; None for a method that has none."""
    from ...core import METHODS

    if job is None or not job.own or not METHODS[job.method].has_all_k(job.values):
        return None
    usual = {p.name: p.default for p in METHODS[job.method].parameters if p.name == K} | {SIGMA: None}
    return Job.of(job.method, {name: usual.get(name, value) for name, value in job.values.items()})


def find(table: Table, job: Job, state) -> object:
    """Curves of a job (core's `NeighbourCurves`), for a thread."""
    from ...orange.partners import neighbour_curves

    return neighbour_curves(table, job.method, progress=reporter(state), **job.values)


class Wanted(NamedTuple):
    """Question to curves: features (c,), number of neighbours and sigma."""

    features: tuple[int, ...]
    k: int
    sigma: float | None


class Reading(NamedTuple):
    """Answer: scores (K, c) of the features for all k, what chance leaves them in, and the agreement around k.

    band: two arrays (K, c), or None where it is not known.
    """

    wanted: Wanted
    curve: np.ndarray
    band: tuple[np.ndarray, np.ndarray] | None
    agreement: float


def read(curves, wanted: Wanted, state) -> Reading:
    """Answer of curves, for a thread."""
    from ...core import Interrupted

    features, found = list(wanted.features), []
    for ask in (
        lambda: curves.curve(features, wanted.sigma),
        lambda: curves.band(features, wanted.sigma),
        lambda: curves.agreement(wanted.k, wanted.sigma),
    ):
        if state.is_interruption_requested():
            raise Interrupted
        found.append(ask())
    return Reading(wanted, *found)


class Reader(Prompt, QObject):
    """Reads curves in a thread, one question at a time; an answer stays until there is another."""

    changed = Signal()

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        Prompt.__init__(self)
        self.reading, self._curves, self._asked = None, None, None

    def ask(self, curves, wanted: Wanted | None) -> None:
        """Ask curves; None: there are none, and the answer to others is forgotten."""
        if curves is None or wanted is None:
            self.cancel()
            self.reading = self._curves = self._asked = None
        elif curves is not self._curves or wanted != self._asked:
            if curves is not self._curves:
                self.reading = None
            self._curves, self._asked = curves, wanted
            self.start(read, curves, wanted)

    def on_done(self, result):
        self.reading = result
        self.changed.emit()

    def on_exception(self, ex):
        self.reading = None  # the sliders do without
        self.changed.emit()


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


ONE_ROW = 560  # pixels from which on both sliders have room beside each other
SIGMA_STEPS, LEAST = 30, 0.5  # values of sigma, and the least of them
SETTLED = 400  # ms after the last key or turn of the wheel, when a position is meant
AGREED = 0.9  # agreement below which the ranking depends on k
NOTE = "depends on k"


def sigmas(K: int) -> list[float | None]:
    """Values of sigma with two digits, in equal ratios up to twice the number of places; None, the last, is none."""
    values = np.geomspace(LEAST, max(2.0 * K, 2 * LEAST), SIGMA_STEPS)
    return [*dict.fromkeys(float(f"{value:.2g}") for value in values), None]


class KBar(QWidget):
    """Says where the sliders are (`moved`), and where they are to stay (`chosen`): number of neighbours, and sigma."""

    moved = Signal(int, object)
    chosen = Signal(int, object)
    clicked = Signal(bool)  # the box: whether all k are wanted

    def __init__(self, parent=None):
        super().__init__(parent)
        self._sigmas, self._sigma = sigmas(1), None
        self.box = QCheckBox("All &k", toolTip=TOOLTIP, accessibleName="Scores for all numbers of neighbours")
        self.box.clicked.connect(self.clicked)
        self.k, self.sigma = QSlider(Qt.Horizontal, minimum=1), QSlider(Qt.Horizontal, minimum=0)
        self.k_label, self.sigma_label = QLabel(), QLabel()
        self.note = ElidedLabel()
        self._settle = QTimer(self, singleShot=True, interval=SETTLED)
        self._settle.timeout.connect(self._choose)
        self.k.setAccessibleName("Number of neighbours")
        self.sigma.setAccessibleName("Sigma of the neighbours' weights")
        for slider in (self.k, self.sigma):
            slider.setMinimumWidth(60)
            slider.valueChanged.connect(self._changed)
            slider.sliderReleased.connect(self._choose)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(2)
        self._one_row = None
        self._arrange()
        self.set_position(1, None)
        self.set_note(None, 1, 1)

    def _arrange(self):
        one = self.width() >= ONE_ROW
        if one == self._one_row:
            return
        self._one_row, layout = one, self.layout()
        while layout.count():
            layout.takeAt(0)
        row, first = (0, 3) if one else (1, 1)
        places = [(self.box, 0, 0), (self.k, 0, 1), (self.k_label, 0, 2), (self.note, 0 if one else 1, 5 if one else 0)]
        places += [(self.sigma, row, first), (self.sigma_label, row, first + 1)]
        for widget, *place in places:
            layout.addWidget(widget, *place)
        for column, share in enumerate((0, 3, 0, 2, 0, 0) if one else (0, 1, 0, 0, 0, 0)):
            layout.setColumnStretch(column, share)
        layout.activate()
        self.setMinimumHeight(layout.totalMinimumSize().height())  # or two rows are pressed into one in a low window

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._arrange()

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """Controls in the order of Tab."""
        return self.box, self.k, self.sigma

    @property
    def busy(self) -> bool:
        """True while the user is about to choose."""
        return self.k.isSliderDown() or self.sigma.isSliderDown() or self._settle.isActive()

    @property
    def position(self) -> tuple[int, float | None]:
        """Number of neighbours and sigma."""
        return self.k.value(), self._sigma

    def set_state(self, ticked: bool, text: str, possible: bool, failure: str = "") -> None:
        """Set what the box says."""
        self.box.setToolTip(f"<p>{escape(failure)}</p>" if failure else TOOLTIP)
        self.box.setChecked(ticked)
        self.box.setEnabled(possible)
        self.box.setText(text.replace("All k", "All &k"))
        self.layout().activate()  # at once: the text may be cut off otherwise

    def set_limits(self, K: int | None, has_sigma: bool) -> None:
        """Let the sliders go up to K neighbours; None: nothing is known yet."""
        known = K is not None
        for part in (self.sigma, self.sigma_label):
            part.setVisible(has_sigma)
        for part in (self.k, self.k_label, self.sigma, self.sigma_label):
            part.setEnabled(known)
        if not known:
            return
        self._sigmas = sigmas(K)
        with QSignalBlocker(self.k), QSignalBlocker(self.sigma):
            self.k.setMaximum(K)
            self.k.setPageStep(max(K // 10, 1))
            self.sigma.setMaximum(len(self._sigmas) - 1)
        self.k.setToolTip(f"Number of nearest neighbours of each row (of each class), 1 to {K}")
        self.sigma.setToolTip(
            f"The q-th neighbour weighs exp(-(q/σ)²), σ from {LEAST:g} to {self._sigmas[-2]:g}; at the right end all "
            "neighbours weigh the same"
        )

    def set_position(self, k: int, sigma: float | None) -> None:
        """Move the sliders as the parameters are, unless the user is moving them."""
        if self.busy:
            return
        self._sigma = sigma
        known = [number for number in self._sigmas if number is not None]
        place = len(known) if sigma is None else int(np.argmin(np.abs(np.log(np.array(known) / sigma))))
        with QSignalBlocker(self.k), QSignalBlocker(self.sigma):
            self.k.setValue(k)
            self.sigma.setValue(place)
        self._show_numbers()

    def set_k(self, k: int, stay: bool = False) -> None:
        """The user shows a number of neighbours elsewhere; stay: and means it."""
        self.k.setValue(k)
        if stay:
            self._choose()

    def set_note(self, agreement: float | None, k: int, K: int) -> None:
        """Say that the ranking depends on k where those with half and twice as many neighbours do not agree."""
        shown = agreement is not None and agreement < AGREED
        self.note.setText(NOTE if shown else "")
        self.note.setMinimumWidth(self.note.fontMetrics().horizontalAdvance(NOTE) + 6 if shown else 0)
        few, many = max(k // 2, 1), min(2 * k, K)
        self.note.setToolTip(
            f"<p>With {few} and with {many} neighbours the features come in another order: the correlation of their "
            f"ranks is {agreement:.2f}, and below {AGREED} this is said.</p><p>So choose k with care. A feature whose "
            "score falls as k grows acts together with others, or in a part of the data only; one whose score stays or "
            "rises acts by itself. The view <i>Score by k</i> shows it.</p>"
            if shown
            else ""
        )
        self.note.setAccessibleDescription(f"Agreement {agreement:.2f}" if shown else "")

    def stop(self) -> None:
        """Forget what the user was about to choose, with a slider in the hand, too."""
        self._settle.stop()
        with QSignalBlocker(self.k), QSignalBlocker(self.sigma):
            self.k.setSliderDown(False)
            self.sigma.setSliderDown(False)

    def _show_numbers(self):
        k, sigma = self.position
        self.k_label.setText(f"k = {k}")
        self.sigma_label.setText("σ: none" if sigma is None else f"σ = {sigma:g}")
        metrics = self.fontMetrics()
        for label, widest in ((self.k_label, f"k = {max(self.k.maximum(), 10)}"), (self.sigma_label, "σ = 0.00")):
            label.setMinimumWidth(max(metrics.horizontalAdvance(text) for text in (widest, label.text())) + 4)
        self.k.setAccessibleDescription(self.k_label.text())
        self.sigma.setAccessibleDescription(self.sigma_label.text())

    def _changed(self, _):
        if self.sender() is self.sigma:
            self._sigma = self._sigmas[self.sigma.value()]
        self._show_numbers()
        if not (self.k.isSliderDown() or self.sigma.isSliderDown()):
            self._settle.start()
        self.moved.emit(*self.position)

    def _choose(self):
        self._settle.stop()
        self.chosen.emit(*self.position)
