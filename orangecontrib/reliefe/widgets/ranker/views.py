"""The lower part of a ranker: scores by rank, where there are several targets a heat map of them, and other views."""

from collections.abc import Callable, Sequence

import numpy as np
from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from .heatmap import HeatMap
from .labeltree import LabelTree
from .model import RankingModel
from .plot import ScorePlot
from .scores import Scores
from .volcano import Volcano

PLOT, HEAT, CONVERGENCE, VOLCANO, NEIGHBOURS = VIEWS = ("plot", "heatmap", "convergence", "volcano", "neighbours")
TABS = {
    PLOT: ("Scores by rank", "Every score over its own rank"),
    HEAT: ("&Heat map", "Scores of the features for each target, in the order of the table"),
    VOLCANO: ("Score and &q", "Every score over its false discovery rate: a volcano plot"),
    CONVERGENCE: ("Con&vergence", "How the best features settle as the ranking goes on"),
    NEIGHBOURS: ("Score b&y k", "Scores of the selected features for every number of neighbours"),
}
MIN_MAP_WIDTH = 120  # pixels that the tree of labels leaves to the heat map


class Views(QWidget):
    """The heat map is offered while there are scores for each target; which view is wanted is remembered.

    Beside it, where the targets are a hierarchy, is the tree of labels: it shows one branch.  A ranker may `add` views.
    """

    changed = Signal(str)  # the user chose another view
    label_chosen = Signal(str)  # in the tree: the name of the scores for it; empty: all

    def __init__(self, model: RankingModel, wanted: str = PLOT, log: bool | None = None, parent=None):
        super().__init__(parent)
        self.wanted, self._model = wanted if wanted in VIEWS else PLOT, model
        self.plot, self.heatmap = ScorePlot(log), HeatMap()
        self.tabs = QTabBar(drawBase=False, expanding=False, accessibleName="View")
        self.tabs.currentChanged.connect(self._chosen)
        self.stack, self.pages = QStackedWidget(), {}
        self.tree, self._shown = LabelTree(), None
        self.tree.hide()
        self.tree.chosen.connect(self._label_chosen)
        self.page = QSplitter(childrenCollapsible=False)
        self.heatmap.setMinimumWidth(MIN_MAP_WIDTH)
        for view in (self.tree, self.heatmap):
            self.page.addWidget(view)
        self.page.setStretchFactor(1, 1)
        self.add(PLOT, self.plot, lambda: True)
        self.add(HEAT, self.page, lambda: self.heatmap.possible)
        self.volcano = Volcano()
        self.add(VOLCANO, self.volcano, lambda: self.volcano.possible)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self.stack, 1)
        for signal in (model.layoutChanged, model.rows_changed, model.selection_changed):
            signal.connect(self._show_order)
        self.set_scores((), 0)

    def add(self, name: str, page: QWidget, possible: Callable[[], bool]) -> None:
        """A page for one of VIEWS, offered while it is possible."""
        self.pages[name] = page, possible
        with QSignalBlocker(self.tabs):
            self.tabs.setTabToolTip(self.tabs.addTab(TABS[name][0]), TABS[name][1])
        self.stack.addWidget(page)

    @property
    def figure(self) -> object:
        """Item that is saved as a picture: the view that is shown.

        A widget, and no plot item: pyqtgraph's own export to SVG fails on the closed paths of newer versions of Qt.
        """
        shown = self.stack.currentWidget()
        return self.heatmap if shown is self.page else shown

    def set_scores(self, columns: Sequence[Scores], leading: int) -> None:
        """The heat map shows the leading score's targets, or those of the first score that has any."""
        columns = [scores for scores in columns if not scores.waiting]  # they come last
        self.plot.set_data(columns, leading, self._model.names)
        lead = columns[leading] if columns else None
        self.volcano.show_scores(lead, self._model.names, self._model.selected)
        self._shown = next((s for s in (*columns[leading : leading + 1], *columns) if s.each), None)
        self._show_branch()
        self.show_view()

    def set_hierarchy(self, labels: Sequence[str], parents: Sequence[Sequence[int]] | None) -> None:
        """The labels with the indices of their parents, or None: they are no hierarchy."""
        self.tree.set_labels(labels if parents else (), parents or ())
        self.tree.setVisible(bool(parents))

    def _label_chosen(self, label):
        self._show_branch()
        named = label is not None and self._shown
        self.label_chosen.emit(self._shown.detail_name(self.tree.names[label]) if named else "")

    def _show_branch(self):
        names, each = self._model.names, self._shown.each if self._shown else ()
        if self.tree.current is not None:
            wanted = {self.tree.names[label] for label in self.tree.branch(self.tree.current)}
            each = tuple((target, values) for target, values in each if target in wanted)
        values = np.array([values for _, values in each]).reshape(len(each), len(names))
        self.heatmap.set_scores(names, [target for target, _ in each], values, self._shown.number if self._shown else 0)
        self._show_order()

    def _show_order(self):
        self.heatmap.set_order(self._model.rows, self._model.selected)
        self.volcano.set_selected(self._model.selected)

    def show_view(self) -> None:
        """Show the view that is wanted if it is possible, and offer those that are."""
        names = list(self.pages)
        offered = [name for name in names if self.pages[name][1]()]
        number = names.index(self.wanted if self.wanted in offered else PLOT)
        with QSignalBlocker(self.tabs):
            for place, name in enumerate(names):
                self.tabs.setTabVisible(place, name in offered)
            self.tabs.setCurrentIndex(number)
        self.tabs.setVisible(len(offered) > 1)
        self.tabs.updateGeometry()  # a tab that appears beside others is not always painted
        self.tabs.update()
        self.stack.setCurrentIndex(number)

    def _chosen(self, number):
        self.wanted = list(self.pages)[number]
        self.show_view()
        self.changed.emit(self.wanted)
