"""Measures of predictions: golden values, slow twins, scikit-learn, and what has no answer."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core.evaluation import MEASURES, accuracy, auprc, f1, macro_f1, micro_f1, rrmse
from orangecontrib.reliefe.tests.naive import evaluation as naive
from orangecontrib.reliefe.tests.samples import examples

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "evaluation.json").read_text())
EXAMPLES = examples(40, 40)
SEEDS = st.integers(0, 2**32 - 1)
CLASSES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=15)


def labels(seed, n=12, n_labels=3, holes=0.0):
    """Truth, and predictions with ties."""
    rng = np.random.default_rng(seed)
    truth = (rng.random((n, n_labels)) < 0.4).astype(float)
    truth[rng.random(truth.shape) < holes] = np.nan
    return truth, rng.integers(0, 5, truth.shape) / 5


@pytest.mark.parametrize("name", ["macro_f1", "rrmse", "auprc"])
@pytest.mark.parametrize("place", [MEASURES, {name: getattr(naive, name) for name in ("macro_f1", "rrmse", "auprc")}])
def test_golden(name, place):
    measure = getattr(place[name], "function", place[name])
    known = GOLDEN[name]
    assert measure(known["truth"], known["predicted"]) == pytest.approx(known["expect"], abs=1e-12)


def test_which_are_better_when_larger():
    assert [name for name, measure in MEASURES.items() if not measure.higher_is_better] == ["rrmse"]


@pytest.mark.parametrize("name", MEASURES)
def test_perfect_predictions(name):
    truth = np.array([0, 1, 1, 0, 1])
    times = np.column_stack([1 - truth, np.ones(5)])  # higher risks are of earlier events
    known = times if name == "concordance" else truth
    assert MEASURES[name].function(known, truth) == float(MEASURES[name].higher_is_better)


# ---- classes


@EXAMPLES
@given(CLASSES)
def test_f1_is_that_of_the_twin(pairs):
    truth, predicted = np.transpose(pairs)
    assert macro_f1(truth, predicted) == pytest.approx(naive.macro_f1(truth, predicted), abs=1e-12)
    assert accuracy(truth, predicted) == np.mean([a == b for a, b in pairs])
    for c in range(4):
        assert f1(truth, predicted, positive=c) == pytest.approx(naive.f1_of(truth, predicted, c), abs=1e-12)


@EXAMPLES
@given(CLASSES)
def test_f1_is_that_of_scikit_learn(pairs):
    from sklearn.metrics import f1_score

    truth, predicted = np.transpose(pairs)
    expected = f1_score(truth, predicted, average="macro", zero_division=0)
    assert macro_f1(truth, predicted) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "truth, predicted, positive",
    [
        ("aaab", "aabb", "b"),
        ("abbb", "aabb", "a"),
        ("aabb", "abab", "b"),
        ("aaaa", "aaab", "b"),  # of two classes the one that does not occur is the rarer one
        ("bbbb", "abbb", "a"),
        ("aaaa", "aaaa", "a"),
    ],
)
def test_the_rarer_class_counts(truth, predicted, positive):
    truth, predicted = list(truth), list(predicted)
    assert f1(truth, predicted) == naive.f1_of(truth, predicted, positive)


def test_more_than_two_classes_are_averaged():
    assert f1([0, 0, 1, 1], [0, 1, 1, 2]) == macro_f1([0, 0, 1, 1], [0, 1, 1, 2])


def test_neither_true_nor_predicted():
    assert f1([0, 0], [0, 0], positive=1) == 0


@pytest.mark.parametrize("measure", [accuracy, f1, macro_f1])
@pytest.mark.parametrize(
    "truth, predicted, message",
    [
        ([0, 1], [0, 1, 1], "must be"),
        ([], [], "n > 0"),
        (np.array([0, 1], "M8[s]"), [0, 1], "of one kind"),
        ([[0, 1]], [[0, 1]], "must be"),
        ([0, np.nan], [0, 1], "truth has unknown"),
        ([0, 1], [np.nan, 1], "predicted has unknown"),
        (np.array(["a", np.nan], object), np.array(["a", "b"], object), "truth has unknown"),
    ],
)
def test_classes_that_cannot_be_compared(measure, truth, predicted, message):
    with pytest.raises(ValueError, match=message):
        measure(truth, predicted)


# ---- numbers


@EXAMPLES
@given(SEEDS)
def test_rrmse_is_that_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    truth, predicted = rng.normal(size=(2, 9, 4))
    truth[rng.random(truth.shape) < 0.3] = np.nan
    truth[:, 1] = 2.5
    assert rrmse(truth, predicted) == pytest.approx(naive.rrmse(truth, predicted), rel=1e-9)
    assert rrmse(truth * 1e6 + 3, predicted * 1e6 + 3) == pytest.approx(rrmse(truth, predicted), rel=1e-6)


def test_rrmse_of_the_mean_is_one():
    truth = np.random.default_rng(0).normal(size=20)
    assert rrmse(truth, np.full(20, truth.mean())) == pytest.approx(1)


@pytest.mark.parametrize("truth", [np.full(5, 0.1), np.full((5, 2), np.nan)])
def test_rrmse_without_variance(truth):
    assert np.isnan(rrmse(truth, np.zeros(truth.shape)))


@pytest.mark.parametrize("measure", [rrmse, auprc])
@pytest.mark.parametrize(
    "truth, predicted, message",
    [
        (np.ones(3), np.ones((3, 1)), r"not \(3,\) and \(3, 1\)"),
        (np.ones(3), np.array([0, 1, np.nan]), "no finite"),
        (np.ones(3), np.array([0, 1, np.inf]), "no finite"),
        (np.ones((1, 1, 1)), np.ones((1, 1, 1)), "must be both"),
    ],
)
def test_numbers_that_cannot_be_compared(measure, truth, predicted, message):
    with pytest.raises(ValueError, match=message):
        measure(truth, predicted)


# ---- labels


@EXAMPLES
@given(SEEDS, st.sampled_from([0, 0.3]))
def test_auprc_is_that_of_the_twin(seed, holes):
    truth, predicted = labels(seed, holes=holes)
    assert auprc(truth, predicted) == pytest.approx(naive.auprc(truth, predicted), abs=1e-12, nan_ok=True)
    expected = naive.auprc_interpolated(truth, predicted)
    assert auprc(truth, predicted, interpolated=True) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@EXAMPLES
@given(SEEDS, st.sampled_from([0, 0.3]))
def test_micro_f1_is_that_of_the_twin_and_of_scikit_learn(seed, holes):
    from sklearn.metrics import f1_score

    truth, predicted = labels(seed, holes=holes)
    assert micro_f1(truth, predicted) == pytest.approx(naive.micro_f1(truth, predicted), abs=1e-12)
    if not holes:
        expected = f1_score(truth, predicted > 0.5, average="micro", zero_division=0)
        assert micro_f1(truth, predicted) == pytest.approx(expected, abs=1e-12)


def test_micro_f1_by_hand():
    truth = [[1, 0, 1], [0, 1, np.nan]]
    predicted = [[0.9, 0.6, 0.5], [0.1, 0.7, 0.9]]  # 2 true positives, 1 false one, 1 false negative
    assert micro_f1(truth, predicted) == pytest.approx(4 / 6)
    assert micro_f1(truth, predicted, threshold=0.65) == pytest.approx(4 / 5)
    assert micro_f1(np.zeros((2, 2)), np.zeros((2, 2))) == 0
    with pytest.raises(ValueError, match="threshold must be between 0 and 1, not 1"):
        micro_f1(truth, predicted, threshold=1)


@EXAMPLES
@given(SEEDS)
def test_auprc_is_that_of_scikit_learn(seed):
    from sklearn.metrics import average_precision_score

    truth, predicted = labels(seed)
    truth[0, 0] = 1
    expected = average_precision_score(truth.ravel(), predicted.ravel())
    assert auprc(truth, predicted) == pytest.approx(expected, abs=1e-12)
    assert auprc(truth[:, 0], predicted[:, 0]) == pytest.approx(
        average_precision_score(truth[:, 0], predicted[:, 0]), abs=1e-12
    )


def test_interpolated_curve_by_hand():
    """5 of 20 at first, then 5 more among 30 others: precisions 1/4 up to there, 10/50 at the end."""
    truth = np.r_[np.ones(5), np.zeros(15), np.ones(5), np.zeros(25)]
    predicted = np.repeat([2.0, 1.0], [20, 30])
    second = [(5 + x) / (20 + 6 * x) for x in range(6)]
    area = (5 * 0.25 + sum(a + b for a, b in pairwise(second)) / 2) / 10
    assert auprc(truth, predicted, interpolated=True) == pytest.approx(area, abs=1e-12)


def test_auprc_of_equal_predictions_is_the_share_of_labels():
    truth = np.array([[1, 0, 0, 0], [0, 1, 0, 0]])
    for interpolated in (False, True):
        assert auprc(truth, np.zeros((2, 4)), interpolated) == pytest.approx(0.25)


@pytest.mark.parametrize("interpolated", [False, True])
@pytest.mark.parametrize("truth", [np.zeros((3, 2)), np.full((3, 2), np.nan), np.zeros((0, 2))])
def test_auprc_without_a_label(truth, interpolated):
    assert np.isnan(auprc(truth, np.ones(truth.shape), interpolated))


def test_auprc_of_sparse_labels():
    truth, predicted = labels(3)
    found = auprc(sparse.csr_array(truth), sparse.csr_array(predicted))
    assert found == auprc(truth, predicted)
