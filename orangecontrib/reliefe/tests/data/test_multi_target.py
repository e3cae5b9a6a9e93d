"""Several targets with gaps: differences of pairs, against plain loops."""

import numpy as np
import pytest

from orangecontrib.reliefe.core.targets.classes import Classes
from orangecontrib.reliefe.core.targets.hierarchy import Hierarchy
from orangecontrib.reliefe.core.targets.label_distances import SETS
from orangecontrib.reliefe.core.targets.multi import MultiTarget
from orangecontrib.reliefe.core.targets.tasks import MULTILABEL

NAN = np.nan
VALUES = np.array([[1.0, 0, 5], [3, 1, NAN], [NAN, 1, 7], [2, NAN, NAN], [NAN, NAN, NAN], [3, 2, 5]])
NOMINAL = np.array([False, True, False])
WEIGHTS = np.array([1.0, 2.0, 0.5])
LABELS = np.array([[1.0, 0, 1], [1, 1, NAN], [NAN, 0, 0], [0, 0, 0], [NAN, NAN, NAN], [1, 1, 1]])
EVERY = np.arange(6)


def mean_difference(x, y, nominal, weights):
    """Weighted mean over the columns that both rows know; NaN without any."""
    total = known = 0.0
    for a, b, codes, weight in zip(x, y, nominal, weights, strict=True):
        if not (np.isnan(a) or np.isnan(b)):
            total, known = total + weight * (float(a != b) if codes else abs(a - b)), known + weight
    return total / known if known else NAN


def set_difference(x, y, weights, distance):
    """The difference of two label sets, of the labels that both rows know."""
    both = each = known = 0.0
    for a, b, weight in zip(x, y, weights, strict=True):
        if not (np.isnan(a) or np.isnan(b)):
            both, each, known = both + weight * a * b, each + weight * (a + b), known + weight
    if not known:
        return NAN
    return float(SETS[distance](np.array(both), np.array(each), known))


def differences(target):
    return target.difference(EVERY[:, None], EVERY, np.zeros(1))


def test_numbers_are_centred_and_divided_by_their_range():
    target = MultiTarget.measure(VALUES, NOMINAL)
    np.testing.assert_array_equal(target.units, [2, 1, 2])
    np.testing.assert_array_equal(target.values, (VALUES - target.origins) / [2, 1, 2])
    np.testing.assert_array_equal(target.origins, np.where(NOMINAL, 0, np.nanmin(VALUES, axis=0)))
    assert target.counts == [4, 4, 3]
    assert VALUES[0, 0] == 1.0


@pytest.mark.parametrize("weights", [np.ones(3), WEIGHTS])
def test_differences(weights):
    target = MultiTarget(VALUES / [2, 1, 2], NOMINAL, weights)
    expected = [[mean_difference(x, y, NOMINAL, weights) for y in target.values] for x in target.values]
    np.testing.assert_allclose(differences(target), expected, rtol=1e-14)


@pytest.mark.parametrize("distance", SETS)
@pytest.mark.parametrize("weights", [np.ones(3), WEIGHTS])
def test_differences_of_sets(distance, weights):
    target = MultiTarget(LABELS, np.zeros(3, bool), weights, task=MULTILABEL, distance=distance)
    expected = [[set_difference(x, y, weights, distance) for y in LABELS] for x in LABELS]
    np.testing.assert_allclose(differences(target), expected, atol=1e-14)


def test_stretched():
    """The largest difference becomes 1."""
    target = MultiTarget(LABELS * 0.25, np.zeros(3, bool), WEIGHTS)
    largest = np.nanmax(differences(target))
    assert 0 < largest < 1
    np.testing.assert_allclose(differences(target.stretched()), differences(target) / largest, rtol=1e-15)
    same = MultiTarget(np.ones((4, 2)), np.zeros(2, bool), np.ones(2))
    assert same.stretched().scale == 1


def test_parts_and_rows():
    target = MultiTarget.measure(VALUES, NOMINAL, ("a", "b", "c"))
    part = target.part(1)
    assert part.names == ("b",)
    np.testing.assert_array_equal(part.values, target.values[:, [1]])
    assert part.nominal.tolist() == [True]
    np.testing.assert_array_equal(target.take(np.array([4, 0])).values, target.values[[4, 0]])


def test_what_callers_ask():
    target = MultiTarget.measure(VALUES, NOMINAL)
    values, nominal = target.columns
    np.testing.assert_array_equal(values, target.values)
    assert nominal.tolist() == NOMINAL.tolist()
    assert target.levels == [None, (0, 1, 2), None]
    assert target.label_matrix is None
    assert target.inner is target
    tree = Hierarchy.read([(), (0,), (0,)], 3)
    labels = MultiTarget(LABELS, np.zeros(3, bool), np.ones(3), task=MULTILABEL, hierarchy=tree)
    assert labels.label_matrix is LABELS
    assert labels.levels == [None] * 3


def test_classes_are_asked_of_targets_that_have_them():
    codes = np.array([1, 0, 1], np.int32)
    assert Classes(codes, (0, 1)).classes is codes
    with pytest.raises(ValueError, match="a target for multi-target has no classes"):
        _ = MultiTarget.measure(VALUES, NOMINAL).classes
