"""The hierarchical Bayesian test: against integration over a grid, and what any such test must do."""

import numpy as np
import pytest
from scipy import special, stats

from orangecontrib.reliefe.core.evaluation import hierarchical_t


def data(seed=0, q=4, size=10, means=(0.03, 0.01, 0.05, 0.02), deviation=0.03):
    """Results of two methods on q data sets."""
    rng = np.random.default_rng(seed)
    second = rng.uniform(0.6, 0.9, (q, size))
    return second + np.array(means)[:q, None] + deviation * rng.standard_normal((q, size)), second


def log_likelihood(x, rho, delta0, sigma0, nu):
    """Log-likelihood of all data sets (q, N), by quantiles of the narrower of the two distributions of delta."""
    u = (np.arange(100) + 0.5) / 100
    total = 0.0
    for row in x:
        size = len(row)
        share = size / (1 + (size - 1) * rho)
        within = ((row - row.mean()) ** 2).sum() / (1 - rho)
        scale = np.sqrt(within / (share * (size - 2)))  # sigma integrated out: Student with N - 2 degrees of freedom
        if sigma0 < scale:
            density = stats.t.pdf(delta0[:, None] + sigma0 * stats.t.ppf(u, nu), size - 2, row.mean(), scale)
        else:
            deltas = row.mean() + scale * stats.t.ppf(u, size - 2)
            density = stats.t.pdf((deltas - delta0[:, None]) / sigma0, nu) / sigma0
        total = total + np.log(density.mean(axis=1))
    return total


def by_grid(x, rho, rope):
    """Expected probabilities of a new data set, and those that each is the largest."""
    x, rope = x / x.std(axis=1).mean(), rope / x.std(axis=1).mean()
    bound, among = np.abs(x).max(), x.mean(axis=1).std()
    delta0 = np.linspace(-bound, bound, 61)
    alphas, betas = np.linspace(1, 2, 41)[:, None], np.linspace(0.01, 0.1, 41)
    logs, sides = [], []
    for nu1 in np.geomspace(0.02, 1500, 14):
        prior = (stats.gamma.pdf(nu1, alphas, scale=1 / betas)).mean() * nu1
        for sigma0 in np.geomspace(2e-3, 1000 * among, 45):
            logs.append(log_likelihood(x, rho, delta0, sigma0, nu1 + 1) + np.log(prior * sigma0))
            low, high = special.stdtr(nu1 + 1, (np.array([[-rope], [rope]]) - delta0) / sigma0)
            sides.append(np.stack([1 - high, high - low, low], axis=-1))
    logs, sides = np.concatenate(logs), np.concatenate(sides)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    return weights @ sides, np.bincount(sides.argmax(axis=1), weights, 3)


@pytest.mark.parametrize("seed, rope", [(0, 0.02), pytest.param(3, 0.01, marks=pytest.mark.slow)])
def test_posterior_is_that_of_integration(seed, rope):
    first, second = data(seed)
    mean, wins = by_grid(first - second, 0.1, rope)
    found = hierarchical_t(first, second, 10, rope, n_sweeps=4000)
    assert found.draws.mean(axis=0) == pytest.approx(mean, abs=0.02)
    assert [found.first, found.rope, found.second] == pytest.approx(wins, abs=0.03)


def test_clear_differences():
    first, second = data(q=4, means=(0.2, 0.22, 0.18, 0.21))
    found = hierarchical_t(first, second, 10, 0.01, n_sweeps=800)
    assert found.first > 0.98
    assert found.means == pytest.approx([0.2, 0.22, 0.18, 0.21], abs=0.03)


def test_practically_equal():
    first, second = data(q=4, means=(0, 0.001, -0.001, 0), deviation=0.004)
    assert hierarchical_t(first, second, 10, 0.05, n_sweeps=800).rope > 0.98


def test_the_other_way_round():
    first, second = data(1)
    one, other = (hierarchical_t(*pair, 10, 0.01, n_sweeps=2000) for pair in ((first, second), (second, first)))
    assert [one.first, one.rope, one.second] == pytest.approx([other.second, other.rope, other.first], abs=0.03)
    lower = hierarchical_t(-first, -second, 10, 0.01, higher_is_better=False, n_sweeps=2000)
    assert np.array_equal(lower.draws, one.draws)
    assert lower.means == pytest.approx(-one.means)


def test_scale_does_not_matter():
    first, second = data(2)
    one, other = (hierarchical_t(first * f, second * f, 10, 0.01 * f, n_sweeps=500) for f in (1, 64))
    np.testing.assert_allclose(one.draws, other.draws, rtol=1e-6, atol=1e-9)


def test_estimates_are_drawn_towards_each_other():
    first, second = data(4)
    found = hierarchical_t(first, second, 10, n_sweeps=2000)
    assert np.ptp(found.means) < np.ptp((first - second).mean(axis=1))


def test_draws_are_probabilities_and_seeds_count():
    first, second = data(5)
    one, two, other = (hierarchical_t(first, second, 10, n_sweeps=300, random_state=seed) for seed in (1, 1, 2))
    assert one.draws.shape == (300, 3)
    assert one.draws.min() >= 0
    np.testing.assert_allclose(one.draws.sum(axis=1), 1)
    assert one.first + one.rope + one.second == pytest.approx(1)
    assert np.array_equal(one.draws, two.draws)
    assert not np.array_equal(one.draws, other.draws)


@pytest.mark.parametrize("rope", [0, 0.01])
def test_results_without_any_difference(rope):
    first, second = data(6)
    second = second.copy()
    second[1] = first[1]
    found = hierarchical_t(first, second, 10, rope, n_sweeps=300)
    assert np.isfinite(found.draws).all()
    same = hierarchical_t(first, first, 10, rope, n_sweeps=300)
    assert np.isfinite(same.draws).all()
    assert same.rope > 0.9 or rope == 0


def test_rope_beyond_all_numbers():
    found = hierarchical_t(*data(6), 10, 1e308, n_sweeps=20)
    assert found.rope == 1


def test_two_data_sets_leave_much_open():
    first, second = data(7, q=2)
    found = hierarchical_t(first, second, 10, n_sweeps=500)
    assert np.isfinite(found.draws).all()
    assert found.first < 0.999


@pytest.mark.parametrize(
    "first, second, parameters, message",
    [
        (np.ones((2, 5)), np.ones((2, 4)), {}, r"not \(2, 5\) and \(2, 4\)"),
        (np.ones((1, 5)), np.ones((1, 5)), {}, "q >= 2"),
        (np.ones((2, 2)), np.ones((2, 2)), {}, "N >= 3"),
        (np.full((2, 5), np.nan), np.ones((2, 5)), {}, "finite"),
        (np.ones((2, 5)), np.ones((2, 5)), {"n_folds": 1}, "n_folds must be at least 2"),
        (np.ones((2, 5)), np.ones((2, 5)), {"rope": -1}, "rope must be at least 0"),
        (np.ones((2, 5)), np.ones((2, 5)), {"n_sweeps": 0}, "n_sweeps must be at least 1"),
    ],
)
def test_bad_input(first, second, parameters, message):
    with pytest.raises(ValueError, match=message):
        hierarchical_t(first, second, **{"n_folds": 10, **parameters})


def test_differences_beyond_all_squares_are_refused():
    large = np.full((2, 3), 1.7e308)
    with pytest.raises(ValueError, match="differ by less than"):
        hierarchical_t(large, -large / 3, 5)
