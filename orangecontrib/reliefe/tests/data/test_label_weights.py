"""Label distances and weights of hierarchies as parameters ask for them."""

import numpy as np
import pytest

from orangecontrib.reliefe.core.targets.classes import Classes
from orangecontrib.reliefe.core.targets.hierarchy import Hierarchy
from orangecontrib.reliefe.core.targets.label_weights import with_label_weights
from orangecontrib.reliefe.core.targets.labels import Labels
from orangecontrib.reliefe.core.targets.multi import MultiTarget
from orangecontrib.reliefe.core.targets.partly_labelled import PartlyLabelled
from orangecontrib.reliefe.core.targets.tasks import HIERARCHICAL, MULTILABEL

TREE = Hierarchy.read([(), (0,), (1,), (1,)], 4)
SETS = np.array([[1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0]])  # nobody has the last label
ALPHA = np.array([1, 0.5, 0.25, 0.25])
EVERY = np.arange(4)


def asked(**values):
    given = {"target_distance": "hamming", "label_weights": "mean", "label_decay": 0.5, "gamma": "sum"}
    return given | values


def differences(target):
    return target.difference(EVERY[:, None], EVERY, np.zeros(1))


def hamming(sets, weights, whole):
    return [[weights[x != y].sum() / whole for y in sets] for x in sets]


def test_other_targets_stay_as_they_are():
    target = Classes(np.array([0, 1], np.int32), ("a", "b"))
    assert with_label_weights(target, {}) is target


@pytest.mark.parametrize("gamma, whole", [("sum", 1.75), ("max", 1.75)])
def test_labels_of_a_hierarchy(gamma, whole):
    """Labels that no row has do not count: the largest possible difference is 1."""
    target = with_label_weights(Labels.read(SETS, hierarchy=TREE), asked(gamma=gamma))
    np.testing.assert_allclose(differences(target), hamming(SETS, ALPHA, whole), rtol=1e-15)


def test_the_largest_difference_that_occurs():
    target = with_label_weights(Labels.read(SETS[1:], hierarchy=TREE), asked(gamma="max"))
    some, whole = np.arange(3), 1.5
    expected = hamming(SETS[1:], ALPHA, whole)
    np.testing.assert_allclose(target.difference(some[:, None], some, np.zeros(1)), expected, rtol=1e-15)


@pytest.mark.parametrize("distance", ["f1", "accuracy", "subset", "hamming"])
def test_gaps_that_are_none(distance):
    """Label sets give the same as several targets of 0 and 1, whichever of them they are read as."""
    values = asked(target_distance=distance)
    sets = with_label_weights(Labels.read(SETS, hierarchy=TREE), values)
    several = MultiTarget(SETS.astype(float), np.zeros(4, bool), np.ones(4), task=HIERARCHICAL, hierarchy=TREE)
    several = with_label_weights(several, values)
    assert several.weights.tolist() == [1, 0.5, 0.25, 0]
    np.testing.assert_allclose(differences(several), differences(sets), atol=1e-15)


def test_flat_labels_have_no_weights():
    flat = MultiTarget(SETS.astype(float), np.zeros(4, bool), np.ones(4), task=MULTILABEL)
    found = with_label_weights(flat, asked(target_distance="subset"))
    assert found.distance == "subset"
    assert found.weights.tolist() == [1, 1, 1, 1]
    assert with_label_weights(Labels.read(SETS), asked()).weights is None


def test_rows_without_labels_do_not_set_the_scale():
    known = np.array([False, True, True, True])
    marked = PartlyLabelled(Labels.read(SETS, hierarchy=TREE), known, 5)
    found = with_label_weights(marked, asked(gamma="max"))
    assert isinstance(found, PartlyLabelled)
    assert found.inner.whole == 1.5
    assert with_label_weights(replaced(marked), asked(gamma="max")).inner.whole == 1.75


def replaced(marked):
    return PartlyLabelled(marked.target, np.ones(4, bool), marked.p)
