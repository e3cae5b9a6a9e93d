"""Line that suggests parameters for counts, in the parameters of every ranker."""

from collections.abc import Iterable, Mapping

from AnyQt.QtCore import pyqtSignal as Signal

from ...core.words import percent
from ...orange.problem import TableProblem
from ...orange.ranker.counts import counts_of
from ..utils.controls import LinkLabel

APPLY, BACK = "apply", "back"


class SuggestionLine(LinkLabel):
    """Hidden unless the table is counts, and one of the methods compares rows."""

    wanted = Signal(bool)  # True: the values that suit counts; False: those of before

    def __init__(self):
        super().__init__(wordWrap=True, accessibleName="Suggestion for counts")
        self.counts = None
        self.linkActivated.connect(lambda link: self.wanted.emit(link == APPLY))
        self.hide()

    def set_problem(self, problem: TableProblem | None) -> None:
        self.counts = problem and counts_of(problem)

    def changes(self, method: object) -> dict:
        """Values of parameters of a method that suit counts: none for a method that has no differences."""
        choices = {parameter.name: parameter.choices for parameter in method.parameters}
        out = {"diff": "presence"} if "presence" in choices.get("diff", ()) else {}
        if out and self.counts.wide and "manhattan" in choices.get("distance", ()):
            out["distance"] = "cosine"
        return out

    def show_for(self, methods: Iterable[tuple[object, Mapping[str, object]]]) -> None:
        """Say what could be changed, or that it is; methods: those that are computed, each with its values."""
        all_changes = [(self.changes(method), values) for method, values in methods] if self.counts else []
        possible = [(changes, values) for changes, values in all_changes if changes]
        self.setVisible(bool(possible))
        if not possible:
            return
        share = percent(self.counts.share)
        cosine = any("distance" in changes for changes, _ in possible)
        how = "presence and cosine" if cosine else "presence"
        self.setToolTip(
            f"{share} of the numbers are 0 and none is below 0. "
            "Presence: whether a count is 0 matters, not how large it is."
            + " Cosine: rows are near if many of their nonzero features are the same."
            * cosine
        )
        if all(changes.items() <= values.items() for changes, values in possible):
            self.set_links(f"Compared by {how}. {{}}", (BACK, "Take back"))
        else:
            self.set_links(f"These look like counts ({share} zeros). {{}}", (APPLY, f"Compare by {how}"))
