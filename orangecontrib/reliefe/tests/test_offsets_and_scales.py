"""Rankings of values far from 0, very large or very small: those of the same values near 0, by every method.

Milliseconds since 1970 are 1.7e12. Values are whole numbers, so that no offset rounds them.
"""

import numpy as np
import pytest
from scipy import sparse

from orangecontrib.reliefe.core import METHODS, rank
from orangecontrib.reliefe.tests.data_formats import PARENTS, quickened
from orangecontrib.reliefe.tests.samples import SMALL, times

N, P = (24, 4) if SMALL else (40, 5)
HIGH = 1000  # values from 0 to it
OFFSETS = (1.7e12, -1e15)
POWERS = (-500, 40)  # of two, which values are multiplied with
CLOSE = 1e-6  # of the largest score: 1e15 + 0.5 is rounded in the eighth digit of a range of 1000
PAIRS = [(name, task) for name, method in METHODS.items() for task in method.tasks]
# Thresholds of trees that are drawn at random are rounded to eighths at 1e15, and may come to lie on a value.
ROUNDED = {("pct", "unsupervised")}


def problem(task):
    """X (N, P) of whole numbers without repetitions in a column, and a target of the first two features."""
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.permutation(HIGH)[:N] for _ in range(P)]).astype(float)
    signal = X[:, 0] + X[:, 1]
    if task == "unsupervised":
        return X, None
    if task == "classification":
        return X, (signal > HIGH).astype(int)
    if task == "regression":
        return X, signal
    if task == "survival":
        return X, times(signal)
    several = np.column_stack([signal, X[:, 2], signal - X[:, 3], rng.permutation(HIGH)[:N]])
    return X, several if task == "multi-target" else (several > np.median(several, axis=0)).astype(float)


def scores(X, y, method, task):
    hierarchy = PARENTS if task == "hierarchical" else None
    return rank(X, y, method, task=task, hierarchy=hierarchy, n_jobs=1, **quickened(method, {})).scores


@pytest.mark.parametrize("method, task", PAIRS)
def test_features(method, task):
    X, y = problem(task)
    expected = scores(X, y, method, task)
    largest = np.abs(expected).max()
    assert largest > 0
    forms = {f"{offset:g}": X + offset for offset in OFFSETS if abs(offset) < 1e15 or (method, task) not in ROUNDED}
    forms |= {f"2^{power}": np.ldexp(X, power) for power in POWERS}
    if (method, task) not in ROUNDED:  # which takes no sparse data
        forms["CSR"] = sparse.csr_array(X + OFFSETS[0])
    for name, values in forms.items():
        np.testing.assert_allclose(scores(values, y, method, task), expected, atol=CLOSE * largest, err_msg=name)


@pytest.mark.parametrize("method, task", [pair for pair in PAIRS if pair[1] in ("regression", "multi-target")])
def test_targets(method, task):
    X, y = problem(task)
    expected = scores(X, y, method, task)
    largest = np.abs(expected).max()
    forms = {f"{offset:g}": y + offset for offset in OFFSETS} | {f"2^{power}": np.ldexp(y, power) for power in POWERS}
    for name, values in forms.items():
        np.testing.assert_allclose(scores(X, values, method, task), expected, atol=CLOSE * largest, err_msg=name)


def test_features_whose_standard_deviation_is_1_are_not_constant_at_1e15():
    X = 1e15 + np.random.default_rng(0).integers(0, 4, (N, P))
    for method in ("laplacian", "spec", "mcfs", "ndfs", "agnoss", "ssllaplacian"):
        found = rank(X, None, method, **quickened(method, {}))
        assert np.ptp(found.scores) > 0, method
        np.testing.assert_allclose(found.scores, rank(X - 1e15, None, method, **quickened(method, {})).scores, 1e-6)


def test_trees_predict_several_targets_far_from_0():
    from orangecontrib.reliefe.core import Ensemble

    X, y = problem("multi-target")
    near, far = (Ensemble.of(X, y + offset, n_trees=3).grow().model() for offset in (0, OFFSETS[0]))
    np.testing.assert_allclose(far.predict(X), near.predict(X) + OFFSETS[0], rtol=0, atol=1e-3)
