"""Base of the views of a comparison: a tab with controls, a picture, and work for a thread."""

from collections.abc import Callable, Mapping

import numpy as np
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from Orange.data import Table

from ...orange.comparison.comparison import ComparedRankings
from ...orange.stored_settings import Fits, fitting
from ..table.model import TableModel
from ..utils.controls import Reasoned, placed

Job = Callable[[object], object]  # gets the state of a task, returns a result
NO_RANKINGS = "There are no rankings yet. Connect tables of scores, or scorers and data"


class View(QWidget):
    """A tab.  A subclass has a `title`, calls `set_body` once, and overrides what it needs of the rest.

    Controls go into `controls`, a row above the body.  What the user sets there is kept in `settings`, a dictionary of
    plain literals whose names are in `setting_rules`, by `change`.  Long work is done by `job`, never here.
    """

    title = ""
    tooltip = ""
    setting_rules: Mapping[str, Fits] = {}  # names of the settings, and which values fit
    needs = ""  # title of another view without whose result this one has nothing to show
    model: TableModel | None = None  # of the table that is the body, whose first rows are reported; None: a picture

    picked = Signal(list)  # the features that the user chose, indices (int)
    changed = Signal()  # of settings; what depends on them is to be computed again

    def __init__(self, settings: dict | None = None, parent=None):
        super().__init__(parent)
        self.comparison: ComparedRankings | None = None
        self.settings = fitting(settings or {}, self.setting_rules)
        self.body: QWidget | None = None
        self.top, self.controls = QWidget(), QHBoxLayout()
        self.top.setLayout(self.controls)
        self.top.hide()
        self.stack = Reasoned()
        self.reason = self.stack.reason
        placed(QVBoxLayout(self), self.top, (self.stack, 1), spacing=2).setContentsMargins(0, 4, 0, 0)
        self.controls.setContentsMargins(4, 0, 4, 0)

    def add_control(self, text: str | QLabel, widget: QWidget, stretch: int = 0) -> QLabel:
        """Add a widget with its name to the row of controls."""
        label = text if isinstance(text, QLabel) else QLabel(text)
        label.setBuddy(widget)
        self.controls.addWidget(label)
        self.controls.addWidget(widget, stretch)
        return label

    def set_body(self, picture: QWidget, notes: QLabel | None = None) -> None:
        """Set the picture, and sentences below it; whatever was added to `controls` is shown above it."""
        self.body = picture
        if notes is not None:
            self.body = QWidget()
            placed(QVBoxLayout(self.body), (picture, 1), notes, spacing=0)
        self.stack.addWidget(self.body)
        self.top.setVisible(self.controls.count() > 0)

    # What the widget calls -------------------------------------------------------------------------------------------

    def set_comparison(self, comparison: ComparedRankings | None) -> None:
        self.comparison = comparison

    def is_offered(self) -> bool:
        """Return True if this view has, or can compute, something to show of what is connected."""
        return True

    def set_selected(self, mask: np.ndarray) -> None:
        """Mark the selected features, mask (p,) bool; emits nothing."""

    def job(self, comparison: ComparedRankings, settings: dict) -> Job | None:
        """Work for a thread, whose parts and end come to `show_result`; None if there is none, or all is done.

        The work stops soon after `state.is_interruption_requested()`, by whatever exception, and reports
        `state.set_progress_value(0 .. 100)`, `state.set_status(text)` and `state.set_partial_result(result)`; a
        ValueError is shown as it is.
        """
        return None

    def show_result(self, result: object) -> None:
        """Show what `job` returned, or a part of it."""

    def hear(self, title: str, result: object) -> None:
        """Take note of what the job of the view `title` returned, or a part of it."""

    def results(self) -> Table | None:
        return None

    def image_item(self) -> object | None:
        """Item that is saved as a picture and reported; None while there is only a reason."""
        return self.body if self.drawn else None

    def caption(self) -> str:
        """Sentence about what the picture shows, for reports."""
        return self.title

    # Help for subclasses ---------------------------------------------------------------------------------------------

    @property
    def drawn(self) -> bool:
        return self.body is not None and self.stack.currentWidget() is self.body

    def placeholder(self, text: str = "") -> None:
        """Show a reason in place of the body; the empty text brings the body back."""
        self.stack.say(text)

    def change(self, **settings: object) -> None:
        self.settings |= settings
        self.changed.emit()
