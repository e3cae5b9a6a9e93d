"""Jackknife interval of the difference of two means over weighed pairs of rows.

`score_parts.py` calls `jackknife_interval` with the pairs that the score of a feature is summed over.
"""

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
    """Estimate the mean difference of unlike rows less that of like rows.

    With theta_r, this difference over the pairs without row r, for R rows that are in any pair,

        error^2 = (R - 1) / R sum_r (theta_r - mean theta)^2,

    and the interval is theta -+ t error, with the quantile t of Student's distribution with R - 1 degrees of freedom.
    Row r leaves the pairs, and the other rows keep their neighbours.

    Arvesen (1969), Ann. Math. Stat. 40:2076, for means over pairs.

    Parameters
    ----------
    pairs : WeighedPairs
        Pairs with their differences.
    n : int
        Number of all rows.

    Returns
    -------
    low, high : float
        Interval; None where fewer than three rows are in a pair, or all pairs of a kind have one row.
    """
    from scipy.stats import t

    mean_difference = 0.0
    difference_without_row = np.zeros(n)
    is_in_pair = np.bincount(pairs.first, minlength=n) + np.bincount(pairs.second, minlength=n) > 0
    for sign in (1, -1):
        # Pairs of unlike rows, then those of like ones
        has_sign = sign * pairs.weight > 0
        first = pairs.first[has_sign]
        second = pairs.second[has_sign]
        weight = np.abs(pairs.weight[has_sign])
        product = weight * pairs.difference[has_sign]
        total_weight = weight.sum()
        weight_without_row = total_weight - np.bincount(first, weight, n) - np.bincount(second, weight, n)
        sum_without_row = product.sum() - np.bincount(first, product, n) - np.bincount(second, product, n)
        if not (weight_without_row[is_in_pair] > NO_WEIGHT * total_weight).all():
            return None
        mean_difference += sign * float(product.sum() / total_weight)
        means = sign * sum_without_row[is_in_pair] / weight_without_row[is_in_pair]
        difference_without_row[is_in_pair] += means

    thetas = difference_without_row[is_in_pair]
    n_rows = len(thetas)
    if n_rows < FEWEST_ROWS:
        return None
    error = np.sqrt((n_rows - 1) / n_rows * ((thetas - thetas.mean()) ** 2).sum())
    margin = float(t.isf((1 - PROBABILITY) / 2, n_rows - 1) * error)
    return mean_difference - margin, mean_difference + margin
