"""Conditional p-values by plain steps: pairs of ReliefF, columns, growth, draws, and the two sums of a feature.

Data are complete numbers without covariates, and so few features that no lasso has to choose among columns.
"""

from itertools import combinations
from math import atanh, cos, erf, erfc, exp, log, pi, sqrt

import numpy as np

from .explanation import relieff_pairs


def answer(X, y, f, k, n_draws, seed):
    """Test feature f given the others, for two classes, by pairs of ReliefF with k neighbours of the others.

    Returns p, by_neighbours, by_line; of numbers also mean_z and spread_z of the strongest candidates before the
    growth, and the numbers of added columns and spread_columns.
    """
    others = np.delete(X, f, axis=1)
    pairs = [(i, j, weight) for i, j, weight, _ in relieff_pairs(others, y, 0, k)]
    scores = [total(pairs, unit(column)) for column in others.T]
    x = X[:, f]
    rng = np.random.default_rng([seed, f])
    lines = standardised([scored(column) for column in others.T])
    if len(set(x)) == 2:
        fits, draws, facts = draws_of_two_values(x, others, scores, n_draws, rng)
    else:
        fits, draws, facts = draws_of_numbers(x, others, scores, lines, n_draws, rng)
    residuals = [value - fit for value, fit in zip([fits[0], *fits[2]], [fits[1]] * (1 + n_draws), strict=True)]
    r = [rest_of_target((y == max(y)).astype(float), lines)]
    T = [total(pairs, draw) for draw in draws]
    L = [sum((column @ e) ** 2 / (column @ column) for column in r) for e in residuals]
    return {"p": reached(product_of_tails(T, L)), "by_neighbours": reached(T), "by_line": reached(L), **facts}


def total(pairs, x):
    return sum(weight * abs(x[i] - x[j]) for i, j, weight in pairs)


def reached(sums):
    """Share of the sums that are at least the first."""
    return sum(value >= sums[0] - 1e-12 * max(map(abs, sums)) for value in sums) / len(sums)


def product_of_tails(T, L):
    mean = sum(T) / len(T)
    deviation = sqrt(sum((value - mean) ** 2 for value in T) / len(T))
    mean_of_L = sum(L) / len(L)
    return [
        -log(erfc((t - mean) / deviation / sqrt(2)) / 2) - log(erfc(sqrt(value / mean_of_L) / sqrt(2)))
        for t, value in zip(T, L, strict=True)
    ]


# Columns


def unit(column):
    return (column - column.min()) / (column.max() - column.min())


def scored(column):
    """Normal scores of more than four values, with mean ranks of ties."""
    if len(set(column)) <= 4:
        return unit(column)
    ranks = [np.mean([k + 1 for k, other in enumerate(sorted(column)) if other == value]) for value in column]
    return np.array([normal_quantile((rank - 0.5) / len(column)) for rank in ranks])


def normal_quantile(share):
    """Quantile of the normal distribution, by bisection."""
    low, high = -10.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 + erf(middle / sqrt(2))) / 2 < share else (low, middle)
    return (low + high) / 2


def standardised(columns):
    columns = [column - column.mean() for column in columns]
    return np.array([column / column.std() for column in columns if column.std() > 1e-12]).T


def natural_splines(column, quantiles):
    """Natural cubic splines of Harrell: x, and a column of each knot but the last two."""
    t = np.quantile(column, quantiles)

    def cube(knot):
        return np.array([max(value - knot, 0) ** 3 for value in column])

    columns = [column]
    for knot in t[:-2]:
        first = cube(t[-2]) * (t[-1] - knot) / (t[-1] - t[-2])
        columns.append(cube(knot) - first + cube(t[-1]) * (t[-2] - knot) / (t[-1] - t[-2]))
    return columns


def splines_of(columns, quantiles):
    return [spline for column in columns if len(set(column)) > 4 for spline in natural_splines(column, quantiles)]


def best_of(scores, n):
    return sorted(range(len(scores)), key=lambda j: -scores[j])[:n]


