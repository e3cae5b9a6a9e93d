"""Codes in an Orange table that are none of their variable's values are refused, the same everywhere."""

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from scipy import sparse

from orangecontrib.reliefe import rank, refine
from orangecontrib.reliefe.orange.conversion import arrays
from orangecontrib.reliefe.orange.models import PCTLearner
from orangecontrib.reliefe.orange.scorers import ReliefF

N = 12
CODES = pytest.mark.parametrize("code", [3, 7, -1, 0.5, 1e300, np.inf, -np.inf])
LAYOUTS = pytest.mark.parametrize("layout", [np.array, sparse.csr_matrix, sparse.csc_matrix])
X = np.random.default_rng(0).integers(0, 3, (N, 4)).astype(float)
NAMES = "abc"


def table(columns, code=None, place=None, layout=np.array):
    """Features f0, f1 (numeric), f2, f3 and `columns` of targets t0 ..., of three values each, or numeric (None)."""
    values, targets = X.copy(), X[:, :columns].copy()
    if place is not None:
        (values if place[0] == "f" else targets)[5, int(place[1])] = code
    features = [
        ContinuousVariable("f1") if k == 1 else DiscreteVariable(f"f{k}", values=tuple(NAMES)) for k in range(4)
    ]
    variables = [DiscreteVariable(f"t{k}", values=tuple(NAMES)) for k in range(columns)]
    out = Table.from_numpy(Domain(features, variables), np.zeros(values.shape), np.zeros(targets.shape))
    with out.unlocked():  # which looks at nothing, while `from_numpy` makes infinite values missing
        out.X, out.Y = layout(values), targets[:, 0].copy() if columns == 1 else layout(targets)
    return out


def refused(name, function):
    with pytest.raises(ValueError, match=f"'{name}' has the code .* 3 values are 0 to 2"):
        function()


@CODES
@LAYOUTS
@pytest.mark.parametrize("feature", [0, 2, 3])
def test_features(code, layout, feature):
    refused(f"f{feature}", lambda: arrays(table(1, code, f"f{feature}", layout)))


@CODES
@LAYOUTS
def test_one_target(code, layout):
    data = table(1, code, "t0", layout)
    for task in (None, "classification", "regression", "hierarchical"):
        refused("t0", lambda task=task: arrays(data, task=task))


@CODES
@LAYOUTS
def test_one_of_several_targets(code, layout):
    refused("t1", lambda: arrays(table(2, code, "t1", layout)))
    refused("t1", lambda: arrays(table(2, code, "t1", layout), ["t1", "f1"]))


@CODES
@LAYOUTS
def test_an_attribute_as_target(code, layout):
    refused("f2", lambda: arrays(table(1, code, "f2", layout), "f2"))


@LAYOUTS
def test_labels(layout):
    labels = [DiscreteVariable(f"t{k}", values=("no", "yes")) for k in range(2)]
    targets = np.minimum(X[:, :2], 1)
    targets[3, 1] = 2
    data = Table.from_numpy(Domain([ContinuousVariable("x")], labels), X[:, :1].copy(), np.zeros(targets.shape))
    with data.unlocked():
        data.Y = layout(targets)
    with pytest.raises(ValueError, match="'t1' has the code 2"):
        arrays(data)


def test_one_class_that_does_not_exist():
    data = table(1)
    with data.unlocked():
        data.Y[:] = 7
    refused("t0", lambda: arrays(data))


@pytest.mark.parametrize("function", [
    rank, lambda data: list(refine(data)), ReliefF(), PCTLearner(n_trees=2), lambda data: rank(data, "urelief")],
    ids=["rank", "refine", "scorer", "learner", "without a target"])  # fmt: skip
def test_everywhere(function):
    refused("f3", lambda: function(table(1, 9, "f3")))


def test_numbers_may_be_anything():
    for layout in (np.array, sparse.csr_matrix):
        assert arrays(table(1, 7.5, "f1", layout)).X[5, 1] == 7.5


@LAYOUTS
def test_missing_is_no_code(layout):
    read = arrays(table(1, np.nan, "f3", layout)).X
    assert np.isnan((read.toarray() if sparse.issparse(read) else read)[5, 3])


def test_codes_are_looked_at_in_blocks(monkeypatch):
    monkeypatch.setattr("orangecontrib.reliefe.orange.table_checks.CODES_PER_BLOCK", 7)
    for layout in (np.array, sparse.csr_matrix):
        refused("f3", lambda layout=layout: arrays(table(1, 7, "f3", layout)))
        assert arrays(table(1, layout=layout)).X.shape == (N, 4)


def test_long_names_are_cut():
    domain = Domain([DiscreteVariable("x" * 10**5, values=("a",))], DiscreteVariable("y", values=("a", "b")))
    data = Table.from_numpy(domain, np.ones((4, 1)), np.arange(4) % 2)
    with pytest.raises(ValueError, match="has the code 1") as error:
        arrays(data)
    assert len(str(error.value)) < 200
