"""The main area of Ranking Comparison: a tab for each view, what they are to compute, and the strip."""

from collections.abc import Callable

import numpy as np
from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QTabBar, QVBoxLayout, QWidget
from Orange.data import Table

from ...orange.comparison.comparison import ComparedRankings
from ..utils.computing import BUTTONS
from ..utils.controls import placed
from ..utils.strip import Strip
from .agreement import AgreementView
from .quality import QualityView
from .ranks import RanksView
from .replication import ReplicationView
from .statistics import StatisticsView
from .view import View

VIEWS = AgreementView, RanksView, QualityView, StatisticsView, ReplicationView

PAGE_TIP = (
    "Save the ranks and scores of all ticked rankings, and how far they agree, as a file that any browser opens. It "
    "needs no network access"
)


class ComparisonArea(QWidget):
    """Knows which view is shown, and which have something left to compute; runs nothing."""

    picked = Signal(list)  # features, indices
    changed = Signal(bool)  # settings of a view; whether it has to compute
    shown = Signal(str)  # title of the view that the user chose
    page_wanted = Signal()  # the comparison as a web page

    def __init__(self, settings: dict, title: str, parent=None):
        super().__init__(parent)
        self.comparison: ComparedRankings | None = None
        self._finished: set[View] = set()
        self._begun: list[View] = []  # what computes, and what was left while it did
        self.views = [view(settings.get(view.title)) for view in VIEWS]
        self.tabs = QTabBar(drawBase=False, expanding=False, accessibleName="View")
        self.stack, self.strip = QStackedWidget(), Strip(buttons=BUTTONS)
        for number, view in enumerate(self.views):
            self.tabs.addTab(f"&{number + 1} {view.title}")
            self.tabs.setTabToolTip(number, view.tooltip)
            self.stack.addWidget(view)
            view.picked.connect(self.picked)
            view.changed.connect(lambda view=view: self._view_changed(view))
        self.tabs.currentChanged.connect(self._tab_chosen)
        self.page_button = QPushButton("Save as &Web Page\u2026", autoDefault=False, toolTip=PAGE_TIP)
        self.page_button.clicked.connect(self.page_wanted)
        head = placed(QHBoxLayout(), (self.tabs, 1), self.page_button)
        placed(QVBoxLayout(self), head, (self.stack, 1), self.strip)
        self._chosen_title = title  # of the view that the user chose; another one is shown while that is not offered
        self._offer()

    @property
    def view(self) -> View:
        return self.views[self.stack.currentIndex()]

    def show_view(self, title: str) -> None:
        self._chosen_title = title
        titles = [view.title for view in self.views]
        number = titles.index(title) if title in titles else 0
        if not self.views[number].is_offered():
            number = 0
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentIndex(number)
        self.stack.setCurrentIndex(number)

    def _offer(self) -> None:
        """Show the tabs of the views that have something to show, and the one that is wanted."""
        with QSignalBlocker(self.tabs):
            for number, view in enumerate(self.views):
                self.tabs.setTabVisible(number, view.is_offered())
        self.show_view(self._chosen_title)

    def settings(self) -> dict:
        """{title: settings}, plain literals, of the views that have any."""
        return {view.title: dict(view.settings) for view in self.views if view.settings}

    def results(self) -> Table | None:
        return next((table for table in (view.results() for view in self.views) if table is not None), None)

    def set_comparison(self, comparison: ComparedRankings | None) -> None:
        self.comparison, self._begun = comparison, []
        self.page_button.setEnabled(comparison is not None and len(comparison.titles) > 1)
        self._finished.clear()
        for view in self.views:
            view.set_comparison(comparison)
        self._offer()

    def set_selected(self, mask: np.ndarray) -> None:
        """Mark these features, (p,) bool, in all views."""
        for view in self.views if self.comparison else ():
            view.set_selected(mask)

    # What is to be computed ------------------------------------------------------------------------------------------

    def next_job(self) -> tuple[View, Callable] | None:
        """Next job: of the view that the shown one needs, of itself, or of a view that was left while it computed."""
        titles = {view.title: view for view in self.views}
        candidates = [titles.get(self.view.needs), self.view, *self._begun]
        for view in candidates if self.comparison else ():
            job = view.job(self.comparison, view.settings) if view and view not in self._finished else None
            if job is not None:
                self._begun = [*(begun for begun in self._begun if begun is not view), view]
                return view, job
        return None

    def show_result(self, view: View, result: object) -> None:
        view.show_result(result)
        for listener in self.views:
            if listener is not view:
                listener.hear(view.title, result)

    def end(self, view: View) -> None:
        """Nothing more of this view is to be computed: it is done, has failed, or was stopped."""
        self._finished.add(view)
        self._begun = [begun for begun in self._begun if begun is not view]

    def again(self) -> None:
        self._finished.clear()

    # What the user does ----------------------------------------------------------------------------------------------

    def _tab_chosen(self, number):
        self.stack.setCurrentIndex(number)
        self._chosen_title = self.view.title
        self.shown.emit(self.view.title)

    def _view_changed(self, view):
        self._finished -= {stale for stale in self.views if stale is view or stale.needs == view.title}
        self.changed.emit(type(view).job is not View.job)
