"""Groups of packed genotypes: against loops over the definition, and against numbers."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import METHODS, Packed, rank, refine
from orangecontrib.reliefe.tests.naive import grouped

N, P = 20, 140  # features beyond the 64 and 128 that words end at
# Groups of 1 to 70 features, whose features do not follow each other
SIZES = [70, 30, 12, 12, 7, 3, 2, 1, 1]
ORDER = np.random.default_rng(3).permutation(sum(SIZES))
MEMBERS = [sorted(part.tolist()) for part in np.split(ORDER, np.cumsum(SIZES)[:-1])]
MEMBERS += [[j] for j in range(sum(SIZES), P)]  # alone
MEMBERS.sort(key=min)
GROUPS = {f"g{k}": features for k, features in enumerate(MEMBERS)}
CASES = [  # method, task, whether genotypes are additive, share of unknown ones, and what is done with these
    ("relief", "classification", False, 0.0, None),
    ("relieff", "classification", True, 0.1, "ignore"),
    ("relieff", "classification", False, 0.1, "separate"),
    ("surfstar", "classification", True, 0.0, None),
    ("multisurf", "classification", False, 0.1, "ignore"),
    ("multiswrfdb", "classification", False, 0.0, None),
    ("multisurf", "regression", True, 0.1, "ignore"),
    ("rrelieff", "regression", False, 0.1, "ignore"),
    ("urelief", "unsupervised", True, 0.0, None),
]


def sample(unknown=0.0, seed=0):
    """Genotypes (n, p), -1 where unknown, and two classes."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (N, P))
    codes[:, 5] = codes[:, 5] > 0  # a range of 1
    codes[:, 6] = 1  # constant
    y = ((codes[:, 0] > 0) != (codes[:, 1] > 0)).astype(int)
    return np.where(rng.random(codes.shape) < unknown, -1, codes), y


def few(method):
    """Parameters by which only some rows are neighbours."""
    has_lists = any(parameter.name == "n_neighbors" for parameter in METHODS[method].parameters)
    return {"n_neighbors": 4} if has_lists else {}


@pytest.mark.parametrize("method, task, additive, unknown, missing", CASES)
def test_scores_are_those_of_the_twin(method, task, additive, unknown, missing):
    codes, y = sample(unknown)
    target = {"classification": y, "regression": y + np.linspace(0, 0.3, N), "unsupervised": None}[task]
    options = few(method) | ({} if missing is None else {"missing": missing})
    given = None if task == "unsupervised" else task
    found = rank(Packed.of(codes, additive), target, method, task=given, feature_groups=GROUPS, **options)
    X = np.where(codes < 0, np.nan, codes)
    expected = grouped.rank(X, target, method, MEMBERS, np.full(P, not additive), task, bounds=(0, 2), **options)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-9)
    assert not any("unpacked" in note for note in found.info["information"])


@pytest.mark.parametrize("method", ["relieff", "multisurf"])
def test_tests_threads_and_partial_rankings(method):
    rng = np.random.default_rng(1)
    codes = np.where(rng.random((300, P)) < 0.02, -1, rng.integers(0, 3, (300, P)))
    y = (codes[:, 0] > 0) != (codes[:, 1] > 0)
    packed = Packed.of(codes)
    options = {"missing": "ignore", "feature_groups": GROUPS}
    one, two = (rank(packed, y, method, n_jobs=n, significance=5, **options) for n in (1, 2))
    np.testing.assert_array_equal(one.scores, two.scores)
    np.testing.assert_array_equal(one.significance.p, two.significance.p)
    *_, last = refine(packed, y, method, **options)
    np.testing.assert_allclose(last.scores, one.scores, rtol=0, atol=1e-12)
    numbers = np.where(codes < 0, np.nan, codes)
    dense = rank(numbers, y, method, nominal=np.arange(P), significance=5, **options)
    np.testing.assert_allclose(one.scores, dense.scores, rtol=0, atol=1e-9)
    np.testing.assert_allclose(one.significance.z, dense.significance.z, rtol=0, atol=1e-6)
