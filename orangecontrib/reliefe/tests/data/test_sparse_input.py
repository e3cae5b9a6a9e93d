"""CSR as callers build it: unsorted, with duplicates, with long or with wrong indices."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.work.threads import Work
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import PAIRS, make

METHOD_TASK = pytest.mark.parametrize("method, task", PAIRS)
SHAPE = 12, 8


def raw(data, indices, indptr, shape=SHAPE):
    """A matrix of these arrays, unchecked."""
    X = sparse.csr_array(shape)
    X.data, X.indices, X.indptr = map(np.asarray, (data, indices, indptr))
    return X


def shuffled(csr):
    """The same matrix: entries of a row in any order, each split into two."""
    rng = np.random.default_rng(0)
    data, indices, indptr = [], [], [0]
    for i in range(csr.shape[0]):
        own = slice(csr.indptr[i], csr.indptr[i + 1])
        values, columns = np.repeat(csr.data[own] / 2, 2), np.repeat(csr.indices[own], 2)
        order = rng.permutation(len(values))
        data.extend(values[order])
        indices.extend(columns[order])
        indptr.append(len(data))
    return raw(np.array(data), np.array(indices, np.int32), np.array(indptr, np.int32), csr.shape)


@METHOD_TASK
def test_unsorted_and_duplicate_entries(method, task):
    data = make(1, task, n=12, zeros=0.4)
    messy = shuffled(data.csr.X)
    before = [messy.data.copy(), messy.indices.copy(), messy.indptr.copy()]
    expected = rank(data.csr.X, data.y, method, nominal=data.nominal, task=task).scores
    assert np.array_equal(rank(messy, data.y, method, nominal=data.nominal, task=task).scores, expected)
    for now, old in zip((messy.data, messy.indices, messy.indptr), before):
        assert np.array_equal(now, old)


@METHOD_TASK
def test_long_indices(method, task):
    data = make(2, task, n=12, zeros=0.4)
    csr = data.csr.X
    long = raw(csr.data, csr.indices.astype(np.int64), csr.indptr.astype(np.int64), csr.shape)
    assert np.array_equal(
        rank(long, data.y, method, nominal=data.nominal, task=task).scores,
        rank(csr, data.y, method, nominal=data.nominal, task=task).scores,
    )


@METHOD_TASK
def test_stored_zeros_are_zeros(method, task):
    data = make(3, task, n=12, zeros=0.4)
    stored = sparse.csr_array((data.X.ravel(), np.tile(np.arange(8), 12), np.arange(13) * 8), shape=SHAPE)
    np.testing.assert_allclose(
        rank(stored, data.y, method, nominal=data.nominal, task=task).scores,
        rank(data.X, data.y, method, nominal=data.nominal, task=task).scores,
        rtol=0,
        atol=1e-9,
    )


@METHOD_TASK
@pytest.mark.parametrize("kind", [np.int8, np.uint16, bool, np.float32])
def test_kinds_of_numbers(method, task, kind):
    data = make(4, task, n=12, zeros=0.4)
    X = np.round(data.X).astype(kind)
    assert np.array_equal(
        rank(sparse.csr_array(X), data.y, method, task=task).scores,
        rank(sparse.csr_array(X.astype(float)), data.y, method, task=task).scores,
    )


@METHOD_TASK
def test_empty_rows_and_columns(method, task):
    data = make(5, task, n=12)
    data.X[2], data.X[:, 5] = 0, 0
    np.testing.assert_allclose(
        rank(data.csr.X, data.y, method, nominal=data.nominal, task=task).scores,
        rank(data.X, data.y, method, nominal=data.nominal, task=task).scores,
        rtol=0,
        atol=1e-9,
    )
    assert np.array_equal(rank(sparse.csr_array(SHAPE), data.y, method, task=task).scores, np.zeros(8))


@pytest.mark.parametrize(
    "indices, indptr",
    [
        ([0, 1, 8], [0, 3] + [3] * 11),
        ([0, -1, 2], [0, 3] + [3] * 11),
        ([0, 1, 2**31 - 1], [0, 3] + [3] * 11),
        ([0, 1, 2], [0, 2**31 - 1] + [3] * 11),
        ([0, 1, 2], [0, 3, 1] + [3] * 10),
        ([0, 1, 2], [1, 3] + [3] * 11),
        ([0, 1, 2], [0, 3, 3]),
        ([0, 1], [0, 3] + [3] * 11),
    ],
    ids=["column", "negative", "huge column", "huge pointer", "falling", "start", "short", "few indices"],
)
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_inconsistent_indices_are_rejected(indices, indptr, kind):
    X = raw(np.ones(3), np.array(indices, kind), np.array(indptr, kind))
    with pytest.raises(ValueError, match=r"CSR|index|indices"):
        rank(X, np.arange(12) % 2, "relieff")


def test_huge_columns_that_are_empty():
    """Cost goes with what is stored."""
    rng = np.random.default_rng(0)
    small = sparse.random_array((12, 40), density=0.2, format="csr", rng=rng)
    wide = sparse.csr_array((small.data, small.indices, small.indptr), shape=(12, 200_000))
    found = rank(wide, np.arange(12) % 2, "relieff").scores
    np.testing.assert_allclose(found[:40], rank(small, np.arange(12) % 2, "relieff").scores, rtol=0, atol=1e-9)
    assert not found[40:].any()


def test_sparse_frames_filled_with_anything():
    """Values that a pandas column does not store need not be 0."""
    X = np.random.default_rng(0).integers(0, 3, (30, 4)).astype(float)
    y, expected = np.arange(30) % 2, None
    for fill in (0.0, 1.0, np.nan):
        frame = pd.DataFrame({c: pd.arrays.SparseArray(X[:, c], fill_value=fill) for c in range(4)})
        scores = rank(frame, y, "relieff").scores
        expected = scores if expected is None else expected
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("method", ["multisurf", "relieff", "rrelieff", "urelief", "surf"])
def test_tiles_with_many_entries_have_fewer_rows(method, monkeypatch):
    """A stop is looked for after each tile: its work is bounded by entries, not by rows alone."""
    X = sparse.random(300, 20, 0.5, format="csr", random_state=0)
    y = {"urelief": None, "rrelieff": X[:, [0]].toarray().ravel()}.get(method, np.arange(300) % 2)
    ticks = []
    tick = Work.tick
    monkeypatch.setattr(Work, "tick", lambda work, units=0: (ticks.append(units), tick(work, units))[1])
    expected = rank(X, y, method, n_jobs=1).scores
    before = len(ticks)
    lower(monkeypatch, TILE_ENTRIES=1)
    np.testing.assert_allclose(rank(X, y, method, n_jobs=1).scores, expected, rtol=0, atol=1e-12)
    assert len(ticks) - before > before
