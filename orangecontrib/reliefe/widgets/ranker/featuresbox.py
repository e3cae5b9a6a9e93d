"""Choice of the use of the features on the input of a ranker: only these are ranked, or these are selected."""

from collections.abc import Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QWidget
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...orange.stored_settings import maybe, one_of, strings
from ..utils.controls import choices, named, placed

RESTRICT, SELECT = USES = ("restrict", "select")
TITLES = {RESTRICT: "only these are ranked", SELECT: "these are selected"}
TIP = "Rank only the features on the input, or rank all features and select those on the input"


class FeaturesBox(QWidget, gui.OWComponent):
    """Shown while features are connected; `changed`: the user chose another use."""

    changed = Signal()

    use = Setting(RESTRICT, fits=one_of(*USES))
    taken = Setting(None, schema_only=True, fits=maybe(strings))  # names that were selected last

    def __init__(self, widget):
        """widget: whose settings these are."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        uses = ((title, name) for name, title in TITLES.items())
        self.combo = choices("Features on the input", uses, self.use, TIP)
        self.combo.activated.connect(self._chosen)
        label = named("&Features input", self.combo)
        placed(QHBoxLayout(self), label, (self.combo, 1))
        self.hide()

    def selects(self, names: Sequence[str] | None) -> bool:
        """True if these features are to be selected now: not if they were before, since the user may have changed it.

        names: of the features on the input; None: nothing is connected.
        """
        self.setVisible(names is not None)
        if names is None or self.use == RESTRICT or names == self.taken:
            return False
        self.taken = list(names)
        return True

    def _chosen(self, index):
        use = self.combo.itemData(index)
        if use != self.use:
            self.use = use
            self.taken = None
            self.changed.emit()
