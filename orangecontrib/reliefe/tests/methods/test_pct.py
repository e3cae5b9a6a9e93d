"""The method: ensembles of trees for every task, their three scores, threads, progress, stop, bad input."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core import Ensemble, Interrupted, grow, rank
from orangecontrib.reliefe.core.forest import permutations, predictions
from orangecontrib.reliefe.core.forest.ensembles import (
    BAGGING,
    ENSEMBLES,
    EXTRA_TREES,
    RANDOM_FOREST,
    SCORES,
    Forest,
    candidates,
)
from orangecontrib.reliefe.core.forest.permutations import permuted_errors
from orangecontrib.reliefe.core.forest.scores import uses
from orangecontrib.reliefe.core.methods.pct import PCT
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.forest_samples import contributions, forest, mostly_zeros
from orangecontrib.reliefe.tests.naive.forest import Xorshift, shuffled
from orangecontrib.reliefe.tests.samples import SMALL
from orangecontrib.reliefe.tests.target_samples import EXAMPLES, SEEDS, TASKS, sample

TASK = pytest.mark.parametrize("task", [*TASKS, "unsupervised"])
ENSEMBLE = pytest.mark.parametrize("ensemble", ENSEMBLES)
SCORE = pytest.mark.parametrize("score", SCORES)
COMPILED = pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="slow without numba")
TREES = 3 if SMALL else 12
WAYS = ("majority", "fractional")


def run(task, seed=0, n=30, labelled=0.6, partly=0.2, missing=0.1, n_trees=TREES, form=np.asarray, ways="majority",
        **arguments):  # fmt: skip
    """(scores, info, forest) of data of a task."""
    kind = "regression" if task == "unsupervised" else task
    data = sample(seed, kind, n=n, labelled=labelled, partly=partly, missing=missing)
    y = None if task == "unsupervised" else data.y
    return forest(form(data.X), y, nominal=data.nominal, task=None if y is None else task, hierarchy=data.hierarchy,
                  n_trees=n_trees, missing=ways, **arguments)  # fmt: skip


@TASK
@ENSEMBLE
@SCORE
def test_bits_do_not_depend_on_threads(task, ensemble, score):
    one, info, _ = run(task, ensemble=ensemble, score=score)
    assert one.shape == (8,)
    assert np.isfinite(one).all()
    for n_jobs in (2, 3):
        many, other, _ = run(task, ensemble=ensemble, score=score, n_jobs=n_jobs)
        assert np.array_equal(one, many)
        assert info == other


@SCORE
def test_parts_of_a_forest(score):
    """Fifty trees and fifty more are a hundred, in any order."""
    _, _, whole = run("multi-label", score=score)
    _, _, some = run("multi-label", score=score, n_trees=1)
    some.extend(range(TREES - 1, 1, -1), Work(2)).extend(range(TREES), Work(1))
    assert np.array_equal(contributions(whole, score), contributions(some, score))


@TASK
def test_seeds_matter(task):
    assert not np.array_equal(run(task)[0], run(task, random_state=1)[0])


@ENSEMBLE
@SCORE
@pytest.mark.parametrize("kind", [int, float])
def test_sparse_data(ensemble, score, kind):
    """As dense data; a value that is stored may be missing, or 0."""
    X, nominal = mostly_zeros(4, 30 if SMALL else 80, 6, 0.05)
    y = (10 * np.nan_to_num(X[:, 0]) + np.arange(len(X)) % 3).astype(kind)
    given_ = {"nominal": nominal, "ensemble": ensemble, "score": score, "n_trees": 4}
    dense, found = (rank(x, y, "pct", **given_).scores for x in (X, sparse.csr_array(X)))
    assert dense.any()
    np.testing.assert_allclose(found, dense, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("ensemble", [RANDOM_FOREST, BAGGING])
@SCORE
@TASK
def test_rows_that_go_both_ways(task, ensemble, score):
    check_rows_that_go_both_ways(task, ensemble, score)


@pytest.mark.slow  # it compiles a kernel for several seconds
@SCORE
@TASK
def test_rows_that_go_both_ways_in_extra_trees(task, score):
    check_rows_that_go_both_ways(task, EXTRA_TREES, score)


def check_rows_that_go_both_ways(task, ensemble, score):
    """Finite, the same for any number of threads, and something else than where they go one way."""
    given_ = {"ensemble": ensemble, "score": score, "missing": 0.2, "n": 40}
    one = run(task, ways="majority", **given_)[0]
    both = [run(task, ways="fractional", n_jobs=jobs, **given_)[0] for jobs in (1, 2)]
    assert np.isfinite(both[0]).all()
    assert np.array_equal(*both)
    assert not np.array_equal(one, both[0])
    if score == "genie3":
        assert (both[0] >= 0).all()


@ENSEMBLE
def test_complete_rows_go_one_way(ensemble):
    one, both = (run("classification", missing=0, ways=ways, ensemble=ensemble)[0] for ways in WAYS)
    assert np.array_equal(one, both)
    with pytest.raises(ValueError, match="majority, fractional"):
        rank(np.eye(4), [0, 1, 0, 1], "pct", missing="share")


def test_rows_that_lack_nearly_everything():
    """They are in many leaves: there is room for them."""
    X = np.random.default_rng(0).standard_normal((60, 8))
    X[:, 7] = X[:, 7] > 0  # nominal, so that the kernel is that of the other tests
    y = np.arange(60) % 2
    X[np.random.default_rng(1).random(X.shape) < 0.7] = np.nan
    found = grow(X, y, nominal=[7], n_trees=2, missing="fractional", rforest=False)
    tree = found.forest.tree((0, 0), Work())
    assert len(tree.rows) > 2 * len(np.unique(tree.rows))
    there = np.bincount(tree.rows, tree.weights, 60)
    np.testing.assert_allclose(there, found.forest.bag((0, 0))[0], atol=1e-9)
    shares = found.model().predict(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_sparse_data_are_not_made_dense():
    """Data are refused where rows would be points with a coordinate for each feature; it is said what to do."""
    X, y = sparse.csr_array(np.eye(600, 1000)), np.arange(600) % 2
    for act in (rank, Ensemble.of):
        for target, settings in ((None, {}), (y, {"supervision": 0.5}), (y, {"supervision": "tuned"})):
            with pytest.raises(ValueError, match=r"supervision 1.*urelief.*X.toarray\(\).* 5 MB"):
                act(X, target, **settings, **({"method": "pct"} if act is rank else {}))
    X.data[7] = 1e200
    with pytest.raises(ValueError, match=r"too large values in feature 7"):
        rank(X, y, "pct")


def test_sparse_data_with_few_labels():
    """The other rows are left out, and that is told."""
    X, y = sparse.random_array((60, 8), density=0.3, rng=np.random.default_rng(0)), np.arange(60) % 2.0
    y[20:] = np.nan
    found = rank(X, y, "pct", task="classification", n_trees=3)
    assert found.info["supervision"] == 1
    assert found.info["information"] == ["rows without a target were left out, for X is sparse"]
    X = sparse.csr_array(X)[:20]
    assert np.array_equal(found.scores, rank(X, y[:20], "pct", task="classification", n_trees=3).scores)


@pytest.mark.parametrize("task, labelled, given_, expected", [
    ("classification", 1.0, {}, 1), ("classification", 0.5, {}, 0.5),
    ("classification", 0.5, {"supervision": 0.2}, 0.2),
    ("unsupervised", 1.0, {"supervision": 0.2}, 0)])  # fmt: skip
def test_supervision(task, labelled, given_, expected):
    assert run(task, labelled=labelled, partly=0, **given_)[1]["supervision"] == expected


def test_supervised_leaves_out_unlabelled_rows():
    data = sample(1, "classification", n=30, labelled=0.5)
    known = ~np.isnan(data.values[:, 0])
    some = forest(data.X, data.y, nominal=data.nominal, supervision=1, n_trees=3)[0]
    only = forest(data.X[known], data.y[known], nominal=data.nominal, n_trees=3)[0]
    assert np.array_equal(some, only)


def test_no_supervision_is_unsupervised():
    data = sample(1, "regression", n=30)
    a = forest(data.X, data.y, nominal=data.nominal, supervision=0, n_trees=3)[0]
    assert np.array_equal(a, forest(data.X, None, nominal=data.nominal, n_trees=3)[0])


@TASK
@EXAMPLES
@given(SEEDS, st.sampled_from(ENSEMBLES))
def test_sums_of_scores(task, seed, ensemble):
    """Genie3 is at most the impurity of the data, 1, but for the bag; Symbolic at least what the roots see."""
    scores, info, grown = run(task, seed % 10**6, n=20, missing=0, partly=0, labelled=1, n_trees=2, ensemble=ensemble)
    assert (scores >= 0).all()
    assert scores.sum() < 2.5
    symbolic = contributions(grown, "symbolic")
    assert (symbolic.sum(axis=1) >= 1).all()
    assert len(info["standard_errors"]) == 8


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("task", ["classification", "regression", "multi-target", "multi-label"])
def test_error_out_of_the_bag(missing, task):
    """By predictions of one row after the other; and a feature's error by its permuted values."""
    _, _, grown = run(task, n=40, labelled=1.0, partly=0.0, missing=missing, score="rforest", min_leaf=2, n_trees=1)
    rows, _, seed = grown.bag((0, 0))
    tree, columns, outcome = grown.tree((0, 0), Work()), grown.columns, grown.outcome
    values = predictions.predictions(tree, outcome)

    def leaf(row, permuted=-1, donor=None):
        v = 0
        while tree.feature[v] >= 0:
            f = tree.feature[v]
            x, nominal = columns.values[f, donor if f == permuted else row], columns.nominal[f]
            left = x == tree.threshold[v] if nominal else x <= tree.threshold[v]
            v = v + 1 if (tree.share[v] if np.isnan(x) else left) else tree.right[v]
        return v

    def error(leaves):
        wrong = ((outcome.values[out] - values[leaves]) ** 2).mean(axis=0)
        return np.where(outcome.root, np.sqrt(wrong), wrong) @ outcome.weights

    out, random = np.flatnonzero(rows == 0), Xorshift(seed)
    found, mixed = permuted_errors(columns, tree, rows, outcome, seed), out.copy()
    assert found.plain[0] == pytest.approx(error([leaf(row) for row in out]), rel=1e-12)
    for f, mixed_error in zip(np.unique(tree.feature[tree.feature >= 0]), found.permuted[0], strict=True):
        mixed = shuffled(mixed, random)
        expected = error([leaf(row, f, donor) for row, donor in zip(out, mixed)])
        assert mixed_error == pytest.approx(expected, rel=1e-9)


