"""rank(X, y, method) -> Ranking, and the table of methods."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from .data.table import DataTable
from .data.targets import CLASSIFICATION, REGRESSION, Classes, Target, read_target
from .parallel import Work
from .parameters import Parameter, count_rows
from .relief.recipes import RECIPES, Recipe

METHODS: dict[str, Recipe] = {recipe.name: recipe for recipe in RECIPES}
MANY_ROWS = 10_000  # above this `auto` does without radius methods
LEVELS = (256, 1024, 4096, 16384)  # target rows of partial rankings
WORTH_WAITING = 5 * 10**8  # n * n * p above which a partial ranking is offered
ALONE = 2 * 10**6  # n * n * p below which one thread is faster than several


@dataclass(frozen=True, eq=False)
class Ranking:
    """What a method makes of data: scores of p features, and how they came about.

    scores (p,): higher is better, never NaN.  ranking (p,): indices of the features, best first, ties by index.
    per_target (t, p): scores for each of several targets, or None.  parameters: all of them, info: what was done and
    found, both as plain literals.  names: of the features, where the data had any.
    """

    scores: np.ndarray
    method: str
    parameters: dict[str, object] = field(default_factory=dict)
    info: dict[str, object] = field(default_factory=dict)
    per_target: np.ndarray | None = None
    names: tuple[str, ...] | None = None

    @property
    def ranking(self) -> np.ndarray:
        return np.argsort(-self.scores, kind="stable")

    def select(self, n: int) -> np.ndarray:
        """Indices of the n best features, best first."""
        return self.ranking[: max(int(n), 0)]

    def above(self, threshold: float) -> np.ndarray:
        """Indices of the features with at least this score, best first; see `tau_max` for a threshold."""
        order = self.ranking
        return order[self.scores[order] >= threshold]


def tau_max(alpha: float, m: int) -> float:
    """Largest sensible relevance threshold 1 / sqrt(alpha m) of Kira and Rendell (1992).

    alpha in (0, 1]: accepted probability of taking an irrelevant feature; m >= 1: target rows.  By Chebyshev's
    inequality, so very cautious, and derived for plain Relief only.  Raises ValueError outside these ranges.
    """
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha must be above 0 and at most 1, not {alpha}")
    if m < 1:
        raise ValueError(f"m must be at least 1, not {m}")
    return float(1 / np.sqrt(alpha * m))


def methods() -> tuple[Recipe, ...]:
    """All methods: name, title, about, idea, citation, tasks and parameters of each."""
    return tuple(METHODS.values())


def rank(
    X: object,
    y: object = None,
    method: str = "auto",
    *,
    nominal: object = None,
    task: str | None = None,
    hierarchy: object = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **parameters: object,
) -> Ranking:
    """Rank the features of X by what they tell of y.

    X: (n, p) numbers with NaN for missing, SciPy sparse, or a DataFrame.
    y: (n,); bools, integers or strings are classes, floats are numbers; NaN, None or "" are unknown, and such rows are
        left out.
    method: a name in `METHODS`, or "auto".
    nominal: (p,) mask, or indices, of nominal features; None: none of them, in a DataFrame by type.
    task: "classification" or "regression" where y may be either.
    hierarchy: parents of labels; reserved, must be None.
    random_state: seed of the choice of rows for `n_instances`.
    n_jobs: threads, None or -1 = all processors; the scores are the same to the last bit for any number.
    progress: called with the share done, in [0, 1], from worker threads, one at a time; raises `Interrupted` to stop.
    parameters: those of the method, see ``METHODS[name].parameters``.

    Raises ValueError or TypeError for bad input, before any work, and `Interrupted`.
    """
    job = _Job.check(X, y, method, nominal, task, hierarchy, random_state, parameters)
    return job.run(job.m, Work(job.workers(n_jobs), progress))


def refine(
    X: object,
    y: object = None,
    method: str = "auto",
    *,
    nominal: object = None,
    task: str | None = None,
    hierarchy: object = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **parameters: object,
) -> Iterator[Ranking]:
    """As `rank`, but soon: rankings from few target rows first, then from more; the last one is that of `rank`.

    ``info["final"]`` tells the last one.  Small data give it at once.
    """
    job = _Job.check(X, y, method, nominal, task, hierarchy, random_state, parameters)
    workers = job.workers(n_jobs)
    return job.refined(workers, progress)


@dataclass(frozen=True)
class _Job:
    """A checked request."""

    recipe: Recipe
    table: DataTable
    target: Target
    values: dict[str, object]
    random_state: int
    m: int
    info: dict[str, object]

    @classmethod
    def check(cls, X, y, method, nominal, task, hierarchy, random_state, parameters) -> "_Job":
        if hierarchy is not None:
            raise ValueError("no method for label hierarchies is available yet; leave out hierarchy")
        recipe = _recipe(method)
        values = _values(recipe, parameters) if recipe else None
        random_state = _seed(random_state)
        table = DataTable.read(X, nominal)
        tasks = recipe.tasks if recipe else (CLASSIFICATION, REGRESSION)
        target, known = read_target(y, table.shape[0], tasks, task, recipe.title if recipe else "ranking")
        info: dict[str, object] = {"notes": []}
        if not known.all():
            table = table.take(known)
            info["notes"].append(f"{int((~known).sum())} rows without a target value are left out")
        if recipe is None:
            recipe, info["auto"] = _automatic(table, target)
            values = _values(recipe, parameters)
        n = table.shape[0]
        if n < 2:
            raise ValueError("there is only one row with a known target; at least two are needed")
        info |= {"task": target.task, "rows": n}
        info["missing"] = table.missing_share
        if isinstance(target, Classes):
            info["classes"] = len(target.names)
        return cls(recipe, table, target, values, random_state, count_rows(values["n_instances"], n), info)

    def workers(self, n_jobs: int | None) -> int:
        """Threads that are worth starting."""
        n, p = self.table.shape
        workers = Work(n_jobs).workers
        return 1 if n * n * p < ALONE else workers

    def run(self, m: int, work: Work) -> Ranking:
        start, n = time.perf_counter(), self.table.shape[0]
        chosen = np.ones(n, bool)
        if m < n:
            chosen[np.random.default_rng(self.random_state).permutation(n)[m:]] = False
        scores, found = self.recipe.scores(self.table, self.target, self.values, chosen, work)
        work.finish()
        info = {**self.info, **found, "instances": m, "final": m == self.m, "seconds": time.perf_counter() - start}
        info["summary"] = self._summary(m, info["seconds"])
        return Ranking(scores, self.recipe.name, dict(self.values), info, names=self.table.names)

    def refined(self, workers: int, progress: Callable[[float], object] | None) -> Iterator[Ranking]:
        n, p = self.table.shape
        levels = [m for m in LEVELS if 3 * m < self.m] if self.m * n * p > WORTH_WAITING else []
        levels.append(self.m)
        cost = np.array([m * (n - m / 2) for m in levels])
        ends = np.cumsum(cost) / cost.sum()
        for m, begin, end in zip(levels, ends - cost / cost.sum(), ends, strict=True):
            part = progress and (lambda share, a=begin, b=end: progress(float(a + share * (b - a))))
            yield self.run(m, Work(workers, part))

    def _summary(self, m: int, seconds: float) -> str:
        n = self.table.shape[0]
        shown = [f"k = {self.values['n_neighbors']}"] if "n_neighbors" in self.values else []
        shown.append(f"{m:,} of {n:,} rows" if m < n else f"{n:,} rows")
        shown.append(f"{seconds:.1f} s" if seconds >= 0.05 else "less than 0.1 s")
        return ", ".join(shown)


def _recipe(method: str) -> Recipe | None:
    """None for "auto"."""
    if method == "auto":
        return None
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; choose from auto, {', '.join(METHODS)}")
    return METHODS[method]


def _values(recipe: Recipe, given: dict[str, object]) -> dict[str, object]:
    known: dict[str, Parameter] = {p.name: p for p in recipe.parameters}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ValueError(f"{recipe.name} has no parameter {unknown[0]!r}; it has {', '.join(known)}")
    values = {name: p.check(given[name]) if name in given else p.default for name, p in known.items()}
    if values.get("power", 1) != 1 and values["ramp"]:
        raise ValueError("power = 2 and a ramp exclude each other")
    return values


def _seed(random_state: object) -> int:
    if isinstance(random_state, bool) or not hasattr(random_state, "__index__"):
        raise TypeError(f"random_state must be an integer, not {random_state!r}")
    if random_state < 0:
        raise ValueError(f"random_state must be at least 0, not {random_state}")
    return int(random_state)


def _automatic(table: DataTable, target: Target) -> tuple[Recipe, str]:
    """The method for the data, and why."""
    if target.task == REGRESSION:
        return METHODS["rrelieff"], "RReliefF, since the target is a number"
    if table.shape[0] > MANY_ROWS:
        return METHODS["relieff"], f"ReliefF, since there are more than {MANY_ROWS:,} rows"
    if table.missing_share:
        return METHODS["relieff"], "ReliefF, since values are missing"
    return METHODS["multisurf"], "MultiSURF, since the target has classes: it has nothing to set"
