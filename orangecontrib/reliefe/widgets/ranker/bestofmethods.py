"""p-values that hold for the best of the ticked methods: a tab beside the charts of Rank via ReliefE."""

from collections.abc import Callable, Sequence

import numpy as np
from AnyQt.QtCore import Qt
from Orange.widgets.settings import Setting

from ...core.words import counted, percent
from ...orange.jobs.best_of_methods import find_best
from ...orange.jobs.job import Job
from ..table.model import Column
from .area import BEST_OF, RankingArea
from .measures import number
from .pvalues import PValues
from .question import Answer, Question

TITLE = "Best of the ticked methods"
TIP = (
    "If several methods are tried and the best result is reported, its p-values are too small. Here all ticked methods "
    "rank the same shuffled targets, and p is corrected for their number. This takes as long as the p-values of each "
    "method. Untick to stop"
)
WAITING = (
    "Which features are significant by the best of the ticked methods? Tick the box. Leave all methods ticked that you "
    "tried."
)
P_TIP = "Probability that by chance the feature is as significant by any of the methods"
Q_TIP = "False discovery rate: expected share of false discoveries among the features down to this one"
FAMILY_TIP = "Probability that by chance any feature is as significant by any of the methods"


class BestOfTicked(Question):
    """Tests of the features by the best of all ticked methods of the core.

    The key of the work is a tuple of the jobs of these methods.
    """

    title = TITLE
    find = staticmethod(find_best)
    view = BEST_OF
    tip = TIP
    waiting = WAITING

    ticked = Setting(False)

    def __init__(self, look, widget, tests: PValues, jobs: Callable[[], Sequence[Job]], area: RankingArea):
        """jobs: returns those of all ticked methods; the other parameters are those of `Question`."""
        super().__init__(look, widget, tests, area)
        self._jobs = jobs

    def job(self) -> tuple[Job, ...] | None:
        """Return the jobs of the ticked methods, once they are ranked; None for fewer than two."""
        ranking = self.look()
        if not self._tests.wanted or ranking.problem is None or ranking.problem.labelled == 0:
            return None
        result = ranking.result
        jobs = tuple(result.settled(job) for job in self._jobs() if job.own and result.is_final(job))
        return jobs if len(jobs) > 1 else None

    def answer(self, result) -> Answer:
        names = [variable.name for variable in self.look().problem.ranked]
        titles = titles_of(result)
        return Answer(answer_text(result, titles, self.look().level), columns_of(result, titles, names))


def titles_of(found) -> list[str]:
    """Titles of the methods of a result (core's `BestOfMethods`)."""
    from ...core import METHODS

    return [METHODS[ranking.method].title for ranking in found.rankings]


def answer_text(found, titles: Sequence[str], level: float) -> str:
    """Sentences on a result: discoveries at a level, and whether any feature is relevant."""
    n = len(found.discoveries(level))
    features = counted(len(found.p), "feature")
    return (
        f"Best of {', '.join(titles)}: {n:,} of {features} at FDR {percent(level)} "
        f"({counted(found.n_shuffles, 'shuffle')}). At least one feature is relevant: family-wise "
        f"p = {number(found.family_wise.min())}, corrected for all {len(titles)} methods."
    )


def columns_of(found, titles: Sequence[str], names: Sequence[str]) -> list[Column]:
    """Columns of the features, the smallest p first."""
    order = np.argsort(found.p, kind="stable")
    best = [titles[found.best[feature]] for feature in order]
    numbers = [
        ("p", found.p[order], P_TIP),
        ("q", found.q[order], Q_TIP),
        ("family-wise", found.family_wise[order], FAMILY_TIP),
    ]
    return [
        Column("feature", "Feature", [names[feature] for feature in order], widest="W" * 12),
        Column("method", "Best method", best, tip="Method by which the feature is the most significant"),
        *(numeric_column(title, values, tip) for title, values, tip in numbers),
    ]


def numeric_column(title: str, values: np.ndarray, tip: str) -> Column:
    """A column of p-values."""
    texts = [number(value) for value in values]
    return Column(title, title, values.tolist(), texts.__getitem__, tip, Qt.AlignRight, widest="0.00012")
