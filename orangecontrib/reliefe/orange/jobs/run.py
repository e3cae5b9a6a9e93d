"""Task of a ranker: rankings of one table by several jobs, for a thread.

    rank_missing           takes what the workflow has stored, and has the rest ranked by
      run_with_scorers     which ranks by scorers of Orange, one after another in a second thread, beside
        run                which ranks by methods of the core, which take turns

`state` is the `TaskState` of Orange, or a `SubtaskState` of it.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
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
STOP_CHECK_SECONDS = 0.05  # between two looks at whether the user wants the work to stop


class SubtaskState:
    """State of a task for a part of its work: partial results of the part become partial results of the whole."""

    def __init__(self, state, complete: Callable[[Result], Result]):
        """complete: makes the partial result of the whole from that of the part."""
        self._set_partial_result = state.set_partial_result
        self._complete = complete
        self.is_interruption_requested = state.is_interruption_requested
        self.set_progress_value = state.set_progress_value
        self.set_status = state.set_status

    def set_partial_result(self, result: Result) -> None:
        """Show a partial result of the part."""
        self._set_partial_result(self._complete(result))


def rank_missing(rank_jobs: Callable, stored: dict, table: Table, jobs: Sequence[Job], shown: Result, state) -> Result:
    """Rank a table by jobs that neither the window nor the workflow has ranked it by.

    Parameters
    ----------
    rank_jobs : callable
        Ranks by the jobs that are missing: (table, jobs, known, state) -> `Result`.
    stored : dict
        What the workflow has stored.
    table : Table
        Its attributes are ranked; constant and empty ones are found, too.
    jobs : sequence of Job
        All jobs of the window.
    shown : Result
        What the window has already.
    state : TaskState
    """
    about = shown.about
    if about is None:
        state.set_status(READING)
        study = sorted({name for job in jobs for name in (*job.covariates, job.group) if name})
        rule = next((job.feature_groups for job in jobs if job.is_of_core), "")
        about = About.of(table, partial(raise_if_stopped, state), study, rule)
    has_new_facts = shown.about is None and bool(about.constant or about.empty)
    with_facts = replace(shown, about=about, failures={})
    with_stored = restored(with_facts, stored, table, jobs)
    if has_new_facts or with_stored is not with_facts:
        state.set_partial_result(with_stored)  # at once: the rest may take long, or fail
    if all(map(with_stored.is_final, jobs)):
        return with_stored.grouped()
    result = rank_jobs(table, jobs, with_stored, SubtaskState(state, partial(replace, about=about)))
    return replace(result, about=about).grouped()


def with_scores_of(known: Result, result: Result) -> Result:
    """Return `result` with the rankings and failures of scorers in `known`."""
    rankings = {job: ranking for job, ranking in known.rankings.items() if not job.is_of_core} | result.rankings
    failures = {job: text for job, text in known.failures.items() if not job.is_of_core} | result.failures
    return replace(result, rankings=rankings, failures=failures, curves={job: [] for job in rankings} | result.curves)


def run_with_scorers(
    rank_core_jobs: Callable, table: Table, jobs: Sequence[Job | ScorerJob], known: Result, state
) -> Result:
    """Rank a table by methods of the core and by scorers of Orange.

    Whatever a scorer raises is a failure of this scorer only.

    Parameters
    ----------
    rank_core_jobs : callable
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
    core_jobs = [job for job in jobs if job.is_of_core]
    scorer_jobs = [job for job in jobs if not job.is_of_core]
    if not scorer_jobs:
        return with_scores_of(known, rank_core_jobs(table, core_jobs, known, state))
    merged_state = MergedState(known, state)
    pool = ThreadPoolExecutor(1)
    try:
        # Scorers begin in the other thread.
        futures = {}
        for job in scorer_jobs:
            if not known.is_final(job):
                futures[job] = pool.submit(job.rank, table, merged_state.raise_if_stopped)
                futures[job].add_done_callback(partial(merged_state.show_scores, job))
        # Methods of the core, in this one.
        result = known
        if not all(map(known.is_final, core_jobs)):
            try:
                result = rank_core_jobs(table, core_jobs, known, merged_state)
            except ValueError as error:
                result = merged_state.with_failures(core_jobs, error)
        # The end of the scorers.
        while wait(futures.values(), STOP_CHECK_SECONDS).not_done:
            merged_state.raise_if_stopped()
        merged_state.raise_if_stopped()
        for job, future in futures.items():
            merged_state.add_scores(job, future)  # callbacks may come later than the end of the wait
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    result = merged_state.with_scores(result)
    titles = {job: f"{job.by.title}: " for job in scorer_jobs}
    _raise_if_all_failed(jobs, {job: titles.get(job, "") + text for job, text in result.failures.items()})
    return result


