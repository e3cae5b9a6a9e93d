"""The relatives of ReliefF: ReliefA, EReliefF, Relieved-F, ReliefMSS and ReliefSeq."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank, refine, request
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import RELATIVES, SMALL, STRATEGIES, make

GOLDEN = Path(__file__).parents[1] / "golden"
SETS = json.loads((GOLDEN / "relief_family.json").read_text())["sets"]
CASES = json.loads((GOLDEN / "relatives.json").read_text())["cases"]
NAMES = (*RELATIVES, "reliefseq")
METHOD = pytest.mark.parametrize("method", NAMES)
FEW = {"reliefseq": {"k_max": 4}}


def few(method):
    return FEW.get(method, {"n_neighbors": 3})


def check(data, method, atol=1e-9, **parameters):
    parameters = few(method) | parameters
    found = rank(data.X, data.y, method, nominal=data.nominal, **parameters)
    dense = data.X if isinstance(data.X, np.ndarray) else data.X.toarray()
    expected = naive.rank(dense, data.y, method, data.nominal, **parameters)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=atol)
    assert found.scores.any()
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['set']}-{case['method']}")
def test_vectors(case):
    values = SETS[case["set"]]
    X, y, nominal = np.array(values["X"], float), np.array(values["y"]), np.array(values["nominal"])
    found = rank(X, y, case["method"], nominal=nominal, task="classification", **case["parameters"])
    np.testing.assert_allclose(found.scores, case["scores"], rtol=0, atol=1e-9)
    if "best_k" in case:
        assert found.info["best_k"] == case["best_k"]
    twin = naive.rank(X, y, case["method"], nominal, **case["parameters"])
    np.testing.assert_allclose(twin, case["scores"], rtol=0, atol=1e-9)


@METHOD
@pytest.mark.parametrize("missing", STRATEGIES)
def test_missing_values(method, missing):
    given = {"missing": missing} if method != "erelieff" else {}
    data = make(3, n=22, p=6, n_classes=3, missing=0.2, zeros=0.3)
    found = check(data, method, **given)
    csr = rank(data.csr.X, data.y, method, nominal=data.nominal, **few(method), **given)
    np.testing.assert_allclose(csr.scores, found.scores, rtol=0, atol=1e-12)
    check(data, method, ramp=(0.1, 0.4), **given)


def test_reliefmss_ignores_missing_values_in_the_mean_of_others():
    """One neighbour of each class, found by hand: what a diff is above the others that both rows have, pair by pair."""
    X = np.random.default_rng(3).random((16, 4))
    X[np.random.default_rng(4).random(X.shape) < 0.4] = np.nan
    y, ranges = np.arange(16) % 2, np.nanmax(X, axis=0) - np.nanmin(X, axis=0)
    halves = [[[] for _ in range(4)] for _ in range(2)]
    for i in range(16):
        for miss in (0, 1):
            apart = {}
            for j in range(16):
                diffs = np.abs(X[i] - X[j]) / ranges
                if j != i and (y[i] != y[j]) == miss:
                    apart[j] = np.nanmean(diffs) if (diffs >= 0).any() else 1.0
            diffs = np.abs(X[i] - X[min(apart, key=apart.get)]) / ranges
            for f in np.flatnonzero(diffs >= 0):
                rest = [v for g, v in enumerate(diffs) if g != f and v >= 0]
                halves[miss][f].append(max(0, diffs[f] - (np.mean(rest) if rest else 0)))
    expected = np.subtract(*[[np.mean(values) for values in halves[miss]] for miss in (1, 0)])
    for form in (np.asarray, sparse.csr_array):
        found = rank(form(X), y, "reliefmss", n_neighbors=1, missing="ignore").scores
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@METHOD
@pytest.mark.parametrize("p", [1, 9])
def test_csr_and_few_features(method, p):
    data = make(4, n=24, p=p, zeros=0.5)
    check(data.csr, method)
    check(data, method, n_instances=9)


@METHOD
@pytest.mark.parametrize("missing", [0, 0.1])
def test_single_precision(method, missing, monkeypatch):
    data = make(22, n=20 if SMALL else 90, p=10 if SMALL else 30, n_classes=3, missing=missing)
    double = check(data, method).scores
    lower(monkeypatch, MAX_EXACT_COMPLETE=0, MAX_EXACT_MISSING=0)
    single = rank(data.X, data.y, method, nominal=data.nominal, **few(method)).scores
    assert not np.array_equal(single, double)
    np.testing.assert_allclose(single, double, rtol=0, atol=1e-6)


@METHOD
@pytest.mark.parametrize("missing", [None, "ignore"])
def test_threads_and_tables_made_anew(method, missing, monkeypatch):
    """The same bits for any number of threads, also where what missing values add is not kept."""
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    given = {"missing": missing} if missing and method != "erelieff" else {}
    data = make(1, n=30 if SMALL else 150, p=7, n_classes=3, missing=0.05, zeros=0.3)

    def scores(n_jobs):
        return rank(data.X, data.y, method, nominal=data.nominal, n_jobs=n_jobs, **few(method), **given).scores

    one = scores(1)
    assert np.array_equal(scores(2), one)
    lower(monkeypatch, MAX_TABLE_BYTES=0)
    np.testing.assert_allclose(scores(1), one, rtol=0, atol=1e-12)


@METHOD
def test_singleton_class_and_constant_feature(method):
    data = make(9, n=21, p=6, n_classes=2)
    data.X[:, 5] = 7
    data.y[4] = 2
    parameters = {"k_max": 1} if method == "reliefseq" else {"n_neighbors": 50}
    assert check(data, method, **parameters).scores[5] == 0


@METHOD
def test_all_rows_are_alike(method):
    assert not rank(np.ones((6, 2)), [0, 1] * 3, method).scores.any()


def test_presets_are_methods_with_some_parameters():
    data = make(5, n=24, p=6, n_classes=3, missing=0.15)
    for preset, missing in (("Relief-B", "uniform"), ("Relief-C", "ignore"), ("Relief-D", "class-conditional")):
        scores = [
            rank(data.X, data.y, "reliefa", nominal=data.nominal, **given).scores
            for given in ({"preset": preset}, {"missing": missing})
        ]
        assert np.array_equal(*scores)
    with_scheme, e, f = (
        rank(data.X, data.y, "relieff", nominal=data.nominal, **given).scores
        for given in ({"scheme": "E"}, {"preset": "Relief-E"}, {"preset": "Relief-E", "scheme": "F"})
    )
    assert np.array_equal(e, with_scheme)
    assert np.array_equal(f, rank(data.X, data.y, "relieff", nominal=data.nominal).scores)
    with pytest.raises(ValueError, match="unknown preset 'Relief-X'; choose from Relief-B, Relief-C, Relief-D"):
        rank(data.X, data.y, "reliefa", preset="Relief-X")


def test_reductions():
    """EReliefF and Relieved-F are ReliefF where nothing is missing or tied; two classes make ReliefA ReliefF."""
    data = make(6, n=26, p=7)
    relieff = rank(data.X, data.y, "relieff", nominal=data.nominal, n_neighbors=4).scores
    for method in ("erelieff", "relievedf", "reliefa"):
        found = rank(data.X, data.y, method, nominal=data.nominal, n_neighbors=4).scores
        np.testing.assert_allclose(found, relieff, rtol=0, atol=1e-12)


@pytest.mark.parametrize("k", [1, 4, 30])
@pytest.mark.parametrize("missing", [0, 0.2])
def test_relieved_f_does_not_depend_on_the_order_of_rows(k, missing):
    """Codes of few values: most neighbours are tied, many more of them than lists have room for."""
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (70, 3)).astype(float), np.arange(70) % 3
    X[rng.random(X.shape) < missing] = np.nan
    order = rng.permutation(70)
    nominal = [True, True, False]
    found = rank(X, y, "relievedf", nominal=nominal, n_neighbors=k).scores
    np.testing.assert_allclose(
        rank(X[order], y[order], "relievedf", nominal=nominal, n_neighbors=k).scores, found, rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(naive.rank(X, y, "relievedf", np.array(nominal), n_neighbors=k), found, atol=1e-9)
    if k < 20:  # of which a class has 23
        assert not np.allclose(rank(X[order], y[order], "relieff", nominal=nominal, n_neighbors=k).scores, found)


def test_relieved_f_in_single_precision_sees_ties(monkeypatch):
    rng = np.random.default_rng(2)
    X, y = np.c_[rng.integers(0, 3, (60, 4)) / 10, rng.integers(0, 2, (60, 2))], np.arange(60) % 2
    nominal = [False] * 4 + [True] * 2
    double = rank(X, y, "relievedf", nominal=nominal, n_neighbors=3).scores
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    found = rank(X, y, "relievedf", nominal=nominal, n_neighbors=3).scores
    np.testing.assert_allclose(found, double, rtol=0, atol=1e-6)


@pytest.mark.parametrize("missing", ["class-conditional", "ignore"])
def test_reliefseq_is_the_largest_score(missing):
    data = make(7, n=30, p=8, n_classes=3, missing=0.1)
    every = {
        k: rank(data.X, data.y, "relieff", nominal=data.nominal, n_neighbors=k, missing=missing).scores
        for k in range(1, min(np.bincount(data.y)))
    }
    found = rank(data.X, data.y, "reliefseq", nominal=data.nominal, missing=missing)
    np.testing.assert_allclose(found.scores, np.max(list(every.values()), axis=0), rtol=0, atol=1e-12)
    for feature, k in enumerate(found.info["best_k"]):
        assert every[k][feature] == pytest.approx(found.scores[feature], abs=1e-12)
    assert found.info["k_max"] == max(every)
    assert "at most" in found.info["information"][0]
    some = rank(data.X, data.y, "reliefseq", nominal=data.nominal, missing=missing, k_min=2, k_max=3)
    np.testing.assert_allclose(some.scores, np.maximum(every[2], every[3]), rtol=0, atol=1e-12)
    assert set(some.info["best_k"]) <= {2, 3}


def test_reliefseq_shows_its_best_k_and_refuses_impossible_ones():
    data = make(8, n=24, p=4)
    *_, last = refine(data.X, data.y, "reliefseq", k_max=5)
    assert last.info["summary"].startswith("k = 1 to 5")
    assert len(last.info["best_k"]) == 4
    with pytest.raises(ValueError, match="k_min must be at most k_max, not 4 and 3"):
        METHODS["reliefseq"].check({"k_min": 4, "k_max": 3})
    with pytest.raises(ValueError, match="k_min = 20 needs classes of more than 20 rows"):
        rank(data.X, data.y, "reliefseq", k_min=20)
