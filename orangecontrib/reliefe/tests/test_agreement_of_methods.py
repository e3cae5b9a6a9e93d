"""Sentence on the agreement of methods: the same scores, or the same best features in any order."""

import numpy as np
import pytest

from orangecontrib.reliefe.orange.ranker.agreement import describe_agreement
from orangecontrib.reliefe.orange.ranker.scores import MethodScores

P = 40  # features: the best 10 are compared


def scores_of(order, title):
    """Scores of features that are best in this order; the same order has the same scores."""
    rest = np.random.default_rng(order).permutation([f for f in range(P) if f not in order])
    values = np.empty(P)
    values[[*order, *rest]] = np.arange(P, 0, -1)
    return MethodScores(title, values, title)


@pytest.mark.parametrize("orders, words", [
    (([3, 1, 2, 0], [1, 3, 5, 0]), "Both methods have the same best 2 features"),
    (([3, 1, 2], [3, 2, 5], [3, 5, 2]), "All 3 methods have the same best feature"),
    (([3, 1, 2], [1, 3, 2], [3, 5, 1, 2]), ""),
    (([3, 1], [3, 1], [3, 2]), "All 3 methods have the same best feature; a and b give the same scores"),
    (([2, 1], [3, 1], [3, 1]), "b and c give the same scores"),
    (([3, 1], [3, 1]), "Both methods give the same scores"),
    ((range(10), range(9, -1, -1)), "Both methods have the same best 10 features"),
    ((range(11), range(10, -1, -1)), ""),
    (([1],), ""),
])  # fmt: skip
def test_what_methods_have_in_common(orders, words):
    columns = [scores_of(order, title) for order, title in zip(orders, "abc", strict=False)]
    assert describe_agreement(columns) == words


def test_rounding_and_missing_scores_are_no_difference():
    values = np.array([1.0, 0.5, np.nan, -2.0])
    columns = [MethodScores("a", values, "a"), MethodScores("b", values + 1e-7, "b")]
    assert describe_agreement(columns) == "Both methods give the same scores"
    assert describe_agreement([columns[0], MethodScores("b", values + 1e-3, "b")]).startswith("Both methods have")


def test_unfinished_scores_say_nothing():
    columns = [MethodScores("a", np.arange(4.0), "a"), MethodScores("b", np.arange(4.0), "b", partial=True)]
    assert describe_agreement(columns) == ""
