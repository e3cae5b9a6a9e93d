"""Kernels of trees and of permutations by themselves, beside plain loops."""

import importlib

import numpy as np
import pytest

from orangecontrib.reliefe.core.forest import centring, feature_values, gains, permutations, reading, sorting
from orangecontrib.reliefe.core.forest.clustering_space import clustering_space
from orangecontrib.reliefe.core.forest.columns import Columns
from orangecontrib.reliefe.core.forest.growth_rule import GrowthRule
from orangecontrib.reliefe.core.forest.outcome import Outcome
from orangecontrib.reliefe.core.forest.permutations import PermutationState, Truth
from orangecontrib.reliefe.core.forest.routes import Routes
from orangecontrib.reliefe.core.forest.scratch import Criterion, Reading, Scratch
from orangecontrib.reliefe.core.forest.tested_features import TestedFeatures
from orangecontrib.reliefe.core.kernels import random
from orangecontrib.reliefe.tests.forest_samples import attributes, bag, features, mostly_zeros, tree
from orangecontrib.reliefe.tests.naive import forest as naive
from orangecontrib.reliefe.tests.samples import SMALL

MARSAGLIA = 88172645463325252, 8748534153485358512  # seed and first number of the paper's example


@pytest.fixture(scope="module")
def run():
    """Kernels called by name: those that Python has no wrapper for are called by a kernel made here."""
    X, nominal = features(0, 8)
    target = attributes("numbers", 0, X, nominal)
    found = tree(X, nominal, target, np.ones(8))  # so that all are declared
    outcome = Outcome.of_features(target, clustering_space(target))
    permutations.permuted_errors(Columns.read(X, nominal), found, np.arange(8) % 2, outcome, 1)
    made = {}

    def call(module, name, *args):
        function = getattr(importlib.import_module(module.__name__), name)
        if SMALL:
            return function(*args)
        if (module, name) not in made:
            from numba import njit

            names = ", ".join(f"a{i}" for i in range(len(args)))  # what is merged with its caller takes no *args
            made[module, name] = njit(eval(f"lambda {names}: function({names})", {"function": function}))
        return made[module, name](*args)

    return call


def test_random_numbers(run):
    """The stream of the definition."""
    assert naive.Xorshift(MARSAGLIA[0]).next() == MARSAGLIA[1]
    for seed in (1, 2**64 - 1, *MARSAGLIA):
        x, twin = np.uint64(seed), naive.Xorshift(seed)
        for _ in range(20):
            x = np.uint64(run(random, "xorshift", x))
            assert int(x) == twin.next()


def test_uniform_numbers(run):
    state, twin = np.array([12345], np.uint64), naive.Xorshift(12345)
    for _ in range(20):
        assert run(random, "uniform", state) == twin.uniform()


@pytest.mark.parametrize("m", [1, 2, 63, 64, 65, 200])
@pytest.mark.parametrize("low, high", [(0, 1), (5, 300), (7, 70_000), (0, 0)])
def test_sort(run, m, low, high):
    """By counting up to 64 codes, digit by digit above: stable either way."""
    codes = np.random.default_rng(m).integers(low, high + 1, m)
    scratch = Reading.of(m, m, False)
    scratch.keys[:] = codes
    run(sorting, "sort_codes", scratch, m, low, high)
    expected = np.argsort(codes, kind="stable")
    assert scratch.order.tolist() == expected.tolist()
    assert scratch.keys.tolist() == (codes[expected] - low).tolist()


@pytest.mark.parametrize("c0, c1", [(0, 1), (0, 4), (0, 5), (0, 8), (0, 12), (0, 21), (3, 20), (2, 2)])
def test_squared_sum(run, c0, c1):
    """Eight, four and single lanes, or whole rows; and the sums of all beginnings."""
    rng = np.random.default_rng(c1)
    z, order = rng.standard_normal((15, 22)), rng.permutation(15).astype(np.uint32)
    for first, last in ((0, 15), (4, 9), (3, 3)):
        prefix = np.zeros(15)
        total = run(gains, "_squared_sum", z, order, first, last, (c0, c1), True, prefix)
        for k in range(first, last):
            rows = z[order[first : k + 1], c0:c1]
            assert prefix[k] == pytest.approx((rows.sum(axis=0) ** 2).sum(), rel=1e-12, abs=1e-12)
        rows = z[order[first:last], c0:c1]
        assert total == pytest.approx((rows.sum(axis=0) ** 2).sum(), rel=1e-12, abs=1e-12)
        assert run(gains, "_squared_sum_wide", z, order, first, last, (c0, c1), np.ones(22)) == pytest.approx(
            total, abs=1e-12
        )


def impurity(space, rows, w, inherited):
    """Impurity of groups, by loops over their known rows."""
    out = list(inherited)
    for g in range(len(space.complete)):
        known = [i for i in rows if space.known[i, g]]
        if known:
            z, weights = space.z[known, space.starts[g] : space.starts[g + 1]], [w[i] for i in known]
            mean = np.average(z, axis=0, weights=weights)
            out[g] = np.average(((z - mean) ** 2).sum(axis=1), weights=weights)
    return out


