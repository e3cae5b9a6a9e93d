"""Smooth tests of one number, row by row and time by time: chi-square and its degrees of freedom."""

import numpy as np

from orangecontrib.reliefe.tests.naive.studies import score_test


def waves(x):
    """Waves (n, K) of the ranks of x, one for each ten rows and six at most."""
    n = len(x)
    columns = []
    for k in range(1, min(6, n // 10) + 1):
        ranks = [sum(x < value) + (sum(x == value) + 1) / 2 for value in x]
        columns.append([np.cos(np.pi * k * (rank - 0.5) / n) for rank in ranks])
    return np.array(columns).T.reshape(n, len(columns))


def of_classes(x, probabilities, codes, Z):
    """Test for classes with these fitted probabilities (n, G)."""
    G = probabilities.shape[1]
    residuals = np.eye(G)[codes][:, 1:] - probabilities[:, 1:]
    variances = np.array([np.diag(p) - np.outer(p, p) for p in probabilities[:, 1:]])
    columns = independent(waves(x))
    return score_test(columns, residuals, variances, Z), columns.shape[1] * (G - 1)


def of_numbers(x, scores, Z):
    """Test for normal scores of numbers, with variances that may differ between rows."""
    A = np.column_stack([np.ones(len(x)), Z])
    residuals = scores - A @ np.linalg.lstsq(A, scores, rcond=None)[0]
    columns = independent(waves(x))
    columns = columns - A @ np.linalg.lstsq(A, columns, rcond=None)[0]
    statistic = robust([column * r for column, r in zip(columns, residuals, strict=True)])
    return statistic * (len(A) - A.shape[1]) / len(A), columns.shape[1]


def of_times(x, time, event, risk, Z):
    """Test in Cox's model with these risks (n,), and the columns Z (n, q) beside which it tests."""
    hazard = {t: (event & (time == t)).sum() / risk[time >= t].sum() for t in np.unique(time)}

    def mean(values, t):
        watched = time >= t
        return (risk[watched, None] * values[watched]).sum(axis=0) / risk[watched].sum()

    def information(A, B):
        total = 0.0
        for t, h in hazard.items():
            for i in np.flatnonzero(time >= t):
                total = total + risk[i] * h * np.outer(A[i] - mean(A, t), B[i] - mean(B, t))
        return total

    columns = independent(waves(x))
    if Z.shape[1]:
        columns = columns - Z @ np.linalg.solve(information(Z, Z), information(Z, columns))
    contributions = []
    for i in range(len(x)):
        own = event[i] * (columns[i] - mean(columns, time[i]))
        for t, h in hazard.items():
            if t <= time[i]:
                own = own - risk[i] * h * (columns[i] - mean(columns, t))
        contributions.append(own)
    return robust(contributions), columns.shape[1]


def robust(contributions):
    """s' V^-1 s of the sum s of contributions of rows, and V the sum of their squares."""
    total = sum(contributions)
    return total @ np.linalg.solve(sum(np.outer(c, c) for c in contributions), total)


def independent(columns):
    """The columns without those that depend on the constant and those before them."""
    chosen = [np.ones(len(columns))]
    for column in columns.T:
        if np.linalg.matrix_rank(np.column_stack([*chosen, column]), tol=1e-6) > len(chosen):
            chosen.append(column)
    return np.column_stack(chosen)[:, 1:]
