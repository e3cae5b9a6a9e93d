"""Odd arguments of functions beside rankings are refused in our own words, and numbers of any size are numbers."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe.core import rank, tau_max
from orangecontrib.reliefe.core.embedding import sparsify, spectral_error
from orangecontrib.reliefe.core.evaluation import cliques, corrected_t, enough, nemenyi, rbo, rrmse

pytestmark = pytest.mark.usefixtures("no_warnings")
RNG = np.random.default_rng(0)
X, SCORES = RNG.random((8, 5)), RNG.random((2, 6))
RANKING = rank(X, np.arange(8) % 2, "relieff")
INFINITE, HUGE = float("inf"), 10**400
NO_INTEGERS = (None, "", "x", b"1", 2.0, INFINITE, np.nan, Decimal("sNaN"), [1, 2], np.arange(2), np.ma.masked, pd.NA)
NO_NUMBERS = (None, "", "x", [1, 2], np.arange(2), np.ma.masked, pd.NA)


@pytest.mark.parametrize("value", NO_INTEGERS, ids=repr)
def test_no_number_of_features(value):
    with pytest.raises(TypeError, match="n must be an integer"):
        RANKING.select(value)


@pytest.mark.parametrize("n, count", [(HUGE, 5), (-HUGE, 0), (np.int8(3), 3), (0, 0), (5, 5)])
def test_numbers_of_features(n, count):
    assert RANKING.select(n).tolist() == RANKING.ranking[:count].tolist()


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_no_thresholds(value):
    for function in (RANKING.above, lambda value: tau_max(value, 3), lambda value: tau_max(0.5, value)):
        with pytest.raises(TypeError, match="must be a number"):
            function(value)
    with pytest.raises(ValueError, match="at least 1"):
        tau_max(0.5, np.nan)
    with pytest.raises(ValueError, match="m is too large"):
        tau_max(0.5, HUGE)


@pytest.mark.parametrize("rope", [INFINITE, np.nan, -1, np.float16(-0.5)])
def test_no_rope(rope):
    with pytest.raises(ValueError, match="rope must be at least 0 and finite"):
        corrected_t(*SCORES, 3, rope)


def test_any_rope():
    found = corrected_t(*SCORES, 3, np.uint8(200))
    assert found.rope == pytest.approx(1)
    assert corrected_t(*SCORES, 3, np.float32(0.1)).rope == pytest.approx(corrected_t(*SCORES, 3, 0.1).rope, abs=1e-6)


@pytest.mark.parametrize("value", [1e308, -1e308, INFINITE, np.nan])
def test_no_ranks(value):
    for function in (lambda: nemenyi([1, 2, value], 3), lambda: cliques([1, 2, value], 1)):
        with pytest.raises(ValueError, match=r"ranks must be .* known"):
            function()


@pytest.mark.parametrize("size", [np.nan, INFINITE])
def test_no_sizes(size):
    with pytest.raises(ValueError, match="sizes must be known"):
        enough([1, size], RNG.random((4, 2)), 3)


@pytest.mark.parametrize("persistence", [5e-324, 1e-200, 1 - 1e-16])
def test_any_persistence(persistence):
    assert rbo(SCORES[0], SCORES[0], persistence=persistence) == pytest.approx(1)


@pytest.mark.parametrize("unit", [1e308, 1e200, 1e-100])
def test_numbers_of_any_size(unit):
    truth, predicted = SCORES - 0.5
    assert rrmse(unit * truth, unit * predicted) == pytest.approx(rrmse(truth, predicted))
    assert spectral_error(unit * X, -unit * X / 4) == pytest.approx(unit * spectral_error(X, -X / 4))
    found, expected = sparsify(unit * X, row_normalize=True, dense=True), sparsify(X, row_normalize=True, dense=True)
    np.testing.assert_allclose(found.X, expected.X, rtol=1e-12)


def test_predictions_that_are_too_far_off():
    assert rrmse([0, 1e-9, 1], [1e308, -1e308, 0]) == INFINITE


def test_too_large_to_sparsify():
    with pytest.raises(ValueError, match="far too large"):
        sparsify(np.full((3, 3), 1e308))
    with pytest.raises(TypeError, match="dense must be True or False"):
        sparsify(X, dense=np.ones(2))
