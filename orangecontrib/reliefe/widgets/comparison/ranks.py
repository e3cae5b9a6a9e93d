"""The view of ranks: where each feature stands in each ranking."""

import numpy as np
from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtWidgets import QLabel

from ...orange.stored_settings import between
from ..utils.controls import spin
from .bump_chart import BumpChart
from .view import NO_RANKINGS, View

USUAL_BEST = 20  # best features of each ranking at first


class RanksView(View):
    """Lines from ranking to ranking; a feature that all rankings like stays above."""

    title = "Ranks"
    tooltip = "Where each feature stands in each ranking"
    kept = {"most": between(1)}

    def __init__(self, settings=None, parent=None):
        super().__init__(settings, parent)
        tip = "Show features that are among this many best of any ranking"
        self.spin, self.counts = spin("Best features of each ranking", 1, 1, 1, tip), QLabel()
        self.add_control("&Best features of each ranking", self.spin)
        self.controls.addStretch()
        self.controls.addWidget(self.counts)
        self.chart = BumpChart()
        self.set_body(self.chart)
        self.spin.valueChanged.connect(self._most_changed)
        self.chart.chosen.connect(self._chosen)
        self.set_comparison(None)

    @property
    def most(self) -> int:
        return self.settings.get("most", USUAL_BEST)

    def set_comparison(self, comparison):
        super().set_comparison(comparison)
        self._show()

    def set_selected(self, mask):
        self.chart.set_selected(mask)

    def caption(self):
        return f"Ranks of the features among the best {self.most:,} of any ranking"

    def _show(self):
        known = self.comparison is not None and len(self.comparison.titles) > 0
        self.placeholder("" if known else NO_RANKINGS)
        self.spin.setEnabled(known)
        with QSignalBlocker(self.spin):
            self.spin.setMaximum(max(len(self.comparison.features), 1) if known else 1)
            self.spin.setValue(self.most)
        self.chart.show_ranks(self.comparison if known else None, self.most)
        shown = f"{len(self.chart.features):,} of {len(self.comparison.features):,} features" if known else ""
        self.counts.setText(shown)

    def _most_changed(self, most):
        self.change(most=most)
        self._show()

    def _chosen(self, features, more):
        """Ctrl adds; a feature that is selected already is then taken away."""
        if more:
            mask = self.chart.selected.copy()
            mask[features] = True if len(features) > 1 else ~mask[features]
            features = np.flatnonzero(mask).tolist()
        self.picked.emit(features)
