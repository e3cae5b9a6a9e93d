"""Hierarchies of labels: closure, weights, gamma; SSL-Relief and RReliefF on them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from orangecontrib.reliefe.core.targets.hierarchy import Hierarchy
from orangecontrib.reliefe.tests.naive import targets as twins
from orangecontrib.reliefe.tests.naive import unlabelled as naive
from orangecontrib.reliefe.tests.target_samples import (
    DAG,
    EXAMPLES,
    FLAT,
    GOLDEN,
    SEEDS,
    TREE,
    check,
    close,
    fixed,
    run,
    sample,
    scores,
)

RULE = pytest.mark.parametrize("label_weights", ["mean", "sum", "max", "none"])
GAMMA = pytest.mark.parametrize("gamma", ["sum", "max"])
SHAPE = pytest.mark.parametrize("hierarchy", [DAG, TREE, FLAT], ids=["graph", "tree", "flat"])
METHOD = pytest.mark.parametrize("method", ["sslrelief", "rrelieff"])


def settings_of(method):
    return fixed() if method == "sslrelief" else {"n_neighbors": 6, "sigma": 4.0}


def weights(parents, decay=0.75, rule="mean"):
    return Hierarchy.read(parents, len(parents)).weights(decay, rule)


@st.composite
def graphs(draw):
    """Parents of up to nine labels, in any order, without a cycle."""
    L = draw(st.integers(1, 9))
    order = draw(st.permutations(range(L)))
    parents = [()] * L
    for k, label in enumerate(order):
        parents[label] = tuple(draw(st.lists(st.sampled_from(order[:k]), unique=True, max_size=3))) if k else ()
    return parents


def test_golden_weights():
    diamond = GOLDEN["diamond"]
    close(twins.alphas(diamond["parents"]), diamond["weights"], 0)
    close(weights(diamond["parents"]), diamond["weights"], 1e-15)


@pytest.mark.parametrize("rule, last", [("mean", 0.5625), ("sum", 1.125), ("max", 0.5625), ("none", 1)])
def test_weight_of_a_label_with_two_parents(rule, last):
    found = weights([(), (0,), (0,), (1, 2)], rule=rule)
    close(found, [1, *([1, 1] if rule == "none" else [0.75, 0.75]), last], 1e-15)


@pytest.mark.parametrize("rule, last", [("mean", 0.75), ("sum", 1.5), ("max", 1.0)])
def test_weight_of_a_label_with_parents_of_different_depth(rule, last):
    found = weights([(1,), (), (0, 1)], 0.5, rule)
    close(found, [0.5, 1, last * 0.5], 1e-15)


@EXAMPLES
@given(graphs(), st.floats(0.01, 0.99), st.sampled_from(["mean", "sum", "max", "none"]))
def test_weights(parents, decay, rule):
    close(weights(parents, decay, rule), twins.alphas(parents, decay, rule), 1e-12)


@EXAMPLES
@given(graphs(), SEEDS)
def test_closure(parents, seed):
    """Sparse, and with unknown labels; what is closed stays."""
    L = len(parents)
    rng = np.random.default_rng(seed)
    Y = (rng.random((7, L)) < 0.3).astype(float)
    hierarchy = Hierarchy.read(parents, L)
    expected = twins.closed(Y, parents)
    assert np.array_equal(hierarchy.close(sparse.csr_array(Y.astype(np.uint8))).toarray(), expected)
    for parent, child in ((p, c) for c in range(L) for p in parents[c]):
        assert np.all(expected[:, parent] >= expected[:, child])
    Y[rng.random(Y.shape) < 0.3] = np.nan
    before = Y.copy()
    np.testing.assert_array_equal(hierarchy.close_partly(Y), twins.closed(Y, parents))
    np.testing.assert_array_equal(Y, before)
    np.testing.assert_array_equal(hierarchy.close_partly(twins.closed(Y, parents)), twins.closed(Y, parents))


@METHOD
@SHAPE
@RULE
@GAMMA
@pytest.mark.parametrize("partly", [0, 0.3])
def test_all_rules(method, hierarchy, label_weights, gamma, partly):
    data = sample(1, "hierarchical", hierarchy=hierarchy, labelled=0.8, partly=partly)
    check(data, method, label_weights=label_weights, gamma=gamma, **settings_of(method))


@METHOD
@GAMMA
def test_largest_distance_of_partly_known_sets(method, gamma):
    """It is the largest one of any two rows, by the labels that both know."""
    data = sample(3, "hierarchical", partly=0.05)
    assert np.nanmax(data.differences()) < 0.9
    check(data, method, gamma=gamma, **settings_of(method))


@METHOD
@GAMMA
def test_largest_distance_is_of_labelled_rows(method, gamma):
    """Rows without a label set are no empty sets."""
    data = sample(12, "hierarchical", labelled=0.7)
    known = ~np.isnan(data.values).all(axis=1)
    data.y[known, 0], data.values[known, 0] = 1, 1
    check(data, method, gamma=gamma, **settings_of(method))


@METHOD
@RULE
@GAMMA
@pytest.mark.parametrize("target_distance", ["f1", "accuracy", "subset"])
@pytest.mark.parametrize("partly", [0, 0.02, 0.3])
def test_distances_of_weighted_sets(method, label_weights, gamma, target_distance, partly):
    """Their scale is their own: gamma is Hamming's."""
    data = sample(11, "hierarchical", labelled=0.8, partly=partly)
    known = ~np.isnan(data.values).all(axis=1)
    data.y[known, 0], data.values[known, 0] = 1, 1
    target = {"label_weights": label_weights, "target_distance": target_distance, "gamma": gamma}
    check(data, method, **target, **settings_of(method))


