"""Effects of covariates that lines and splines leave: products, waves, and curves of few rows."""

import numpy as np
import pytest

from orangecontrib.reliefe.core import rank, significance
from orangecontrib.reliefe.core.studies.nearest_rows import neighbour_z

EFFECTS = {
    "product": lambda a, b: a * b,
    "wave": lambda a, b: np.sin(4 * a),
    "U of few rows": lambda a, b: a**2 - 1 + b,
}
REMOVED = "are removed: lines or splines and"
STILL = "still predict"


def confounded(effect, n, seed=0, is_class=False):
    """Features, of which the first ten follow an effect of two covariates, a target, and the covariates."""
    random = np.random.default_rng([7, seed])
    C = random.normal(size=(n, 2))
    q = effect(*C.T)
    X = random.normal(size=(n, 20))
    X[:, :10] = 0.8 * q[:, None] + 0.7 * X[:, :10]
    y = q + 0.7 * X[:, 10] + random.normal(size=n)
    return X, (y > np.median(y)).astype(int) if is_class else y, C


def naive_predictability(inputs, residuals, k=5):
    """z of the correlation between each residual and the mean of those of its k nearest other rows, in loops."""
    n = len(inputs)
    predictions = []
    for i in range(n):
        others = sorted((sum((a - b) ** 2 for a, b in zip(inputs[i], inputs[j])), j) for j in range(n) if j != i)
        predictions.append(sum(residuals[j] for _, j in others[:k]) / k)
    mean, mean_of_predictions = sum(residuals) / n, sum(predictions) / n
    covariance = sum((r - mean) * (m - mean_of_predictions) for r, m in zip(residuals, predictions))
    variance = sum((r - mean) ** 2 for r in residuals)
    of_predictions = sum((m - mean_of_predictions) ** 2 for m in predictions)
    return covariance / (variance * of_predictions) ** 0.5 * n**0.5


def test_predictability_is_that_of_loops():
    random = np.random.default_rng(0)
    inputs = random.normal(size=(60, 2))
    residuals = random.normal(size=(60, 2)) + np.sin(3 * inputs)
    expected = [naive_predictability(inputs.tolist(), column.tolist()) for column in residuals.T]
    np.testing.assert_allclose(neighbour_z(inputs, residuals), expected, rtol=1e-9)
    assert neighbour_z(inputs, np.zeros((60, 1)))[0] == 0
    assert np.isfinite(neighbour_z(np.zeros((60, 1)), residuals)).all()  # all rows are equal


@pytest.mark.parametrize("is_class", [False, True])
@pytest.mark.parametrize("name", EFFECTS)
def test_confounded_features_are_no_discoveries(name, is_class):
    """Nominal: .05 of these features; before, .36 to .93 of them had p <= .05."""
    small = []
    found = []
    for seed in range(4):
        X, y, C = confounded(EFFECTS[name], 150, seed, is_class)
        p = significance(X, y, "multisurf", covariates=C, n_shuffles=20).p
        small.append(np.mean(p[:10] <= 0.05))
        found.append(p[10] <= 0.05)
    assert np.mean(small) <= 0.2  # 40 features that are correlated by fours
    assert np.mean(found) >= 0.75


def test_the_adjustment_is_said():
    X, y, C = confounded(EFFECTS["product"], 150)
    said = rank(X, y, "multisurf", covariates=C).info["information"]
    assert any(REMOVED in text for text in said)
    linear = rank(X, y, "multisurf", covariates=C, linear_covariates=True).info
    assert not any(REMOVED in text for text in linear["information"])
    random = np.random.default_rng(3)
    plain = rank(X, random.normal(size=150), "multisurf", covariates=random.normal(size=(150, 1)))
    assert not any(STILL in text for text in plain.info["warnings"])


def test_many_covariates_that_still_predict_are_warned_of():
    """A wave of 40 turns has no columns in 150 rows, but neighbours that are near enough."""
    random = np.random.default_rng(0)
    c = np.repeat(np.linspace(0, 1, 60), 5)
    y = np.where(np.arange(60) % 2, 2.0, -2.0).repeat(5) + random.normal(size=300)
    ranking = rank(random.normal(size=(300, 4)), y, "multisurf", covariates=c)
    assert any(STILL in text for text in ranking.info["warnings"])


def test_the_order_of_rows_does_not_matter():
    X, y, C = confounded(EFFECTS["wave"], 240)
    scores = rank(X, y, "multisurf", covariates=C).scores
    order = np.random.default_rng(1).permutation(240)
    moved = rank(X[order], y[order], "multisurf", covariates=C[order]).scores
    np.testing.assert_allclose(moved, scores, atol=1e-4)


def test_the_same_bits_for_any_number_of_threads():
    X, y, C = confounded(EFFECTS["wave"], 240)
    one, three = (rank(X, y, "multisurf", covariates=C, n_jobs=n).scores for n in (1, 3))
    np.testing.assert_array_equal(one, three)
