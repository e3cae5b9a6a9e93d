"""Growth of an ensemble of trees step by step, and the results of the trees so far.

`PCT.run` and the resumable `core.growing.ensemble.Ensemble` call `growing` with a forest, and `result` at each step.
With n_trees="auto" growth ends when the best features no longer change.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..checks import one_of
from ..forest.ensembles import RFOREST, SCORES, SYMBOLIC, Forest
from ..forest.pooled_scores import PooledTreeScores
from ..info import Info
from ..work.threads import Work
from .base import MethodResult
from .convergence import average_overlap, has_converged
from .parameter_table import AUTO

STEPS = tuple(k * 10**e for e in range(1, 6) for k in (1, 2, 5))  # numbers of trees with a result: 10, 20, 50, 100 ...
MIN_TREES = 100  # before which convergence does not end the growth; chosen by eye
MAX_TREES = 1000  # after which growth ends without convergence; chosen by eye
MIN_NODES = 100  # nodes that test a feature, on average, for a steady list; chosen by eye


class Size(NamedTuple):
    """Size of an ensemble that grows.

    Attributes
    ----------
    trees : int
        Number of trees.
    final : bool
        Whether no more are grown.
    """

    trees: int
    final: bool


def growing(
    forest: Forest, parameters: Mapping[str, Any], work: Work, more: int | None = None, first: int = 0
) -> Iterator[Size]:
    """Grow trees, and yield the size of the forest at each of `STEPS` and in the end.

    Parameters
    ----------
    forest : Forest
        Trees so far, to which is added.
    parameters : mapping
        Parameters of PCT.
    work : Work
        Threads and progress.
    more : int, optional
        Number of trees to add. None: as many as the parameters say, or until convergence.
    first : int
        Number of the first tree of this forest, where trees are numbered over several processes.
    """
    n_before = len(forest.results)
    until_convergence = more is None and parameters["n_trees"] == AUTO
    # Trees that an interruption left out come first: only then the trees are those of a run without one.
    begin = n_before if more is not None else n_before + forest.gaps(first)
    if more is not None:
        goal = n_before + more
    elif until_convergence:
        goal = MAX_TREES
    else:
        goal = parameters["n_trees"]
    goal = max(begin, goal)

    def grow_to(size: int) -> None:
        trees = len(forest.results)
        if size > trees:
            n_planned = goal - n_before
            with work.part((trees - n_before) / n_planned, (size - n_before) / n_planned):
                forest.more(size - trees, work, first)

    grow_to(begin)
    if begin == goal or (until_convergence and converged(forest, parameters)):
        yield Size(begin, True)
        return
    for size in (*(step for step in STEPS if begin < step < goal), goal):
        grow_to(size)
        final = size == goal or (until_convergence and converged(forest, parameters))
        yield Size(size, final)
        if final:
            return


def converged(forest: Forest, parameters: Mapping[str, Any]) -> bool:
    """Return True if the best features by the score of the parameters have converged."""
    scores = forest.pooled_scores(parameters["score"])
    return _curve_has_converged(convergence(scores, parameters["pooled"]))


def _curve_has_converged(curve: list[tuple[int, float]]) -> bool:
    return has_converged([point for point in curve if point[0] >= MIN_TREES])


def result(forest: Forest, parameters: Mapping[str, Any], score: str | None = None, final: bool = True) -> MethodResult:
    """Return the result of the trees so far.

    Parameters
    ----------
    forest : Forest
        Trees, to which other threads may add.
    parameters : mapping
        Parameters of PCT.
    score : str, optional
        Kind of score. None: that of the parameters.
    final : bool
        Whether no better results follow.

    Raises
    ------
    ValueError
        If there is no tree yet, or the trees do not have this score.
    """
    forest = forest.part(forest.keys)  # the present trees
    score = score or parameters["score"]
    n_trees = len(forest.results)
    one_of("score", score, SCORES)
    if not n_trees:
        raise ValueError("there is no tree yet: grow some first")
    if score == RFOREST and not forest.permuted:
        raise ValueError("these trees were grown without the random forest score (rforest=False)")
    pooled = parameters["pooled"]
    has_target_scores = forest.scores_each_target and score != SYMBOLIC
    scores = forest.pooled_scores(score, has_target_scores)
    per_target = None
    if has_target_scores:
        per_target = np.array([scores.means(n_trees, pooled, number) for number in range(1, len(scores.values))])
    curve = convergence(scores, pooled)
    info: Info = forest.info | {
        "trees": n_trees,
        "score": score,
        "standard_errors": scores.errors(n_trees, pooled).tolist(),
        "tested": forest.tested(),
        "error": forest.error(),
        "convergence": [list(point) for point in curve],
        "has_converged": _curve_has_converged(curve),
    }
    info["warnings"] = _warnings(forest, score, info)
    return MethodResult(scores.means(n_trees, pooled), per_target, info, final=final)


def convergence(scores: PooledTreeScores, pooled: bool) -> list[tuple[int, float]]:
    """Return pairs (trees, overlap of the best features with those of the step before) for each of `STEPS`."""
    curve: list[tuple[int, float]] = []
    ranking_before = None
    for size in STEPS:
        if size >= len(scores.counted):
            break
        ranking = np.argsort(-scores.means(size, pooled), kind="stable")
        if ranking_before is not None:
            curve.append((size, average_overlap(ranking_before, ranking)))
        ranking_before = ranking
    return curve


def _warnings(forest: Forest, score: str, info: Mapping[str, Any]) -> list[str]:
    """Sentence on why all scores are 0, or on too few trees."""
    if not forest.space.z.shape[1]:
        return ["all values that trees should make alike are constant, so all scores are 0"]
    if score == RFOREST and info["error"] is None:
        return ["no tree has a labelled row out of its bag, so that all scores are 0: grow more trees"]
    if not info["tested"]:
        return ["no feature gives a test that parts the rows, so that all scores are 0"]
    if info["tested"] >= MIN_NODES or info["has_converged"]:
        return []
    needed = info["trees"] * MIN_NODES / info["tested"]
    unit = 10 ** max(math.floor(math.log10(needed)) - 1, 0)  # two digits are written
    return [
        f"a feature is tested in {info['tested']:.1f} nodes on average, too few for a steady list: "
        f"some {math.ceil(needed / unit) * unit:,} trees would do"
    ]
