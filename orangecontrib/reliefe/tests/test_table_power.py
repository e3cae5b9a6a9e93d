"""Sample size from a ranking of a table."""

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import core, power, rank


def table(n=60, p=6):
    """Numbers, of which the first two act on two classes, and a category."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    X[:, -1] = rng.integers(0, 3, n)
    names = [ContinuousVariable(f"x{j}") for j in range(p - 1)]
    domain = Domain([*names, DiscreteVariable("site", ("a", "b", "c"))], DiscreteVariable("y", ("no", "yes")))
    return Table.from_numpy(domain, X, (2 * X[:, :2].sum(axis=1) + rng.logistic(size=n) > 0).astype(float))


def test_a_ranking_knows_its_table():
    data = table()
    result = power(rank(data, "relieff", n_neighbors=5, significance=12), n=[60], n_sets=3)
    options = {"n_neighbors": 5, "nominal": [5], "n": [60], "n_sets": 3, "n_shuffles": 12}
    expected = core.power(data.X, data.Y.astype(int), "relieff", **options)
    assert np.array_equal(result.shares, expected.shares)
    assert result.names == tuple(data.domain.attributes[j].name for j in expected.features)


def test_a_target_that_is_no_class_variable():
    data = table()
    moved = data.transform(Domain([*data.domain.attributes, data.domain.class_var]))
    result = power(rank(moved, "relieff", target="y", significance=12), n=[60], n_sets=2)
    assert np.array_equal(result.shares, power(rank(data, "relieff", significance=12), n=[60], n_sets=2).shares)


def test_weights_of_rows_are_left_aside():
    data = table()
    plain = power(rank(data, "relieff", significance=12), n=[60], n_sets=2)
    with data.unlocked():
        data.W = np.arange(60) % 3 + 1.0
    with pytest.warns(UserWarning, match="leaves weights of rows aside"):
        assert np.array_equal(power(rank(data, "relieff", significance=12), n=[60], n_sets=2).shares, plain.shares)


def test_refusals():
    data = table()
    with pytest.raises(TypeError, match=r"a ranking of a table, not .*; arrays go to .*core.power\(X, y"):
        power(data, n=[60])
    with pytest.raises(ValueError, match="no target to shuffle"):
        power(rank(data, "urelief"), n=[60])
    with pytest.raises(ValueError, match="each n must be at least 60, not 5"):
        power(rank(data, "relieff"), n=[5])
