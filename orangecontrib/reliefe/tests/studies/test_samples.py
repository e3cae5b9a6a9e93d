"""Folds, halves and samples of whole groups, and the concordance of risks with times."""

from itertools import combinations

import numpy as np
import pytest

from orangecontrib.reliefe.core import neighbour_curves, partners
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


def test_functions_that_take_no_covariates_say_so():
    X, y, g = people()
    for given, name in (({"covariates": X[:, 0]}, "covariates"), ({"groups": g}, "groups")):
        with pytest.raises(ValueError, match=f"partners take no {name}"):
            partners(X, y, **given)
    with pytest.raises(ValueError, match="use rank for each of them"):
        neighbour_curves(X, y, "relieff", covariates=X[:, 0])
