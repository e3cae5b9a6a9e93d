"""Kinds of discoveries in simulated data: additive effects of any form are not called "only together", pairs are."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import Survival, significance

CURVES = {
    "U": np.square,
    "V": np.abs,
    "step": lambda x: np.where(x > 0.8, 1.0, 0.0),
    "wave": lambda x: np.sin(3 * x),
}
PAIRS = {"parity": lambda a, b: np.sign(a * b), "product": np.multiply}
SIZES = {"classes": 2.0, "number": 1.1, "times": 1.8}


def target_of(kind, effect, rng):
    """Classes, a number, or times of which a third is censored."""
    effect = SIZES[kind] * effect
    if kind == "classes":
        noisy = effect + rng.logistic(size=len(effect))
        return (noisy > np.median(noisy)).astype(int)
    if kind == "number":
        return effect + rng.normal(size=len(effect))
    return Survival(rng.exponential(size=len(effect)) * np.exp(-effect), rng.random(len(effect)) < 2 / 3)


def shares(kind, sets, make):
    """Numbers of discoveries by the score among the first two features, and share of these "only together"."""
    kinds = []
    for seed in range(sets):
        rng = np.random.default_rng([seed, 43])
        X = rng.normal(size=(300, 30))
        found = significance(X, target_of(kind, make(X[:, 0], X[:, 1]), rng), "multisurf", n_shuffles=20)
        kinds += list(found.kind[:2])
    discovered = [name for name in kinds if name in ("both", "only together")]
    return len(discovered), np.mean([name == "only together" for name in discovered])


def additive(curve):
    """Sum of the curves of two features, of variance 1 each."""

    def make(a, b):
        values = np.array([curve(a), curve(b)])
        return ((values - values.mean(axis=1, keepdims=True)) / values.std(axis=1, keepdims=True)).sum(axis=0)

    return make


def test_a_curve_and_a_pair():
    """A quick representative of the shares below."""
    assert shares("classes", 3, additive(CURVES["U"])) == (6, 0)
    n, together = shares("classes", 3, PAIRS["parity"])
    assert n >= 4
    assert together >= 0.5


@pytest.mark.slow
@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("curve", CURVES)
def test_additive_effects_are_not_called_only_together(kind, curve):
    n, together = shares(kind, 15, additive(CURVES[curve]))
    assert n >= 8
    assert together <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind, pair",
    [("classes", "parity"), ("classes", "product"), ("number", "parity"), ("number", "product"), ("times", "parity")],
)
def test_pairs_are_called_only_together(kind, pair):
    """Not times by a product: the mean of a hazard exp(x_1 x_2) over x_2 has the form of a U in x_1."""
    n, together = shares(kind, 15, PAIRS[pair])
    assert n >= 8
    assert together >= 0.8
