"""Scores are the same to the last bit however much memory is saved."""

import itertools
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.data.expected import STRATEGIES
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.embedding import sparsify
from orangecontrib.reliefe.core.evaluation import RowSpace
from orangecontrib.reliefe.core.forest.columns import Columns
from orangecontrib.reliefe.core.methods.wrapper import innermost
from orangecontrib.reliefe.core.points.dense_encoding import dense_points
from orangecontrib.reliefe.core.work.threads import PARTS, Work
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.memory_samples import ranking, wide
from orangecontrib.reliefe.tests.samples import REPRESENTATIVES, SMALL

COMPARING = [method.name for method in innermost() if method.family != "filter"]
COMPILED = pytest.mark.skipif(SMALL, reason="slow without numba")


@pytest.mark.parametrize("name", COMPARING)
@pytest.mark.parametrize("strategy, mixed", itertools.product([None, *STRATEGIES], [False, True]))
def test_tables_that_are_made_again_give_the_same_bits(name, strategy, mixed, monkeypatch):
    X, hidden = wide(0.1, *((20, 7) if SMALL else (50, 40)))
    nominal = np.arange(X.shape[1]) % 3 == 2 if mixed else None
    if mixed:
        X[:, nominal] = np.floor(4 * X[:, nominal])
    known = [choice for p in METHODS[name].parameters if p.name == "missing" for choice in p.choices]
    more = {"missing": strategy} if strategy in known else {}
    calls = [lambda: ranking(X, hidden, name, METHODS[name].tasks[0], nominal=nominal, **more).scores]
    if name in ("relief", "reliefe") and not SMALL:
        variant = {"power": 2} if name == "relief" else {"n_neighbors": "adaptive"}
        calls.append(lambda: ranking(X, hidden, name, "classification", nominal=nominal, **more, **variant).scores)
    kept = [call() for call in calls]
    lower(monkeypatch, MAX_TABLE_BYTES=0, FEATURES_PER_TABLE=1024 if SMALL else 16)
    for scores, call in zip(kept, calls, strict=True):
        if name == "reliefseq":  # the best of sums that begin anew with each neighbour
            np.testing.assert_allclose(call(), scores, rtol=1e-12, atol=1e-15)
        else:
            assert call().tobytes() == scores.tobytes()


@pytest.mark.parametrize("name", ["relieff", "rrelieff", "reliefe", "surf", "swrfstar", "urelief", "boostedrelief"])
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_means_of_some_features_at_a_time_have_the_same_bits(name, form, monkeypatch):
    X, hidden = wide(0.1, 20, 9)
    X = form(np.where(np.isnan(X), X, X * (X > 0.3)))
    scores = [ranking(X, hidden, name, METHODS[name].tasks[0], missing="ignore").scores]
    for span in (2, 4, 8):
        lower(monkeypatch, FEATURES_AT_ONCE=span)
        scores.append(ranking(X, hidden, name, METHODS[name].tasks[0], missing="ignore").scores)
    assert all(found.tobytes() == scores[0].tobytes() for found in scores)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_rows_without_a_target_leave_the_bits_of_the_others(form):
    X = wide(0.1, 30, 7)[0]
    nominal = (np.arange(7) == 3) if form is np.array else None
    X[:, 3] = np.floor(5 * X[:, 3]) / 2  # codes that are coded anew
    known = np.isin(np.arange(30), [1, 2, 5, 6, 7, 9, 11, 12, 13, 14, 16, 20, 21, 22, 25, 28])
    y = np.where(known, np.arange(30) % 2, np.nan)
    given = {"task": "classification", "nominal": nominal, "n_neighbors": 3}
    scores = [rank(form(A), u, "relieff", **given).scores for A, u in ((X, y), (X[known], y[known]))]
    assert scores[0].tobytes() == scores[1].tobytes()


def test_the_tables_of_the_caller_stay_as_they_are():
    X, hidden = wide(0.0, 40, 30)
    for form in (X, sparse.csr_array(X * (X > 0.6))):
        arrays = [form] if form is X else [form.data, form.indices, form.indptr]
        before = [a.copy() for a in arrays]
        for name in REPRESENTATIVES:
            parts = [a for a in arrays if a.flags.writeable]
            for a in parts:
                a.flags.writeable = False
            ranking(form, hidden, name, METHODS[name].tasks[0])
            for a in parts:
                a.flags.writeable = True
        assert all(np.array_equal(a, b) for a, b in zip(arrays, before, strict=True))


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_parts_of_a_total_are_not_kept(n_jobs):
    """Only those that wait for a part before them are there beside the sum."""
    lock, alive, most = threading.Lock(), [0], [0]

    class Part(int):
        def __new__(cls, value):
            with lock:
                alive[0] += 1
                most[0] = max(most[0], alive[0])
            return super().__new__(cls, value)

        def __del__(self):
            with lock:
                alive[0] -= 1

    assert Work(n_jobs).total(Part) == sum(range(PARTS))
    assert most[0] <= (2 if n_jobs == 1 else PARTS - 1)


