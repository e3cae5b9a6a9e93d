"""Conditional p-values of ReliefF by plain loops, for features of which all but one have two values."""

import numpy as np

from .explanation import relieff_pairs


def p_value(X, y, f, k, n_draws, seed):
    """p of feature f given the others, by pairs of ReliefF with k neighbours of the others only."""
    n = len(X)
    others = np.delete(X, f, axis=1)
    pairs = [(i, j, weight) for i, j, weight, _ in relieff_pairs(others, y, 0, k)]
    scores = [total(pairs, column) for column in others.T]
    x = X[:, f]
    has_two_values = len(set(x)) == 2
    columns = standardised([*others.T, *products(others, scores, n // (3 if has_two_values else 2))])
    rng = np.random.default_rng([seed, f])
    draws = draws_of_two_values if has_two_values else draws_of_numbers
    sums = [total(pairs, draw) for draw in draws(x, columns, n_draws, rng)]
    true = total(pairs, x)
    return (1 + sum(value >= true - 1e-12 for value in sums)) / (1 + n_draws)


def total(pairs, x):
    return sum(weight * abs(x[i] - x[j]) for i, j, weight in pairs)


def products(others, scores, most_columns):
    """Products of each two of the best features, as many as leave a third of the columns to the rest."""
    best = sorted(range(len(scores)), key=lambda f: -scores[f])[:6]
    while 3 * (7 * len(best) + len(best) * (len(best) - 1) / 2) > 2 * most_columns:
        best.pop()
    centred = others - others.mean(axis=0)
    return [centred[:, a] * centred[:, b] for number, a in enumerate(best) for b in best[number + 1 :]]


def standardised(columns):
    return np.array([(column - column.mean()) / column.std() for column in columns]).T


def draws_of_numbers(x, columns, n_draws, rng):
    """Fit and permuted residuals that are orthogonal to the columns and as long as the residuals."""
    A = np.column_stack([np.ones(len(x)), columns])
    hat = A @ np.linalg.inv(A.T @ A) @ A.T
    e = x - hat @ x
    scaled = np.array([e[i] / np.sqrt(1 - hat[i, i]) for i in range(len(x))])
    permuted = rng.permuted(np.repeat(scaled[:, None], n_draws, axis=1), axis=0)
    for noise in permuted.T:
        u = noise - hat @ noise
        yield hat @ x + u * np.linalg.norm(e) / np.linalg.norm(u)


def draws_of_two_values(x, columns, n_draws, rng):
    """Draws from a logistic regression with the penalty |beta|^2 / 2, by Newton's method."""
    low, high = sorted(set(x))
    A = np.column_stack([np.ones(len(x)), columns])
    penalty = np.diag([0.0] + [1.0] * columns.shape[1])
    beta = np.zeros(A.shape[1])
    for _ in range(50):
        probabilities = 1 / (1 + np.exp(-A @ beta))
        slope = A.T @ ((x == high) - probabilities) - penalty @ beta
        curvature = A.T @ np.diag(probabilities * (1 - probabilities)) @ A + penalty
        beta = beta + np.linalg.solve(curvature, slope)
    uniform = rng.random((len(x), n_draws))
    for draw in uniform.T:
        yield np.array([high if u > 1 - p else low for u, p in zip(draw, probabilities, strict=True)])
