"""Choice of the features that are ranked as one, by what their attributes or names share."""

from collections.abc import Callable, Sequence

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QWidget
from Orange.data import Variable
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from ...core.words import shown
from ...orange.feature_groups import Grouping, possible_groupings
from ...orange.stored_settings import string
from ..utils.controls import choices, fill, named, placed

LETTERS = 14  # least width of the box
EACH = ("each alone", "")
TIP = (
    "Features that belong together, for example the columns of a one-hot code or the variants of a gene, get one score "
    "and one p-value. They are those with the same value of an attribute, or the same text before the last = or _ of "
    "their names"
)


class FeatureGroupsBox(QWidget, gui.OWComponent):
    """Combo box of the possible groupings, hidden if there are none.

    A stored rule that does not group the features stays stored until the user chooses another one.
    """

    changed = Signal()  # by the user

    rule = Setting("", schema_only=True, fits=string)  # as of `orange/feature_groups.py`; empty: each feature is ranked

    def __init__(self, widget):
        """widget: whose settings these are."""
        super().__init__()
        gui.OWComponent.__init__(self, widget)
        self._possible: list[Grouping] = []
        self.combo = choices("Ranked as one", tip=TIP, letters=LETTERS)
        self.combo.activated.connect(self._chosen)
        placed(QHBoxLayout(self), named("Ranked as o&ne", self.combo), (self.combo, 1))
        self.hide()

    def set_features(self, features: Sequence[Variable], message: Callable[..., object]) -> None:
        """Offer the groupings of these features; message: of the widget, shown if the choice is not possible."""
        self._possible = possible_groupings(features)
        entries = [EACH, *((grouping.title, grouping.rule) for grouping in self._possible)]
        fill(self.combo, entries, self.valid_rule())
        self.setVisible(bool(self._possible))
        message(shown(self.rule), shown=bool(self.rule and features and not self.valid_rule()))

    def valid_rule(self) -> str:
        """The rule if it groups these features; empty: each feature is ranked."""
        return self.rule if self.rule in [grouping.rule for grouping in self._possible] else ""

    def _chosen(self, index):
        self.rule = self.combo.itemData(index)
        self.changed.emit()
