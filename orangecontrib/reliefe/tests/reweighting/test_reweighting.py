"""Methods whose scores weigh the distance: as their vectors and twins have them, damped and undamped."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from Orange.data import Table
from scipy import sparse

from orangecontrib.reliefe import scorer
from orangecontrib.reliefe.command.cli import main
from orangecontrib.reliefe.core import METHODS, null_level, rank, refine, request
from orangecontrib.reliefe.core.methods import reweighting
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.naive import reweighting as naive
from orangecontrib.reliefe.tests.samples import SMALL, STRATEGIES, examples, make

GOLDEN = Path(__file__).parents[1] / "golden"
SETS = json.loads((GOLDEN / "relief_family.json").read_text())["sets"]
# Without the method that visits rows by chance: `test_online_seeds` compares it with its twin.
CASES = [
    case for case in json.loads((GOLDEN / "reweighting.json").read_text())["cases"] if case["method"] != "ireliefonline"
]
NAMES = "iterativerelief", "irelief", "ireliefonline", "logo", "lhrelief"
KERNELS = NAMES[:4]
METHOD = pytest.mark.parametrize("method", NAMES)
FEW = {"max_iter": 3}
OWN = {
    "irelief": {"sigma": 0.4},
    "ireliefonline": {"sigma": 0.4, "max_iter": 12},
    "logo": {"sigma": 0.4, "penalty": 0.01},
}


def check(data, method, atol=1e-9, **parameters):
    parameters = FEW | OWN.get(method, {}) | parameters
    found = rank(data.X, data.y, method, nominal=data.nominal, **parameters)
    dense = data.X if isinstance(data.X, np.ndarray) else data.X.toarray()
    expected = naive.rank(dense, data.y, method, data.nominal, **parameters)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=atol * max(np.abs(expected).max(), 1))
    return found


def xor(n=200, p=10, seed=0):
    """Numbers; the class tells whether the first two are on the same side of 1/2."""
    X = np.random.default_rng(seed).random((n, p))
    return X, ((X[:, 0] > 0.5) != (X[:, 1] > 0.5)).astype(int)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['set']}-{case['method']}")
@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_vectors(case, form):
    values, method, given = SETS[case["set"]], case["method"], case["parameters"]
    X, y, nominal = np.array(values["X"], float), np.array(values["y"]), np.array(values["nominal"])
    nominal = nominal & (method != "lhrelief")
    found = rank(form(X), y, method, nominal=nominal, task="classification", **given).scores
    np.testing.assert_allclose(found, case["scores"], rtol=0, atol=case["tolerance"])


@METHOD
@pytest.mark.parametrize("n_classes", [2, 3])
def test_twins(method, n_classes):
    assert check(make(15, n=22, p=5, n_classes=n_classes), method).scores.any()
    check(make(4, n=22, p=5, n_classes=n_classes, zeros=0.4).csr, method)


@pytest.mark.parametrize("method", KERNELS)
@pytest.mark.parametrize("missing", STRATEGIES)
def test_missing_values(method, missing, monkeypatch):
    data = make(5, n=20, p=5, n_classes=3, missing=0.2, zeros=0.3)
    found = check(data, method, missing=missing)
    check(data.csr, method, missing=missing)
    check(data, method, missing=missing, ramp=(0.1, 0.4))
    lower(monkeypatch, MAX_TABLE_BYTES=0)
    np.testing.assert_allclose(check(data, method, missing=missing).scores, found.scores, rtol=0, atol=1e-11)


@pytest.mark.parametrize("form", ["dense", "csr"])
def test_hyperplanes_fill_in_unknown_values(form):
    data = make(6, n=20, p=5, n_classes=3, missing=0.2, zeros=0.3)
    before = data.X.copy()
    check(data if form == "dense" else data.csr, "lhrelief")
    np.testing.assert_array_equal(data.X, before)
    with pytest.raises(ValueError, match="lhrelief has no parameter 'missing'"):
        rank(data.X, data.y, "lhrelief", missing="ignore")


@METHOD
def test_single_precision(method, monkeypatch):
    data = make(22, n=20 if SMALL else 100, p=10 if SMALL else 30, n_classes=3)
    double = rank(data.X, data.y, method, nominal=data.nominal, max_iter=2)
    lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    single = rank(data.X, data.y, method, nominal=data.nominal, max_iter=2)
    assert not np.array_equal(single.scores, double.scores)
    np.testing.assert_allclose(single.scores, double.scores, rtol=0, atol=1e-5 * max(double.scores.max(), 1))
    assert "influence of rows" in single.info["approximate"][-1]


@METHOD
def test_same_bits_for_any_number_of_threads(method, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    data = make(1, n=30 if SMALL else 200, p=7, n_classes=3, zeros=0.3)
    for X in (data.X, data.csr.X):
        one, two = (rank(X, data.y, method, nominal=data.nominal, n_jobs=n_jobs, **FEW).scores for n_jobs in (1, 2))
        assert np.array_equal(one, two)


@METHOD
def test_invariances(method):
    data = make(7, n=24, p=5, n_classes=3)
    given = {**FEW, "max_iter": 1} if method == "ireliefonline" else FEW  # which visits rows by chance
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(24), rng.permutation(5)
    found = rank(data.X, data.y, method, nominal=data.nominal, **given).scores
    moved = np.where(data.nominal, data.X, 3 - 7 * data.X)[:, columns]
    np.testing.assert_allclose(
        rank(moved, 5 - data.y, method, nominal=data.nominal[columns], **given).scores, found[columns], atol=1e-7
    )
    if method != "ireliefonline":
        again = rank(data.X[rows], data.y[rows], method, nominal=data.nominal, **given).scores
        np.testing.assert_allclose(again, found, atol=1e-7)


@METHOD
def test_classes_of_one_row_constant_features_and_equal_rows(method):
    data = make(9, n=21, p=5)
    data.X[:, 4] = 7
    data.y[4] = 2
    assert check(data, method).scores[4] == 0
    found = rank(np.ones((6, 2)), [0, 1] * 3, method)
    assert not found.scores.any()
    few = rank([[0.0, 1.0], [1.0, 0.5]], [0, 1], method)
    assert np.isfinite(few.scores).all()


@METHOD
@examples(10, 2)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_constant_features_and_the_order_of_features_change_nothing(method, seed, gaps):
    """Few values, so that many distances are equal, or equal but for rounding."""
    rng = np.random.default_rng(seed)
    n, p = 18, 4
    X = rng.integers(0, 5, (n, p)) * rng.choice([0.1, 0.7, 1.0], p)
    if gaps:
        X[rng.random((n, p)) < 0.1] = np.nan
    y = np.arange(n) % 3
    parameters = {} if method == "lhrelief" else {"missing": "uniform"}
    constant = np.full((n, 3), [0.1, 5.0, 7.0])
    plain, wider = (rank(A, y, method, **FEW, **parameters).scores for A in (X, np.hstack([constant, X])))
    np.testing.assert_allclose(wider[3:], plain, rtol=0, atol=1e-9)
    assert not wider[:3].any()
    order = rng.permutation(p)
    moved = rank(X[:, order], y, method, **FEW, **parameters).scores
    np.testing.assert_allclose(moved, plain[order], rtol=0, atol=1e-9)


def test_undamped_weights_swing_for_ever():
    """With XOR, neighbours that agree on one of both features make the other one look decisive."""
    X, y = xor()
    published = [rank(X, y, "irelief", sigma=0.5, beta=1.0, max_iter=n) for n in (20, 21, 22)]
    pairs = np.array([found.scores[:2] for found in published])
    assert np.abs(pairs[0] - pairs[1]).max() > 0.7  # one phase, the other,
    assert np.abs(pairs[0] - pairs[2]).max() < 0.1  # and the first again
    assert not published[0].info["has_converged"]
    assert published[0].info["n_iter"] == 20
    assert "no convergence in 20 iterations: the last one still changed" in published[0].info["warnings"][0]
    assert "20 iterations without convergence" in published[0].info["summary"]
    damped = rank(X, y, "irelief", sigma=0.5)
    assert damped.info["has_converged"]
    assert damped.info["n_iter"] < 40
    assert not damped.info["warnings"]
    np.testing.assert_allclose(damped.scores[:2], 0.71, atol=0.03)
    assert damped.scores[2:].max() < 0.1


def test_undamped_balls_swing_too():
    X, y = xor()
    swinging, damped = (rank(X, y, "iterativerelief", beta=beta, max_iter=30) for beta in (1.0, 0.1))
    assert abs(np.subtract(*swinging.scores[:2])) > 0.3
    assert swinging.info["change"] > 0.3
    assert damped.info["change"] < 0.1
    assert set(damped.ranking[:2]) == {0, 1}


@METHOD
def test_interactions_are_found(method):
    X, y = xor(120, 8, seed=1)
    assert set(rank(X, y, method).ranking[:2]) == {0, 1}


@METHOD
def test_partial_results(method, monkeypatch):
    X, y = xor(40 if SMALL else 150, 6)
    found = list(refine(X, y, method, max_iter=5, tol=0.0))
    online = method == "ireliefonline"
    assert [r.info["n_iter"] for r in found] == ([5] if online else [1, 2, 4, 5])
    assert [r.info["final"] for r in found] == [False] * (len(found) - 1) + [True]
    np.testing.assert_array_equal(found[-1].scores, rank(X, y, method, max_iter=5, tol=0.0).scores)
    assert not any(r.info["warnings"] for r in found[:-1])
    monkeypatch.setattr(reweighting, "WORTH_WAITING", 0)
    every = [r.info["n_iter"] for r in refine(X, y, method, max_iter=130 if online else 5, tol=0.0)]
    assert every == (sorted({min(100, len(y)), min(130, len(y))}) if online else [1, 2, 3, 4, 5])


def test_online_seeds():
    data = make(8, n=20, p=4)
    check(data, "ireliefonline", max_iter=13, random_state=4)
    a, b = (rank(data.X, data.y, "ireliefonline", random_state=seed).scores for seed in (1, 2))
    assert not np.array_equal(a, b)


def test_width_may_be_the_median_distance():
    data = make(11, n=20, p=5)
    for method in ("irelief", "logo", "ireliefonline"):
        check(data, method, **OWN[method] | {"sigma": "median"})


def test_narrow_kernels_are_never_all_zero():
    """Only the nearest hit and miss are left: I-RELIEF is then Relief with weights."""
    X, y = xor(60, 5)
    found = rank(X, y, "irelief", sigma=1e-9, max_iter=1)
    relief = np.maximum(rank(X, y, "relief").scores, 0)
    gamma = found.scores / np.linalg.norm(found.scores)
    assert np.isfinite(gamma).all()
    assert set(np.argsort(-relief)[:2]) == set(found.ranking[:2])


@pytest.mark.parametrize("method, given, message", [
    ("irelief", {"sigma": 0}, "sigma must be a finite number above 0"),
    ("irelief", {"sigma": "mean"}, "sigma must be"),
    ("irelief", {"beta": 0}, "beta must be above 0"),
    ("irelief", {"beta": 1.5}, "beta must be from 0 to 1"),
    ("iterativerelief", {"n_min": 1}, "n_min must be from 2"),
    ("logo", {"penalty": -1}, "penalty must be a finite number above 0"),
    ("lhrelief", {"ridge": 1.0}, "lhrelief has no parameter 'ridge'"),
    ("irelief", {"n_instances": 5}, "irelief has no parameter 'n_instances'"),
])  # fmt: skip
def test_bad_parameters(method, given, message):
    with pytest.raises((ValueError, TypeError), match=message):
        rank([[0.0], [1.0]], [0, 1], method, **given)


def test_logo_says_what_it_cannot_keep(monkeypatch):
    monkeypatch.setattr(reweighting, "MAX_MARGINS", 100)
    with pytest.raises(ValueError, match="LOGO keeps a number for every row and feature"):
        rank(np.ones((50, 3)), [0, 1] * 25, "logo")


def test_a_penalty_may_leave_nothing():
    X, y = xor(40, 4)
    found = rank(X, y, "logo", penalty=1e4)
    assert not found.scores.any()
    assert "all scores are 0; try a smaller sigma" in found.info["warnings"][0]
    assert not found.info["has_converged"]


def test_everywhere(capsys):
    """Scorers, the command line and the null level come from the registry."""
    heart = Table("heart_disease")[:60]
    assert scorer("irelief", max_iter=2)(heart).shape == (13,)
    assert main(["rank", "heart_disease", "--method", "irelief", "--set", "sigma=median", "--set", "max_iter=2"]) == 0
    assert "iterations" in "".join(capsys.readouterr())
    X, y = xor(40, 4)
    assert null_level(X, y, "irelief", n_shuffles=2, max_iter=2).level > 0
    assert {METHODS[name].family for name in NAMES} == {"reweighting"}
