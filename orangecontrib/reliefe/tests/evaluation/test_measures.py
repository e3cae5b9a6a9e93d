"""Measures of predictions: golden values, slow twins, and what has no answer."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core.evaluation import MEASURES, rrmse
from orangecontrib.reliefe.core.evaluation.predictors import Predictor
from orangecontrib.reliefe.tests.naive import evaluation as naive
from orangecontrib.reliefe.tests.samples import examples

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "evaluation.json").read_text())
EXAMPLES = examples(40, 40)
SEEDS = st.integers(0, 2**32 - 1)
CLASSES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=15)


def measured(name, truth, predicted):
    return MEASURES[name].function(truth, predicted)


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
def test_classes_as_the_twins(pairs):
    truth, predicted = np.transpose(pairs)
    assert measured("macro_f1", truth, predicted) == pytest.approx(naive.macro_f1(truth, predicted), abs=1e-12)
    assert measured("f1", truth, predicted) == measured("macro_f1", truth, predicted)
    assert measured("accuracy", truth, predicted) == pytest.approx(np.mean([a == b for a, b in pairs]))
    for c in range(4):
        f1 = MEASURES["f1"].function(truth, predicted, positive=c)
        assert f1 == pytest.approx(naive.f1_of(truth, predicted, c), abs=1e-12)


@pytest.mark.parametrize("n_first, positive", [(7, 0), (10, 1), (13, 1)])
def test_the_rarer_class_counts_in_all_folds(n_first, positive):
    """The last of equally rare classes counts, also in folds that have none of it."""
    y = np.repeat([0, 1], [n_first, 20 - n_first])
    predictor = Predictor.read(y, "classification", 20, "f1")
    for truth, predicted in ([0, 0, 1, 1, 1], [0, 1, 1, 1, 0]), ([1 - positive] * 4, [1 - positive] * 4):
        assert predictor.quality(np.array(truth), np.array(predicted)) == naive.f1_of(truth, predicted, positive)


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


@pytest.mark.parametrize("measure", ["rrmse", "auprc", "micro_f1"])
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
        measured(measure, truth, predicted)


# ---- labels


@EXAMPLES
@given(SEEDS, st.sampled_from([0, 0.3]))
def test_labels_as_the_twins(seed, holes):
    truth, predicted = labels(seed, holes=holes)
    for name, twin in ("auprc", naive.auprc), ("micro_f1", naive.micro_f1):
        assert measured(name, truth, predicted) == pytest.approx(twin(truth, predicted), abs=1e-12, nan_ok=True)


def test_micro_f1_by_hand():
    truth = [[1, 0, 1], [0, 1, np.nan]]
    predicted = [[0.9, 0.6, 0.5], [0.1, 0.7, 0.9]]  # 2 true positives, 1 false one, 1 false negative
    assert measured("micro_f1", truth, predicted) == pytest.approx(4 / 6)


def test_auprc_of_equal_predictions_is_the_share_of_labels():
    truth = np.array([[1, 0, 0, 0], [0, 1, 0, 0]])
    assert measured("auprc", truth, np.zeros((2, 4))) == pytest.approx(0.25)


@pytest.mark.parametrize("truth", [np.zeros((3, 2)), np.full((3, 2), np.nan), np.zeros((0, 2))])
def test_without_a_label(truth):
    assert np.isnan(measured("auprc", truth, np.ones(truth.shape)))
    assert measured("micro_f1", truth, np.ones(truth.shape)) == 0
