"""Association of two columns, numbers or categories, from 0 to 1.

`of_table` chooses by it the target that a feature is drawn against.
"""

import numpy as np


def association(x: np.ndarray, x_values: int | None, y: np.ndarray, y_values: int | None) -> float:
    """Association of two columns without missing values.

    It is the absolute correlation of two numbers, the correlation ratio of a number and a category, and Cramer's V of
    two categories.

    Parameters
    ----------
    x, y : (n,) float64 arrays
        Numbers, or codes of categories from 0.
    x_values, y_values : int or None
        Numbers of values of categories. None: the column is numbers.

    Returns
    -------
    float
        Association, from 0 to 1; 0 if a column is constant.
    """
    if len(x) < 2:
        return 0.0
    if x_values is not None and y_values is not None:
        return _cramers_v(contingency_table(x, x_values, y, y_values))
    if x_values is not None:
        return _correlation_ratio(y, x.astype(int), x_values)
    if y_values is not None:
        return _correlation_ratio(x, y.astype(int), y_values)
    is_constant = min(np.std(x), np.std(y)) == 0
    return 0.0 if is_constant else abs(float(np.corrcoef(x, y)[0, 1]))


def contingency_table(x: np.ndarray, x_values: int, y: np.ndarray, y_values: int) -> np.ndarray:
    """Numbers of rows (x_values, y_values), as floats, by the codes (n,) of two categories."""
    cells = x.astype(int) * y_values + y.astype(int)
    return np.bincount(cells, minlength=x_values * y_values).reshape(x_values, y_values).astype(float)


def _correlation_ratio(numbers: np.ndarray, codes: np.ndarray, n_values: int) -> float:
    """Correlation ratio: the root of the share of the sum of squares that is between categories."""
    mean = numbers.mean()
    total = float(((numbers - mean) ** 2).sum())
    if total == 0:
        return 0.0
    sizes = np.bincount(codes, minlength=n_values)
    means = np.bincount(codes, numbers, n_values) / np.maximum(sizes, 1)
    between = (sizes * (means - mean) ** 2).sum()
    return float(np.sqrt(between / total))


def _cramers_v(table: np.ndarray) -> float:
    """Cramer's V: the root of chi-square / n (c - 1), c the smaller number of values that occur."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return 0.0
    n = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    chi2 = float(((table - expected) ** 2 / expected).sum())
    return float(np.sqrt(chi2 / n / (min(table.shape) - 1)))
