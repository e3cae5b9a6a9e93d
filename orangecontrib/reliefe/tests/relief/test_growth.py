"""More and more target rows: the work that is done, and the errors that are left."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank, refine
from orangecontrib.reliefe.core.methods import convergence
from orangecontrib.reliefe.core.methods.convergence import error_share, errors_from_change, row_levels
from orangecontrib.reliefe.tests.limits import count_pairs, lower
from orangecontrib.reliefe.tests.naive import errors as naive
from orangecontrib.reliefe.tests.samples import SMALL

compiled = pytest.mark.skipif(SMALL, reason="hundreds of rows")


def data(n, p=6, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, p))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + noise * rng.random(n)


def classes(z, count=3):
    return np.searchsorted(np.quantile(z, np.arange(1, count) / count), z)


@pytest.fixture
def pairs(monkeypatch):
    """Numbers of pairs whose distance was computed, one for each tile."""
    return count_pairs(monkeypatch)


def spent(counted, call):
    counted.clear()
    found = call()
    return sum(counted), found


@compiled
@pytest.mark.parametrize(
    "name, limit",
    [("relieff", 1.05), ("rrelieff", 1.05), ("urelief", 1.05),
     pytest.param("multisurf", 1.3, marks=pytest.mark.slow)],
)  # fmt: skip
def test_convergence_at_all_rows_looks_at_pairs_once(name, limit, pairs, monkeypatch):
    monkeypatch.setattr(convergence, "FIRST_STOP", 129)
    monkeypatch.setattr(convergence, "MAX_ERROR", -1.0)
    X, z = data(3000 if name == "multisurf" else 1500, 3)
    y = {"relieff": z > 1, "multisurf": z > 1, "rrelieff": z, "urelief": None}[name]
    exact, wanted = spent(pairs, lambda: rank(X, y, name, n_jobs=1))
    grown, found = spent(pairs, lambda: rank(X, y, name, n_instances="converge", n_jobs=1))
    assert found.info["instances"] == len(X)
    assert found.scores.tobytes() == wanted.scores.tobytes()
    assert grown <= limit * exact


@compiled
def test_work_is_linear_in_rows_for_a_number_of_target_rows(pairs):
    counts = []
    for n in (1000, 2000, 4000):
        X, z = data(n, 3)
        counts.append(spent(pairs, lambda X=X, z=z: rank(X, z > 1, "relieff", n_instances=256, n_jobs=1))[0])
    assert counts[1] < 2.3 * counts[0]
    assert counts[2] < 2.3 * counts[1]


@compiled
def test_refined_rankings_look_at_pairs_once(pairs, monkeypatch):
    monkeypatch.setattr(convergence, "WORTH_WAITING", 0)
    X, z = data(2000, 3)
    exact = spent(pairs, lambda: rank(X, z > 1, "relieff", n_jobs=1))[0]
    grown, found = spent(pairs, lambda: list(refine(X, z > 1, "relieff", n_jobs=1)))
    assert [r.info["instances"] for r in found] == [256, 2000]
    assert "standard_errors" in found[0].info
    assert "standard_errors" not in found[1].info
    assert grown <= 1.05 * exact


@compiled
@pytest.mark.parametrize("name", ["relief", "reliefa", "relieff", "rrelieff", "urelief"])
@pytest.mark.parametrize("single", [False, True])
def test_every_level_has_the_bits_of_so_many_rows(name, single, monkeypatch):
    """Also where distances are settled in double precision, and lists are full of ties."""
    monkeypatch.setattr(convergence, "WORTH_WAITING", 0)
    monkeypatch.setattr(convergence, "LEVELS", (64, 128, 320))
    if single:
        lower(monkeypatch, MAX_EXACT_COMPLETE=0)
    X, z = data(1100, 5)
    X[:, 3:] = np.round(X[:, 3:] * 2)
    X[:, :3] = np.round(X[:, :3], 1)
    y = {"rrelieff": z, "urelief": None}.get(name, classes(z))
    found = list(refine(X, y, name, nominal=[3], n_jobs=2, random_state=3))
    assert [r.info["instances"] for r in found] == [64, 128, 320, 1100]
    for ranking in found:
        wanted = rank(X, y, name, nominal=[3], n_instances=ranking.info["instances"], random_state=3)
        assert ranking.scores.tobytes() == wanted.scores.tobytes()
        assert ranking.info.get("standard_errors") == wanted.info.get("standard_errors")


def rows_of(n, m, seed=0):
    return np.random.default_rng(seed).permutation(n)[:m].tolist()


def errors(ranking):
    return np.array(ranking.info["standard_errors"])


def test_errors_of_means_by_the_twin():
    n, m = (30, 12) if SMALL else (90, 40)
    X, z = data(n)
    y = classes(z).tolist()
    found = rank(X, y, "relieff", n_neighbors=3, n_instances=m)
    added = naive.relieff(X.tolist(), y, rows_of(n, m), 3)
    np.testing.assert_allclose(found.scores, np.mean(added, axis=0), atol=1e-12)
    np.testing.assert_allclose(errors(found), naive.of_mean(added, n), rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["relief", "reliefa", "relieff", "rrelieff", "urelief"])
def test_two_errors_cover_the_scores_of_all_rows(name):
    """Features with long tails; quotients have no errors, since theirs would not."""
    rng = np.random.default_rng(5)
    X = np.exp(rng.normal(size=(1000, 5)))
    y = {"rrelieff": X[:, 0] * X[:, 1], "urelief": None}.get(name, X[:, 0] > 1)
    exact, covered = rank(X, y, name).scores, []
    for seed in range(100):
        found = rank(X, y, name, n_instances=100, random_state=seed)
        assert ("standard_errors" in found.info) == (name not in ("rrelieff", "urelief"))
        if "standard_errors" in found.info:
            covered.append(abs(found.scores - exact) <= 2 * errors(found))
    assert not covered or np.mean(covered) >= 0.9


@compiled
def test_errors_are_as_large_as_deviations():
    """The mean square of the deviation over the error is about 1 in many samples of target rows."""
    X, z = data(500, 5)
    y = classes(z, 2)
    exact = rank(X, y, "relieff").scores
    squares = []
    for seed in range(60):
        found = rank(X, y, "relieff", n_instances=100, random_state=seed)
        squares.append(((found.scores - exact) / errors(found)) ** 2)
    assert 0.7 < np.mean(squares) < 1.4


@compiled
@pytest.mark.slow
def test_errors_of_sparse_rows_are_those_of_dense_ones():
    from scipy import sparse

    X, z = data(200)
    X[X < 0.5] = 0
    dense, thin = (rank(table, z > 1, "relieff", n_instances=50) for table in (X, sparse.csr_array(X)))
    np.testing.assert_allclose(errors(dense), errors(thin), rtol=1e-9)


def test_errors_with_any_number_of_threads(monkeypatch):
    lower(monkeypatch, VALUES_AT_ONCE=1)
    X, z = data(90)
    one, two = (rank(X, z > 1, "relieff", n_neighbors=3, n_instances=70, n_jobs=jobs) for jobs in (1, 2))
    assert errors(one).tobytes() == errors(two).tobytes()


def test_no_errors_of_all_rows_and_of_methods_without_lists():
    X, z = data(40)
    assert "standard_errors" not in rank(X, z > 1, "relieff").info
    assert "standard_errors" not in rank(X, z > 1, "multisurf", n_instances=20).info
    assert np.isinf(errors(rank(X, z > 1, "relieff", n_instances=1))).all()


def test_constant_features_have_no_error():
    X, z = data(40)
    X[:, 2] = 1
    found = rank(X, z > 1, "relieff", n_neighbors=3, n_instances=20)
    assert errors(found)[2] == 0
    assert (np.delete(errors(found), 2) > 0).all()


def test_errors_by_the_change_since_the_level_before():
    """Their mean square is that of means of samples of whom the fewer are among the more."""
    rng = np.random.default_rng(0)
    values, n, m0, m = rng.normal(size=(300, 400)), 400, 50, 100
    before, after, every = (values[:, :k].mean(axis=1) for k in (m0, m, n))
    found = errors_from_change(before, after, m0, m, n)
    assert found.shape == (300,)
    assert 0.8 < np.mean((after - every) ** 2) / found[0] ** 2 < 1.25


def test_share_of_errors():
    assert error_share(np.array([0.1, 0.1]), np.array([1.0, 3.0])) == pytest.approx(0.1)
    assert error_share(np.ones(2), np.ones(2)) == np.inf
    assert error_share(np.zeros(2), np.ones(2)) == 0
    assert error_share(np.ones(1), np.ones(1)) == 0


def test_levels():
    assert row_levels((3000, 10), None, False, from_scratch=False) == [128, 256, 512, 1024, 2048, 3000]
    assert row_levels((3000, 10), None, False) == [128, 256, 512, 3000]
    assert row_levels((32768, 10), None, False) == [128, 256, 512, 1024, 2048, 32768]
    assert row_levels((10**6, 100), None, True, from_scratch=False)[:3] == [128, 256, 512]
    assert row_levels((10**6, 100), 10**6, True) == [256, 1024, 4096, 16384, 65536, 262144, 10**6]


def test_lists_are_offered_once(monkeypatch):
    """A row among many locks: strips need not begin where the rows of a lock do."""
    lower(monkeypatch, LOCKED_ROWS=1)
    monkeypatch.setattr(convergence, "WORTH_WAITING", 0)
    monkeypatch.setattr(convergence, "LEVELS", (64,))
    X, z = data(230, 3)
    first, last = refine(X, z > 1, "relieff", n_neighbors=3)
    assert first.scores.tobytes() == rank(X, z > 1, "relieff", n_neighbors=3, n_instances=64).scores.tobytes()
    assert last.scores.tobytes() == rank(X, z > 1, "relieff", n_neighbors=3).scores.tobytes()


@pytest.mark.parametrize("p, rows", [(100, 16_384), (10, 200_000)])
def test_automatic_choice_beyond_a_bound(p, rows):
    """Exact up to n^2 p = 10^12; above it says what it does."""
    from orangecontrib.reliefe.core.checked_call import check_call

    n = 200_000
    X = np.broadcast_to(np.zeros(1, np.uint8), (n, p))
    request = check_call(X, np.arange(n) % 2, "auto")
    assert request.parameters["n_instances"] == (rows if rows < n else None)
    assert ("n_instances=None" in request.info["auto"]) == (rows < n)
    assert check_call(X, np.arange(n) % 2, "auto", n_instances=None).parameters["n_instances"] is None
    assert check_call(X, np.arange(n) % 2, "relieff").parameters["n_instances"] is None
