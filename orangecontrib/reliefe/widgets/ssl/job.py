"""Computation of SSL-Relief, in a thread: the ranking by all rows, and beside it the one by labelled rows only."""

from collections.abc import Sequence
from dataclasses import replace

from Orange.data import Table

from ..utils.jobs import Job, Result, run

AUTO = "auto"
FIRST = 0.8  # share of the progress that is the ranking by all rows


def settled(job: Job, result: Result) -> Job:
    """The job with the numbers of neighbours and the influences that were chosen, as far as there is its ranking."""
    ranking = result.rankings.get(job)
    if ranking is None or not job.own:
        return job
    chosen = {name: ranking.info[name] for name in ("n_neighbors", "w0", "w1") if name in ranking.info}
    return Job.of(job.method, job.values | chosen)


def run_both(table: Table, jobs: Sequence[Job], known: Result, state) -> Result:
    """The jobs on all rows, and then, if there is one, that on labelled rows only, with as many neighbours as the same
    method took for all of them.

    Scores that are to be compared should not differ by the number of neighbours.  Raises ValueError if all others fail.
    """
    rest = [job for job in jobs if job.values.get("labelled_only") and _of_all_rows(job, jobs)]
    others = [job for job in jobs if job not in rest]
    result = run(table, others, known, Part(state, 0, FIRST if rest else 1, lambda partial: partial))
    for job in rest:
        whole = _of_all_rows(job, jobs)
        if result.is_final(job) or whole not in result.rankings:
            continue
        k = result.rankings[whole].info["n_neighbors"]
        alike = Job.of(job.method, job.values | {"n_neighbors": k, "w0": AUTO, "w1": AUTO})

        def joined(partial: Result, job=job, alike=alike, result=result) -> Result:
            return _renamed(result, job, partial, alike)

        try:
            result = joined(run(table, [alike], Result(), Part(state, FIRST, 1, joined)))
        except ValueError as error:
            result = result.with_failure(job, error)
    return result


def _of_all_rows(job: Job, jobs: Sequence[Job]) -> Job | None:
    """The first other job of the same method."""
    return next((other for other in jobs if other.method == job.method and other != job), None)


class Part:
    """Lets a task be one part of a longer one; passes all else on to the state of the whole."""

    def __init__(self, state, begin: float, end: float, joined):
        """begin, end: of the progress; joined: makes the result of the whole from that of the part."""
        self._state, self._begin, self._end, self._joined = state, begin, end, joined

    def __getattr__(self, name):
        return getattr(self._state, name)

    def set_progress_value(self, percent: float) -> None:
        """Report the progress of the part."""
        self._state.set_progress_value(100 * self._begin + percent * (self._end - self._begin))

    def set_partial_result(self, result: Result) -> None:
        """Report a partial result of the part."""
        self._state.set_partial_result(self._joined(result))


def _renamed(result: Result, job: Job, partial: Result, alike: Job) -> Result:
    """With the ranking of `alike` as that of `job`; that rows are left out is what it is for, and no news."""
    if alike not in partial.rankings:
        return result
    ranking = partial.rankings[alike]
    return result.with_ranking(job, replace(ranking, info={**ranking.info, "information": []}))
