"""Promises of boosting on margins: its limits, its list, where it stops, and data on which little can be said."""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.core.learned import row_distances, stumps
from orangecontrib.reliefe.tests.naive import boosted as naive
from orangecontrib.reliefe.tests.samples import SMALL, make

ALL = "boostedrelief", "learnedrelief", "boostedlearnedrelief"
BOOSTED = pytest.mark.parametrize("method", ["boostedrelief", "boostedlearnedrelief"])
METHOD = pytest.mark.parametrize("method", ALL)
TASK = pytest.mark.parametrize("task", ["classification", "regression"])


pytestmark = pytest.mark.usefixtures("no_warnings")


def xor(n=60 if SMALL else 300, p=12, seed=0):
    """Two features that decide together, a copy of one of a third that decides a little, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, p))
    y = ((X[:, 0] > 0.5) != (X[:, 1] > 0.5)) + 2 * (X[:, 2] > 0.7)
    X[:, 3] = X[:, 2] + rng.normal(0, 0.01, n)
    return X, y


@BOOSTED
@TASK
def test_small_steps_are_the_ranking_by_t(method, task):
    data = make(1, task, n=30, p=12)
    given = {"nominal": data.nominal, "task": task, "n_neighbors": 5}
    nothing = rank(data.X, data.y, method, eta=0.0, **given)
    little = rank(data.X, data.y, method, eta=1e-7, **given)
    np.testing.assert_allclose(little.scores, nothing.scores, rtol=0, atol=1e-5)
    assert np.array_equal(little.ranking, nothing.ranking)


def test_means_of_margins_are_the_scores_of_relieff():
    """So the ranking by t differs from that of ReliefF by the spreads only."""
    data = make(2, n=30, p=8, n_classes=3)
    D = naive.differences(data.X, data.nominal, data.y)
    M = naive.margins(D, [naive.distances(D)] * 8, data.y, None, 4, range(30))
    found = rank(data.X, data.y, "relieff", nominal=data.nominal, n_neighbors=4).scores
    np.testing.assert_allclose(naive.shares(data.y, range(30), None) @ M, found, rtol=0, atol=1e-12)


@BOOSTED
def test_list(method):
    X, y = xor()
    found = rank(X, y, method)
    info = found.info
    count = len(info["selected"])
    assert found.ranking[:count].tolist() == info["selected"]
    assert len(set(info["selected"])) == count == len(info["gain"]) == len(info["null_gain"]) == len(info["weights"])
    assert all(gain > 0 for gain in info["gain"])
    assert all(np.diff(found.scores[found.ranking]) <= 0)
    assert 0 <= info["stopped"] <= count
    assert str(info["stopped"]) in info["summary"]


@BOOSTED
def test_redundant_features_come_late(method):
    """A feature and its copy are the first two of ReliefF, but the second of them adds little to the first."""
    X, y = xor(60 if SMALL else 600)
    for parameters in ({"global_part": False}, {"eta": "prediction-first"}):
        found = rank(X, y, method, **parameters)
        if not SMALL:
            assert found.info["stopped"] == 4
            assert set(rank(X, y, "relieff").ranking[:2]) == {2, 3}
            assert set(found.ranking[:2]) != {2, 3}
            assert set(found.ranking[:4]) == {0, 1, 2, 3}


def noise(kind, n, p, rng):
    """Features that tell nothing; heavy tails and few dimensions make some rows everybody's neighbours."""
    if kind == "binary":
        return rng.integers(0, 2, (n, p)).astype(float)
    if kind == "few dimensions":
        return np.exp(rng.normal(size=(n, 3)) @ rng.normal(size=(3, p)))
    return np.exp(2 * rng.normal(size=(n, p))) if kind == "heavy tails" else rng.random((n, p))


@pytest.mark.parametrize("kind", ["even", "binary", "heavy tails", "few dimensions"])
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_it_stops_at_once_where_nothing_tells_anything(kind, share):
    """Also where one class is rarer: its rows are farther in every feature, which is not to be taken for a gain."""
    found = []
    for seed in range(1 if SMALL else 6):
        rng = np.random.default_rng(seed)
        X, y = noise(kind, 40 if SMALL else 200, 30, rng), rng.random(40 if SMALL else 200) < share
        found += [
            rank(X, y.astype(int), method, random_state=seed).info["stopped"]
            for method in ("boostedrelief", "boostedlearnedrelief")
        ]
    if not SMALL:
        assert np.mean(np.array(found) <= 1) >= 0.75
        assert np.mean(found) < 1


def test_it_goes_on_where_values_are_far_off():
    """Features with heavy tails that tell the class; in lists that stand, shuffled ones would gain as much."""
    rng = np.random.default_rng(0)
    n = 60 if SMALL else 400
    y = rng.integers(0, 2, n)
    X = np.where(rng.random((n, 20)) < 0.9, 0, np.exp(2 * rng.normal(size=(n, 20))))
    X[:, :3] = np.where(rng.random((n, 3)) < 0.1 + 0.3 * y[:, None], np.exp(2 * rng.normal(size=(n, 3))), 0)
    if not SMALL:
        found = rank(X, y, "boostedrelief")
        assert set(found.ranking[:3]) == {0, 1, 2}
        assert found.info["stopped"] == 3


