"""The view of statistics: which differences between rankings are more than chance."""

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QCheckBox, QLabel, QStackedWidget

from ...orange.comparison.comparison import ComparedRankings
from ...orange.comparison.data_sets import DataSets, gather, parsed
from ...orange.comparison.quality import AREA, Quality
from ...orange.comparison.quality_job import refusal
from ...orange.comparison.quality_table import MEASURES
from ...orange.comparison.statistical_tests import Posterior, mean_ranks, pairs_of, posterior, too_few
from ...orange.stored_settings import between, number, one_of, string, switch
from ..utils.controls import choices, fill, number_box
from .pairs_chart import PairsChart
from .quality import QualityView
from .rank_chart import RankChart
from .triangle_chart import TriangleChart
from .view import Job, View

PAIRS, RANKS, POSTERIOR = "pairs", "ranks", "posterior"
MODES = {
    PAIRS: ("Pairs", "Corrected resampled t-test of every two rankings on one data set"),
    RANKS: ("Mean ranks", "Friedman's and Nemenyi's tests over several data sets, and their critical difference"),
    POSTERIOR: ("Posterior", "Hierarchical Bayesian test of two rankings over several data sets"),
}
ROPE = 0.01
SAMPLING = "The posterior is being sampled"
DEPENDENT = (
    "Folds of one data set are not independent, so differences look more certain than they are. Connect evaluations "
    "of other data sets."
)
MANY = "The p-values are not corrected for the number of pairs."


