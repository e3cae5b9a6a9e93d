"""Capabilities that methods declare, beside what they do."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.methods.capabilities import COLUMNS, capabilities, in_short
from orangecontrib.reliefe.core.methods.filter import Filter
from orangecontrib.reliefe.tests.samples import times

OWN = [name for name, method in METHODS.items() if name != "reliefe" and method.family not in ("wrapper", "trees")]


@pytest.fixture(scope="module")
def pair():
    """Two of eight binary features decide together which class a row has, and say nothing alone."""
    X = np.random.default_rng(0).integers(0, 2, (120, 8)).astype(float)
    return X, (X[:, 0] != X[:, 1]).astype(int)


@pytest.mark.parametrize(
    "name", [name for name in OWN if METHODS[name].interactions and "classification" in METHODS[name].tasks]
)
def test_a_pair_comes_first_where_interactions_are_declared(name, pair):
    X, y = pair
    assert {*rank(X, y, name, nominal=np.ones(8, bool)).ranking[:2]} == {0, 1}


def test_single_features_tell_nothing_of_a_pair(pair):
    X, y = pair
    assert not METHODS["mutualinfo"].interactions
    assert {*rank(X, y, "mutualinfo", nominal=np.ones(8, bool)).ranking[:2]} != {0, 1}


@pytest.mark.parametrize("name", OWN)
def test_sparse_features_are_ranked(name, pair):
    X, y = pair
    supervised = "unsupervised" not in METHODS[name].tasks
    y = X[:, 0] + X[:, 1] / 2 if "classification" not in METHODS[name].tasks else y
    y = times(y[:60]) if METHODS[name].tasks == ("survival",) else y[:60]
    found = rank(sparse.csr_array(X[:60]), y if supervised else None, name)
    assert METHODS[name].sparse
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


def test_a_new_method_has_defaults():
    class Own(Filter):
        name = title = "own"

    words = capabilities(Own())
    assert (words["interactions"], words["nominal"], words["time"]) == ("no", "indicators", "n^2 p")
