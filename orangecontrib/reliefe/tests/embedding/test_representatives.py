"""The rows that stand for all: counts, order, seeds; against the golden order and the slow twin."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from orangecontrib.reliefe.core.embedding import representatives
from orangecontrib.reliefe.tests.naive import embedding as naive
from orangecontrib.reliefe.tests.samples import examples

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "reliefe.json").read_text())
EXAMPLES = examples(25, 25)
GROUPS = arrays(int, st.integers(1, 40), elements=st.integers(0, 5))


def counts(groups, rows):
    return np.bincount(groups[rows], minlength=groups.max() + 1)


def test_golden_order():
    groups = np.array([0, 0, 0, 1, 1, 2])
    expected = GOLDEN["sets"]["reliefe_tiny"]["expect"]["cyclic_aaabbc_nu5"]
    assert naive.cyclic(groups.tolist(), range(6))[:5] == expected


@EXAMPLES
@given(GROUPS, st.integers(1, 45), st.integers(0, 2**32 - 1))
def test_rows_are_those_of_the_twin(groups, size, seed):
    order = np.random.default_rng(seed).permutation(len(groups))
    assert representatives(groups, size, seed).tolist() == sorted(naive.cyclic(groups.tolist(), order.tolist())[:size])


@EXAMPLES
@given(GROUPS, st.integers(1, 45), st.integers(0, 2**32 - 1))
def test_exactly_as_many_as_asked_for_and_even(groups, size, seed):
    rows = representatives(groups, size, seed)
    assert len(rows) == min(size, len(groups))
    assert np.all(np.diff(rows) > 0)
    taken, there = counts(groups, rows), np.bincount(groups, minlength=groups.max() + 1)
    most = taken.max()
    assert np.all((taken >= most - 1) | (taken == there))  # only exhausted groups fall behind


@EXAMPLES
@given(GROUPS, st.integers(1, 45), st.permutations(range(6)))
def test_codes_matter_only_for_the_last_round(groups, size, codes):
    """Whatever the groups are called, they take their rows in the same order."""
    new = np.array(codes)[groups]
    ours, theirs = representatives(groups, size), representatives(new, size)
    for g in np.unique(groups):
        a, b = set(ours[groups[ours] == g]), set(theirs[groups[theirs] == g])
        assert len(a & b) == min(len(a), len(b)) >= max(len(a), len(b)) - 1


def test_all_rows_when_there_are_no_more():
    assert representatives(np.array([2, 0, 1]), 3).tolist() == [0, 1, 2]
    assert representatives(np.array([2, 0, 1])).tolist() == [0, 1, 2]
    assert representatives(np.array([], int), 5).tolist() == []


def test_rare_groups_are_complete():
    groups = np.repeat([0, 1, 2], [1000, 3, 40])
    assert counts(groups, representatives(groups, 50)).tolist() == [24, 3, 23]


def test_more_groups_than_places():
    rows = representatives(np.repeat(np.arange(30), 2), 7)
    assert (rows // 2).tolist() == list(range(7))


def test_codes_need_not_be_consecutive():
    groups = np.array([7, -3, 7, 900, -3, 7])
    assert sorted(groups[representatives(groups, 3)].tolist()) == [-3, 7, 900]


def test_seeds():
    groups = np.arange(500) % 3
    one, two, other = (representatives(groups, 60, seed) for seed in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)
    assert np.array_equal(counts(groups, one), counts(groups, other))


@pytest.mark.parametrize(
    "groups, size, message",
    [
        (np.zeros(3), 2, "one integer for each row"),
        (np.zeros((3, 2), int), 2, "one integer for each row"),
        (np.array(["a", "b"]), 2, "one integer for each row"),
        (np.zeros(3, int), 0, "size must be at least 1, not 0"),
    ],
)
def test_bad_input(groups, size, message):
    with pytest.raises(ValueError, match=message):
        representatives(groups, size)
