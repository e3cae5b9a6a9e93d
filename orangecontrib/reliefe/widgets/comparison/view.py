"""Subject of the views: several rankings of the same features, and what came with them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from Orange.base import Learner
from Orange.data import Domain, Table
from Orange.preprocess.score import Scorer

from ...orange.ranking import POSITION_IN
from ..utils.controls import Reasoned, placed
from ..utils.settings import Fits, fitting


class KeptList(NamedTuple):
    """A list as it was on a date: its best features, the best first, of so many (number) that were ranked."""

    name: str
    date: str
    number: int
    features: list[str]


@dataclass(frozen=True, eq=False)
class Comparison:
    """t rankings of p features; replaced, never changed.

    features (p,): names, in the order of the data.  titles (t,): of the rankings, all different.  scores (t, p): known
    and finite, higher is better.  scorers: for each title what ranks so, or None: then the ranking is fixed, and may
    have seen any row.  data: has all features, or None.  learner: None for the usual one.  notes: sentences about what
    was left out.  evaluations: what the views sent for other data sets.  group: name of the column whose values rows
    of one group share; empty: none.  kept: those of the kept lists that are compared, by their titles.  lists: all.
    """

    features: tuple[str, ...]
    titles: tuple[str, ...]
    scores: np.ndarray
    scorers: Mapping[str, Scorer | None] = field(default_factory=dict)
    data: Table | None = None
    learner: Learner | None = None
    notes: Sequence[str] = ()
    evaluations: Sequence[Table] = ()
    group: str = ""
    kept: Mapping[str, KeptList] = field(default_factory=dict)
    lists: Sequence[KeptList] = ()

    @cached_property
    def orders(self) -> np.ndarray:
        """(t, p) features of each ranking, best first; of equal scores the lower index comes first."""
        return np.argsort(-self.scores, axis=1, kind="stable")

    @cached_property
    def places(self) -> np.ndarray:
        """(t, p) place of each feature in each ranking, from 0; no two features share one."""
        out = np.empty(self.scores.shape, np.intp)
        np.put_along_axis(out, self.orders, np.arange(out.shape[1])[None], axis=1)
        return out

    @cached_property
    def constant(self) -> np.ndarray:
        """(t,) bool: the rankings that score all features alike, and so have no order."""
        return np.ptp(self.scores, axis=1) == 0 if self.scores.shape[1] else np.zeros(len(self.titles), bool)

    @cached_property
    def table(self) -> Table | None:
        """The data with the compared features only, in their order; targets and metas stay."""
        if self.data is None:
            return None
        domain = self.data.domain
        wanted = [domain[name] for name in self.features]
        return self.data.transform(Domain(wanted, domain.class_vars, domain.metas))

    @property
    def kept_positions(self) -> dict[str, np.ndarray]:
        """(p,) positions of the features in each kept list that is compared, from 1; NaN where it lacks one."""
        places = [{name: place for place, name in enumerate(kept.features, 1)} for kept in self.kept.values()]
        positions = [np.array([place.get(name, np.nan) for name in self.features]) for place in places]
        return {POSITION_IN + title: values for title, values in zip(self.kept, positions, strict=True)}

    def scorer(self, title: str) -> Scorer | None:
        return self.scorers.get(title)

    @property
    def repeatable(self) -> list[Scorer]:
        """Scorers that can rank rows of the data again: those of the rankings that have one; none without data."""
        found = [self.scorer(title) for title in self.titles]
        return [scorer for scorer in found if scorer is not None] if self.data is not None and self.features else []

    def mask(self, names: Iterable[str]) -> np.ndarray:
        wanted = set(names)
        return np.fromiter((name in wanted for name in self.features), bool, len(self.features))

    def report_items(self) -> list[tuple[str, str | None]]:
        rows = None if self.data is None else f"{self.data.name}, {len(self.data):,} rows"
        return [("Rankings", ", ".join(self.titles)), ("Features", f"{len(self.features):,}"), ("Data", rows)]


Job = Callable[[object], object]  # gets the state of a task, returns a result
NO_RANKINGS = "There are no rankings yet. Connect tables of scores, or scorers and data"


class View(QWidget):
    """A tab.  A subclass has a `title`, calls `set_body` once, and overrides what it needs of the rest.

    Controls go into `controls`, a row above the body.  What the user sets there is kept in `settings`, a dictionary of
    plain literals whose names are in `kept`, by `change`.  Long work is done by `job`, never here.
    """

    title = ""
    tooltip = ""
    kept: Mapping[str, Fits] = {}  # names of the settings, and which values fit
    needs = ""  # title of another view without whose result this one has nothing to show

    picked = Signal(list)  # the features that the user chose, indices (int)
    changed = Signal()  # of settings; what depends on them is to be computed again

    def __init__(self, settings: dict | None = None, parent=None):
        super().__init__(parent)
        self.comparison: Comparison | None = None
        self.settings = fitting(settings or {}, self.kept)
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

    def set_comparison(self, comparison: Comparison | None) -> None:
        self.comparison = comparison

    def set_selected(self, mask: np.ndarray) -> None:
        """Mark the selected features, mask (p,) bool; emits nothing."""

    def job(self, comparison: Comparison, settings: dict) -> Job | None:
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
