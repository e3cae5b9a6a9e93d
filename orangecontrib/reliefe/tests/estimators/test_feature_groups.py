"""Estimators whose features are ranked in groups."""

import numpy as np
import pytest
from sklearn.base import clone

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.estimators import MultiSURF, ReliefRanker

MEMBERS = [[0, 3], [1], [2, 4, 5]]
GROUPS = ["a", None, "b", "a", "b", "b"]


def sample(n=60, seed=0):
    """Numbers X (n, 6), and classes y by the first two features."""
    X = np.random.default_rng(seed).normal(size=(n, 6))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def test_estimators_keep_all_features_of_the_groups_that_they_select():
    X, y = sample()
    plain = rank(X, y, "multisurf", feature_groups=GROUPS)
    ranker = ReliefRanker("multisurf", n_features_to_select=1, feature_groups=GROUPS).fit(X, y)
    best = plain.info["members"][plain.ranking[0]]
    np.testing.assert_array_equal(ranker.transform(X), X[:, best])
    for g, features in enumerate(MEMBERS):
        expected = plain.scores[[0, 1, 2][g]]
        np.testing.assert_array_equal(ranker.scores_[features], expected)
        assert (ranker.ranking_[features] == 1 + [*plain.ranking].index(g)).all()
    assert ranker.n_features_in_ == 6
    by_default = MultiSURF(feature_groups={"a": [0, 3], "b": [2, 4, 5]}).fit(X, y)  # half of three groups
    np.testing.assert_array_equal(by_default.get_support(indices=True), best)
    with pytest.warns(UserWarning, match="more than the 3 groups of X"):
        ReliefRanker("relieff", n_features_to_select=4, feature_groups=GROUPS).fit(X, y)


def test_estimators_select_groups_by_false_discovery_rate_and_clone():
    X, y = sample()
    ranker = ReliefRanker("multisurf", n_features_to_select="fdr", alpha=0.3, keep=[1], feature_groups=GROUPS)
    support = clone(ranker).fit(X, y).support_
    q = rank(X, y, "multisurf", feature_groups=GROUPS, significance=True).significance.q
    for g, features in enumerate(MEMBERS):
        assert (support[features] == (q[g] <= 0.3 or g == 1)).all()
