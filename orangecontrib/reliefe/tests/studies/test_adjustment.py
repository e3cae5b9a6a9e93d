"""Ranks before and after an adjustment: against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core.studies.adjustment import count_best, describe_fallen, find_fallen, ranks_of


@given(st.integers(1, 60).flatmap(lambda p: st.tuples(st.permutations(range(p)), st.permutations(range(p)))))
def test_fallen_features(orders):
    before, after = (ranks_of(np.array(order)) for order in orders)
    p, expected = len(before), []
    n_best = max(2, min(10, p // 4))
    for place, feature in enumerate(orders[0][:n_best], 1):
        now = orders[1].index(feature) + 1
        if now > n_best:
            expected.append((place - now, place, feature, now))
    found = find_fallen(before, after)
    assert [(fall.feature, fall.before, fall.after) for fall in found] == [
        (feature, place, now) for _, place, feature, now in sorted(expected)
    ]
    assert not find_fallen(before, before)


@pytest.mark.parametrize("p, best", [(1, 2), (8, 2), (12, 3), (40, 10), (20_000, 10)])
def test_count_of_the_best(p, best):
    assert count_best(p) == best


def test_sentences():
    names = [f"g{i}" for i in range(12)]
    before, after = np.arange(1, 13), np.array([12, *range(1, 12)])
    assert describe_fallen(before, after, names).endswith("moves out of the best 3: 'g0' (rank 1, now 12)")
    assert describe_fallen(after, after, names).endswith("moves no feature out of the best 3")
