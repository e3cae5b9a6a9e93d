"""Scores for every number of neighbours: a slider below the table, curves beside the other views."""

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.data import Table
from Orange.widgets.settings import Setting

from ...orange.jobs.job import Job
from ...orange.jobs.progress import reporter
from ...orange.jobs.result import Result
from .area import NEIGHBOURS, RankingArea
from .followup import BoxState, FollowUp, ShownRanking
from .neighbourchart import CurveReader, CurveRequest, NeighbourChart
from .neighbourslider import NeighbourSlider

K, SIGMA = "n_neighbors", "sigma"  # parameters that the curves are of


def base_job(job: Job | None) -> Job | None:
    """Job of all numbers of neighbours for one of them; None for a method that has none, and for groups of features."""
    from ...core import METHODS

    if job is None or not job.is_of_core or job.feature_groups or not METHODS[job.method].has_every_k(job.values):
        return None
    usual = {p.name: p.default for p in METHODS[job.method].parameters if p.name == K} | {SIGMA: None}
    return Job.of(job.method, {name: usual.get(name, value) for name, value in job.values.items()}, *job[2:])


def find(table: Table, job: Job, state) -> object:
    """Curves of a job (core's `NeighbourCurves`), for a thread."""
    from ...orange.partners import neighbour_curves

    return neighbour_curves(table, job.method, progress=reporter(state), **job.adjusting, **job.values)


AT_ONCE_MS = 0  # in which movements of the slider are collected where scores are there already
SUMMED_MS = 60  # and where scores are summed for each position; chosen by eye
SLOW = 0.1  # seconds of a sum for a position above which no scores are shown on the way; chosen by eye
SHOWN = 6  # curves: with more, colours look the same
FIRST = 5  # best features whose curves are shown while none is selected


class Preview(NamedTuple):
    """Scores at a position of the slider, which are never sent.

    name: of the method.
    job: whose scores they take the place of.
    ranking: by this job.
    values: (p,) scores.
    """

    name: str
    job: Job
    ranking: object
    values: np.ndarray


