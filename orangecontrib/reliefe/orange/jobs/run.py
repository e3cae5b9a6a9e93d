"""Task of a ranker: rankings of one table by several jobs, for a thread.

`rank_new` takes what the workflow has stored, `run_with_scorers` ranks by scorers of Orange in a thread of their own,
and `run` by methods of the core, which take turns.
"""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from threading import Lock

from Orange.data import Table

from ...core.work.threads import Interrupted
from .job import Job, embeds, tunes
from .progress import raise_if_stopped, tell_loading
from .reasons import reason
from .result import Result
from .scorer_job import ScorerJob
from .stored_results import restored
from .table_facts import About

READING = "Reading the data"
FIRST_UMAP = "; UMAP is loaded first, and compiled once after installation"
LOOK = 0.05  # seconds between two looks at whether to stop


class Part:
    """State of a task for a part of its work: partial results of the part become partial results of the whole."""

    def __init__(self, state, joined: Callable[[Result], Result]):
        """joined: makes the partial result of the whole from that of the part."""
        self._set_partial_result = state.set_partial_result
        self._joined = joined
        self.is_interruption_requested = state.is_interruption_requested
        self.set_progress_value = state.set_progress_value
        self.set_status = state.set_status

    def set_partial_result(self, result: Result) -> None:
        """Show a partial result of the part."""
        self._set_partial_result(self._joined(result))


def rank_new(ranks: Callable, stored: dict, table: Table, jobs: Sequence[Job], known: Result, state) -> Result:
    """Rankings of a table by jobs: from the workflow, or else by `ranks`; also finds constant and empty features."""
    study = sorted({name for job in jobs for name in (*job.covariates, job.group) if name})
    rule = next((job.feature_groups for job in jobs if job.own), "")
    if known.about is None:
        state.set_status(READING)
    about = known.about or About.of(table, partial(raise_if_stopped, state), study, rule)
    news = known.about is None and bool(about.constant or about.empty)
    before = replace(known, about=about, failures={})
    known = restored(before, stored, table, jobs)
    if news or known is not before:
        state.set_partial_result(known)  # at once: the rest may take long, or fail
    if all(map(known.is_final, jobs)):
        return known.grouped()
    return replace(ranks(table, jobs, known, Part(state, partial(replace, about=about))), about=about).grouped()


def with_known_scores(result: Result, known: Result) -> Result:
    """Return `result` with all that is known from scorers."""
    rankings = {job: ranking for job, ranking in known.rankings.items() if not job.own} | result.rankings
    failures = {job: text for job, text in known.failures.items() if not job.own} | result.failures
    return replace(result, rankings=rankings, failures=failures, curves={job: [] for job in rankings} | result.curves)


def run_with_scorers(ranks: Callable, table: Table, jobs: Sequence[Job | ScorerJob], known: Result, state) -> Result:
    """Rank a table by methods of the core and by scorers of Orange.

    Whatever a scorer raises is a failure of this scorer only.

    Parameters
    ----------
    ranks : callable
        Ranks by methods of the core: (table, jobs, known, state) -> `Result`.
    table : Table
        Its attributes are ranked.
    jobs : of both kinds
    known : Result
        What need not be computed again.
    state : TaskState of Orange

    Raises
    ------
    ValueError
        If all jobs fail.
    """
    own = [job for job in jobs if job.own]
    others = [job for job in jobs if not job.own]
    if not others:
        return with_known_scores(ranks(table, own, known, state), known)
    scoring = ScorerThread(known, state)
    pool = ThreadPoolExecutor(1)
    try:
        todo = {job: pool.submit(job.rank, table, scoring.look) for job in others if not known.is_final(job)}
        for job, future in todo.items():
            future.add_done_callback(partial(scoring.show, job))
        result = known
        if not all(map(known.is_final, own)):
            try:
                result = ranks(table, own, known, scoring)
            except ValueError as error:
                result = scoring.failed(own, error)
        while wait(todo.values(), LOOK).not_done:
            scoring.look()
        scoring.look()
        for job, future in todo.items():
            scoring.keep(job, future)  # the last one may not have been shown yet
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    result = scoring.with_scores(result)
    if all(job in result.failures for job in jobs):
        titles = {job: f"{job.by.title}: " for job in others}
        texts = (titles.get(job, "") + text for job, text in result.failures.items())
        raise ValueError("; ".join(dict.fromkeys(texts)))
    return result


