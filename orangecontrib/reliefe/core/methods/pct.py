"""PCT: scores by ensembles of predictive clustering trees, for any kind of target.

`registry` has its one instance, which `rank` runs. `prepare` chooses the weight of the target, `new_forest` sets up the
growth of trees, and `tree_growth` grows them and pools their scores. `core.growing.ensemble` calls the same functions
for ensembles to which more trees are added later.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, cast

import numpy as np
from scipy import sparse

from ..data.facts import refuse_infinite
from ..data.table import DataTable
from ..forest.attributes import Attributes
from ..forest.clustering_space import clustering_space
from ..forest.columns import Columns
from ..forest.ensembles import EXTRA_TREES, RANDOM_FOREST, RFOREST, Forest, candidates
from ..forest.growth_rule import UNLIMITED, GrowthRule, significant
from ..forest.outcome import Outcome
from ..info import Info, InfoEntry
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from ..words import counted
from .base import TREES, Method, MethodInput, MethodResult
from .details import CONVERGENCE, HAS_CONVERGED, LABELLED, STANDARD_ERRORS, TRIED_SETTINGS
from .inner_validation import Tried, too_few
from .parameter_table import AUTO, FRACTIONAL, MAJORITY, OWN, PARAMETERS, TUNED
from .parameters import Parameter
from .traits import Traits
from .tree_growth import MAX_TREES, growing, result
from .tuned_supervision import tune_supervision

PARTLY_LABELLED_WEIGHT = 0.5  # weight of the target in the clustering space if it is unknown for some rows
MAX_VALUE = 1e150  # above which squares of values may not be finite
# Rough measurements, for the time that a ranking will take
VALUE_COST = 1000.0  # of a value that a tree reads, relative to a comparison of two values
TUNING_COST = 40  # of the choice of a weight, relative to one forest
TUNING_SHARE = 0.8  # share of the work that the choice of a weight is; chosen by eye


class Supervision(NamedTuple):
    """Weight of the target in the clustering space.

    Attributes
    ----------
    weight : float
        The weight, from 0 (features only) to 1 (target only).
    tuning : tuple of (float, float)
        Weights that were tried, with their quality.
    too_few : bool
        Whether there were too few labelled rows to try any.
    """

    weight: float
    tuning: Tried[float] = ()
    too_few: bool = False


@dataclass(frozen=True)
class PCT(Method[Supervision]):
    """Predictive clustering trees, whose tests reduce the variance of the target, of the features, or of both."""

    name = "pct"
    title = "PCT"
    about = "ensembles of trees"
    idea = "Scores the tests on a feature in many trees, for any kind of target"
    citation = "Petkovic, Dzeroski and Kocev 2020, arXiv:2008.03937"
    tasks = (CLASSIFICATION, REGRESSION, *SEVERAL, UNSUPERVISED)
    family = "trees"
    traits = Traits(
        interactions=False,  # each test is chosen by one feature
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
        InfoEntry("trees", int, "number of trees"),
        InfoEntry("asked", int | str, "number of trees that was asked for"),
        InfoEntry("ensemble", str, "kind of ensemble"),
        InfoEntry("score", str, "kind of score"),
        InfoEntry("candidates", int, "number of features that are tried in a node"),
        InfoEntry("supervision", float, "weight of the target"),
        InfoEntry("permuted", bool, "whether features were permuted, for the random forest score"),
        InfoEntry("tested", float, "mean number of nodes that test a feature"),
        InfoEntry("error", float | None, "out-of-bag error"),
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
        return TUNING_SHARE if parameters["supervision"] == TUNED else 0.0

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        n, p = shape
        n_forests = TUNING_COST if parameters["supervision"] == TUNED else 1
        kind = _kind(parameters, has_target=True)
        n_candidates = candidates(kind.ensemble, kind.max_features, p)
        return VALUE_COST * n_forests * _n_trees(parameters) * n * math.log2(n + 1) * n_candidates

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
        start = partial(_forest, data)
        tuning = tune_supervision(table, target, _n_trees(parameters), start, data.random_state, data.work)
        best = max(tuning, key=lambda pair: (pair[1], pair[0]))[0] if tuning else weight
        return Supervision(best, tuning, too_few=not tuning)

    def run(self, data: MethodInput[Supervision]) -> Iterator[MethodResult]:
        parameters = data.parameters
        forest = new_forest(data)
        if not data.partial and parameters["n_trees"] != AUTO:
            # Without steps, at which threads would wait for each other
            forest.more(parameters["n_trees"], data.work)
            yield result(forest, parameters)
            return
        for _, final in growing(forest, parameters, data.work):
            if final or data.partial:
                yield result(forest, parameters, final=final)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        texts = [counted(info["trees"], "tree"), f"{counted(info['candidates'], 'feature')} tried"]
        if 0 < info["supervision"] < 1:
            texts.append(f"supervision {info['supervision']:g}")
        return texts


def new_forest(data: MethodInput[Supervision], permuted: bool = False) -> Forest:
    """Set up the forest before its first tree, with the prepared weight of the target.

    Parameters
    ----------
    data : MethodInput
        Table, target and parameters, and what `PCT.prepare` returned.
    permuted : bool
        Whether trees get the random forest score, too, for which features are permuted.
    """
    table = data.table
    target = data.target
    parameters = data.parameters
    prepared = data.preparation
    labelled = target.labelled
    if prepared.weight == 1 and not labelled.all():
        rows = np.flatnonzero(labelled)
        table = table.take(rows)
        target = target.take(rows)
    forest = _forest(data, table, target, prepared.weight, permuted)
    kind = _kind(parameters, prepared.weight > 0)
    p = table.shape[1]
    information = []
    if isinstance(kind.max_features, int) and kind.max_features > p:
        information.append(f"{kind.max_features} features cannot be tried where there are {p}: all of them are")
    if prepared.too_few:
        information.append(too_few("the supervision"))
    if table.is_sparse and not labelled.all() and parameters["supervision"] == AUTO:
        information.append("rows without a target were left out, for X is sparse")
    forest.info = {
        "asked": parameters["n_trees"],
        "ensemble": kind.ensemble,
        "candidates": forest.rule.n_candidates,
        "supervision": prepared.weight,
        "permuted": forest.permuted,
        "tuning": [list(pair) for pair in prepared.tuning] or None,
        "information": information,
        "labelled": int(labelled.sum()),
    }
    return forest


def _forest(
    data: MethodInput[Supervision], table: DataTable, target: Target, weight: float, permuted: bool = False
) -> Forest:
    """Forest of rows before its first tree.

    Parameters
    ----------
    data : MethodInput
        Parameters, threads and seed.
    table : DataTable
        Table of n rows, which may be a subset of those of `data`.
    target : Target
        Target of the n rows.
    weight : float
        Weight of the target in the clustering space.
    permuted : bool
        Whether trees get the random forest score, even if the parameters do not ask for it.
    """
    parameters = data.parameters
    work = data.work
    n, p = table.shape
    hierarchy = target.inner.hierarchy
    label_weights = None
    if hierarchy is not None:
        label_weights = hierarchy.weights(parameters["label_decay"], parameters["label_weights"])

    # Clustering space: the target, the features, or both.
    attributes = Attributes.of(target, label_weights).shared(weight)
    features = None
    if weight < 1:
        features = Attributes(table.lifted().values, table.nominal, np.ones(p))
        attributes = attributes.joined(features.shared(1 - weight))
    work.tick()
    space = clustering_space(attributes)
    work.tick()

    # Outcome that out-of-bag predictions are compared with.
    permuted = permuted or parameters["score"] == RFOREST
    outcome = None
    if target.task != UNSUPERVISED:
        outcome = Outcome.of(target, label_weights)
    elif permuted:
        outcome = Outcome.of_features(cast("Attributes", features).shared(1.0), space)
    work.tick()

    # Rule of growth.
    kind = _kind(parameters, weight > 0)
    has_random_thresholds = kind.ensemble == EXTRA_TREES
    rule = GrowthRule(
        n_candidates=candidates(kind.ensemble, kind.max_features, p),
        random=has_random_thresholds,
        min_leaf=parameters["min_leaf"],
        max_depth=UNLIMITED if parameters["max_depth"] is None else parameters["max_depth"],
        shares=significant(parameters["f_test"], n),
        fractional=parameters["missing"] == FRACTIONAL and table.missing_share > 0,
    )
    columns = Columns.read(table.values, table.nominal, ranks=not has_random_thresholds)
    per_target = parameters["per_target"] and target.task in SEVERAL
    return Forest(columns, space, outcome, rule, data.random_state, permuted, per_target, parameters["depth_decay"])


class _Kind(NamedTuple):
    """Kind of an ensemble.

    Attributes
    ----------
    ensemble : str
        Name of the ensemble.
    max_features : int, float, str or None
        Features that are tried in a node, as a number, a share, "sqrt" or "log2". None: all.
    """

    ensemble: str
    max_features: str | float | None


def _kind(parameters: Mapping[str, Any], has_target: bool) -> _Kind:
    """Kind of the ensemble; "auto" depends on whether the target is in the clustering space."""
    ensemble = parameters["ensemble"]
    max_features = parameters["max_features"]
    if ensemble == AUTO:
        ensemble = RANDOM_FOREST if has_target else EXTRA_TREES
    if max_features == AUTO:
        max_features = "sqrt" if has_target else "log2"
    return _Kind(ensemble, max_features)


def _n_trees(parameters: Mapping[str, Any]) -> int:
    """Number of trees, at most."""
    n_trees: int = MAX_TREES if parameters["n_trees"] == AUTO else parameters["n_trees"]
    return n_trees


def check(table: DataTable, target: Target, values: Mapping[str, Any]) -> None:
    """Check that trees can be grown.

    Raises
    ------
    ValueError
        If X has infinite values, or X is sparse and its features are in the clustering space, where rows would be
        points with as many coordinates as there are features.
    """
    X = table.values
    if table.is_sparse:
        too_large = np.unique(cast("sparse.csr_array", X).indices[np.abs(X.data) > MAX_VALUE])
    else:
        largest = np.fmax(np.fmax.reduce(X, axis=0), -np.fmin.reduce(X, axis=0))
        too_large = np.flatnonzero(largest > MAX_VALUE)
    refuse_infinite(too_large)
    if table.is_sparse and (target.task == UNSUPERVISED or values["supervision"] not in (AUTO, 1)):
        size = math.prod(table.shape) * np.dtype(np.float64).itemsize / 2**20
        raise ValueError(
            "trees that make the features alike need dense features, and X is sparse. Use supervision 1, or the method "
            f"urelief or sslrelief, or X.toarray() or the to_dense() of a table, which take {max(size, 1):,.0f} MB"
        )
