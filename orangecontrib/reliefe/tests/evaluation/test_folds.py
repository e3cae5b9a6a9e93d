"""Folds and which rows keep their targets: sizes, classes, seeds, nesting."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import Survival
from orangecontrib.reliefe.core.evaluation import blocks, distinct_rows, folds, labelled
from orangecontrib.reliefe.tests.naive import evaluation as naive
from orangecontrib.reliefe.tests.samples import examples

EXAMPLES = examples(40, 40)
SEEDS = st.integers(0, 2**32 - 1)
BOTH = pytest.mark.parametrize("make", [folds, blocks])


@BOTH
@pytest.mark.parametrize("n, n_folds", [(10, 10), (23, 4), (50, 10), (7, 2)])
def test_every_row_is_tested_once(make, n, n_folds):
    parts = make(n, n_folds)
    assert len(parts) == n_folds
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(n))
    sizes = [len(test) for _, test in parts]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1
    for train, test in parts:
        assert sorted([*train, *test]) == list(range(n))


@BOTH
def test_seeds(make):
    one, two, other = ([test.tolist() for _, test in make(40, 4, seed)] for seed in (1, 1, 2))
    assert one == two
    assert one != other


@EXAMPLES
@given(st.lists(st.sampled_from("abcd"), min_size=6, max_size=40), st.integers(2, 6), SEEDS)
def test_classes_are_spread_evenly(classes, n_folds, seed):
    parts = folds(len(classes), n_folds, seed, np.array(classes))
    for value in set(classes):
        counts = [sum(classes[i] == value for i in test) for _, test in parts]
        assert max(counts) - min(counts) <= 1
    sizes = [len(test) for _, test in parts]
    assert max(sizes) - min(sizes) <= 1


def test_folds_have_equal_shares_of_events():
    """Events are the strata of rows and of groups of rows, however times are given."""
    rng = np.random.default_rng(0)
    event = np.arange(60) < 9
    rng.shuffle(event)
    time = rng.random(60)
    pairs = np.array([*zip(event, time, strict=True)], dtype=[("died", bool), ("days", float)])
    by_class = folds(60, 3, 5, event)
    for y in Survival(time, event), pairs:
        for (rows, _), (expected, _) in zip(folds(60, 3, 5, y), by_class, strict=True):
            np.testing.assert_array_equal(rows, expected)
        assert [event[test].sum() for _, test in folds(60, 3, 5, y)] == [3, 3, 3]
        assert [event[test].sum() for _, test in folds(60, 3, 5, y, groups=np.arange(60) // 2 * 2)] == [3, 3, 3]
        kept = labelled(by_class, 20, 1, y)
        np.testing.assert_array_equal(kept, labelled(by_class, 20, 1, event))
        np.testing.assert_array_equal(distinct_rows(60, 2, y), distinct_rows(60, 2, event))


def test_folds_are_ascending():
    for train, test in folds(30, 4):
        assert np.all(np.diff(train) > 0)
        assert np.all(np.diff(test) > 0)


def test_blocks_are_those_of_the_authors():
    order = list(range(23))
    random.Random(123).shuffle(order)
    parts = blocks(23)
    assert [len(test) for _, test in parts] == [3, 3, 3, 2, 2, 2, 2, 2, 2, 2]
    assert parts[1][1].tolist() == order[3:6]
    assert parts[1][0].tolist() == order[:3] + order[6:]


@BOTH
@pytest.mark.parametrize("n_folds", [0, 1, 6])
def test_bad_numbers_of_folds(make, n_folds):
    with pytest.raises(ValueError, match=f"at most the 5 rows, not {n_folds}"):
        make(5, n_folds)


# ---- labels


@EXAMPLES
@given(st.integers(10, 60), st.integers(2, 10), st.integers(0, 80), SEEDS)
def test_quotas_are_those_of_the_twin(n, n_folds, n_labelled, seed):
    parts = folds(n, n_folds, seed)
    mask = labelled(parts, n_labelled, seed)
    expected = naive.quotas([len(test) for _, test in parts], n_labelled)
    assert [int(mask[test].sum()) for _, test in parts] == expected


def test_quotas_of_uneven_parts():
    parts, start = [], 0
    for size in (2, 9, 1, 8):
        test = np.arange(start, start + size)
        parts.append((np.setdiff1d(np.arange(20), test), test))
        start += size
    for n_labelled in range(25):
        mask = labelled(parts, n_labelled)
        assert [mask[test].sum() for _, test in parts] == naive.quotas([2, 9, 1, 8], n_labelled)


@pytest.mark.parametrize("n_labelled", [0, 1, 7, 20, 27])
def test_training_rows_have_as_many_labels_or_one_less(n_labelled):
    parts = folds(40, 5)
    mask = labelled(parts, n_labelled)
    for f, (train, _) in enumerate(parts):
        assert mask[train].sum() == n_labelled - (f < n_labelled % 4)


@EXAMPLES
@given(SEEDS, st.booleans())
def test_more_labels_keep_those_of_fewer(seed, with_classes):
    classes = np.arange(30) % 3 if with_classes else None
    parts = folds(30, 4, seed)
    masks = [labelled(parts, n_labelled, seed, classes) for n_labelled in range(0, 45, 3)]
    for fewer, more in pairwise(masks):
        assert not np.any(fewer & ~more)
    assert masks[-1].all()


def test_labels_of_all_classes_come_soon():
    classes = np.repeat([0, 1, 2], [60, 30, 10])
    parts = folds(100, 2, 0, classes)
    mask = labelled(parts, 10, 0, classes)
    for _, test in parts:
        assert np.bincount(classes[test][mask[test]], minlength=3).tolist() == [6, 3, 1]


def test_seeds_of_labels():
    parts = folds(60, 3)
    one, two, other = (labelled(parts, 20, seed) for seed in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_negative_number_of_labels():
    with pytest.raises(ValueError, match="n_labelled must be at least 0, not -1"):
        labelled(folds(10, 2), -1)
