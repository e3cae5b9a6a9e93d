"""Predictions of ensembles, beside loops; and the choice of the weight of the target by them."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import grow, rank
from orangecontrib.reliefe.tests.target_samples import TASKS, sample

TASK = pytest.mark.parametrize("task", TASKS)


def made(task, n=40, n_trees=5, **more):
    """(data, ensemble)."""
    options = {key: more.pop(key) for key in ("missing", "partly", "labelled") if key in more}
    more |= {"missing": more.pop("ways", "majority")}
    data = sample(2, task, n=n, **options)
    found = grow(data.X, data.y, nominal=data.nominal, task=task, hierarchy=data.hierarchy, n_trees=n_trees, n_jobs=1,
                 rforest=False, **more)  # fmt: skip
    return data, found


def leaves_of(tree, x, nominal, v=0, share=1.0):
    """{leaf: share of the row}."""
    if tree.feature[v] < 0:
        return {v: share}
    value, at = x[tree.feature[v]], tree.threshold[v]
    left = float(value == at if nominal[tree.feature[v]] else value <= at)
    left = tree.share[v] if np.isnan(value) else left
    there = leaves_of(tree, x, nominal, v + 1, share * left) if left else {}
    return there | (leaves_of(tree, x, nominal, tree.right[v], share * (1 - left)) if left < 1 else {})


def by_loops(data, found):
    """(n, K) means over the trees of the means of the known targets of the rows in the leaves, all targets known."""
    grown, total = found.forest, 0.0
    columns = []
    for k, column in enumerate(data.values.T):
        nominal = data.task == "classification" or (data.task == "multi-target" and k == 2)
        columns += [(column == v) * 1.0 for v in np.unique(column)] if nominal else [column]
    values = np.column_stack(columns)
    for key in grown.keys:
        tree = grown.tree(key, found.request.work(1))

        def mean(v, tree=tree):
            there = slice(tree.start[v], tree.end[v])
            return np.average(values[tree.rows[there]], axis=0, weights=tree.weights[there])

        each = [leaves_of(tree, x, data.nominal) for x in data.X]
        total = total + np.array([sum(share * mean(v) for v, share in leaves.items()) for leaves in each])
    return total / found.trees


@TASK
@pytest.mark.parametrize("ways", ["majority", "fractional"])
def test_predictions(task, ways):
    data, found = made(task, missing=0.1, min_leaf=3, ways=ways)
    if task == "hierarchical":
        data.values[:] = np.asarray(found.request.target.values, float)  # labels with those above them
    np.testing.assert_allclose(found.model().predict(data.X), by_loops(data, found), atol=1e-9)


@TASK
def test_some_unknown(task):
    data, found = made(task, labelled=0.6, partly=0.2, missing=0.2)
    values = found.model().predict(data.X)
    assert np.isfinite(values).all()
    if task != "multi-target" and task != "regression":
        assert values.min() >= 0
        assert values.max() <= 1


def test_labels_of_a_hierarchy_are_below_their_parents():
    data, found = made("hierarchical", n=60)
    values = found.model().predict(data.X)
    for label, parents in enumerate(data.hierarchy):
        for parent in parents:
            assert (values[:, label] <= values[:, parent] + 1e-12).all()


@pytest.mark.parametrize("power", [1021, 900, -900])
def test_numbers_of_any_size(power):
    """Neither sums nor squares of them overflow or vanish: the unit of a target changes no digit."""
    rng = np.random.default_rng(0)
    X, Y = rng.random((30, 4)), rng.uniform(-1, 1, (30, 2))
    options = {"n_trees": 4, "n_jobs": 1, "task": "multi-target"}
    for own, units in ((Y, 2.0**power), (Y[:, :1], 2.0**power), (Y, np.array([2.0**power, 1.0]))):
        options["task"] = "multi-target" if own.shape[1] > 1 else "regression"
        plain, other = grow(X, own, **options), grow(X, own * units, **options)
        np.testing.assert_array_equal(other.model().predict(X), plain.model().predict(X) * units)
        for name, ranking in plain.rankings().items():
            np.testing.assert_array_equal(other.rankings()[name].scores, ranking.scores)


def test_a_large_constant_is_predicted():
    X = np.random.default_rng(0).random((6, 4))
    for y in (np.full(6, -1e308), np.column_stack([np.full(6, -1e308), np.arange(6.0)])):
        found = grow(X, y, n_trees=5, n_jobs=1, task="multi-target" if y.ndim == 2 else "regression").model().predict(X)
        np.testing.assert_allclose(found[:, 0], -1e308, rtol=1e-12)


def test_more_threads_and_sparse_rows():
    data, found = made("multi-label", n=300)
    one, model = found.model().predict(data.X), found.model(n_jobs=2)
    np.testing.assert_array_equal(model.predict(data.X), one)
    np.testing.assert_array_equal(model.predict(sparse.csr_array(data.X)), one)
    assert model.trees == found.trees


def test_as_good_as_scikit_learn():
    from sklearn.ensemble import RandomForestRegressor

    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6))
    Y = np.column_stack([X[:, 0] * X[:, 1], X[:, 2]]) + 0.2 * rng.standard_normal((200, 2))
    ours = grow(X[:150], Y[:150], n_trees=50, n_jobs=1, rforest=False).model().predict(X[150:])
    peer = RandomForestRegressor(50, max_features=3, random_state=0).fit(X[:150], Y[:150]).predict(X[150:])
    assert ((ours - Y[150:]) ** 2).mean() < 1.15 * ((peer - Y[150:]) ** 2).mean()


def test_bad_input():
    data, found = made("regression")
    with pytest.raises(ValueError, match="needs 8 features"):
        found.model().predict(data.X[:, :3])
    with pytest.raises(ValueError, match="no target to predict"):
        grow(data.X, None, n_trees=1).model()


@TASK
def test_supervision_by_cross_validation(task):
    data = sample(0, task, n=48, labelled=0.6, partly=0.1)
    options = {"nominal": data.nominal, "task": task, "hierarchy": data.hierarchy, "n_trees": 2, "n_jobs": 1}
    ranking = rank(data.X, data.y, "pct", supervision="tuned", **options)
    tried = ranking.info["tuning"]
    assert [weight for weight, _ in tried] == [round(0.1 * k, 1) for k in range(11)]
    assert np.isfinite([quality for _, quality in tried]).all()
    best = max(quality for _, quality in tried)
    weight = max(weight for weight, quality in tried if quality == best)
    assert ranking.info["supervision"] == weight
    fixed = rank(data.X, data.y, "pct", supervision=weight, **options)
    np.testing.assert_array_equal(ranking.scores, fixed.scores)
    assert ranking.info["labelled"] == round(0.6 * 48)


def test_too_few_to_choose():
    data = sample(0, "regression", n=40, labelled=0.4)
    info = rank(data.X, data.y, "pct", supervision="tuned", n_trees=2, nominal=data.nominal).info
    assert info["supervision"] == 0.5
    assert info["tuning"] is None
    assert "fewer than 20 rows" in info["information"][0]


def test_nothing_to_choose():
    info = rank(sample(0, "regression").X, None, "pct", supervision="tuned", n_trees=2).info
    assert info["supervision"] == 0
    assert info["tuning"] is None
    assert info["information"] == []


def test_trees_without_a_target_predict_nothing():
    forest = grow(np.random.default_rng(0).random((20, 3)), n_trees=1, n_jobs=1, rforest=False).forest
    assert forest.outcome is None
    with pytest.raises(ValueError, match="the trees predict nothing"):
        _ = forest.predicted
