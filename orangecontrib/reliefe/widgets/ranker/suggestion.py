"""A line that suggests other differences for tables of counts, and takes them back: one click each.

Nothing changes by itself: what suits counts hurts where zeros are nothing special.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from AnyQt.QtCore import pyqtSignal as Signal

from ...core.words import percent
from ..utils.links import LinkLabel
from ..utils.problem import Problem

APPLY, BACK = "apply", "back"
CELLS = 2**20  # that are looked at first: most tables are no counts
UNLIKELY = 0.5  # share of zeros among these below which they are not


class SuggestionLine(LinkLabel):
    """Hidden unless the table is counts, and one of the methods compares rows."""

    wanted = Signal(bool)  # True: the values that suit counts; False: those of before

    def __init__(self):
        super().__init__(wordWrap=True, accessibleName="Suggestion for counts")
        self.counts = None
        self.linkActivated.connect(lambda link: self.wanted.emit(link == APPLY))
        self.hide()

    def set_problem(self, problem: Problem | None) -> None:
        """Look at the features; None: there are none."""
        self.counts = problem and _counts(problem)

    def changes(self, method: object) -> dict:
        """Values of parameters of a method that suit counts: none for a method that has no differences."""
        choices = {parameter.name: parameter.choices for parameter in method.parameters}
        out = {"diff": "presence"} if "presence" in choices.get("diff", ()) else {}
        if out and self.counts.wide and "manhattan" in choices.get("distance", ()):
            out["distance"] = "cosine"
        return out

    def show_for(self, methods: Iterable[tuple[object, Mapping[str, object]]]) -> None:
        """Say what could be changed, or that it is; methods: those that are computed, each with its values."""
        found = [(self.changes(method), values) for method, values in methods] if self.counts else []
        found = [(changes, values) for changes, values in found if changes]
        self.setVisible(bool(found))
        if not found:
            return
        share, cosine = percent(self.counts.share), any("distance" in changes for changes, _ in found)
        how = "presence and cosine" if cosine else "presence"
        self.setToolTip(
            f"{share} of the numbers are 0 and none is below 0. "
            "Presence: whether a count is 0 matters, not how large it is."
            + " Cosine: rows are near if they share much of what they have."
            * cosine
        )
        if all(changes.items() <= values.items() for changes, values in found):
            self.set_links(f"Compared by {how}. {{}}", (BACK, "Take back"))
        else:
            self.set_links(f"These look like counts ({share} zeros). {{}}", (APPLY, f"Compare by {how}"))


def _counts(problem: Problem) -> object:
    """Facts of the features where presence would make a difference, else None."""
    from ...core.data.counts import Counts
    from ...core.data.table import DataTable

    X, nominal = problem.table.X, np.array([v.is_discrete for v in problem.features], bool)
    if not min(X.shape):
        return None
    values = sp.csr_array(X) if sp.issparse(X) else np.asarray(X, float)
    table = DataTable(values, nominal)
    first = Counts.of(table.take(np.arange(min(max(CELLS // X.shape[1], 1), X.shape[0]))))
    if not replace(first, zeros=first.known).expected or first.share < UNLIKELY:
        return None
    found = Counts.of(table)
    return found if found.expected and (found.larger or found.wide) else None