@pytest.mark.parametrize("kind", ["class", "number", "numbers-missing", "few-class"])
def test_gains(run, kind):
    """Decrease of |E| impurity(E) by all cuts of an order, and by some rows against the rest."""
    X, nominal = features(1, 16, 6)
    space, w = clustering_space(attributes(kind, 1, X, nominal)), bag(1, 16)
    rows, inherited = np.flatnonzero(w).astype(np.uint32), np.full(len(space.complete), 0.7)
    criterion, work = Criterion.of(space, GrowthRule(1)), Scratch.of(Columns.read(X, nominal), space, w, len(rows), 1)
    n, total = run(centring, "centre", space, rows, len(rows), w, inherited, work.node)
    own = impurity(space, rows, w, inherited)
    assert n == w.sum()
    assert total == pytest.approx(n * sum(own))
    np.testing.assert_allclose(work.node.impurity, own)
    order = np.random.default_rng(2).permutation(len(rows)).astype(np.uint32)
    work.reading.order[:] = order
    run(gains, "prefix_gains", space, criterion.gaps, work.node, work.reading, len(rows), n)

    def gain(left):
        right = np.setdiff1d(rows, left)
        parts = [w[part].sum() * sum(impurity(space, part, w, own)) for part in (left, right)]
        return n * sum(own) - sum(parts)

    for k in range(len(rows) - 1):
        assert work.reading.left_weights[k] == w[rows[order[: k + 1]]].sum()
        assert work.reading.gains[k] == pytest.approx(gain(rows[order[: k + 1]]), rel=1e-9, abs=1e-9)
    for first, last in ((0, 3), (2, 5), (1, 2)):
        left = rows[order[first:last]]
        args = space, criterion.gaps, work.node, order, first, last, n, w[left].sum()
        assert run(gains, "subset_gain", *args) == pytest.approx(gain(left), rel=1e-9, abs=1e-9)


def test_values(run):
    """Values of dense and of sparse features, stored or not."""
    from scipy import sparse

    X, nominal = mostly_zeros(3, 20, 5, 0.1)
    for form in (np.asarray, sparse.csr_array):
        columns = Columns.read(form(X), nominal)
        found = [
            [run(feature_values, "value_of", columns, columns.starts, f, row) for f in range(5)] for row in range(20)
        ]
        np.testing.assert_array_equal(np.array(found), X)


@pytest.mark.parametrize("m, stored", [(20, 0.3), (20, 0.9), (2, 0.9)])
def test_sparse_values_of_some_rows(run, m, stored):
    """Result of `read_feature`, searched or read: values and positions of their rows, range, rows that have a value."""
    from scipy import sparse

    X, nominal = mostly_zeros(5, 60, 4, 0.15, stored)
    columns = Columns.read(sparse.csr_array(X), nominal, ranks=False)
    rows = np.sort(np.random.default_rng(1).permutation(60)[:m]).astype(np.uint32)
    for f in range(4):
        scratch = Reading.of(m, 60, True)
        scratch.position_of_row[rows] = np.arange(m)
        read, known, low, high = run(
            reading, "read_feature", columns, columns.starts, None, columns.table, f, rows, scratch
        )
        x = X[rows, f]
        there = rows[~np.isnan(x)]
        assert known == len(there)
        if known < m:
            assert scratch.known_rows[:known].tolist() == there.tolist()
        x = x[~np.isnan(x)]
        assert dict(zip(scratch.positions[:read].tolist(), scratch.values[:read], strict=True)) == {
            place: value for place, value in enumerate(x) if value
        }
        if known:
            assert (low, high) == (x.min(), x.max())


def test_permutation(run):
    """A permutation after the other; each row has the value of the one in its place."""
    rows = np.array([1, 4, 5, 7, 8, 11])
    mix, twin, order = PermutationState.of(rows, 12, 99), naive.Xorshift(99), rows
    for _ in range(3):
        run(permutations, "_permute_rows", rows, mix)
        order = naive.shuffled(order, twin)
        assert mix.order.tolist() == order
        assert mix.donor[rows].tolist() == order


def test_rows_that_change_places(run):
    """From every node that tests a feature, rows go on with the values of others; errors change by theirs."""
    rng = np.random.default_rng(4)
    X, nominal = features(4, 30, 3, 0.1)
    found = tree(X, nominal, attributes("numbers", 4, X, nominal), np.where(np.arange(30) < 15, 1.0, 0), min_leaf=2)
    columns, rows = Columns.read(X, nominal), np.arange(15, 30)
    ways, tested = Routes.of(columns, found, rows, 30), TestedFeatures.of(found, 3)
    values, predicted = rng.random((30, 2)), rng.random((len(found.feature), 2))
    values[20, 1] = np.nan
    mix = PermutationState.of(rows, 30, 5)
    run(permutations, "_permute_rows", rows, mix)

    def leaf(row, f=None):
        v = 0
        while found.feature[v] >= 0:
            g = found.feature[v]
            x = X[mix.donor[row] if g == f else row, g]
            left = found.share[v] if np.isnan(x) else x == found.threshold[v] if nominal[g] else x <= found.threshold[v]
            v = v + 1 if left else found.right[v]
        return v

    for f in np.unique(found.feature[found.feature >= 0]):
        moved, out, v = {}, np.zeros(2), tested.head[f]
        while v >= 0:
            count, _ = run(permutations, "_route_again", columns, found, ways, v, mix)
            moved |= dict(zip(mix.moved[:count].tolist(), mix.leaf[:count].tolist(), strict=True))
            run(permutations, "_add_changes", Truth(values, predicted, rows), ways.leaf, mix, count, out)
            v = tested.following[v]
        expected = {row: (leaf(row), leaf(row, f)) for row in rows.tolist()}
        assert moved == {row: after for row, (before, after) in expected.items() if before != after}
        changes = [
            (values[row] - predicted[after]) ** 2 - (values[row] - predicted[before]) ** 2
            for row, (before, after) in expected.items()
        ]
        np.testing.assert_allclose(out, np.nansum(changes, axis=0), atol=1e-12)
