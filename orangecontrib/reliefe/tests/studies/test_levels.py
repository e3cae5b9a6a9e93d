"""Levels of tests in simulated studies: features that only follow a covariate, or censoring, are not found."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import Survival, significance
from orangecontrib.reliefe.tests.studies.designs import CONFOUNDED, batches, lifetimes, repeated


def shares(design, sets, **options):
    """Shares of sets with any discovery, and of confounded features with p <= .05, where nothing is relevant."""
    found = []
    for seed in range(sets):
        X, y, c, odd = design(np.random.default_rng((seed, 30)), **options)
        tested = significance(
            X, y, "multisurf", n_shuffles=20, covariates=c, nominal=np.full(X.shape[1], X[0, 0] % 1 == 0)
        )
        found.append([(tested.q <= 0.1).any(), (tested.p[odd] <= 0.05).mean()])
    return np.mean(found, axis=0)


def test_batches_are_not_found():
    """A quick representative of the levels below."""
    unadjusted = []
    for seed in range(4):
        X, y, _, odd = batches(np.random.default_rng((seed, 30)))
        unadjusted.append((significance(X, y, "multisurf", n_shuffles=20).p[odd] <= 0.05).mean())
    assert np.mean(unadjusted) > 0.1
    assert shares(batches, 4)[1] <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("number", [False, True])
@pytest.mark.parametrize("name", CONFOUNDED)
def test_levels_of_confounded_features(name, number):
    any_found, confounded = shares(CONFOUNDED[name], 30, number=number)
    assert any_found <= 7 / 30
    assert 0.01 <= confounded <= 0.08


@pytest.mark.slow
def test_a_pair_is_found_where_features_are_confounded():
    found = 0
    for seed in range(10):
        X, y, c, _ = CONFOUNDED["populations"](np.random.default_rng((seed, 31)), n=400, p=100, main=0.7, pair=2.2)
        q = significance(X, y, "multisurf", covariates=c, nominal=np.ones(100, bool), n_shuffles=20).q
        found += bool((q[5:7] <= 0.1).all())
    assert found >= 8


@pytest.mark.slow
def test_levels_where_censoring_depends_on_features():
    p = []
    for seed in range(30):
        X, time, event, odd = lifetimes(np.random.default_rng((seed, 30)))
        p.append(significance(X, Survival(time, event), "multisurf", n_shuffles=20).p[odd])
    assert (np.array(p) <= 0.05).mean() <= 0.12


@pytest.mark.slow
@pytest.mark.parametrize("constant", [True, False])
def test_levels_of_repeated_measures(constant):
    shares = {}
    for grouped in (True, False):
        p = []
        for seed in range(20):
            X, y, g = repeated(np.random.default_rng((seed, 30)), constant)
            p.append(significance(X, y, "relieff", n_shuffles=50, **({"groups": g} if grouped else {})).p)
        shares[grouped] = (np.array(p) <= 0.05).mean()
    assert 0.03 <= shares[True] <= 0.07
    assert shares[False] > 0.3
