"""Choice of a study: covariates that scores are adjusted for, and the group of rows that belong together."""

from collections.abc import Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from Orange.widgets.settings import Setting
from Orange.widgets.widget import Msg

from ...core.words import shown, some
from ...orange.stored_settings import strings
from ..utils.controls import FoldButton, QuietLabel, choices, fill, placed
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
STUDY_GONE = Msg("Not in the data: {}. The rest of the study is used; choose other columns under Study")


class Studied:
    """A widget with `data`, a box *Study*, `Warning.study_gone`, and `study_changed`, which the user causes."""

    covariates = Setting([], schema_only=True, fits=strings)  # names of columns
    group = Setting("", schema_only=True)  # name of a column
    study_open = Setting(False)

    takes_covariates = True

    def add_study(self, layout: QVBoxLayout, place: int) -> None:
        covariates = self.covariates if self.takes_covariates else None
        self.study = StudyBox(covariates, self.group, self.study_open)
        self.study.changed.connect(self._study_chosen)
        self.study.fold.toggled.connect(lambda opened: setattr(self, "study_open", opened))
        layout.insertWidget(place, self.study)

    def known_study(self) -> tuple[tuple[str, ...], str]:
        """Covariates and the group among the columns, which are now offered."""
        self.study.set_names(self.study_columns())
        return self.study.known()

    def study_columns(self) -> list[str]:
        """Names of the columns that are offered: of the data, all but targets."""
        return [] if self.data is None else [v.name for v in (*self.data.domain.metas, *self.data.domain.attributes)]

    def warn_of_gone(self) -> None:
        gone = self.study.gone() if self.study_columns() else []
        self.Warning.study_gone(some([shown(name) for name in gone]), shown=bool(gone))

    def _study_chosen(self):
        self.covariates, self.group = self.study.covariates, self.study.group
        self.study_changed()


class StudiedRanker(Studied):
    """Study of a ranker; it comes before `OWRanker` among the bases."""

    def _control_area(self):
        super()._control_area()
        self.add_study(self.panel.layout(), 4)

    def study_changed(self) -> None:
        self.data_wanted()

    @property
    def aside(self) -> tuple[str, ...]:
        covariates, group = self.panel.study
        return *covariates, group

    def _data_changed(self):
        if self.data is not None:
            self.panel.study = self.known_study()
        super()._data_changed()
        self.warn_of_gone()


class StudyBox(QWidget):
    """State is plain: `covariates`, names of columns, or None: they are not offered, and `group`, a name or empty.

    `changed`: by the user; names that the data do not have are then forgotten.
    """

    changed = Signal()

    def __init__(self, covariates: Sequence[str] | None, group: str, opened: bool):
        super().__init__()
        self.covariates = list(covariates or ())
        self.group = group
        self._names = []
        self._stale = True
        self.fold = FoldButton("&Study", opened, TIP)
        self.summary = QuietLabel()
        self.columns = TickedNames("Covariates", COVARIATES_TIP)
        self.groups = choices("Group of rows", tip=GROUP_TIP, letters=LETTERS)
        label, self.body = QLabel("G&roup", toolTip=GROUP_TIP), QWidget()
        label.setBuddy(self.groups)
        placed(QVBoxLayout(self.body), self.columns, placed(QHBoxLayout(), label, (self.groups, 1)))
        placed(QVBoxLayout(self), placed(QHBoxLayout(), self.fold, (self.summary, 1)), self.body)
        self.fold.toggled.connect(self._fold)
        self.columns.ticked.connect(self._ticked)
        self.groups.activated.connect(self._group_chosen)
        self.columns.setHidden(covariates is None)
        self._nothing = "no group" if covariates is None else "no covariates, no group"
        self._fold(opened)

    def set_names(self, names: Sequence[str]) -> None:
        """Offer these columns; they are listed once somebody looks."""
        if list(names) != self._names:
            self._names, self._stale = list(names), True
        self._fold(self.fold.isChecked())

    def known(self) -> tuple[tuple[str, ...], str]:
        """Covariates and the group that the data have."""
        names = set(self._names)
        return tuple(name for name in self.covariates if name in names), self.group if self.group in names else ""

    def gone(self) -> list[str]:
        """Names that the data do not have."""
        names = set(self._names)
        return [name for name in (*self.covariates, self.group) if name and name not in names]

    def _fold(self, opened):
        self.body.setVisible(opened)
        if opened and self._stale:
            self._stale = False
            self.columns.set_names(self._names)
            fill(self.groups, [("none", ""), *((name, name) for name in self._names)], self.group)
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
        self._change(ticked, "" if group in ticked else group)  # a column is one thing only

    def _group_chosen(self, index):
        group = self.groups.itemData(index)
        self._change([name for name in self.known()[0] if name != group], group)

    def _change(self, covariates, group):
        self.covariates, self.group = covariates, group
        self._show_state()
        self.changed.emit()
