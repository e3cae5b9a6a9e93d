"""For the tests of forests: clustering spaces of every kind, and trees grown with what the twin takes."""

from dataclasses import replace

import numpy as np

from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.forest.attributes import Attributes
from orangecontrib.reliefe.core.forest.clustering_space import clustering_space
from orangecontrib.reliefe.core.forest.columns import Columns
from orangecontrib.reliefe.core.forest.growth_rule import GrowthRule, significant
from orangecontrib.reliefe.core.forest.trees import grow
from orangecontrib.reliefe.core.methods.base import MethodInput
from orangecontrib.reliefe.core.methods.pct import PCT, new_forest
from orangecontrib.reliefe.core.methods.tree_growth import growing, result
from orangecontrib.reliefe.core.targets.accepts import Accepts
from orangecontrib.reliefe.core.targets.reader import read_target
from orangecontrib.reliefe.core.work.threads import Work

KINDS = ("class", "binary", "number", "numbers", "numbers-missing", "labels", "hierarchy", "mixture", "unsupervised",
         "few-class", "few-numbers", "few-labels")  # fmt: skip


def features(seed, n=40, p=6, missing=0.0, decimals=1):
    """X (n, p), every third feature nominal, and which are, (p,)."""
    rng = np.random.default_rng(seed)
    X, nominal = rng.standard_normal((n, p)).round(decimals), np.arange(p) % 3 == 1
    X[:, nominal] = rng.integers(0, 4, (n, nominal.sum()))
    X[rng.random(X.shape) < missing] = np.nan
    return X, nominal


def mostly_zeros(seed, n=40, p=6, missing=0.0, density=0.3):
    """The same features, where most values are 0."""
    X, nominal = features(seed, n, p)
    rng = np.random.default_rng([seed, 3])
    X = np.where(rng.random((n, p)) < density, X, 0.0)
    X[rng.random((n, p)) < missing] = np.nan
    return X, nominal


def attributes(kind, seed, X, nominal):
    """Attributes that rows are clustered by, as the product has them."""
    out = None
    for values, is_nominal, weights, total in parts(kind, seed, X, nominal):
        part = Attributes(values, is_nominal, weights).shared(total)
        out = part if out is None else out.joined(part)
    return out


def parts(kind, seed, X, nominal):
    """Attributes that rows are clustered by, in parts: (values, nominal, weights, total)."""
    rng = np.random.default_rng([seed, 1])
    n = len(X)
    classes, numbers = rng.integers(0, 3, (n, 1)).astype(float), rng.standard_normal((n, 3)).round(1)
    labels = rng.integers(0, 2, (n, 5)).astype(float)
    some = np.where(rng.random((n, 1)) < 0.4, np.nan, 1.0)

    def of(values, is_nominal=False, weights=1.0, total=1.0):
        shape = values.shape[1]
        return values, np.full(shape, is_nominal), np.ones(shape) * weights, total

    def own(total):
        return X, nominal, np.ones(X.shape[1]), total

    if kind == "unsupervised":
        return [own(1.0)]
    if kind.startswith("few"):
        few = {"class": of(classes * some, True, total=0.6), "numbers": of(numbers * some, total=0.6),
               "labels": of(labels * some, total=0.3)}[kind[4:]]  # fmt: skip
        return [few, own(0.7 if kind == "few-labels" else 0.4)]
    mixture = np.hstack([classes, numbers]), np.arange(4) == 0, np.ones(4), 1.0
    return [{"class": of(classes, True), "binary": of(np.minimum(classes, 1), True), "number": of(numbers[:, :1]),
            "numbers": of(numbers), "numbers-missing": of(np.where(rng.random((n, 3)) < 0.3, np.nan, numbers)),
            "labels": of(labels), "hierarchy": of(labels, False, [1, 1, 0.75, 0.75, 0.5]),
            "mixture": mixture}[kind]]  # fmt: skip


def bag(seed, n):
    """(n,) multiplicities of a bootstrap sample."""
    return np.bincount(np.random.default_rng([seed, 2]).integers(0, n, n), minlength=n).astype(float)


def tree(
    X, nominal, space, rows, seed=1, tries=3, extra=False, min_leaf=1, max_depth=99, f_test=None, fractional=False
):
    """Tree of the product; space: Attributes or a ClusteringSpace."""
    space = clustering_space(space) if isinstance(space, Attributes) else space
    columns = Columns.read(X, np.zeros(X.shape[1], bool) if nominal is None else nominal)
    return grow(
        columns,
        space,
        rows,
        GrowthRule(tries, extra, min_leaf, max_depth, significant(f_test, X.shape[0]), fractional),
        seed,
    )


def forest(
    X, y=None, *, nominal=None, task=None, hierarchy=None, random_state=0, n_jobs=1, progress=None, **parameters
):
    """(scores, info, forest) of the method."""
    method, work = PCT(), Work(n_jobs, progress)
    values = method.check(parameters)
    table = DataTable.read(X, nominal)
    accepts = Accepts(method.tasks, "PCT", method.uses_unlabelled(values))
    read = read_target(y, table.shape, accepts, task, hierarchy)
    table = table if read.known.all() else table.take(read.known)
    asked = MethodInput(table, read.target, values, random_state, work)
    grown = new_forest(replace(asked, prepared=method.prepare(asked)))
    for _ in growing(grown, values, work):
        pass
    found = result(grown, values)
    return found.scores, found.info, grown


def contributions(forest, score):
    """Terms (trees, p), whose mean over the trees is the score."""
    scores = forest.pooled_scores(score)
    m, features, values = scores.terms(len(forest.results), True, 0)
    out = np.zeros((m, forest.p))
    out[np.repeat(np.arange(m), np.diff(scores.starts)), features] = values
    return out
