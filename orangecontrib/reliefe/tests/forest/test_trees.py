"""One tree: the twin's, the worked example, scikit-learn's, and what must hold for all."""

import os
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core.forest import columns
from orangecontrib.reliefe.core.forest.attributes import Attributes
from orangecontrib.reliefe.core.forest.clustering_space import ClusteringSpace, clustering_space
from orangecontrib.reliefe.core.forest.scores import genie3, symbolic
from orangecontrib.reliefe.tests.forest_samples import KINDS, attributes, bag, features, mostly_zeros, parts, tree
from orangecontrib.reliefe.tests.naive import forest as naive
from orangecontrib.reliefe.tests.samples import SMALL
from orangecontrib.reliefe.tests.target_samples import EXAMPLES, SEEDS

# The worked example of the project's specification (its section 3.6).
X36 = np.array([[1, 0, 5], [2, 0, 4], [3, 1, 4], [4, 1, 1], [5, 1, 0], [6, 0, 1]], float)
C36 = np.array([[0, 0, np.nan, 1, 1, np.nan]]).T
EXTRA = pytest.mark.parametrize("extra", [False, True])


def numeric(values, weights=None):
    width = values.shape[1]
    return Attributes(values, np.zeros(width, bool), np.ones(width) if weights is None else weights).shared(1.0)


def twin_of(draws, kind, seed, X, nominal, rows, **settings):
    """The twin, which weighs the attributes itself; draws: a seed, or a generator of its own."""
    draws = naive.Xorshift(draws) if isinstance(draws, int) else draws
    return naive.Tree(X, nominal, *naive.clustering(parts(kind, seed, X, nominal)), rows, draws, **settings)


class Draws:
    """Numbers of another generator."""

    def __init__(self, seed):
        self.uniform = random.Random(seed).random


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("kind", KINDS)
def test_twin_with_draws_of_its_own(kind, missing):
    """With all features tried and no two tests as good, no draw matters: the same tree by another generator.

    Few classes and labels make tests that tie, and so do few rows: of these the gain in the root is the same.
    """
    n, numbers = 40, "number" in kind or kind in ("mixture", "unsupervised")
    for seed in range(1 if SMALL else 4):
        X, nominal = features(seed, n, 5, missing, decimals=9)
        rows = np.where(np.arange(n) < 3, 0.0, 1.0 + (np.arange(n) % 2))
        settings = {"tries": 5, "min_leaf": 9, "max_depth": 3 if numbers else 1}
        found = tree(X, nominal, attributes(kind, seed, X, nominal), rows, seed + 1, **settings)
        for twin in (twin_of(Draws(s), kind, seed, X, nominal, rows, **settings).nodes for s in (1, 2)):
            np.testing.assert_allclose(found.gain, [node["gain"] for node in twin], rtol=1e-9, atol=1e-11)
            assert len(found.feature) > 1
            if numbers:
                assert found.feature.tolist() == [node["feature"] for node in twin]
                assert [set(found.rows[a:b]) for a, b in zip(found.start, found.end)] == [node["rows"] for node in twin]


@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_attributes(kind):
    """The twin's own ones are those of the product."""
    X, nominal = features(1, 30, 6, 0.1)
    X[:, 2] = 3
    space = attributes(kind, 1, X, nominal)
    values, kinds, shares = naive.clustering(parts(kind, 1, X, nominal))
    np.testing.assert_array_equal(space.values, values)
    assert space.nominal.tolist() == kinds
    np.testing.assert_allclose(space.weights, shares, rtol=1e-12)


@pytest.mark.skipif(SMALL, reason="hundreds of trees")
def test_draws_are_even():
    """Roots of trees that try one feature at random thresholds: every feature as often, thresholds evenly spread."""
    rng = np.random.default_rng(0)
    X, y = rng.random((30, 4)), numeric(rng.standard_normal((30, 2)))
    X[:, 3] = 1
    seeds = [int(seed) for seed in rng.integers(1, 2**63, 600)]
    roots = [tree(X, None, y, np.ones(30), seed, 1, True, max_depth=1) for seed in seeds]
    counts = np.bincount([root.feature[0] for root in roots], minlength=4)
    assert counts[3] == 0
    assert np.abs(counts[:3] - 200).max() < 60  # five standard deviations
    low, high = X.min(axis=0), X.max(axis=0)
    places = sorted((root.threshold[0] - low[f]) / (high[f] - low[f]) for root in roots for f in root.feature[:1])
    assert np.abs(np.array(places) - (np.arange(600) + 0.5) / 600).max() < 0.08  # Kolmogorov and Smirnov


