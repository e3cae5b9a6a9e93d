"""Every way that the engine takes by the size, the form and the precision of the data, against the twins.

Limits are lowered (`tests/limits.py`), so that small tables take the ways of large ones.  A part of the engine that
computes distances, searches, settles thresholds or adds up diffs has no test of its own: its faults show here.
"""

from functools import cache

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import rank, request
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL

N, P = (44, 12) if SMALL else (150, 20)  # more rows than a tile has, and features than a register
ALWAYS = {"MIN_DISTANCE": 0, "MAX_WIDENING": 9}  # codes of 16 bits for all data, whether they pay or not
PRECISIONS = {
    "double": {},
    "single": {"MAX_EXACT_COMPLETE": 0, "MAX_EXACT_MISSING": 0, "MIN_DISTANCE": 1e9},
    "codes": {"MAX_EXACT_COMPLETE": 0, "MAX_EXACT_MISSING": 0, **ALWAYS},
}
PRECISION = pytest.mark.parametrize("precision", PRECISIONS)
TOLERANCE = {"double": 1e-9, "single": 2e-6, "codes": 2e-6}
KINDS = (
    "normal", "grid", "copies", "constant", "extreme", "heavy tails", "mixed", "missing", "CSR", "CSR grid",
    "genotypes",
)  # fmt: skip
METHODS = ("relieff", {"n_neighbors": 7}), ("rrelieff", {"n_neighbors": 9}), ("multisurf", {}), ("multisurfstar", {})


