"""Scores for every number of neighbours: sliders below the table, curves beside the other views."""

import time
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QObject, QSignalBlocker, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QGridLayout, QLabel, QSlider, QWidget
from Orange.data import Table

from ...orange.jobs.job import Job
from ...orange.jobs.progress import raise_if_stopped, reporter
from ...orange.jobs.result import Result
from ...orange.ranker.scores import Scores
from ..charts.points import SQUARE, Chart, ChartView, End, Entry, line_pen, style
from ..utils.colors import faint, hue, muted
from ..utils.controls import ElidedLabel
from ..utils.task import RUNNING, Prompt
from .area import NEIGHBOURS
from .extras import Extra

K, SIGMA = "n_neighbors", "sigma"  # parameters that the sliders set
TOOLTIP = (
    "<p>Scores for all numbers of neighbours k, computed after the ranking. The sliders then show the scores for any "
    "k at once. The outputs always contain scores that were ranked with the chosen k.</p>"
)


def base_job(job: Job | None) -> Job | None:
    """Job of all numbers of neighbours for one of them; None for a method that has none."""
    from ...core import METHODS

    if job is None or not job.own or not METHODS[job.method].has_every_k(job.values):
        return None
    usual = {p.name: p.default for p in METHODS[job.method].parameters if p.name == K} | {SIGMA: None}
    return Job.of(job.method, {name: usual.get(name, value) for name, value in job.values.items()}, *job[2:])


def find(table: Table, job: Job, state) -> object:
    """Curves of a job (core's `NeighbourCurves`), for a thread."""
    from ...orange.partners import neighbour_curves

    return neighbour_curves(table, job.method, progress=reporter(state), **job.adjusting, **job.values)


class Wanted(NamedTuple):
    """Question to curves: features (c,), number of neighbours and sigma."""

    features: tuple[int, ...]
    k: int
    sigma: float | None


class Reading(NamedTuple):
    """Answer: scores (K, c) of the features for all k, their range by chance, and the agreement around k.

    band: two arrays (K, c), or None where it is not known.
    """

    wanted: Wanted
    curve: np.ndarray
    band: tuple[np.ndarray, np.ndarray] | None
    agreement: float


def read(curves, wanted: Wanted, state) -> Reading:
    """Answer of curves, for a thread."""
    features, found = list(wanted.features), []
    for question, about in (("curve", features), ("band", features), ("agreement", wanted.k)):
        raise_if_stopped(state)
        found.append(getattr(curves, question)(about, wanted.sigma))
    return Reading(wanted, *found)


class Reader(Prompt, QObject):
    """Reads curves in a thread, one question at a time; an answer stays until the next one."""

    changed = Signal()

    def __init__(self, parent=None):
        QObject.__init__(self, parent)
        Prompt.__init__(self)
        self.reading, self._curves, self._asked = None, None, None

    def ask(self, curves, wanted: Wanted | None) -> None:
        """Ask curves; None: there are none, and the last answer is forgotten."""
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


SHOWN = 6  # curves: with more, colours look the same
BAND, ALONE = 22, 55  # opacity of a band among several, and of a single one
STEPS, MAX_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000), 10  # between ticks, and number of these
BAND_TEXT = "shaded: chance alone (z within ±2)"


def ticks(K: int) -> list[int]:
    """Some numbers of neighbours: 1, and round ones up to K."""
    step = next((step for step in STEPS if MAX_TICKS * step >= K), STEPS[-1])
    return [*dict.fromkeys((1, *range(step, K + 1, step)))]


