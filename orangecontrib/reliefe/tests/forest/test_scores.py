"""Scores of features by trees, beside loops: Genie3 of each target, Symbolic with depth, errors out of the bag."""

import math

import numpy as np
import pytest

from orangecontrib.reliefe.core import grow
from orangecontrib.reliefe.core.forest.attributes import Attributes
from orangecontrib.reliefe.core.forest.clustering_space import clustering_space
from orangecontrib.reliefe.core.forest.ensembles import SCORES
from orangecontrib.reliefe.core.forest.outcome import Outcome
from orangecontrib.reliefe.core.forest.permutations import permuted_errors
from orangecontrib.reliefe.core.forest.predictions import means
from orangecontrib.reliefe.core.forest.scores import genie3_each, symbolic
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.forest_samples import contributions, forest
from orangecontrib.reliefe.tests.samples import SMALL
from orangecontrib.reliefe.tests.target_samples import sample

MANY = pytest.mark.parametrize("task", ["multi-target", "multi-label", "hierarchical"])
slow_without_jit = pytest.mark.skipif(SMALL, reason="hundreds of trees")


def grown(task, seed=0, n=40, **arguments):
    """(forest, its first tree, its bag)."""
    options = {key: arguments.pop(key) for key in ("missing", "partly", "labelled") if key in arguments}
    data = sample(seed, task, n=n, **options)
    arguments |= {"missing": arguments.pop("ways", "majority")}
    found = forest(data.X, data.y, nominal=data.nominal, task=task, hierarchy=data.hierarchy, n_trees=1,
                   per_target=True, **arguments)[2]  # fmt: skip
    return found, found.tree((0, 0), Work()), found.bag((0, 0))[0]


def rows_of(tree, bag, node):
    """With repetitions."""
    rows = tree.rows[tree.start[node] : tree.end[node]]
    return np.repeat(rows, bag[rows].astype(int))


def impurity(values, weights, above):
    """Sum of the variances of columns over the known rows; what is known in none is as above."""
    out = np.array(above, float)
    for k, column in enumerate(values.T):
        known = ~np.isnan(column)
        if known.any():
            mean = np.average(column[known], weights=weights[known])
            out[k] = np.average((column[known] - mean) ** 2, weights=weights[known])
    return out


def each_by_loops(tree, outcome, p):
    """(t, p) gains of each target."""
    t, K = len(outcome.shares), outcome.values.shape[1]
    columns = np.repeat(np.arange(t), np.diff(outcome.starts))
    whole = np.bincount(columns, np.nanvar(outcome.values, axis=0), t)
    spread = np.zeros((len(tree.feature), K))
    for v in range(len(tree.feature)):
        there, above = slice(tree.start[v], tree.end[v]), spread[tree.parent[v]] if v else np.zeros(K)
        spread[v] = impurity(outcome.values[tree.rows[there]], tree.weights[there], above)
    out = np.zeros((t, p))
    for v in np.flatnonzero(tree.feature >= 0):
        for sign, u in ((1, v), (-1, v + 1), (-1, tree.right[v])):
            out[:, tree.feature[v]] += sign * tree.weight[u] * np.bincount(columns, spread[u], t) / whole
    return out


@MANY
@pytest.mark.parametrize("ways", ["majority", "fractional"])
@pytest.mark.parametrize("partly", [0.0, 0.3])
def test_genie3_of_each_target(task, partly, ways):
    found, tree, _ = grown(task, partly=partly, missing=0.1, ways=ways)
    each = genie3_each(tree, 8, found.outcome)
    np.testing.assert_allclose(each, each_by_loops(tree, found.outcome, 8), atol=1e-9)


@MANY
@pytest.mark.parametrize("partly", [0.0, 0.3])
def test_targets_add_up(task, partly):
    """Their mean, weighed as in the clustering space, is the score of all of them."""
    data = sample(3, task, n=40, partly=partly)
    options = {"nominal": data.nominal, "task": task, "hierarchy": data.hierarchy, "supervision": 1}
    found = grow(data.X, data.y, n_trees=5, per_target=True, **options)
    ranking = found.ranking()
    target = found.request.target
    weights = target.inner.hierarchy.weights(0.75, "mean") if task == "hierarchical" else 1.0
    total = (ranking.per_target * np.reshape(weights, (-1, 1))).mean(axis=0)
    np.testing.assert_allclose(total, ranking.scores, atol=1e-9)


