"""Ranks without adjustment for covariates, beside those of the leading score, and the features that fall by it.

They follow the ranking if the leading method adjusts its scores for the covariates of the study.  If they would take
long, a link in the line below the table offers them.
"""

from collections.abc import Callable

import numpy as np
from AnyQt.QtCore import Qt
from Orange.data import Table
from Orange.widgets.settings import Setting

from ...core.studies.adjustment import describe_fallen, ranks_of
from ...core.words import duration
from ...orange.jobs.job import Job
from ...orange.jobs.progress import reporter
from ..table.model import Column
from ..utils.controls import LinkLabel
from ..utils.markup import plain
from .area import RankingArea
from .followup import BoxState, FollowUp, ShownRanking
from .messages import say

TITLE = "unadjusted rank"
TIP = "Rank by the leading method without adjustment for the covariates"
LINK_TIP = (
    "Ranks the features by the leading method without the covariates, beside your work. Then the table has these "
    "ranks, and a message names the features that fall most by the adjustment"
)
COMPARE, STOP = "compare", "stop"  # targets of links


def find_unadjusted(table: Table, job: Job, state) -> np.ndarray:
    """Ranks (p,) by a job whose covariates are left out, for a thread."""
    ranking = job._replace(covariates=()).rank(table, reporter(state))
    return ranks_of(ranking.score_order)


class UnadjustedRanks(FollowUp):
    """Unadjusted ranks of the scores that led so far: a column of the table, and a sentence of the widget."""

    title = "Ranks without adjustment"
    find = staticmethod(find_unadjusted)

    ticked = Setting(True)  # computed if it is quick

    def __init__(self, widget, first: tuple[FollowUp, ...], area: RankingArea, message: Callable[..., object]):
        """first: follow-ups computed before; area: gets the column and the link; message: of the widget, about the
        adjustment."""
        super().__init__(widget, first=first)
        self._model = area.model
        self._message = message
        self.sentence = ""  # for a report
        self._shown: tuple[Job | None, bool] | None = None  # job of the column, and True if it has no ranks yet
        self.link = LinkLabel(visible=False, toolTip=plain(LINK_TIP), accessibleName=self.title)
        self.link.linkActivated.connect(self._follow_link)
        area.strip.layout().insertWidget(1, self.link)

    def concerns(self, ranking: ShownRanking) -> bool:
        """Return True if the leading score is adjusted."""
        return _is_adjusted(ranking.lead_job)

    def job(self) -> Job | None:
        """Return the job of the leading score, if it is adjusted."""
        job = super().job()
        return job if _is_adjusted(job) else None

    def n_ranked(self, result: np.ndarray) -> int:
        return len(result)

    @property
    def ranks(self) -> np.ndarray | None:
        """Ranks (p,) that the column shows; None without it."""
        ranks: np.ndarray | None = self.found(self.job())
        return ranks

    def reset(self) -> None:
        super().reset()
        self._shown = None
        self._model.set_beside(())

    def show(self, job: Job | None, result: object, box: BoxState) -> None:
        ranks = None if job is None else result
        if self._shown != (job, ranks is None):
            self._shown = job, ranks is None
            self._model.set_beside(() if ranks is None else (_column(ranks),))
        self.sentence = ""
        if ranks is not None:
            self.sentence = describe_fallen(ranks, self.ranking.lead.score_ranks, self._model.names)
        say(self._message, self.sentence)
        self._show_link(job, box)

    def _show_link(self, job: Job | None, box: BoxState) -> None:
        """Offer ranks that would take long, or failed; show the progress of those that the user wants."""
        record = self.record(job)
        is_running = job is not None and job == self._job
        is_offered = bool(record.failure) or (record.given_up and record.result is None)
        self.link.setVisible(record.asked if is_running else is_offered)
        if is_running:
            self.link.set_links(f"{box.caption} {{}}", (STOP, "Stop"))
        elif record.failure:
            self.link.set_links(f"{box.caption}. {{}}", (COMPARE, "Try again"))
        elif record.given_up:
            time = f" (about {duration(record.seconds)})" if record.seconds else ""
            self.link.set_links("{}", (COMPARE, f"Compare with ranks without adjustment{time}"))
        self.link.setToolTip(plain(record.failure or LINK_TIP))

    def _follow_link(self, target):
        if target == STOP:
            self.stop()
        else:
            self.ask(self.job())
            self.refresh()


def _is_adjusted(job: Job | None) -> bool:
    """Return True for a job of a method of the core whose scores are adjusted for covariates."""
    return job is not None and job.is_of_core and job.adjusted


def _column(ranks: np.ndarray) -> Column:
    """Column of ranks (p,)."""
    return Column(
        f"unadjusted: {TITLE}", TITLE, ranks, lambda feature: f"{ranks[feature]:,}", plain(TIP), Qt.AlignRight
    )
