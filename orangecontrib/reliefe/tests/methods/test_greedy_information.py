"""mRMR and JMI: their twins in plain loops, orders by another program's information, and what any data must keep."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import mutual_info_score

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.work import threads
from orangecontrib.reliefe.tests.naive import filters as naive
from orangecontrib.reliefe.tests.samples import make

METHOD = pytest.mark.parametrize("method", ["mrmr", "jmi"])
TWINS = {"mrmr": naive.mrmr, "jmi": naive.jmi}
# Made once by the loop over scikit-learn's mutual_info_score in `order_by_scikit_learn`, of `golden_data`.
GOLDEN = {"mrmr": [1, 0, 3, 2, 4, 5], "jmi": [1, 0, 2, 3, 4, 5]}


def golden_data():
    """Codes of six features: 0 and 1 make the target, 2 almost repeats 1, and the others are noise."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 3, (90, 6))
    y = (X[:, 0] + 2 * X[:, 1] + rng.integers(0, 2, 90) > 3).astype(int)
    X[:, 2] = np.where(rng.random(90) < 0.85, X[:, 1], X[:, 2])
    return X.astype(float), y


def order_by_scikit_learn(X, y, method):
    """Order of selection with the information of scikit-learn."""
    left, selected = [*range(X.shape[1])], []

    def criterion(f):
        relevance = mutual_info_score(X[:, f], y)
        if not selected:
            return relevance
        if method == "mrmr":
            return relevance - np.mean([mutual_info_score(X[:, f], X[:, s]) for s in selected])
        return np.mean([mutual_info_score(10 * X[:, f] + X[:, s], y) for s in selected])

    while left:
        selected.append(max(left, key=criterion))
        left.remove(selected[-1])
    return selected


@METHOD
def test_golden_order(method):
    X, y = golden_data()
    assert rank(X, y, method).ranking.tolist() == GOLDEN[method]
    assert order_by_scikit_learn(X, y, method) == GOLDEN[method]
    np.testing.assert_allclose(np.sort(rank(X, y, method).scores), np.arange(1, 7) / 6, rtol=0, atol=1e-15)


@METHOD
@pytest.mark.parametrize("n_greedy", [1, 3, 128])
@pytest.mark.parametrize("n_bins", [2, 4, 5])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_twin(method, task, n_bins, n_greedy):
    data = make(8, task, n=28, p=6, nominal=(2, 5), missing=0.1, zeros=0.3)
    options = {"n_greedy": n_greedy, "n_bins": n_bins}
    expected = TWINS[method](data.X, data.y, data.nominal, task == "classification", **options)
    for X in (data.X, sparse.csr_array(data.X)):
        scores = rank(X, data.y, method, nominal=data.nominal, task=task, **options).scores
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-12)


@METHOD
def test_rare_categories_share_a_code(method):
    """A category of its own in every row, of which 100 are told apart, and a feature of the target."""
    rng = np.random.default_rng(2)
    X = np.column_stack([np.arange(150), rng.integers(0, 3, 150), rng.permutation(150) // 2]).astype(float)
    y = (X[:, 1] + rng.random(150) > 1.5).astype(int)
    expected = TWINS[method](X, y, [True] * 3)
    for form in (np.array, sparse.csr_array):
        assert rank(form(X), y, method, nominal=[0, 1, 2]).scores.tolist() == expected.tolist()


@METHOD
def test_a_copy_of_a_selected_feature_is_not_next(method):
    """The copy adds nothing, while the second part of the target does."""
    rng = np.random.default_rng(1)
    parts = rng.normal(size=(300, 2))
    X = np.column_stack([parts[:, 0], parts[:, 0], parts[:, 1], rng.normal(size=(300, 3))])
    y = (1.2 * parts[:, 0] + parts[:, 1] > 0).astype(int)
    ranking = rank(X, y, method).ranking.tolist()
    assert ranking[:2] == [0, 2]
    assert rank(X, y, "mutualinfo").ranking.tolist()[:2] == [0, 1]


@METHOD
def test_an_increasing_change_of_numbers_changes_nothing(method):
    data = make(6, n=50, p=6)
    expected = rank(data.X, data.y, method).scores
    np.testing.assert_array_equal(rank(np.exp(data.X / 9), data.y, method).scores, expected)
    np.testing.assert_array_equal(rank(-data.X, data.y, method).scores, expected)
    target = np.random.default_rng(0).normal(size=50)
    of_numbers = rank(data.X, target, method).scores
    np.testing.assert_array_equal(rank(data.X, np.exp(target), method).scores, of_numbers)


@METHOD
def test_missing_values_tell_nothing(method):
    """That rows of a class miss a value is no information on it, and a feature without values comes last."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 4))
    y = np.arange(80) % 2
    X[y == 1, 0] = np.nan
    X[:, 1] = np.nan
    X[:, 2] += y
    scores = rank(X, y, method).scores
    assert scores.argmax() == 2
    assert scores[1] == 0
    assert rank(X[:, [0, 3]], y, method).ranking.tolist() == [1, 0]


def test_other_targets_are_refused():
    with pytest.raises(ValueError, match="mRMR is for classification and regression, not for multi-target"):
        rank(np.random.default_rng(0).normal(size=(20, 3)), np.random.default_rng(1).normal(size=(20, 2)), "mrmr")


@METHOD
@pytest.mark.parametrize("n_greedy", [1, 40])
def test_progress_grows_by_the_compared_features(method, n_greedy, monkeypatch):
    """The first selection compares all features, the last one none; with one selection there are two such steps."""
    monkeypatch.setattr(threads, "PAUSE", 0)
    rng = np.random.default_rng(8)
    shares = []
    rank(rng.normal(size=(60, 40)), np.arange(60) % 2, method, n_greedy=n_greedy, n_jobs=1, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert shares[-2] > 0.95
    assert np.diff(shares).max() < 0.6