class NeighbourChart(ChartView):
    """Curves of a `Reading`; the line at the number of neighbours that is shown can be moved."""

    k_moved = Signal(int)
    k_chosen = Signal(int)

    def __init__(self, parent=None):
        self.chart = Chart("Number of neighbours k", "Score")
        self._reading, self._names, self._title, self._k, self._more = None, (), "", 1, 0
        self.chart.getAxis("left").setStyle(maxTickLevel=1)
        # pyqtgraph's own minimum of a title is the width of its text: a long legend would keep the chart wide.
        self.chart.titleLabel.updateMin = lambda: None
        self.chart.titleLabel.setMinimumSize(0, 0)
        self.line = pg.InfiniteLine(angle=90, movable=True)
        self.line.sigDragged.connect(lambda line: self.k_moved.emit(self._k_of(line.value())))
        self.line.sigPositionChangeFinished.connect(lambda line: self.k_chosen.emit(self._k_of(line.value())))
        super().__init__(self.chart, name="Scores by number of neighbours", parent=parent, least=(200, 110))
        self.setToolTip(
            "<p>If a curve falls as k grows, the feature interacts with other features, or matters in a part of the "
            "data only. If it stays or rises, the feature matters alone. Where curves cross, the order of the "
            "features depends on k.</p><p>Shaded is the range of a feature's score if its values are randomly "
            "permuted: mean ± 2 standard deviations.</p>"
        )

    @property
    def possible(self) -> bool:
        return self._reading is not None and len(self._names) > 0 and len(self._reading.curve) > 1

    def show_reading(self, reading: Reading | None, names: Sequence[str], title: str, more: int = 0) -> None:
        """Draw the curves of the features with these names; title: of the score; more: features left out."""
        self._reading, self._names, self._title, self._more = reading, tuple(names), title, more
        self.setAccessibleDescription(self._described())
        self.draw()

    def set_k(self, k: int) -> None:
        """Mark this number of neighbours."""
        self._k = k
        if not self.line.moving:
            self.line.setValue(k)

    def draw(self) -> None:
        palette, shown = self.palette(), self.possible
        hues = [hue(place, palette) for place in range(len(self._names))]
        pairs = zip(self._names, hues, strict=True)
        entries = [Entry(name, color, place == 0, style(place)) for place, (name, color) in enumerate(pairs)]
        if shown and self._reading.band is not None:
            entries.append(Entry(BAND_TEXT, muted(palette, 0.65), symbol=SQUARE))
        if self._more:
            entries.append(Entry(f"{self._more:,} more selected", self.text_color, symbol="+"))
        self.chart.restart(shown, entries, self.text_color)
        if not shown:
            return
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

    def _set_ranges(self, curve, band):
        """Show all curves, and the bands up to half that height beyond: for few neighbours bands are wide."""
        low, high = min(curve.min(), 0.0), max(curve.max(), 0.0)
        if band is not None:
            beyond = 0.5 * (high - low)
            low, high = max(min(low, band[0].min()), low - beyond), min(max(high, band[1].max()), high + beyond)
        self.chart.setYRange(low, high if high > low else low + 1, padding=0.06)

    def _k_of(self, x) -> int:
        return int(np.clip(round(x), 1, len(self._reading.curve) if self._reading is not None else 1))

    def _described(self) -> str:
        """Curves in words, for screen readers."""
        if not self.possible:
            return ""
        curve = self._reading.curve
        places = dict.fromkeys((1, min(10, len(curve)), len(curve)))
        return "; ".join(
            f"{name}: " + ", ".join(f"{curve[k - 1, place]:.3g} at k = {k}" for k in places)
            for place, name in enumerate(self._names)
        )


ONE_ROW = 560  # pixels from which on both sliders have room beside each other
SIGMA_STEPS, MIN_SIGMA = 30, 0.5  # values of sigma, and the least of them
SETTLE_MS = 400  # after the last key or turn of the wheel, when a position is meant
AGREED = 0.9  # agreement below which the ranking depends on k
NOTE = "depends on k"


def sigmas(K: int) -> list[float | None]:
    """Values of sigma with two digits, in equal ratios up to twice the number of places; None, the last, is none."""
    values = np.geomspace(MIN_SIGMA, max(2.0 * K, 2 * MIN_SIGMA), SIGMA_STEPS)
    return [*dict.fromkeys(float(f"{value:.2g}") for value in values), None]