def test_symbolic_with_depth():
    _, tree, _ = grown("regression")
    expected = np.zeros(8)
    for v in np.flatnonzero(tree.feature >= 0):
        depth, up = 0, v
        while tree.parent[up] >= 0:
            depth, up = depth + 1, tree.parent[up]
        expected[tree.feature[v]] += 0.5**depth
    np.testing.assert_allclose(symbolic(tree, 8, 0.5), expected)
    assert symbolic(tree, 8, 0.0).sum() == 1
    shares = symbolic(tree, 8)
    assert shares[tree.feature[0]] >= 1


def test_parameters_of_the_scores():
    data = sample(0, "multi-target", n=40)
    options = {"nominal": data.nominal, "task": "multi-target", "n_trees": 3}
    plain, decayed = (grow(data.X, data.y, **options, **more) for more in ({}, {"depth_decay": 0.5}))
    assert not np.array_equal(plain.ranking("symbolic").scores, decayed.ranking("symbolic").scores)
    assert np.array_equal(plain.ranking("genie3").scores, decayed.ranking("genie3").scores)
    assert plain.ranking().per_target is None


def test_error_of_each_target():
    """In its own units: weighed with the shares of the targets they add up."""
    found, tree, bag = grown("multi-target", n=60, score="rforest", min_leaf=3)
    errors = permuted_errors(found.columns, tree, bag, found.outcome, 5)
    shares = found.outcome.shares
    assert errors.plain.shape == (4,)
    np.testing.assert_allclose(errors.plain[1:] @ shares, errors.plain[0])
    np.testing.assert_allclose(shares @ errors.permuted[1:], errors.permuted[0])
    row = found.results[0, 0]
    np.testing.assert_array_equal(row.errors.permuted.shape, (4, len(row.features)))