def _raise_if_all_failed(jobs: Sequence[Job | ScorerJob], failures: dict[Job | ScorerJob, str]) -> None:
    """Raise ValueError, with each text once, if no job has succeeded."""
    if jobs and all(job in failures for job in jobs):
        raise ValueError("; ".join(dict.fromkeys(failures.values())))


class MergedState(SubtaskState):
    """State of the task for methods of the core; partial results have what scorers found in the other thread, too.

    Both threads read and write the two results below, only with the lock.

    _of_methods: the last partial result of methods.
    _of_scorers: rankings and failures of scorers so far.
    """

    def __init__(self, known: Result, state):
        super().__init__(state, self._merge)
        self._lock = Lock()
        self._of_methods = known
        self._of_scorers = replace(known, failures={})

    def raise_if_stopped(self, share: float = 0.0) -> None:
        """Raise `Interrupted` if the user wants the work to stop; progress of a scorer, whose `share` is not shown."""
        raise_if_stopped(self)

    def _merge(self, result: Result) -> Result:
        return with_scores_of(self._of_scorers, result)

    def with_scores(self, result: Result) -> Result:
        """Return a result of methods with all that scorers found so far."""
        with self._lock:
            return self._merge(result)

    def set_partial_result(self, result: Result) -> None:
        """Show rankings by methods, called in their thread."""
        with self._lock:
            self._of_methods = result
            super().set_partial_result(result)

    def with_failures(self, jobs: Iterable[Job], error: ValueError) -> Result:
        """Return the last result of methods, all of which have failed."""
        with self._lock:
            return replace(self._of_methods, failures=dict.fromkeys(jobs, reason(error)))

    def add_scores(self, job: ScorerJob, future: Future) -> None:
        """Add the ranking of a scorer, or how it failed, whatever it raised; nothing after a stop."""
        with self._lock:
            self._add(job, future)

    def show_scores(self, job: ScorerJob, future: Future) -> None:
        """Add the ranking of a scorer and show it, called in the other thread when the scorer is done."""
        with self._lock:
            if self._add(job, future) and not self.is_interruption_requested():
                super().set_partial_result(self._of_methods)

    def _add(self, job: ScorerJob, future: Future) -> bool:
        """Do the work of `add_scores`; False after a stop."""
        if future.cancelled():
            return False
        error = future.exception()
        if isinstance(error, Interrupted):
            return False
        if error is None:
            self._of_scorers = self._of_scorers.with_ranking(job, future.result())
            return True
        message = f"{type(error).__name__}: {error}"
        if isinstance(error, ValueError | TypeError) and str(error):
            message = str(error)
        self._of_scorers = self._of_scorers.with_failure(job, message)
        return True


class Shares:
    """Adds up the progress of several rankings, and stops them when the widget wants."""

    def __init__(self, state, n: int):
        self._state = state
        self._shares = [0.0] * n

    def reporter(self, i: int, job: Job):
        """Make the callback for the i-th ranking; it also says when the preparation of the ranking is done."""
        from ...core import METHODS

        is_preparing = embeds(job) or tunes(job)

        def report(share: float) -> None:
            nonlocal is_preparing
            raise_if_stopped(self._state)
            if is_preparing and share > job.preparation:
                is_preparing = False
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
    quick: dict[Job, object] = {}
    slow: dict[Job, object] = {}
    for i, job in enumerate(todo):
        try:
            rankings = job.refine(table, progress.reporter(i, job))
        except ValueError as error:
            result = result.with_failure(job, reason(error))
        else:
            (slow if job.preparation else quick)[job] = rankings
    for turns in (quick, slow):
        result = _take_turns(turns, result, state)
    _raise_if_all_failed(jobs, result.failures)
    return result


def _take_turns(turns: dict, result: Result, state) -> Result:
    """Take the next ranking of every job (coarse ones come first) in turn, until all are done."""
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
    """Say what a job does now; ranking: the last one that it has given, or None."""
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
