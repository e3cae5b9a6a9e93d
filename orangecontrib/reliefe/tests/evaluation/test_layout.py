"""Places in pictures of statistics, and intervals of means over folds."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.evaluation import (
    corrected_t,
    hierarchical_t,
    in_triangle,
    rank_diagram,
    resampled_interval,
)

RANKS = st.lists(st.floats(1, 12), min_size=2, max_size=12).map(np.array)


def test_diagram_by_hand():
    d = rank_diagram([3.5, 1.2, 2.0, 3.9], 1.6)
    assert (d.low, d.high, d.difference) == (1, 4, 1.6)
    assert d.left.tolist() == [False, True, True, False]
    assert d.lines.tolist() == [1, 0, 1, 0]
    assert d.bars == ((1.2, 2.0, 0), (2.0, 3.5, 1), (3.5, 3.9, 0))
    assert d.n_bar_lines == 2


def test_diagram_without_bars_or_differences():
    apart, equal = rank_diagram([1, 2, 3], 0.5), rank_diagram([2, 2, 2], 1)
    assert (apart.bars, apart.n_bar_lines) == ((), 0)
    assert equal.bars == ((2.0, 2.0, 0),)
    assert (equal.low, equal.high) == (1, 2)


@given(RANKS, st.floats(0.01, 5))
def test_ways_to_names_do_not_cross(ranks, difference):
    d = rank_diagram(ranks, difference)
    for side in (True, False):
        own = np.flatnonzero(d.left == side)
        assert sorted(d.lines[own]) == list(range(len(own)))
        outward = own[np.argsort(d.lines[own])]  # from the line next to the axis down
        assert (np.diff(ranks[outward]) * (1 if side else -1) >= 0).all()
    if d.left.any() and not d.left.all():
        assert ranks[d.left].max() <= ranks[~d.left].min()
    for line in range(d.n_bar_lines):
        ends = sorted((first, last) for first, last, own in d.bars if own == line)
        assert all(before[1] < after[0] for before, after in pairwise(ends))
    assert all(last - first < difference for first, last, _ in d.bars)
    assert d.low <= ranks.min() <= ranks.max() <= d.high
    assert d.low < d.high


def test_corners_and_middle_of_the_triangle():
    height = np.sqrt(3) / 2
    found = in_triangle([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3], [2, 2, 0]])
    assert found == pytest.approx(np.array([[0, 0], [0.5, height], [1, 0], [0.5, height / 3], [0.25, height / 2]]))


@pytest.mark.parametrize("shares", [[1, 0, 0], [[1, 0]], [[0, 0, 0]], [[-1, 1, 1]], [[np.nan, 1, 1]]])
def test_what_is_no_triangle(shares):
    with pytest.raises(ValueError, match="probabilities"):
        in_triangle(shares)


def test_interval_is_that_of_the_corrected_test():
    values = np.random.default_rng(0).normal(0.8, 0.02, (10, 3))
    low, high = resampled_interval(values, 5)
    for column in range(3):
        d = corrected_t(values[:, column], np.zeros(10), 5)
        assert (low[column], high[column]) == pytest.approx((d.low, d.high))
    naive = stats.t.interval(0.95, 9, values[:, 0].mean(), stats.sem(values[:, 0]))
    assert high[0] - low[0] == pytest.approx((naive[1] - naive[0]) * np.sqrt(1 + 10 / 4))
    assert [float(end[0]) for end in resampled_interval([[0.3], [0.3]], 2)] == [0.3, 0.3]
    assert np.isnan(resampled_interval([[np.nan], [0.3]], 2)).all()
    assert np.isnan(resampled_interval([[1.7e308], [1.7e308]], 2)).all()


@pytest.mark.parametrize("values, n_folds, level", [([[1.0]], 2, 0.95), ([[1.0], [2.0]], 1, 0.95), ([[1], [2]], 2, 1)])
def test_no_interval(values, n_folds, level):
    with pytest.raises(ValueError, match=r"at least 2|between 0 and 1"):
        resampled_interval(values, n_folds, level)


def test_sampling_tells_its_progress_and_stops():
    x = np.random.default_rng(0).normal(size=(3, 10))
    shares = []
    found = hierarchical_t(x, np.zeros((3, 10)), 10, n_sweeps=50, progress=shares.append)
    assert shares[-1] == 1
    assert (np.diff(shares) >= 0).all()
    assert np.array_equal(found.draws, hierarchical_t(x, np.zeros((3, 10)), 10, n_sweeps=50).draws)

    def stop(share):
        raise Interrupted

    with pytest.raises(Interrupted):
        hierarchical_t(x, np.zeros((3, 10)), 10, progress=stop)
