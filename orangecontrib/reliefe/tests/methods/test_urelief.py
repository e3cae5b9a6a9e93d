"""URelief: the golden vectors, the slow twin, and what must hold for any data."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.reliefe.core import rank, request
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.naive import unlabelled as naive
from orangecontrib.reliefe.tests.samples import SMALL, make
from orangecontrib.reliefe.tests.target_samples import EXAMPLES, GOLDEN, MISSING, SEEDS, close

STRATEGY = pytest.mark.parametrize("missing", MISSING)


def scores(data, **parameters):
    return rank(data.X, None, "urelief", nominal=data.nominal, **parameters).scores


def check(data, like=None, **parameters):
    """The product on `data` = the twin on `like` (by default the same)."""
    like = like or data
    close(scores(data, **parameters), naive.urelief(like.X, like.nominal, **parameters))


def golden(name):
    values = GOLDEN["sets"][name]
    return np.array(values["X"], float), np.array(values["nominal"])


@pytest.mark.parametrize("case", GOLDEN["urelief"], ids=lambda case: f"{case['set']}-{case['n_neighbors']}")
def test_golden(case):
    X, nominal = golden(case["set"])
    close(naive.urelief(X, nominal, n_neighbors=case["n_neighbors"]), case["scores"])
    found = rank(X, None, "urelief", nominal=nominal, n_neighbors=case["n_neighbors"])
    close(found.scores, case["scores"])
    assert found.info["task"] == "unsupervised"


def test_golden_differences():
    D, d = naive.compared(*golden("B"), "clus")
    close(d[GOLDEN["distances"]["row"]], GOLDEN["distances"]["values"])
    for known in GOLDEN["diffs"]:
        close(D[tuple(known["rows"])], known["values"])


def test_worked_example():
    """One number, four rows, two neighbours each: Cov(d, d) / (C (1 - C)) over eight pairs."""
    X = np.array([[0.0], [1.0], [3.0], [8.0]])
    d = np.array([1, 3, 1, 2, 2, 3, 5, 7]) / 8
    close(rank(X, None, "urelief", n_neighbors=2).scores, [d.var() / (d.mean() * (1 - d.mean()))], 1e-15)


@pytest.mark.parametrize("k", [1, 5, 30])
def test_complete(k):
    check(make(1), n_neighbors=k)


def test_default_is_30_neighbours():
    data = make(1, n=20 if SMALL else 45)
    close(scores(data), scores(data, n_neighbors=30), 0)
    check(data)


@STRATEGY
@pytest.mark.parametrize("k", [5, 30])
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_missing(missing, k, share):
    data = make(2, missing=share)
    data.X[:, 2] = np.nan
    check(data, missing=missing, n_neighbors=k)
    assert scores(data, missing=missing)[2] == 0


def test_missing_by_default_as_in_clus():
    data = make(3, missing=0.15)
    close(scores(data, n_neighbors=5), scores(data, n_neighbors=5, missing="clus"), 0)


@STRATEGY
@pytest.mark.parametrize("ramp", [(0.1, 0.4), (0.0, 0.3), (0.2, 1.0)])
def test_ramp(missing, ramp):
    check(make(5, missing=0.1), ramp=ramp, missing=missing, n_neighbors=100)


@pytest.mark.parametrize("n_instances", [1, 7, 0.3, 24])
@pytest.mark.parametrize("share", [0, 0.2])
def test_some_rows(n_instances, share):
    check(make(6, missing=share), n_instances=n_instances, random_state=3, n_neighbors=5)


@STRATEGY
@pytest.mark.parametrize("share", [0, 0.1])
def test_csr(missing, share):
    data = make(8, n=20, p=14, zeros=0.5, missing=share)
    check(data.csr, like=data, missing=missing, n_neighbors=5)


@pytest.mark.parametrize("data", [make(11, n=14).doubled(), make(13, n=30, p=7, nominal=range(7))],
                         ids=["doubled", "nominal"])  # fmt: skip
def test_ties_go_to_the_lower_row(data):
    for k in (1, 3, 8):
        check(data, n_neighbors=k)


@STRATEGY
@pytest.mark.parametrize("seed", range(6))
def test_ties_of_incomplete_rows(seed, missing):
    """Rows that agree wherever both are known are at distance 0, not near it; dense and CSR."""
    data = make(seed, n=20, p=6, nominal=(), missing=0.5, zeros=0.6)
    for k in (1, 3):
        check(data, missing=missing, n_neighbors=k)
        check(data.csr, like=data, missing=missing, n_neighbors=k)


@pytest.mark.parametrize("n, p", [(90, 140), (150, 3)])
def test_sizes(n, p):
    n, p = (22, max(p // 9, 3)) if SMALL else (n, p)
    check(make(16, n=n, p=p, nominal=range(0, p, 5)), n_neighbors=10)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_very_few_rows(n):
    check(make(19).rows(slice(n)))


def test_rows_that_are_all_alike_or_all_quite_different():
    assert np.array_equal(rank(np.ones((6, 3)), None, "urelief").scores, np.zeros(3))
    found = rank(np.arange(12.0).reshape(4, 3), None, "urelief", nominal=[True] * 3).scores
    close(found, np.ones(3), 1e-15)


@pytest.mark.parametrize("k, n_instances", [(1, 1), (2, 1), (1, 2), (1, 3), (3, 4)])
@STRATEGY
def test_pairs_that_are_all_quite_different(k, n_instances, missing):
    """P(diff | rows differ) = 1, and there is no other term, however few the pairs."""
    X = np.arange(12.0).reshape(4, 3)
    found = rank(X, None, "urelief", nominal=[True] * 3, n_neighbors=k, n_instances=n_instances, missing=missing).scores
    close(found, np.ones(3), 1e-15)


@STRATEGY
def test_two_rows_tell_nothing(missing):
    for X in ([[0.0, 1], [1, 3]], [[0.0, 1], [1, 1]], [[0.0, np.nan], [1, 2]]):
        close(rank(np.array(X), None, "urelief", missing=missing).scores, np.zeros(2), 0)


@EXAMPLES
@given(SEEDS, st.integers(2, 40))
def test_scores_are_covariances(seed, k):
    data = make(seed, n=20)
    D, d = naive.compared(data.X, data.nominal, "clus")
    close(scores(data, n_neighbors=k), naive.covariance_score(D, d, d, np.ones(20), k, range(20)), 1e-12)


@EXAMPLES
@given(SEEDS, st.integers(2, 40), st.sampled_from([0, 0.2]))
def test_mean_score_is_the_variance_of_distances(seed, k, share):
    data = make(seed, n=20, missing=share)
    d = naive.compared(data.X, data.nominal, "clus")[1]
    pairs = np.array([d[i, j] for i in range(20) for j in naive.neighbours(d, i, k)])
    found = scores(data, n_neighbors=k)
    close(found.mean(), pairs.var() / (pairs.mean() * (1 - pairs.mean())), 1e-12)
    assert np.all(np.abs(found) <= 1)


@EXAMPLES
@given(SEEDS, st.sampled_from(MISSING))
def test_affine_maps_and_names_do_not_matter(seed, missing):
    data = make(seed, n=16, missing=0.1)
    rng = np.random.default_rng(seed)
    X = data.X * np.where(data.nominal, 1, rng.choice([-3.0, -0.01, 0.7, 250.0], 8)) + rng.integers(-5, 5, 8)
    X[:, 4] = np.where(np.isnan(X[:, 4]), np.nan, rng.permutation(20)[np.nan_to_num(X[:, 4]).astype(int)])
    close(scores(replace(data, X=X), missing=missing, n_neighbors=5), scores(data, missing=missing, n_neighbors=5))


@EXAMPLES
@given(SEEDS, st.randoms(use_true_random=False))
def test_order_does_not_matter(seed, random):
    data = make(seed, n=16, missing=0.1)
    rows, columns = random.sample(range(16), 16), random.sample(range(8), 8)
    close(scores(data.rows(rows).columns(columns), n_neighbors=5), scores(data, n_neighbors=5)[columns])


@EXAMPLES
@given(SEEDS, st.sampled_from([0.0, 0.1, -7e8]))
def test_duplicates_are_equal_and_constants_0(seed, value):
    data = make(seed, n=16)
    data.X[:, 3], data.X[:, 5] = data.X[:, 2], value
    for form in (data, data.csr):
        found = scores(form, n_neighbors=5)
        assert found[3] == pytest.approx(found[2], abs=1e-15)
        assert found[5] == 0


@EXAMPLES
@given(st.data())
def test_scores_are_numbers_within_bounds(data):
    n, p = data.draw(st.tuples(st.integers(2, 9), st.integers(1, 4)))
    cells = st.sampled_from([0.0, 1.0, 0.5, -2.0, np.nan, 1e-300, 1e9])
    X = np.array(data.draw(st.lists(cells, min_size=n * p, max_size=n * p))).reshape(n, p)
    nominal, k = [data.draw(st.booleans()) for _ in range(p)], data.draw(st.integers(1, 10))
    found = rank(X, None, "urelief", nominal=nominal, missing=data.draw(st.sampled_from(MISSING)), n_neighbors=k).scores
    assert found.shape == (p,)
    assert np.all(np.abs(found) <= 1 + 1e-9)


@pytest.mark.parametrize("missing", [None, *MISSING])
@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("n_instances", [None, 0.4])
def test_same_bits_for_any_number_of_threads(missing, form, n_instances, monkeypatch):
    monkeypatch.setattr(request, "WORTH_THREADS", 0)
    data = make(1, n=40 if SMALL else 300, p=11, missing=0.05 if missing else 0, zeros=0.3)
    data = data.csr if form == "csr" else data
    one, *others = (scores(data, n_jobs=n_jobs, missing=missing, n_instances=n_instances) for n_jobs in (1, 2, 3))
    for other in others:
        assert np.array_equal(other, one)


@pytest.mark.parametrize("missing", [None, *MISSING])
def test_single_precision(missing, monkeypatch):
    n, p = (20, 10) if SMALL else (120, 30)
    data = make(22, n=n, p=p, missing=0.1 if missing else 0)
    double, single = [], []
    for limit, found in ((np.inf, double), (0, single)):
        lower(monkeypatch, MAX_EXACT_COMPLETE=limit, MAX_EXACT_MISSING=limit)
        found.append(scores(data, missing=missing, n_neighbors=10))
    assert not np.array_equal(single, double)
    close(single, double, 1e-6)


def test_a_target_is_not_looked_at():
    data = make(4, missing=0.1)
    found = rank(data.X, data.y, "urelief", nominal=data.nominal)
    assert np.array_equal(found.scores, scores(data))
