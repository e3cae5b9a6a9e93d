"""Predictions of each row by the other rows, in plain loops: ridge regressions without it, and its nearest rows."""

import numpy as np


def ridge_without(basis, targets, i, penalty):
    """Prediction for row i of a ridge regression, with a free constant, on the other rows."""
    rest = [j for j in range(len(targets)) if j != i]
    A = np.column_stack([np.ones(len(rest)), basis[rest]])
    ridge = np.diag([0.0] + [penalty] * basis.shape[1])
    coefficients = np.linalg.solve(A.T @ A + ridge, A.T @ targets[rest])
    return np.r_[1.0, basis[i]] @ coefficients


def linear_margins(basis, targets, penalties):
    """Predictions by the penalty of the smallest error."""
    best, least = None, np.inf
    for penalty in penalties:
        predicted = np.array([ridge_without(basis, targets, i, penalty) for i in range(len(targets))])
        error = ((targets - predicted) ** 2).sum()
        if error < least:
            best, least = predicted, error
    return best


def neighbour_margins(scaled, targets, k):
    """Mean targets of the k nearest other rows."""
    means = []
    for i, row in enumerate(scaled):
        others = [j for j in range(len(scaled)) if j != i]
        others.sort(key=lambda j: sum(abs(a - b) for a, b in zip(row, scaled[j], strict=True)))
        means.append(np.mean([targets[j] for j in others[:k]], axis=0))
    return np.array(means)
