"""Scores for every number of neighbours: a slider below the table, curves beside the other views."""

import time
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QObject, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.data import Table

from ...orange.jobs.job import Job
from ...orange.jobs.progress import raise_if_stopped, reporter
from ...orange.jobs.result import Result
from ...orange.ranker.scores import Scores
from ..charts.chart import Chart, line_pen
from ..charts.curve_view import ALONG, Curve, CurveView, Spot
from ..charts.end_labels import End
from ..charts.legend import SQUARE, Entry, style
from ..utils.colors import faint, muted
from ..utils.task import RUNNING, Prompt
from .area import NEIGHBOURS
from .extras import Extra
from .neighbourslider import NeighbourSlider

K, SIGMA = "n_neighbors", "sigma"  # parameters that the curves are of


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
        self.reading = None
        self._curves = None
        self._asked = None

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


KEYS = f"{ALONG}. Space sets this number of neighbours"
SHOWN = 6  # curves: with more, colours look the same
BAND, ALONE = 22, 55  # opacity of a band among several, and of a single one
STEPS, MAX_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000), 10  # between ticks, and number of these
BAND_TEXT = "shaded: chance alone (z within ±2)"


def ticks(K: int) -> list[int]:
    """Some numbers of neighbours: 1, and round ones up to K."""
    step = next((step for step in STEPS if MAX_TICKS * step >= K), STEPS[-1])
    return [*dict.fromkeys((1, *range(step, K + 1, step)))]


class NeighbourChart(CurveView):
    """Curves of a `Reading`; the line at the number of neighbours that is shown can be moved."""

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
    def possible(self) -> bool:
        return self._reading is not None and len(self._names) > 0 and len(self._reading.curve) > 1

    def show_reading(self, reading: Reading | None, names: Sequence[str], title: str, more: int = 0) -> None:
        """Draw the curves of the features with these names; title: of the score; more: features left out."""
        self._reading = reading
        self._names = tuple(names)
        self._title = title
        self._more = more
        self.draw()

    def set_k(self, k: int) -> None:
        """Mark this number of neighbours."""
        self._k = k
        if self.made and not self.line.moving:
            self.line.setValue(k)

    def draw(self) -> None:
        if not self.possible:
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
        if not self.possible:
            return ""
        curve = self._reading.curve
        ks = dict.fromkeys((1, min(10, len(curve)), len(curve)))
        texts = []
        for number, name in enumerate(self._names):
            texts.append(f"{name}: " + ", ".join(f"{curve[k - 1, number]:.3g} at k = {k}" for k in ks))
        return ". ".join(["; ".join(texts), self.note])

    def about(self, spot):
        k = spot.place + 1
        return f"{self._names[spot.line]}: {self._reading.curve[spot.place, spot.line]:.3g} at k = {k}"

    def choose(self, spot: Spot) -> None:
        """The user wants the number of neighbours of a point."""
        self.k_chosen.emit(spot.place + 1)


AT_ONCE_MS, SUMMED_MS = 0, 60  # in which movements are collected: of known scores, and of scores that are summed
SLOW = 0.1  # seconds of a sum for a position above which no scores are shown on the way
FIRST = 5  # best features whose curves are shown while none is selected


class Preview(NamedTuple):
    """Scores (p,) at a position of the slider, never sent, and the job and ranking in whose place they are shown."""

    name: str
    job: Job
    ranking: object
    values: np.ndarray


class EveryK(Extra):
    """Scores for all numbers of neighbours of the leading method, if it has a number of neighbours.

    Only the last curves are kept, which may take 64 MB.  While the slider moves, its scores are shown in the place of
    the leading ones; where it stays, the parameter of the method changes as if it had been typed, and the new ranking
    is sent.
    """

    title = "All k"
    setting = "all_k"
    find = staticmethod(find)

    def __init__(self, ranker):
        # seconds of the last sum for a position
        self.reader = Reader(ranker)
        self.preview = None
        self._cost = 0.0
        self.bar, self.chart = NeighbourSlider(), NeighbourChart()
        self._later_peek = QTimer(ranker, singleShot=True)
        super().__init__(ranker)
        area = ranker.area
        area.splitter.widget(0).layout().addWidget(self.bar)
        area.views.add(NEIGHBOURS, self.chart, lambda: self.chart.possible)
        self.bar.hide()
        self.bar.clicked.connect(self.clicked)
        self.bar.moved.connect(self._moved)
        self.bar.chosen.connect(self._chosen)
        self.chart.k_moved.connect(self.bar.move_to)
        self.chart.k_chosen.connect(lambda k: self.bar.move_to(k, stay=True))
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
            self.bar.set_limit(curves and curves.max_neighbors)
            if self.preview is None:
                self.bar.set_k(values[K])
        self._ask_reader()

    def clicked(self, wanted: bool) -> None:
        """Note whether the user wants the curves; unwanted ones take no room."""
        if not wanted:
            self._found.clear()
        super().clicked(wanted)

    # Slider ----------------------------------------------------------------------------------------------------------

    def _sigma(self) -> float | None:
        """Sigma of the leading method; None: all neighbours weigh the same."""
        return self.lead_job().values.get(SIGMA)

    def _moved(self, k):
        curves = self.found(self.job())
        if curves is not None:
            self.chart.set_k(k)
            known = curves.at_once(self._sigma())
            if not self._later_peek.isActive() and (known or self._cost < SLOW):
                self._later_peek.start(AT_ONCE_MS if known else SUMMED_MS)

    def _peek(self):
        """Show the scores at the slider's position in the column of the leading score."""
        ranker, job = self.ranker, self.lead_job()
        curves, ranking = self.found(base_job(job)), ranker.result.rankings.get(job)
        if curves is None or (ranking is None and self.preview is None):
            return
        if self.preview is None:  # the last choice is sent with the scores that it was for
            ranker.outbox.flush()
        before = self.preview or Preview(job.method, job, ranking, ranking.scores)
        start, sigma = time.perf_counter(), self._sigma()
        values = curves.scores(self.bar.k, sigma)
        if not curves.at_once(sigma):
            self._cost = time.perf_counter() - start
        self.preview = before._replace(values=values)
        area, lead = ranker.area, ranker.area.lead
        shown, place = list(area.model.columns), area.model.leading
        about = {"each": lead.each, "short": lead.short}
        shown[place] = Scores(lead.name, values, lead.title, lead.number, lead.tooltip, True, **about)
        area.set_scores(shown, place)
        ranker.selection.set_scores([scores for scores in shown if not scores.waiting], place)
        ranker.apply_selection()

    def _chosen(self, k):
        """Set the parameter of the method, as if it had been typed, if it differs."""
        job = self.lead_job()
        if base_job(job) is None:
            return
        if self._later_peek.isActive():
            self._later_peek.stop()
            self._peek()
        if job.values[K] != k:
            self.ranker.panel.list.highlight(job.method)
            self.ranker.panel.form.change({K: k})
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
            return  # when the slider stays
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
        ranker = self.ranker
        reading = self.reader.reading
        lead = self.ranker.area.lead
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
