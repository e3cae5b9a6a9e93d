"""All numbers of neighbours at once, for a ranker: sliders below the table, and curves beside the other views."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QTimer
from Orange.widgets import gui

from ..utils.jobs import Job, Result
from ..utils.task import RUNNING
from .everyk import SHOWN, SIGMA, AllNeighbours, K, KBar, NeighbourChart, Reader, Wanted, base_job
from .scores import Scores
from .views import NEIGHBOURS

AT_ONCE, SUMMED = 0, 60  # ms in which movements are collected: of scores that are there, and that are summed anew
SLOW = 0.1  # seconds of a position that is summed anew above which none is shown on the way
FIRST = 5  # best features whose curves are shown while none is selected


class Preview(NamedTuple):
    """Scores (p,) at a position of the sliders, which are shown, and never sent.

    job, ranking: those that were there before; name: of the method.
    """

    name: str
    job: Job
    ranking: object
    values: np.ndarray


class AllNeighboursOfLead:
    """For a ranker whose leading method may have a number of neighbours: comes before it among the bases.

    Setting: `all_k`.  While the sliders move, their scores are shown in the place of the leading ones; where they stay,
    the parameters of the method change as if they had been typed, and what is sent is the new ranking.
    """

    def make_follow_ups(self) -> None:
        """Comes before the areas."""
        super().make_follow_ups()
        self.neighbours, self.reader, self.preview = AllNeighbours(self.all_k, self), Reader(self), None
        self._cost = 0.0  # seconds of the last position that was summed anew
        self._later_peek = QTimer(self, singleShot=True)
        self._later_peek.timeout.connect(self._peek)

    def connect_follow_ups(self) -> None:
        """Comes after the areas."""
        super().connect_follow_ups()
        self.k_bar, self.k_chart = KBar(), NeighbourChart()
        self.area.splitter.widget(0).layout().addWidget(self.k_bar)
        self.area.views.add(NEIGHBOURS, self.k_chart, lambda: self.k_chart.possible)
        self.k_bar.hide()
        for before, after in zip((self.area.table, *self.k_bar.controls), self.k_bar.controls, strict=False):
            self.setTabOrder(before, after)
        self.k_bar.clicked.connect(self._all_k_clicked)
        self.k_bar.moved.connect(self._k_moved)
        self.k_bar.chosen.connect(self._k_chosen)
        self.k_chart.k_moved.connect(self.k_bar.set_k)
        self.k_chart.k_chosen.connect(lambda k: self.k_bar.set_k(k, stay=True))
        self.neighbours.changed.connect(self._show_neighbours)
        self.reader.changed.connect(self._show_reading)
        self.area.model.selection_changed.connect(self._ask_reader)

    def reset_follow_ups(self) -> None:
        """There are new data."""
        self.k_bar.stop()
        self._drop_preview()
        self._cost = 0.0
        super().reset_follow_ups()
        self.neighbours.reset(self.problem and self.problem.table)
        self.reader.ask(None, None)

    def follow_up(self) -> None:
        """Compute all k of the leading method, if it has a number of neighbours, and what is read from them."""
        super().follow_up()
        if self.run_state != RUNNING:
            lead = self.area.lead
            done = lead is not None and not lead.partial and self.isVisible()
            self.neighbours.follow(base_job(self._k_job()) if done else None)
        self._show_neighbours()

    def onDeleteWidget(self):
        for part in (self.neighbours, self.reader):
            part.shutdown()
        self._later_peek.stop()
        self.k_bar.stop()
        super().onDeleteWidget()

    def _k_job(self) -> Job | None:
        """Job of the leading method, whatever it has come to."""
        lead = self.area.lead if self.problem else None
        return self.panel.job(lead.name) if lead is not None and lead.name in self.panel.offered else None

    def _show_neighbours(self) -> None:
        job = self._k_job()
        base = base_job(job)
        self.k_bar.setVisible(base is not None)
        curves = self.neighbours.found(base)
        if base is not None:
            values = job.values
            self.k_bar.set_state(*self.neighbours.state(base))
            self.k_bar.set_limits(curves and curves.max_neighbors, SIGMA in values)
            if self.preview is None:
                self.k_bar.set_position(values[K], values.get(SIGMA))
        self._ask_reader()

    # Sliders ---------------------------------------------------------------------------------------------------------

    def _all_k_clicked(self, wanted):
        self.all_k = wanted
        self.neighbours.ask(base_job(self._k_job()), wanted)
        self.follow_up()

    def _k_moved(self, _, sigma):
        curves = self.neighbours.found(base_job(self._k_job()))
        if curves is not None:
            self.k_chart.set_k(self.k_bar.position[0])
            there = curves.at_once(sigma)
            if not self._later_peek.isActive() and (there or self._cost < SLOW):
                self._later_peek.start(AT_ONCE if there else SUMMED)

    def _peek(self):
        """Show the scores at the sliders' position."""
        job = self._k_job()
        curves, ranking = self.neighbours.found(base_job(job)), self.result.rankings.get(job)
        if curves is None or (ranking is None and self.preview is None):
            return
        if self.preview is None and self._commit_later.isActive():  # what was chosen before is sent as it was
            self._commit_later.stop()
            self.commit.deferred()
        before = self.preview or Preview(job.method, job, ranking, ranking.scores)
        start = time.perf_counter()
        values = curves.scores(*self.k_bar.position)
        if not curves.at_once(self.k_bar.position[1]):
            self._cost = time.perf_counter() - start
        self.preview = before._replace(values=values)
        self._show_values(values)

    def _show_values(self, values):
        """Show values (p,) in the column of the leading score; nothing else is known of them."""
        area, lead = self.area, self.area.lead
        passing = Scores(
            lead.name, values, lead.title, lead.number, lead.tooltip, True, each=lead.each, short=lead.short
        )
        shown, place = list(area.model.columns), area.model.leading
        shown[place] = passing
        area.set_scores(shown, place)
        self.selection.set_scores([scores for scores in shown if not scores.waiting], place)
        self._apply_selection()

    def _k_chosen(self, k, sigma):
        """Set the parameters of the method, as if they had been typed; nothing to do if they are these already."""
        job = self._k_job()
        if base_job(job) is None:
            return
        if self._later_peek.isActive():
            self._later_peek.stop()
            self._peek()
        wanted = {K: k, SIGMA: sigma}
        wanted = {name: value for name, value in wanted.items() if name in job.values and job.values[name] != value}
        if not wanted:
            self._drop_preview()
            self._show()
            return
        self.panel.list.highlight(job.method)
        self.panel.form.change(wanted)

    # Scores that are shown -------------------------------------------------------------------------------------------

    @contextmanager
    def _with_preview(self) -> Iterator[None]:
        """Context in which the result has the scores of the sliders' position."""
        real = self.result
        self.result = self._joined(real)
        try:
            yield
        finally:
            self.result = real

    def _joined(self, real: Result) -> Result:
        """`real` with the preview, as a ranking that is not finished, until the ranking itself is there."""
        preview = self.preview
        if preview is None:
            return real
        job = self.panel.job(preview.name)
        if job != preview.job and job in real.rankings:
            self._drop_preview()
            return real
        shown = replace(preview.ranking, scores=preview.values, info={**preview.ranking.info, "final": False})
        return replace(real, rankings={**real.rankings, job: shown}, curves={job: [], **real.curves})

    def _drop_preview(self):
        self._later_peek.stop()
        self.preview = None

    def _show(self):
        with self._with_preview():
            super()._show()

    def _show_scores(self):
        with self._with_preview():
            super()._show_scores()

    def followed(self, job: Job) -> dict[str, object]:
        """Facts about a job; nothing is known of scores that only pass by."""
        if self.preview is not None and job == self.panel.job(self.preview.name):
            return {"null": None, "chances": None}
        return super().followed(job)

    def show_result(self, result, final):
        if final:
            self._drop_preview()
        super().show_result(result, final)

    def show_failure(self, exception):
        self.k_bar.stop()
        self._drop_preview()
        super().show_failure(exception)

    @gui.deferred
    def commit(self):
        if self.preview is not None:  # what is sent is what was ranked
            self._drop_preview()
            self._show_scores()
        super().commit()

    # Curves ----------------------------------------------------------------------------------------------------------

    def _curve_features(self) -> tuple[list[int], int]:
        """The best of the selected features, or else of all, and how many selected ones are left out."""
        lead = self.area.lead
        selected = self.area.model.selected
        chosen = [int(f) for f in lead.order if selected[f]]
        return (chosen[:SHOWN], max(len(chosen) - SHOWN, 0)) if chosen else ([int(f) for f in lead.order[:FIRST]], 0)

    def _ask_reader(self):
        if self.preview is not None:
            return  # when the sliders stay
        job = self._k_job()
        curves = self.neighbours.found(base_job(job))
        if curves is None:
            self.reader.ask(None, None)
            self._show_reading()
        else:
            k = min(job.values[K], curves.max_neighbors)
            self.reader.ask(curves, Wanted(tuple(self._curve_features()[0]), k, job.values.get(SIGMA)))
            self.k_chart.set_k(k)

    def _show_reading(self):
        reading, lead, names = self.reader.reading, self.area.lead, self.area.model.names
        features = reading.wanted.features if reading is not None and lead is not None else ()
        more = self._curve_features()[1] if features else 0
        shown = reading if features else None
        self.k_chart.show_reading(shown, [names[f] for f in features], self._k_title(), more)
        if shown is None:
            self.k_bar.set_note(None, 1, 1)
        else:
            self.k_bar.set_note(reading.agreement, reading.wanted.k, len(reading.curve))
        self.area.views.show_view()

    def _k_title(self) -> str:
        lead = self.area.lead
        return self.panel.offered[lead.name].title if lead is not None and lead.name in self.panel.offered else ""
