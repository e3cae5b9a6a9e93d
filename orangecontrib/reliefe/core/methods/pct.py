"""Growth of an ensemble of trees step by step, and the results of the trees that there are."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from ..checks import one_of
from ..data.table import DataTable, refuse_infinite
from ..forest.attributes import Attributes
from ..forest.clustering_space import clustering_space
from ..forest.columns import Columns
from ..forest.ensembles import (
    EXTRA_TREES,
    RANDOM_FOREST,
    RFOREST,
    SCORES,
    SYMBOLIC,
    Forest,
    candidates,
)
from ..forest.growth_rule import UNLIMITED, GrowthRule, significant
from ..forest.outcome import Outcome
from ..forest.pooled_scores import PooledTreeScores
from ..result import Detail, Info
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from ..words import counted
from ..work.threads import Work
from .base import TREES, Found, Method, MethodInput
from .convergence import average_overlap, has_converged
from .details import CONVERGENCE, HAS_CONVERGED, LABELLED, STANDARD_ERRORS, TRIED_SETTINGS
from .inner_validation import Tried, too_few
from .parameter_table import AUTO, FRACTIONAL, MAJORITY, OWN, PARAMETERS, TUNED
from .parameters import Parameter
from .traits import Traits
from .tuned_supervision import tune_supervision

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
    forest = forest.part(forest.keys)  # of no more trees than now, while more grow
    score, trees = score or parameters["score"], len(forest.results)
    one_of("score", score, SCORES)
    if not trees:
        raise ValueError("there is no tree yet: grow some first")
    if score == RFOREST and not forest.permuted:
        raise ValueError("these trees were grown without the random forest score (rforest=False)")
    pooled = parameters["pooled"]
    several = forest.each and score != SYMBOLIC
    each = None
    scores = forest.pooled_scores(score, several)
    if several:
        each = np.array([scores.means(trees, pooled, number) for number in range(1, len(scores.values))])
    curve = convergence(scores, pooled)
    info: Info = forest.info | {
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
        return ["all values that trees should make alike are constant, so all scores are 0"]
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


PARTLY_LABELLED_WEIGHT = 0.5  # weight of the target where some rows lack it
TOO_LARGE = 1e150  # values whose squares would not be finite
STEP = 1000.0  # what a value that a tree reads costs, against a comparison of two values
TUNING = 40  # forests that are grown to choose a weight of the target


class Supervision(NamedTuple):
    """Weight of the target in the clustering space, the weights that were tried with their quality, and whether there
    were too few labelled rows to try any."""

    weight: float
    tried: Tried[float] = ()
    few: bool = False


@dataclass(frozen=True)
class PCT(Method[Supervision]):
    """The method: trees whose tests make the targets alike, the features, or both."""

    name = "pct"
    title = "PCT"
    about = "ensembles of trees"
    idea = "Scores the tests on a feature in many trees, for any kind of target"
    citation = "Petkovic, Dzeroski and Kocev 2020, arXiv:2008.03937"
    tasks = (CLASSIFICATION, REGRESSION, *SEVERAL, UNSUPERVISED)
    family = "trees"
    traits = Traits(
        interactions=False,  # a test is chosen by what it tells alone
        redundancy=False,
        sparse=True,
        nominal="one against the others",
        missing=MAJORITY,
        complexity="T f t n log n",
        refines=TREES,
    )
    details = (
        CONVERGENCE,
        HAS_CONVERGED,
        STANDARD_ERRORS,
        LABELLED,
        TRIED_SETTINGS,
        Detail("trees", int, "number of trees"),
        Detail("asked", int | str, "number of trees that was asked for"),
        Detail("ensemble", str, "kind of ensemble"),
        Detail("score", str, "kind of score"),
        Detail("candidates", int, "number of features that are tried in a node"),
        Detail("supervision", float, "weight of the target"),
        Detail("permuted", bool, "whether features were permuted, for the random forest score"),
        Detail("tested", float, "mean number of nodes that test a feature"),
        Detail("error", float | None, "out-of-bag error"),
    )

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*OWN, *(PARAMETERS[name] for name in ("per_target", "label_weights", "label_decay")))

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        supervision: float | str = parameters["supervision"]
        return supervision != 1

    def takes_lifted(self, parameters: Mapping[str, Any]) -> bool:
        return False  # models have thresholds in the units of the caller

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        return 0.8 if parameters["supervision"] == TUNED else 0.0

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        trees: float
        (n, p), trees = shape, MAX_TREES if parameters["n_trees"] == AUTO else parameters["n_trees"]
        tuned = TUNING if parameters["supervision"] == TUNED else 1
        return STEP * tuned * trees * n * math.log2(n + 1) * candidates(*_kind(parameters, True), p)

    def prepare(self, data: MethodInput[Supervision]) -> Supervision:
        table = data.table
        target = data.target
        parameters = data.parameters
        check(table, target, parameters)
        if target.task == UNSUPERVISED:
            return Supervision(0.0)
        weight = parameters["supervision"]
        if isinstance(weight, str):
            weight = 1.0 if target.labelled.all() or table.is_sparse else PARTLY_LABELLED_WEIGHT
        if parameters["supervision"] != TUNED:
            return Supervision(weight)
        n_trees = MAX_TREES if parameters["n_trees"] == AUTO else parameters["n_trees"]
        start = partial(_forest, data)
        tried = tune_supervision(table, target, n_trees, start, data.random_state, data.work)
        best = max(tried, key=lambda pair: (pair[1], pair[0]))[0] if tried else weight
        return Supervision(best, tried, few=not tried)

    def run(self, data: MethodInput[Supervision]) -> Iterator[Found]:
        parameters, forest = data.parameters, new_forest(data)
        if not data.partial and parameters["n_trees"] != AUTO:
            forest.more(parameters["n_trees"], data.work)  # at once: threads need not wait for steps
            yield result(forest, parameters)
            return
        for _, final in growing(forest, parameters, data.work):
            if final or data.partial:
                yield result(forest, parameters, final=final)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        trees, tried = info["trees"], info["candidates"]
        out = [counted(trees, "tree"), f"{counted(tried, 'feature')} tried"]
        if 0 < info["supervision"] < 1:
            out.append(f"supervision {info['supervision']:g}")
        return out


def new_forest(data: MethodInput[Supervision], permuted: bool = False) -> Forest:
    """The forest before its first tree, with the weight of the target that was prepared.

    permuted: whether it will have the random forest score, too.  Raises ValueError where there is nothing to grow.
    """
    table = data.table
    target = data.target
    parameters = data.parameters
    prepared = data.preparation
    labelled = target.labelled
    if prepared.weight == 1 and not labelled.all():
        rows = np.flatnonzero(labelled)
        table, target = table.take(rows), target.take(rows)
    forest = _forest(data, table, target, prepared.weight, permuted)
    ensemble, wanted = _kind(parameters, prepared.weight > 0)
    p, information = table.shape[1], []
    if isinstance(wanted, int) and wanted > p:
        information.append(f"{wanted} features cannot be tried where there are {p}: all of them are")
    if prepared.few:
        information.append(too_few("the supervision"))
    if table.is_sparse and not labelled.all() and parameters["supervision"] == AUTO:
        information.append("rows without a target were left out, for X is sparse")
    forest.info = {
        "asked": parameters["n_trees"],
        "ensemble": ensemble,
        "candidates": forest.rule.n_candidates,
        "supervision": prepared.weight,
        "permuted": forest.permuted,
        "tuning": [list(pair) for pair in prepared.tried] or None,
        "information": information,
        "labelled": int(labelled.sum()),
    }
    return forest


def _forest(
    data: MethodInput[Supervision], table: DataTable, target: Target, weight: float, permuted: bool = False
) -> Forest:
    """The forest for some of the rows before its first tree, with this weight of the target."""
    values = data.parameters
    work = data.work
    X = table.values
    (n, p) = table.shape
    hierarchy = target.inner.hierarchy
    alpha = None if hierarchy is None else hierarchy.weights(values["label_decay"], values["label_weights"])
    own = Attributes(table.lifted().values, table.nominal, np.ones(p)) if weight < 1 else None
    attributes = Attributes.of(target, alpha).shared(weight)
    if own is not None:
        attributes = attributes.beside(own.shared(1 - weight))
    ensemble, wanted = _kind(values, weight > 0)
    random, permuted = ensemble == EXTRA_TREES, permuted or values["score"] == RFOREST
    depth = UNLIMITED if values["max_depth"] is None else values["max_depth"]
    work.tick()
    space, outcome = clustering_space(attributes), None
    work.tick()
    if target.task != UNSUPERVISED:
        outcome = Outcome.of(target, alpha)
    elif permuted:
        outcome = Outcome.of_features(cast("Attributes", own).shared(1.0), space)
    work.tick()
    fractional = values["missing"] == FRACTIONAL and table.missing_share > 0
    shares, tried = significant(values["f_test"], n), candidates(ensemble, wanted, p)
    rule = GrowthRule(tried, random, values["min_leaf"], depth, shares, fractional)
    columns, each = Columns.read(X, table.nominal, ranks=not random), values["per_target"] and target.task in SEVERAL
    return Forest(columns, space, outcome, rule, data.random_state, permuted, each, values["depth_decay"])


def _kind(values: Mapping[str, Any], supervised: bool) -> tuple[str, str | float | None]:
    """Ensemble, and the number of features that are tried."""
    ensemble, wanted = values["ensemble"], values["max_features"]
    if ensemble == AUTO:
        ensemble = RANDOM_FOREST if supervised else EXTRA_TREES
    if wanted == AUTO:
        wanted = "sqrt" if supervised else "log2"
    return ensemble, wanted


def check(table: DataTable, target: Target, values: Mapping[str, Any]) -> None:
    """Raises ValueError for infinite values of X, and for sparse X whose features trees make alike.

    Rows would be points with as many coordinates as there are features, or rows."""
    X = table.values
    if table.is_sparse:
        bad = np.unique(cast("sparse.csr_array", X).indices[np.abs(X.data) > TOO_LARGE])
    else:
        bad = np.flatnonzero(np.fmax(np.fmax.reduce(X, axis=0), -np.fmin.reduce(X, axis=0)) > TOO_LARGE)
    refuse_infinite(bad)
    if table.is_sparse and (target.task == UNSUPERVISED or values["supervision"] not in (AUTO, 1)):
        size = math.prod(table.shape) * np.dtype(np.float64).itemsize / 2**20
        raise ValueError(
            "trees that make the features alike need dense features, and X is sparse. Use supervision 1, or the method "
            f"urelief or sslrelief, or X.toarray() or the to_dense() of a table, which take {max(size, 1):,.0f} MB"
        )
