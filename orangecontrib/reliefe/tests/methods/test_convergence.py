"""Numbers of rows that are enough, and scores that tell nothing."""

import time

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, Interrupted, NullLevel, null_level, rank, refine, request
from orangecontrib.reliefe.core.methods import pct, sslrelief
from orangecontrib.reliefe.core.methods.base import Method, MethodResult
from orangecontrib.reliefe.core.methods.convergence import average_overlap
from orangecontrib.reliefe.core.work import threads as parallel
from orangecontrib.reliefe.tests.naive import reliefe as naive
from orangecontrib.reliefe.tests.reliefe_samples import sample
from orangecontrib.reliefe.tests.samples import PAIRS, SMALL, Data, all_rows, make

RUNS = [(name, task) for name, task in PAIRS if name != "reliefe"]
RUNS += [("reliefe", "classification"), ("reliefe", "multi-label")]
METHOD_TASK = pytest.mark.parametrize("method, task", RUNS)
slow_without_jit = pytest.mark.skipif(SMALL, reason="hundreds of rows")


def data_for(seed, task, **arguments):
    """Data of any task."""
    return sample(seed, **arguments)[0] if task == "multi-label" else make(seed, task, **arguments)


def options(data, method):
    own = {"embedding": None, "n_neighbors": 5} if method == "reliefe" else {}
    return {"nominal": data.nominal, "task": data.task} | own


def easy(n=1000, p=8):
    """Features that differ in nothing but how much noise hides the class."""
    rng = np.random.default_rng(1)
    y = (rng.random(n) > 0.5).astype(int)
    X = y[:, None] * 2 + rng.uniform(-1, 1, (n, p)) * np.geomspace(0.3, 6, p)
    return Data(X, y, np.zeros(p, bool), "classification")


def noise(n=600, p=40):
    rng = np.random.default_rng(2)
    return Data(rng.random((n, p)), np.arange(n) % 2, np.zeros(p, bool), "classification")


def test_overlap():
    """Mean share that the first 1, 2, ... have in common."""
    assert average_overlap(np.arange(9), np.arange(9)) == 1
    assert average_overlap(np.arange(4), np.array([1, 0, 2, 3])) == pytest.approx((0 + 1 + 1 + 1) / 4)
    assert average_overlap(np.arange(40), np.arange(40)[::-1].copy()) == 0
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.permutation(30), rng.permutation(30)
        assert average_overlap(a, b) == pytest.approx(naive.average_overlap(a, b, 20))
        assert average_overlap(a[a < 7], b[b < 7]) == pytest.approx(naive.average_overlap(a[a < 7], b[b < 7], 7))


@slow_without_jit
@pytest.mark.parametrize("method", ["relieff", "multisurf", "reliefe"])
def test_easy_data_need_few_rows(method):
    """Errors are small: never before 512 rows."""
    data = easy()
    found = rank(data.X, data.y, method, n_instances="converge", **options(data, method))
    curve, shares = found.info["convergence"], found.info["error_shares"]
    assert found.info["instances"] == 512
    assert [m for m, _ in curve] == [m for m, _ in shares] == [256, 512]
    assert all(agreement >= 0.95 for _, agreement in curve)
    assert shares[-1][1] <= 0.1
    assert found.info["final"]
    assert found.parameters["n_instances"] == "converge"


@slow_without_jit
def test_noise_needs_all_rows():
    data = noise()
    found = rank(data.X, data.y, "relieff", n_instances="converge")
    assert found.info["instances"] == 600
    assert [m for m, _ in found.info["convergence"]] == [256, 512, 600]
    assert found.info["error_shares"][-2][1] > 0.1
    assert found.info["error_shares"][-1][1] == 0
    np.testing.assert_allclose(found.scores, rank(data.X, data.y, "relieff").scores, rtol=0, atol=1e-12)


@METHOD_TASK
def test_same_as_that_many_rows(method, task):
    """And the curve is what the rankings from so many rows agree in."""
    data = data_for(3, task, n=140 if SMALL else 700, p=4)
    common = options(data, method) | {"random_state": 5}
    found = rank(data.X, data.y, method, n_instances="converge", **common)
    curve, m, shares = found.info["convergence"], found.info["instances"], found.info["error_shares"]
    assert m == (140 if SMALL else curve[-1][0])
    levels = [128, *(level for level, _ in curve)]
    before, *later = (rank(data.X, data.y, method, n_instances=level, **common) for level in levels)
    for (_, agreement), ranking in zip(curve, later):
        assert agreement == pytest.approx(
            naive.average_overlap(before.ranking, ranking.ranking, min(20, len(data.X.T)))
        )
        before = ranking
    assert np.array_equal(found.scores, before.scores)
    small = [share <= 0.1 for level, share in shares if level >= 512]
    assert m == len(data.X) or small[-1]
    assert not any(small[:-1])


@METHOD_TASK
def test_few_rows_are_all_used(method, task):
    data = data_for(4, task, n=30)
    found = rank(data.X, data.y, method, n_instances="converge", **options(data, method))
    assert found.info["instances"] == 30
    assert found.info["convergence"] == []
    assert np.array_equal(found.scores, rank(data.X, data.y, method, **options(data, method)).scores)


