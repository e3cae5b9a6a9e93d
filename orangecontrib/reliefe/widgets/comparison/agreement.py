"""The view of agreement: which measure, at how many of the best features."""

import numpy as np
from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtWidgets import QCheckBox, QSlider

from ...orange.comparison.agreements import MEASURES, WITHOUT_SIZES, Agreements, agreements
from ...orange.comparison.comparison import ComparedRankings
from ...orange.comparison.ranking_tree import tree_of
from ...orange.stored_settings import between, one_of, switch
from ..ranker.selection import STEPS, n_at, step_at
from ..utils.controls import QuietLabel, choices, spin
from .agreement_chart import AgreementChart
from .view import NO_RANKINGS, View

USUAL_BEST, MAX_SHARE = 16, 3  # best features at first, but at most one in three
ONE = "There is only one ranking. Connect another one to see whether they agree"
ALIKE = "Every ranking has only equal scores, so there is no order to compare"


class AgreementView(View):
    """A clustered heat map of every two rankings, and curves over the number of best features."""

    title = "Agreement"
    tooltip = "How well the rankings agree"
    setting_rules = {"measure": one_of(*MEASURES), "n": between(1), "all": switch}

    def __init__(self, settings=None, parent=None):
        super().__init__(settings, parent)
        self.agreements, self._compared = None, None  # the agreements, and the comparison that they are of
        measures = [(title, name, tip) for name, (title, tip) in MEASURES.items()]
        self.measure = choices("Measure of agreement", measures, self.settings.get("measure"))
        amount = "Number of best features that are compared"
        self.slider = QSlider(Qt.Horizontal, minimum=0, maximum=STEPS, accessibleName=amount, toolTip=amount)
        self.spin = spin(amount, 1, 1, 1, amount)
        tip = "Mean agreement over all numbers of best features: area under the curve at powers of two"
        self.all = QCheckBox("&All numbers", checked=self.settings.get("all", False), toolTip=tip)
        self.add_control("&Measure", self.measure)
        self.label = self.add_control("Best &n", self.spin)
        self.controls.insertWidget(self.controls.count() - 1, self.slider, 1)
        self.controls.addWidget(self.all)
        self.chart = AgreementChart()
        self.set_body(self.chart)
        self.about = QuietLabel(margin=4)
        self.layout().addWidget(self.about)
        self.measure.activated.connect(self._measure_changed)
        self.slider.valueChanged.connect(lambda step: self._set_n(n_at(step, self.p)))
        self.spin.valueChanged.connect(self._set_n)
        self.all.clicked.connect(self._all_clicked)
        self.chart.n_moved.connect(self._set_n)
        self.chart.chosen.connect(self._chosen)
        self.set_comparison(None)

    @property
    def p(self) -> int:
        return len(self.comparison.features) if self.comparison else 0

    @property
    def n(self) -> int:
        n = self.settings.get("n", min(USUAL_BEST, -(-self.p // MAX_SHARE)))
        return min(n, max(self.p, 1)) or 1

    # What the widget calls -------------------------------------------------------------------------------------------

    def set_comparison(self, comparison):
        super().set_comparison(comparison)
        self.agreements = self._compared = None
        self._show()

    def job(self, comparison: ComparedRankings, settings: dict):
        measure = self.measure.currentData()
        if self._has_computed(comparison, measure) or _reason(comparison):
            return None
        n = self.n
        return lambda state: agreements(comparison, measure, n, state)

    def _has_computed(self, comparison: ComparedRankings, measure: str) -> bool:
        if self._compared is not comparison:
            return False
        return self.agreements.measure == measure and self.agreements.has(self.n)

    def show_result(self, result):
        self.agreements, self._compared = result, self.comparison
        self._show()

    def caption(self):
        title = MEASURES[self.measure.currentData()][0]
        what = f"the best {self.n:,}"
        if self._has_no_sizes:
            what = "all features"
        elif self._all:
            what = "all numbers of best features"
        return f"Agreement of rankings: {title} of {what}"

    # What the user does ----------------------------------------------------------------------------------------------

    def _measure_changed(self):
        self._show()
        self.change(measure=self.measure.currentData())

    def _set_n(self, n):
        if n != self.settings.get("n") and self.p:
            self.settings["n"] = int(n)
            self._show()
            self.change(n=int(n))

    def _all_clicked(self):
        self.settings["all"] = self.all.isChecked()
        self._show()
        self.change(all=self.all.isChecked())

    def _chosen(self, i, j):
        """The features that both have among their best."""
        ranks = self.comparison.places
        self.picked.emit(np.flatnonzero((ranks[i] < self.n) & (ranks[j] < self.n)).tolist())

    # Drawing ---------------------------------------------------------------------------------------------------------

    @property
    def _has_no_sizes(self) -> bool:
        return self.measure.currentData() in WITHOUT_SIZES

    @property
    def _all(self) -> bool:
        return self.all.isChecked() and not self._has_no_sizes

    def _show(self):
        measured, reason = not self._has_no_sizes, _reason(self.comparison)
        for part in (self.label, self.slider, self.spin):
            part.setEnabled(measured and not self._all and not reason)
        self.all.setEnabled(measured and not reason)
        with QSignalBlocker(self.spin), QSignalBlocker(self.slider):
            self.spin.setMaximum(max(self.p, 1))
            self.spin.setValue(self.n)
            self.slider.setValue(step_at(self.n, self.p))
        title, about = MEASURES[self.measure.currentData()]
        self.about.setText(f"{title}: {about[:1].lower()}{about[1:]}")
        self.about.setVisible(not reason)
        stale = self.agreements is None or self.agreements.measure != self.measure.currentData()
        self.placeholder(reason or ("Comparing \u2026" if stale else ""))
        if not reason and not stale:
            self._draw(self.agreements)

    def _draw(self, agreements: Agreements):
        comparison = self.comparison
        tree = tree_of(agreements.area)  # so that the order stays while n changes
        self.chart.show_agreements(comparison.titles, comparison.places, agreements, tree, self.n, self._all)


def _reason(comparison) -> str:
    if comparison is None or not comparison.titles:
        return NO_RANKINGS
    if len(comparison.titles) < 2:
        return ONE
    return ALIKE if comparison.constant.all() and len(comparison.features) > 1 else ""
