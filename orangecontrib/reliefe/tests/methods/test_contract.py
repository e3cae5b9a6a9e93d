"""The contract of a method: three small ones appear everywhere without another edit."""

import json
import math
import statistics

import numpy as np
import pytest
from scipy import sparse

import orangecontrib.reliefe
from orangecontrib.reliefe import core
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core.methods.registry import details_of, register
from orangecontrib.reliefe.orange import scorers
from orangecontrib.reliefe.tests.samples import make
from orangecontrib.reliefe.tests.toy_methods import TOYS, Half


@pytest.fixture
def toys(monkeypatch):
    """The three of them, registered."""
    for name in ("half", "spread", "clock"):
        monkeypatch.setitem(core.METHODS, name, None)
        del core.METHODS[name]
    register(*(toy() for toy in TOYS))
    yield
    for title in ("Half", "Spread", "ClockStar"):
        orangecontrib.reliefe.__dict__.pop(title, None)
        scorers.__dict__.pop(title, None)


def test_ranks(toys):
    data = make(1, n=40, p=6)
    found = core.rank(data.X, data.y, "half", core=("relieff", {"n_neighbors": 3}))
    kept = np.sort(np.argsort(np.var(data.X, axis=0), kind="stable")[3:])
    inner = core.rank(data.X[:, kept], data.y, "relieff", n_neighbors=3)
    np.testing.assert_array_equal(found.scores[kept], inner.scores)
    assert (np.delete(found.scores, kept) < inner.scores.min()).all()
    assert found.parameters["core"] == ("relieff", (("n_neighbors", 3),))
    assert found.order.tolist() == np.argsort(np.var(data.X, axis=0), kind="stable").tolist()
    np.testing.assert_allclose(core.rank(data.X, None, "spread").scores, np.var(data.X, axis=0))
    assert len(list(core.refine(data.X, None, "spread"))) == 1


@pytest.mark.parametrize("missing", [0, 40])
def test_the_example_of_the_guide_takes_dense_and_sparse_data(toys, missing):
    """Variances of known values, by Python's own statistics; a feature without any scores 0."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6)) * (rng.random((30, 6)) < 0.4)
    X.flat[rng.choice(X.size, missing, replace=False)] = np.nan
    X[:, 4] = np.nan if missing else 2.5
    expected = [statistics.pvariance([*filter(math.isfinite, column)] or [0.0]) for column in X.T.tolist()]
    for values in (X, sparse.csr_array(X), sparse.csc_matrix(X)):
        np.testing.assert_allclose(core.rank(values, None, "spread").scores, expected, atol=1e-12)


def test_refines(toys):
    data = make(2, n=30, p=4)
    found = list(core.refine(data.X, data.y, "clock"))
    assert [ranking.info["final"] for ranking in found] == [False, False, True]
    np.testing.assert_array_equal(found[-1].scores, core.rank(data.X, data.y, "clock").scores)
    assert core.null_level(data.X, data.y, "clock", n_shuffles=2).level == 6


@pytest.mark.parametrize(
    "given, error, message",
    [
        ("nothing", ValueError, "unknown core 'nothing'; choose from reliefe"),
        ("half", ValueError, "core must not be 'half', which ranks by another method itself"),
        (("relieff", {"k": 3}), ValueError, "relieff has no parameter 'k'"),
        (("relieff", {"n_neighbors": 0}), ValueError, "n_neighbors must be"),
        (3, TypeError, "core must be the name of a method"),
        (("relieff", 3), TypeError, "core must be the name of a method"),
    ],
)
def test_methods_as_parameters_are_checked(toys, given, error, message):
    data = make(3, n=30, p=4)
    with pytest.raises(error, match=message):
        core.rank(data.X, data.y, "half", core=given)


def test_command_line(toys, capsys):
    assert cli.main(["rank", "iris", "--method", "half", "--set", "core=surf", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parameters"]["core"] == ["surf", []]
    settings = ["--set", "core=relieff", "--set", "core.n_neighbors=3", "--set", "share=1.0"]
    assert cli.main(["rank", "iris", "--method", "half", *settings, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parameters"]["core"] == ["relieff", [["n_neighbors", 3]]]
    assert cli.main(["methods"]) == 0
    text = capsys.readouterr().out
    assert "half  (Half; classification, regression)" in text
    assert "Ranks what is kept" in text


def test_scorers(toys):
    from Orange.data import Table

    iris = Table("iris")
    half = orangecontrib.reliefe.Half(core=("relieff", {"n_neighbors": 3}))
    assert half(iris).shape == (4,)
    assert orangecontrib.reliefe.ClockStar()(iris).tolist() == [0, 2, 4, 6]
    assert "Half" in orangecontrib.reliefe.__all__
    assert "ClockStar" in dir(orangecontrib.reliefe)


def test_a_name_is_taken(toys):
    with pytest.raises(ValueError, match="there is a method 'half' already"):
        register(Half())


def test_a_family_is_known(monkeypatch):
    monkeypatch.setattr(Half, "family", "cousins")
    with pytest.raises(ValueError, match="unknown family 'cousins'; choose from relief, learned"):
        register(Half())


def test_info_of_trees_is_declared():
    """For other methods, the comparison with their twins says so."""
    data = make(5, n=40, p=4)
    assert set(core.rank(data.X, data.y, "pct", n_trees=3).info) <= {
        detail.name for detail in details_of(core.METHODS["pct"])
    }


def test_a_name_in_info_has_one_type():
    """Scripts read an entry in the same way, whichever method has it."""
    types = {}
    for method in core.METHODS.values():
        for detail in details_of(method):
            assert types.setdefault(detail.name, detail.type) == detail.type, (method.name, detail.name)


def test_an_entry_of_info_is_declared_once():
    for method in core.METHODS.values():
        names = [detail.name for detail in details_of(method)]
        assert len(set(names)) == len(names), method.name