def test_errors_without_a_target():
    """Squared error over variance of numbers, error rate over Gini of categories."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random(30), rng.integers(0, 2, 30), rng.integers(0, 3, 30), 5 * rng.random(30)])
    X[::7, 3] = np.nan
    nominal = np.array([False, True, True, False])
    own = Attributes(X, nominal, np.ones(4)).shared(1.0)
    outcome = Outcome.of_features(own, clustering_space(own))
    _, _, found = forest(X, None, nominal=nominal, n_trees=1, min_leaf=3)
    tree, bag = found.tree((0, 0), Work()), found.bag((0, 0))[0]
    out = np.flatnonzero(bag == 0)
    total = 0.0
    for f in range(4):
        column, wrong = X[:, f], []
        for row in out[~np.isnan(column[out])]:
            v = 0
            while tree.feature[v] >= 0:
                g, t = tree.feature[v], tree.threshold[v]
                x = X[row, g]
                left = tree.share[v] if np.isnan(x) else x == t if nominal[g] else x <= t
                v = v + 1 if left else tree.right[v]
            there = column[rows_of(tree, bag, v)]
            there = there[~np.isnan(there)]
            if nominal[f]:
                values, counts = np.unique(there, return_counts=True)
                wrong.append(values[counts.argmax()] != column[row])
            else:
                wrong.append((there.mean() - column[row]) ** 2)
        known = column[~np.isnan(column)]
        gini = 1 - ((np.unique(known, return_counts=True)[1] / len(known)) ** 2).sum()
        total += np.mean(wrong) / (gini if nominal[f] else known.var()) / 4
    assert permuted_errors(found.columns, tree, bag, outcome, 5).plain[0] == pytest.approx(total)


def test_means_where_nothing_is_known():
    """As the parent; in the root as in the data."""
    found, tree, bag = grown("multi-target", partly=0.7, labelled=0.3)
    values = means(tree, found.outcome)
    assert np.isfinite(values).all()
    for v in range(1, len(tree.feature)):
        known = ~np.isnan(found.outcome.values[rows_of(tree, bag, v)]).all(axis=0)
        np.testing.assert_array_equal(values[v, ~known], values[tree.parent[v], ~known])


@slow_without_jit
@pytest.mark.parametrize("place", [0, 5, 11])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_irrelevant_features_have_no_score(task, place):
    """Within the standard error, wherever they are; the error of one feature tells nothing of those before it."""
    rng = np.random.default_rng(place)
    X = rng.standard_normal((400, 12))
    y = 2 * X[:, place] + X[:, (place + 6) % 12] + 0.5 * rng.standard_normal(400)
    y = (y > 0).astype(int) if task == "classification" else y
    found = grow(X, y, n_trees=200, min_leaf=5, n_jobs=1)
    scores, errors = found.ranking("rforest").scores, found.errors("rforest")
    relevant = np.isin(np.arange(12), [place, (place + 6) % 12])
    assert (scores[relevant] > 10 * errors[relevant]).all()
    assert (np.abs(scores[~relevant]) < 4 * errors[~relevant] + 0.01).all()
    assert abs(scores[~relevant].mean()) < 0.01


def test_features_that_are_not_tested_score_zero():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random(30), np.ones(30)])
    found = grow(X, X[:, 0] > 0.5, n_trees=5)
    for ranking in found.rankings().values():
        assert ranking.scores[1] == 0
        assert ranking.info["standard_errors"][1] == 0


def by_loops(rows, p, score, pooled, target):
    """Mean (p,) and standard error (p,) of what trees tell, one tree after the other."""
    counted = [row for row in rows if score != "rforest" or row.errors is not None]
    mean_error = np.mean([row.errors.plain[target] for row in counted]) if score == "rforest" else None
    each = np.zeros((len(counted), p))
    for line, row in zip(each, counted, strict=True):
        for k, f in enumerate(row.features):
            if score == "symbolic":
                line[f] = row.symbolic[k]
            elif score == "genie3":
                line[f] = row.genie3[target, k]
            else:
                own = row.errors.plain[target]
                line[f] = (row.errors.permuted[target, k] - own) / (
                    mean_error if pooled else max(own, 0.01 * mean_error)
                )
    return each.mean(axis=0), each.std(axis=0, ddof=1) / math.sqrt(len(each))


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("n", [5, 40])
def test_sums_over_trees(score, pooled, n):
    """Sums over all trees, over the first ones, and of each target; few rows: some trees have none out of the bag."""
    data = sample(2, "multi-target", n=n, partly=0)
    found = grow(data.X, data.y, nominal=data.nominal, task="multi-target", n_trees=25, per_target=True,
                 min_leaf=1 + n // 20, pooled=pooled)  # fmt: skip
    for k in (10, 25):
        some = found.first(k)
        forest, ranking = some.forest, some.ranking(score)
        rows = [forest.results[key] for key in forest.keys]
        mean, error = by_loops(rows, 8, score, pooled, 0)
        np.testing.assert_allclose(ranking.scores, mean, atol=1e-12)
        np.testing.assert_allclose(some.errors(score), error, atol=1e-12)
        np.testing.assert_array_equal(found.forest.pooled_scores(score).means(k, pooled), ranking.scores)
        assert (ranking.per_target is None) == (score == "symbolic")
        for target, scores in enumerate([] if ranking.per_target is None else ranking.per_target, 1):
            np.testing.assert_allclose(scores, by_loops(rows, 8, score, pooled, target)[0], atol=1e-12)
    assert n > 5 or any(row.errors is None for row in rows)


def test_no_error_at_all():
    """Errors count as they are where no tree errs; never a quotient by zero."""
    X = np.repeat([[0.0], [1.0]], 40, axis=0) + np.random.default_rng(0).random((80, 1)) / 9
    for pooled in (True, False):
        ranking = grow(X, X[:, 0] > 0.5, n_trees=10, pooled=pooled).ranking("rforest")
        assert ranking.info["error"] == 0
        assert 0.3 < ranking.scores[0] < 0.7


@pytest.mark.parametrize("n", [2, 40])
def test_standard_errors(n):
    """Standard errors of the mean over the trees."""
    data = sample(0, "regression", n=40)
    found = grow(data.X, data.y, n_trees=n)
    for score in ("genie3", "symbolic", "rforest"):
        each = contributions(found.forest, score)
        np.testing.assert_allclose(found.ranking(score).scores, each.mean(axis=0), atol=1e-12)
        np.testing.assert_allclose(found.errors(score), each.std(axis=0, ddof=1) / math.sqrt(len(each)), atol=1e-12)