def test_no_curve_unless_asked_for():
    data = make(5)
    assert rank(data.X, data.y, "relieff").info.get("convergence") is None


def test_refined_until_it_converges():
    data = data_for(6, "classification", n=140 if SMALL else 700, p=4)
    *partial, last = refine(data.X, data.y, "relieff", n_instances="converge")
    assert [r.info["instances"] for r in partial] == [128, 256, 512][: len(partial)]
    assert partial
    assert [r.info["final"] for r in [*partial, last]] == [False] * len(partial) + [True]
    assert np.array_equal(last.scores, rank(data.X, data.y, "relieff", n_instances="converge").scores)


@pytest.mark.parametrize("early", [False, pytest.param(True, marks=slow_without_jit)])
def test_progress_of_convergence(early, monkeypatch):
    """All is done when the list stands still, too."""
    monkeypatch.setattr(parallel, "PAUSE", 0)
    data, shares = easy() if early else data_for(7, "classification", n=140 if SMALL else 600, p=4), []
    found = rank(data.X, data.y, "relieff", n_instances="converge", progress=shares.append)
    assert (found.info["instances"] < len(data.X)) == early
    assert shares[-1] == 1
    assert shares == sorted(shares)


@pytest.mark.parametrize("word", ["convergence", "some", ""])
def test_other_words_are_no_number_of_rows(word):
    data = make(8)
    with pytest.raises((TypeError, ValueError), match="n_instances"):
        rank(data.X, data.y, "relieff", n_instances=word)


@METHOD_TASK
def test_null_level(method, task):
    """The largest score of any feature in any shuffle; the same for the same seed."""
    data = data_for(9, task, n=20, p=4)
    arguments = options(data, method) | {"n_shuffles": 4}
    found, again, other = (null_level(data.X, data.y, method, random_state=s, **arguments) for s in (1, 1, 2))
    assert isinstance(found, NullLevel)
    assert found.maxima.shape == (4,)
    assert found.level == found.maxima.max()
    assert found.chance == pytest.approx(0.2)
    assert np.array_equal(found.maxima, again.maxima)
    assert not np.array_equal(found.maxima, other.maxima)
    assert len(set(found.maxima)) > 1


@METHOD_TASK
def test_relevant_features_exceed_the_level(method, task):
    rng = np.random.default_rng(3)
    n = 60
    signal = rng.random(n)
    X = np.column_stack([signal + rng.normal(0, 0.03, n), rng.random((n, 3)), signal + rng.normal(0, 0.03, n)])
    y = {"regression": signal, "classification": (signal > 0.5).astype(int),
         "multi-label": np.column_stack([signal > 0.3, signal > 0.5, signal > 0.7]).astype(int)}[task]  # fmt: skip
    common = {"task": task} | ({"embedding": None} if method == "reliefe" else {})
    if method.endswith("star"):
        pytest.skip("far rows count against main effects")
    found = rank(X, y, method, **common)
    level = null_level(X, y, method, n_shuffles=5 if SMALL else 19, **common).level
    assert set(found.above(level)) >= {0, 4}


@pytest.mark.parametrize("method, task", [("relieff", "classification"), ("multisurf", "classification"),
                                          ("rrelieff", "regression"), ("reliefe", "multi-label")])  # fmt: skip
def test_irrelevant_features_exceed_it_rarely(method, task):
    """In about one of ten data sets with nine shuffles; 7 or more of 25 would be a chance of 1 : 100."""
    exceeded = 0
    for seed in range(4 if SMALL else 25):
        rng = np.random.default_rng([seed, 11])
        X = rng.random((30, 5))
        y = {"classification": np.arange(30) % 2, "regression": rng.random(30),
             "multi-label": rng.integers(0, 2, (30, 3))}[task]  # fmt: skip
        common = {"task": task} | ({"embedding": None, "n_neighbors": 5} if method == "reliefe" else {})
        level = null_level(X, y, method, n_shuffles=9, random_state=seed, **common).level
        exceeded += rank(X, y, method, **common).scores.max() > level
    assert exceeded <= 6


def test_null_level_of_given_coordinates():
    """The embedding stays, only the target is shuffled."""
    data, E = make(10, n=30), np.random.default_rng(0).normal(size=(30, 2))
    found = null_level(data.X, data.y, "reliefe", nominal=data.nominal, embedding=E, n_shuffles=5)
    assert len(set(found.maxima)) == 5
    assert found.level < 1


@pytest.mark.parametrize("name", ["cosine", "hyperbolic"])
def test_null_level_of_labels_with_coordinates(name):
    """Those of the labels are shuffled with them."""
    rng = np.random.default_rng(4)
    signal = rng.normal(size=60)
    X = np.column_stack([signal, rng.random((60, 3))])
    y = np.column_stack([signal > 0, signal > 1]).astype(int)
    Z = np.column_stack([signal, signal > 0])
    common = {"embedding": None, "target_distance": (name, Z), "n_neighbors": 10}
    found = null_level(X, y, "reliefe", n_shuffles=5, **common)
    assert len(set(found.maxima)) == 5
    assert rank(X, y, "reliefe", **common).scores[0] > found.level


