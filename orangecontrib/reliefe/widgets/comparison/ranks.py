"""The view of ranks: the same features in every ranking."""

import numpy as np
from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtWidgets import QLabel, QSpinBox

from ..utils.settings import between
from .bumpchart import BumpChart
from .view import NO_RANKINGS, View

USUAL_BEST = 20  # best features of each ranking at first


class RanksView(View):
    """Lines from ranking to ranking; a feature that all rankings like stays above."""

    title = "Ranks"
    tooltip = "Where each feature stands in each ranking"
    kept = {"most": between(1)}

    def __init__(self, settings=None, parent=None):
        super().__init__(settings, parent)
        tip = "Features are shown that are among so many best ones of any ranking"
        self.spin = QSpinBox(minimum=1, accessibleName="Best features of each ranking", keyboardTracking=False)
        self.spin.setToolTip(tip)
        self.spin.setGroupSeparatorShown(True)
        self.label, self.counts = QLabel("&Best features of each ranking"), QLabel()
        self.label.setBuddy(self.spin)
        self.controls.addWidget(self.label)
        self.controls.addWidget(self.spin)
        self.controls.addStretch()
        self.controls.addWidget(self.counts)
        self.chart = BumpChart()
        self.set_body(self.chart)
        self.spin.valueChanged.connect(self._most_changed)
        self.chart.chosen.connect(self._chosen)
        self.set_comparison(None)

    @property
    def most(self) -> int:
        """Number of best features of each ranking that are shown."""
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
