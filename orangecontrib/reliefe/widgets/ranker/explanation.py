"""Explanation of the rank of a feature: reasons, shares of the rows in its score, and the rows for an output."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from AnyQt.QtCore import pyqtSignal as Signal
from Orange.widgets.settings import Setting
from orangecanvas.scheme.events import LinkEvent

from ...core.words import sentence
from ...orange.jobs.job import Job
from ...orange.jobs.progress import reporter
from ...orange.values.pictures import Values
from ...orange.values.row_shares import picture_of_shares
from .followup import BoxState, FollowUp
from .pvalues import PValues
from .valuespanel import ValuesPanel

MAX_ROWS = 5  # that count most for a feature, and against it
ROWS = "Selected Rows"  # the output
LINKS = {LinkEvent.OutputLinkAdded: 1, LinkEvent.OutputLinkRemoved: -1}
OF_GROUPS = "There are reasons for single features only. Choose this under Ranked as one."
SENT_ROWS = "These rows are sent as Selected Rows."


class ExplanationJob(NamedTuple):
    """Key of the reasons: all that they depend on.

    job: of the leading score.
    feature: name of the current feature.
    significance: of the leading score if it is complete, else None.
    """

    job: Job
    feature: str
    significance: object


def find_reasons(ranking, feature: str, others: Sequence[object], study: dict, state) -> object:
    """Return reasons for the rank of a feature (core's `Explanation`), for a thread."""
    from ...orange.api import explain

    return explain(ranking, feature, others=others, progress=reporter(state), **study)


class RankExplanations(FollowUp):
    """Reasons for the rank of the current feature, while they are shown, or the rows that count most are sent on."""

    title = "Why this rank"
    find = staticmethod(find_reasons)

    ticked = Setting(False)  # reasons are below the values of the current feature

    settled = Signal()  # reasons are there, or there are none: the rows may be sent

    def __init__(self, widget, tests: PValues, panel: ValuesPanel):
        super().__init__(widget, first=(tests,))
        self._tests = tests
        self._panel = panel
        self._links = 0  # of the output of rows
        self._drawn = None  # explanation whose picture is kept
        self._picture: Values | None = None
        panel.why_box.setChecked(self.ticked)
        panel.why_box.clicked.connect(self.clicked)
        panel.followed.connect(self._follow_feature)

    @property
    def wanted(self) -> bool:
        return self._links > 0 or (self.ticked and self._panel.isVisible())

    def follow_link(self, event) -> None:
        """Count the links that need the rows: without one, nothing is computed for them."""
        change = LINKS.get(event.type(), 0)
        if change and event.link().source_channel.name == ROWS:
            self._links += change
            self.refresh()

    def _follow_feature(self):
        if self.wanted or self.awake:
            self.refresh()

    def ready(self) -> bool:
        """Return True if there is time; rows are sent on even if nobody looks."""
        for_rows = self._links > 0 and not self.ranking.running and not self._tests.busy
        return for_rows or super().ready()

    def job(self) -> ExplanationJob | None:
        """Return what is to be explained; None if the feature is not ranked, or only in a group."""
        ranking = self.ranking
        feature = self._panel.feature
        if not (self.wanted and feature and ranking.lead is not None):
            return None
        job = ranking.job_of(ranking.lead.name)
        if not job.is_of_core or job.feature_groups or not ranking.result.is_final(job):
            return None
        return ExplanationJob(job, feature, self._tests.complete(ranking.lead_job))

    def work(self, job: ExplanationJob) -> tuple:
        rankings = self.ranking.result.rankings
        others = [ranking for other, ranking in rankings.items() if other.is_of_core and other != job.job]
        ranking = replace(rankings[job.job], significance=job.significance)
        return self.find, ranking, job.feature, others, job.job.adjusting

    def show(self, job: ExplanationJob | None, result: object, box: BoxState) -> None:
        lead_job = self.ranking.lead_job
        if lead_job is not None and lead_job.is_of_core and lead_job.feature_groups:
            text = OF_GROUPS
        elif result is not None:
            text = reasons_text(result)
        elif job is None:
            text = ""
        elif box.failure:
            text = box.failure
        else:
            text = f"{box.caption} …"
        shares = None
        if self.ticked and result is not None and text != OF_GROUPS:
            shares = self._picture_of(result)
        self._panel.show_why(text if self.ticked else "", shares)
        if result is not None or job is None or box.failure:
            self.settled.emit()

    def _picture_of(self, explanation) -> Values | None:
        """Beeswarm of the shares of the rows, which is drawn again only for another explanation."""
        if explanation is not self._drawn:
            self._drawn = explanation
            self._picture = picture_of_shares(self.table, explanation.name, explanation.rows)
        return self._picture


def reasons_text(explanation) -> str:
    """Core's `Explanation` as lines of text; rows are counted from 1."""
    up, down = (", ".join(f"{row + 1:,}" for row in rows) for rows in explanation.most(MAX_ROWS))
    ranks = "; ".join(f"{title}: {rank:,}" for title, rank in explanation.elsewhere.items())
    lines = [
        " ".join(explanation.sentences),
        f"Rows that count most for it: {up}." if up else "",
        f"Rows that count most against it: {down}." if down else "",
        SENT_ROWS if up or down else "",
        f"Rank by other methods: {ranks}." if ranks else "",
        *(f"{sentence(reason)}." for reason in explanation.reasons),
    ]
    return "\n".join(filter(None, lines))