class CurvesByK(FollowUp):
    """Scores for all numbers of neighbours of the leading method, if it has a number of neighbours.

    Only the last curves are kept, which may take 64 MB.  While the slider moves, its scores are shown in the place of
    the leading ones; where it stays, the parameter of the method changes as if it had been typed, and the new ranking
    is sent.
    """

    title = "All k"
    find = staticmethod(find)

    ticked = Setting(True)  # shown if it is quick

    previewed = Signal(object, bool)  # scores (p,) at the position of the slider; True if these are the first ones
    k_chosen = Signal(str, str, int)  # name of the method and of its parameter, and another number of neighbours
    k_left = Signal()  # the number of neighbours stays as it is, and no preview is shown any more

    def __init__(self, widget, area: RankingArea):
        """area: gets the slider, and a view with the curves."""
        super().__init__(widget)
        self.reader = CurveReader(self)
        self.preview: Preview | None = None
        self.bar = NeighbourSlider()
        self.chart = NeighbourChart()
        self._area = area
        self._cost = 0.0  # seconds of the last sum for a position
        self._later_peek = QTimer(self, singleShot=True)
        area.splitter.widget(0).layout().addWidget(self.bar)
        area.views.add(NEIGHBOURS, self.chart)
        self.bar.hide()
        self.bar.clicked.connect(self.clicked)
        self.bar.moved.connect(self._moved)
        self.bar.chosen.connect(self._chosen)
        self.chart.k_moved.connect(self.bar.move_to)
        self.chart.k_chosen.connect(lambda k: self.bar.move_to(k, stay=True))
        self._later_peek.timeout.connect(self._peek)
        self.reader.changed.connect(self._show_reading)

    def caption(self, job: Job | None) -> str:
        """Work fails here only where there are no scores for all k; the tooltip has the reason."""
        return f"{self.title}: not here" if self.record(job).failure else super().caption(job)

    def on_done(self, result):
        self._forget_results()
        super().on_done(result)

    def _forget_results(self):
        for record in self._records.values():
            record.result = None

    def reset(self) -> None:
        self.ranking_failed()
        self._cost = 0.0
        super().reset()
        self.reader.forget()

    def ranking_failed(self) -> None:
        self.bar.stop()
        self.drop_preview()

    def concerns(self, ranking: ShownRanking) -> bool:
        """Return True for methods with neighbours: these have the slider, even if it has no curves."""
        return self.job() is not None

    def facts(self, job: Job, result: object) -> dict[str, object]:
        """Return that nothing is known of scores that only pass by."""
        passes = self.preview is not None and job == self.ranking.job_of(self.preview.name)
        return {"null": None, "chances": None, "significance": None} if passes else {}

    def job(self) -> Job | None:
        return base_job(self.lead_job())

    def ready(self) -> bool:
        """Return True beside all other follow-ups."""
        ranking = self.ranking
        return ranking.visible and ranking.lead is not None and not ranking.lead.partial

    def follow(self, job: Job | None) -> None:
        """Go on while the ranker ranks: the curves may be of all its rankings."""
        if not self.ranking.running:
            super().follow(job)

    def shutdown(self):
        super().shutdown()
        self.reader.shutdown()
        self._later_peek.stop()
        self.bar.stop()

    def lead_job(self) -> Job | None:
        """Job of the leading method, finished or not."""
        ranking = self.ranking
        return None if ranking.lead is None else ranking.job_of(ranking.lead.name)

    def show(self, job: Job | None, result: object, box: BoxState) -> None:
        self.bar.setVisible(job is not None)
        if job is not None:
            self.bar.set_state(*box)
            self.bar.set_limit(None if result is None else result.max_neighbors)
            if self.preview is None:
                self.bar.set_k(self.lead_job().values[K])
        self._ask_reader()

    def clicked(self, ticked: bool) -> None:
        """Note whether the user likes to see the curves; others take no room."""
        if not ticked:
            self._forget_results()
        super().clicked(ticked)

    # Slider ----------------------------------------------------------------------------------------------------------

    def _sigma(self) -> float | None:
        """Sigma of the leading method; None: all neighbours weigh the same."""
        return self.lead_job().values.get(SIGMA)

    def _moved(self, k):
        curves = self.found(self.job())
        if curves is not None:
            self.chart.set_k(k)
            at_once = curves.at_once(self._sigma())
            if not self._later_peek.isActive() and (at_once or self._cost < SLOW):
                self._later_peek.start(AT_ONCE_MS if at_once else SUMMED_MS)

    def _peek(self):
        """Show the scores at the slider's position in the column of the leading score."""
        job = self.lead_job()
        curves = self.found(base_job(job))
        ranking = self.ranking.result.rankings.get(job)
        if curves is None or (ranking is None and self.preview is None):
            return
        first = self.preview is None
        before = self.preview or Preview(job.method, job, ranking, ranking.scores)
        start = time.perf_counter()
        sigma = self._sigma()
        values = curves.scores(self.bar.k, sigma)
        if not curves.at_once(sigma):
            self._cost = time.perf_counter() - start
        self.preview = before._replace(values=values)
        self.previewed.emit(values, first)

    def _chosen(self, k):
        """Set the parameter of the method, as if it had been typed."""
        job = self.lead_job()
        if base_job(job) is None:
            return
        if self._later_peek.isActive():
            self._later_peek.stop()
            self._peek()
        if job.values[K] != k:
            self.k_chosen.emit(job.method, K, k)
        else:
            self.drop_preview()
            self.k_left.emit()

    def shown(self, result: Result) -> Result:
        """Return rankings with the preview, as one that is not finished, until the ranking itself is there."""
        preview = self.preview
        if preview is None:
            return result
        job = self.ranking.job_of(preview.name)
        if job != preview.job and job in result.rankings:
            self.drop_preview()
            return result
        ranking = replace(preview.ranking, scores=preview.values, info={**preview.ranking.info, "final": False})
        return replace(result, rankings={**result.rankings, job: ranking}, curves={job: [], **result.curves})

    def drop_preview(self) -> bool:
        was_shown = self.preview is not None
        self._later_peek.stop()
        self.preview = None
        return was_shown

    # Curves ----------------------------------------------------------------------------------------------------------

    def _curve_features(self) -> tuple[list[int], int]:
        """The best of the selected features, or else of all, and how many selected ones are left out."""
        order = self.ranking.lead.order
        selected = self._area.model.selected
        chosen = [int(f) for f in order if selected[f]]
        return (chosen[:SHOWN], max(len(chosen) - SHOWN, 0)) if chosen else ([int(f) for f in order[:FIRST]], 0)

    def _ask_reader(self):
        if self.preview is not None:
            return  # when the slider stays
        job = self.lead_job()
        curves = self.found(base_job(job))
        if curves is None:
            self.reader.forget()
            self._show_reading()
        else:
            k = min(job.values[K], curves.max_neighbors)
            features, _ = self._curve_features()
            self.reader.ask(curves, CurveRequest(tuple(features), k, job.values.get(SIGMA)))
            self.chart.set_k(k)

    def _show_reading(self):
        reading = self.reader.reading
        lead = self.ranking.lead
        if reading is None or lead is None or not reading.request.features:
            if not self.chart.has_content:
                return  # neither before nor now is there anything to show
            self.chart.show_reading(None, (), "")
            self.bar.set_note(None, 1, 1)
        else:
            names = [self._area.model.names[f] for f in reading.request.features]
            _, more = self._curve_features()
            self.chart.show_reading(reading, names, lead.title, more)
            self.bar.set_note(reading.agreement, reading.request.k, len(reading.curve))
        self._area.views.show_view()
