"""Ensembles of predictive clustering trees: features are good that make groups alike (Petkovic et al.)."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..words import counted
from .convergence import overlap, still
from .data.components import Components
from .data.labels import Labels
from .data.table import DataTable
from .data.targets import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED, Target, Unlabelled
from .forest.clustering_space import Attributes, clustering_space
from .forest.columns import Columns
from .forest.ensembles import EXTRA_TREES, RANDOM_FOREST, RFOREST, SCORES, SYMBOLIC, Forest, Told, candidates
from .forest.parameters import AUTO, FRACTIONAL, OWN, TUNED
from .forest.scores import Outcome
from .forest.trees import UNLIMITED, Rule, significant
from .method import Given, Method
from .options import PARAMETERS
from .parallel import Work
from .parameters import Parameter
from .supervision import FEW, Tried, tune

HALF = 0.5  # weight of the target where some rows lack it
TOO_LARGE = 1e150  # values whose squares would not be finite
STEPS = tuple(k * 10**e for e in range(1, 6) for k in (1, 2, 5))  # trees after which one may look at the scores
FIRST, MOST = 100, 1000  # trees that are judged first, and at most, by whether the top of the list stands still
STEP, TUNING = 1000.0, 40  # what a value that a tree reads costs, against a comparison; forests for choosing a weight
ENOUGH = 100  # nodes that test a feature, for a steady list


@dataclass(frozen=True)
class PCT(Method):
    """The method: trees whose tests make the targets alike, the features, or both."""

    name = "pct"
    title = "PCT"
    about = "ensembles of trees"
    idea = "A feature counts for what the tests on it do in many trees, whatever their target"
    citation = "Petkovic, Dzeroski and Kocev 2020, arXiv:2008.03937"
    tasks = (CLASSIFICATION, REGRESSION, *SEVERAL, UNSUPERVISED)
    grows = True

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        return (*OWN, *(PARAMETERS[name] for name in ("per_target", "label_weights", "label_decay")))

    def partly(self, values: Mapping[str, object]) -> bool:
        """Whether rows without a known target count."""
        return values["supervision"] != 1

    def preparation(self, values: dict[str, object]) -> float:
        """Share of the work that the choice of the weight, ranks and distances of the rows are."""
        return 0.8 if values["supervision"] == TUNED else 0.05

    def cost(self, shape: tuple[int, int], values: Mapping[str, object]) -> float:
        """Steps of the work: a tree reads some features of all rows on each of its levels."""
        (n, p), trees = shape, MOST if values["n_trees"] == AUTO else values["n_trees"]
        tuned = TUNING if values["supervision"] == TUNED else 1
        return STEP * tuned * trees * n * math.log2(n + 1) * candidates(*_kind(values, True), p)

    def prepare(self, given: Given) -> Forest:
        """The forest before its first tree."""
        table, target, values, random_state, work = given

        def start(table: DataTable, target: Target, weight: float) -> Forest:
            return forest_of(table, target, values, weight, random_state, work)

        check(table, target, values)
        weight, tried, few = _supervision(table, target, values), (), False
        if values["supervision"] == TUNED and not isinstance(target, Unlabelled):
            n_trees = MOST if values["n_trees"] == AUTO else values["n_trees"]
            tried = tune(table, target, n_trees, start, random_state, work)
            weight = max(tried, key=lambda pair: (pair[1], pair[0]))[0] if tried else weight
            few = not tried
        labelled = target.labelled
        if weight == 1 and not labelled.all():
            rows = np.flatnonzero(labelled)
            table, target = table.take(rows), target.take(rows)
        forest = start(table, target, weight)
        forest.info = _chosen(forest, table, values, weight, tried, few) | {"labelled": int(labelled.sum())}
        if table.is_sparse and not labelled.all() and values["supervision"] == AUTO:
            forest.info["remarks"].append("rows without a target were left out, for X is sparse")
        return forest

    def growing(
        self, forest: Forest, values: Mapping[str, object], work: Work, more: int | None = None, first: int = 0
    ) -> Iterator[int]:
        """Grow trees and tell, at each of `STEPS` and in the end, how many there are: `more` of them, or None for as
        many as `values` ask for in all; first: number of the first one, for forests that are merged."""
        there, auto = len(forest.rows), more is None and values["n_trees"] == AUTO
        begin = there if more is not None else there + forest.gaps(first)
        goal = max(begin, there + more if more is not None else MOST if auto else values["n_trees"])

        def reach(size: int) -> None:
            before = len(forest.rows)
            if size > before:
                with work.part((before - there) / (goal - there), (size - there) / (goal - there)):
                    forest.more(size - before, work, first)

        reach(begin)  # what a stop left out comes first: only then the trees are those of a run without one
        if begin == goal or (auto and self.steady(forest, values)):
            yield begin
            return
        for size in (*(size for size in STEPS if begin < size < goal), goal):
            reach(size)
            yield size
            if auto and self.steady(forest, values):
                return

    def steady(self, forest: Forest, values: Mapping[str, object]) -> bool:
        """Whether the top of the list by the score that is asked for stands still."""
        curve = convergence(forest.told(values["score"]), values["pooled"])
        return still([point for point in curve if point[0] >= FIRST])

    def scores(
        self, given: Given, chosen: np.ndarray, prepared: Forest
    ) -> tuple[np.ndarray, np.ndarray | None, dict[str, object]]:
        """Scores (p,), scores (t, p) of several targets or None, and what was done as plain literals; all rows are
        used, whatever `chosen` is."""
        values, work = given.values, given.work
        if values["n_trees"] == AUTO:
            for _ in self.growing(prepared, values, work):
                pass
        else:
            prepared.more(values["n_trees"] - len(prepared.rows), work)  # at once: threads need not wait for steps
        return self.result(prepared, values)

    def result(
        self, forest: Forest, values: dict[str, object], score: str | None = None
    ) -> tuple[np.ndarray, np.ndarray | None, dict[str, object]]:
        """The same of the trees that there are; score: None for that of the values.

        Raises ValueError without a tree, and where features were not permuted.
        """
        forest = forest.part(forest.keys)  # of no more trees than now, while others grow
        score, trees = score or values["score"], len(forest.rows)
        if score not in SCORES:
            raise ValueError(f"unknown score {score!r}; choose from {', '.join(SCORES)}")
        if not trees:
            raise ValueError("there is no tree yet: grow some first")
        if score == RFOREST and not forest.permuted:
            raise ValueError("these trees were grown without the random forest score (rforest=False)")
        pooled, several, each = values["pooled"], forest.each and score != SYMBOLIC, None
        told = forest.told(score, several)
        if several:
            each = np.array([told.means(trees, pooled, number) for number in range(1, len(told.values))])
        curve = convergence(told, pooled)
        info = forest.info | {
            "trees": trees,
            "score": score,
            "standard_errors": told.errors(trees, pooled).tolist(),
            "tested": forest.tested(),
            "error": forest.error(),
            "convergence": [list(point) for point in curve],
            "still": still([point for point in curve if point[0] >= FIRST]),
        }
        info["notes"] = _notes(forest, score, info)
        return told.means(trees, pooled), each, info | {"remarks": list(forest.info["remarks"])}

    def summary(self, values: dict[str, object], info: dict[str, object]) -> list[str]:
        """What was chosen: "100 trees, 9 features tried, supervision 0.5"."""
        trees, tried = info["trees"], info["candidates"]
        out = [counted(trees, "tree"), f"{counted(tried, 'feature')} tried"]
        if 0 < info["supervision"] < 1:
            out.append(f"supervision {info['supervision']:g}")
        return out


def forest_of(
    table: DataTable, target: Target, values: Mapping[str, object], weight: float, random_state: int, work: Work
) -> Forest:
    """The forest before its first tree, with this weight of the target."""
    X, (n, p), alpha = table.values, table.shape, _alpha(target, values)
    own = Attributes(X, table.nominal, np.ones(p)) if weight < 1 else None
    attributes = Attributes.of(target, alpha).shared(weight)
    if own is not None:
        attributes = attributes.beside(own.shared(1 - weight))
    ensemble, wanted = _kind(values, weight > 0)
    random, permuted = ensemble == EXTRA_TREES, values["score"] == RFOREST
    depth = UNLIMITED if values["max_depth"] is None else values["max_depth"]
    work.tick()
    space, outcome = clustering_space(attributes), None
    work.tick()
    if not isinstance(target, Unlabelled):
        outcome = Outcome.of(target, alpha)
    elif permuted:
        outcome = Outcome.of_features(own.shared(1.0), space)
    work.tick()
    return Forest(
        Columns.read(X, table.nominal, ranks=not random),
        space,
        outcome,
        Rule(
            candidates(ensemble, wanted, p),
            random,
            values["min_leaf"],
            depth,
            significant(values["f_test"], n),
            values["missing"] == FRACTIONAL and table.missing_share > 0,
        ),
        random_state,
        permuted=permuted,
        each=values["per_target"] and target.task in SEVERAL,
        decay=values["depth_decay"],
    )


def convergence(told: Told, pooled: bool) -> list[tuple[int, float]]:
    """(trees, overlap of the top of the list with that at the step before) at each of `STEPS` that is reached."""
    curve, before = [], None
    for size in STEPS:
        if size >= len(told.counted):
            break
        ranking = np.argsort(-told.means(size, pooled), kind="stable")
        if before is not None:
            curve.append((size, overlap(before, ranking)))
        before = ranking
    return curve


def _kind(values: Mapping[str, object], supervised: bool) -> tuple[str, object]:
    """Which ensemble, and how many features are tried."""
    ensemble, wanted = values["ensemble"], values["max_features"]
    if ensemble == AUTO:
        ensemble = RANDOM_FOREST if supervised else EXTRA_TREES
    if wanted == AUTO:
        wanted = "sqrt" if supervised else "log2"
    return ensemble, wanted


def _chosen(
    forest: Forest, table: DataTable, values: Mapping[str, object], weight: float, tried: Tried, few: bool
) -> dict[str, object]:
    """What was decided before the first tree."""
    ensemble, wanted = _kind(values, weight > 0)
    p, remarks = table.shape[1], []
    if isinstance(wanted, int) and wanted > p:
        remarks.append(f"{wanted} features cannot be tried where there are {p}: all of them are")
    if few:
        remarks.append(f"fewer than {FEW} rows are labelled: too few to choose the supervision by cross-validation")
    return {
        "asked": values["n_trees"],
        "ensemble": ensemble,
        "candidates": forest.rule.n_candidates,
        "supervision": weight,
        "permuted": forest.permuted,
        "tuning": [list(pair) for pair in tried] or None,
        "remarks": remarks,
    }


def _supervision(table: DataTable, target: Target, values: Mapping[str, object]) -> float:
    """Weight of the target in the clustering space, by the rule."""
    if isinstance(target, Unlabelled):
        return 0.0
    if isinstance(values["supervision"], str):
        return 1.0 if target.labelled.all() or table.is_sparse else HALF
    return values["supervision"]


def _alpha(target: Target, values: Mapping[str, object]) -> np.ndarray | None:
    """(L,) weights of the labels of a hierarchy."""
    inner = getattr(target, "target", target)
    if not isinstance(inner, Labels | Components) or inner.hierarchy is None:
        return None
    return inner.hierarchy.weights(values["label_decay"], values["label_weights"])


def check(table: DataTable, target: Target, values: Mapping[str, object]) -> None:
    """Raises ValueError for infinite values of X, and for sparse ones that are to be made alike: rows would be points
    with as many coordinates as there are features, or rows."""
    X = table.values
    if table.is_sparse:
        bad = np.unique(X.indices[np.abs(X.data) > TOO_LARGE])
    else:
        bad = np.flatnonzero(np.fmax(np.fmax.reduce(X, axis=0), -np.fmin.reduce(X, axis=0)) > TOO_LARGE)
    if len(bad):
        raise ValueError(
            f"X has infinite or far too large values in {len(bad)} features, the first of them with index {bad[0]}"
        )
    if table.is_sparse and (isinstance(target, Unlabelled) or values["supervision"] not in (AUTO, 1)):
        size = math.prod(table.shape) * np.dtype(np.float64).itemsize / 2**20
        raise ValueError(
            "trees that make the features alike need them dense, and X is sparse: rank for a target with supervision "
            "1, or rank by urelief or sslrelief, or make X dense by X.toarray(), or by the to_dense() of a table, "
            f"which takes {max(size, 1):,.0f} MB"
        )


def _notes(forest: Forest, score: str, info: Mapping[str, object]) -> list[str]:
    if not forest.space.z.shape[1]:
        return ["nothing varies in what trees are to make alike, so that all scores are 0"]
    if score == RFOREST and info["error"] is None:
        return ["no tree has a labelled row out of its bag, so that all scores are 0: grow more trees"]
    if not info["tested"]:
        return ["no feature gives a test that parts the rows, so that all scores are 0"]
    if info["tested"] >= ENOUGH or info["still"]:
        return []
    wanted = info["trees"] * ENOUGH / info["tested"]
    unit = 10 ** max(math.floor(math.log10(wanted)) - 1, 0)
    return [
        f"a feature is tested in {info['tested']:.2g} nodes on average, too few for a steady list: "
        f"some {math.ceil(wanted / unit) * unit:,} trees would do"
    ]
