"""Basis of additive models: columns of which any sum of smooth effects of the features is a linear combination.

`inference/partners.py` fits additive models on it, `studies/covariate_basis.py` takes its splines.
"""

import numpy as np

KNOTS = 0.05, 0.35, 0.65, 0.95  # quantiles
FEW_VALUES = 4  # of a number, up to which each has an effect of its own
MIN_CATEGORY_ROWS = 5  # of a value of its own; rarer ones count as the most frequent
MIN_DEVIATION = 1e-9  # of a number scaled to [0, 1], below which it is constant


def additive_basis(values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Columns of which any sum of smooth effects of the features is a linear combination.

    A number is a natural cubic spline with four knots: three columns.  One of up to four values is linear beside an
    indicator of each value between the lowest and the highest, so that additive genotypes are.  A category is an
    indicator of each value but the most frequent one, among those that five rows have.  Unknown values count as the
    mean, or as the most frequent value.

    Shapes: `values` (n, p); `nominal` (p,); returns (n, q).

    Harrell (2001), Regression Modeling Strategies, section 2.4.5.
    """
    columns: list[np.ndarray] = []
    for column, codes in zip(values.T, nominal, strict=True):
        known = ~np.isnan(column)
        if known.any() and codes:
            levels, counts = np.unique(column[known], return_counts=True)
            own = (counts >= MIN_CATEGORY_ROWS) & (np.arange(len(levels)) != counts.argmax())
            columns += [(column == value).astype(float) for value in levels[own]]
        elif known.any():
            columns += _number(column, known)
    found = np.array(columns).reshape(len(columns), len(values)).T
    found -= found.mean(axis=0)
    deviation = found.std(axis=0)
    some = deviation > MIN_DEVIATION
    return np.ascontiguousarray(found[:, some] / deviation[some])


def _number(column: np.ndarray, known: np.ndarray) -> list[np.ndarray]:
    low, high = column[known].min(), column[known].max()
    x = (column - low) / (high - low if high > low else 1)
    x[~known] = x[known].mean()
    found = np.unique(x[known])
    if len(found) <= FEW_VALUES:
        return [x, *((known & (x == value)).astype(float) for value in found[1:-1])]
    return [x, *natural(x, np.quantile(x[known], KNOTS))]


def natural(x: np.ndarray, knots: np.ndarray) -> list[np.ndarray]:
    """Columns that beside x make a natural cubic spline, or the square where knots coincide."""
    if not (np.diff(knots) > MIN_DEVIATION).all():
        return [x**2]
    *inner, a, b = knots
    cubes = [np.maximum(x - knot, 0) ** 3 for knot in knots]
    return [
        cube - cubes[-2] * (b - knot) / (b - a) + cubes[-1] * (a - knot) / (b - a)
        for cube, knot in zip(cubes, inner, strict=False)
    ]
