"""Extras: results about the leading score, computed behind a finished ranking, one job of each kind at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.data import Table
from orangecanvas.scheme.events import LinkEvent

from ...core.words import sentence
from ...orange.jobs.job import Job
from ...orange.jobs.progress import reporter
from ...orange.problem import CLASSIFICATION, task_of
from ...orange.ranker.parameter_values import valid_parameters
from ...orange.ranker.scores import SHUFFLES
from ...orange.ranker.selection import FDR
from ..utils.markup import plain
from ..utils.task import RUNNING, Prompt, clock
from .selection import ASK, REAL

QUICK = 10.0  # seconds up to which nobody needs to be asked
ROWS_TOLD = 5  # that count most for a feature, and against it
ROWS = "Selected Rows"  # the output
LINKS = {LinkEvent.OutputLinkAdded: 1, LinkEvent.OutputLinkRemoved: -1}
SENT_ROWS = "These rows are sent as Selected Rows."
TRIAL = 1.5  # seconds before the time that is left is estimated; a ranking predicts it badly: kernels may be compiled


class Extra(Prompt, QObject):
    """Result of `find(table, job, state)`, which runs in a thread, for each leading score of a ranker.

    Work that takes long is given up unless the user asked for it.  `wanted`: the user likes to see the result, as the
    ranker's setting of the name `setting` says.
    """

    title: str
    setting: str
    find: Callable[..., object]
    preview: object = None  # scores that are shown in the place of the leading ones, and never sent
    changed = Signal()  # a result was found, begun or given up

    def __init__(self, ranker):
        QObject.__init__(self, ranker)
        Prompt.__init__(self)
        self.ranker, self.wanted, self._progress, self._started = ranker, getattr(ranker, self.setting), 0.0, 0.0
        self.changed.connect(ranker.extra_changed)
        self.reset(None)

    # What kinds differ in --------------------------------------------------------------------------------------------

    def job(self) -> Job | None:
        """Job that the result is about: that of the leading score."""
        return self.ranker.lead_job()

    def ready(self) -> bool:
        """True if there is time: p-values come first."""
        return self.ranker.has_time() and not self.ranker.tests.busy

    def work(self, job: Job) -> tuple:
        """Function for a thread, and its arguments."""
        return self.find, self._table, job

    def facts(self, job: Job) -> dict[str, object]:
        """Arguments of the `Scores` of a job."""
        return {}

    def show(self, job: Job | None) -> None:
        """Show the state of a job."""

    def shown(self, result: object) -> object:
        """A result of the ranker with the preview, if there is one."""
        return result

    def drop_preview(self) -> None:
        """Show the ranking again, from the next time on."""

    def ranking_failed(self) -> None:
        """Forget the ranking that was to come."""

    # Work ------------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Compute the result for the score that leads now, if there is time, and show its state."""
        job = self.job()
        self.follow(job if self.ready() else None)
        self.show(job)

    def clicked(self, wanted: bool) -> None:
        """Note that the user wants to see the result, or not."""
        setattr(self.ranker, self.setting, wanted)
        self.ask(self.job(), wanted)
        self.ranker.refresh("scores")

    def reset(self, table: Table | None) -> None:
        """Forget all results, and begin with another table."""
        self.cancel()
        self._table = table
        self._asked = set()
        self._job = None
        self._partial = None
        self._found = {}
        self._failed = {}
        self._costs = {}

    @property
    def busy(self) -> bool:
        return self._job is not None

    def found(self, job: Job | None) -> object:
        """Result of a job, perhaps a partial one, if it is wanted; else None."""
        known = self._partial if job is not None and job == self._job else self._found.get(job)
        return known if self.wanted else None

    def state(self, job: Job | None) -> tuple[bool, str, bool, str]:
        """State of a check box: whether there is or will be a result, caption, whether it is possible, tooltip."""
        shown = self.wanted and job is not None and (job == self._job or job in self._found)
        return shown, self.caption(job), job is not None, self._failed.get(job, "")

    def caption(self, job: Job | None) -> str:
        """Title, with the progress, the estimated time, or a note that the work failed."""
        if job in self._failed:
            return f"{self.title}: failed"
        if job is not None and job == self._job:
            return f"{self.title}: {self._progress:.0f} %"
        if job in self._found or job not in self._costs:
            return self.title
        seconds = self._costs[job]
        return f"{self.title} (about {f'{seconds:.0f} s' if seconds < 90 else f'{seconds / 60:.0f} min'})"

    def ask(self, job: Job | None, wanted: bool) -> None:
        """Compute a job even if that takes long, or no more."""
        self.wanted = wanted
        if wanted and job is not None:
            self._asked.add(job)
            self._failed.pop(job, None)
        else:
            self._asked.discard(job)

    def follow(self, job: Job | None) -> None:
        """Compute a job if it is wanted, and quick or asked for; end the work for any other job."""
        if self._job is not None and (job != self._job or not self.wanted):
            self._give_up()
        settled = job in self._found or job in self._failed or (job in self._costs and job not in self._asked)
        if self.wanted and job not in (None, self._job) and not settled:
            self._job = job
            self._partial = None
            self._progress = 0.0
            self._started = clock()
            self.start(*self.work(job))

    def on_partial_result(self, result):
        self._partial = result
        self.changed.emit()

    def on_done(self, result):
        self._found[self._job] = result
        self._end()

    def on_exception(self, ex):
        self._failed[self._job] = str(ex) or type(ex).__name__
        self._end()

    def _end(self):
        self._job = self._partial = None
        self.changed.emit()

    def _connect_signals(self, state):
        super()._connect_signals(state)
        state.progress_changed.connect(self._progressed)

    def _disconnect_signals(self, state):
        super()._disconnect_signals(state)
        state.progress_changed.disconnect(self._progressed)

    def _progressed(self, progress):
        self._progress = progress
        spent = clock() - self._started
        if spent >= TRIAL and progress > 0:
            self._costs[self._job] = 100 * spent / progress
            if self._costs[self._job] > QUICK and self._job not in self._asked:
                self._give_up()
        self.changed.emit()

    def _give_up(self):
        self.cancel()
        self._job = self._partial = None


