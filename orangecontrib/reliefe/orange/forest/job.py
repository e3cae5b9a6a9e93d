"""Growth of one ensemble of trees for all scores; its trees stay when it is stopped."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np
from Orange.data import Table

from ...core.words import counted
from ..jobs.job import Job
from ..jobs.loading import tell_loading
from ..jobs.result import Result

PCT = "pct"
AUTO, TUNED = "auto", "tuned"
EVERY, SHARE = 0.4, 10  # seconds between partial results, and how many times longer than they take


@dataclass(frozen=True, eq=False)
class Forest:
    """An ensemble of trees for the features of a table; it grows, by one thread at a time.

    key: the job without what may change while it grows; data: the table as arrays.
    """

    key: Job
    table: Table
    data: object
    ensemble: object
    lock: Lock = field(default_factory=Lock)

    @classmethod
    def of(cls, key: Job, table: Table) -> "Forest":
        """Before its first tree; raises ValueError where there will be none."""
        from ...core import Ensemble
        from ..conversion import arrays, asked

        data = arrays(table, method=PCT)
        # The number of trees comes when it grows.
        return cls(key, table, data, Ensemble.of(data.X, data.y, **asked(data), n_trees=AUTO, **key.values))


@dataclass(frozen=True, eq=False)
class ForestResult(Result):
    """Rankings of one ensemble, and paths: {job: {number of trees: scores (p,)}}."""

    forest: Forest | None = None
    paths: dict = field(default_factory=dict)

    def snapshot(self, jobs: Sequence[Job], trees: int | None, final: bool) -> "ForestResult":
        """The same with the scores of the first `trees` (None: all), whether or not more are to come.

        Trees after a missing one do not count yet, so that threads make no difference.
        """
        from ..conversion import on_table

        forest = self.forest
        grown = forest.ensemble.unbroken
        n = min(trees or grown, grown)
        found, rankings, curves, paths = forest.ensemble.first(n).rankings(), {}, {}, {}
        for job in jobs:
            ranking = on_table(found[job.values["score"]], forest.table, forest.data)
            rankings[job] = replace(ranking, info={**ranking.info, "final": final})
            curves[job] = ranking.info["convergence"]
            paths[job] = self._path(job, n) | {n: ranking.scores}
        return replace(self, rankings=rankings, failures={}, curves=curves, paths=paths)

    def _path(self, job: Job, n: int) -> dict[int, np.ndarray]:
        """Scores after fewer trees; those that were noted before are the same."""
        from ...core.methods.tree_growth import STEPS

        known, score = self.paths.get(job, {}), job.values["score"]
        grown = self.forest.ensemble
        return {k: known[k] if k in known else grown.first(k).ranking(score).scores for k in STEPS if k < n}


def key_of(job: Job) -> Job:
    """Job without what scores of one ensemble, of any size, do not have in common."""
    return Job.of(job.method, {name: v for name, v in job.parameters if name not in ("score", "n_trees")})


def asked(jobs: Sequence[Job]) -> int | None:
    """Number of trees that jobs, which differ in their scores only, are to have; None: as many as it takes."""
    trees = jobs[0].values["n_trees"]
    return None if trees == AUTO else trees


def settled(job: Job, result: Result) -> Job:
    """The job with the number of trees and the supervision that were chosen, as far as there is its ranking."""
    ranking = result.rankings.get(job)
    if ranking is None or not job.own:
        return job
    chosen = {"n_trees": ranking.info["trees"], "supervision": ranking.info["supervision"], "per_target": False}
    return Job.of(job.method, job.values | chosen)


def grow(table: Table, jobs: Sequence[Job], known: ForestResult, state) -> ForestResult:
    """Rankings by each score of `jobs`, which differ in nothing else, from one ensemble that goes on growing."""
    tell_loading(state)
    key, wanted = key_of(jobs[0]), asked(jobs)
    result = known if known.forest and known.forest.key == key else ForestResult(forest=Forest.of(key, table))
    state.set_partial_result(result)  # so that what is grown can be kept, whenever it is stopped
    ensemble, report = result.forest.ensemble, Report(state, result, jobs, wanted)
    with result.forest.lock:  # a thread that was stopped may be on its last rows
        while ensemble.unbroken < ensemble.trees:
            ensemble.grow(1, progress=report)
        if wanted is None:
            ensemble.grow(progress=report)
        elif wanted > ensemble.trees:
            ensemble.grow(wanted - ensemble.trees, progress=report)
    return result.snapshot(jobs, wanted, final=True)


class Report:
    """Called while the ensemble grows: says how far it is, shows what is grown, and stops it when the widget wants."""

    def __init__(self, state, result: ForestResult, jobs: Sequence[Job], wanted: int | None):
        self._state, self._result, self._jobs, self._wanted = state, result, jobs, wanted
        self._due = time.monotonic() + EVERY

    def __call__(self, share: float) -> None:
        from ...core import Interrupted

        if self._state.is_interruption_requested():
            raise Interrupted
        self._state.set_progress_value(min(100 * share, 99.9))
        ensemble, start = self._result.forest.ensemble, time.monotonic()
        self._state.set_status(self._status(ensemble.trees))
        if start >= self._due and ensemble.unbroken > 1:
            self._result = self._result.snapshot(self._jobs, self._wanted, final=False)
            self._state.set_partial_result(self._result)
            now = time.monotonic()
            self._due = now + max(EVERY, SHARE * (now - start))

    def _status(self, trees: int) -> str:
        if not trees and self._jobs[0].values["supervision"] == TUNED:
            return "Choosing how much the target counts"
        return trees_text(trees) if self._wanted is None else f"{trees:,} of {trees_text(self._wanted)}"


def trees_text(trees: int) -> str:
    """Their number in words."""
    return counted(trees, "tree")