@METHOD
@pytest.mark.parametrize("label_decay", [0.01, 0.5, 0.99])
def test_decay(method, label_decay):
    check(sample(2, "hierarchical", labelled=0.8), method, label_decay=label_decay, **settings_of(method))


@METHOD
def test_defaults(method):
    data = sample(3, "hierarchical", labelled=0.8)
    given_all = scores(data, method, label_weights="mean", label_decay=0.75, gamma="sum", **settings_of(method))
    assert np.array_equal(scores(data, method, **settings_of(method)), given_all)


@METHOD
def test_sets_are_closed_first(method):
    data = sample(4, "hierarchical", partly=0.2)
    closed = replace(data, y=twins.closed(data.y, data.hierarchy))
    assert not np.array_equal(closed.y, data.y)
    assert np.array_equal(scores(data, method, **settings_of(method)), scores(closed, method, **settings_of(method)))


@METHOD
@GAMMA
def test_labels_that_never_occur_do_not_count(method, gamma):
    data = sample(5, "hierarchical", labelled=0.8)
    wider = replace(data, y=np.column_stack([data.y, np.where(np.isnan(data.y[:, :2]), np.nan, 0)]),
                    hierarchy=(*data.hierarchy, (), (5, 6)))  # fmt: skip
    close(scores(wider, method, gamma=gamma, **settings_of(method)),
          scores(data, method, gamma=gamma, **settings_of(method)), 1e-12)  # fmt: skip


@METHOD
def test_gamma_changes_the_scores(method):
    data = sample(6, "hierarchical")
    one, other = (scores(data, method, gamma=gamma, **settings_of(method)) for gamma in ("sum", "max"))
    assert not np.allclose(one, other, rtol=0, atol=1e-6)


@pytest.mark.parametrize("form", [list, tuple, lambda parents: [list(own) for own in parents],
                                  lambda parents: [np.array(own, int) for own in parents],
                                  lambda parents: [own or None for own in parents]],
                         ids=["list", "tuple", "lists", "arrays", "none"])  # fmt: skip
def test_forms_of_parents(form):
    data = sample(7, "hierarchical")
    found = scores(replace(data, hierarchy=form(data.hierarchy)), "rrelieff")
    assert np.array_equal(found, scores(data, "rrelieff"))


@METHOD
@pytest.mark.parametrize("form", [
    lambda Y: Y.astype(bool), lambda Y: Y.astype(int), lambda Y: Y.astype(np.uint8), lambda Y: Y.tolist(),
    lambda Y: Y.astype(object), sparse.csr_array, sparse.csc_matrix, lambda Y: pd.DataFrame(Y, columns=list("uvwxyz")),
    lambda Y: pd.DataFrame(Y.astype(bool))],
    ids=["bool", "int", "uint8", "list", "object", "csr", "csc", "frame", "frame of bool"])  # fmt: skip
def test_forms_of_label_sets(method, form):
    """Also without naming the task: the hierarchy tells it."""
    data = sample(8, "hierarchical")
    for task in (data.task, None):
        found = run(replace(data, y=form(data.y), task=task), method, **settings_of(method))
        assert np.array_equal(found.scores, scores(data, method, **settings_of(method)))
        assert found.info["task"] == "hierarchical"


def test_names_of_labels():
    data = sample(9, "hierarchical")
    found = run(replace(data, y=pd.DataFrame(data.y, columns=list("uvwxyz"))), "sslrelief", per_target=True, **fixed())
    assert found.targets == tuple("uvwxyz")


@METHOD
def test_long_chain(method):
    """Deeper than recursion goes."""
    L = 1500
    data = sample(10, "hierarchical", n=12)
    Y = np.zeros((12, L))
    Y[np.arange(12), np.arange(12) * 120] = 1
    chain = replace(data, y=sparse.csr_array(Y), hierarchy=[(), *((k,) for k in range(L - 1))])
    depth = np.arange(12) * 120
    t = np.abs(np.subtract.outer(0.5 ** (depth + 1), 0.5 ** (depth + 1))) / (1 - 0.5 ** (depth.max() + 1))
    found = scores(chain, method, label_decay=0.5, **settings_of(method))
    close(found, getattr(naive, method)(data.X, t, data.nominal, **settings_of(method)))