def find_null_level(table: Table, job: Job, state) -> object:
    """The null level of a job, for a thread."""
    return job.null_level(table, reporter(state), SHUFFLES)


class NullLevels(Extra):
    """Null levels, where no p-values are wanted, which say the same more finely; their check box is in the plot."""

    title = "Null level"
    setting = "null_level"
    find = staticmethod(find_null_level)

    def __init__(self, ranker):
        super().__init__(ranker)
        ranker.area.plot.null_clicked.connect(self.clicked)

    def job(self) -> Job | None:
        return self.ranker.lead_job() if self.offered else None

    @property
    def offered(self) -> bool:
        """True if the leading score has a null level, and there are no p-values beside it."""
        return self.ranker.has_null() and not self.ranker.tests.wanted

    def facts(self, job: Job) -> dict[str, object]:
        level = self.found(job) if self.offered else None
        return {"null": level and level.level}

    def show(self, job: Job | None) -> None:
        self.ranker.area.plot.set_null_state(*self.state(job), offered=self.offered)


SAMPLES = 20
MIN_SAMPLES = 3  # samples from which on a partial result is shown
STABILITY = (
    f"<p>Features are ranked on {SAMPLES} random samples, each with about two thirds of the rows. The disk in a cell "
    "shows how often the feature is among the best n. The percentage beside this box is the mean over the best "
    "n.</p><p>If the list changes much between samples, many other lists are as good. Boosted lists change more: of "
    "redundant features they keep one, which depends on the sample.</p>"
)


def strata(table: Table) -> np.ndarray | None:
    """(n,) groups of rows that no sample may lose: classes, or rows with and without a target; None: a single group."""
    if task_of(table.domain) == CLASSIFICATION:
        return table.Y
    if not table.domain.class_vars or sp.issparse(table.Y):
        return None
    return np.isnan(table.Y.astype(float).reshape(len(table), -1)).all(axis=1)