class ScorerThread(Part):
    """State of the task for methods of the core, whose partial results get what scorers found in the other thread."""

    def __init__(self, known: Result, state):
        super().__init__(state, self.with_scores)
        self._lock = Lock()
        self._of_methods = known
        self._of_scorers = replace(known, failures={})

    def look(self, share: float = 0.0) -> None:
        """Progress of a scorer: raises Interrupted if the widget wants the work to stop."""
        raise_if_stopped(self)

    def with_scores(self, result: Result) -> Result:
        """Return a result with all that scorers found so far."""
        return with_known_scores(result, self._of_scorers)

    def set_partial_result(self, result: Result) -> None:
        """Show rankings by methods; overrides that of `Part`, since the other thread shows its own."""
        with self._lock:
            self._of_methods = result
            super().set_partial_result(result)

    def failed(self, jobs: Sequence[Job], error: ValueError) -> Result:
        """Return the rankings so far where all jobs of methods have failed."""
        return replace(self._of_methods, failures=dict.fromkeys(jobs, reason(error)))

    def keep(self, job: ScorerJob, future: Future) -> bool:
        """Add what a scorer found, or how it failed, whatever it raised; False after a stop."""
        if future.cancelled() or isinstance(error := future.exception(), Interrupted):
            return False
        if error is None:
            self._of_scorers = self._of_scorers.with_ranking(job, future.result())
        else:
            message = f"{type(error).__name__}: {error}"
            if isinstance(error, ValueError | TypeError) and str(error):
                message = str(error)
            self._of_scorers = self._of_scorers.with_failure(job, message)
        return True

    def show(self, job: ScorerJob, future: Future) -> None:
        """Called in the other thread when a scorer is done."""
        with self._lock:
            if self.keep(job, future) and not self.is_interruption_requested():
                super().set_partial_result(self._of_methods)


class Shares:
    """Adds up the progress of several rankings, and stops them when the widget wants."""

    def __init__(self, state, n: int):
        self._state, self._shares = state, [0.0] * n

    def part(self, i: int, job: Job):
        """The callback for the i-th ranking; it also notes when earlier work is done."""
        from ...core import METHODS

        left = job.preparation if embeds(job) or tunes(job) else None

        def report(share: float) -> None:
            nonlocal left
            raise_if_stopped(self._state)
            if left is not None and share > left:
                left = None
                self._state.set_status(f"{METHODS[job.method].title}: comparing rows")
            self._shares[i] = share
            self._state.set_progress_value(min(100 * sum(self._shares) / len(self._shares), 99.9))

        return report


def run(table: Table, jobs: Sequence[Job], known: Result, state) -> Result:
    """Rank the features of `table` by each of `jobs` that is not in `known` already.

    What needs no preparation comes first, the quick before the slow; those methods take turns, each adding rows to its
    ranking, so that every column has something to show soon.  A method that refuses the data is noted as a failure;
    ValueError if all do.
    """
    tell_loading(state)
    result = replace(known, failures={})
    todo = sorted((job for job in jobs if not result.is_final(job)), key=lambda job: job.effort(table.X.shape))
    progress = Shares(state, len(todo))
    quick, slow = {}, {}
    for i, job in enumerate(todo):
        try:
            rankings = job.refine(table, progress.part(i, job))
        except ValueError as error:
            result = result.with_failure(job, reason(error))
        else:
            (slow if job.preparation else quick)[job] = rankings
    for turns in (quick, slow):
        result = _take_turns(turns, result, state)
    if jobs and all(job in result.failures for job in jobs):
        raise ValueError("; ".join(dict.fromkeys(result.failures.values())))
    return result


def _take_turns(turns: dict, result: Result, state) -> Result:
    """Every job (its rankings, coarse ones first) in turn, until all are done."""
    while turns:
        for job, rankings in list(turns.items()):
            state.set_status(_status(job, result.rankings.get(job)))
            try:
                result = result.with_ranking(job, next(rankings))
            except ValueError as error:
                result = result.with_failure(job, reason(error))
            if job in result.failures or result.is_final(job):
                del turns[job]
            state.set_partial_result(result)
    return result


def _status(job: Job, ranking) -> str:
    from ...core import METHODS

    title = METHODS[job.method].title
    if ranking is not None and "planned" in ranking.info:
        return f"{title}: {ranking.info['passes']:,} of {ranking.info['planned']:,} done"
    if ranking is not None:
        return f"{title}: {ranking.info['instances']:,} of {ranking.info['rows']:,} rows done"
    if tunes(job):
        return f"{title}: trying numbers of neighbours and influences"
    if not embeds(job):
        return f"{title}: first rows"
    first = job.values["embedding"] == "umap" and "umap" not in sys.modules
    return f"{title}: fitting the embedding{FIRST_UMAP if first else ''}"
