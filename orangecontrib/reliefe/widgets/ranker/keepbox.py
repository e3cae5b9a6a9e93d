"""Choice of the features that are always selected: a box of Qt in the selection of every ranker."""

from collections.abc import Collection, Sequence

import numpy as np
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from Orange.data import Variable
from Orange.widgets.settings import Setting

from ...core.words import some
from ...orange.stored_settings import strings
from ..utils.controls import FoldButton, QuietLabel, placed
from ..utils.markup import plain
from .messages import not_among
from .tickednames import TickedNames

TIP = (
    "Features that are always selected. They count among the best n. Boosted methods take them first, and rank each "
    "remaining feature by its gain beyond them"
)


class Keeping:
    """A ranker with a box *Always keep*, whose `panel` knows the features that are kept."""

    keep = Setting([], schema_only=True, fits=strings)  # names of the features that are always selected
    keep_open = Setting(False)

    def made_keep_box(self) -> "KeepBox":
        self.keep_box = KeepBox(self.keep, self.keep_open)
        self.keep_box.changed.connect(self._keep_changed)
        self.keep_box.fold.toggled.connect(lambda opened: setattr(self, "keep_open", opened))
        return self.keep_box

    def offer_kept(self, features: Sequence[Variable]) -> None:
        """Offer these features; those of them that are kept are known from now on."""
        self.keep_box.set_features([variable.name for variable in features])
        self.panel.keep = self.keep_box.known

    def mask_of(self, names: Collection[str]) -> np.ndarray:
        """(p,) bool: True for the ranked features with these names."""
        wanted = set(names)
        return np.array([name in wanted for name in self.area.model.names], bool)

    def not_in_data(self, names: Sequence[str]) -> str:
        """Names that the data do not have, in words; empty without any, and without data."""
        if self.data is None:
            return ""
        return not_among(names, [variable.name for variable in self.data.domain.attributes], "in the data")

    def _keep_changed(self):
        self.keep, self.panel.keep = self.keep_box.names, self.keep_box.known
        self.restart_soon()  # for methods that take these first; all other scores are kept
        self.refresh("selection")


class KeepBox(QWidget):
    """State is plain: `names`, those that the user ticked, also of features that the data do not have.

    `changed`: by the user; names that the data do not have are then forgotten.
    """

    changed = Signal()

    def __init__(self, names: Sequence[str], opened: bool):
        super().__init__()
        self.names = list(names)
        self._features = []
        self._stale = True
        self.fold, self.summary = FoldButton("Al&ways keep", opened, TIP), QuietLabel()
        self.columns = TickedNames("Features to keep", TIP)
        placed(QVBoxLayout(self), placed(QHBoxLayout(), self.fold, (self.summary, 1)), self.columns)
        self.fold.toggled.connect(self._fold)
        self.columns.ticked.connect(self._ticked)
        self._fold(opened)

    def set_features(self, names: Sequence[str]) -> None:
        """Offer these features; they are listed once somebody looks."""
        if list(names) != self._features:
            self._features, self._stale = list(names), True
        self._fold(self.fold.isChecked())

    @property
    def known(self) -> tuple[str, ...]:
        """Names that are kept and that the data have, in the order of the data."""
        names_kept = set(self.names)
        return tuple(name for name in self._features if name in names_kept)

    def _fold(self, opened):
        self.columns.setVisible(opened)
        if opened and self._stale:
            self._stale = False
            self.columns.set_names(self._features)
        self._show_state()

    def _show_state(self):
        self.columns.show_ticked(set(self.known))
        self.summary.setText(some(self.known) if self.known else "no feature")
        self.summary.setToolTip(plain(self.summary.text()))

    def _ticked(self, name, ticked):
        self.names = [*(other for other in self.known if other != name), *([name] if ticked else [])]
        self._show_state()
        self.changed.emit()
