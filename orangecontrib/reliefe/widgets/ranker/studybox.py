"""Choice of a study: covariates that scores are adjusted for, and the group of rows that belong together."""

from collections.abc import Callable, Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...core.words import shown, some
from ...orange.stored_settings import strings
from ...orange.study_roles import COVARIATE, GROUP, names_with_role
from ..utils.controls import FoldButton, LinkLabel, QuietLabel, choices, fill, named, placed
from ..utils.markup import plain
from .tickednames import TickedNames

LETTERS = 14  # of the box of groups
TIP = "Columns that are neither features nor the target, such as age, sex, batch or person"
COVARIATES_TIP = (
    "Any number of features and metas. Scores and p-values are adjusted for those that are ticked, and these are not "
    "ranked; Space ticks"
)
GROUP_TIP = (
    "Rows with the same value belong together, as visits of a person: they are no neighbours, and are permuted as "
    "wholes or within. It is not ranked"
)
TIMES = "Target: times until an event, with censoring..."
TIMES_TIP = "Choose a number, the time, and the column that says whether the event was seen"


def columns_of(data: Table | None) -> list[str]:
    """Names of the columns of data that may be part of a study: all but targets."""
    return [] if data is None else [v.name for v in (*data.domain.metas, *data.domain.attributes)]


class StudyBox(QWidget, gui.OWComponent):
    """Names that the data do not have stay stored until the user changes the study."""

    changed = Signal()  # by the user
    times_wanted = Signal()  # by the user, as the target

    covariates = Setting([], schema_only=True, fits=strings)  # names of columns
    group = Setting("", schema_only=True)  # name of a column that the user chose
    refused_group = Setting("", schema_only=True)  # name of a marked column that the user does not take as the group
    refused_covariates = Setting([], schema_only=True, fits=strings)  # names of marked columns that are not taken
    opened = Setting(False)

    def __init__(self, widget, takes_covariates: bool = True, takes_times: bool = False):
        """widget: whose settings these are.

        takes_covariates: False where there are only groups.
        takes_times: True if the user can ask for times as the target.
        """
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        if not takes_covariates:
            self.covariates = []
        self._names = []
        self._takes_covariates = takes_covariates
        self._marked = ""  # name of the column that the data mark as the group
        self._marked_covariates = []  # names of the columns that the data mark as covariates
        self._stale = True
        self.fold = FoldButton("&Study", self.opened, TIP)
        self.summary = QuietLabel()
        self.columns = TickedNames("Covariates", COVARIATES_TIP)
        self.groups = choices("Group of rows", tip=GROUP_TIP, letters=LETTERS, has_filter=True)
        self.times = LinkLabel("{}", ("times", TIMES), toolTip=TIMES_TIP)
        self.times.linkActivated.connect(self.times_wanted)
        label, self.body = named("G&roup", self.groups), QWidget()
        placed(QVBoxLayout(self.body), self.columns, placed(QHBoxLayout(), label, (self.groups, 1)), self.times)
        placed(QVBoxLayout(self), placed(QHBoxLayout(), self.fold, (self.summary, 1)), self.body)
        self.fold.toggled.connect(self._fold)
        self.columns.ticked.connect(self._ticked)
        self.groups.activated.connect(self._group_chosen)
        self.columns.setVisible(takes_covariates)
        self.times.setVisible(takes_times)
        self._nothing = "no covariates, no group" if takes_covariates else "no group"
        self._fold(self.opened)

    def set_data(self, data: Table | None) -> None:
        """Offer the columns of data; those that are marked have their roles until the user chooses."""
        groups = [] if data is None else names_with_role(data.domain, GROUP)
        covariates = [] if data is None else names_with_role(data.domain, COVARIATE)
        self._marked = groups[0] if groups else ""
        self._marked_covariates = covariates if self._takes_covariates else []
        self.set_names(columns_of(data))

    def set_names(self, names: Sequence[str]) -> None:
        """Offer these columns; they are listed once somebody looks."""
        if list(names) != self._names:
            self._names, self._stale = list(names), True
        self._fold(self.fold.isChecked())

    def known(self) -> tuple[tuple[str, ...], str]:
        """Covariates and the group that the data have."""
        names = set(self._names)
        chosen = [name for name in self.covariates if name in names]
        not_covariates = {*chosen, *self.refused_covariates, self.group, self._marked}
        marked = [name for name in self._marked_covariates if name in names and name not in not_covariates]
        covariates = (*chosen, *marked)
        if self.group in names:
            return covariates, self.group
        is_marked = self._marked in names and self._marked not in (self.refused_group, *covariates)
        return covariates, self._marked if is_marked else ""

    def take(self, name: str, role: str) -> None:
        """Give a column a role in the study, as if the user had chosen it."""
        if role == GROUP:
            self._choose_group(name)
        else:
            self._ticked(name, True)

    def warn_of_gone(self, message: Callable[..., object]) -> None:
        """Show chosen names that the data do not have by a message of the widget; nothing without columns."""
        names = set(self._names)
        gone = [shown(name) for name in (*self.covariates, self.group) if name and name not in names]
        message(some(gone), shown=bool(names and gone))

    def _fold(self, opened):
        self.opened = opened
        self.body.setVisible(opened)
        if opened and self._stale:
            self._stale = False
            self.columns.set_names(self._names)
            fill(self.groups, [("none", ""), *((name, name) for name in self._names)], self.known()[1])
        self._show_state()

    def _show_state(self):
        covariates, group = self.known()
        self.columns.show_ticked(covariates)
        self.groups.setCurrentIndex(max(self.groups.findData(group), 0))
        parts = [f"adjusted for {some(covariates)}"] * bool(covariates) + [f"grouped by {group}"] * bool(group)
        self.summary.setText(", ".join(parts) or self._nothing)
        self.summary.setToolTip(plain(self.summary.text()))

    def _ticked(self, name, is_ticked):
        covariates, group = self.known()
        ticked = [*(other for other in covariates if other != name), *([name] if is_ticked else [])]
        chosen_group = group if group == self.group else ""  # one that is only marked stays so
        self.refused_covariates = [other for other in self._marked_covariates if other not in ticked]
        self._change(ticked, "" if group in ticked else chosen_group)  # a column is one thing only

    def _group_chosen(self, index):
        self._choose_group(self.groups.itemData(index))

    def _choose_group(self, group):
        self.refused_group = self._marked if group != self._marked else ""
        self._change([name for name in self.known()[0] if name != group], group)

    def _change(self, covariates, group):
        self.covariates, self.group = covariates, group
        self._show_state()
        self.changed.emit()
