"""Distances that are equal, or equal to a limit: roundings must not decide, whatever the form and size of the data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.targets.numbers import Numbers
from orangecontrib.reliefe.tests import naive
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.naive import reliefe
from orangecontrib.reliefe.tests.samples import SMALL, STRATEGIES, examples

EXAMPLES = examples(20, 3)
FEW_EXAMPLES = examples(10)
SEEDS = st.integers(0, 2**32 - 1)
ROUND = 1e-12  # two computations in double precision
SINGLE = 2e-7  # sums in single precision
SMOOTH = {"swrfstar": 1e-6}  # whose weights are made of distances
METHODS = [
    ("relief", {}), ("relievedf", {"n_neighbors": 1}), ("relieff", {"n_neighbors": 3}),
    ("relieff", {"n_neighbors": 4, "sigma": 2.0}), ("relieff", {"n_neighbors": 3, "scheme": "E"}), ("surf", {}),
    ("surfstar", {}), ("multisurf", {}), ("multisurfstar", {}), ("swrfstar", {}),
    ("rrelieff", {"n_neighbors": 4, "sigma": 2.0}), ("reliefe", {"embedding": None, "n_neighbors": "adaptive"}),
    ("sslrelief", {"n_neighbors": 3, "w0": 0.0, "w1": 1.0}), ("urelief", {"n_neighbors": 3}),
]  # fmt: skip

METHOD = pytest.mark.parametrize("method, parameters", METHODS, ids=str)


def close(a, b, atol=ROUND):
    np.testing.assert_allclose(a, b, rtol=0, atol=atol)


def grid(seed, n=None, missing=False):
    """X (n, p) of few different values, some rows twice, many zeros, and three classes."""
    rng = np.random.default_rng(seed)
    n, p = n or int(rng.integers(4, 20 if SMALL else 40)), int(rng.integers(1, 12))
    X = np.column_stack([rng.integers(0, rng.integers(2, 14), n) for _ in range(p)]).astype(float)
    X *= rng.choice([1.0, 0.1, 0.7], p)
    if rng.random() < 0.4:
        X = X[rng.integers(0, n, n)]
    X *= rng.random((n, p)) < rng.choice([0.3, 0.7, 1.0])
    if missing:
        X[rng.random((n, p)) < 0.1] = np.nan
    y = rng.integers(0, 3, n)
    y[:3] = 0, 1, 2
    return X, y, rng


def target_of(method, y, rng):
    """(y, task) as the method takes it."""
    if method == "urelief":
        return None, "unsupervised"
    if method == "rrelieff":
        return rng.integers(0, 4, len(y)).astype(float), "regression"
    if method == "sslrelief":
        return np.where(np.arange(len(y)) % 3 == 1, y.astype(float), np.nan), "classification"
    return y, "classification"


@METHOD
@pytest.mark.parametrize("missing", [False, True])
@EXAMPLES
@given(SEEDS)
def test_order_and_form_do_not_matter(method, parameters, missing, seed):
    X, y, rng = grid(seed, missing=missing)
    order = rng.permutation(X.shape[1])
    y, task = target_of(method, y, rng)
    plain, moved, csr = (
        rank(A, y, method, task=task, **parameters).scores for A in (X, X[:, order], sparse.csr_array(X))
    )
    close(moved, plain[order])
    close(csr, plain)


@pytest.mark.parametrize("method", ["surf", "surfstar"])
@pytest.mark.parametrize("y", [[0, 1, 2, 2, 2], [0, 0, 1, 1, 1]])
def test_a_distance_that_is_the_mean_of_all_is_on_it_in_both_forms(method, y):
    """Sums of rounded distances were off by 2e-8, so that sparse rows at 0.6 of the range were far."""
    X = np.array([[0, 0, 0.3, 0.5, 0.5]]).T
    y = np.array(y)
    expected = naive.rank(X, y, method, None, "classification")
    for form in (X, sparse.csr_array(X)):
        close(rank(form, y, method).scores, expected)


@pytest.mark.parametrize("method", ["relieff", "relievedf", "surf", "multisurf"])
@pytest.mark.parametrize("strategy", ["class-conditional", "uniform", "separate", "clus"])
@FEW_EXAMPLES
@given(SEEDS)
def test_constant_features_and_the_order_of_rows_do_not_matter(method, strategy, seed):
    """Means over the features that two rows have ("ignore") do depend on constant ones; lists of k neighbours may hold
    other rows at the same distance in another order of rows, unless these share the last places."""
    X, y, rng = grid(seed, missing=True)
    order, constant = rng.permutation(len(X)), np.full((len(X), 2), [0.1, 7.0])
    plain, wider = (rank(A, y, method, missing=strategy).scores for A in (X, np.hstack([constant, X])))
    close(wider[2:], plain)
    if method != "relieff":
        close(rank(X[order], y[order], method, missing=strategy).scores, plain)


@pytest.mark.parametrize("method, parameters", [m for m in METHODS if m[0] in naive.TWINS], ids=str)
@FEW_EXAMPLES
@given(SEEDS)
def test_twins_see_the_same_ties(method, parameters, seed):
    X, y, rng = grid(seed, n=12)
    y, task = target_of(method, y, rng)
    close(rank(X, y, method, task=task, **parameters).scores, naive.rank(X, y, method, None, task, **parameters))


def in_single_precision(X, y, method, task="classification", **parameters):
    with pytest.MonkeyPatch.context() as patch:
        lower(patch, MAX_EXACT_COMPLETE=0, MAX_EXACT_MISSING=0)
        return rank(X, y, method, task=task, **parameters).scores


@METHOD
@EXAMPLES
@given(SEEDS)
def test_single_precision_on_grids(method, parameters, seed):
    X, y, rng = grid(seed)
    order = rng.permutation(X.shape[1])
    y, task = target_of(method, y, rng)
    single, moved = (in_single_precision(A, y, method, task, **parameters) for A in (X, X[:, order]))
    close(moved, single[order], SMOOTH.get(method, ROUND))
    close(single, rank(X, y, method, task=task, **parameters).scores, SMOOTH.get(method, SINGLE))


@pytest.mark.parametrize(
    "strategy", [pytest.param(s, marks=() if s == "ignore" else pytest.mark.slow) for s in STRATEGIES]
)
@METHOD
@FEW_EXAMPLES
@given(SEEDS)
def test_single_precision_with_missing_values(method, parameters, strategy, seed):
    X, y, rng = grid(seed, missing=True)
    order = rng.permutation(X.shape[1])
    y, task = target_of(method, y, rng)
    given_ = {"missing": strategy, **parameters}
    single, moved = (in_single_precision(A, y, method, task, **given_) for A in (X, X[:, order]))
    close(moved, single[order], SMOOTH.get(method, ROUND))
    if strategy != "class-conditional":  # its means over rows stay in single precision
        close(single, rank(X, y, method, task=task, **given_).scores, 10 * SINGLE)


@pytest.mark.skipif(SMALL, reason="too large for kernels that run as Python")
@pytest.mark.parametrize("method", ["relieff", "multisurf"])
def test_columns_of_large_grids(method):
    """More rows tie at the tenth place than lists have room for."""
    rng = np.random.default_rng(0)
    X, y, order = rng.integers(0, 7, (1001, 100)).astype(float), rng.integers(0, 2, 1001), rng.permutation(100)
    found = rank(X, y, method)
    assert found.info["precision"] == "float32"
    close(rank(X[:, order], y, method).scores, found.scores[order])
    close(rank(sparse.csr_array(X), y, method).scores, found.scores, SINGLE)


@pytest.mark.parametrize("seed", [3, 5, 27, 58])
def test_tied_lists_are_searched_again(seed):
    """Thirty rows as far from the first one, in thirty ways, of which a list for three has room for five."""
    rng = np.random.default_rng(seed)
    v = rng.integers(0, 50, 40) / 7
    X = np.vstack([np.zeros(40), [rng.permutation(v) for _ in range(30)], np.full(40, v.max())])
    y = np.append(np.zeros(31, int), 1)
    single = in_single_precision(X, y, "relieff", n_neighbors=3)
    close(single, naive.rank(X, y, "relieff", None, n_neighbors=3), SINGLE)


@pytest.mark.parametrize("s", [5, 6, 7, 10, 50])
def test_adaptive_numbers_of_neighbours_of_one_feature(s):
    """All gaps are equal, of which the first one counts, whatever rounding makes of them."""
    X, y = np.arange(2 * s + 2.0)[:, None], np.repeat([0, 1], s + 1)
    given_ = {"embedding": None, "n_neighbors": "adaptive"}
    expected = reliefe.rank(X, y, None, n_neighbors="adaptive")
    for found in (rank(X, y, "reliefe", **given_).scores, in_single_precision(X, y, "reliefe", **given_)):
        close(found, expected, SINGLE)


@EXAMPLES
@given(SEEDS)
def test_adaptive_is_its_twin(seed):
    X, y, _ = grid(seed, n=14)
    found = rank(X, y, "reliefe", embedding=None, n_neighbors="adaptive").scores
    close(found, reliefe.rank(X, y, None, n_neighbors="adaptive"))


def test_distance_on_the_limit():
    """Row 0 and others: mean 0.2, deviation 0.4, limit 0, at which its copies are."""
    X = np.array([[0, 0, 1], [1, 1, 1], [1, 1, 1], [1, 1, 0], [1, 1, 1], [1, 0, 0]], float)
    y = [1, 0, 1, 0, 1, 1]
    for form in (X, sparse.csr_array(X)):
        close(rank(form, y, "multisurf", nominal=[True] * 3).scores, [0, 1 / 6, 0])
    close(rank(X, y, "multisurf").scores, [0, 1 / 6, 0])
    for method in ("multisurf", "multisurfstar", "surf", "surfstar"):
        close(rank(X, y, method).scores, naive.rank(X, y, method))


@pytest.mark.parametrize("method, seed", [("surfstar", 94), ("surfstar", 889),
                                          ("multisurfstar", 827), ("multisurfstar", 1112)])  # fmt: skip
def test_limits_from_single_precision(method, seed):
    """Distances on a limit need more digits than a mean of rounded distances has."""
    X, y, _ = grid(seed)
    close(in_single_precision(X, y, method), naive.rank(X, y, method), SINGLE)


def test_targets_one_deviation_apart_are_misses():
    """Three numbers a step apart deviate by one step, which rounding makes more or less of."""
    for step in (0.1, 0.2, 0.3, 0.7, 1.3):
        for start in (0.0, 0.1, 0.9, 5.3):
            target = Numbers.measure(step * np.arange(1.0, 4.0) + start)
            assert target.differs(np.array([0, 1, 0]), np.array([1, 2, 2])).all()


def test_no_influence_without_different_distances():
    """The rows of Latin squares of order 3: all distances are equal but for rounding."""
    rng = np.random.default_rng(102)
    square, k = np.array([[0, 0.1, 0.3], [0.1, 0.3, 0], [0.3, 0, 0.1]]), rng.integers(1, 9)
    X = np.hstack([square[:, rng.permutation(3)] * rng.integers(1, 20) / 7 for _ in range(k)])
    assert not rank(X, [0, 1, 1], "swrfstar").scores.any()


def test_unlabelled_rows_in_csr():
    X = np.array([[0.7, 0.2], [0.8, 0.5], [0.8, 0.8], [0.8, 0.8], [0.8, 0.5]])
    y = [1, np.nan, np.nan, 1, 0.0]
    for form in (X, sparse.csr_array(X)):
        close(rank(form, y, "sslrelief", n_neighbors=1, w0=0, w1=1).scores, [16 / 17, 8 / 17], 1e-9)


@EXAMPLES
@given(SEEDS)
def test_rows_that_differ_in_the_ninth_digit(seed):
    """Equal rows are at distance 0, and hardly different ones at a distance with all its digits, in every form."""
    X, y, _ = grid(seed, n=24)
    X[1::3] = X[0]
    X[2::3, 0] += 1e-9 * np.arange(8)
    for method, parameters in (("relieff", {"n_neighbors": 2}), ("multisurf", {})):
        expected = naive.rank(X, y, method, None, **parameters)
        close(rank(X, y, method, **parameters).scores, expected)
        close(rank(sparse.csr_array(X), y, method, **parameters).scores, expected)


def test_nearest_labelled_row():
    """Rows without a label are nearer or farther from a labelled one by the ninth digit."""
    rng = np.random.default_rng(3)
    v, labelled = rng.integers(0, 50, 40) / 7, np.arange(40) >= 10
    X = np.vstack([rng.random((10, 40)) * 1e-9, [rng.permutation(v) for _ in range(29)], np.full(40, v.max())])
    X[10:] += rng.random((30, 40)) * 1e-8
    y = np.where(labelled, np.arange(40) % 2, np.nan)
    given_ = {"n_neighbors": 3, "w0": 0.0, "w1": 1.0}
    double = rank(X, y, "sslrelief", task="classification", **given_).scores
    close(in_single_precision(X, y, "sslrelief", **given_), double, SINGLE)


@pytest.mark.parametrize("method", ["relieff", "multisurf"])
def test_what_stays_approximate_is_told(method, monkeypatch):
    X, y, _ = grid(5, n=20, missing=True)
    assert rank(X, y, method).info["approximate"] == []
    lower(monkeypatch, MAX_EXACT_MISSING=0)
    found = rank(X, y, method).info["approximate"]
    assert [text.split()[0] for text in found] == ["scores:", "rows"]
    assert [text.split()[0] for text in rank(X, y, method, missing="ignore").info["approximate"]] == ["scores:"]
    lower(monkeypatch, MAX_SETTLED_PAIRS=0)
    limits = [text for text in rank(X, y, method).info["approximate"] if text.startswith("pairs")]
    assert len(limits) == (method == "multisurf")
