"""Capabilities that methods declare, beside what they do."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.methods.capabilities import COLUMNS, capabilities, in_short
from orangecontrib.reliefe.core.methods.filter import Filter
from orangecontrib.reliefe.core.methods.registry import register
from orangecontrib.reliefe.core.methods.traits import Traits
from orangecontrib.reliefe.tests.samples import times

OWN = [name for name, method in METHODS.items() if name != "reliefe" and method.family not in ("wrapper", "trees")]


@pytest.fixture(scope="module")
def pair():
    """Two of eight binary features decide together which class a row has, and say nothing alone."""
    X = np.random.default_rng(0).integers(0, 2, (120, 8)).astype(float)
    return X, (X[:, 0] != X[:, 1]).astype(int)


@pytest.mark.parametrize(
    "name", [name for name in OWN if METHODS[name].traits.interactions and "classification" in METHODS[name].tasks]
)
def test_a_pair_comes_first_where_interactions_are_declared(name, pair):
    X, y = pair
    assert {*rank(X, y, name, nominal=np.ones(8, bool)).ranking[:2]} == {0, 1}


def test_single_features_tell_nothing_of_a_pair(pair):
    X, y = pair
    assert not METHODS["mutualinfo"].traits.interactions
    assert {*rank(X, y, "mutualinfo", nominal=np.ones(8, bool)).ranking[:2]} != {0, 1}


@pytest.mark.parametrize("name", OWN)
def test_sparse_features_are_ranked(name, pair):
    X, y = pair
    supervised = "unsupervised" not in METHODS[name].tasks
    y = X[:, 0] + X[:, 1] / 2 if "classification" not in METHODS[name].tasks else y
    y = times(y[:60]) if METHODS[name].tasks == ("survival",) else y[:60]
    found = rank(sparse.csr_array(X[:60]), y if supervised else None, name)
    assert METHODS[name].traits.sparse
    assert len(found.scores) == 8


def test_words_for_every_column():
    for method in METHODS.values():
        words = capabilities(method)
        assert tuple(words) == COLUMNS
        assert all(words.values())
        assert len(in_short(method)) < 100


def test_words_follow_the_parameters():
    words = capabilities(METHODS["relieff"])
    assert (words["targets"], words["diff"]) == ("C", "range, rank, presence, auto")
    assert capabilities(METHODS["erelieff"])["missing"] == "ignore"
    assert capabilities(METHODS["pct"])["missing"] == "majority, fractional"
    assert capabilities(METHODS["turf"])["interactions"] == "as core"
    assert capabilities(METHODS["boostedrelief"])["redundancy"] == "yes"
    assert "avoids repetition" in in_short(METHODS["boostedrelief"])


STATED = {
    "interactions": False,
    "redundancy": False,
    "sparse": False,
    "nominal": "as numbers",
    "missing": "filled",
    "complexity": "n p",
}


class Variance(Filter):
    """A filter that somebody else wrote."""

    name, title, about, idea, citation = "variance", "Variance", "each alone", "Ranks by the variance", "a test"


def test_words_are_those_that_a_method_states():
    class Own(Variance):
        traits = Traits(**STATED)

    words = capabilities(Own())
    printed = ("no", "no", "no", "as numbers", "filled", "n p")
    columns = ("interactions", "redundancy", "sparse", "nominal", "missing", "time")
    assert tuple(words[column] for column in columns) == printed


@pytest.mark.parametrize("field", STATED)
def test_no_trait_that_tables_print_has_a_default(field):
    with pytest.raises(TypeError, match=field):
        Traits(**{name: value for name, value in STATED.items() if name != field})


def test_a_method_states_its_traits():
    with pytest.raises(TypeError, match=r"the method Variance states no traits of its own: give it traits = .*sparse"):
        register(Variance())
    assert "variance" not in METHODS


def test_traits_of_another_method_are_no_traits_of_its_own():
    class Heirs(type(METHODS["spec"])):
        name = "heirs"

    with pytest.raises(TypeError, match="the method Heirs states no traits of its own"):
        register(Heirs())


def test_a_method_states_what_lists_show():
    class Nameless(Filter):
        name, traits = "nameless", Traits(**STATED)

    with pytest.raises(TypeError, match="the method Nameless has no title; a method states name, title, about"):
        register(Nameless())
