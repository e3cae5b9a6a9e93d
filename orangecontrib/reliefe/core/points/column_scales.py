"""Scales and stand-ins of columns: factors that numbers are multiplied with, and values for missing ones.

All encoders of this room, and the formats of Relief, scale by these functions.
"""

import numpy as np

from ..data.facts import refuse_infinite

MIN_RANGE = 2.0**-1022  # a range below this has no inverse; tables that are `lifted` have none but 0


def factors(low: np.ndarray, high: np.ndarray, ranges: np.ndarray | None) -> np.ndarray:
    """Compute inverse ranges (p,), 0 for ranges without one.

    Parameters
    ----------
    low, high : (p,) arrays
        Least and largest known value of each column.
    ranges : (p,) array or None
        Ranges in the place of high - low.

    Raises
    ------
    ValueError
        If ranges are infinite.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        spans = np.where(high > low, high - low, 0.0) if ranges is None else ranges
    refuse_infinite(np.flatnonzero(~np.isfinite(spans) | (np.isinf(low) & (low <= high))))
    return np.where(spans >= MIN_RANGE, 1 / np.maximum(spans, MIN_RANGE), 0.0)


def check_finite(low: np.ndarray, high: np.ndarray) -> None:
    """Raise ValueError if the range of a feature is infinite; low, high (p,): its least and largest value."""
    with np.errstate(over="ignore", invalid="ignore"):
        infinite = np.flatnonzero((low <= high) & ~np.isfinite(high - low))
    refuse_infinite(infinite)


def scaling(
    low: np.ndarray, high: np.ndarray, nominal: np.ndarray, ranges: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Compute offsets (p,) to subtract and factors (p,) to multiply with; nominal columns stay, constant ones become 0.

    Parameters
    ----------
    low, high : (p,) arrays
        Least and largest known value of each column.
    nominal : (p,) bool array
        True for nominal columns.
    ranges : (p,) array, optional
        Ranges in the place of high - low, above 0 and not below it.
    """
    is_known = low <= high
    low = np.where(nominal | ~is_known, 0.0, low)
    high = np.where(is_known, high, 0.0)
    span = high - low
    varies = span >= MIN_RANGE
    span = span if ranges is None else ranges
    return low, np.where(nominal, 1.0, varies / np.where(varies, span, 1.0))


def means_by_row(values: np.ndarray) -> np.ndarray:
    """Average the known values of each column of values (m, c), added up row by row; 0 where none is known."""
    counts = np.maximum(np.count_nonzero(~np.isnan(values), axis=0), 1)
    means: np.ndarray = np.nansum(values, axis=0) / counts
    overflown = np.flatnonzero(~np.isfinite(means))
    means[overflown] = np.nansum(values[:, overflown] / counts[overflown], axis=0)
    return means


def means_by_column(values: np.ndarray) -> np.ndarray:
    """Average the known values of each column of values (m, c), added up pairwise: slower, but with more digits.

    Embeddings are made with these means.  The last digits of `means_by_row` differ, which UMAP would magnify.
    """
    means: np.ndarray = values.sum(axis=0) / len(values)
    gaps = np.flatnonzero(~np.isfinite(means))
    for a, column in zip(gaps, np.ascontiguousarray(values[:, gaps].T), strict=True):
        known_values = column[~np.isnan(column)]
        means[a] = mean(known_values, len(known_values))
    return means


@np.errstate(over="ignore", invalid="ignore")
def mean(values: np.ndarray, count: int) -> float:
    """Divide the sum of known values by a count, even where the sum would be infinite; return 0 without values."""
    count = max(count, 1)
    quotient = float(values.sum() / count)
    return quotient if np.isfinite(quotient) else float((values / count).sum())


def mode(column: np.ndarray, zeros: int = 0) -> float:
    """Return the most frequent known value of a column, the lowest of several, and 0 if there is none.

    zeros: number of values that are 0 and not in the column.
    """
    known_values = column[~np.isnan(column)]
    values, counts = np.unique(np.concatenate([np.zeros(int(zeros > 0)), known_values]), return_counts=True)
    counts[values == 0] += max(int(zeros) - 1, 0)
    return float(values[counts.argmax()]) if len(values) else 0.0
