"""Choice of columns: a target where the data have none that fits, or times until an event; features left out."""

from collections.abc import Collection, Iterable, Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...core.words import shown, some
from ...orange.chosen_target import (
    ChosenTimes,
    event_values,
    find_times,
    possible_targets,
    possible_times,
    with_target,
    with_times,
)
from ...orange.jobs.result import Result
from ...orange.problem import SURVIVAL, UNSUPERVISED, task_of
from ...orange.stored_settings import strings
from ...orange.targets import are_times
from ..utils.controls import LinkLabel, choices, fill, form, named, placed
from ..utils.markup import plain

LETTERS = 14  # of the boxes of columns
FEW_LETTERS = 5  # of the boxes of an event and its value, which share a row
TIP = "Column to predict. It stays chosen for further data, and is the target of what is sent. Type to filter the names"
TIME_TIP = "Number: the time until the event, or until the row was no longer watched. Type to filter the names"
EVENT_TIP = "Column that says whether the event was seen, or the time is censored. Type to filter the names"
VALUE_TIP = (
    "Value that says that the event was seen; any other value is censored. Known words are 1, yes, dead, relapse ..."
)
LEAVE_TIP = "The column becomes a meta: it is neither ranked nor compared. Another click takes it back"
OUT, BACK, TIMES = "out", "back", "times"  # targets of links
CHOOSE_TIMES = 0  # data of an entry; those of columns are their names
TIMES_TITLE = "times until an event"
READ_AS_TIMES = "Read as times until an event"


