"""A question about the p-values of a ranking that is answered on demand, in a tab beside the charts."""

from collections.abc import Sequence
from typing import NamedTuple

from ..table.model import Column
from .answerpage import AnswerPage
from .area import RankingArea
from .followup import FollowUp
from .pvalues import PValues


class Answer(NamedTuple):
    """Answer to a question.

    sentences: the answer in words.
    columns: of the table above them.
    """

    sentences: str
    columns: Sequence[Column]


class Question(FollowUp):
    """Computes an answer while its box is ticked, after the p-values.

    A subclass gives `title`, `ticked`, `find`, `job` and `answer`, and the fields below. The tab is offered while
    there is a job.
    """

    view: str  # name of the tab
    tip: str  # tooltip of the box
    waiting: str  # sentences before the box is ticked

    def __init__(self, look, widget, tests: PValues, area: RankingArea):
        """tests: p-values of the leading score, which come first; area: gets the tab."""
        super().__init__(look, widget, first=(tests,))
        self.page = AnswerPage(self.title, self.tip)
        self._tests = tests
        self._area = area
        self._shown: tuple | None = None  # what the page is of
        area.views.add(self.view, self.page, lambda: self.page.possible)
        self.page.box.clicked.connect(self.clicked)

    # What questions differ in ----------------------------------------------------------------------------------------

    def answer(self, result: object) -> Answer:
        """Return the answer by the result of the work."""
        raise NotImplementedError

    def is_offered(self) -> bool:
        """Return True if the question can be asked."""
        return self.job() is not None

    def reason(self) -> str:
        """Say why there is no job though the question is offered."""
        return ""

    # The same for all ------------------------------------------------------------------------------------------------

    def caption(self, job) -> str:
        """Work fails here only where there is no answer; the sentence has the reason."""
        return f"{self.title}: not here" if self.record(job).failure else super().caption(job)

    def show(self, job) -> None:
        result = self.found(job)
        self.page.possible = self.is_offered()
        self.page.box.setChecked(self.is_due(job) or result is not None)
        self.page.box.setText(self.caption(job))
        reason = self.record(job).failure or self.reason()
        shown = (job, result, self.look().level, reason)
        if shown != self._shown:
            self._shown = shown
            self.page.show_answer(*(("", ()) if result is None else self.answer(result)), reason or self.waiting)
        self._area.views.show_view()
