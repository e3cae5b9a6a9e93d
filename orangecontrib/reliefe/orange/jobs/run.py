"""Rankings of one table by several methods of the core, which take turns."""

import sys
from collections.abc import Sequence
from dataclasses import replace

from Orange.data import Table

from .job import Job, embeds, tunes
from .progress import raise_if_stopped, tell_loading
from .reasons import reason
from .result import Result

FIRST_UMAP = "; UMAP is loaded first, and compiled once after installation"


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