class ColumnsBox(QWidget, gui.OWComponent):
    """Shows only what there is to choose.

    The target of the data stays until the user chooses another one; nothing is read as times by itself.
    """

    changed = Signal()  # the user chose

    target = Setting("", schema_only=True)  # name of a column, where the data have no target that fits
    time_column = Setting("", schema_only=True)  # name of a column, if times until an event are the target
    event_column = Setting("", schema_only=True)  # name of a column, as above
    event_value = Setting("", schema_only=True)  # that says that the event was seen; empty: known words decide
    left_out = Setting([], schema_only=True, fits=strings)  # names of features

    def __init__(self, widget):
        """widget: whose settings these are."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        self.names = []  # of columns that may be the target
        self._data = None
        self._own_target = ""  # names of the target of the data
        self._pair = None  # time and event that are suggested
        self._takes_times = False
        self._wants_times = False  # the user chooses times, but not yet both columns
        self._suspects = []
        self._out = []
        self.targets = choices("Target", tip=TIP, letters=LETTERS, has_filter=True)
        self.times = choices("Time", tip=TIME_TIP, letters=LETTERS, has_filter=True)
        self.events = choices("Event", tip=EVENT_TIP, letters=FEW_LETTERS, has_filter=True)
        self.values = choices("Value of the event", tip=VALUE_TIP, letters=FEW_LETTERS)
        self._row_of_target = _rows(("Targe&t", self.targets, self.targets))
        row_of_event = placed(QHBoxLayout(), (self.events, 1), QLabel("is", toolTip=VALUE_TIP), (self.values, 1))
        self._rows_of_times = _rows(("Time", self.times, self.times), ("Event", self.events, row_of_event))
        self.targets.activated.connect(self._target_chosen)
        for box in (self.times, self.events, self.values):
            box.activated.connect(self._times_chosen)
        self.hint = LinkLabel(wordWrap=True)
        self.hint.linkActivated.connect(self._read_as_times)
        self.links = LinkLabel(toolTip=LEAVE_TIP, wordWrap=True)
        self.links.linkActivated.connect(self._link_followed)
        placed(QVBoxLayout(self), self._row_of_target, self._rows_of_times, self.hint, self.links)
        self._offer()
        self.show_suspects(Result(), [], None)

    # Target ----------------------------------------------------------------------------------------------------------

    def with_chosen_target(self, data: Table | None, tasks: Collection[str]) -> Table | None:
        """Return the data with the target that the user chose, and offer others.

        A target is offered if the data have none for these tasks, and times until an event if that is a task.
        """
        self._data = data
        self.names = []
        self._own_target = ""
        self._pair = None
        self._takes_times = data is not None and SURVIVAL in tasks
        if data is not None:
            class_vars = data.domain.class_vars
            fits = class_vars and (are_times(class_vars) or task_of(data.domain) in tasks)
            if len(data) and not fits and UNSUPERVISED not in tasks:
                self.names = possible_targets(data)
            self._own_target = some([variable.name for variable in class_vars]) if fits else ""
            self._pair = find_times(data) if self._takes_times else None
        chosen = self._chosen_times()
        self._wants_times &= chosen is None
        self._offer()
        if chosen is not None:
            return with_times(data, chosen)
        return with_target(data, self.target) if self.target in self.names else data

    def choose_times(self) -> None:
        """Show the boxes of a time and an event, if the methods rank for these."""
        self._wants_times = self._takes_times
        self._offer()

    def _chosen_times(self) -> ChosenTimes | None:
        """The time and the event that are chosen, if the data have both."""
        if (
            not self._takes_times
            or not self.time_column
            or not self.event_column
            or self.time_column == self.event_column
        ):
            return None
        domain = self._data.domain
        if (
            not all(name in domain for name in (self.time_column, self.event_column))
            or not domain[self.time_column].is_continuous
        ):
            return None
        value = self.event_value if self.event_value in event_values(self._data, self.event_column) else ""
        return ChosenTimes(self.time_column, self.event_column, value)

    def _offer(self):
        """Fill the boxes that are shown."""
        has_times = self._chosen_times() is not None
        shows_times = has_times or self._wants_times
        first = [(f"{self._own_target} (target of the data)" if self._own_target else "choose", "")]
        of_times = [(TIMES_TITLE, CHOOSE_TIMES)] if self._takes_times else []
        columns = [(name, name) for name in self.names]
        fill(self.targets, [*first, *of_times, *columns], CHOOSE_TIMES if shows_times else self.target)
        self._row_of_target.setVisible(bool(self.names) or shows_times)
        if shows_times:
            fill(self.times, _entries(possible_times(self._data)), self.time_column)
            fill(self.events, _entries(possible_targets(self._data)), self.event_column)
            values = event_values(self._data, self.event_column) if self.event_column in self._data.domain else []
            fill(self.values, [("known word", ""), *((value, value) for value in values)], self.event_value)
        self._rows_of_times.setVisible(shows_times)
        if self._pair is not None and not shows_times:
            time, event = (plain(shown(name)) for name in self._pair)
            self.hint.set_links(f"{time} and {event} look like a time and its event. {{}}", (TIMES, READ_AS_TIMES))
        self.hint.setVisible(self._pair is not None and not shows_times)
        self._show()

    def _target_chosen(self, index):
        chosen = self.targets.itemData(index)
        if chosen == CHOOSE_TIMES:
            self.choose_times()
            return
        had_times = self._chosen_times() is not None
        self._wants_times = False
        self.time_column = self.event_column = self.event_value = ""
        if self.names:
            self.target = chosen
        if self.names or had_times:
            self.changed.emit()
        else:
            self._offer()

    def _times_chosen(self, _):
        had_times = self._chosen_times() is not None
        event = self.events.currentData()
        self.event_value = self.values.currentData() if event == self.event_column else ""
        self.time_column, self.event_column = self.times.currentData(), event
        self._wants_times = True
        if had_times or self._chosen_times() is not None:
            self.changed.emit()
        else:
            self._offer()

    def _read_as_times(self):
        self.time_column, self.event_column = self._pair
        self.event_value = ""
        self.changed.emit()

    # Features --------------------------------------------------------------------------------------------------------

    def show_suspects(self, result: Result, features: Sequence[str], data: Table | None) -> None:
        """Offer to leave out what seem to be identifiers, and to take back what is left out.

        result: rankings, of which those by the core suspect features.
        features: names of those that are ranked.
        """
        rankings = [ranking for job, ranking in result.rankings.items() if job.is_of_core]
        variables = () if data is None else data.domain.attributes
        self._suspects = suspects_of(rankings, features)
        self._out = [variable.name for variable in variables if variable.name in self.left_out]
        parts = [(OUT, "Leave out", self._suspects), (BACK, "Take back", self._out)]
        links = [(to, plain(f"{verb} {some([shown(name) for name in names])}")) for to, verb, names in parts if names]
        self.links.set_links("<br>".join("{}" for _ in links), *links)
        self.links.setVisible(bool(links))
        self._show()

    def _show(self):
        has_times = self._wants_times or self._pair is not None or self._chosen_times() is not None
        self.setVisible(bool(self.names or has_times or self._suspects or self._out))

    def _link_followed(self, link):
        self.left_out = [*self._out, *self._suspects] if link == OUT else []
        self.changed.emit()


def _rows(*titled: tuple[str, QComboBox, QWidget | QLayout]) -> QWidget:
    """Rows of boxes: the title of each, the box that the title is of, and what the row shows."""
    box_rows = QWidget()
    rows = form(box_rows)
    for title, box, field in titled:
        rows.addRow(named(title, box), field)
    return box_rows


def _entries(names: Sequence[str]) -> list[tuple[str, str]]:
    """Entries of a box of columns."""
    return [("choose", ""), *((name, name) for name in names)]


class SuggestedMethod(LinkLabel):
    """Sentence, and a link by which a method leads; `linkActivated`: with its name."""

    def __init__(self):
        super().__init__(wordWrap=True, visible=False)

    def suggest(self, text: str, name: str, click: str) -> None:
        """Say a sentence, and offer a method; click: text of the link; nothing without a sentence."""
        self.set_links(f"{text}. {{}}", (name, click))
        self.setVisible(bool(text))


def suspects_of(rankings: Iterable, features: Sequence[str]) -> list[str]:
    """Names of the features that rankings of the core suspect to be identifiers, in the order of the features."""
    names = {
        ranking.features[f].name
        for ranking in rankings
        for f in ranking.info.get("suspects", ())
        if f < len(ranking.features)
    }
    return [name for name in features if name in names]