@COMPILED
@pytest.mark.parametrize("pooled", [True, False])
def test_permutations_find_what_matters(pooled):
    X = np.random.default_rng(0).standard_normal((300, 10))
    y = (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)
    scores, info, _ = forest(X, y, score="rforest", min_leaf=5, pooled=pooled)
    assert scores[0] > scores[1] > 0.1
    assert np.abs(scores[2:]).max() < 0.06
    assert not pooled or max(info["standard_errors"]) < scores[1] / 2


@COMPILED
@pytest.mark.parametrize("ensemble, peer", [("random-forest", "RandomForest"), ("extra-trees", "ExtraTrees")])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_scikit_learn(ensemble, peer, task):
    """Mean decrease of impurity of as many trees, within the noise of both."""
    import sklearn.ensemble

    rng = np.random.default_rng(1)
    X = rng.standard_normal((200, 8))
    y = X @ np.array([3, 2, 1, 0.5, 0, 0, 0, 0]) + X[:, 1] * X[:, 2] + rng.standard_normal(200)
    y = np.digitize(y, [-2, 2]) if task == "classification" else y
    kind = peer + ("Classifier" if task == "classification" else "Regressor")
    model = getattr(sklearn.ensemble, kind)(200, max_features=3, bootstrap=True, random_state=0).fit(X, y)
    _, _, grown = forest(X, y, ensemble=ensemble, n_trees=200, n_jobs=2)
    ours = contributions(grown, "genie3")
    ours = ours / ours.sum(axis=1, keepdims=True)
    peers = np.array([one.feature_importances_ for one in model.estimators_])
    noise = np.sqrt((ours.var(axis=0) + peers.var(axis=0)) / 200)
    assert (np.abs(ours.mean(axis=0) - peers.mean(axis=0)) < 4.5 * noise).all()


