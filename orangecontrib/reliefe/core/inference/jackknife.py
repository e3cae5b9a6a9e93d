"""Jackknife interval of the difference of two means over weighed pairs of rows, for the explanation of a rank."""

from typing import NamedTuple

import numpy as np

PROBABILITY = 0.95  # of the interval
FEWEST_ROWS = 3  # fewer have no spread to speak of
NO_WEIGHT = 1e-9  # share of all weight up to which the rest without a row is rounding


class WeighedPairs(NamedTuple):
    """Pairs of rows, with weights above 0 for rows with unlike targets, and below 0 for rows with like ones."""

    first: np.ndarray  # (m,) row
    second: np.ndarray  # (m,) row
    weight: np.ndarray  # (m,)
    difference: np.ndarray  # (m,) of a feature


def jackknife_interval(pairs: WeighedPairs, n: int) -> tuple[float, float] | None:
    """Interval of the mean difference of unlike rows less that of like rows; None where it cannot be estimated.

    theta_r is this difference over the pairs without row r, of R rows that are in any pair. Then

        error^2 = (R - 1) / R sum_r (theta_r - mean theta)^2,

    and the interval is theta -+ t error, with the quantile t of Student's distribution with R - 1 degrees of freedom.
    Row r leaves the pairs, and the other rows keep their neighbours.

    Arvesen (1969), Ann. Math. Stat. 40:2076, for means over pairs.
    """
    from scipy.stats import t

    value = 0.0
    without_row = np.zeros(n)
    is_in_pair = np.bincount(pairs.first, minlength=n) + np.bincount(pairs.second, minlength=n) > 0
    for sign in (1, -1):
        chosen = sign * pairs.weight > 0
        first = pairs.first[chosen]
        second = pairs.second[chosen]
        weight = np.abs(pairs.weight[chosen])
        product = weight * pairs.difference[chosen]
        total_weight = weight.sum()
        left_weight = total_weight - np.bincount(first, weight, n) - np.bincount(second, weight, n)
        left = product.sum() - np.bincount(first, product, n) - np.bincount(second, product, n)
        if not (left_weight[is_in_pair] > NO_WEIGHT * total_weight).all():
            return None
        value += sign * float(product.sum() / total_weight)
        without_row[is_in_pair] += sign * left[is_in_pair] / left_weight[is_in_pair]

    thetas = without_row[is_in_pair]
    n_rows = len(thetas)
    if n_rows < FEWEST_ROWS:
        return None
    error = np.sqrt((n_rows - 1) / n_rows * ((thetas - thetas.mean()) ** 2).sum())
    margin = float(t.isf((1 - PROBABILITY) / 2, n_rows - 1) * error)
    return value - margin, value + margin