@cache
def table(kind, n=N, p=P):
    """X (n, p), which columns are nominal, and classes."""
    rng = np.random.default_rng(len(kind))
    X, nominal = rng.normal(size=(n, p)), np.zeros(p, bool)
    if "grid" in kind:
        X = rng.integers(0, 5, (n, p)).astype(float)
    elif kind == "copies":  # distances that differ in the eighth digit
        X = X[rng.integers(0, n // 6, n)] + 1e-7 * X
    elif kind == "constant":
        X[:, ::3] = 7
    elif kind == "extreme":
        X = X * 10.0 ** rng.integers(-200, 200, p) + rng.choice([0, 1e15], p)
    elif kind == "heavy tails":
        X = X**15
    elif kind == "mixed":
        nominal = np.arange(p) % 3 == 1
        X[:, nominal] = rng.integers(0, 4, (n, nominal.sum()))
    elif kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    elif kind == "genotypes":
        X, nominal = rng.integers(0, 3, (n, p)).astype(float), np.ones(p, bool)
    if "CSR" in kind:
        X[rng.random(X.shape) < 0.6] = 0
    return X, nominal, rng.integers(0, 3, n)


def target(method, X, y):
    """(y, task) for a method: classes, or numbers that depend on them."""
    if method != "rrelieff":
        return y, "classification"
    return y + np.random.default_rng(0).random(len(y)), "regression"


@cache
def expected(kind, place):
    method, parameters = METHODS[place]
    X, nominal, y = table(kind)
    return naive.rank(X, target(method, X, y)[0], method, nominal, target(method, X, y)[1], **parameters)


@PRECISION
@pytest.mark.parametrize("kind", KINDS)
def test_forms_of_data(kind, precision, monkeypatch):
    """Bits are the same on any number of threads."""
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    lower(monkeypatch, **PRECISIONS[precision])
    X, nominal, y = table(kind)
    form = sparse.csr_array(X) if "CSR" in kind else X
    for place, (method, parameters) in enumerate(METHODS):
        u, task = target(method, X, y)
        given = {"nominal": nominal, "task": task, **parameters}
        one, three = (rank(form, u, method, n_jobs=jobs, **given).scores for jobs in (1, 3))
        np.testing.assert_allclose(one, expected(kind, place), rtol=0, atol=TOLERANCE[precision], err_msg=method)
        assert one.tobytes() == three.tobytes(), method


@PRECISION
@pytest.mark.parametrize("p", [1, 5, 8, 33] if SMALL else [1, 5, 7, 8, 19, 33, 70, 130])
def test_numbers_of_features(p, precision, monkeypatch):
    """Spans that do not fill registers, of numbers, of categories and of both; plain diffs, ramps, squares."""
    lower(monkeypatch, **PRECISIONS[precision])
    rng = np.random.default_rng(p)
    for nominal in (np.zeros(p, bool), np.ones(p, bool), np.arange(p) % 3 == 2):
        X, y = rng.random((30, p)), rng.integers(0, 3, 30)
        X[:, nominal] = np.floor(X[:, nominal] * 3)
        for method, parameters in (("relieff", {"n_neighbors": 4}), ("relief", {"power": 2}), ("multisurf", {})):
            for ramp in (False, (0.1, 0.6)):
                if ramp and "power" in parameters:
                    continue
                found = rank(X, y, method, nominal=nominal, ramp=ramp, **parameters).scores
                twin = naive.rank(X, y, method, nominal, ramp=ramp, **parameters)
                np.testing.assert_allclose(found, twin, rtol=0, atol=TOLERANCE[precision], err_msg=f"{method} {ramp}")


@pytest.mark.parametrize("limits", [
    {"MAX_BYTES": 0}, {"STORED_BYTES": 0}, {"STORED_BYTES": 2**16}, {"WIDE_FROM": 2}, {"FEATURES_PER_TABLE": 8},
    {"SPLIT_FROM": 0, "SUPER_BLOCK_BYTES": 1},
], ids=str)  # fmt: skip
@PRECISION
@pytest.mark.parametrize("kind", ["normal", "grid", "missing"])
def test_zones_whatever_is_remembered(kind, precision, limits, monkeypatch):
    """Bits of zones, tiles of distances and corrections, kept or computed again; rows in blocks of blocks."""
    lower(monkeypatch, **{**PRECISIONS[precision], **limits})
    n, p = (60, 5) if SMALL else (300, 6)  # the diagonal of a tile, and words that it ends in
    X, nominal, y = table(kind, n, p)
    for method in ("multisurf", "multisurfstar", "surf"):
        found = rank(X, y, method, nominal=nominal).scores
        np.testing.assert_allclose(found, many_rows(kind, n, p, method), rtol=0, atol=TOLERANCE[precision])


@cache
def many_rows(kind, n, p, method):
    X, nominal, y = table(kind, n, p)
    return naive.rank(X, y, method, nominal)


@pytest.mark.skipif(SMALL, reason="thousands of features")
@pytest.mark.parametrize("kind, p", [("heavy tails", 30), ("extreme", 30), ("copies", 8_300), ("mixed", 33_000)])
def test_codes_of_many_features(kind, p, monkeypatch):
    """Steps of codes are longer where their sum would not fit into 32 bits."""
    X, nominal, y = table(kind, 40, p)
    exact = rank(X, y, "relieff", nominal=nominal, n_neighbors=3).scores
    lower(monkeypatch, **PRECISIONS["codes"])
    found = rank(X, y, "relieff", nominal=nominal, n_neighbors=3).scores
    np.testing.assert_allclose(found, exact, rtol=0, atol=TOLERANCE["codes"])


@pytest.mark.parametrize("method", ["relieff", "reliefa", "rrelieff", "urelief", "sslrelief"])
def test_scores_have_the_bits_of_searches_without_codes(method, monkeypatch):
    X, nominal, y = table("normal", 60 if SMALL else 400, 8 if SMALL else 30)
    y = {"rrelieff": X[:, 0] * X[:, 1], "urelief": None}.get(method, (X[:, 0] > X[:, 1]).astype(float))
    if method == "sslrelief":
        y[::3] = np.nan
    found = []
    for precision in ("single", "codes"):
        lower(monkeypatch, **PRECISIONS[precision])
        found.append(rank(X, y, method, nominal=nominal).scores.tobytes())
    assert found[0] == found[1]


def test_many_rows_at_the_distance_of_the_last_neighbour(monkeypatch):
    """More than a list has room for: the first ones, which a feature of the rows' numbers tells."""
    lower(monkeypatch, **PRECISIONS["codes"])
    X = np.repeat(np.random.default_rng(4).normal(size=(6, 9)), 7 if SMALL else 25, axis=0)
    y = np.arange(len(X)) % 2
    X = np.c_[X, y + 0.0]
    twin = naive.rank(X, y, "relieff", None, n_neighbors=5)
    np.testing.assert_allclose(rank(X, y, "relieff", n_neighbors=5).scores, twin, rtol=0, atol=2e-6)
