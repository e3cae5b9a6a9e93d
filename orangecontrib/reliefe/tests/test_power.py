"""Sample size from a pilot study: margins against plain loops, what is found again, and refusals."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import Survival, power, rank, significance
from orangecontrib.reliefe.core.inference.fitted_margins import (
    N_NEIGHBOURS,
    PENALTIES,
    fitted_target,
    linear_margins,
    neighbour_margins,
)
from orangecontrib.reliefe.tests.naive import power as naive


def data(seed=0, n=120, p=10, size=2.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (size * X[:, :2].sum(axis=1) + rng.logistic(size=n) > 0).astype(int)


@pytest.mark.parametrize("seed", range(3))
def test_margins_are_predictions_by_the_other_rows(seed):
    rng = np.random.default_rng(seed)
    basis = rng.normal(size=(25, 4))
    basis -= basis.mean(axis=0)
    targets = basis[:, :1] + rng.normal(size=(25, 2)) * [0.3, 2]
    assert linear_margins(basis, targets) == pytest.approx(naive.linear_margins(basis, targets, PENALTIES))
    assert neighbour_margins(basis, targets) == pytest.approx(naive.neighbour_margins(basis, targets, N_NEIGHBOURS))


def test_a_target_is_predicted_where_features_decide():
    X, y = data(size=4)
    nominal = np.zeros(2, bool)
    decided = fitted_target(X[:, :2], nominal, y, 2).probabilities
    undecided = fitted_target(X[:, 5:7], nominal, y, 2).probabilities
    assert decided[np.arange(120), y].mean() > 0.8
    assert undecided[:, 1].std() < 0.15
    assert decided.sum(axis=1) == pytest.approx(1)


def test_interactions_are_predicted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    probabilities = fitted_target(X, np.zeros(2, bool), y, 2).probabilities
    assert probabilities[np.arange(300), y].mean() > 0.8
    numbers = fitted_target(X, np.zeros(2, bool), X[:, 0] * X[:, 1], 0)
    assert numbers.residuals.std() < 0.6 * (X[:, 0] * X[:, 1]).std()


def test_more_rows_find_more_of_the_discoveries():
    X, y = data(size=1.5)
    result = power(X, y, "relieff", n=[120, 240, 480], n_sets=6, n_shuffles=20)
    pilot = significance(X, y, "relieff", n_shuffles=20)
    assert result.features.tolist() == pilot.discoveries().tolist()
    assert result.shares.shape == (3, len(result.features))
    assert result.expected[0] < result.expected[2]
    assert (result.shares[2, np.isin(result.features, [0, 1])] > 0.6).all()
    assert repr(result) == f"Power({len(result.features)} features, n = 120, 240, 480)"


def test_seeds_and_threads_decide_alike():
    X, y = data(n=60)
    X[::7, 3] = np.nan
    X[:, 4] = np.round(X[:, 4])
    shares = []
    options = {"n": [70], "n_sets": 3, "n_shuffles": 10, "nominal": [4]}
    first = power(X, y, "relieff", progress=shares.append, **options)
    again = power(X, y, "relieff", n_jobs=2, **options)
    assert np.array_equal(first.shares, again.shares)
    assert {*first.shares.ravel().tolist()} <= {0, 1 / 3, 2 / 3, 1}
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_numbers_and_text_classes():
    X, y = data(n=80)
    number = X[:, 0] + 0.1 * np.random.default_rng(1).normal(size=80)
    assert power(X, number, "rrelieff", n=[80], n_sets=3, n_shuffles=20).expected[0] >= 0.9
    names = np.array(["well", "ill"])[y]
    same = [power(X, target, "relieff", n=[80], n_sets=3, n_shuffles=10).features.tolist() for target in (y, names)]
    assert same[0] == same[1]


def test_integers_can_be_numbers_and_rare_classes_may_be_missing():
    X, _ = data(n=80, size=6)
    counts = np.round(2 * X[:, 0]).astype(int)
    assert power(X, counts, "rrelieff", n=[80], n_sets=2, n_shuffles=20, task="regression").expected[0] >= 0.5
    rare = (X[:, 0] > 1.6).astype(int)
    result = power(X, rare, "multisurf", n=[80], n_sets=8, n_shuffles=20, level=0.9)
    assert (result.shares <= 1).all()


def test_a_ranking_gives_its_method_and_parameters():
    X, y = data(n=60)
    ranking = rank(X, y, "relieff", n_neighbors=5, significance=12)
    by_ranking = power(X, y, ranking, n=[60], n_sets=3, names=[f"gene {j}" for j in range(10)])
    by_name = power(X, y, "relieff", n=[60], n_sets=3, n_neighbors=5, n_shuffles=12)
    assert np.array_equal(by_ranking.shares, by_name.shares)
    assert by_ranking.names == tuple(f"gene {j}" for j in by_name.features)
    assert by_name.names == tuple(f"feature {j}" for j in by_name.features)
    with pytest.raises(ValueError, match="the ranking has 10 features, but X has 9: give the data that were ranked"):
        power(X[:, 1:], y, ranking, n=[60])


def test_without_discoveries_there_is_nothing_to_find_again():
    X, _ = data()
    result = power(X, np.arange(120) % 2, "relieff", n=[120, 200], n_shuffles=20)
    assert result.shares.shape == (2, 0)
    assert result.expected.tolist() == [0, 0]


def test_many_features_limit_the_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 20_000))
    with pytest.raises(ValueError, match="each n must be at most 10,000 for 20,000 features, not 10,001"):
        power(X, np.arange(20) % 2, "relieff", n=[10_001])


@pytest.mark.parametrize(
    ("X", "y", "options", "text"),
    [
        (*data(), {"n": []}, "n must have at least one number of rows"),
        (
            *data(),
            {"n": [119]},
            "each n must be at least 120, not 119: forecasts hold for as many rows",
        ),
        (*data(), {"n": [10**9]}, "each n must be at most 100,000 for 10 features, not 1,000,000,000"),
        (*data(), {"n": [0]}, "each n must be at least 1, not 0"),
        (*data(), {"n": 100}, "n must be a sequence"),
        (*data(), {"n": [500], "level": 1}, "level must be between 0 and 1"),
        (*data(n=10), {"n": [500]}, "at least 20 rows, not 10"),
        (sparse.csr_array(data()[0]), data()[1], {"n": [500]}, "needs dense features"),
        (data()[0], Survival(np.arange(1, 121), data()[1] > 0), {"n": [500]}, "a target of classes or numbers"),
        (
            data()[0],
            np.where(np.arange(120) < 5, None, data()[1].astype(str)),
            {"n": [500], "method": "sslrelief"},
            "known for all rows",
        ),
        (data()[0], None, {"n": [500]}, "no target"),
        (*data(), {"n": [500], "covariates": np.arange(120)}, "takes no covariates, groups, blocks or weights"),
        (*data(), {"n": [500], "blocks": np.arange(120) % 2}, "takes no covariates, groups, blocks or weights"),
        (*data(), {"n": [500], "sample_weight": np.arange(120) % 3}, "takes no covariates, groups, blocks or weights"),
    ],
)
def test_refusals(X, y, options, text):
    with pytest.raises((ValueError, TypeError), match=text):
        power(X, y, **options)
