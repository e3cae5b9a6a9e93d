"""Job of *PCT Ranker*: growth of one ensemble of trees for all its scores.

The widget runs `grow` in a thread with jobs that differ in their scores only. Trees stay when growth is stopped, and
more are added when the user asks for more.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from Orange.data import Table

from ...core.words import counted
from ..jobs.job import Job
from ..jobs.progress import tell_loading
from ..jobs.result import Result

if TYPE_CHECKING:
    from ...core import Ensemble
    from ..conversion import Arrays

PCT = "pct"
AUTO = "auto"
TUNED = "tuned"
# Time between partial results, chosen by eye
MIN_SECONDS = 0.4
TIMES_LONGER = 10  # than a partial result takes


@dataclass(frozen=True, eq=False)
class GrowingForest:
    """An ensemble of trees for the features of a table, to which one thread at a time adds.

    Attributes
    ----------
    key : Job
        Job without its score and its number of trees.
    table : Table
        The data.
    data : Arrays
        The data as arrays.
    ensemble : Ensemble
        Trees so far.
    lock : Lock
        Held by the thread that adds trees.
    """

    key: Job
    table: Table
    data: "Arrays"
    ensemble: "Ensemble"
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, key: Job, table: Table) -> "GrowingForest":
        """Ensemble without trees; raises ValueError if none can be grown."""
        from ...core import Ensemble
        from ..conversion import arrays, asked

        data = arrays(table, method=PCT)
        # `grow` says the number of trees.
        return cls(key, table, data, Ensemble.of(data.X, data.y, **asked(data), n_trees=AUTO, **key.values))


@dataclass(frozen=True, eq=False)
class ForestResult(Result):
    """Rankings by the scores of one ensemble.

    Attributes
    ----------
    forest : GrowingForest, optional
        The ensemble.
    paths : dict of Job to dict of int to (p,) array
        Scores after fewer trees, by number of trees.
    """

    forest: GrowingForest | None = None
    paths: dict[Job, dict[int, np.ndarray]] = field(default_factory=dict)

    def snapshot(self, jobs: Sequence[Job], trees: int | None, final: bool) -> "ForestResult":
        """Result with the scores of the present trees.

        Trees after a missing one do not count yet, so that results do not depend on the number of threads.

        Parameters
        ----------
        jobs : sequence of Job
            Jobs, which differ in their scores.
        trees : int, optional
            Number of trees that count, at most. None: all.
        final : bool
            Whether no more trees are added.
        """
        from ..ranking import on_table

        forest = self._forest()
        n_grown = forest.ensemble.unbroken
        n = min(trees or n_grown, n_grown)
        ranking_by_score = forest.ensemble.first(n).rankings()
        rankings = {}
        curves = {}
        paths = {}
        for job in jobs:
            ranking = on_table(ranking_by_score[job.values["score"]], forest.table, forest.data)
            rankings[job] = replace(ranking, info={**ranking.info, "final": final})
            curves[job] = ranking.info["convergence"]
            paths[job] = self._path(job, n) | {n: ranking.scores}
        return replace(self, rankings=rankings, failures={}, curves=curves, paths=paths)

    def _forest(self) -> GrowingForest:
        """The ensemble; raises ValueError if there is none."""
        if self.forest is None:
            raise ValueError("there is no ensemble yet")
        return self.forest

    def _path(self, job: Job, n: int) -> dict[int, np.ndarray]:
        """Scores after fewer than n trees, at each of `STEPS`; those of earlier results are reused."""
        from ...core.methods.tree_growth import STEPS

        path = self.paths.get(job, {})
        ensemble = self._forest().ensemble
        score = job.values["score"]
        sizes = [size for size in STEPS if size < n]
        return {size: path[size] if size in path else ensemble.first(size).ranking(score).scores for size in sizes}


def key_of(job: Job) -> Job:
    """Return a job without its score and its number of trees, which may differ within one ensemble."""
    common = {name: value for name, value in job.parameters if name not in ("score", "n_trees")}
    return Job.of(job.method, common)


def asked(jobs: Sequence[Job]) -> int | None:
    """Return the number of trees that jobs ask for, which differ in their scores only; None: until convergence."""
    trees = jobs[0].values["n_trees"]
    return None if trees == AUTO else int(trees)


def settled(job: Job, result: Result) -> Job:
    """Return a job with the number of trees and the supervision that were chosen, if it has a ranking."""
    ranking = result.rankings.get(job)
    if ranking is None or not job.is_of_core:
        return job
    chosen = {"n_trees": ranking.info["trees"], "supervision": ranking.info["supervision"], "per_target": False}
    return Job.of(job.method, job.values | chosen)


def grow(table: Table, jobs: Sequence[Job], known: ForestResult, state: Any) -> ForestResult:
    """Rank by several scores of one ensemble.

    Parameters
    ----------
    table : Table
        The data.
    jobs : sequence of Job
        Jobs, which differ in their scores only.
    known : ForestResult
        Result so far, to whose ensemble trees are added if it is that of the jobs.
    state : TaskState
        Task of the widget, which gets partial results.

    Returns
    -------
    ForestResult
        Rankings by each score.

    Raises
    ------
    ValueError
        If no trees can be grown.
    Interrupted
        If the task is stopped.
    """
    tell_loading(state)
    key = key_of(jobs[0])
    forest = known.forest
    result = known
    if forest is None or forest.key != key:
        forest = GrowingForest.of(key, table)
        result = ForestResult(forest=forest)
    state.set_partial_result(result)  # with the ensemble, whose trees stay if the task is stopped
    ensemble = forest.ensemble
    n_requested = asked(jobs)
    report = Report(state, forest, result, jobs)
    with forest.lock:  # a thread that was stopped may still grow its last tree
        while ensemble.unbroken < ensemble.trees:
            ensemble.grow(1, progress=report)
        if n_requested is None:
            ensemble.grow(progress=report)
        elif n_requested > ensemble.trees:
            ensemble.grow(n_requested - ensemble.trees, progress=report)
    return result.snapshot(jobs, n_requested, final=True)


class Report:
    """Callback of the growth: it reports the progress and partial results, and stops the growth for the widget.

    Parameters
    ----------
    state : TaskState
        Task of the widget.
    forest : GrowingForest
        Ensemble that grows.
    result : ForestResult
        Result before the growth.
    jobs : sequence of Job
        Jobs, which differ in their scores only.
    """

    def __init__(self, state: Any, forest: GrowingForest, result: ForestResult, jobs: Sequence[Job]):
        self._state = state
        self._ensemble = forest.ensemble
        self._result = result
        self._jobs = jobs
        self._n_requested = asked(jobs)
        self._due = time.monotonic() + MIN_SECONDS

    def __call__(self, share: float) -> None:
        from ...core import Interrupted

        if self._state.is_interruption_requested():
            raise Interrupted
        self._state.set_progress_value(min(100 * share, 99.9))
        self._state.set_status(self._status(self._ensemble.trees))
        begin = time.monotonic()
        if begin >= self._due and self._ensemble.unbroken > 1:
            self._result = self._result.snapshot(self._jobs, self._n_requested, final=False)
            self._state.set_partial_result(self._result)
            end = time.monotonic()
            self._due = end + max(MIN_SECONDS, TIMES_LONGER * (end - begin))

    def _status(self, trees: int) -> str:
        """Words for the number of trees so far."""
        if not trees and self._jobs[0].values["supervision"] == TUNED:
            return "Choosing how much the target counts"
        return trees_text(trees) if self._n_requested is None else f"{trees:,} of {trees_text(self._n_requested)}"


def trees_text(trees: int) -> str:
    """Return the number of trees in words."""
    return counted(trees, "tree")
