"""All numbers of neighbours at once, for a ranker: sliders below the table, and curves beside the other views."""

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QTimer
from Orange.data import Table

from ..utils.jobs import Job, Result
from ..utils.task import RUNNING
from .background import Extra
from .everyk import SHOWN, SIGMA, K, KBar, NeighbourChart, Reader, Wanted, base_job, find
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


class EveryK(Extra):
    """Scores for all numbers of neighbours of the leading method, if it has a number of neighbours.

    Only the last curves are kept, which may take 64 MB.  While the sliders move, their scores are shown in the place of
    the leading ones; where they stay, the parameters of the method change as if they had been typed, and what is sent
    is the new ranking.
    """

    title, setting = "All k", "all_k"

    def __init__(self, ranker):
        self.reader, self.preview, self._cost = Reader(ranker), None, 0.0  # seconds of the last sum for a position
        self.bar, self.chart = KBar(), NeighbourChart()
        self._later_peek = QTimer(ranker, singleShot=True)
        super().__init__(ranker)
        self._later_peek.timeout.connect(self._peek)

    def connect(self) -> None:
        """The bar is below the table, the chart beside the other views."""
        area = self.ranker.area
        area.splitter.widget(0).layout().addWidget(self.bar)
        area.views.add(NEIGHBOURS, self.chart, lambda: self.chart.possible)
        self.bar.hide()
        for before, after in zip((area.table, *self.bar.controls), self.bar.controls, strict=False):
            self.ranker.setTabOrder(before, after)
        self.bar.clicked.connect(self.clicked)
        self.bar.moved.connect(self._moved)
        self.bar.chosen.connect(self._chosen)
        self.chart.k_moved.connect(self.bar.set_k)
        self.chart.k_chosen.connect(lambda k: self.bar.set_k(k, stay=True))
        self.changed.connect(self.show)
        self.reader.changed.connect(self._show_reading)
        area.model.selection_changed.connect(self._ask_reader)

    def work(self, job: Job) -> tuple:
        """Function and arguments of a job."""
        return find, self._table, job

    def caption(self, job: Job | None) -> str:
        """Nothing fails here but what has no scores for all k; the tooltip says why."""
        return f"{self.title}: not here" if job in self._failed else super().caption(job)

    def on_done(self, result):
        self._found.clear()
        super().on_done(result)

    def reset(self, table: Table | None) -> None:
        """Forget what was found for other data."""
        self.ranking_failed()
        self._cost = 0.0
        super().reset(table)
        self.reader.ask(None, None)

    def ranking_failed(self) -> None:
        """Forget the position that was to be ranked."""
        self.bar.stop()
        self.drop_preview()

    def facts(self, job: Job) -> dict[str, object]:
        """Nothing is known of scores that only pass by."""
        passes = self.preview is not None and job == self.ranker.panel.job(self.preview.name)
        return {"null": None, "chances": None, "significance": None} if passes else {}

    def refresh(self, job: Job | None) -> None:
        """Beside all other extras."""
        ranker = self.ranker
        if ranker.run_state != RUNNING:
            lead = ranker.area.lead
            done = lead is not None and not lead.partial and ranker.isVisible()
            self.follow(base_job(self.job()) if done else None)
        self.show()

    def shutdown(self):
        super().shutdown()
        self.reader.shutdown()
        self._later_peek.stop()
        self.bar.stop()

    def job(self) -> Job | None:
        """Job of the leading method, whatever it has come to."""
        ranker = self.ranker
        lead = ranker.area.lead if ranker.problem else None
        return ranker.panel.job(lead.name) if lead is not None and lead.name in ranker.panel.offered else None

    def show(self) -> None:
        """Show the sliders, and ask for what is read from the curves."""
        job = self.job()
        base = base_job(job)
        self.bar.setVisible(base is not None)
        curves = self.found(base)
        if base is not None:
            values = job.values
            self.bar.set_state(*self.state(base))
            self.bar.set_limits(curves and curves.max_neighbors, SIGMA in values)
            if self.preview is None:
                self.bar.set_position(values[K], values.get(SIGMA))
        self._ask_reader()

    def clicked(self, wanted: bool) -> None:
        """The box; what nobody wants to see takes no room."""
        self.ranker.all_k = wanted
        self.ask(base_job(self.job()), wanted)
        if not wanted:
            self._found.clear()
        self.ranker.extras.refresh(self.ranker)

    # Sliders ---------------------------------------------------------------------------------------------------------

    def _moved(self, _, sigma):
        curves = self.found(base_job(self.job()))
        if curves is not None:
            self.chart.set_k(self.bar.position[0])
            there = curves.at_once(sigma)
            if not self._later_peek.isActive() and (there or self._cost < SLOW):
                self._later_peek.start(AT_ONCE if there else SUMMED)

    def _peek(self):
        """Show the scores at the sliders' position."""
        job = self.job()
        curves, ranking = self.found(base_job(job)), self.ranker.result.rankings.get(job)
        if curves is None or (ranking is None and self.preview is None):
            return
        if self.preview is None and self.ranker.later.isActive():  # what was chosen before is sent as it was
            self.ranker.later.stop()
            self.ranker.commit.deferred()
        before = self.preview or Preview(job.method, job, ranking, ranking.scores)
        start = time.perf_counter()
        values = curves.scores(*self.bar.position)
        if not curves.at_once(self.bar.position[1]):
            self._cost = time.perf_counter() - start
        self.preview = before._replace(values=values)
        self._show_values(values)

    def _show_values(self, values):
        """Show values (p,) in the column of the leading score; nothing else is known of them."""
        ranker, area, lead = self.ranker, self.ranker.area, self.ranker.area.lead
        passing = Scores(
            lead.name, values, lead.title, lead.number, lead.tooltip, True, each=lead.each, short=lead.short
        )
        shown, place = list(area.model.columns), area.model.leading
        shown[place] = passing
        area.set_scores(shown, place)
        ranker.selection.set_scores([scores for scores in shown if not scores.waiting], place)
        ranker.apply_selection()

    def _chosen(self, k, sigma):
        """Set the parameters of the method, as if they had been typed; nothing to do if they are these already."""
        job = self.job()
        if base_job(job) is None:
            return
        if self._later_peek.isActive():
            self._later_peek.stop()
            self._peek()
        wanted = {K: k, SIGMA: sigma}
        wanted = {name: value for name, value in wanted.items() if name in job.values and job.values[name] != value}
        if not wanted:
            self.drop_preview()
            self.ranker.show_all()
            return
        self.ranker.panel.list.highlight(job.method)
        self.ranker.panel.form.change(wanted)

    # Scores that are shown -------------------------------------------------------------------------------------------

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
        """Show the ranking again, from the next time on."""
        self._later_peek.stop()
        self.preview = None

    # Curves ----------------------------------------------------------------------------------------------------------

    def _curve_features(self) -> tuple[list[int], int]:
        """The best of the selected features, or else of all, and how many selected ones are left out."""
        lead = self.ranker.area.lead
        selected = self.ranker.area.model.selected
        chosen = [int(f) for f in lead.order if selected[f]]
        return (chosen[:SHOWN], max(len(chosen) - SHOWN, 0)) if chosen else ([int(f) for f in lead.order[:FIRST]], 0)

    def _ask_reader(self):
        if self.preview is not None:
            return  # when the sliders stay
        job = self.job()
        curves = self.found(base_job(job))
        if curves is None:
            self.reader.ask(None, None)
            self._show_reading()
        else:
            k = min(job.values[K], curves.max_neighbors)
            self.reader.ask(curves, Wanted(tuple(self._curve_features()[0]), k, job.values.get(SIGMA)))
            self.chart.set_k(k)

    def _show_reading(self):
        reading, lead, names = self.reader.reading, self.ranker.area.lead, self.ranker.area.model.names
        features = reading.wanted.features if reading is not None and lead is not None else ()
        more = self._curve_features()[1] if features else 0
        shown = reading if features else None
        self.chart.show_reading(shown, [names[f] for f in features], self._k_title(), more)
        if shown is None:
            self.bar.set_note(None, 1, 1)
        else:
            self.bar.set_note(reading.agreement, reading.wanted.k, len(reading.curve))
        self.ranker.area.views.show_view()

    def _k_title(self) -> str:
        lead, offered = self.ranker.area.lead, self.ranker.panel.offered
        return offered[lead.name].title if lead is not None and lead.name in offered else ""
