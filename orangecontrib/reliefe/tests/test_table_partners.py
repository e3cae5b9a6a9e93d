"""Partners of the features of a table: those of the arrays, by a method, a ranking, or names."""

import numpy as np
import pytest
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

import orangecontrib.reliefe
from orangecontrib.reliefe import core, partners, rank


def xor_table(n=150, p=8, seed=0, target=None):
    """Categories, of which "b" and "d" decide together."""
    X = np.random.default_rng(seed).integers(0, 2, (n, p)).astype(float)
    variables = [DiscreteVariable(name, ("no", "yes")) for name in "abcdefgh"[:p]]
    y = (X[:, 1] + X[:, 3]) % 2
    target = target or DiscreteVariable("class", ("low", "high"))
    return Table.from_numpy(Domain(variables, target), X, y)


def names(pairs, found):
    return [(found.variables[a].name, found.variables[b].name) for a, b in pairs]


def test_equals_that_of_arrays():
    data = xor_table()
    found = partners(data, "multisurf", n_features=5, n_shuffles=4, random_state=3)
    expected = core.partners(
        data.X, data.Y.astype(int), "multisurf", nominal=np.ones(8, bool), n_features=5, n_shuffles=4, random_state=3
    )
    np.testing.assert_array_equal(found.features, expected.features)
    for name in ("alone", "gain", "synergy", "z"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert found.edges == expected.edges
    assert [v.name for v in found.variables] == [data.domain.attributes[j].name for j in expected.features]
    assert set(names(found.linked, found)[0]) == {"b", "d"}
    assert found.table is data


def test_best_of_a_ranking():
    data = xor_table()
    ranking = rank(data, "relieff")
    found = partners(data, ranking, n_features=4)
    assert found.variables == ranking.best(4)
    other = rank(data, "relieff", target="a")
    found = partners(data, other, n_features=3)
    assert found.variables == other.best(3)
    assert "a" not in [v.name for v in found.variables]


def test_features_by_name_or_variable():
    data = xor_table()
    found = partners(data, features=["d", data.domain["a"], "b"])
    assert [v.name for v in found.variables] == ["d", "a", "b"]
    assert names(found.linked, found) == [("d", "b")]
    with pytest.raises(ValueError, match="unknown feature 'x'"):
        partners(data, features=["d", "x"])
    with pytest.raises(ValueError, match="2 to 200 different"):
        partners(data, features=["d"])


def test_pairs_as_a_table():
    found = partners(xor_table(), features="abcd")
    table = found.to_table()
    assert [v.name for v in table.domain.attributes] == ["z", "Synergy", "Gain 1", "Gain 2", "Edge"]
    assert len(table) == 6
    assert [str(value) for value in table[0].metas] == ["b", "d"]
    a, b = found.linked[0]
    np.testing.assert_allclose(table.X[0], [found.z[a, b], found.synergy[a, b], found.gain[a, b], found.gain[b, a], 1])
    assert (np.diff(table.X[:, 0]) <= 0).all()
    assert table.X[:, 4].sum() == len(found.edges)


def test_numbers_label_sets_and_sparse_tables():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 5))
    y = X[:, 0] * X[:, 1]
    features = [ContinuousVariable(name) for name in "abcde"]
    numeric = Table.from_numpy(Domain(features, ContinuousVariable("y")), X, y)
    assert partners(numeric, features="abcde").linked[0] == (0, 1)
    labels = [DiscreteVariable(name, ("0", "1")) for name in ("one", "two")]
    several = Table.from_numpy(Domain(features, labels), X, np.c_[y > 0, X[:, 2] > 0].astype(float))
    assert partners(several, features="abcde").linked[0] == (0, 1)
    data = xor_table()
    X = data.X.copy()
    with data.unlocked():
        data.X = sp.csr_matrix(X)
    assert names((found := partners(data, features="abcd")).linked, found) == [("b", "d")]


def test_bad_input():
    data = xor_table()
    with pytest.raises(TypeError, match="Orange Table"):
        partners(data.X)
    with pytest.raises(TypeError, match="'nominal'"):  # the table knows them
        partners(data, nominal=[0])
    with pytest.raises(ValueError, match="n_features"):
        partners(data, rank(data, "relieff"), n_features=1)
    with pytest.raises(ValueError, match="no target, which partners need"):
        partners(data[:, data.domain.attributes])
    with pytest.raises(ValueError, match="only one class"):
        partners(data[data.Y == 1])


def test_exported():
    assert orangecontrib.reliefe.TablePartners is type(partners(xor_table(), features="ab"))
