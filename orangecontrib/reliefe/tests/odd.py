"""Odd values, and calls of everything public into which they are put, one argument at a time."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from scipy import sparse
from sklearn.dummy import DummyClassifier

from orangecontrib import reliefe
from orangecontrib.reliefe import core
from orangecontrib.reliefe.core import embedding as space
from orangecontrib.reliefe.core import evaluation as judge
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.estimators import ForestClassifier, ForestRanker, ForestRegressor, ReliefRanker
from orangecontrib.reliefe.orange.models import PCTLearner
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES, times

N, P = 12, 4
HUGE = 10**400
RNG = np.random.default_rng(3)
X = RNG.random((N, P))
CLASSES, NUMBERS, LABELS = np.arange(N) % 2, X[:, 0] + X[:, 1], (RNG.random((N, 3)) < 0.5).astype(int)
SCORES = RNG.random((3, P))
FOLDS = [(np.arange(6), np.arange(6, 12)), (np.arange(6, 12), np.arange(6))]


def nested(depth):
    """[[[...]]]"""
    out = []
    for _ in range(depth):
        out = [out]
    return out


def objects(*values):
    out = np.empty(len(values), object)
    out[:] = values
    return out


def spread(value):
    """A matrix and a column of objects with this value in them."""
    whole, column = X.astype(object), NUMBERS.astype(object)
    whole[1, 1] = column[1] = value
    return whole, column


ODD = {
    "None": None, "True": True, "zero": 0, "negative": -1, "fraction": 0.5, "three": 3, "nan": np.nan, "inf": np.inf,
    "huge": HUGE, "-huge": -HUGE, "digits": 10**5000, "complex": 1j, "text": "x", "empty text": "", "bytes": b"x",
    "long text": "x" * 10**5, "list": [], "list of text": ["x"], "lists": [[]], "ragged": [[1, 2], [3]], "tuple": (),
    "long list": list(range(200)), "deep": nested(5000), "dict": {}, "a dict": {"x": [1]}, "set": {1},
    "object": object(), "class": dict, "function": len, "iterator": iter(()), "range": range(3),
    "Ellipsis": ...,
    "NA": pd.NA, "NaT": pd.NaT, "masked": np.ma.masked, "bool_": np.bool_(True), "int8": np.int8(3),
    "float32": np.float32(0.5), "array": np.array([1, 2]), "no dimension": np.array(3), "no cells": np.zeros(0),
    "no rows": np.zeros((0, P)), "no columns": np.zeros((N, 0)), "three dimensions": np.zeros((2, 2, 2)),
    "matrix": np.eye(3), "complex matrix": X * 1j, "complex column": NUMBERS * 1j, "texts": np.array(["a", "b"] * 6),
    "times": np.arange(N).astype("datetime64[s]"), "records": np.zeros(N, [("a", int), ("b", float)]),
    "masked column": np.ma.masked_all(N), "masked matrix": np.ma.masked_all((N, P)),
    "masked some": np.ma.masked_less(X, 0.3), "masked classes": np.ma.masked_equal(np.arange(N) % 3, 2),
    "Series": pd.Series(NUMBERS), "Index": pd.Index(range(N)), "frame": pd.DataFrame(X),
    "complex frame": pd.DataFrame(X * 1j), "frame of lists": pd.DataFrame({"a": [[1]] * N}),
    "frame of text": pd.DataFrame({"x" * 10**4: ["a"] * N}),
    "nullable": pd.DataFrame(X).astype("Float64").mask(X < 0.3),
    "nullable column": pd.Series(CLASSES).astype("Int64").mask(NUMBERS < 0.5),
    "categories": pd.Series(CLASSES).astype("category").mask(NUMBERS < 0.5),
    "sparse": sparse.csr_array(LABELS), "complex sparse": sparse.csc_array(X * 1j),
    "sparse column": sparse.coo_array(X[:, :1]),
    "sparse of objects": sparse.lil_array((N, P)), "empty sparse": sparse.dok_array((N, P)),
    **{f"{form} with {name}": part for name, value in (
        ("huge", HUGE), ("list", [1]), ("dict", {}), ("None", None), ("NA", pd.NA), ("text", "a"), ("complex", 1j),
        ("numpy complex", np.complex128(1j)), ("array", np.arange(2)), ("masked", np.ma.masked), ("object", object()),
    ) for form, part in zip(("matrix", "column"), spread(value))},
}  # fmt: skip


@dataclass
class Call:
    """function(**arguments) works; others: names of arguments that have no value here, but may have one."""

    function: object
    arguments: dict = field(default_factory=dict)
    others: tuple = ()

    def cases(self):
        for name in (*self.arguments, *self.others):
            for odd, value in ODD.items():
                if name != "progress" or not callable(value):  # what it raises itself comes out
                    yield name, odd, value


def table(target="classes"):
    y = DiscreteVariable("y", values=("a", "b")) if target == "classes" else ContinuousVariable("y")
    domain = Domain([ContinuousVariable(f"x{k}") for k in range(P)], y)
    return Table.from_numpy(domain, X, CLASSES if target == "classes" else NUMBERS)


def made(kind, fit):
    """An estimator with these settings, fitted."""
    return lambda X, y, **settings: getattr(kind(**settings), fit)(X, y)


RUNNING = ("task", "nominal", "hierarchy", "random_state", "n_jobs", "progress")
DATA = {"X": X, "y": CLASSES}
SEEDED = ("random_state", "progress")


def constant(*data):
    return [1.0] * P


def of_method(name):
    method = core.METHODS[name]
    y = (
        LABELS
        if method.tasks[0] not in ("classification", "unsupervised", "regression")
        else (None if method.tasks[0] == "unsupervised" else NUMBERS if method.tasks[0] == "regression" else CLASSES)
    )
    y = times(CLASSES) if method.tasks == ("survival",) else y
    own = {p.name: p.default for p in method.parameters}
    quick = {k: v for k, v in {"embedding": None, "n_trees": 3}.items() if k in own}
    return Call(core.rank, {"X": X, "y": y, "method": name, **own, **quick})


def twice(**more):
    return {"first": SCORES[0], "second": SCORES[1], "n_folds": 3, **more}


CALLS = {
    **{f"rank {name}": of_method(name) for name in REPRESENTATIVES},
    "rank": Call(core.rank, {**DATA, "method": "auto"}, RUNNING),
    "refine": Call(lambda **a: list(core.refine(**a)), {**DATA, "method": "relieff"}, RUNNING),
    "null_level": Call(core.null_level, {**DATA, "method": "relief", "n_shuffles": 2}, RUNNING),
    "grow": Call(core.grow, {**DATA, "n_trees": 2}, (*RUNNING, "rforest", "first")),
    "ReliefRanker": Call(made(ReliefRanker, "fit"), {**DATA, "method": "relief"}, (
        "n_features_to_select", "nominal", "task", "random_state", "n_jobs", "parameters")),
    "transform": Call(ReliefRanker().fit(X, CLASSES).transform, {"X": X}),
    "ForestRanker": Call(made(ForestRanker, "fit"), {**DATA, "scoring": "genie3", "n_trees": 2}, (
        "n_features_to_select", "nominal", "task", "hierarchy", "random_state", "n_jobs", "parameters")),
    "ForestClassifier": Call(made(ForestClassifier, "fit"), {**DATA, "n_trees": 2}, (
        "nominal", "random_state", "n_jobs", "parameters")),
    "ForestRegressor": Call(made(ForestRegressor, "fit"), {"X": X, "y": NUMBERS, "n_trees": 2}),
    "predict": Call(ForestRegressor(2).fit(X, NUMBERS).predict, {"X": X}),
    "table": Call(reliefe.rank, {"table": table(), "method": "relief"}, ("target", "task", "random_state", "n_jobs",
                                                                        "progress")),
    "refined table": Call(lambda **a: list(reliefe.refine(**a)), {"table": table(), "method": "relief"},
                          ("target", "task")),
    "scorer": Call(lambda name, data, feature, **more: reliefe.scorer(name, **more)(data, feature), {
        "name": "relief", "data": table(), "feature": None}, ("random_state", "n_jobs", "power")),
    "PCTLearner": Call(lambda data, **more: PCTLearner(**more)(data), {"data": table(), "n_trees": 2}, (
        "parameters", "random_state", "n_jobs")),
    "intrinsic_dimension": Call(space.intrinsic_dimension, {
        "X": X, "method": "twonn", "discard": 0.0, "ecdf": "i/n", "dedupe": True, "n_resamples": 2, "confidence": 0.9},
        SEEDED),
    "sparsify": Call(space.sparsify, {"X": X, "epsilon": None, "row_normalize": False}, ("random_state",)),
    "spectral_error": Call(space.spectral_error, {"X": X, "Y": X + 1, "random_state": 0}),
    "density": Call(space.density, {"X": X}),
    "density_curve": Call(space.density_curve, {"X": X, "epsilons": [0.5, 2.0]}),
    "embed": Call(space.embed, {"X": X, "fit_rows": np.arange(8), "dimension": 2, "how": "pca", "n_neighbors": 3,
                                "metric": "euclidean", "output_metric": "euclidean", "fit_matrix": None}, SEEDED),
    "encoded": Call(space.matrix, {"table": DataTable.read(X), "rows": None}),
    "representatives": Call(space.representatives, {"groups": CLASSES, "size": 3, "random_state": 0}),
    "aggregate": Call(judge.aggregate, {"scores": SCORES, "method": "mean-rank", "weights": None}),
    "rank_intervals": Call(judge.rank_intervals, {"scores": SCORES, "level": 0.9}),
    "ranks": Call(judge.ranks, {"scores": SCORES}),
    "stability_selection": Call(judge.stability_selection, {
        **DATA, "ranker": constant, "n_best": 2, "threshold": 0.8, "n_pairs": 2, "strata": None}, ("n_jobs", *SEEDED)),
    **{name: Call(getattr(judge, name), {"a": SCORES[0], "b": SCORES[1], "sizes": None})
       for name in ("fuji", "jaccard", "overlap", "kuncheva", "rbo")},
    "persistence": Call(judge.rbo, {"a": SCORES[0], "b": SCORES[1], "persistence": 0.9}),
    **{name: Call(getattr(judge, name), {"a": SCORES[0], "b": SCORES[1]})
       for name in ("spearman", "kendall", "weighted_kendall")},
    "compare": Call(judge.compare, {"rankings": SCORES, "measure": "fuji", "sizes": None}),
    "compare_sizes": Call(judge.compare_sizes, {"rankings": SCORES, "measure": "fuji", "sizes": None}),
    "hierarchical_t": Call(judge.hierarchical_t, {
        "first": SCORES, "second": SCORES[::-1], "n_folds": 3, "rope": 0.01, "n_sweeps": 3},
        ("higher_is_better", *SEEDED)),
    "distinct_rows": Call(judge.distinct_rows, {"n": 5, "random_state": 0, "strata": None}),
    "TopChances": Call(judge.TopChances.of, {"scores": SCORES}),
    "chances": Call(judge.TopChances.of(SCORES), {"n_best": 2}),
    "clustering_hypothesis": Call(judge.clustering_hypothesis, {
        **DATA, "task": "classification", "nominal": None, "weights": None, "n_runs": 1}, ("random_state",)),
    "convergence": Call(judge.convergence, {
        "ranker": constant, "amounts": [2, 4], **DATA, "task": "classification", "sizes": [1], "parts": FOLDS,
        "estimator": DummyClassifier()}, ("measure", "nominal", *SEEDED)),
    "quality_curve": Call(judge.quality_curve, {
        "ranker": constant, **DATA, "task": "classification", "sizes": [1], "parts": FOLDS,
        "estimator": DummyClassifier()}, ("measure", "nominal", "n_jobs", *SEEDED)),
    "curve_area": Call(judge.curve_area, {"sizes": [1, 2, 4], "values": [0.1, 0.2, 0.3]}),
    "enough": Call(judge.enough, {"sizes": [1, 2], "values": [[1, 2], [2, 3]], "n_folds": 2, "higher_is_better": True}),
    "folds": Call(judge.folds, {"n": N, "n_folds": 3, "random_state": 0, "classes": None}),
    "blocks": Call(judge.blocks, {"n": N, "n_folds": 3, "random_state": 0}),
    "labelled": Call(judge.labelled, {"parts": FOLDS, "n_labelled": 4, "random_state": 0, "classes": None}),
    "rank_diagram": Call(judge.rank_diagram, {"mean_ranks": [1, 2.5, 2.5], "difference": 1}),
    "in_triangle": Call(judge.in_triangle, {"probabilities": [[0.1, 0.2, 0.7]]}),
    "rrmse": Call(judge.rrmse, {"truth": CLASSES, "predicted": CLASSES[::-1]}),
    "RowSpace": Call(judge.RowSpace.fit, {"X": X, "nominal": None, "rows": None, "ranges": None}),
    "neighbours": Call(judge.RowSpace.fit(X).neighbours, {
        "train": np.arange(6), "test": np.arange(6, 9), "weights": np.ones(P), "k": 2}),
    "feature_weights": Call(judge.feature_weights, {"scores": SCORES[0]}),
    "vote": Call(judge.vote, {"codes": CLASSES, "near": np.array([[0, 1]]), "default": -1}),
    "mean": Call(judge.mean, {"values": NUMBERS, "near": np.array([[0, 1]])}),
    "weighted_knn": Call(judge.weighted_knn, {
        "X_train": X, "Y_train": CLASSES, "X_test": X, "weights": np.ones(P), "k": 2, "nominal": None, "ranges": None}),
    "doublings": Call(judge.doublings, {"p": 5}),
    "reconstruction": Call(judge.reconstruction, {"train": X, "test": X, "features": np.arange(2), "last": False}),
    "rmse_1nn": Call(judge.rmse_1nn, {"X": X, "order": lambda X: np.arange(P), "sizes": [2], "parts": None,
                                      "last": False}),
    "references": Call(lambda task, nominal, random_state, n_draws, X, y: [
        judge.references(task, nominal, random_state, n_draws)[name](X, y) for name in ("random", "f-score")], {
        "task": "classification", "nominal": None, "random_state": 0, "n_draws": 1, **DATA}),
    "nogueira": Call(judge.nogueira, {"selections": SCORES > 0.5, "level": 0.9}),
    "mean_kuncheva": Call(judge.mean_kuncheva, {"rankings": SCORES, "size": 2}),
    "average_ranks": Call(judge.average_ranks, {"scores": SCORES, "higher_is_better": True}),
    "friedman": Call(judge.friedman, {"scores": SCORES, "higher_is_better": True}),
    "critical_difference": Call(judge.critical_difference, {"k": 3, "n": 4, "level": 0.05}),
    "nemenyi": Call(judge.nemenyi, {"mean_ranks": [1, 2.5, 2.5], "n": 4}),
    "cliques": Call(judge.cliques, {"mean_ranks": [1, 2.5, 2.5], "difference": 1}),
    "corrected_t": Call(judge.corrected_t, twice(rope=0.1, level=0.9, higher_is_better=True)),
    "resampled_interval": Call(judge.resampled_interval, {"values": SCORES, "n_folds": 3, "level": 0.9}),
}  # fmt: skip
