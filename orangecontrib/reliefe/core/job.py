"""A checked request for a ranking, and how it is carried out: at once, level by level, or with a shuffled target."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from .checks import one_of, whole
from .convergence import overlap, still
from .data.answers import read_target
from .data.table import DataTable
from .data.targets import HIERARCHICAL, MULTILABEL, SEVERAL, TASKS, UNSUPERVISED, Target
from .method import Given, Method
from .methods import METHODS, automatic
from .parallel import Work
from .parameters import count_rows
from .result import Ranking

LEVELS = (256, 1024, 4096, 16384)  # target rows of partial rankings
WORTH_WAITING = 5 * 10**8  # n * n * p above which a partial ranking is offered
ALONE = 10**9  # n * n * p below which one thread is faster than several: some 20 ms of work
CONVERGE = "converge"
FIRST = 128  # first level


@dataclass(frozen=True)
class Job:
    """A checked request.

    m: target rows, or None: as many as it takes.  prepared: what the method made of the rows beforehand.
    """

    method: Method
    table: DataTable
    target: Target
    values: dict[str, object]
    random_state: int
    m: int | None
    info: dict[str, object]
    prepared: dict[str, object] = field(default_factory=dict)

    @classmethod
    def check(
        cls,
        X: object,
        y: object,
        method: str,
        *,
        nominal: object = None,
        task: str | None = None,
        hierarchy: object = None,
        random_state: int = 0,
        **parameters: object,
    ) -> "Job":
        """The request as `rank` takes it; raises ValueError or TypeError where it cannot be carried out."""
        chosen = _method(method)
        partly = chosen.partly(chosen.values(parameters)) if chosen else True
        random_state = _seed(random_state)
        table = DataTable.read(X, nominal)
        tasks, name = (chosen.tasks, chosen.title) if chosen else (TASKS, "ranking")
        target, known = read_target(y, table.shape, tasks, task, name, hierarchy, partly)
        info: dict[str, object] = {"notes": [], "remarks": []}
        if chosen is None:
            chosen, info["auto"] = automatic(table, target)
            parameters = {**chosen.defaults(target.task), **parameters}
            if not chosen.partly(chosen.values(parameters)):
                target, known = read_target(y, table.shape, chosen.tasks, target.task, chosen.title, hierarchy)
        if not known.all():
            table = table.take(known)
            info["remarks"].append(f"{int((~known).sum())} rows without a target value are left out")
        values = chosen.values(parameters, known)
        n = table.shape[0]
        if n < 2:
            which = "" if target.task == UNSUPERVISED else " with a known target"
            raise ValueError(f"there is only one row{which}; at least two are needed")
        info |= {"task": target.task, "rows": n, "missing": table.missing_share}
        if target.names:
            counted = "labels" if target.task in (MULTILABEL, HIERARCHICAL) else "targets"
            info["classes" if target.task not in SEVERAL else counted] = len(target.names)
        wanted = values.get("n_instances")
        m = None if wanted == CONVERGE else count_rows(wanted, n)
        return cls(chosen, table, target, values, random_state, m, info)

    def given(self, work: Work) -> Given:
        """What the method is asked."""
        return Given(self.table, self.target, self.values, self.random_state, work)

    def workers(self, n_jobs: int | None) -> int:
        """Threads that are worth starting."""
        workers = Work(n_jobs).workers
        return 1 if self.method.cost(self.table.shape, self.values) < ALONE else workers

    def run(self, work: Work) -> Ranking:
        """The ranking."""
        if self.m is None:
            *_, last = self.refined(work)
            return last
        ranking = self._level(self.m, work, (0.0, 1.0), time.perf_counter())
        work.finish()
        return ranking

    def refined(self, work: Work) -> Iterator[Ranking]:
        """Rankings from more and more target rows, the last one from as many as were asked for, or as it takes."""
        if self.method.grows:
            yield from self._grown(work)
            return
        start, (n, p) = time.perf_counter(), self.table.shape
        if self.m is None:
            levels = [m for m in (FIRST << k for k in range(40)) if m < n]
        else:
            levels = [m for m in LEVELS if 3 * m < self.m] if self.m * n * p > WORTH_WAITING else []
        levels.append(self.m or n)
        cost = np.array([m * (n - m / 2) for m in levels])
        ends = np.cumsum(cost) / cost.sum()
        curve: list[tuple[int, float]] = []
        before = None
        for m, begin, end in zip(levels, ends - cost / cost.sum(), ends, strict=True):
            ranking = self._level(m, work, (float(begin), float(end)), start)
            if before is not None:
                curve.append((m, overlap(before.ranking, ranking.ranking)))
            final = m == levels[-1] or (self.m is None and still(curve))
            if self.m is None:
                ranking.info["convergence"] = [list(point) for point in curve]
            ranking.info["final"] = final
            before = ranking
            if final:
                work.finish()
            yield ranking
            if final:
                return

    def grid(self, counts: Sequence[int], instances: Sequence[object], work: Work) -> list[Ranking]:
        """A ranking for every number of neighbours and of target rows; rows of fewer are among those of more."""
        start, n = time.perf_counter(), self.table.shape[0]
        sizes = [count_rows(value, n) for value in instances]
        chosen = [self._rows(m) for m in sizes]
        begin = self._prepare(work)
        work.stage(begin, 1.0)
        found = self.method.grid(self.given(work), counts, chosen, self.prepared.get("rows"))
        work.finish()
        out = []
        for scores, (k, m) in zip(found, product(counts, sizes), strict=True):
            parameters = {name: plain(value) for name, value in self.values.items()}
            parameters |= {"n_neighbors": k, "n_instances": m if m < n else None}
            info = {**self.info, "instances": m, "final": True, "seconds": time.perf_counter() - start}
            info["summary"] = f"k = {k}, {m:,} of {n:,} rows" if m < n else f"k = {k}, {n:,} rows"
            out.append(Ranking(scores, self.method.name, parameters, info, None, self.table.names))
        return out

    def _rows(self, m: int) -> np.ndarray:
        """(n,) bool: m target rows."""
        n = self.table.shape[0]
        chosen = np.ones(n, bool)
        if m < n:
            chosen[np.random.default_rng(self.random_state).permutation(n)[m:]] = False
        return chosen

    def shuffled(self, seed: int) -> "Job":
        """The same with the target of every row that has one given to another one; without targets, with every feature
        shuffled by itself."""
        rng = np.random.default_rng([self.random_state, seed])
        prepared = {} if self.method.grows else self.prepared  # trees know the target
        if self.target.task == UNSUPERVISED:
            return replace(self, table=self.table.scattered(rng), prepared=prepared)
        order, known = np.arange(self.table.shape[0]), np.flatnonzero(self.target.labelled)
        order[known] = known[rng.permutation(len(known))]
        return replace(self, target=self.target.take(order), prepared=prepared)

    def _level(self, m: int, work: Work, stage: tuple[float, float], start: float) -> Ranking:
        """The ranking by m target rows, in a stage of the work that began at the time `start`."""
        begin = self._prepare(work)
        work.stage(*(begin + share * (1 - begin) for share in stage))
        found = self.method.scores(self.given(work), self._rows(m), self.prepared.get("rows"))
        return self.ranking(*found, m, time.perf_counter() - start)

    def _grown(self, work: Work) -> Iterator[Ranking]:
        """Rankings from more and more trees."""
        start, n = time.perf_counter(), self.table.shape[0]
        work.stage(self._prepare(work), 1.0)
        forest, before = self.prepared["rows"], None
        for _ in self.method.growing(forest, self.values, work):
            if before is not None:
                before.info["final"] = False
                yield before
            before = self.ranking(*self.method.result(forest, self.values), n, time.perf_counter() - start)
        work.finish()
        yield before

    def ranking(
        self, scores: np.ndarray, per_target: np.ndarray | None, done: dict[str, object], m: int, seconds: float
    ) -> Ranking:
        """What the method found with m target rows."""
        n = self.table.shape[0]
        told = {kind: self.info[kind] + done.pop(kind, []) for kind in ("notes", "remarks")}
        info = {**self.info, **done, **told, "instances": m, "final": True, "seconds": seconds}
        shown = [*self.method.summary(self.values, info), f"{m:,} of {n:,} rows" if m < n else f"{n:,} rows"]
        info["summary"] = ", ".join([*shown, f"{seconds:.1f} s" if seconds >= 0.05 else "less than 0.1 s"])
        parameters = {name: plain(value) for name, value in self.values.items()}
        targets = tuple(map(str, self.target.names)) if self.target.task in SEVERAL else None
        return Ranking(scores, self.method.name, parameters, info, per_target, self.table.names, targets)

    def _prepare(self, work: Work) -> float:
        """What has to be done once for all levels; returns the share of the work that it is."""
        share = self.method.preparation(self.values)
        if share and "rows" not in self.prepared:
            work.stage(0.0, share)
            self.prepared["rows"] = self.method.prepare(self.given(work))
        return share


def plain(value: object) -> object:
    """A literal for a parameter: coordinates and objects by what they are."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        return "coordinates"
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return type(value).__name__


def _method(name: str) -> Method | None:
    """None for "auto"."""
    return METHODS.get(one_of("method", name, ("auto", *METHODS)))


def _seed(random_state: object) -> int:
    return whole("random_state", random_state, 0)
