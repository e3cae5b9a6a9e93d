"""Choice of the features that are always selected: a box of Qt in the selection of every ranker."""

from collections.abc import Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...core.words import some
from ...orange.stored_settings import strings
from ..utils.controls import FoldButton, QuietLabel, placed
from ..utils.markup import plain
from .tickednames import TickedNames

TIP = (
    "Features that are always selected. They count among the best n. Boosted methods take them first, and rank each "
    "remaining feature by its gain beyond them"
)


class KeepBox(QWidget, gui.OWComponent):
    """Box *Always keep* with a list of features.

    changed: by the user; names that the data do not have are then forgotten.
    """

    changed = Signal()

    names = Setting([], schema_only=True, fits=strings)  # that the user ticked, also those that the data do not have
    opened = Setting(False)

    def __init__(self, widget):
        """widget: whose settings these are."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        self._features = []
        self._stale = True
        self.fold, self.summary = FoldButton("Al&ways keep", self.opened, TIP), QuietLabel()
        self.columns = TickedNames("Features to keep", TIP)
        placed(QVBoxLayout(self), placed(QHBoxLayout(), self.fold, (self.summary, 1)), self.columns)
        self.fold.toggled.connect(self._fold)
        self.columns.ticked.connect(self._ticked)
        self._fold(self.opened)

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
        self.opened = opened
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
