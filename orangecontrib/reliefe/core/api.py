"""Functions of the core: rank(X, y, method) -> Ranking, and its relatives."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .checks import several, whole
from .parallel import Work
from .request import Request
from .result import NullLevel, Ranking

MOST_SHUFFLES = 10**6


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
    **parameters: Any,
) -> Ranking:
    """Rank the features of X by what they tell of y.

    X: (n, p) numbers, SciPy sparse, or a DataFrame; NaN, what is masked, and NA of pandas are missing, in y as well.
    y: (n,); bools, integers or strings are classes, floats are numbers.  (n, L) of 0 and 1, dense or sparse: label
        sets.  Any other (n, t): several targets, numbers and (in a DataFrame, or as objects) classes.  None: no target.
        NaN, None or "" are unknown; rows without any known value are left out where the method cannot use them.
    method: a name in `METHODS`, or "auto".
    nominal: (p,) mask, or indices, of nominal features; None: none of them, in a DataFrame by type.
    task: one of `core.TASKS` where y may be read in several ways.
    hierarchy: for each label the tuple of its parents' indices, () for roots: a tree or an acyclic graph.
    random_state: seed of the choice of rows for `n_instances`.
    n_jobs: threads, None or -1 = all processors; the scores are the same to the last bit for any number.
    progress: called with the share done, in [0, 1], by one working thread at a time; raises `Interrupted` to stop.
    parameters: those of the method, see ``METHODS[name].parameters``.

    Raises ValueError or TypeError for bad input, before any work, and `Interrupted`.
    """
    options: dict[str, Any] = {"nominal": nominal, "task": task, "hierarchy": hierarchy, "random_state": random_state}
    request = Request.check(X, y, method, **options, **parameters)
    return request.rank(Work(request.workers(n_jobs), progress))


def refine(
    X: object,
    y: object = None,
    method: str = "auto",
    *,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> Iterator[Ranking]:
    """As `rank`, with its arguments, but soon: rankings from few target rows first, then from more.

    The last one is that of `rank`, and ``info["final"]`` tells it.  Small data give it at once.
    """
    request = Request.check(X, y, method, **options)
    return request.refine(Work(request.workers(n_jobs), progress))


def rank_grid(
    X: object,
    y: object = None,
    method: str = "rrelieff",
    *,
    n_neighbors: Sequence[int],
    n_instances: Sequence[int | float | None] = (None,),
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> list[Ranking]:
    """Rankings for every number of neighbours with every number of target rows, from one search for neighbours.

    For rrelieff, urelief and sslrelief (whose influence is chosen once).  The others as in `rank`, and what is raised.
    """
    request = Request.check(X, y, method, **options)
    check = request.method.check
    counts = [check({"n_neighbors": k})["n_neighbors"] for k in several("n_neighbors", n_neighbors)]
    rows = [check({"n_instances": m})["n_instances"] for m in several("n_instances", n_instances)]
    if not counts or not rows or any(isinstance(value, str) for value in (*counts, *rows)):
        raise ValueError("n_neighbors and n_instances must be sequences of numbers (None: all rows)")
    return request.grid(counts, rows, Work(request.workers(n_jobs), progress))


def null_level(
    X: object,
    y: object = None,
    method: str = "auto",
    *,
    n_shuffles: int = 19,
    n_jobs: int | None = None,
    progress: Callable[[float], object] | None = None,
    **options: Any,
) -> NullLevel:
    """The score that irrelevant features reach: the largest one of any feature when the target is shuffled.

    n_shuffles: at least 1; with 19 the level is exceeded with probability 1/20 if no feature is relevant.  The others
    as in `rank`, and what is raised, too.  Distances between rows do not change; what is chosen by the target
    (neighbours, influence, supervision, representatives) and an embedding are made once, for the true target.
    """
    n_shuffles = whole("n_shuffles", n_shuffles, 1, MOST_SHUFFLES)
    request = Request.check(X, y, method, **options)
    Work(n_jobs, progress)  # raises for what is neither, before any work
    workers, preparation = request.workers(n_jobs), request.method.preparation(request.parameters)
    whole_work, done = preparation + n_shuffles * (1 - preparation), 0.0

    def share(part: float) -> None:
        if progress:
            progress(min((done + part) / whole_work, 1.0))

    request, done = request.prepare(Work(workers, share)), preparation
    maxima = np.empty(n_shuffles)
    for number in range(n_shuffles):
        work = Work(workers, lambda part: share(part * (1 - preparation)))
        maxima[number] = request.shuffled(number).rank(work).scores.max()
        done += 1 - preparation
    return NullLevel(float(maxima.max()), maxima, 1 / (n_shuffles + 1))
