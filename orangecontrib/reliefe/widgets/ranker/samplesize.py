"""Sample size from a ranked pilot study: a tab beside the charts of Rank via ReliefE."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QLineEdit
from Orange.widgets.settings import Setting

from ...core.words import counted, percent
from ...orange.jobs.job import Job
from ...orange.jobs.sample_size import N_SETS, find_power
from ...orange.stored_settings import string
from ..table.model import Column
from .area import SAMPLE_SIZE, RankingArea
from .pvalues import PValues
from .question import Answer, Question

MIN_ROWS = 20  # of a study; core.power refuses fewer
MULTIPLES = 1, 2, 4  # of the rows of the data: the numbers of rows unless the user writes others
MAX_LETTERS = 100
ROWS = "Numbers of rows"
ROWS_TIP = (
    f"Numbers of rows of other studies, from {MIN_ROWS}, between commas. Empty: as many as here, twice and 4 times"
)
WRONG_ROWS = f"Write numbers of rows from {MIN_ROWS}, between commas, for example 100, 200, 400."
NO_STUDY = "With covariates, a group, or features that are ranked as one, there is no sample size."
NOT_TESTED = "The sample size follows the p-values."


class SizeJob(NamedTuple):
    """Key of the simulated studies: all that they depend on.

    job: of the leading score.
    n: numbers of rows.
    level: of the false discovery rate.
    n_shuffles: number of permuted targets of each study.
    """

    job: Job
    n: tuple[int, ...]
    level: float
    n_shuffles: int


class SampleSizes(Question):
    """Expected numbers of discoveries that are found again by studies with other numbers of rows."""

    title = "Sample size"
    find = staticmethod(find_power)
    view = SAMPLE_SIZE
    tip = (
        f"How many of the discoveries would be found again with other numbers of rows? {N_SETS} studies are simulated "
        "from the data for each number, and tested. This takes as long as the p-values of all these studies. Untick to "
        "stop"
    )
    waiting = "How many of the discoveries would be found again with other numbers of rows? Tick the box."

    ticked = Setting(False)
    rows_text = Setting("", fits=string)  # numbers of rows as the user wrote them; empty: by the data

    def __init__(self, look, widget, tests: PValues, area: RankingArea):
        """Parameters are those of `Question`."""
        super().__init__(look, widget, tests, area)
        self.rows = QLineEdit(self.rows_text, accessibleName=ROWS, toolTip=ROWS_TIP, maxLength=MAX_LETTERS)
        self.page.add_control("Numbers of &rows:", self.rows)
        self.rows.editingFinished.connect(self._rows_written)

    def sizes(self) -> tuple[int, ...]:
        """Return the numbers of rows; none if something else is written."""
        text = self.rows.text().replace(",", " ").split()
        if not text:
            return tuple(multiple * len(self._table) for multiple in MULTIPLES) if self._table is not None else ()
        if not all(word.isdecimal() and int(word) >= MIN_ROWS for word in text):
            return ()
        return tuple(sorted({int(word) for word in text}))

    def is_offered(self) -> bool:
        ranking = self.look()
        has_target = ranking.problem is not None and ranking.problem.labelled > 0
        return self._tests.wanted and has_target and ranking.lead_job is not None and ranking.lead_job.own

    def reason(self) -> str:
        job = self.look().lead_job
        if job is not None and (job.covariates or job.group or job.feature_groups):
            return NO_STUDY
        if job is not None and self._tests.complete(job) is None:
            return NOT_TESTED
        return "" if self.sizes() else WRONG_ROWS

    def job(self) -> SizeJob | None:
        job = self.look().lead_job
        if not self.is_offered() or self.reason():
            return None
        return SizeJob(job, self.sizes(), self.look().level, self._tests.complete(job).n_shuffles)

    def work(self, job: SizeJob) -> tuple:
        ranking = self.look()
        finished = ranking.result.rankings[ranking.job_of(ranking.lead.name)]
        tested = replace(finished, significance=self._tests.complete(job.job))
        return self.find, tested, job.n, job.level

    def show(self, job: SizeJob | None) -> None:
        if self._table is not None:
            self.rows.setPlaceholderText(", ".join(str(multiple * len(self._table)) for multiple in MULTIPLES))
        super().show(job)

    def answer(self, result) -> Answer:
        return Answer(answer_text(result, self.look().level), columns_of(result))

    def _rows_written(self):
        self.rows_text = self.rows.text()
        if self.wanted:
            self.ask(self.job())
        self.changed.emit()


def answer_text(power, level: float) -> str:
    """Sentence on a result (core's `Power`): how many discoveries are found again."""
    n_found = len(power.features)
    pilot = f"{counted(n_found, 'discovery', 'discoveries')} at FDR {percent(level)}"
    if not n_found:
        return f"{pilot}, so there is nothing to find again."
    expected = [f"{count:.1f} with {n:,} rows" for n, count in zip(power.n.tolist(), power.expected, strict=True)]
    studies = counted(power.n_sets, "simulated study", "simulated studies")
    return f"{pilot}. Expected to be found again: {', '.join(expected)} ({studies} each)."


def columns_of(power) -> list[Column]:
    """Columns of the discoveries: names, and for each number of rows the share of studies that find them again."""
    columns = [Column("feature", "Feature", list(power.names), widest="W" * 12)]
    if not len(power.features):
        return []
    for n, shares in zip(power.n.tolist(), power.shares, strict=True):
        columns.append(_shares(n, shares))
    return columns


def _shares(n: int, shares: np.ndarray) -> Column:
    """Column of the shares of studies of n rows."""
    texts = [percent(share) for share in shares]
    tip = f"Share of the simulated studies of {n:,} rows in which the feature is a discovery"
    title = f"{n:,} rows"
    return Column(title, title, shares.tolist(), texts.__getitem__, tip, Qt.AlignRight, widest="100 %")
