"""The lower part of a ranker: scores by rank, or where there are several targets a heat map of them."""

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from .heatmap import HeatMap
from .model import RankingModel, Scores
from .plot import ScorePlot

PLOT, HEAT = VIEWS = ("plot", "heatmap")
TABS = {
    PLOT: ("Scores by rank", "Every score over its own rank"),
    HEAT: ("&Heat map", "Scores of the features for each target, in the order of the table"),
}


class Views(QWidget):
    """The heat map is offered while there are scores for each target; which view is wanted is remembered."""

    changed = Signal(str)  # the user chose another view

    def __init__(self, model: RankingModel, wanted: str = PLOT, log: bool | None = None, parent=None):
        super().__init__(parent)
        self.wanted, self._model = wanted if wanted in VIEWS else PLOT, model
        self.plot, self.heatmap = ScorePlot(log), HeatMap()
        self.tabs = QTabBar(drawBase=False, expanding=False, accessibleName="View")
        for number, (text, tip) in enumerate(TABS.values()):
            self.tabs.addTab(text)
            self.tabs.setTabToolTip(number, tip)
        self.tabs.currentChanged.connect(self._chosen)
        self.stack = QStackedWidget()
        for view in (self.plot, self.heatmap):
            self.stack.addWidget(view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self.stack, 1)
        for signal in (model.layoutChanged, model.rows_changed, model.selection_changed):
            signal.connect(self._show_order)
        self.set_scores((), 0)

    @property
    def figure(self) -> object:
        """What is saved as a picture: the view that is shown."""
        return self.plot.plotItem if self.stack.currentWidget() is self.plot else self.heatmap

    def set_scores(self, columns: Sequence[Scores], leading: int) -> None:
        """The heat map shows the leading score's targets, or those of the first score that has any."""
        names = self._model.names
        self.plot.set_data(columns, leading, names)
        lead = next((s for s in (*columns[leading : leading + 1], *columns) if s.each), None)
        each = lead.each if lead else ()
        values = np.array([values for _, values in each]).reshape(len(each), len(names))
        self.heatmap.set_scores(names, [target for target, _ in each], values, lead.number if lead else 0)
        self._show_order()
        self._show_view()

    def _show_order(self):
        self.heatmap.set_order(self._model.rows, self._model.selected)

    def _show_view(self):
        possible = self.heatmap.possible
        number = VIEWS.index(self.wanted if possible else PLOT)
        self.tabs.setVisible(possible)
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentIndex(number)
        self.stack.setCurrentIndex(number)

    def _chosen(self, number):
        self.wanted = VIEWS[number]
        self._show_view()
        self.changed.emit(self.wanted)