@EXTRA
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("wide", [False, True])
def test_twin(kind, extra, missing, wide):
    """The same tests, rows and gains; wide: more columns than rows, so that the factor is used."""
    for seed in range(1 if SMALL else 3):
        n, p = (14, 20) if wide else (24 if SMALL else 45, 6)
        X, nominal = features(seed, n, p, 0.15 * missing)
        space, rows = attributes(kind, seed, X, nominal), bag(seed, n)
        settings = {"tries": 3, "extra": extra, "min_leaf": 1 + seed // 2, "max_depth": 3 if seed == 1 else 99}
        found = tree(X, nominal, space, rows, seed + 5, **settings)
        twin = twin_of(seed + 5, kind, seed, X, nominal, rows, **settings).nodes
        assert found.feature.tolist() == [node["feature"] for node in twin]
        assert found.weight.tolist() == [node["weight"] for node in twin]
        assert [set(found.rows[a:b]) for a, b in zip(found.start, found.end)] == [node["rows"] for node in twin]
        np.testing.assert_allclose(found.gain, [node["gain"] for node in twin], rtol=1e-9, atol=1e-11)
        inner = found.feature >= 0
        expected = [node["threshold"] for node in twin]
        np.testing.assert_allclose(found.threshold[inner], np.array(expected)[inner], rtol=1e-12)


@pytest.mark.parametrize(
    "form, extra",
    [
        (np.asarray, False),
        # Each compiles kernels for several seconds.
        pytest.param(np.asarray, True, marks=pytest.mark.slow),
        pytest.param(sparse.csr_array, False, marks=pytest.mark.slow),
        pytest.param(sparse.csr_array, True, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_twin_where_rows_go_both_ways(kind, form, extra):
    """Rows that lack the tested feature are in both parts, in the shares of the others."""
    for seed in range(1 if SMALL else 3):
        X, nominal = features(seed, 20 if SMALL else 40, 6, 0.3)
        space, rows = attributes(kind, seed, X, nominal), bag(seed, len(X))
        settings = {"tries": 3, "extra": extra, "min_leaf": 1 + seed // 2, "fractional": True}
        found = tree(form(X), nominal, space, rows, seed + 5, **settings)
        twin = twin_of(seed + 5, kind, seed, X, nominal, rows, **settings).nodes
        assert found.feature.tolist() == [node["feature"] for node in twin]
        inner = found.feature >= 0
        np.testing.assert_allclose(found.weight, [node["weight"] for node in twin], rtol=1e-9)
        np.testing.assert_allclose(found.gain, [node["gain"] for node in twin], rtol=1e-8, atol=1e-11)
        np.testing.assert_allclose(found.share[inner], [node["share"] for node in twin if node["feature"] >= 0])
        for a, b, node in zip(found.start, found.end, twin, strict=True):
            there = np.bincount(found.rows[a:b], found.weights[a:b], len(X))
            np.testing.assert_allclose(there, [node["weights"].get(i, 0) for i in range(len(X))], atol=1e-12)
        assert (found.share[inner] % 1 > 0).any()


@pytest.mark.slow
@EXTRA
@EXAMPLES
@given(SEEDS, st.sampled_from(KINDS), st.sampled_from([0.0, 0.1]), st.sampled_from([0.02, 0.2, 0.9]),
       st.sampled_from([30, 150]))  # fmt: skip
def test_sparse_features_give_the_same_trees(extra, seed, kind, missing, density, n):
    """All rows of zeros count as one there; and whether values are searched or read changes nothing."""
    seed, n = seed % 10**6, min(n, 40) if SMALL else n
    X, nominal = mostly_zeros(seed, n, 8, missing, density)
    space, rows = clustering_space(attributes(kind, seed, X, nominal)), bag(seed, n)
    stored = sparse.csr_array(X)
    stored.data[np.random.default_rng(seed).random(stored.nnz) < 0.1] = 0  # a zero may be stored
    dense, found = (tree(x, nominal, space, rows, seed + 1, 4, extra) for x in (stored.toarray(), stored))
    for name in ("feature", "share", "right", "weight", "rows", "weights"):
        assert np.array_equal(getattr(dense, name), getattr(found, name)), name
    np.testing.assert_allclose(found.threshold, dense.threshold, rtol=1e-15)
    np.testing.assert_allclose(found.gain, dense.gain, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "kind, extra",
    [
        ("class", True),
        ("labels", True),
        ("numbers-missing", False),
        # Each compiles kernels for several seconds.
        pytest.param("class", False, marks=pytest.mark.slow),
        pytest.param("labels", False, marks=pytest.mark.slow),
        pytest.param("numbers-missing", True, marks=pytest.mark.slow),
    ],
)
def test_twin_of_sparse_features(kind, extra):
    for seed in range(1 if SMALL else 4):
        X, nominal = mostly_zeros(seed, 24 if SMALL else 45, 6, 0.1)
        space, rows = attributes(kind, seed, X, nominal), bag(seed, len(X))
        settings = {"tries": 3, "extra": extra}
        found = tree(sparse.csr_array(X), nominal, space, rows, seed + 5, **settings)
        twin = twin_of(seed + 5, kind, seed, X, nominal, rows, **settings).nodes
        assert found.feature.tolist() == [node["feature"] for node in twin]
        np.testing.assert_allclose(found.gain, [node["gain"] for node in twin], rtol=1e-9, atol=1e-11)


@EXTRA
@pytest.mark.parametrize("kind", ["class", "numbers", "few-numbers"])
@pytest.mark.parametrize("level", [0.3, 0.05, 1e-4])
def test_f_test(kind, level, extra):
    X, nominal = features(3, 24 if SMALL else 45, 6, 0.1)
    space, rows = attributes(kind, 3, X, nominal), bag(3, len(X))
    settings = {"tries": 3, "extra": extra, "f_test": level}
    found = tree(X, nominal, space, rows, 8, **settings)
    twin = twin_of(8, kind, 3, X, nominal, rows, **settings).nodes
    assert found.feature.tolist() == [node["feature"] for node in twin]
    assert len(found.feature) < len(tree(X, nominal, space, rows, 8, 3, extra).feature)


def test_f_test_at_its_ends():
    X, nominal = features(3, 24 if SMALL else 45, 6, 0.1)
    space, rows = attributes("class", 3, X, nominal), bag(3, len(X))
    nodes = []
    for level in (0.0, 1.0, None):
        found = tree(X, nominal, space, rows, 8, f_test=level)
        twin = twin_of(8, "class", 3, X, nominal, rows, tries=3, f_test=level).nodes
        assert found.feature.tolist() == [node["feature"] for node in twin]
        nodes.append(len(found.feature))
    assert nodes[0] < nodes[1] <= nodes[2]


def test_worked_example():
    for f, gain in enumerate((3.641048, 2.559025, 3.641048)):
        found = tree(X36[:, [f]], None, numeric(X36), np.ones(6), tries=1, max_depth=1)
        assert found.gain[0] == pytest.approx(gain, abs=1e-6)


@pytest.mark.parametrize("w, gain", [(0, 3.641048), (0.5, 4.820524), (1, 6)])
def test_worked_example_with_few_classes(w, gain):
    space = Attributes(C36, np.ones(1, bool), np.ones(1)).shared(w)
    space = space.joined(Attributes(X36, np.zeros(3, bool), np.ones(3)).shared(1 - w))
    found = tree(X36[:, [0]], None, space, np.ones(6), tries=1, max_depth=1)
    assert found.gain[0] == pytest.approx(gain, abs=1e-6)


@EXTRA
def test_fully_grown_example(extra):
    for seed in range(1, 5):
        found = tree(X36, None, numeric(X36), np.ones(6), seed, 2, extra)
        assert genie3(found, 3).sum() == pytest.approx(6, abs=1e-9)
        assert symbolic(found, 3).sum() == pytest.approx(found.weight[found.feature >= 0].sum() / 6)


@EXTRA
@EXAMPLES
@given(SEEDS, st.sampled_from([2, 3, 99]), st.sampled_from([1, 2, 4]))
def test_genie3_is_the_decrease_of_impurity(extra, seed, max_depth, min_leaf):
    """|D| impurity of the root less that of the leaves; complete features."""
    X, nominal = features(seed % 1000, 20)
    for kind in ("class", "numbers", "unsupervised"):
        space = clustering_space(attributes(kind, seed % 1000, X, nominal))
        found = tree(X, nominal, space, bag(seed, 20), seed % 1000 + 1, 3, extra, min_leaf, max_depth)
        total = found.weight * found.impurity.sum(axis=1)
        decrease = total[0] - total[found.feature < 0].sum()
        assert genie3(found, X.shape[1]).sum() == pytest.approx(decrease, rel=1e-9, abs=1e-9)
        assert (found.weight[found.feature < 0] >= min_leaf).all()
        assert found.depth.max() <= max_depth


@EXTRA
@EXAMPLES
@given(SEEDS)
def test_order_of_values_is_all_that_matters(extra, seed):
    """Increasing functions of numeric features (random thresholds: affine ones) and other codes change no gain."""
    X, nominal = features(seed % 1000, 20, missing=0.1)
    space, other = attributes("few-class", 3, X, nominal), X * 4.0
    other[:, nominal] = 7 * X[:, nominal] + 1
    if not extra:
        other[:, ~nominal] = np.exp(X[:, ~nominal])
    a, b = (tree(x, nominal, space, bag(seed, 20), 7, 3, extra) for x in (X, other))
    assert a.feature.tolist() == b.feature.tolist()
    assert np.array_equal(a.gain, b.gain)


@EXTRA
@pytest.mark.parametrize("equal", [False, True])
def test_factor_changes_no_tree(extra, equal):
    """Trees are the same, also where two rows are equal."""
    X = np.random.default_rng(3).standard_normal((20, 64))
    X[7] = X[3] if equal else X[7]
    reduced = clustering_space(numeric(X))
    whole = ClusteringSpace((X - X.mean(0)) / X.std(0) / 8, np.array([0, 64]), np.ones((20, 1)), np.ones(1, bool))
    assert reduced.z.shape[1] <= 24
    a, b = (tree(X, None, space, bag(1, 20), 5, 8, extra) for space in (reduced, whole))
    assert a.feature.tolist() == b.feature.tolist()
    assert np.array_equal(a.threshold, b.threshold)
    np.testing.assert_allclose(a.gain, b.gain, rtol=1e-9, atol=1e-12)


@EXTRA
def test_nothing_to_test(extra):
    """Constant features, one row, a constant target: a leaf."""
    y = numeric(np.arange(6.0)[:, None])
    X = np.column_stack([np.ones(6), np.full(6, np.nan)])
    for x, space, rows in ((X, y, np.ones(6)), (X36, y, np.eye(6)[0] * 6), (X36, numeric(np.ones((6, 2))), np.ones(6))):
        assert tree(x, None, space, rows, tries=1, extra=extra).feature.tolist() == [-1]


@EXTRA
def test_values_row_by_row(extra, monkeypatch):
    """Scores have the same bits wherever values are read from."""
    X, nominal = features(2, 260, missing=0.1)
    space = clustering_space(attributes("numbers", 2, X, nominal))
    first = tree(X, nominal, space, bag(2, 260), 3, 3, extra)
    monkeypatch.setattr(columns, "MAX_CACHED_BYTES", 0)
    assert all(np.array_equal(a, b) for a, b in zip(first, tree(X, nominal, space, bag(2, 260), 3, 3, extra)))


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="slow without numba")
@pytest.mark.parametrize("classes", [2, 5])
def test_scikit_learn_with_classes(classes):
    """All features and large leaves (in small ones tests tie): the same nodes and decreases of impurity."""
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(classes)
    X, y = rng.standard_normal((900, 8)).astype(np.float32).astype(float), rng.integers(0, classes, 900)
    space = Attributes(y[:, None] * 1.0, np.ones(1, bool), np.ones(1)).shared(1.0)
    found = tree(X, None, space, np.ones(900), tries=8, min_leaf=40, max_depth=3)
    peer = DecisionTreeClassifier(max_depth=3, min_samples_leaf=40, random_state=0).fit(X, y)
    assert found.feature.tolist() == np.maximum(peer.tree_.feature, -1).tolist()
    np.testing.assert_allclose(genie3(found, 8) / genie3(found, 8).sum(), peer.feature_importances_, rtol=1e-9)


def test_neighbouring_floats():
    x = np.array([1.0, np.nextafter(1.0, 2)])[:, None]
    found = tree(x, None, numeric(np.array([[0.0], [1.0]])), np.ones(2))
    assert found.feature.tolist() == [0, -1, -1]
    assert found.threshold[0] == 1


@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="slow without numba")
@pytest.mark.parametrize("n, p, t", [(300, 8, 1), (300, 8, 10), (120, 5, 37)])
def test_scikit_learn(n, p, t):
    """All features and leaves of five (two rows are always a tie): the same nodes and importances."""
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((n, p)).astype(np.float32).astype(float), rng.standard_normal((n, t))
    found = tree(X, None, numeric(Y), np.ones(n), tries=p, min_leaf=5, max_depth=4)
    peer = DecisionTreeRegressor(max_depth=4, min_samples_leaf=5, random_state=0).fit(X, Y / Y.std(axis=0))
    assert found.feature.tolist() == np.maximum(peer.tree_.feature, -1).tolist()
    np.testing.assert_allclose(genie3(found, p) / genie3(found, p).sum(), peer.feature_importances_, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="slow without numba")
def test_many_rows():
    """Ranks that need more than two bytes."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((70_000, 2))
    found = tree(X, None, numeric((X[:, :1] > 0.3) * 1.0), np.ones(70_000), tries=2)
    assert found.feature.tolist() == [0, -1, -1]
    assert found.threshold[0] == pytest.approx(0.3, abs=1e-3)