def find_chances(table: Table, job: Job, state) -> object:
    """Chances of the features by the rankings of all samples (core's `TopChances`), for a thread."""
    from ...core.evaluation import TopChances, distinct_rows
    from ...orange.conversion import group_codes

    found = None
    failure = None
    alike = strata(table)
    groups = group_codes(table, job.group)
    for number in range(SAMPLES):
        sample = table[distinct_rows(len(table), number, alike, groups)]
        try:
            ranking = job.rank(sample, reporter(state, number / SAMPLES, (number + 1) / SAMPLES))
            chances = TopChances.of([ranking.scores])
        except ValueError as error:  # of few rows a sample may have too few
            failure = error
            continue
        found = chances if found is None else found.joined(chances)
        if MIN_SAMPLES <= len(found) < SAMPLES:
            state.set_partial_result(found)
    if found is None:
        raise failure
    return found


class Stabilities(Extra):
    """Chances to be among the best features in other samples of the rows, also from the first few samples."""

    title = "Stability"
    setting = "stability"
    find = staticmethod(find_chances)

    def __init__(self, ranker):
        super().__init__(ranker)
        ranker.area.stability_box.clicked.connect(self.clicked)

    def ready(self) -> bool:
        """After the null level, unless the user asked for it."""
        job = self.job()
        urgent = job is not None and (job == self._job or job in self._asked)
        return super().ready() and (urgent or not self.ranker.nulls.busy)

    def facts(self, job: Job) -> dict[str, object]:
        return {"chances": self.found(job)}

    def caption(self, job: Job | None) -> str:
        if job is not None and job == self._job:
            return f"{self.title}: {int(self._progress * SAMPLES / 100)} of {SAMPLES}"
        return super().caption(job)

    def show(self, job: Job | None) -> None:
        box, (ticked, text, possible, failure) = self.ranker.area.stability_box, self.state(job)
        mean = self.ranker.area.model.mean_share() if ticked and text == self.title else None
        box.setChecked(ticked)
        box.setText(text if mean is None else f"{text}: {100 * mean:.0f} %")
        box.setEnabled(possible)
        box.setToolTip(plain(failure) or STABILITY)


BOOSTED = "boostedrelief"  # the method whose stop is the second answer


@dataclass(frozen=True, eq=False)
class Stop:
    """Features (indices) that boosting takes before it stops, best first."""

    features: np.ndarray

    @classmethod
    def of(cls, ranking) -> "Stop":
        return cls(ranking.ranking[: ranking.info["stopped"]])


def find_stop(table: Table, job: Job, state) -> Stop:
    """Stop of boosting, for a thread."""
    return Stop.of(job.rank(table, reporter(state)))


class Stops(Extra):
    """Stops of boosting: computed after the p-values if that is quick, or asked for."""

    title = "How many predict"
    setting = "p_values"
    find = staticmethod(find_stop)

    def __init__(self, ranker):
        super().__init__(ranker)
        ranker.enough.chosen.connect(self._chosen)

    def job(self) -> Job | None:
        """Job of boosting, with the parameters that it has here; None where it does not rank, or is not wanted."""
        from ...core import METHODS

        p, panel = self.ranker.problem, self.ranker.panel
        if not self.wanted or p is None or p.partly or not p.labelled:
            return None
        if BOOSTED not in METHODS or p.task not in METHODS[BOOSTED].tasks:
            return None
        if BOOSTED in panel.methods:
            return panel.own_job(BOOSTED)
        return Job.of(BOOSTED, valid_parameters(METHODS[BOOSTED], None, p.task), *panel.study, panel.keep)

    def ready(self) -> bool:
        return super().ready() and self.ranker.tests.complete(self.ranker.lead_job()) is not None

    def follow(self, job: Job | None) -> None:
        """Compute a job, unless there is a ranking by boosting."""
        boosted, result = self.job(), self.ranker.result
        if boosted is not None and result.is_final(boosted):
            self._found.setdefault(boosted, Stop.of(result.rankings[boosted]))
        super().follow(job)

    def show(self, job: Job | None) -> None:
        ranker = self.ranker
        significance = ranker.tests.complete(ranker.lead_job())
        caption = self.caption(job) if job is not None else ""
        ranker.enough.show_state(significance, ranker.fdr, self.found(job), caption)

    def _chosen(self, answer):
        ranker = self.ranker
        if answer == ASK:
            self.clicked(True)
        elif answer == REAL:
            ranker.selection.choose(FDR)
        else:
            ranker.select_by_hand([ranker.area.model.names[f] for f in self.found(self.job()).features])