def n_best_within(budget, n_features):
    """Number of the best features whose splines and products take two thirds of a budget."""
    n = min(6, n_features)
    while 3 * (7 * n + n * (n - 1) / 2) > 2 * budget:
        n -= 1
    return n


def products_of(columns):
    return [a * b for a, b in combinations(columns, 2)]


def hat_of(columns):
    """Projection on columns and a constant."""
    A = np.column_stack([np.ones(len(columns)), columns])
    return A @ np.linalg.pinv(A, rcond=1e-10)


def lean_columns(others, scores, lines):
    n, q = lines.shape
    budget = max(n // 4 - q, n // 8)
    centred = [scored(others[:, j]) - scored(others[:, j]).mean() for j in best_of(scores, n_best_within(budget, q))]
    further = [*splines_of(centred, (0.02, 0.2, 0.4, 0.6, 0.8, 0.98)), *products_of(centred)]
    columns = np.hstack([lines, standardised(further)]) if further else lines
    every = [scored(column) for column in others.T]
    every = [unit(column) for column in every]
    optional = standardised(splines_of(every, (0.05, 0.35, 0.65, 0.95)) + [c for c in every if len(set(c)) <= 4])
    left = optional - hat_of(columns) @ optional
    optional = optional[:, left.std(axis=0) > 0.05]
    assert optional.shape[1] <= budget - len(further), "a lasso would choose, which this twin does not have"
    return np.hstack([columns, optional])


# Growth


def candidates_of(B):
    columns = B.T
    signs = np.sign(columns)
    out = [a * b for values in (columns, signs) for a, b in combinations(values, 2)]
    out += [a * b * c for values in (columns, signs) for a, b, c in combinations(values, 3)]
    for w in range(3, 9):
        out += [np.array([cos(pi * w * (1 + erf(value / sqrt(2))) / 2) for value in column]) for column in columns]
    return np.array(out).T


def strongest(candidates, hat, residuals):
    """Index of the candidate that follows the first residuals most closely, and its z among the other residuals."""
    largest = []
    index = -1
    for number, e in enumerate(residuals):
        sizes = []
        for g in candidates.T:
            left = g - hat @ g
            is_new = left.std() > 0.3 * max(g.std(), 1e-12)
            sizes.append(abs(left @ e) / np.linalg.norm(left) / np.linalg.norm(e) if is_new else 0.0)
        largest.append(atanh(min(max(sizes), 0.999)))
        if number == 0:
            index = int(np.argmax(sizes))
    return index, (largest[0] - np.mean(largest[1:])) / np.std(largest[1:])


def permuted_residuals(z, columns, spread, n_draws, rng):
    """Fit of z, its residuals, and residuals of the draws."""
    hat = hat_of(columns)
    e = z - hat @ z
    freed = np.array([e[i] / sqrt(max(1 - hat[i, i], 0.05)) / spread[i] for i in range(len(z))])
    residuals = []
    for permuted in rng.permuted(np.repeat(freed[:, None], n_draws, axis=1), axis=0).T:
        u = permuted * spread
        u = u - hat @ u
        residuals.append(u * np.linalg.norm(e) / np.linalg.norm(u))
    return hat, e, residuals


def draws_of_numbers(x, others, scores, lines, n_draws, rng):
    n = len(x)
    columns = lean_columns(others, scores, lines)
    of_scores, of_values = standardised([scored(x), unit(x)]).T
    left = [(z - hat_of(columns) @ z).var() for z in (of_scores, of_values)]
    has_scores = left[1] >= 0.9 * left[0]
    z = of_scores if has_scores else of_values
    B = standardised([scored(others[:, j]) for j in best_of(scores, 6)])
    candidates = candidates_of(B)
    zs = []
    while True:
        hat, e, residuals = permuted_residuals(z, columns, np.ones(n), 199, rng)
        index, z_now = strongest(candidates, hat, [e, *residuals])
        zs.append(z_now)
        if z_now <= 2.5 or len(zs) == 9 or columns.shape[1] >= n // 2:
            break
        columns = np.hstack([columns, standardised([candidates[:, index]])])

    # Spread
    f = scored(np.round(hat @ z, 9))
    S = np.array([*B.T, *abs(B.T), f, abs(f), *products_of(B.T[:4])]).T
    S = S - S.mean(axis=0)
    freed = np.array([e[i] / sqrt(max(1 - hat[i, i], 0.05)) for i in range(n)])
    logs = np.log(abs(freed) + 0.05 * freed.std())
    spread, chosen, spread_zs = np.ones(n), [], []
    while True:
        floor = 0.05 * np.array([e, *residuals]).std()
        sizes = [np.log(abs(u) / spread + floor) for u in (e, *residuals)]
        hat_of_spread = hat_of(S[:, chosen])
        index, z_now = strongest(S, hat_of_spread, [w - hat_of_spread @ w for w in sizes])
        spread_zs.append(z_now)
        if z_now <= 2.5 or len(chosen) == 4:
            break
        chosen.append(index)
        fit = hat_of(S[:, chosen]) @ logs
        spread = np.array([exp(min(max(value, -3), 3)) for value in fit - fit.mean()])
        _, _, residuals = permuted_residuals(z, columns, spread, 199, rng)

    # Draws
    hat, e, residuals = permuted_residuals(z, columns, spread, n_draws, rng)
    fit = hat @ z
    draws = [np.interp(fit + u, np.sort(z), np.sort(x)) if has_scores else fit + u for u in residuals]
    if not has_scores:
        x = z
    facts = {"mean_z": zs[0], "spread_z": spread_zs[0], "added": len(zs) - 1}
    facts |= {"spread_columns": len(chosen), "has_scores": has_scores}
    return (z, fit, [fit + u for u in residuals]), [x, *draws], facts


# Two values, and classes


def logistic_fit(A, is_high, penalty):
    """Probabilities by Newton's method, with the penalty |beta|^2 / 2 of all columns but the constant."""
    A = np.column_stack([np.ones(len(A)), A])
    ridge = np.diag([0.0] + [penalty] * (A.shape[1] - 1))
    beta = np.zeros(A.shape[1])
    for _ in range(100):
        p = 1 / (1 + np.exp(-A @ beta))
        slope = A.T @ (is_high - p) - ridge @ beta
        curvature = A.T @ np.diag(p * (1 - p)) @ A + ridge
        beta = beta + np.linalg.solve(curvature, slope)
    return 1 / (1 + np.exp(-A @ beta))


def draws_of_two_values(x, others, scores, n_draws, rng):
    low, high = sorted(set(x))
    n_best = n_best_within(len(x) // 3, len(scores))
    best = best_of(scores, n_best)
    rest = [j for j in range(len(scores)) if j not in best]
    columns = [others[:, j] for j in best + rest]
    columns += products_of([others[:, j] - others[:, j].mean() for j in best])
    p = logistic_fit(standardised(columns), x == high, 1e-4)
    draws = [np.where(u > 1 - p, high, low) for u in rng.random((len(x), n_draws)).T]
    fit = low + (high - low) * p
    return (x, fit, draws), [x, *draws], {}


def rest_of_target(column, lines):
    """Compute the rest that lines leave of a class: by logistic regression, or by ridge regression with many lines."""
    if 5 * lines.shape[1] <= len(column):
        return column - logistic_fit(lines, column == 1, 1.0)
    n = len(column)
    best = None
    for penalty in np.logspace(3, -7, 11):
        shrunk = lines @ np.linalg.solve(lines.T @ lines + penalty * np.eye(lines.shape[1]), lines.T)
        rest = (np.eye(n) - shrunk) @ (column - column.mean())
        freedom = 1 - (1 + np.trace(shrunk)) / n
        if freedom > 0.1 and (best is None or rest @ rest / freedom**2 < best[0]):
            best = rest @ rest / freedom**2, rest
    return best[1]