class StatisticsView(View):
    """Compares what the view of quality measured here, and what it sent for other data sets."""

    title = "Statistics"
    tooltip = "Which differences are more than chance"
    needs = QualityView.title
    setting_rules = {"mode": one_of(*MODES), "rope": number, "references": switch, "at": between(AREA), "first": string,
            "second": string}  # fmt: skip

    def __init__(self, settings: dict | None = None, parent=None):
        super().__init__(settings, parent)
        self.quality: Quality | None = None
        self.sets = DataSets()
        self._evaluations = []
        self._unread = []
        self._posteriors: dict[tuple, Posterior | None] = {}
        self.pairs = PairsChart()
        self.ranks = RankChart()
        self.triangle = TriangleChart()
        self.charts, self.notes = QStackedWidget(), QLabel(wordWrap=True, textFormat=Qt.PlainText, margin=4)
        for chart in (self.pairs, self.ranks, self.triangle):
            self.charts.addWidget(chart)
        self._add_controls()
        self.set_body(self.charts, self.notes)
        self._show()

    def _add_controls(self):
        modes = [(text, mode, tip) for mode, (text, tip) in MODES.items()]
        self.mode = choices("Test", modes, self.settings.get("mode"))
        self.mode.setToolTip(MODES[self.mode.currentData()][1])
        self.at = choices("Number of best features", tip="Number of best features at which rankings are compared")
        self.first, self.second = (choices(f"{name} ranking") for name in ("First", "Second"))
        rope = "Differences up to this value count as equal, in units of the measure"
        equal = self.settings.get("rope", ROPE)
        name = "Region of practical equivalence"
        self.rope = number_box(name, equal, 0, 1, rope, decimals=3, singleStep=0.005)
        references = "Compare with the random ranking and the other references, too"
        compares_references = self.settings.get("references", True)
        self.references = QCheckBox("Re&ferences", checked=compares_references, toolTip=references)
        for text, widget in (("&Test", self.mode), ("&At", self.at), ("&Of", self.first), ("and", self.second),
                             ("&Equal up to", self.rope)):  # fmt: skip
            widget.label = self.add_control(text, widget)
        self.controls.addWidget(self.references)
        self.controls.addStretch()
        for combo in (self.mode, self.at, self.first, self.second):
            combo.activated.connect(self._changed)
        self.rope.valueChanged.connect(self._changed)
        self.references.clicked.connect(self._changed)

    # What the widget calls -------------------------------------------------------------------------------------------

    def set_comparison(self, comparison: ComparedRankings | None) -> None:
        super().set_comparison(comparison)
        self.quality = None
        self._evaluations, self._unread = parsed(comparison.evaluations if comparison else ())
        self._gather()

    def hear(self, title: str, result: Quality | None) -> None:
        if title == QualityView.title and result is not None:
            self.quality = result
            self._gather()

    def job(self, comparison: ComparedRankings, settings: dict) -> Job | None:
        request = self._request()
        if self._mode != POSTERIOR or too_few(self.sets, POSTERIOR) or request in self._posteriors:
            return None
        return lambda state, sets=self.sets: (request, posterior(sets, *request, state))

    def show_result(self, result: tuple | None) -> None:
        if result is not None:
            self._posteriors[result[0]] = result[1]
            self._show()

    def image_item(self) -> object | None:
        return self.charts.currentWidget() if self.drawn else None

    def caption(self) -> str:
        if not self.sets.qualities:
            return self.title
        quality = self.sets.qualities[-1]
        data_names = f"on {', '.join(self.sets.names)}" if self._mode != PAIRS else f"on {quality.name}"
        tip, notes = MODES[self._mode][1], self.notes.text()
        return f"{tip}. {MEASURES[quality.measure]}, {self.at.currentText().lower()}, {data_names}. {notes}".strip()

    # Help ------------------------------------------------------------------------------------------------------------

    @property
    def _mode(self) -> str:
        return self.mode.currentData()

    def _request(self) -> tuple:
        return self.first.currentText(), self.second.currentText(), self.at.currentData(), self.rope.value()

    def _gather(self):
        before = self.sets
        self.sets = gather(self.quality, self._evaluations, self.references.isChecked())
        if [*map(id, before.qualities)] != [*map(id, self.sets.qualities)]:
            self._posteriors = {}
        sizes = sorted({int(size) for quality in self.sets.qualities for size in quality.sizes})
        items = [("All numbers (area under the curve)", AREA), *((f"Best {size:,}", size) for size in sizes)]
        fill(self.at, items, self.settings.get("at", AREA))
        titles = [(title, title) for title in self.sets.titles]
        fill(self.first, titles, self.settings.get("first"))
        other_titles = [title for title in titles if title[0] != self.first.currentText()]
        fill(self.second, other_titles, self.settings.get("second"))
        self._show()

    def _changed(self, *_):
        settings = {"mode": self._mode, "rope": self.rope.value(), "references": self.references.isChecked()}
        if self.sets.titles:
            settings |= {"at": self.at.currentData(), "first": self.first.currentText()}
            settings["second"] = self.second.currentText()
        self.settings |= settings
        self.mode.setToolTip(MODES[self._mode][1])
        self._gather()
        self.change()

    def is_offered(self):
        """Return True with data, in which rankings are evaluated, or with results for other data."""
        compared = self.comparison
        return compared is not None and (compared.data is not None or bool(compared.evaluations))

    # Showing ---------------------------------------------------------------------------------------------------------

    def _show(self):
        mode, sets = self._mode, self.sets
        for widget in (self.first, self.second):
            widget.setVisible(mode == POSTERIOR)
            widget.label.setVisible(mode == POSTERIOR)
        self.rope.setVisible(mode != RANKS)
        self.rope.label.setVisible(mode != RANKS)
        reason = too_few(sets, mode)
        if not sets.qualities:
            reason = refusal(self.comparison) or reason
        at = self.at.currentData()
        if not reason and mode == POSTERIOR and self._request() not in self._posteriors:
            reason = SAMPLING
        shown = None if reason else self._results(mode, at)
        if not reason and shown is None:
            reason = "Too few folds in which all of these rankings are known"
        self.pairs.show_pairs(shown if mode == PAIRS else None)
        self.ranks.show_ranks(shown if mode == RANKS else None)
        self.triangle.show_posterior(shown if mode == POSTERIOR else None)
        self.charts.setCurrentIndex(list(MODES).index(mode))
        self.placeholder("\n".join([reason, *self._unread]) if reason else "")
        self.notes.setText(" ".join(self._notes(mode)))
        self.notes.setVisible(bool(self.notes.text()))

    def _results(self, mode, at):
        if mode == PAIRS:
            return pairs_of(self.sets, at, self.rope.value())
        return mean_ranks(self.sets, at) if mode == RANKS else self._posteriors[self._request()]

    def _notes(self, mode):
        sets = self.sets
        if mode == RANKS and len(sets.qualities) == 1:
            yield DEPENDENT
        if mode == PAIRS and len(sets.titles) > 2:
            yield MANY
        if mode == PAIRS and len(sets.qualities) > 1:
            yield f"Only the last data set counts here: {sets.names[-1]}."
        yield from (f"{note.rstrip('.')}." for note in (*sets.notes, *self._unread))