@pytest.mark.parametrize("wanted, expected", [("sqrt", 9), ("log2", 7), (None, 72), (5, 5), (100, 72), (0.1, 8)])
def test_candidates(wanted, expected):
    assert candidates("random-forest", wanted, 72) == expected
    assert candidates("bagging", wanted, 72) == 72
    assert candidates("extra-trees", wanted, 1) == 1


def test_progress_and_stop():
    shares = []
    run("regression", progress=shares.append)
    assert shares == sorted(shares)

    def stop(share):
        raise Interrupted

    for n_jobs in (1, 2):
        with pytest.raises(Interrupted):
            run("regression", n=200, n_trees=200, progress=stop, n_jobs=n_jobs)


def test_a_growing_tree_stops():
    """Work between two looks at whether to stop takes a few milliseconds, not a tree."""
    _, _, grown = run("regression", n_trees=1)
    calls = []
    small = Forest(grown.columns, grown.space, grown.outcome, grown.rule)
    work = Work(1, lambda share: calls.append(share))
    small.tree((0, 0), work)
    assert calls


@pytest.mark.parametrize("task", [*TASKS, "unsupervised"])
def test_errors_out_of_the_bag_stop(task, monkeypatch):
    """After every feature and some columns if need be, with the same bits."""
    _, _, grown = run(task, score="rforest", n_trees=1)
    tree, (bag, _, seed) = grown.tree((0, 0), Work()), grown.bag((0, 0))
    args, calls = (grown.columns, tree, bag, grown.outcome, seed), []
    whole = permuted_errors(*args)
    monkeypatch.setattr(permutations, "STEPS_PER_TICK", 1)
    monkeypatch.setattr(predictions, "COLUMNS_PER_TICK", 1)
    parts = permuted_errors(*args, lambda: calls.append(0))
    for a, b in zip(whole, parts, strict=True):
        assert np.array_equal(a, b)
    assert len(calls) == grown.outcome.values.shape[1] + len(uses(tree))

    def stop():
        raise Interrupted

    with pytest.raises(Interrupted):
        permuted_errors(*args, stop)


