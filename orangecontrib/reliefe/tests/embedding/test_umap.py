"""UMAP: the same for the same seed, quiet, watched, and stopped at once."""

import contextlib
import gc
import sys
import threading
import time
import warnings
import weakref
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.embedding import embed, intrinsic_dimension, sparsify
from orangecontrib.reliefe.core.embedding.umap import Epochs
from orangecontrib.reliefe.core.embedding.umap_neighbours import neighbours
from orangecontrib.reliefe.tests.samples import SMALL, examples

EXAMPLES = examples(10, 10)
SEEDS = st.integers(0, 2**32 - 1)
FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
umap = pytest.mark.skipif(
    SMALL or find_spec("umap") is None, reason="UMAP is not installed, or would run uncompiled for minutes"
)


def points(n=60, p=6, seed=0):
    """Three clouds."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) + 8 * (np.arange(n) % 3)[:, None]


@EXAMPLES
@given(SEEDS, st.sampled_from([0.0, 1e4]), st.booleans())
def test_distances(seed, shift, whole):
    """Exactly 0 for equal rows, and precise for rows that are nearly equal."""
    rng = np.random.default_rng(seed)
    A = (rng.integers(0, 3, (20, 5)) + shift) if whole else np.round(rng.normal(size=(20, 5)), 1) + shift
    B = np.vstack([A[5:12], A[:2] * (1 + 1e-9), rng.normal(size=(4, 5))])
    for form in (np.asarray, sparse.csr_matrix):
        near, distances = neighbours(form(A.astype(float)), form(B), len(B), lambda: None)
        D = np.empty((len(A), len(B)), np.float32)
        np.put_along_axis(D, near, distances, axis=1)
        np.testing.assert_allclose(D, cdist(A, B), rtol=1e-6)
        assert np.all((D == 0) == (cdist(A, B) == 0))


@EXAMPLES
@given(SEEDS, st.integers(1, 9), st.booleans())
def test_neighbours(seed, k, whole):
    """Rows at equal distances: the first ones are neighbours."""
    rng = np.random.default_rng(seed)
    A, B = (rng.integers(0, 2, (n, 4)) + (0 if whole else np.round(rng.random((n, 4)), 1)) for n in (30, 12))
    D = np.sqrt(((A[:, None] - B) ** 2).sum(axis=2)).astype(np.float32)
    expected = np.argsort(np.round(D, 5), axis=1, kind="stable")[:, :k]
    for form in (np.asarray, sparse.csr_matrix):
        near, found = neighbours(form(A.astype(float)), form(B.astype(float)), k, lambda: None)
        assert (near.dtype, found.dtype) == (np.int32, np.float32)
        np.testing.assert_allclose(found, np.take_along_axis(D, expected, axis=1), rtol=1e-5)
        if whole:
            np.testing.assert_array_equal(near, expected)


def test_neighbours_in_strips():
    X, looks = points(50), []
    expected = neighbours(X, X, 7, lambda: None)
    found = neighbours(X, X, 7, lambda: looks.append(1), cells=50 * 4)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(looks) == 13  # each four rows
    assert (found[0][:, 0] == np.arange(50)).all()


def test_umap_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(ValueError, match=r"pip install umap-learn`, or choose embedding='pca'"):
        embed(points(), np.arange(30), 2, "umap")


def test_epochs_are_seen_by_bars():
    """Interruption of UMAP rests on how tqdm counts."""
    auto, seen = pytest.importorskip("tqdm.auto"), []
    assert list(auto.tqdm(range(4), **Epochs.bar(seen.append))) == [0, 1, 2, 3]
    assert seen == [1, 2, 3, 4]

    def stop(epoch):
        if epoch == 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        list(auto.tqdm(range(4), **Epochs.bar(stop)))


@umap
@FORMS
def test_umap_is_deterministic_and_quiet(form, capfd):
    X, rows, threads = form(points(90)), np.arange(0, 90, 2), threading.active_count()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = embed(X, rows, 2)
    two = embed(X, rows, 2, progress=lambda share: None)
    other = embed(X, rows, 2, random_state=1)
    assert one.how == "umap"
    assert one.notes == ()
    assert one.coordinates.shape == (90, 2)
    assert one.coordinates.dtype == np.float64
    assert np.array_equal(one.coordinates, two.coordinates)
    assert not np.array_equal(one.coordinates, other.coordinates)
    assert capfd.readouterr() == ("", "")
    assert threading.active_count() <= threads + 1  # tqdm's monitor


@umap
def test_umap_keeps_neighbours():
    """Rows that were learned and rows that were placed lie in the cloud that they come from."""
    X = points(150)
    found = embed(X, np.arange(75), 2).coordinates
    near = cdist(found, found[:75])
    near[np.arange(75), np.arange(75)] = np.inf
    assert np.mean(near.argmin(axis=1) % 3 == np.arange(150) % 3) > 0.97


@umap
def test_umap_of_dense_is_that_of_sparse():
    X, rows = np.where(points(60) > 8, points(60), 0), np.arange(40)
    assert np.array_equal(embed(X, rows, 3).coordinates, embed(sparse.csr_array(X), rows, 3).coordinates)


@umap
def test_umap_with_equal_rows():
    X = np.vstack([points(30), points(30), np.zeros((20, 6))])
    assert np.isfinite(embed(X, np.arange(40), 2).coordinates).all()


@umap
def test_umap_of_all_rows_and_of_four():
    X = points(20)
    assert embed(X, np.arange(20), 2).coordinates.shape == (20, 2)
    assert embed(X, [0, 5, 9, 10], 2).coordinates.shape == (20, 2)


@pytest.mark.slow  # UMAP compiles its general layout at every call
@umap
@FORMS
def test_umap_with_other_metrics(form):
    X = form(points(40))
    cosine = embed(X, np.arange(30), 2, metric="cosine").coordinates
    assert np.isfinite(cosine).all()
    assert not np.array_equal(cosine, embed(X, np.arange(30), 2).coordinates)
    again = embed(X, np.arange(30), 2, metric="cosine").coordinates
    assert np.array_equal(cosine, again)


@pytest.mark.slow
@umap
def test_umap_on_the_hyperboloid():
    labels = np.random.default_rng(0).integers(0, 2, (60, 5))
    found = embed(labels, np.arange(40), 2, output_metric="hyperboloid").coordinates
    assert found.shape == (60, 2)
    assert np.isfinite(found).all()


@umap
def test_umap_of_a_sparsified_sample():
    X, rows = points(60), np.arange(40)
    thin = sparsify(X[rows], epsilon=30).X
    one, two = (embed(X, rows, 2, fit_matrix=F).coordinates for F in (thin, thin.toarray()))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, embed(X, rows, 2).coordinates)


@umap
def test_umap_takes_numpy_integers_and_large_seeds():
    X = points(30)
    found = embed(X, np.arange(20), np.int64(2), random_state=2**32 + 3).coordinates
    assert np.array_equal(found, embed(X, np.arange(20), 2, random_state=3).coordinates)


@umap
def test_umap_reports_progress():
    shares = []
    embed(points(300), np.arange(150), 2, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) > 5


@umap
@pytest.mark.parametrize("where", [*(pytest.param(w, marks=pytest.mark.slow) for w in (0.1, 0.6)), 0.3])
def test_umap_can_be_stopped(where):
    """Before it is done, leaving nothing behind that would hold up the next one, in this thread or another."""
    X, rows = points(600), np.arange(300)
    expected, shares = embed(X, rows, 2).coordinates, []

    def progress(share):
        shares.append(share)
        if share >= where:
            raise Interrupted

    def stopped():
        with pytest.raises(Interrupted):
            embed(X, rows, 2, progress=progress)
        ended.append(True)

    ended, found = [], []
    thread = threading.Thread(target=stopped)
    thread.start()
    thread.join(60)
    assert ended == [True]
    assert [share >= where for share in shares] == [False] * (len(shares) - 1) + [True]
    assert shares[-1] < 1
    thread = threading.Thread(target=lambda: found.append(embed(X, rows, 2, progress=lambda share: None).coordinates))
    thread.start()
    thread.join(60)
    assert np.array_equal(found[0], expected)
    assert np.array_equal(embed(X, rows, 2, progress=lambda share: None).coordinates, expected)


@umap
def test_two_threads_take_turns():
    X, found = points(120), {}

    def run(seed):
        found[seed] = embed(X, np.arange(80), 2, random_state=seed).coordinates

    threads = [threading.Thread(target=run, args=(seed,)) for seed in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for seed in (0, 1):
        assert np.array_equal(found[seed], embed(X, np.arange(80), 2, random_state=seed).coordinates)


def test_umap_can_be_left_alone(monkeypatch):
    """While it imports and compiles nothing can stop it, but nobody has to wait."""
    begun, ended, go, before = [], [], threading.Event(), threading.active_count()

    class Slow:
        def __init__(self, **options):
            begun.append(True)
            go.wait(60)
            ended.append(True)

    def left(threads):
        end = time.monotonic() + 60
        while threading.active_count() > before + threads and time.monotonic() < end:
            time.sleep(0.01)
        return threading.active_count() - before

    def progress(share):
        if begun:
            raise Interrupted

    monkeypatch.setattr(sys.modules[Epochs.__module__], "umap_library", lambda: SimpleNamespace(UMAP=Slow))
    for _ in range(2):
        with pytest.raises(Interrupted):
            embed(points(), np.arange(30), 2, progress=progress)
        assert not ended
    assert left(1) == 1
    go.set()
    assert left(0) == 0
    assert len(begun) == len(ended) == 1  # the second one was still waiting for its turn


def test_nothing_stays_of_a_umap_that_was_left_alone(monkeypatch):
    """Neither its thread nor its bar keeps it, though nobody collects garbage."""
    go, known = threading.Event(), []

    class Slow:
        def __init__(self, **options):
            self.options = options
            known.append(weakref.ref(self))

        def fit_transform(self, X):
            go.wait(60)
            self.options["tqdm_kwds"]["miniters"].watch(1)

    def progress(share):
        if known:
            raise Interrupted

    monkeypatch.setattr(sys.modules[Epochs.__module__], "umap_library", lambda: SimpleNamespace(UMAP=Slow))
    X = points()
    gc.disable()
    try:
        with contextlib.suppress(Interrupted):
            embed(X, np.arange(30), 2, progress=progress)
        known.append(weakref.ref(X))
        del X
        go.set()
        end = time.monotonic() + 60
        while any(ref() is not None for ref in known) and time.monotonic() < end:
            time.sleep(0.01)
        assert [ref() for ref in known] == [None, None]
    finally:
        gc.enable()


def test_errors_of_umap_pass(monkeypatch):
    def fail():
        raise RuntimeError("inside")

    monkeypatch.setattr(sys.modules[Epochs.__module__], "umap_library", fail)
    with pytest.raises(RuntimeError, match="inside"):
        embed(points(), np.arange(30), 2)


@umap
def test_an_interrupted_umap_does_not_change_the_threads_of_numba():
    import numba

    def progress(share):
        if share > 0.1:
            raise Interrupted

    before = numba.get_num_threads()
    with pytest.raises(Interrupted):
        embed(points(300), np.arange(200), 2, progress=progress)
    assert numba.get_num_threads() == before


@umap
def test_umap_of_the_estimated_dimension():
    X = points(120, 4) @ np.random.default_rng(0).normal(size=(4, 12))
    d = intrinsic_dimension(X).dimension
    assert 2 <= d <= 5
    assert embed(X, np.arange(80), d).coordinates.shape == (120, d)
