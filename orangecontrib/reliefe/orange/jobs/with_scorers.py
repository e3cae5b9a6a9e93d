"""Scorers of Orange beside methods of the core, in a thread of their own, so that neither waits for the other."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from threading import Lock

from Orange.data import Table

from ...core.work.threads import Interrupted
from .job import Job
from .reasons import reason
from .result import Result
from .scorer_job import ScorerJob

LOOK = 0.05  # seconds between two looks at whether to stop


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
    own, others = [job for job in jobs if job.own], [job for job in jobs if not job.own]
    if not others:
        return with_known_scores(ranks(table, own, known, state), known)
    scoring, pool = ScorerThread(known, state), ThreadPoolExecutor(1)
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
    result = scoring.joined(result)
    if all(job in result.failures for job in jobs):
        titles = {job: f"{job.by.title}: " for job in others}
        texts = (titles.get(job, "") + text for job, text in result.failures.items())
        raise ValueError("; ".join(dict.fromkeys(texts)))
    return result


class ScorerThread:
    """Results of the other thread; joins it to partial results, and passes all else on to the state."""

    def __init__(self, known: Result, state):
        self._state, self._lock = state, Lock()
        self._own, self._found = known, replace(known, failures={})

    def __getattr__(self, name):
        return getattr(self._state, name)

    def look(self, share: float = 0.0) -> None:
        """Progress of a scorer: raises Interrupted if the widget wants the work to stop."""
        if self._state.is_interruption_requested():
            raise Interrupted

    def joined(self, result: Result) -> Result:
        return with_known_scores(result, self._found)

    def set_partial_result(self, result: Result) -> None:
        with self._lock:
            self._own = result
            self._state.set_partial_result(self.joined(result))

    def failed(self, jobs: Sequence[Job], error: ValueError) -> Result:
        return replace(self._own, failures=dict.fromkeys(jobs, reason(error)))

    def keep(self, job: ScorerJob, future: Future) -> bool:
        """Add what a scorer found, or how it failed, whatever it raised; False after a stop."""
        if future.cancelled() or isinstance(error := future.exception(), Interrupted):
            return False
        if error is None:
            self._found = self._found.with_ranking(job, future.result())
        else:
            plain = isinstance(error, ValueError | TypeError) and str(error)
            self._found = self._found.with_failure(job, plain or f"{type(error).__name__}: {error}")
        return True

    def show(self, job: ScorerJob, future: Future) -> None:
        """Called in the other thread when a scorer is done."""
        with self._lock:
            if self.keep(job, future) and not self._state.is_interruption_requested():
                self._state.set_partial_result(self.joined(self._own))