def test_parts_of_a_total_are_added_in_their_order():
    numbers = 10.0 ** np.random.default_rng(0).integers(-9, 9, PARTS)
    assert Work(4).total(lambda part: np.array([numbers[part]]))[0] == sum(numbers.tolist())


@pytest.mark.parametrize("with_missing", [False, True])
def test_points_are_made_when_they_are_needed(with_missing):
    X, _ = wide(0.1 if with_missing else 0.0, 25, 6)
    X[:, 2], rows = np.floor(3 * X[:, 2]), np.array([0, 3, 4, 8, 9, 15, 16, 21])
    space = RowSpace.fit(X, np.arange(6) == 2, rows)
    known = X[rows]
    expected = []
    for f in (0, 1, 3, 4, 5):
        low, high = np.nanmin(known[:, f]), np.nanmax(known[:, f])
        filled = np.where(np.isnan(X[:, f]), np.nanmean(known[:, f]), X[:, f])
        expected.append((filled - low) / (high - low))
    values, counts = np.unique(known[~np.isnan(known[:, 2]), 2], return_counts=True)
    codes = np.where(np.isnan(X[:, 2]), values[counts.argmax()], X[:, 2])
    expected += [(codes == code).astype(float) for code in np.unique(codes)]
    np.testing.assert_allclose(space.points, np.array(expected).T, rtol=1e-12, atol=1e-12)
    used, roots = np.array([1, 4, 6]), np.array([0.5, 2.0, 3.0])
    np.testing.assert_array_equal(space.dense.points(rows, used, roots), space.points[np.ix_(rows, used)] * roots)


def test_points_of_few_columns_at_a_time():
    X, _ = wide(0.1, 25, 12)
    table, rows = DataTable.read(X), np.arange(20)
    whole, few = (dense_points(table, rows, cells=cells)[0] for cells in (10**6, 60))
    for name in ("low", "scales", "stand_ins"):
        np.testing.assert_array_equal(getattr(few, name), getattr(whole, name))


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e308])
def test_infinite_points_of_rows_that_are_not_fitted(value):
    X, _ = wide(0.0, 10, 4)
    X[:, 1] *= 1e-3
    X[9, 1] = value
    with pytest.raises(ValueError, match="infinite or far too large"):
        RowSpace.fit(X, rows=np.arange(5))


@pytest.mark.parametrize("ramp", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_boosting_ranks_sparse_rows_like_dense_ones(task, ramp):
    """Also categories, empty rows and rows without a feature in common."""
    rng = np.random.default_rng(3)
    X = rng.random((60, 40)) * (rng.random((60, 40)) < 0.2)
    X[:, 20:] = np.ceil(3 * X[:, 20:])
    X[3] = X[4] = 0
    y = X[:, :6].sum(axis=1) + rng.normal(0, 0.01, 60)
    if task == "classification":
        y = np.digitize(y, np.quantile(y, [0.4, 0.7]))
    options = {"nominal": np.arange(20, 40), "task": task, "ramp": ramp, "n_neighbors": 11}
    dense, stored = (rank(table, y, "boostedrelief", **options) for table in (X, sparse.csr_array(X)))
    np.testing.assert_allclose(stored.scores, dense.scores, rtol=0, atol=1e-9)


@COMPILED
@pytest.mark.slow
def test_boosting_sparse_rows_looks_at_what_is_stored():
    """Making the margins of all features dense, rows by neighbours by features, would take minutes."""
    rng = np.random.default_rng(0)
    n, p, stored = 4000, 20_000, 10
    columns = np.concatenate([np.sort(rng.choice(p, stored, replace=False)) for _ in range(n)])
    X = sparse.csr_array((rng.random(n * stored), columns, np.arange(0, n * stored + 1, stored)), shape=(n, p))
    y = np.asarray(X[:, : p // 2].sum(axis=1)).ravel() > 2.5
    found = rank(X, y.astype(int), "boostedrelief", candidates=128, n_neighbors=5, n_jobs=1)
    assert np.isfinite(found.scores).all()


def test_the_values_of_large_forests_are_those_of_the_caller():
    X = np.random.default_rng(0).random((800, 700))
    columns = Columns.read(X, np.zeros(700, bool))
    assert np.shares_memory(columns.table, X)
    assert np.array_equal(columns.table.T, columns.values)


@pytest.mark.parametrize("normalize", [False, True])
def test_sparsifying_piece_by_piece(normalize, monkeypatch):
    X = np.random.default_rng(0).random((9, 14)) - 0.3
    X[3], X[:, 5] = 0, 0
    whole = sparsify(sparse.csr_array(X), row_normalize=normalize)
    for cells in (1, 30, 1000):
        monkeypatch.setattr(sys.modules[sparsify.__module__], "CELLS_PER_BLOCK", cells)
        for dense in (False, True):
            found = sparsify(X, row_normalize=normalize, dense=dense)
            assert isinstance(found.X, np.ndarray) == dense
            assert np.array_equal(found.X if dense else found.X.toarray(), whole.X.toarray())
            assert replace(found, X=None) == replace(whole, X=None)
