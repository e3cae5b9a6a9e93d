"""Computation of a ranker, in a thread: rankings of one table by several methods, and scores of Orange beside them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

import numpy as np
from Orange.data import Table
from Orange.preprocess.score import Scorer

from ...core.work.threads import Interrupted
from .scorers import ScorerJob
from .task import raise_if_stopped

LOADING = "Loading compiled code (takes longer the first time)"
FIRST_UMAP = "; UMAP is loaded first, and compiled once after installation"

Progress = Callable[[float], object]


# Imports are in functions: neither numba nor the core's kernels are to be loaded when Orange starts.
class Job(NamedTuple):
    """A method with all of its parameters; what rankings are kept under."""

    method: str
    parameters: tuple[tuple[str, object], ...]
    covariates: tuple[str, ...] = ()  # names of columns
    group: str = ""  # name of a column
    keep: tuple[str, ...] = ()  # names of the features that come first, of a method that takes these first

    own = True  # it is of the core

    @classmethod
    def of(
        cls,
        method: str,
        parameters: dict,
        covariates: tuple[str, ...] = (),
        group: str = "",
        keep: tuple[str, ...] = (),
    ) -> "Job":
        return cls(method, tuple(sorted(parameters.items())), covariates, group, keep)

    @property
    def values(self) -> dict:
        return dict(self.parameters)

    @property
    def preparation(self) -> float:
        """Share of the work that is done before the first row is ranked: an embedding; 0: none."""
        from ...core import METHODS

        return METHODS[self.method].preparation(self.values)

    def effort(self, shape: tuple[int, int]) -> tuple[float, float]:
        """Sort key: larger for jobs that take longer on data of a shape (n, p)."""
        from ...core import METHODS

        return self.preparation, METHODS[self.method].cost(shape, self.values)

    @property
    def key(self) -> str:
        """Name of the ranking in a workflow: the method, and a hash of all of its parameters, and of its study."""
        about = self[1:4] if self.covariates or self.group else self.parameters
        about = self[1:] if self.keep else about  # without it, as workflows know them
        with np.printoptions(threshold=2**31 - 1):  # all coordinates
            return f"{self.method} {blake2b(repr(about).encode(), digest_size=8).hexdigest()}"

    @property
    def adjusted(self) -> bool:
        """True if the scores are adjusted for covariates, and not p-values alone."""
        from ...core import METHODS

        return bool(self.covariates) and METHODS[self.method].traits.adjusts

    @property
    def study(self) -> dict:
        """Covariates and the group as arguments of `arrays`."""
        return {"covariates": list(self.covariates) or None, "groups": self.group or None}

    @property
    def adjusting(self) -> dict:
        """The study as scores take it: without covariates where these are not adjusted."""
        return self.study | ({} if self.adjusted else {"covariates": None})

    @property
    def kept(self) -> dict:
        """Features that come first, as an argument of `rank`; {} where there are none."""
        return {"keep": list(self.keep)} if self.keep else {}

    def scorer(self) -> Scorer:
        from ...orange.scorers import scorer

        return scorer(self.method, **self.adjusting, **self.kept, **self.values)

    def refine(self, table: Table, progress: Progress) -> Iterator[object]:
        """Rankings of a table from more and more rows.  Raises ValueError for what is refused."""
        from ...orange.conversion import refine

        return refine(table, self.method, progress=progress, **self.adjusting, **self.kept, **self.values)

    def rank(self, table: Table, progress: Progress) -> object:
        from ...orange.conversion import rank

        return rank(table, self.method, progress=progress, **self.adjusting, **self.kept, **self.values)

    def null_level(self, table: Table, progress: Progress, n_shuffles: int) -> object:
        """The score that irrelevant features of a table reach, as the core's `NullLevel`."""
        from ...core import null_level
        from ...orange.conversion import arrays, asked

        data = arrays(table, method=self.method, **self.study)
        about = asked(data) | self.kept | {"progress": progress, "n_shuffles": n_shuffles, "unadjusted": True}
        return null_level(data.X, data.y, self.method, **about, **self.values)

    def significance_test(self, table: Table) -> object:
        from ...core import SignificanceTest
        from ...orange.conversion import arrays, asked

        data = arrays(table, method=self.method, **self.study)
        return SignificanceTest.of(data.X, data.y, self.method, **asked(data), **self.kept, **self.values)


