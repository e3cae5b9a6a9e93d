"""ReliefRanker keeps scikit-learn's contract."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import has_fit_parameter

from orangecontrib.reliefe.core import METHODS, estimators, rank
from orangecontrib.reliefe.core.estimators import MultiSURF, ReliefF, ReliefRanker, URelief
from orangecontrib.reliefe.core.words import class_name

X, Y = load_iris(return_X_y=True)


def test_weights_of_rows_reach_the_ranking_and_take_part_in_metadata_routing():
    weights = np.random.default_rng(0).uniform(0.5, 2, len(Y))
    ranker = MultiSURF().fit(X, Y, sample_weight=weights)
    np.testing.assert_array_equal(ranker.scores_, rank(X, Y, "multisurf", sample_weight=weights).scores)
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(MultiSURF().set_fit_request(sample_weight=True), KNeighborsClassifier())
        routed = pipeline.fit(X, Y, sample_weight=weights)[0]
    np.testing.assert_array_equal(routed.scores_, ranker.scores_)
    for method in METHODS.values():
        ranker = getattr(estimators, class_name(method.title))()
        assert has_fit_parameter(ranker, "sample_weight") == bool(method.weighted_tasks)


def test_named_rankers_rank():
    ranker = ReliefF(n_neighbors=5, n_features_to_select=1)
    np.testing.assert_array_equal(ranker.fit(X, Y).scores_, rank(X, Y, "relieff", n_neighbors=5).scores)
    grid = GridSearchCV(make_pipeline(ranker, KNeighborsClassifier()), {"relieff__n_neighbors": [2, 7]}, cv=2)
    assert grid.fit(X, Y).best_params_["relieff__n_neighbors"] in (2, 7)
    np.testing.assert_array_equal(URelief().fit(X).scores_, rank(X, method="urelief").scores)
    with pytest.raises(TypeError, match=r"n_neighbours.*n_neighbors"):
        ReliefF(n_neighbours=3)
    with pytest.raises(ValueError, match="n_neighbors must be from 1"):
        ReliefF(n_neighbors=0).fit(X, Y)
    with pytest.raises(AttributeError, match="ReliefX"):
        estimators.ReliefX


def test_discoveries_are_kept():
    noisy = np.column_stack([X, np.random.default_rng(0).random((150, 8))])
    ranker = MultiSURF(n_features_to_select="fdr").fit(noisy, Y)
    significance = ranker.result_.significance
    assert ranker.get_support(indices=True).tolist() == sorted(significance.discoveries(0.1))
    assert 4 <= ranker.get_support().sum() < 12
    with pytest.raises(ValueError, match="fit the ranker again"):
        MultiSURF().fit(X, Y).set_params(n_features_to_select="fdr").transform(X)


def test_scores_are_those_of_rank():
    ranker = ReliefRanker("relieff", parameters={"n_neighbors": 5}).fit(X, Y)
    expected = rank(X, Y, "relieff", n_neighbors=5)
    np.testing.assert_array_equal(ranker.scores_, expected.scores)
    np.testing.assert_array_equal(ranker.feature_importances_, expected.scores)
    np.testing.assert_array_equal(np.argsort(ranker.ranking_), expected.ranking)
    assert sorted(ranker.ranking_) == [1, 2, 3, 4]
    assert ranker.result_.parameters["n_neighbors"] == 5


@pytest.mark.parametrize("n, kept", [(None, 2), (1, 1), (3, 3), (4, 4), (0.25, 1), (0.01, 1), (1.0, 4)])
def test_how_many_are_kept(n, kept):
    ranker = ReliefRanker(n_features_to_select=n).fit(X, Y)
    assert ranker.get_support().sum() == kept
    assert set(ranker.get_support(indices=True)) == set(ranker.result_.ranking[:kept])
    np.testing.assert_array_equal(ranker.transform(X), X[:, ranker.get_support()])


@pytest.mark.parametrize("n", [0, -1, 1.5, 0.0, "all", True])
def test_bad_counts(n):
    with pytest.raises(ValueError, match="n_features_to_select"):
        ReliefRanker(n_features_to_select=n).fit(X, Y)


def test_unknown_names_list_the_known():
    with pytest.raises(ValueError, match="choose from auto, reliefe, relief"):
        ReliefRanker("x").fit(X, Y)
    with pytest.raises((ValueError, TypeError), match="n_neighbors"):
        ReliefRanker("relieff", parameters={"k": 3}).fit(X, Y)


def test_numbers():
    features, target = load_diabetes(return_X_y=True)
    ranker = ReliefRanker().fit(features[:150], target[:150])
    assert ranker.result_.method == "boostedlearnedrelief"


def test_sparse():
    values = np.random.default_rng(3).normal(size=(150, 4)) + Y[:, None] * [0, 1, 2, 3]
    dense = ReliefRanker("relieff").fit(values, Y)
    for layout in (sp.csr_matrix, sp.csc_array):
        ranker = ReliefRanker("relieff").fit(layout(values), Y)
        np.testing.assert_allclose(ranker.scores_, dense.scores_, atol=1e-6)
        assert sp.issparse(ranker.transform(layout(values)))


def test_missing_values():
    holes = X.copy()
    holes[::7, 1] = np.nan
    ranker = ReliefRanker("relieff").fit(holes, Y)
    assert np.isfinite(ranker.scores_).all()
    assert ranker.transform(holes).shape == (150, 2)


def test_rows_without_a_target_do_not_take_part():
    target = np.array(["a", "b", "c"], dtype=object)[Y]
    target[::10] = None
    known = np.array([t is not None for t in target])
    np.testing.assert_array_equal(
        ReliefRanker("relieff").fit(X, target).scores_, ReliefRanker("relieff").fit(X[known], target[known]).scores_
    )


def test_data_frame_with_categories():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"number": rng.normal(size=60), "letter": pd.Categorical(rng.choice(list("abc"), 60))})
    ranker = ReliefRanker("relieff", n_features_to_select=1).fit(frame, frame["letter"] == "a")
    assert list(ranker.feature_names_in_) == ["number", "letter"]
    assert list(ranker.get_feature_names_out()) == ["letter"]
    selected = ranker.set_output(transform="pandas").transform(frame)
    assert list(selected.columns) == ["letter"]


@pytest.mark.parametrize("kind", ["float64", "Float64"])
def test_times_beside_numbers(kind):
    times = pd.to_timedelta(np.arange(40) % 7, unit="D")
    frame = pd.DataFrame({"time": times, "number": np.arange(40) / 7, "other": np.arange(40) % 3})
    frame = frame.astype({"number": kind})
    ranker = ReliefRanker("relieff", n_features_to_select=3).fit(frame, times > times[3])
    pd.testing.assert_frame_equal(ranker.transform(frame), frame)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_with_texts_stay_frames(library):
    make = pytest.importorskip(library).DataFrame
    rng = np.random.default_rng(0)
    letters = rng.choice(list("abc"), 60)
    frame = make({"number": rng.normal(size=60), "letter": letters, "noise": rng.normal(size=60)})
    ranker = ReliefRanker("relieff", n_features_to_select=1).fit(frame, letters == "a")
    found = ranker.transform(frame)
    assert type(found) is type(frame)
    assert list(found.columns) == ["letter"]
    numbers = frame[["number", "noise"]]
    of_numbers = ReliefRanker("relieff", n_features_to_select=1).fit(numbers, letters == "a").transform(numbers)
    assert isinstance(of_numbers, np.ndarray)


def test_nominal_mask():
    codes = np.random.default_rng(0).integers(0, 4, (60, 3)).astype(float)
    target = codes[:, 0] == 2
    plain, nominal = (ReliefRanker("relieff", nominal=mask).fit(codes, target) for mask in (None, [True] * 3))
    assert not np.array_equal(plain.scores_, nominal.scores_)


def test_seeds():
    def scores(seed):
        return ReliefRanker("relieff", random_state=seed, parameters={"n_instances": 20}).fit(X, Y).scores_

    np.testing.assert_array_equal(scores(1), scores(1))
    np.testing.assert_array_equal(scores(np.random.RandomState(5)), scores(np.random.RandomState(5)))
    assert scores(None).shape == (4,)


def test_clone_and_pickle():
    ranker = ReliefRanker("relieff", n_features_to_select=2, parameters={"n_neighbors": 4})
    assert clone(ranker).get_params() == ranker.get_params()
    again = pickle.loads(pickle.dumps(ranker.fit(X, Y)))
    np.testing.assert_array_equal(again.transform(X), ranker.transform(X))


def test_importances_for_other_tools():
    selected = SelectFromModel(ReliefRanker(), max_features=2, threshold=-np.inf).fit_transform(X, Y)
    assert selected.shape == (150, 2)
