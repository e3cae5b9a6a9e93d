"""The leading ranking of a ranker as files for others: a script that repeats it, and a web page.

`widgets/ranker/outputs.py` makes `Writings`. The menu of the table copies and saves the script, and
`widgets/ranker/webreport.py` computes the page in a thread by `page_of`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..jobs.progress import raise_if_stopped, reporter

if TYPE_CHECKING:  # it loads the core
    from ..ranking import TableRanking

SHARE_OF_REASONS = 0.95  # of the work for a page; the rest groups correlated features and draws


@dataclass(frozen=True, eq=False)
class Writings:
    """Leading ranking as a file for others; two of them are equal if they are the same object.

    script: lines of Python that repeat the ranking and its selection; empty without a finished ranking.
    ranking: the finished ranking with its p-values, if there are any; None without one.
    study: covariates and the group of the scores, as arguments of `explain`.
    facts: further columns (p,) of the table of features by their titles.
    conclusion: title of the web page; empty: that of the ranking.
    """

    script: str = ""
    ranking: "TableRanking | None" = None
    study: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    conclusion: str = ""


def page_of(writings: Writings, state: Any) -> str:
    """Explain the ranks of the best features, and return the web page with these reasons, for a thread.

    Parameters
    ----------
    writings : Writings
        A finished ranking.
    state : TaskState
        Gets the progress, and says whether the work shall end.

    Raises
    ------
    Interrupted
        If the work shall end.
    """
    from ...core.report.page import N_VALUES

    ranking = writings.ranking
    if ranking is None:
        raise ValueError("there is no finished ranking: wait for its end")
    explanations = ranking.explain_best(N_VALUES, progress=reporter(state, 0.0, SHARE_OF_REASONS), **writings.study)
    raise_if_stopped(state)
    return ranking.report_page(
        script=writings.script, explanations=explanations, facts=writings.facts, conclusion=writings.conclusion
    )
