"""Differences of counts and long tails, and neighbours by cosine: what the twins say, and what must not matter."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank, request
from orangecontrib.reliefe.core.data.compared import compared
from orangecontrib.reliefe.core.data.counts import Counts, settled
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.naive import boosted, reliefe, unlabelled
from orangecontrib.reliefe.tests.naive.diffs import instead
from orangecontrib.reliefe.tests.samples import FEW_PAIRS, REPRESENTATIVES, SMALL, few, make

KINDS = "rank", "presence"
HOW = [
    ("rank", "manhattan"),
    ("presence", "manhattan"),
    ("range", "cosine"),
    ("presence", "cosine"),
    ("rank", "cosine"),
]
COMPARING = [name for name, method in METHODS.items() if "diff" in {p.name for p in method.parameters}]
COSINE = [name for name in COMPARING if "manhattan" in {c for p in METHODS[name].parameters for c in p.choices}]
OTHERS = {"urelief": {"n_neighbors": 4}, "reliefe": {"embedding": None, "n_neighbors": 4}}
OTHERS |= {"sslrelief": {"n_neighbors": 4, "w0": 0.2, "w1": 0.7}}
OTHERS |= {name: {"n_neighbors": 3} for name in ("boostedrelief", "learnedrelief", "boostedlearnedrelief")}
METHOD = pytest.mark.parametrize("method", COMPARING)
FEW_METHODS = pytest.mark.parametrize("method", [name for name in COMPARING if name in REPRESENTATIVES])


def counts(seed, task="classification", n=24, p=9, missing=0.0, n_classes=3):
    """Long-tailed counts, most of them 0, beside two nominal features; an empty row and a column of ones."""
    data, rng = make(seed, task, n, p, missing=0, n_classes=n_classes), np.random.default_rng(seed)
    tail = np.where(rng.random((n, p)) < 0.35, np.ceil(rng.pareto(1.0, (n, p)) * 3), 0)
    X = np.where(data.nominal, data.X, tail)
    X[5, ~data.nominal], X[:, 3] = 0, 1
    X[rng.random(X.shape) < missing] = np.nan
    return replace(data, X=X)


def scores(data, method, **parameters):
    own = OTHERS.get(method, few(method))
    y, task = (None, "unsupervised") if METHODS[method].tasks == ("unsupervised",) else (data.y, data.task)
    return rank(data.X, y, method, nominal=data.nominal, task=task, **(own | parameters)).scores


def sample(method, seed, **parameters):
    """Counts with the first kind of target that a method takes."""
    return counts(seed, "regression" if METHODS[method].tasks[0] == "regression" else "classification", **parameters)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("diff, distance", HOW)
@pytest.mark.parametrize("method, task", FEW_PAIRS)
def test_twins_of_the_family(method, task, diff, distance, missing):
    data, how = counts(3, task, missing=missing), {"diff": diff, "distance": distance}
    expected = naive.rank(data.X, data.y, method, data.nominal, task, **few(method), **how)
    for form in (data, data.csr):
        np.testing.assert_allclose(scores(form, method, **how), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("diff, distance", HOW)
def test_twins_without_labels(diff, distance, missing):
    data, how = counts(4, missing=missing), {"diff": diff, "distance": distance}
    expected = unlabelled.urelief(data.X, data.nominal, n_neighbors=4, **how)
    np.testing.assert_allclose(scores(data.csr, "urelief", **how), expected, rtol=0, atol=1e-9)
    y = np.where(np.arange(24) % 3 == 1, np.nan, data.y)
    t = np.where(np.isnan(y[:, None] + y), np.nan, y[:, None] != y)
    expected = unlabelled.sslrelief(data.X, t, data.nominal, **OTHERS["sslrelief"], **how)
    np.testing.assert_allclose(scores(replace(data, y=y), "sslrelief", **how), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("diff", KINDS)
def test_twins_of_other_methods(diff):
    data = counts(5)
    expected = reliefe.rank(data.X, data.y, None, data.nominal, n_neighbors=4, diff=diff)
    np.testing.assert_allclose(scores(data, "reliefe", diff=diff), expected, rtol=0, atol=1e-9)
    for method in ("boostedrelief", "learnedrelief"):
        expected = boosted.rank(data.X, data.y, data.nominal, method, n_neighbors=3, diff=diff)
        np.testing.assert_allclose(scores(data, method, diff=diff), expected, rtol=0, atol=1e-9)


@METHOD
def test_differences_are_those_of_a_table_of_ranks_or_presence(method):
    """For every method that has the parameter: none takes it and does nothing."""
    data = sample(method, 6)
    plain = scores(data, method)
    for diff in KINDS:
        found = scores(data, method, diff=diff)
        table = replace(data, X=instead(data.X, data.nominal, diff))
        np.testing.assert_allclose(found, scores(table, method), rtol=0, atol=1e-9)
        assert not np.allclose(found, plain)


@FEW_METHODS
def test_ranks_see_the_order_only(method):
    data = sample(method, 7)
    tails = np.where(data.nominal, data.X, np.log1p(data.X))
    for X in (tails, sparse.csr_array(tails)):
        found = scores(replace(data, X=X), method, diff="rank")
        np.testing.assert_allclose(found, scores(data, method, diff="rank"), rtol=0, atol=1e-12)


@FEW_METHODS
def test_presence_has_no_scale(method):
    data, rng = sample(method, 8), np.random.default_rng(0)
    scaled = replace(data, X=np.where(data.nominal, data.X, data.X * rng.uniform(0.1, 9, data.X.shape)))
    assert np.array_equal(scores(scaled, method, diff="presence"), scores(data, method, diff="presence"))


@pytest.mark.parametrize("method", [name for name in COSINE if name in REPRESENTATIVES])
def test_cosine_does_not_see_how_long_rows_are(method):
    data = sample(method, 9)
    longer = np.where(data.nominal, data.X, data.X * np.linspace(0.5, 40, len(data.X))[:, None])
    how = {"diff": "presence", "distance": "cosine"}
    assert np.array_equal(scores(replace(data, X=longer), method, **how), scores(data, method, **how))


@FEW_METHODS
def test_presence_of_zeros_and_ones_is_their_range(method):
    data = sample(method, 10)
    data = replace(data, X=instead(data.X, data.nominal, "presence"))
    assert np.array_equal(scores(data, method, diff="presence"), scores(data, method))


@FEW_METHODS
def test_ranks_of_a_permutation_are_its_range(method):
    data, rng = sample(method, 11), np.random.default_rng(1)
    X = np.where(data.nominal, data.X, rng.permuted(np.tile(np.arange(1.0, 25), (9, 1)), axis=1).T)
    data = replace(data, X=X)
    np.testing.assert_allclose(scores(data, method, diff="rank"), scores(data, method), rtol=0, atol=1e-12)


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("method", COSINE)
def test_same_bits_for_any_number_of_threads(method, form, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    data = sample(method, 12, n=30 if SMALL else 150, missing=0.05)
    data = data.csr if form == "csr" else data
    for diff in KINDS:
        one, two = (scores(data, method, diff=diff, distance="cosine", n_jobs=n_jobs) for n_jobs in (1, 2))
        assert np.array_equal(one, two)


# Tables -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_tables_of_what_is_compared(kind):
    data = counts(13, missing=0.1)
    data.X[:, 6] = np.where(np.isnan(data.X[:, 6]), np.nan, data.X[:, 6] - 2)  # below 0, too
    before = data.X.copy()
    dense = compared(DataTable.read(data.X, data.nominal), kind).values
    np.testing.assert_array_equal(dense, instead(data.X, data.nominal, kind))
    assert np.array_equal(data.X, before, equal_nan=True)
    stored = sparse.csr_array(data.X)
    stored.data[::5] = 0  # zeros that are stored
    data, before = replace(data, X=stored.toarray()), stored.data.copy()
    found = compared(DataTable.read(stored, data.nominal), kind).values
    assert np.array_equal(found.indices, stored.indices)
    assert np.array_equal(stored.data, before, equal_nan=True)
    expected = instead(data.X, data.nominal, kind)
    known = ~data.nominal & (np.diff(stored.tocsc().indptr) < 24)
    zero = np.array([next(iter(expected[data.X[:, a] == 0, a]), 0.0) for a in range(9)])
    np.testing.assert_array_equal(found.toarray(), expected - np.where(known, zero, 0))


@pytest.mark.parametrize("diff", KINDS)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_infinite_values_are_refused(diff, form):
    X = np.zeros((4, 3))
    X[1, 2] = np.inf
    with pytest.raises(ValueError, match="infinite or far too large values in feature 2"):
        rank(form(X), [0, 1, 0, 1], "relieff", diff=diff)


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.95])
@pytest.mark.parametrize("q", [0, 3, 30])
def test_cosine_distances(q, share, missing):
    """Frequent features and rare ones, nominal ones, empty rows, rows of which nothing is known."""
    n, p, rng = 20 if SMALL else 70, 30, np.random.default_rng(2)
    nominal = np.arange(p) < q
    X = np.where(rng.random((n, p)) < share, rng.integers(-2, 4, (n, p)), 0.0)
    X[:, nominal] = rng.integers(0, 3, (n, q))
    X[[3, 9]] = 0
    X[rng.random((n, p)) < missing] = np.nan
    X[5] = np.nan if missing else X[5]
    y = np.arange(n) % 3
    stored = sparse.csr_array(X)
    stored.data[:5] = np.where(np.isnan(stored.data[:5]), np.nan, 0)
    X = stored.toarray()
    for method in ("relieff", "multisurf"):
        given = {"missing": "uniform", "diff": "presence", "distance": "cosine", **few(method)}
        expected = naive.rank(X, y, method, nominal, **given)
        for form in (X, stored):
            found = rank(form, y, method, nominal=nominal, **given).scores
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_memory_of_the_cosine():
    """No memory of all pairs of sparse rows but what a block of them needs."""
    import tracemalloc

    n, p = (40, 1000) if SMALL else (1000, 50_000)
    indices = np.sort(np.random.default_rng(0).integers(0, p // 100, (n, 100)) + np.arange(0, p, p // 100))
    X = sparse.csr_array((np.ones(indices.size), indices.ravel(), np.arange(n + 1) * 100), (n, p))
    y = np.arange(n) % 2
    rank(X[:40], y[:40], "relieff", diff="presence", distance="cosine")
    tracemalloc.start()
    rank(X, y, "relieff", diff="presence", distance="cosine", n_jobs=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * n * n + 2 * X.data.nbytes + 2**20 * 8


# The rule -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    "change, expected",
    [("nothing", True), ("a value below 0", False), ("more than a quarter", False), ("nominal", False), ("gaps", True)],
)
def test_rule(change, expected, form):
    rng = np.random.default_rng(0)
    X, nominal = (
        np.where(rng.random((40, 10)) < 0.2, rng.integers(1, 90, (40, 10)), 0).astype(float),
        np.zeros(10, bool),
    )
    if change == "a value below 0":
        X[3, 4] = -1
    elif change == "more than a quarter":
        X[:, :2] = 1
    elif change == "nominal":
        nominal[:5] = True
    elif change == "gaps":
        X[:, 0] = np.nan
    y = np.arange(40) % 2
    assert Counts.of(DataTable.read(form(X), nominal)).expected == expected
    found = rank(form(X), y, "relieff", nominal=nominal, diff="auto")
    kind = "presence" if expected else "range"
    assert found.info["diff"] == kind
    assert found.parameters["diff"] == "auto"
    assert f"differences: {kind}" in found.info["information"][0]
    same = rank(form(X), y, "relieff", nominal=nominal, diff=kind)
    assert np.array_equal(found.scores, same.scores)
    assert rank(form(X), y, "relieff", nominal=nominal).info["diff"] == "range"  # nothing changes by itself


def test_rule_within_a_method_within_another():
    """A wrapper that ranks fewer and fewer features asks for the same differences all along."""
    table = DataTable.read(np.eye(12))
    nested = {"core": ("relieff", (("diff", "auto"), ("n_neighbors", 3))), "share": 0.5}
    taken = ("relieff", (("diff", "presence"), ("n_neighbors", 3)))
    assert settled(nested, table) == {"core": taken, "share": 0.5}
    assert settled({"diff": "rank", "ramp": (0.1, 0.2)}, table) == {"diff": "rank", "ramp": (0.1, 0.2)}


@pytest.mark.parametrize("how", [{"diff": "presence"}, {"distance": "cosine"}])
def test_warnings(how):
    X, y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 2
    below = f"{(X < 0).sum()} values are below 0"
    assert below in rank(X, y, "relieff", **how).info["warnings"][0]
    assert "no value is 0" in rank(np.abs(X) + 1, y, "relieff", **how).info["warnings"][0]
    assert not rank(np.maximum(X, 0), y, "relieff", **how).info["warnings"]


def test_bad_values():
    with pytest.raises(ValueError, match="unknown diff 'zeros'; choose from range, rank, presence, auto"):
        rank(np.eye(4), [0, 1, 0, 1], "relieff", diff="zeros")
    with pytest.raises(ValueError, match="unknown distance 'euclidean'; choose from manhattan, cosine"):
        rank(np.eye(4), [0, 1, 0, 1], "relieff", distance="euclidean")
    with pytest.raises(ValueError, match="boostedrelief has no parameter 'distance'"):
        rank(np.eye(4), [0, 1, 0, 1], "boostedrelief", distance="cosine")


def test_summary():
    X, y = np.eye(8), np.arange(8) % 2
    assert ", presence, cosine, " in rank(X, y, "relieff", diff="presence", distance="cosine").info["summary"]
    assert "range" not in rank(X, y, "relieff").info["summary"]