@BOOSTED
@TASK
def test_chance_is_a_parameter(method, task):
    """It moves the level of chance and where boosting stops, not the list."""
    data = make(12, task, n=40, p=9)
    given = {"nominal": data.nominal, "task": task, "n_neighbors": 5}
    a, b, c = (rank(data.X, data.y, method, random_state=s, **given) for s in (0, 0, 1))
    assert a.info["null_gain"] == b.info["null_gain"] != c.info["null_gain"]
    assert np.array_equal(a.scores, c.scores)


@BOOSTED
def test_distances_that_are_not_kept(method, monkeypatch):
    """Then targets are shuffled once, since every shuffle looks up all neighbours."""
    data = make(13, n=40, p=9, n_classes=3)
    kept = rank(data.X, data.y, method, nominal=data.nominal, n_neighbors=5)
    monkeypatch.setattr(row_distances, "MAX_BYTES", 0)
    found = rank(data.X, data.y, method, nominal=data.nominal, n_neighbors=5)
    np.testing.assert_allclose(found.scores, kept.scores, rtol=0, atol=1e-9)
    assert np.isfinite(found.info["null_gain"]).all()


@BOOSTED
@pytest.mark.parametrize("candidates", [1, 3, "auto", None, 10**6])
def test_candidates(method, candidates):
    data = make(5, n=30, p=9)
    found = rank(data.X, data.y, method, nominal=data.nominal, candidates=candidates, n_neighbors=4)
    every = rank(data.X, data.y, method, nominal=data.nominal, candidates=None, n_neighbors=4)
    if candidates in (1, 3):
        assert found.info["candidates"] == candidates
        assert len(found.info["selected"]) <= candidates
        assert found.info["selected"][0] == every.info["selected"][0]
    else:
        assert np.array_equal(found.scores, every.scores)


@BOOSTED
def test_candidates_are_as_many_as_there_is_room_for(method, monkeypatch):
    data = make(5, n=30, p=300, nominal=())
    monkeypatch.setattr(stumps, "MAX_CELLS", 30 * 150)
    found = rank(data.X, data.y, method)
    assert found.info["candidates"] == 150
    monkeypatch.undo()
    every = rank(data.X, data.y, method).info
    assert every["candidates"] == 300
    assert found.info["selected"][:5] == every["selected"][:5]


@METHOD
@TASK
def test_nothing_but_constant_and_missing_features(method, task):
    """All scores at or below zero, no heavy feature, a margin that is zero everywhere."""
    for X in (np.full((6, 2), np.nan), np.ones((6, 2)), np.zeros((6, 3))):
        for form in (np.array, sparse.csr_array):
            found = rank(form(X), [0, 1, 0, 1, 0, 2], method, task=task)
            assert np.array_equal(found.scores, np.zeros(X.shape[1]))
            assert found.info.get("stopped", 0) == 0


@METHOD
@TASK
def test_few_rows_and_features(method, task):
    for n in (2, 3, 5):
        for p in (1, 2, 17):
            data = make(6, task, n=max(n, 4), p=p, nominal=()).rows(slice(n))
            data.y[:2] = 0, 1
            assert np.isfinite(rank(data.X, data.y, method, task=task).scores).all()


@METHOD
def test_rows_that_are_all_alone_in_their_class(method):
    data = make(7, n=8, p=3)
    found = rank(data.X, np.arange(8), method, task="classification")
    assert np.isfinite(found.scores).all()


@METHOD
def test_misses_that_are_nearer_than_hits(method):
    """Every score is below zero: weights are then all alike."""
    X = np.repeat(np.arange(6.0), 2)[:, None] * [1, 1, 1]
    found = rank(X, np.arange(12) % 2, method, n_neighbors=1)
    assert (found.scores <= 0).all()
    assert found.info.get("selected", []) == []


@METHOD
@TASK
@pytest.mark.parametrize("scale", [1e150, 1e-150])
def test_extreme_numbers(method, task, scale):
    data = make(8, task, n=16, p=4, nominal=())
    a, b = (rank(X, data.y, method, task=task, n_neighbors=3).scores for X in (data.X, data.X * scale))
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-6)


@METHOD
def test_one_class(method):
    with pytest.raises(ValueError, match="one class"):
        rank(np.random.default_rng(0).random((9, 3)), np.zeros(9, int), method)


@METHOD
def test_infinite_values(method):
    X = np.random.default_rng(0).random((9, 3))
    X[2, 1] = np.inf
    with pytest.raises(ValueError, match="infinite"):
        rank(X, np.arange(9) % 2, method)


@pytest.mark.parametrize("name, values", [
    ("eta", (-0.1, 1.1, np.nan)), ("rounds", (-1, 51)), ("candidates", (0, -3)), ("n_neighbors", (0,)),
])  # fmt: skip
def test_values_of_parameters(name, values):
    for value in values:
        with pytest.raises(ValueError, match=name):
            rank(np.eye(4), [0, 1, 0, 1], "boostedlearnedrelief", **{name: value})
    with pytest.raises(TypeError, match=name):
        rank(np.eye(4), [0, 1, 0, 1], "boostedlearnedrelief", **{name: "many"})


def test_parameters_are_those_of_the_parts():
    names = {method: {p.name for p in METHODS[method].parameters} for method in ALL}
    assert names["boostedlearnedrelief"] == names["boostedrelief"] | names["learnedrelief"]
    assert "rounds" not in names["boostedrelief"]
    assert "eta" not in names["learnedrelief"]
