"""The view of quality: how well the best features of each ranking predict, and how many are enough."""

from functools import partial

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QLabel, QSizePolicy, QSpinBox
from Orange.data import Table

from ...orange.comparison.comparison import ComparedRankings
from ...orange.comparison.quality import SEEN, Failure, Quality
from ...orange.comparison.quality_job import MEASURES_OF, QualityRequest, refusal, run
from ...orange.comparison.quality_table import MEASURES, to_table
from ...orange.problem import task_of
from ...orange.stored_settings import between, string
from ..utils.controls import LinkLabel, choices, fill, spin
from ..utils.markup import plain
from .quality_chart import QualityChart
from .view import Job, View

FOLDS, REPEATS = (2, 20), (1, 20)
MAX_TITLE = 30  # characters of a title in the box
WAITING = "No test fold is finished yet"
TIPS = {
    "lead": "The highlighted ranking, for which a number of features is suggested",
    "measure": "Measure of the quality of predictions on test rows",
    "n_folds": "Number of parts in cross-validation; each is the test set once",
    "n_repeats": "Number of cross-validations with different parts. More of them give narrower intervals",
}


class QualityView(View):
    """Everything is ranked and learned inside training folds; a ranking that came as scores has seen the test rows."""

    title = "Quality"
    tooltip = "How well the best features of each ranking predict"
    setting_rules = {"n_folds": between(*FOLDS), "n_repeats": between(*REPEATS), "lead": string, "measure": string}

    def __init__(self, settings: dict | None = None, parent=None):
        super().__init__(settings, parent)
        self.quality: Quality | None = None
        self._selected = np.zeros(0, bool)
        self._requested: tuple | None = None  # the comparison and the request that the quality is of
        self.chart, self.notes = QualityChart(), QLabel(wordWrap=True, textFormat=Qt.PlainText, margin=4)
        self._add_controls()
        self.set_body(self.chart, self.notes)
        self.chart.chosen.connect(self._choose)
        self._show()

    def _add_controls(self):
        self.lead, self.measure = choices("Leading ranking", tip=TIPS["lead"]), choices("Measure", tip=TIPS["measure"])
        self.folds = self._spin("n_folds", "Folds", *FOLDS)
        self.repeats = self._spin("n_repeats", "Repeats", *REPEATS)
        self.hint = LinkLabel()
        for text, widget in (("&Ranking", self.lead), ("&Measure", self.measure), ("&Folds", self.folds),
                             ("&Repeats", self.repeats)):  # fmt: skip
            self.add_control(text, widget)
            self.controls.addSpacing(6)
        for names in (self.lead, self.measure):
            names.setMinimumWidth(0)
            names.setSizePolicy(QSizePolicy.Minimum, QSizePolicy.Fixed)  # never cut
        self.controls.addStretch()
        self.layout().insertWidget(1, self.hint)
        self.hint.setContentsMargins(4, 0, 4, 0)
        self.lead.activated.connect(self._lead_chosen)
        self.measure.activated.connect(lambda: self.change(measure=self.measure.currentData()))
        self.hint.linkActivated.connect(lambda n: self._choose(self.lead.currentData(), int(n)))

    def _spin(self, name, title, low, high) -> QSpinBox:
        box = spin(title, getattr(self._request(self.settings), name), low, high, TIPS[name])
        box.valueChanged.connect(lambda value: self.change(**{name: value}))
        return box

    # What the widget calls -------------------------------------------------------------------------------------------

    def set_comparison(self, comparison: ComparedRankings | None) -> None:
        super().set_comparison(comparison)
        self.quality, self._requested = None, None
        table = comparison.table if comparison else None
        measures = MEASURES_OF[task_of(table.domain)] if table is not None else ()
        titles = comparison.titles if comparison else ()
        short = [t if len(t) <= MAX_TITLE else f"{t[: MAX_TITLE // 2]}\u2026{t[1 - MAX_TITLE // 2 :]}" for t in titles]
        fill(self.lead, zip(short, titles, map(plain, titles), strict=True), self.settings.get("lead"))
        fill(self.measure, [(MEASURES[measure], measure) for measure in measures], self.settings.get("measure"))
        self._show()

    def set_selected(self, mask: np.ndarray) -> None:
        self._selected = mask
        order = self._order(self.lead.currentData())
        n = int(np.count_nonzero(mask))
        self.chart.set_cut(n if order is not None and len(mask) == len(order) and mask[order[:n]].all() else 0)

    def job(self, comparison: ComparedRankings, settings: dict) -> Job | None:
        request = self._request(settings)
        if refusal(comparison):
            return None
        measured = self.quality if self._same(comparison, request) else None
        if measured is not None and len(measured.whole) == measured.n_folds * request.n_repeats:
            return None
        self.quality, self._requested = measured, (comparison, request)
        self._show()
        return partial(run, comparison, request, measured)

    def show_result(self, result: Quality | None) -> None:
        if result is not None:
            self.quality = result
            self._show()

    def results(self) -> Table | None:
        return to_table(self.quality)

    def image_item(self) -> object | None:
        return self.chart if self.drawn else None

    def caption(self) -> str:
        if self.quality is None:
            return self.title
        q = self.quality
        folds = f"{len(q.whole):,} test folds of {q.n_folds}-fold cross-validation"
        return (
            f"{MEASURES[q.measure]} of {q.learner} with the best features of each ranking on {q.name}: means and "
            f"95 % intervals over {folds}. {self.notes.text()}".strip()
        )

    # Help ------------------------------------------------------------------------------------------------------------

    def _same(self, comparison, request) -> bool:
        return self._requested is not None and self._requested[0] is comparison and self._requested[1] == request

    def _request(self, settings: dict) -> QualityRequest:
        request = QualityRequest()._replace(
            **{name: settings[name] for name in ("n_folds", "n_repeats") if name in settings}
        )
        measure = self.measure.currentData() if self.measure.count() else ""
        return request._replace(measure=measure or "")

    def _order(self, title: str) -> np.ndarray | None:
        if self.comparison is None or title not in self.comparison.titles:
            return None
        return self.comparison.orders[self.comparison.titles.index(title)]

    def _lead_chosen(self):
        self.settings["lead"] = self.lead.currentData()
        self.set_selected(self._selected)
        self._show()

    def _choose(self, title: str, n: int):
        order = self._order(title)
        if order is not None:
            self.lead.setCurrentIndex(self.lead.findData(title))
            self._lead_chosen()
            self.picked.emit([int(feature) for feature in order[:n]])

    def is_offered(self):
        """Return True with data, in which rankings are evaluated, or with results for other data."""
        compared = self.comparison
        return compared is not None and (compared.data is not None or bool(compared.evaluations))

    # Showing ---------------------------------------------------------------------------------------------------------

    def _show(self):
        quality, lead = self.quality, self.lead.currentData()
        reason = refusal(self.comparison)
        if not reason and (quality is None or not len(quality.whole)):
            reason = WAITING
        if not reason and np.isnan(quality.whole).all() and all(np.isnan(line.values).all() for line in quality.lines):
            reason = "\n".join(map(self._failed, quality.failures)) or "No test fold has a known target"
        self.chart.show_quality(None if reason else quality, lead)
        self.placeholder(reason)
        self.notes.setText(" ".join(self._notes()))
        self.notes.setVisible(bool(self.notes.text()))
        line = None if reason else quality.line(lead)
        n = quality.enough(line) if line is not None and len(line.values) else None
        self.hint.setToolTip("As few features as are within one standard error of the best mean of the leading ranking")
        self.hint.setVisible(n is not None)
        if n is not None:
            self.hint.set_links("Suggested: {}", (str(n), f"best {n:,}"))

    def _notes(self):
        if self.quality is None:
            return
        titles = [line.title for line in self.quality.lines if line.kind == SEEN]
        if titles:
            yield f"The scores of {', '.join(titles)} have seen the test rows, so their quality is probably too high."
            yield "For a fair comparison, connect the scorers."
        yield from (f"{note}." for note in self.quality.notes)
        yield from (self._failed(failure) for failure in self.quality.failures)

    def _failed(self, failure: Failure) -> str:
        n_measured = len(self.quality.whole)
        n = len(failure.folds)
        failed_line = self.quality.line(failure.who)
        extent = "all folds" if n == n_measured else f"{n} of {n_measured} folds"
        lines = self.quality.lines if failed_line is None else (failed_line,)
        if n == n_measured and not all(np.isnan(line.values).all() for line in lines):
            extent += ", with some numbers of features"
        return f"{failure.who} failed in {extent}: {failure.why.rstrip('.')}."
