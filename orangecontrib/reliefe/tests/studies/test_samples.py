"""Folds, halves and samples of whole groups, concordance, and functions beside `rank` that take a study."""

from itertools import combinations

import numpy as np
import pytest

from orangecontrib.reliefe.core import Survival, neighbour_curves, partners, rank
from orangecontrib.reliefe.core.evaluation import concordance, distinct_rows, folds, stability_selection
from orangecontrib.reliefe.tests.studies.test_adjusted import people


def whole(groups, rows):
    """True if rows are all rows of some groups."""
    return set(np.flatnonzero(np.isin(groups, groups[rows]))) == set(rows)


def test_groups_stay_together():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), rng.integers(1, 9, 20))
    classes = (groups % 2).astype(int)
    n = len(groups)
    for seed in range(3):
        parts = folds(n, 4, seed, classes, groups)
        assert all(whole(groups, test) for _, test in parts)
        np.testing.assert_array_equal(np.sort(np.concatenate([test for _, test in parts])), np.arange(n))
        sizes = np.array([np.bincount(classes[test], minlength=2) for _, test in parts])
        assert np.ptp(sizes, axis=0).max() <= 8  # the largest group
        drawn = distinct_rows(n, seed, groups=groups)
        assert whole(groups, drawn)
        assert 0.3 < len(drawn) / n < 0.95
    X, y, g = people()
    halves = []
    stability_selection(lambda X, y: halves.append(X) or np.ones(5), X, y, 2, n_pairs=2, groups=g)
    assert all(whole(g, np.flatnonzero((X[:, None] == half).all(axis=2).any(axis=1))) for half in halves)
    with pytest.raises(ValueError, match="10 groups for 11 folds"):
        folds(30, 11, groups=g)


def test_concordance():
    rng = np.random.default_rng(0)
    time, event, risk = rng.integers(1, 6, 25), rng.random(25) < 0.6, rng.integers(0, 5, 25)
    right = pairs = 0
    for i, j in combinations(range(25), 2):
        for a, b in ((i, j), (j, i)):
            if event[a] and (time[a] < time[b] or (time[a] == time[b] and not event[b])):
                pairs, right = pairs + 1, right + (risk[a] > risk[b]) + (risk[a] == risk[b]) / 2
    assert concordance(time, event, risk) == pytest.approx(right / pairs)
    assert concordance(time, np.zeros(25), risk) == 0.5
    with pytest.raises(ValueError, match="one known value"):
        concordance(time[:4], event, risk)
    with pytest.raises(ValueError, match="event must be"):
        concordance(time, time, risk)


def test_all_numbers_of_neighbours_with_a_study():
    """Scores are those of rankings, for lists of classes and of numbers, and curves those of scores."""
    X, y, g = people()
    for method, target in ("relieff", y), ("rrelieff", X[:, 0] + X[:, 1] ** 2):
        found = neighbour_curves(X[:, 1:], target, method, covariates=X[:, 0], groups=g, max_neighbors=5, sigma=3)
        for k in 1, found.max_neighbors:
            one = rank(X[:, 1:], target, method, covariates=X[:, 0], groups=g, n_neighbors=k, sigma=3)
            np.testing.assert_allclose(found.scores(k), one.scores, atol=1e-7)
            np.testing.assert_allclose(found.curve([2, 0])[k - 1], one.scores[[2, 0]], atol=1e-7)
        assert found.band([0]) is None


def test_partners_beside_covariates():
    """Two features whose relation follows the batch do not act together; a pair by parity does."""
    rng = np.random.default_rng(0)
    c, X = rng.choice([-1, 1], 400), rng.normal(size=(400, 8))
    X[:, 1] = c * X[:, 0] + 0.5 * X[:, 1]
    number = 1.5 * (c + np.sign(X[:, 2] * X[:, 3])) + rng.normal(size=400)
    options = {"features": range(8), "n_shuffles": 5, "thorough": True}
    for y in number, (number > np.median(number)).astype(int):
        usual, adjusted = (partners(X, y, covariates=given, **options) for given in (None, c.astype(str)))
        assert {(0, 1), (2, 3)} <= {(a, b) for a, b, _ in usual.edges}
        assert adjusted.edges[0][:2] == (2, 3)
        assert adjusted.z[0, 1] < adjusted.level < usual.z[0, 1] / 3
    for given, message in (
        ({"groups": np.arange(400)}, "partners take no groups"),
        ({"covariates": c, "method": "randomforest"}, "takes no covariates"),
    ):
        with pytest.raises(ValueError, match=message):
            partners(X, y, **given)
    with pytest.raises(ValueError, match="not found for times"):
        partners(X, Survival(np.abs(c), y))