def test_null_level_of_sparse_and_incomplete_data():
    data = make(11, n=20, missing=0.1, zeros=0.3)
    common = {"nominal": data.nominal, "n_shuffles": 3}
    dense, csr = (null_level(X, data.y, "relieff", **common) for X in (data.X, data.csr.X))
    np.testing.assert_allclose(dense.maxima, csr.maxima, rtol=0, atol=1e-9)


def test_null_level_with_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    data = make(12, n=40)
    one, two = (null_level(data.X, data.y, "multisurf", n_shuffles=3, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert np.array_equal(one.maxima, two.maxima)


class Spy(Method):
    """A method that notes every target that it prepares and ranks for."""

    name, title, about, idea, citation, family = "spy", "Spy", "", "", "", "filter"
    tasks = ("classification",)
    traits = METHODS["mutualinfo"].traits

    def __init__(self):
        self.prepared, self.ranked = [], []

    def prepare(self, data):
        self.prepared.append(data.target.codes.tolist())
        return len(self.prepared)

    def run(self, data):
        assert data.prepared == 1
        self.ranked.append(data.target.codes.tolist())
        yield MethodResult(np.arange(float(data.table.shape[1])))


def test_null_level_prepares_once_and_for_the_true_target(monkeypatch):
    """So do shuffles that were made before anything was prepared: they follow from the request that is."""
    data, spy = make(8), Spy()
    monkeypatch.setitem(METHODS, "spy", spy)
    found = null_level(data.X, data.y, "spy", n_shuffles=3)
    true = np.unique(data.y, return_inverse=True)[1].tolist()
    assert spy.prepared == [true]
    assert len(spy.ranked) == 3
    assert all(codes != true and sorted(codes) == sorted(true) for codes in spy.ranked)
    assert found.maxima.tolist() == [data.X.shape[1] - 1.0] * 3


@slow_without_jit
@pytest.mark.parametrize("method", ["sslrelief", "pct"])
def test_null_level_tunes_once(method, monkeypatch):
    """By the true target: neighbours and influence, and the weight of the target."""
    module, name = {"sslrelief": (sslrelief, "tune_neighbours"), "pct": (pct, "tune_supervision")}[method]
    tune, targets = getattr(module, name), []
    monkeypatch.setattr(module, name, lambda table, target, *rest: targets.append(target) or tune(table, target, *rest))
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.where(rng.random(60) < 0.6, rng.integers(0, 2, 60), np.nan)
    own = {"n_trees": 3, "supervision": "tuned"} if method == "pct" else {}
    null_level(X, y, method, task="classification", n_shuffles=2, **own)
    (target,) = targets
    np.testing.assert_array_equal(np.where(target.labelled, target.inner.codes, np.nan), y)


def test_null_level_changes_nothing():
    data = make(13)
    before = data.X.copy(), data.y.copy()
    null_level(data.X, data.y, "relieff", n_shuffles=2)
    assert np.array_equal(data.X, before[0])
    assert np.array_equal(data.y, before[1])


def test_progress_of_the_null_level(monkeypatch):
    monkeypatch.setattr(parallel, "PAUSE", 0)
    data, shares = make(14, n=30), []
    null_level(data.X, data.y, "relieff", n_shuffles=4, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert shares[0] >= 0


def test_null_level_can_be_stopped():
    data, raised = make(15, n=60 if SMALL else 400), []

    def progress(share):
        if share > 0.5:
            raised.append(time.monotonic())
            raise Interrupted

    with pytest.raises(Interrupted):
        null_level(data.X, data.y, "multisurf", progress=progress)
    assert time.monotonic() - raised[0] < (20 if SMALL else 0.5)
    assert len(raised) == 1


@pytest.mark.parametrize("n_shuffles, error", [(0, ValueError), (-3, ValueError), (2.5, TypeError), ("9", TypeError),
                                               (True, TypeError), (None, TypeError)])  # fmt: skip
def test_bad_numbers_of_shuffles(n_shuffles, error):
    data = make(16)
    with pytest.raises(error, match="n_shuffles"):
        null_level(data.X, data.y, "relieff", n_shuffles=n_shuffles)


def test_bad_input_of_the_null_level():
    """As in `rank`, before any work."""
    data = make(17)
    with pytest.raises(ValueError, match="unknown method"):
        null_level(data.X, data.y, "relief-f")
    with pytest.raises(ValueError, match="one class"):
        null_level(data.X, np.zeros(24, int), "relieff")


def test_null_level_until_it_converges():
    data = make(18, n=30)
    common = {"nominal": data.nominal, "n_shuffles": 3}
    every, enough = (null_level(data.X, data.y, "relieff", n_instances=m, **common) for m in (None, "converge"))
    assert np.array_equal(every.maxima, enough.maxima)


def test_all_neighbours_do_not_hide_the_null():
    """More neighbours than rows are all rows."""
    data = make(19, n=20)
    found = null_level(data.X, data.y, "relieff", n_shuffles=3, **all_rows("relieff"))
    assert np.isfinite(found.maxima).all()
