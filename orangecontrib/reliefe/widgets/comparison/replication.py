"""The view Replication of Ranking Comparison: features that hold in two cohorts, at a false discovery rate (Qt).

Each cohort is a connected table of scores with p-values. `core.replicate` makes the r-values.
"""

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QLabel, QPushButton

from ...core.inference.replication import ADAFILTER, FOLLOW_UP, SYMMETRIC, Replication, replicate
from ...core.words import counted, percent, some
from ...orange.comparison.comparison import CohortTests
from ...orange.stored_settings import one_of, string
from ..table.model import Column, TableModel
from ..table.view import ItemsView
from ..utils.controls import choices, fill
from .view import View

LEVELS = 0.01, 0.05, 0.1, 0.2  # false discovery rates
USUAL_LEVEL = 0.1
N_NAMED = 10  # features in a sentence
NEEDS = "Connect two tables of scores with p-values, one for each cohort. Rankers send them if p-values are ticked"
SELECT_TIP = "Select the replicated features, which Reduced Data and Features then have"
DESIGN_TIP = "Both cohorts are equal, or B follows up the discoveries of A. AdaFilter finds more"
# Titles of the designs, and arguments of `replicate`, by the names that workflows keep
DESIGNS = {
    SYMMETRIC: ("Symmetric", {"design": SYMMETRIC}),
    ADAFILTER: ("Symmetric, AdaFilter", {"method": ADAFILTER}),
    FOLLOW_UP: ("B follows up A", {"design": FOLLOW_UP}),
}


class ReplicationView(View):
    """r-values of the features of two cohorts."""

    title = "Replication"
    tooltip = "Features that are relevant in both of two cohorts"
    setting_rules = {"a": string, "b": string, "design": one_of(*DESIGNS), "level": LEVELS.__contains__}

    def __init__(self, settings=None, parent=None):
        super().__init__(settings, parent)
        self.result: Replication | None = None
        self.sentences = ""
        self.a = choices("Cohort A", tip="Table of scores of the first cohort", letters=6)
        self.b = choices("Cohort B", tip="Table of scores of the second cohort", letters=6)
        designs = [(title, name) for name, (title, _) in DESIGNS.items()]
        self.design = choices("Design", designs, self.settings.get("design"), DESIGN_TIP)
        levels = [(percent(level), level) for level in LEVELS]
        level = self.settings.get("level", USUAL_LEVEL)
        self.level = choices("False discovery rate", levels, level, "Expected share of false ones among the replicated")
        self.button = QPushButton("&Select", autoDefault=False, toolTip=SELECT_TIP)
        self.add_control("Cohort &A", self.a, 1)
        self.add_control("&B", self.b, 1)
        self.add_control("&Design", self.design)
        self.add_control("&FDR", self.level)
        self.controls.addWidget(self.button)
        self.model = TableModel(self)
        self.table = ItemsView(self.model, ("r", "a", "b"), 3, accessibleName="Replication of features")
        self.notes = QLabel(wordWrap=True, margin=4, textFormat=Qt.PlainText)
        self.notes.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.set_body(self.table, self.notes)
        for name, combo in (("a", self.a), ("b", self.b), ("design", self.design), ("level", self.level)):
            combo.activated.connect(lambda _, name=name, combo=combo: self._chosen(name, combo.currentData()))
        self.button.clicked.connect(self._select)
        self.set_comparison(None)

    def set_comparison(self, comparison):
        super().set_comparison(comparison)
        cohorts = comparison.cohorts if comparison else ()
        titles = [cohort.title for cohort in cohorts]
        fill(self.a, [(title, title) for title in titles], self.settings.get("a"))
        wanted_b = self.settings.get("b", titles[1] if len(titles) > 1 else None)
        fill(self.b, [(title, title) for title in titles], wanted_b)
        self._show()

    def is_offered(self):
        """Return True for tables of two cohorts."""
        return self.comparison is not None and len(self.comparison.cohorts) > 1

    def image_item(self):
        return None  # its sentences are reported

    def caption(self):
        return self.sentences

    def _show(self):
        cohorts = {cohort.title: cohort for cohort in (self.comparison.cohorts if self.comparison else ())}
        self.result = None
        self.sentences = ""
        reason = NEEDS
        if len(cohorts) > 1:
            a, b = cohorts[self.a.currentData()], cohorts[self.b.currentData()]
            reason = self._compare(a, b)
        self.button.setEnabled(bool(self._replicated_indices()))
        self.placeholder(reason)

    def _compare(self, a: CohortTests, b: CohortTests) -> str:
        """Compute and show r-values; returns the reason why there are none, or an empty text."""
        if a is b:
            return "Choose two different cohorts"
        _, options = DESIGNS[self.design.currentData()]
        try:
            result = replicate(a.p, b.p, **options)
        except ValueError as error:
            return str(error).replace("ranking_a", a.title).replace("ranking_b", b.title)
        self.result = result
        order = result.order
        r_tip = "Smallest false discovery rate at which the feature counts as replicated"
        self.model.beginResetModel()
        self.model.fields = (
            Column("feature", "Feature", [result.features[j] for j in order], widest="W" * 12),
            _numbers("r", "r", result.r[order], r_tip),
            _numbers("a", "p in A", result.p_a[order], a.title),
            _numbers("b", "p in B", result.p_b[order], b.title),
        )
        self.model.arrange()
        self.model.endResetModel()
        self.sentences = self._sentences(result)
        self.notes.setText(self.sentences)
        return ""

    def _sentences(self, result: Replication) -> str:
        level = self.level.currentData()
        replicated = result.replicated(level)
        features = counted(len(result.features), "feature")
        sentences = [f"{len(replicated):,} of {features} replicated at a false discovery rate of {percent(level)}"]
        if replicated:
            sentences[0] += f": {some(replicated, N_NAMED)}"
        for cohort, names in (("A", result.only_a), ("B", result.only_b)):
            if names:
                sentences.append(f"Only {cohort} has {some(names)}")
        return ". ".join(sentences) + "."

    def _replicated_indices(self) -> list[int]:
        """Indices of the replicated features among those that are compared."""
        if self.result is None or self.comparison is None:
            return []
        mask = self.comparison.mask(self.result.replicated(self.level.currentData()))
        return np.flatnonzero(mask).tolist()

    # What the user does ----------------------------------------------------------------------------------------------

    def _chosen(self, name: str, value: object):
        self.settings[name] = value
        self._show()
        self.change()

    def _select(self):
        self.picked.emit(self._replicated_indices())


def _numbers(key: str, title: str, values: np.ndarray, tip: str) -> Column:
    """A column of r-values or p-values."""
    return Column(key, title, values.tolist(), lambda item: f"{values[item]:.2g}", tip, Qt.AlignRight, widest="0.00012")
