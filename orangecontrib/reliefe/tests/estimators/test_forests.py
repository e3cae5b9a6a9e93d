"""Ensembles of trees keep scikit-learn's contract: as rankers, regressors and classifiers."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.estimators import ForestClassifier, ForestRanker, ForestRegressor

X, Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("score", ["genie3", "symbolic", "rforest"])
def test_scores_are_those_of_rank(score):
    ranker = ForestRanker(score, n_trees=5).fit(X, Y)
    expected = rank(X, Y, "pct", score=score, n_trees=5)
    np.testing.assert_array_equal(ranker.feature_importances_, expected.scores)
    np.testing.assert_array_equal(ranker.errors_, expected.info["standard_errors"])
    assert ranker.transform(X).shape == (150, 2)


def test_without_a_target():
    ranker = ForestRanker(n_trees=3, n_features_to_select=1).fit(X)
    assert ranker.result_.info["task"] == "unsupervised"
    assert ranker.transform(X).shape == (150, 1)


def test_hierarchy():
    labels = np.column_stack([Y > 0, Y > 1]).astype(int)
    ranker = ForestRanker(n_trees=3, hierarchy=[(), (0,)]).fit(X, labels)
    assert ranker.result_.info["task"] == "hierarchical"


def test_in_a_pipeline():
    pipeline = make_pipeline(ForestRanker(n_trees=10), KNeighborsClassifier())
    assert cross_val_score(pipeline, X, Y, cv=3).mean() > 0.9


def test_classes():
    names = np.array(["setosa", "versicolor", "virginica"])[Y]
    model = ForestClassifier(20).fit(X, names)
    assert model.score(X, names) > 0.97
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert cross_val_score(ForestClassifier(20), X, names, cv=3).mean() > 0.9


def test_label_sets():
    labels = np.column_stack([Y == 0, Y > 0, X[:, 0] > 6]).astype(int)
    model = ForestClassifier(20).fit(X, labels)
    assert (model.predict(X) == labels).mean() > 0.97
    assert [each.shape for each in model.predict_proba(X)] == [(150, 2)] * 3


def test_numbers():
    features, target = load_diabetes(return_X_y=True)
    model = ForestRegressor(20).fit(features, target)
    assert model.score(features, target) > 0.7
    both = np.column_stack([target, -1e6 * target])
    found = ForestRegressor(20).fit(features, both).predict(features)
    np.testing.assert_allclose(found[:, 1], -1e6 * found[:, 0])
    assert ForestRegressor(20).fit(features, both).score(features, both) > 0.7


def test_categories_of_data_frames():
    """They have the same code wherever they occur first; new ones are no trouble."""
    rng = np.random.default_rng(0)
    letters = rng.choice(list("abc"), 90)
    frame = pd.DataFrame({"letter": pd.Categorical(letters), "number": rng.random(90)})
    model = ForestRegressor(10).fit(frame, (letters == "a") * 1.0)
    turned = frame.iloc[::-1]
    np.testing.assert_array_equal(model.predict(turned), model.predict(frame)[::-1])
    other = pd.DataFrame({"letter": ["new", None, "a"], "number": [0.5] * 3})
    found = model.predict(other)
    assert found[0] < 0.2
    assert found[2] > 0.8


@pytest.mark.parametrize("estimator", [ForestRanker(n_trees=3), ForestClassifier(3), ForestRegressor(3)])
def test_clone_and_pickle(estimator):
    assert clone(estimator).get_params() == estimator.get_params()
    again = pickle.loads(pickle.dumps(estimator.fit(X, Y)))
    np.testing.assert_array_equal(again.feature_importances_, estimator.feature_importances_)


def test_bad_input():
    with pytest.raises(ValueError, match="n_features_to_select"):
        ForestRanker(n_features_to_select=0).fit(X, Y)
    with pytest.raises(ValueError, match="pct has no parameter 'k'"):
        ForestRegressor(parameters={"k": 3}).fit(X, Y)
    with pytest.raises(ValueError, match="only one class"):
        ForestClassifier().fit(X, np.zeros(150, int))
    with pytest.raises(ValueError, match="has 3 features"):
        ForestClassifier(3).fit(X, Y).predict(X[:, :3])


@pytest.mark.parametrize("texts", [["1", "2", "3", "4"], [["1"], ["2"], ["3"], ["4"]], ["[0.0]", "a", "b", "c"]])
@pytest.mark.parametrize("form", [np.array, lambda texts: np.array(texts, object)])
def test_numbers_as_texts_are_refused(texts, form):
    with pytest.raises(ValueError, match=r"^y must hold numbers, not texts$"):
        ForestRegressor(1).fit(np.eye(4), form(texts))
