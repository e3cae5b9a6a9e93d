"""Null gain of boosting, and where boosting stops by it: as their twin has them."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.learned import row_distances
from orangecontrib.reliefe.tests.naive import null_gain as twin
from orangecontrib.reliefe.tests.samples import SMALL, make

pytestmark = pytest.mark.usefixtures("no_warnings")

STORED = pytest.mark.parametrize("stored", [True, False])


def check(X, y, nominal, method, stored=True, t=None, numbers=(), **options):
    """Compare the null gains with those of the twin, which are returned with the features that are held."""
    task = "classification" if t is None else "regression"
    found = rank(X, y, method, task=task, nominal=nominal, n_neighbors=4, random_state=5, **options).info
    # A permutation is a search where classes have neighbours of their own, whose distances are not stored.
    count = 2 if stored or t is not None else 1
    expected, held, stopped = twin.rank(
        X, y, nominal, method, 5, t=t, numbers=numbers, n_neighbors=4, n_permutations=count, **options
    )
    np.testing.assert_allclose(found["null_gain"], expected, rtol=0, atol=1e-9)
    assert found["stopped"] == stopped
    return expected, held


def heavy(seed, n=20, p=17):
    """Three classes, and features that differ between them so much that they are most of the distance."""
    rng = np.random.default_rng(seed)
    y = np.sort(np.append([0, 0, 1, 2, 2], rng.integers(0, 3, n - 5)))
    X, nominal = rng.random((n, p)), np.arange(p) >= p - 3
    X[:, :4] = (y[:, None] * [1, -1, 1, 1] >= [1, -1, 2, 1]) + rng.normal(0, 0.25, (n, 4))
    X[:, nominal] = rng.integers(0, 3, (n, 3))
    X[:, -1] = np.where(rng.random(n) < 0.9, y, X[:, -1])
    return X, y, nominal


@STORED
@pytest.mark.parametrize("options", [{}, {"global_part": False, "ramp": (0.0, 0.9)}], ids=["plain", "ramp"])
def test_heavy_features_are_held(stored, options, monkeypatch):
    """They stay with the targets in one of the permutations, and boosting takes several before it stops."""
    if not stored:
        monkeypatch.setattr(row_distances, "MAX_BYTES", 0)
    expected, held = check(*heavy(1), "boostedlearnedrelief", stored, **options)
    assert {0, 1, 3, 16} <= set(held)
    assert len(set(expected)) > 3


@pytest.mark.parametrize("reason", ["few others", "missing values"])
def test_heavy_features_are_permuted(reason):
    """They are, if hardly any others are left, or if distances are no sums over the features."""
    X, y, nominal = heavy(1, p=15 if reason == "few others" else 17)
    if reason == "missing values":
        X[3, 5] = np.nan
    _, held = check(X, y, nominal, "boostedlearnedrelief", global_part=False)
    assert held == []


@STORED
@pytest.mark.parametrize("method", ["boostedrelief", "boostedlearnedrelief"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_missing_values(method, task, stored, monkeypatch):
    if not stored:
        monkeypatch.setattr(row_distances, "MAX_BYTES", 0)
    data = make(2, task, n=16 if SMALL else 20, p=9, nominal=(7, 8), n_classes=3, missing=0.05)
    data = data.rows(np.argsort(data.y, kind="stable")) if task == "classification" else data
    t = None if task == "classification" else np.abs(data.y[:, None] - data.y) / np.ptp(data.y)
    check(data.X, data.y, data.nominal, method, stored, t, () if t is None else [data.y])