def find_why(ranking, feature: str, others: Sequence[object], study: dict, state) -> object:
    """Reasons for the rank of a feature (core's `Explanation`), for a thread."""
    from ...orange.partners import explain

    return explain(ranking, feature, others=others, progress=reporter(state), **study)


class Why(Extra):
    """Reasons for the rank of the current feature, while they are shown, or the rows that count most are sent on."""

    title = "Why this rank"
    setting = "why_open"
    find = staticmethod(find_why)

    def __init__(self, ranker):
        self._panel = ranker.area.values
        self._links = 0
        self._sent = None
        super().__init__(ranker)
        self._panel.why_box.setChecked(self._open)
        self._panel.why_box.clicked.connect(self.clicked)
        self._panel.followed.connect(self.refresh)

    @property
    def wanted(self) -> bool:
        return self._links > 0 or (self._open and self._panel.isVisible())

    @wanted.setter
    def wanted(self, wanted):
        self._open = wanted

    def follow_link(self, event) -> None:
        """Count the links that need the rows: without one, nothing is computed for them."""
        change = LINKS.get(event.type(), 0)
        if change and event.link().source_channel.name == ROWS:
            self._links += change
            self.refresh()

    def ready(self) -> bool:
        """True if there is time; rows are sent on even if nobody looks."""
        ranker = self.ranker
        return super().ready() or (self._links > 0 and ranker.run_state != RUNNING and not ranker.tests.busy)

    def job(self) -> tuple | None:
        """Job that leads, the feature, and significance if it is complete; None if the feature is not ranked."""
        ranker = self.ranker
        lead = self.ranker.area.lead
        feature = self._panel.feature
        job = ranker.panel.job(lead.name) if lead is not None and ranker.problem is not None else None
        ranked = job is not None and job.own and ranker.result.is_final(job)
        if not (self.wanted and feature and ranked):
            return None
        return job, feature, ranker.tests.complete(ranker.lead_job())

    def work(self, job: tuple) -> tuple:
        job, feature, significance = job
        rankings = self.ranker.result.rankings
        others = [ranking for other, ranking in rankings.items() if other.own and other != job]
        ranking, adjusting = (
            replace(rankings[job], significance=significance),
            {} if job.adjusted else {"covariates": None},
        )
        return self.find, ranking, feature, others, job.study | adjusting

    def show(self, job: tuple | None) -> None:
        found = self.found(job)
        waiting = "" if job is None else self._failed.get(job) or f"{self.caption(job)} …"
        self._panel.show_why((waiting if found is None else reasons_text(found)) if self._open else "")
        if self.ranker.auto_apply and (found is not None or job is None or job in self._failed):
            self.send()

    def send(self) -> None:
        """Send the rows that count most for and against the feature, or None; again only if there are other ones."""
        found, output = self.found(self.job()), getattr(self.ranker.Outputs, "rows", None)
        if output is not None and found is not self._sent:
            from ...orange.partners import contributing_rows

            self._sent = found
            output.send(found and contributing_rows(self.ranker.data, found, ROWS_TOLD))


def reasons_text(found) -> str:
    """Core's `Explanation` as lines of text; rows are counted from 1."""
    up, down = (", ".join(f"{row + 1:,}" for row in rows) for rows in found.most(ROWS_TOLD))
    ranks = "; ".join(f"{title}: {rank:,}" for title, rank in found.elsewhere.items())
    lines = [
        " ".join(found.sentences),
        f"Rows that count most for it: {up}." * bool(up),
        f"Rows that count most against it: {down}." * bool(down),
        SENT_ROWS * bool(up or down),
        f"Rank by other methods: {ranks}." * bool(ranks),
        *(f"{sentence(reason)}." for reason in found.reasons),
    ]
    return "\n".join(filter(None, lines))