def test_nothing_varies():
    scores, info, _ = forest(np.ones((6, 2)), None, n_trees=2)
    assert scores.tolist() == [0, 0]
    assert "constant" in info["warnings"][0]


@pytest.mark.parametrize("parameters, message", [
    ({"ensemble": "boosting"}, "choose from auto, random-forest"), ({"score": "gini"}, "choose from genie3"),
    ({"n_trees": 0}, "n_trees must be from 1"), ({"min_leaf": 0}, "min_leaf must be from 1"),
    ({"max_depth": 0}, "max_depth must be from 1"), ({"supervision": 2}, "from 0 to 1"),
    ({"max_features": 0}, "whole number from 1 or a share above 0 and at most 1"),
    ({"max_features": -0.1}, "share above 0"), ({"max_features": 1.5}, "share above 0"),
    ({"max_features": float("nan")}, "share above 0"), ({"max_features": float("inf")}, "share above 0"),
    ({"supervision": -0.1}, "from 0 to 1"), ({"depth_decay": 2}, "from 0 to 1"),
    ({"k": 5}, "has no parameter")])  # fmt: skip
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        PCT().check(parameters)


@pytest.mark.parametrize("value", ["third", True, [1]])
def test_bad_kinds_of_numbers_of_features(value):
    with pytest.raises(TypeError, match="one of auto, sqrt, log2, a number of features, a share of them, or None"):
        PCT().check({"max_features": value})


@pytest.mark.parametrize("value", [1, 1.0, 0.5, np.int64(3), np.float32(0.5), None, "log2"])
def test_numbers_of_features(value):
    assert PCT().check({"max_features": value})["max_features"] == value


def test_all_features_are_a_share_of_one():
    assert run("regression", max_features=1.0)[1]["candidates"] == 8
    assert run("regression", max_features=1)[1]["candidates"] == 1


def test_more_features_than_there_are():
    """All of them are tried, and that is told."""
    scores, info, _ = run("regression", max_features=50)
    assert info["information"] == ["50 features cannot be tried where there are 8: all of them are"]
    np.testing.assert_array_equal(scores, run("regression", max_features=None)[0])