class KBar(QWidget):
    """Sliders for the number of neighbours and for sigma."""

    moved = Signal(int, object)  # to a position
    chosen = Signal(int, object)  # a position that stays
    clicked = Signal(bool)  # the box: whether all k are wanted

    def __init__(self, parent=None):
        super().__init__(parent)
        self._sigmas, self._sigma = sigmas(1), None
        self.box = QCheckBox("All &k", toolTip=TOOLTIP, accessibleName="Scores for all numbers of neighbours")
        self.box.clicked.connect(self.clicked)
        self.k = QSlider(Qt.Horizontal, minimum=1, accessibleName="Number of neighbours")
        self.sigma = QSlider(Qt.Horizontal, minimum=0, accessibleName="Sigma of the neighbours' weights")
        self.k_label, self.sigma_label, self.note = QLabel(), QLabel(), ElidedLabel()
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._choose)
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
    def busy(self) -> bool:
        """True while the user is about to choose."""
        return self.k.isSliderDown() or self.sigma.isSliderDown() or self._settle.isActive()

    @property
    def position(self) -> tuple[int, float | None]:
        """Number of neighbours and sigma."""
        return self.k.value(), self._sigma

    def set_state(self, ticked: bool, text: str, possible: bool, failure: str = "") -> None:
        """Show a state of the box."""
        self.box.setToolTip(f"<p>{escape(failure)}</p>" if failure else TOOLTIP)
        self.box.setChecked(ticked)
        self.box.setEnabled(possible)
        self.box.setText(text.replace("All k", "All &k"))
        self.layout().activate()  # at once: the text may be cut off otherwise

    def set_limits(self, K: int | None, has_sigma: bool) -> None:
        """Let the sliders go up to K neighbours; None: it is not known yet."""
        for part in (self.sigma, self.sigma_label):
            part.setVisible(has_sigma)
        for part in (self.k, self.k_label, self.sigma, self.sigma_label):
            part.setEnabled(K is not None)
        if K is None:
            return
        self._sigmas = sigmas(K)
        with QSignalBlocker(self.k), QSignalBlocker(self.sigma):
            self.k.setMaximum(K)
            self.k.setPageStep(max(K // 10, 1))
            self.sigma.setMaximum(len(self._sigmas) - 1)
        self.k.setToolTip(f"Number of nearest neighbours of each row (of each class), 1 to {K}")
        self.sigma.setToolTip(
            f"The q-th neighbour weighs exp(-(q/σ)²), σ from {MIN_SIGMA:g} to {self._sigmas[-2]:g}; at the right end "
            "all neighbours weigh the same"
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
        """Move to a number of neighbours, as the user did elsewhere; stay: and choose it."""
        self.k.setValue(k)
        if stay:
            self._choose()

    def set_note(self, agreement: float | None, k: int, K: int) -> None:
        """Note that the ranking depends on k where the rankings with half and twice as many neighbours disagree."""
        shown = agreement is not None and agreement < AGREED
        self.note.setText(NOTE if shown else "")
        self.note.setMinimumWidth(self.note.fontMetrics().horizontalAdvance(NOTE) + 6 if shown else 0)
        few, many = max(k // 2, 1), min(2 * k, K)
        self.note.setToolTip(
            f"<p>With {few} and with {many} neighbours the features rank differently: the correlation of their ranks "
            f"is {agreement:.2f}, below {AGREED}.</p><p>Choose k with care. If the score of a feature falls as k "
            "grows, it interacts with other features, or matters in a part of the data only. If it stays or rises, "
            "the feature matters alone. See the view <i>Score by k</i>.</p>"
            if shown
            else ""
        )
        self.note.setAccessibleDescription(f"Agreement {agreement:.2f}" if shown else "")

    def stop(self) -> None:
        """Forget the position that the user was about to choose, also of a slider that is held."""
        self._settle.stop()
        with QSignalBlocker(self.k), QSignalBlocker(self.sigma):
            self.k.setSliderDown(False)
            self.sigma.setSliderDown(False)

    def _show_numbers(self):
        k, sigma = self.position
        texts = f"k = {k}", "σ: none" if sigma is None else f"σ = {sigma:g}"
        widest, advance = (f"k = {max(self.k.maximum(), 10)}", "σ = 0.00"), self.fontMetrics().horizontalAdvance
        labels = (self.k, self.k_label), (self.sigma, self.sigma_label)
        for (slider, label), text, longest in zip(labels, texts, widest, strict=True):
            label.setText(text)
            label.setMinimumWidth(max(advance(longest), advance(text)) + 4)
            slider.setAccessibleDescription(text)

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


AT_ONCE_MS, SUMMED_MS = 0, 60  # in which movements are collected: of known scores, and of scores that are summed
SLOW = 0.1  # seconds of a sum for a position above which no scores are shown on the way
FIRST = 5  # best features whose curves are shown while none is selected


class Preview(NamedTuple):
    """Scores (p,) at a position of the sliders, never sent, and the job and ranking in whose place they are shown."""

    name: str
    job: Job
    ranking: object
    values: np.ndarray


class EveryK(Extra):
    """Scores for all numbers of neighbours of the leading method, if it has a number of neighbours.

    Only the last curves are kept, which may take 64 MB.  While the sliders move, their scores are shown in the place of
    the leading ones; where they stay, the parameters of the method change as if they had been typed, and the new
    ranking is sent.
    """

    title, setting, find = "All k", "all_k", staticmethod(find)

    def __init__(self, ranker):
        self.reader, self.preview, self._cost = Reader(ranker), None, 0.0  # seconds of the last sum for a position
        self.bar, self.chart = KBar(), NeighbourChart()
        self._later_peek = QTimer(ranker, singleShot=True)
        super().__init__(ranker)
        area = ranker.area
        area.splitter.widget(0).layout().addWidget(self.bar)
        area.views.add(NEIGHBOURS, self.chart, lambda: self.chart.possible)
        self.bar.hide()
        self.bar.clicked.connect(self.clicked)
        self.bar.moved.connect(self._moved)
        self.bar.chosen.connect(self._chosen)
        self.chart.k_moved.connect(self.bar.set_k)
        self.chart.k_chosen.connect(lambda k: self.bar.set_k(k, stay=True))
        self._later_peek.timeout.connect(self._peek)
        self.reader.changed.connect(self._show_reading)
        area.model.selection_changed.connect(self._ask_reader)

    def caption(self, job: Job | None) -> str:
        """Work fails here only where there are no scores for all k; the tooltip has the reason."""
        return f"{self.title}: not here" if job in self._failed else super().caption(job)

    def on_done(self, result):
        self._found.clear()
        super().on_done(result)

    def reset(self, table: Table | None) -> None:
        self.ranking_failed()
        self._cost = 0.0
        super().reset(table)
        self.reader.ask(None, None)

    def ranking_failed(self) -> None:
        self.bar.stop()
        self.drop_preview()

    def facts(self, job: Job) -> dict[str, object]:
        """Nothing is known of scores that only pass by."""
        passes = self.preview is not None and job == self.ranker.panel.job(self.preview.name)
        return {"null": None, "chances": None, "significance": None} if passes else {}

    def job(self) -> Job | None:
        return base_job(self.lead_job())

    def ready(self) -> bool:
        """Beside all other extras."""
        lead = self.ranker.area.lead
        return lead is not None and not lead.partial and self.ranker.isVisible()

    def follow(self, job: Job | None) -> None:
        """Go on while the ranker ranks: the curves may be of all its rankings."""
        if self.ranker.run_state != RUNNING:
            super().follow(job)

    def shutdown(self):
        super().shutdown()
        self.reader.shutdown()
        self._later_peek.stop()
        self.bar.stop()

    def lead_job(self) -> Job | None:
        """Job of the leading method, finished or not."""
        ranker = self.ranker
        lead = ranker.area.lead if ranker.problem else None
        return ranker.panel.job(lead.name) if lead is not None and lead.name in ranker.panel.offered else None

    def show(self, job: Job | None) -> None:
        self.bar.setVisible(job is not None)
        curves = self.found(job)
        if job is not None:
            values = self.lead_job().values
            self.bar.set_state(*self.state(job))
            self.bar.set_limits(curves and curves.max_neighbors, SIGMA in values)
            if self.preview is None:
                self.bar.set_position(values[K], values.get(SIGMA))
        self._ask_reader()

    def clicked(self, wanted: bool) -> None:
        """Note whether the user wants the curves; unwanted ones take no room."""
        if not wanted:
            self._found.clear()
        super().clicked(wanted)

    # Sliders ---------------------------------------------------------------------------------------------------------

    def _moved(self, _, sigma):
        curves = self.found(self.job())
        if curves is not None:
            self.chart.set_k(self.bar.position[0])
            known = curves.at_once(sigma)
            if not self._later_peek.isActive() and (known or self._cost < SLOW):
                self._later_peek.start(AT_ONCE_MS if known else SUMMED_MS)

    def _peek(self):
        """Show the scores at the sliders' position in the column of the leading score."""
        ranker, job = self.ranker, self.lead_job()
        curves, ranking = self.found(base_job(job)), ranker.result.rankings.get(job)
        if curves is None or (ranking is None and self.preview is None):
            return
        if self.preview is None and ranker.later.isActive():  # the last choice is sent with the scores that it was for
            ranker.later.stop()
            ranker.commit.deferred()
        before = self.preview or Preview(job.method, job, ranking, ranking.scores)
        start = time.perf_counter()
        values = curves.scores(*self.bar.position)
        if not curves.at_once(self.bar.position[1]):
            self._cost = time.perf_counter() - start
        self.preview = before._replace(values=values)
        area, lead = ranker.area, ranker.area.lead
        shown, place = list(area.model.columns), area.model.leading
        about = {"each": lead.each, "short": lead.short}
        shown[place] = Scores(lead.name, values, lead.title, lead.number, lead.tooltip, True, **about)
        area.set_scores(shown, place)
        ranker.selection.set_scores([scores for scores in shown if not scores.waiting], place)
        ranker.apply_selection()

    def _chosen(self, k, sigma):
        """Set the parameters of the method, as if they had been typed, if they differ."""
        job = self.lead_job()
        if base_job(job) is None:
            return
        if self._later_peek.isActive():
            self._later_peek.stop()
            self._peek()
        wanted = {K: k, SIGMA: sigma}
        wanted = {name: value for name, value in wanted.items() if name in job.values and job.values[name] != value}
        if wanted:
            self.ranker.panel.list.highlight(job.method)
            self.ranker.panel.form.change(wanted)
        else:
            self.drop_preview()
            self.ranker.refresh("scores", "summary")

    def shown(self, real: Result) -> Result:
        """`real` with the preview, as a ranking that is not finished, until the ranking itself is there."""
        preview = self.preview
        if preview is None:
            return real
        job = self.ranker.panel.job(preview.name)
        if job != preview.job and job in real.rankings:
            self.drop_preview()
            return real
        shown = replace(preview.ranking, scores=preview.values, info={**preview.ranking.info, "final": False})
        return replace(real, rankings={**real.rankings, job: shown}, curves={job: [], **real.curves})

    def drop_preview(self) -> None:
        self._later_peek.stop()
        self.preview = None

    # Curves ----------------------------------------------------------------------------------------------------------

    def _curve_features(self) -> tuple[list[int], int]:
        """The best of the selected features, or else of all, and how many selected ones are left out."""
        lead, selected = self.ranker.area.lead, self.ranker.area.model.selected
        chosen = [int(f) for f in lead.order if selected[f]]
        return (chosen[:SHOWN], max(len(chosen) - SHOWN, 0)) if chosen else ([int(f) for f in lead.order[:FIRST]], 0)

    def _ask_reader(self):
        if self.preview is not None:
            return  # when the sliders stay
        job = self.lead_job()
        curves = self.found(base_job(job))
        if curves is None:
            self.reader.ask(None, None)
            self._show_reading()
        else:
            k = min(job.values[K], curves.max_neighbors)
            self.reader.ask(curves, Wanted(tuple(self._curve_features()[0]), k, job.values.get(SIGMA)))
            self.chart.set_k(k)

    def _show_reading(self):
        ranker, reading, lead = self.ranker, self.reader.reading, self.ranker.area.lead
        reading = reading if reading is not None and lead is not None and reading.wanted.features else None
        if reading is None:
            self.chart.show_reading(None, (), "")
            self.bar.set_note(None, 1, 1)
        else:
            offered, names = ranker.panel.offered, [ranker.area.model.names[f] for f in reading.wanted.features]
            title = offered[lead.name].title if lead.name in offered else ""
            self.chart.show_reading(reading, names, title, self._curve_features()[1])
            self.bar.set_note(reading.agreement, reading.wanted.k, len(reading.curve))
        ranker.area.views.show_view()
