"""Least-angle regression beside scikit-learn's, and the gradient of the autoencoder beside differences."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Lars

from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.points.points import Points
from orangecontrib.reliefe.core.structure import least_angle
from orangecontrib.reliefe.core.structure.autoencoder import Weights, loss
from orangecontrib.reliefe.core.structure.least_angle import coefficients, square_root
from orangecontrib.reliefe.core.work.threads import Work


def points(X, form=np.array):
    return Points.of(DataTable.read(form(X)), Work())


def data(n, q):
    rng = np.random.default_rng(n + q)
    return rng.normal(size=(n, q)) * (rng.random((n, q)) < 0.7), rng.normal(size=(n, 2))


@pytest.mark.parametrize("form", [np.array, sparse.csr_array], ids=["dense", "csr"])
@pytest.mark.parametrize("n, q, steps", [(30, 8, None), (15, 8, None), (30, 8, 3), (15, 40, 6), (9, 6, None)])
def test_least_angles(n, q, steps, form):
    X, Y = data(n, q)
    found = coefficients(points(X, form), Y, steps, Work(2))
    for y, beta in zip(Y.T, found.T):
        Z = points(X).values
        least_squares = np.linalg.lstsq(Z, y - y.mean(), rcond=None)[0]
        expected = Lars(n_nonzero_coefs=steps).fit(Z, y).coef_ if steps else least_squares
        np.testing.assert_allclose(beta, expected, atol=1e-12)


def test_as_many_as_are_independent():
    """With as many columns as rows less 1 everything is explained; columns that depend on others never enter."""
    X, Y = data(12, 30)
    made = points(X)
    found = coefficients(made, Y, 500, Work())
    assert (np.count_nonzero(found, axis=0) <= 11).all()
    left = np.abs(made.back(Y - made.times(found)))
    assert (left.max(axis=0) < 0.2 * np.abs(made.back(Y)).max(axis=0)).all()
    X, Y = data(40, 5)
    X = np.c_[X, X[:, 0] - 2 * X[:, 1]]
    found = coefficients(points(X), Y, None, Work())
    assert (np.count_nonzero(found, axis=0) == 5).all()
    assert not coefficients(points(X), np.zeros((40, 1)), None, Work()).any()


def test_few_targets_at_a_time(monkeypatch):
    X, Y = data(20, 12)
    whole = coefficients(points(X), Y, 7, Work())
    monkeypatch.setattr(least_angle, "MAX_CELLS", 1)
    np.testing.assert_allclose(coefficients(points(X), Y, 7, Work()), whole, atol=1e-12)
    monkeypatch.setattr(least_angle, "MAX_STEPS", 3)
    assert (np.count_nonzero(coefficients(points(X), Y, None, Work()), axis=0) == 3).all()


def test_square_root():
    made = points(data(50, 6)[0])
    found = square_root(made, Work())
    np.testing.assert_allclose(found.T @ found, made.gram(Work()), atol=1e-10)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array], ids=["dense", "csr"])
def test_gradient_of_the_autoencoder(form):
    """And parts of the rows add up to all of them."""
    made, rng = points(data(700, 3)[0], form), np.random.default_rng(0)
    weights = Weights(*(part + 0.3 * rng.normal(size=part.shape) for part in Weights.draw(3, 2, 0).parts))
    x = np.rint(made.block(slice(0, 700)) * 2.0**26) / 2.0**26

    def error(a, inner, b, outer, d):
        return ((np.tanh((a * x) @ inner + b) @ outer + d - x) ** 2).sum() / 700

    found, gradient = loss(made, weights, Work(2))
    assert found == pytest.approx(error(*weights.parts), rel=1e-12)
    for number, part in enumerate(gradient.parts):
        for place in np.ndindex(part.shape):
            up, down = ([p.copy() for p in weights.parts] for _ in range(2))
            up[number][place] += 1e-5
            down[number][place] -= 1e-5
            assert part[place] == pytest.approx((error(*up) - error(*down)) / 2e-5, rel=1e-6, abs=1e-8)
