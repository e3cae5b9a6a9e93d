"""The leading ranking of a ranker as files for others: a script that repeats it, and a web page.

`widgets/ranker/outputs.py` makes it, and the menu of the table copies and saves what it holds.
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # it loads the core
    from ..ranking import TableRanking


class Writings(NamedTuple):
    """Leading ranking as a file for others.

    script: lines of Python that repeat the ranking and its selection; empty without a finished ranking.
    ranking: the finished ranking with its p-values, if there are any; None without one.
    """

    script: str = ""
    ranking: "TableRanking | None" = None

    def write_page(self, path: str) -> None:
        """Write the ranking as a web page; raises OSError of the writing."""
        if self.ranking is not None:
            self.ranking.report(path, script=self.script)
