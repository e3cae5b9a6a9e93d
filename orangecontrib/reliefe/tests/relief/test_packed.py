"""Rankings of packed genotypes: those of the same numbers, which have twins of their own."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, Packed, neighbour_curves, partners, rank, significance
from orangecontrib.reliefe.core.data import packed as packing
from orangecontrib.reliefe.core.data.dosages import Dosages
from orangecontrib.reliefe.tests.limits import lower
from orangecontrib.reliefe.tests.samples import SMALL

N, P = (20, 70) if SMALL else (90, 150)
PACKED = [name for name, method in METHODS.items() if method.traits.packed]


def genotypes(unknown=0.0, seed=0):
    """Codes with features of two values, constant ones, and where some are unknown, features and rows without any."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (N, P))
    codes[:, 3], codes[:, 4], codes[:, 5] = np.minimum(codes[:, 3], 1), np.maximum(codes[:, 4], 1), 1
    if unknown:
        codes = np.where(rng.random((N, P)) < unknown, -1, codes)
        codes[:, 7], codes[9] = -1, -1
    return codes


def target(method, seed=0):
    rng, tasks = np.random.default_rng(seed), METHODS[method].tasks
    if "classification" in tasks:
        return rng.integers(0, 3, N)
    return rng.normal(size=N) if "regression" in tasks else None


def numbers(codes, additive=False):
    """Codes as numbers, NaN where unknown; additive ones differ by half of their difference."""
    values = np.where(codes < 0, np.nan, codes)
    return Dosages(values) if additive else values


@pytest.mark.parametrize("method", PACKED)
@pytest.mark.parametrize("additive", [False, True])
def test_scores_are_those_of_numbers(method, additive):
    codes, y = genotypes(), target(method)
    nominal = None if additive else np.arange(P)
    found = rank(Packed.of(codes, additive), y, method)
    expected = rank(numbers(codes, additive), y, method, nominal=nominal)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-9)


@pytest.mark.parametrize("method", ["relieff", "multisurf", "surfstar", "rrelieff", "urelief"])
@pytest.mark.parametrize("strategy, additive", [("ignore", False), ("ignore", True), ("separate", False)])
def test_unknown_genotypes(method, strategy, additive):
    codes, y = genotypes(0.05), target(method)
    nominal = None if additive else np.arange(P)
    found = rank(Packed.of(codes, additive), y, method, missing=strategy)
    expected = rank(numbers(codes, additive), y, method, nominal=nominal, missing=strategy)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-9)
    assert found.info["strategy"] == strategy
    assert not found.info["information"]


@pytest.mark.parametrize(
    "method, parameters",
    [
        ("relieff", {"sigma": 3.0}),
        ("relievedf", {"n_neighbors": 4}),
        ("relief", {"power": 2}),
        ("relieff", {"missing": "class-conditional"}),
        ("relieff", {"n_instances": 11}),
        ("multisurf", {"n_instances": 11}),
        ("relieff", {"diff": "rank"}),
        ("reliefmss", {}),
        ("boostedrelief", {}),
        ("turf", {}),
        ("mutualinfo", {}),
        ("pct", {"n_trees": 3}),
    ],
)
def test_other_parameters_and_methods_give_the_same_scores(method, parameters):
    known = {p.name for p in METHODS[method].parameters}
    parameters = {name: value for name, value in parameters.items() if name in known}
    codes, y = genotypes(0.05), target("relieff")
    found = rank(Packed.of(codes), y, method, **parameters)
    expected = rank(numbers(codes), y, method, nominal=np.arange(P), **parameters)
    np.testing.assert_allclose(found.scores, expected.scores, atol=1e-9)


def test_several_targets_and_each_of_them():
    codes, rng = genotypes(), np.random.default_rng(1)
    Y = rng.normal(size=(N, 2))
    found, expected = (
        rank(X, Y, "rrelieff", per_target=True, **more)
        for X, more in ((Packed.of(codes), {}), (codes.astype(float), {"nominal": np.arange(P)}))
    )
    np.testing.assert_allclose(found.per_target, expected.per_target, atol=1e-9)


@pytest.mark.parametrize("method", ["relieff", "multisurf", "rrelieff"])
def test_threads_change_no_bit(method):
    table, y = Packed.of(genotypes(0.02)), target(method)
    scores = [rank(table, y, method, missing="ignore", n_jobs=jobs).scores.tobytes() for jobs in (1, 2, 3)]
    assert len(set(scores)) == 1


@pytest.mark.parametrize("method", ["surf", "surfstar", "multisurf", "multisurfstar"])
def test_zones_are_the_same_as_lists_and_as_tiles(method, monkeypatch):
    codes, y = genotypes(), target(method)
    tiles = rank(Packed.of(codes), y, method).scores
    lower(monkeypatch, MIN_FEATURES_PER_ROW=0)
    np.testing.assert_allclose(rank(Packed.of(codes), y, method).scores, tiles, atol=1e-9)


def test_lists_with_few_pairs_of_a_weight_are_summed_as_numbers(monkeypatch):
    codes, y = genotypes(), target("relieff")
    counted = rank(Packed.of(codes), y, "relieff").scores
    lower(monkeypatch, MIN_PAIRS=10**6)
    np.testing.assert_allclose(rank(Packed.of(codes), y, "relieff").scores, counted, atol=1e-12)


@pytest.mark.parametrize("method", ["relieff", "multisurf", "rrelieff"])
@pytest.mark.parametrize("additive", [False, True])
def test_significance(method, additive):
    codes, y = genotypes(), target(method)
    nominal = None if additive else np.arange(P)
    found = significance(Packed.of(codes, additive), y, method, n_shuffles=3)
    expected = significance(numbers(codes, additive), y, method, n_shuffles=3, nominal=nominal)
    np.testing.assert_allclose(found.z, expected.z, atol=1e-8)
    np.testing.assert_allclose(found.p, expected.p, atol=0.02)  # z that agree but for rounding may change places


def test_partners():
    codes, y = genotypes(), target("relieff")
    found = partners(Packed.of(codes), y, n_shuffles=2)
    expected = partners(codes.astype(float), y, n_shuffles=2, nominal=np.arange(P))
    np.testing.assert_array_equal(found.features, expected.features)
    np.testing.assert_allclose(found.synergy, expected.synergy, atol=1e-6)


def test_what_is_too_large_for_numbers_is_said_before_any_work(monkeypatch):
    monkeypatch.setattr(packing, "MAX_UNPACKED_BYTES", 100)
    table, y = Packed.of(genotypes(0.05)), target("relieff")
    with pytest.raises(ValueError, match="missing='ignore'"):
        rank(table, y, "mutualinfo")
    assert len(rank(table, y, "relieff", missing="ignore").scores) == P


def test_methods_that_need_numbers_say_so():
    found = rank(Packed.of(genotypes()), target("relieff"), "mutualinfo")
    assert "are unpacked" in found.info["information"][0]


def test_nominal_is_known():
    with pytest.raises(ValueError, match="leave nominal out"):
        rank(Packed.of(genotypes(), additive=True), target("relieff"), "relieff", nominal=[0])


def test_all_numbers_of_neighbours():
    codes, y = genotypes(), target("relieff")
    found = neighbour_curves(Packed.of(codes), y, max_neighbors=5)
    expected = neighbour_curves(codes.astype(float), y, max_neighbors=5, nominal=np.arange(P))
    for k in (1, 3, 5):
        np.testing.assert_allclose(found.scores(k), expected.scores(k), atol=1e-6)
    np.testing.assert_allclose(found.band([0, 1])[0], expected.band([0, 1])[0], atol=1e-6)
