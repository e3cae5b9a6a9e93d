"""Columns of few values as bits: the same distances and scores as by numbers."""

from itertools import product

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.data.expected import STRATEGIES
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL

N = 24 if SMALL else 150
NOMINAL = (1, 2, 3, 4, 5, 8, 15, 16, 17)  # numbers of values
METHODS_OF_PAIRS = [name for name, method in METHODS.items() if method.traits.packed and method.family == "relief"]


ALWAYS = {"MIN_ROWS": 0, "MIN_COLUMNS": 0, "MIN_SHARE": 0}  # bits for few columns of few rows


def sample(unknown=0.0, copies=1, seed=0):
    """Columns of two, three and many numbers, constant ones, and nominal ones; (values, mask of the nominal ones)."""
    rng = np.random.default_rng(seed)
    steps = [rng.integers(0, v, (N, 3 * copies)) for v in (1, 2, 3, 4)]
    others = [rng.normal(size=(N, 2)), 7 * rng.integers(0, 2, (N, copies)) - 3]
    coded = [rng.integers(0, v, (N, copies)) for v in NOMINAL]
    X = np.concatenate([*steps, *others, *coded], axis=1).astype(float)
    nominal = np.arange(X.shape[1]) >= X.shape[1] - len(NOMINAL) * copies
    X, nominal = X[:, ::-1].copy(), nominal[::-1]
    if unknown:
        X[rng.random(X.shape) < unknown] = np.nan
        X[5] = np.nan
        X[:, 3] = np.nan
    return X, nominal


@pytest.mark.parametrize(
    "method, strategy",
    [
        *((name, None) for name in METHODS_OF_PAIRS),
        *(pytest.param(*pair, marks=pytest.mark.slow) for pair in product(METHODS_OF_PAIRS, STRATEGIES)),
        *product(("relieff", "multisurf"), STRATEGIES),
    ],
)
def test_scores_are_those_of_numbers(method, strategy, monkeypatch):
    if strategy and "missing" not in {p.name for p in METHODS[method].parameters}:
        pytest.skip("has its own way with missing values")
    (X, nominal), tasks = sample(0.05 if strategy else 0.0), METHODS[method].tasks
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, N) if "classification" in tasks else rng.normal(size=N) if "regression" in tasks else None
    options = {"missing": strategy} if strategy else {}
    expected = rank(X, y, method, nominal=nominal, **options).scores
    lower(monkeypatch, **ALWAYS)
    found = rank(X, y, method, nominal=nominal, **options)
    np.testing.assert_allclose(found.scores, expected, atol=1e-9)


@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize("copies", [1, 4, 20])
def test_single_precision_and_threads(copies, unknown, monkeypatch):
    """Also if a sample of the rows shows fewer values than there are."""
    X, nominal = sample(unknown, 1 if SMALL else copies)
    y = np.random.default_rng(1).integers(0, 2, N)
    expected = rank(X, y, "multisurf", nominal=nominal, missing="uniform").scores
    lower(monkeypatch, MAX_EXACT_COMPLETE=0, MAX_EXACT_MISSING=0, SAMPLE_ROWS=9, **ALWAYS)
    one, two = (rank(X, y, "multisurf", nominal=nominal, missing="uniform", n_jobs=jobs).scores for jobs in (1, 2))
    np.testing.assert_array_equal(one, two)
    np.testing.assert_allclose(one, expected, atol=1e-6)


@pytest.mark.parametrize("value", [0.5, 0.25])
def test_a_value_that_only_the_last_row_has(value, monkeypatch):
    """Three numbers in equal steps are bits, and others are not."""
    lower(monkeypatch, SAMPLE_ROWS=9, **ALWAYS)
    X, y = np.random.default_rng(0).integers(0, 2, (N, 16)).astype(float), np.arange(N) % 2
    X[-1, 0] = value
    np.testing.assert_allclose(rank(X, y, "relieff", n_neighbors=3).scores, naive.rank(X, y, "relieff", n_neighbors=3))
