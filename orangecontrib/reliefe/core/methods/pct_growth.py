"""Growth of an ensemble of trees step by step, and the results of the trees that there are."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

from ..forest.ensembles import RFOREST, SCORES, SYMBOLIC, Forest, PooledTreeScores
from ..parallel import Work
from ..result import Info
from .base import Found
from .forest_parameters import AUTO
from .stopping import average_overlap, has_converged

STEPS = tuple(k * 10**e for e in range(1, 6) for k in (1, 2, 5))  # trees after which one may look at the scores
MIN_TREES, MAX_TREES = 100, 1000  # after which convergence is looked at first, and last
MIN_NODES = 100  # nodes that test a feature, for a steady list


def growing(
    forest: Forest, parameters: Mapping[str, Any], work: Work, more: int | None = None, first: int = 0
) -> Iterator[tuple[int, bool]]:
    """Grow trees, and yield at each of `STEPS` and in the end how many there are, and whether these are all."""
    there, auto = len(forest.results), more is None and parameters["n_trees"] == AUTO
    begin = there if more is not None else there + forest.gaps(first)
    goal = max(begin, there + more if more is not None else MAX_TREES if auto else parameters["n_trees"])

    def reach(size: int) -> None:
        before = len(forest.results)
        if size > before:
            with work.part((before - there) / (goal - there), (size - there) / (goal - there)):
                forest.more(size - before, work, first)

    reach(begin)  # what a stop left out comes first: only then the trees are those of a run without one
    if begin == goal or (auto and converged(forest, parameters)):
        yield begin, True
        return
    for size in (*(size for size in STEPS if begin < size < goal), goal):
        reach(size)
        final = size == goal or (auto and converged(forest, parameters))
        yield size, final
        if final:
            return


def converged(forest: Forest, parameters: Mapping[str, Any]) -> bool:
    """True once the top of the list by the score that is asked for has converged."""
    curve = convergence(forest.pooled_scores(parameters["score"]), parameters["pooled"])
    return has_converged([point for point in curve if point[0] >= MIN_TREES])


def result(forest: Forest, parameters: Mapping[str, Any], score: str | None = None, final: bool = True) -> Found:
    """Result of the trees that there are, by one of the scores (None: by that of the parameters)."""
    forest = forest.part(forest.keys)  # of no more trees than now, while others grow
    score, trees = score or parameters["score"], len(forest.results)
    if score not in SCORES:
        raise ValueError(f"unknown score {score!r}; choose from {', '.join(SCORES)}")
    if not trees:
        raise ValueError("there is no tree yet: grow some first")
    if score == RFOREST and not forest.permuted:
        raise ValueError("these trees were grown without the random forest score (rforest=False)")
    pooled, several, each = parameters["pooled"], forest.each and score != SYMBOLIC, None
    scores = forest.pooled_scores(score, several)
    if several:
        each = np.array([scores.means(trees, pooled, number) for number in range(1, len(scores.values))])
    curve = convergence(scores, pooled)
    info: Info = cast("Info", forest.info) | {
        "trees": trees,
        "score": score,
        "standard_errors": scores.errors(trees, pooled).tolist(),
        "tested": forest.tested(),
        "error": forest.error(),
        "convergence": [list(point) for point in curve],
        "has_converged": has_converged([point for point in curve if point[0] >= MIN_TREES]),
    }
    info["warnings"] = _warnings(forest, score, info)
    return Found(scores.means(trees, pooled), each, info, final=final)


def convergence(scores: PooledTreeScores, pooled: bool) -> list[tuple[int, float]]:
    """Convergence of the list: pairs (trees, overlap of its top with that at the step before) at each of `STEPS`."""
    curve, before = [], None
    for size in STEPS:
        if size >= len(scores.counted):
            break
        ranking = np.argsort(-scores.means(size, pooled), kind="stable")
        if before is not None:
            curve.append((size, average_overlap(before, ranking)))
        before = ranking
    return curve


def _warnings(forest: Forest, score: str, info: Mapping[str, Any]) -> list[str]:
    if not forest.space.z.shape[1]:
        return ["nothing varies in what trees are to make alike, so that all scores are 0"]
    if score == RFOREST and info["error"] is None:
        return ["no tree has a labelled row out of its bag, so that all scores are 0: grow more trees"]
    if not info["tested"]:
        return ["no feature gives a test that parts the rows, so that all scores are 0"]
    if info["tested"] >= MIN_NODES or info["has_converged"]:
        return []
    wanted = info["trees"] * MIN_NODES / info["tested"]
    unit = 10 ** max(math.floor(math.log10(wanted)) - 1, 0)
    return [
        f"a feature is tested in {info['tested']:.1f} nodes on average, too few for a steady list: "
        f"some {math.ceil(wanted / unit) * unit:,} trees would do"
    ]
