"""Ranks without adjustment for covariates, beside those of the leading score, and the features that fall by it.

They follow the ranking if the leading method adjusts its scores for the covariates of the study.
"""

from collections.abc import Callable

import numpy as np
from AnyQt.QtCore import Qt
from Orange.data import Table
from Orange.widgets.settings import Setting

from ...core.studies.adjustment import describe_fallen, ranks_of
from ...orange.jobs.job import Job
from ...orange.jobs.progress import reporter
from ..table.model import Column
from ..utils.markup import plain
from .followup import QUICK, FollowUp
from .messages import say
from .model import RankingModel

TITLE = "unadjusted rank"
TIP = "Rank by the leading method without adjustment for the covariates"
TOO_LONG = "Ranks without adjustment are not computed, since they take more than {:.0f} s"


def find_unadjusted(table: Table, job: Job, state) -> np.ndarray:
    """Ranks (p,) by a job whose covariates are left out, for a thread."""
    ranking = job._replace(covariates=()).rank(table, reporter(state))
    return ranks_of(ranking.ranking)


class UnadjustedRanks(FollowUp):
    """Unadjusted ranks of the scores that led so far: a column of the table, and a sentence of the widget."""

    title = "Unadjusted ranks"
    find = staticmethod(find_unadjusted)

    ticked = Setting(True)  # computed if it is quick

    def __init__(self, look, widget, first: tuple[FollowUp, ...], model: RankingModel, message: Callable[..., object]):
        """first: follow-ups computed before; model: of the table; message: of the widget, about the adjustment."""
        super().__init__(look, widget, first=first)
        self._model = model
        self._message = message
        self.sentence = ""  # for a report
        self._shown: tuple | None = None  # job and ranks that the column shows

    def job(self) -> Job | None:
        """Return the job of the leading score, if it is adjusted."""
        job = super().job()
        return job if job is not None and job.own and job.adjusted else None

    @property
    def ranks(self) -> np.ndarray | None:
        """Ranks (p,) that the column shows; None without it."""
        ranks: np.ndarray | None = self.found(self.job())
        return ranks

    def reset(self, table: Table | None) -> None:
        super().reset(table)
        self._shown = None
        self._model.set_beside(())

    def show(self, job: Job | None) -> None:
        ranks = None if job is None else self.found(job)
        lead = self.look().lead
        if self._shown != (job, ranks is None):
            self._shown = job, ranks is None
            self._model.set_beside(() if ranks is None else (_column(ranks),))
        if ranks is not None:
            self.sentence = describe_fallen(ranks, lead.ranks, self._model.names)
        else:
            self.sentence = TOO_LONG.format(QUICK) if job is not None and self.record(job).refused else ""
        say(self._message, self.sentence)


def _column(ranks: np.ndarray) -> Column:
    """Column of ranks (p,)."""
    return Column(
        f"unadjusted: {TITLE}", TITLE, ranks, lambda feature: f"{ranks[feature]:,}", plain(TIP), Qt.AlignRight
    )