@pytest.mark.parametrize("task, expected", [("unsupervised", ("extra-trees", 3)), ("regression", ("random-forest", 3)),
                                            ("multi-label", ("random-forest", 3))])  # fmt: skip
def test_defaults_by_task(task, expected):
    _, info, grown = run(task, labelled=0.5)
    assert (info["ensemble"], info["candidates"]) == expected
    assert grown.rule.random == (task == "unsupervised")


@SCORE
def test_no_feature_can_be_split(score):
    scores, info, _ = forest(np.ones((8, 3)), np.arange(8) % 2, n_trees=5, score=score)
    assert scores.tolist() == [0, 0, 0]
    assert info["warnings"] == ["no feature gives a test that parts the rows, so that all scores are 0"]


@SCORE
def test_constant_number(score):
    X = np.random.default_rng(0).random((9, 3))
    scores, info, _ = forest(X, np.full(9, 2.5), n_trees=5, score=score)
    assert scores.tolist() == [0, 0, 0]
    assert "constant" in info["warnings"][0]


@SCORE
def test_all_features_missing(score):
    scores, _, _ = forest(np.full((9, 2), np.nan), np.arange(9.0), n_trees=5, score=score)
    assert scores.tolist() == [0, 0]


@SCORE
@pytest.mark.parametrize("n", [2, 3, 4])
def test_few_rows(score, n):
    """Bags may leave no row out; such trees do not count for the random forest score."""
    X = np.random.default_rng(0).random((n, 2))
    for seed in range(5):
        scores, info, _ = forest(X, np.arange(float(n)), n_trees=1, score=score, random_state=seed)
        assert np.isfinite(scores).all()
        assert np.isfinite(info["standard_errors"]).all()


def test_no_row_out_of_the_bag():
    X = np.random.default_rng(0).random((2, 2))
    infos = [forest(X, np.arange(2.0), n_trees=1, score="rforest", random_state=seed)[1] for seed in range(20)]
    empty = [info["warnings"] for info in infos if info["error"] is None]
    assert empty
    assert all("no tree has a labelled row out of its bag" in notes[0] for notes in empty)


def test_targets_that_cannot_be_used():
    X = np.random.default_rng(0).random((6, 3))
    unknown = np.full(6, np.nan)
    with pytest.raises(ValueError, match="unknown in all rows"):
        rank(X, unknown, "pct", supervision=1)
    np.testing.assert_array_equal(rank(X, unknown, "pct").scores, rank(X, None, "pct").scores)
    with pytest.raises(ValueError, match="all targets have only one value"):
        rank(X, np.ones((6, 2)) / 3, "pct")
    with pytest.raises(ValueError, match="only one class"):
        rank(X, np.zeros(6, int), "pct")
    with pytest.raises(ValueError, match="only one row"):
        rank(X[:1], np.zeros(1), "pct")
    with pytest.raises(ValueError, match="cycle"):
        rank(X, np.eye(6, 2, dtype=int), "pct", hierarchy=[(1,), (0,)])


def test_one_class_among_unlabelled_rows():
    X = np.random.default_rng(0).random((12, 3))
    y = np.array(["a"] * 6 + [None] * 6, object)
    for score in SCORES:
        assert np.isfinite(rank(X, y, "pct", score=score, n_trees=5).scores).all()


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e200])
def test_infinite_values(value):
    X = np.random.default_rng(0).random((6, 3))
    X[2, 1] = value
    with pytest.raises(ValueError, match="infinite or far too large values in feature"):
        forest(X, np.arange(6) % 2, n_trees=2)


def test_input_is_not_changed():
    data = sample(3, "multi-target", missing=0.1, partly=0.1)
    before = str(data.X.tolist()), str(data.y.tolist())
    data.X.setflags(write=False)
    forest(data.X, data.y, nominal=data.nominal, n_trees=2, score="rforest")
    assert (str(data.X.tolist()), str(data.y.tolist())) == before


def test_summary():
    values = PCT().check({})
    info = {"trees": 1000, "candidates": 9, "supervision": 0.5}
    assert PCT().summary(values, info) == ["1,000 trees", "9 features tried", "supervision 0.5"]
