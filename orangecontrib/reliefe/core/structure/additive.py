"""Basis of additive models: columns of which any sum of smooth effects of the features is a linear combination.

`inference/partners.py` fits additive models on it, and `studies/covariate_basis.py` takes its splines.
SciPy and scikit-learn have no basis of natural splines, which are straight beyond the last knots.
"""

import numpy as np

KNOTS = 0.05, 0.35, 0.65, 0.95  # quantiles of the values; Harrell (2001), table 2.3, for four knots
FEW_VALUES = 4  # distinct values of a number up to which each of them has an effect; chosen by eye
MIN_CATEGORY_ROWS = 5  # rows of a category that has an effect; rarer ones count as the most frequent; chosen by eye
MIN_DEVIATION = 1e-9  # deviation of a number scaled to [0, 1] below which it is constant, but for rounding


def additive_basis(values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Make the basis of the features: standardised columns, without those that are constant.

    A number is a natural cubic spline with four knots: three columns.  One of up to four values is linear beside an
    indicator of each value between the lowest and the highest, so that additive genotypes are.  A category is an
    indicator of each value but the most frequent one, among those that five rows have.  Missing values count as the
    mean, or as the most frequent value.

    Harrell (2001), Regression Modeling Strategies, section 2.4.5.

    Parameters
    ----------
    values : (n, p) array
        Features; NaN is missing.
    nominal : (p,) bool array
        Nominal features.

    Returns
    -------
    (n, q) array
    """
    columns: list[np.ndarray] = []
    for column, is_nominal in zip(values.T, nominal, strict=True):
        is_present = ~np.isnan(column)
        if is_present.any():
            columns += _indicators(column, is_present) if is_nominal else _smooth_columns(column, is_present)
    basis = np.array(columns).reshape(len(columns), len(values)).T
    basis -= basis.mean(axis=0)
    deviations = basis.std(axis=0)
    varies = deviations > MIN_DEVIATION
    return np.ascontiguousarray(basis[:, varies] / deviations[varies])


def _indicators(column: np.ndarray, is_present: np.ndarray) -> list[np.ndarray]:
    """Make the indicators of the categories of a column (n,), without the most frequent and the rare ones."""
    categories, counts = np.unique(column[is_present], return_counts=True)
    is_frequent = counts >= MIN_CATEGORY_ROWS
    is_most_frequent = np.arange(len(categories)) == counts.argmax()
    return [(column == category).astype(float) for category in categories[is_frequent & ~is_most_frequent]]


def _smooth_columns(column: np.ndarray, is_present: np.ndarray) -> list[np.ndarray]:
    """Make the columns of which smooth functions of a number (n,) are linear combinations."""
    low = column[is_present].min()
    high = column[is_present].max()
    x = (column - low) / (high - low if high > low else 1)
    x[~is_present] = x[is_present].mean()
    distinct = np.unique(x[is_present])
    if len(distinct) <= FEW_VALUES:
        return [x, *((is_present & (x == value)).astype(float) for value in distinct[1:-1])]
    return [x, *natural(x, np.quantile(x[is_present], KNOTS))]


def natural(x: np.ndarray, knots: np.ndarray) -> list[np.ndarray]:
    """Make the columns that beside x span the natural cubic splines, or the square where knots coincide.

    For knots t_1 < ... < t_K, column j of K - 2 is
    (x - t_j)_+^3 - (x - t_(K-1))_+^3 (t_K - t_j) / (t_K - t_(K-1)) + (x - t_K)_+^3 (t_(K-1) - t_j) / (t_K - t_(K-1)).

    Parameters
    ----------
    x : (n,) array
        Values.
    knots : (K,) array
        Knots, ascending.

    Returns
    -------
    list of (n,) arrays
    """
    if not (np.diff(knots) > MIN_DEVIATION).all():
        return [x**2]
    *inner, last_but_one, last = knots
    cubes = [np.maximum(x - knot, 0) ** 3 for knot in knots]
    width = last - last_but_one
    return [
        cube - cubes[-2] * (last - knot) / width + cubes[-1] * (last_but_one - knot) / width
        for cube, knot in zip(cubes, inner, strict=False)
    ]
