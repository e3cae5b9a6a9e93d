"""Columns of few values as bits: the same distances and scores as by numbers."""

from itertools import product

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.data.expected import STRATEGIES
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.relief.formats import bits as bit_columns
from orangecontrib.reliefe.core.relief.formats.dense import DenseManhattan
from orangecontrib.reliefe.core.relief.formats.features import Features
from orangecontrib.reliefe.core.relief.run import Run
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL

N = 24 if SMALL else 150
NOMINAL = (1, 2, 3, 4, 5, 8, 15, 16, 17)  # numbers of values
METHODS_OF_PAIRS = [name for name, method in METHODS.items() if method.traits.packed and method.family == "relief"]


@pytest.fixture
def everywhere(monkeypatch):
    """Bits for few columns of few rows."""
    for name in ("MIN_ROWS", "MIN_COLUMNS", "MIN_SHARE"):
        monkeypatch.setattr(bit_columns, name, 0)
    monkeypatch.setattr(bit_columns, "SAMPLE_ROWS", 9)


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


def build(X, nominal, dtype):
    table = DataTable.read(X, nominal)
    return Features.build(table, np.arange(N), np.zeros(N, np.int32), "uniform", dtype=dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize("copies", [1, 20])
def test_distances_are_those_of_numbers(dtype, unknown, copies, monkeypatch):
    X, nominal = sample(unknown, copies)

    def distances():
        features = build(X, nominal, dtype)
        out = np.zeros((2, 64, 256))
        measure = DenseManhattan(features)
        measure.tile(3, 60, 64, N, out[0], upper=False)
        measure.tile(0, 64, 0, N, out[1])
        out[1][np.tril_indices(64)] = 0
        return features, out

    if SMALL:
        pytest.skip("tiles need rows")
    without, expected = distances()
    for name in ("MIN_ROWS", "MIN_COLUMNS", "MIN_SHARE"):
        monkeypatch.setattr(bit_columns, name, 0)
    found, D = distances()
    assert without.bits is None
    assert found.bits is not None
    if not unknown:
        assert len(found.bits.rest) == 2 + 3 * copies + copies  # others, steps of a third, seventeen values
    np.testing.assert_allclose(D, expected, atol=1e-9 if dtype == np.float64 else 1e-5 * copies)


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
    for name in ("MIN_ROWS", "MIN_COLUMNS", "MIN_SHARE"):
        monkeypatch.setattr(bit_columns, name, 0)
    found = rank(X, y, method, nominal=nominal, **options)
    np.testing.assert_allclose(found.scores, expected, atol=1e-9)


def test_single_precision_and_threads(everywhere, monkeypatch):

    X, nominal = sample(0.0, 4)
    y = np.random.default_rng(1).integers(0, 2, N)
    expected = rank(X, y, "multisurf", nominal=nominal).scores
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    one, two = (rank(X, y, "multisurf", nominal=nominal, n_jobs=jobs).scores for jobs in (1, 2))
    np.testing.assert_array_equal(one, two)
    np.testing.assert_allclose(one, expected, atol=1e-6)


def test_columns_all_in_bits_need_no_second_look(everywhere, monkeypatch):

    seen = []
    start = Run.start.__func__
    monkeypatch.setattr(Run, "start", classmethod(lambda *a, **k: seen.append(start(*a, **k)) or seen[-1]))
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (N, 9)).astype(float), rng.integers(0, 2, N)
    rank(X, y, "relieff")
    rank(np.c_[X, rng.normal(size=N)], y, "relieff")
    assert seen[0].features.values.dtype == np.float32
    assert seen[0].double is None
    assert seen[1].double is not None


def test_few_rows_and_plain_numbers_stay_numbers():
    X, nominal = sample(0.0, 4)
    assert build(X, nominal, np.float64).bits is None
    values = np.random.default_rng(0).random((300, 80))
    assert bit_columns.BitColumns.of(values, 80, 80) is None
    values[:, :16] = values[:, :16] > 0.5
    found = bit_columns.BitColumns.of(values, 80, 80)
    np.testing.assert_array_equal(found.rest, np.arange(16, 80))
    values[299, 0] = 0.5
    assert bit_columns.BitColumns.of(values, 80, 80) is not None  # three numbers
    values[299, 0] = 0.25
    assert bit_columns.BitColumns.of(values, 80, 80) is None