@dataclass(frozen=True, eq=False)
class Result:
    """Rankings and failures (messages) so far; replaced, never changed, so that it may cross threads.

    curves: of each job [rows, agreement of the best with the ranking before].  about: what was found in the table, or
    None as long as nobody looked.  groups: of each job the group of each feature.
    """

    rankings: dict = field(default_factory=dict)
    failures: dict = field(default_factory=dict)
    curves: dict = field(default_factory=dict)
    about: object = None
    groups: dict = field(default_factory=dict)

    def with_ranking(self, job: Job, ranking) -> "Result":
        """The same with a ranking, unless the one that is there was made from more rows."""
        known, rows = self.rankings.get(job), ranking.info["instances"]
        if known is not None and known.info["instances"] > rows:
            return self
        curve = self._curve(job, known, ranking)
        return replace(self, rankings={**self.rankings, job: ranking}, curves={**self.curves, job: curve})

    def with_failure(self, job: Job, error: Exception | str) -> "Result":
        """The same with a message why a job has no ranking."""
        text = str(error).replace("use groups=", "choose it as the group under Study")
        text = text.replace("name the event by event_value=...", "rename the event to event by Edit Domain")
        return replace(self, failures={**self.failures, job: text})

    def is_final(self, job: Job) -> bool:
        return job in self.rankings and self.rankings[job].info["final"]

    def settled(self, job: Job) -> Job:
        """The job with the numbers of neighbours and the influences that were chosen, as far as it has a ranking."""
        if job not in self.rankings or not job.own:
            return job
        info = self.rankings[job].info
        chosen = {name: info[name] for name in ("n_neighbors", "w0", "w1") if name in info}
        return Job.of(job.method, job.values | chosen, *job[2:])

    def grouped(self) -> "Result":
        """The same with groups of alike features of all finished rankings."""
        final = {job: ranking for job, ranking in self.rankings.items() if self.is_final(job)}
        return replace(self, groups={job: self.groups.get(job) or r.groups() for job, r in final.items()})

    def _curve(self, job, known, ranking) -> list:
        """As the core reports it, or else from the partial rankings."""
        from ...core.methods.convergence import average_overlap

        points = ranking.info.get("convergence")
        if points is not None or known is None:
            return points or []
        if known.info["instances"] == ranking.info["instances"]:
            return self.curves[job]
        return [*self.curves[job], [ranking.info["instances"], average_overlap(known.ranking, ranking.ranking)]]


class Shares:
    """Adds up the progress of several rankings, and stops them when the widget wants."""

    def __init__(self, state, n: int):
        self._state, self._shares = state, [0.0] * n

    def part(self, i: int, job: Job):
        """The callback for the i-th ranking; it also notes when earlier work is done."""
        from ...core import METHODS

        left = job.preparation if embeds(job) or _tunes(job) else None

        def report(share: float) -> None:
            nonlocal left
            raise_if_stopped(self._state)
            if left is not None and share > left:
                left = None
                self._state.set_status(f"{METHODS[job.method].title}: comparing rows")
            self._shares[i] = share
            self._state.set_progress_value(min(100 * sum(self._shares) / len(self._shares), 99.9))

        return report


def tell_loading(state) -> None:
    """Say what takes long where nothing has been computed yet; comes before imports of the core's kernels."""
    if "numba" not in sys.modules:
        state.set_status(LOADING)


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
            result = result.with_failure(job, error)
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
                result = result.with_failure(job, error)
            if job in result.failures or result.is_final(job):
                del turns[job]
            state.set_partial_result(result)
    return result


def embeds(job: Job) -> bool:
    """True if rows are put into another space before the first of them is ranked."""
    return job.preparation > 0 and job.values.get("embedding") is not None


def _tunes(job: Job) -> bool:
    return "w0" in job.values and (isinstance(job.values["n_neighbors"], str) or job.values["w0"] == "auto")


def _status(job: Job, ranking) -> str:
    from ...core import METHODS

    title = METHODS[job.method].title
    if ranking is not None and "planned" in ranking.info:
        return f"{title}: {ranking.info['passes']:,} of {ranking.info['planned']:,} done"
    if ranking is not None:
        return f"{title}: {ranking.info['instances']:,} of {ranking.info['rows']:,} rows done"
    if _tunes(job):
        return f"{title}: trying numbers of neighbours and influences"
    if not embeds(job):
        return f"{title}: first rows"
    first = job.values["embedding"] == "umap" and "umap" not in sys.modules
    return f"{title}: fitting the embedding{FIRST_UMAP if first else ''}"


# Scores of Orange beside rankings of the core: in a thread of their own, so that neither waits for the other ----------

LOOK = 0.05  # seconds between two looks at whether to stop


def beside(ranks: Callable) -> Callable:
    """`ranks` (table, jobs, known, state) -> result, for jobs of both kinds."""
    return partial(_rank, ranks)


def joined(result: Result, known: Result) -> Result:
    """`result` with all that is known from scorers."""
    rankings = {job: ranking for job, ranking in known.rankings.items() if not job.own} | result.rankings
    failures = {job: text for job, text in known.failures.items() if not job.own} | result.failures
    return replace(result, rankings=rankings, failures=failures, curves={job: [] for job in rankings} | result.curves)


def _rank(ranks: Callable, table: Table, jobs: Sequence[Job | ScorerJob], known: Result, state) -> Result:
    """Rankings of a table; whatever a scorer raises is a failure of this scorer only; ValueError if all fail."""
    own, others = [job for job in jobs if job.own], [job for job in jobs if not job.own]
    scoring, pool = Scoring(known, state), ThreadPoolExecutor(1)
    try:
        todo = {job: pool.submit(job.rank, table, scoring.look) for job in others if not known.is_final(job)}
        for job, future in todo.items():
            future.add_done_callback(partial(scoring.show, job))
        result = known
        if not all(map(known.is_final, own)):
            try:
                result = ranks(table, own, known, scoring)
            except ValueError as error:
                if not others:
                    raise
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


class Scoring:
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
        return joined(result, self._found)

    def set_partial_result(self, result: Result) -> None:
        with self._lock:
            self._own = result
            self._state.set_partial_result(self.joined(result))

    def failed(self, jobs: Sequence[Job], error: ValueError) -> Result:
        return replace(self._own, failures=dict.fromkeys(jobs, str(error)))

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
