"""Scales of columns, and what stands for their missing values: the same for all encoders."""

import numpy as np

from ..data.table import refuse_infinite

MIN_RANGE = 2.0**-1022  # a range below this has no inverse; tables that are `lifted` have none but 0


def factors(low: np.ndarray, high: np.ndarray, ranges: np.ndarray | None) -> np.ndarray:
    """Inverse ranges."""
    with np.errstate(over="ignore", invalid="ignore"):
        spans = np.where(high > low, high - low, 0.0) if ranges is None else ranges
    if not np.isfinite(spans).all() or np.isinf(low[low <= high]).any():
        raise ValueError("X has infinite or far too large values")
    return np.where(spans >= MIN_RANGE, 1 / np.maximum(spans, MIN_RANGE), 0.0)


def check_finite(low: np.ndarray, high: np.ndarray) -> None:
    """Raise ValueError where the range of a feature is infinite, low and high (p,)."""
    with np.errstate(over="ignore", invalid="ignore"):
        bad = np.flatnonzero((low <= high) & ~np.isfinite(high - low))
    refuse_infinite(bad)


def scaling(low: np.ndarray, high: np.ndarray, nominal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Offsets to subtract and factors to multiply with; nominal columns stay, constant ones become 0."""
    low, high = np.where(nominal | ~(low <= high), 0.0, low), np.where(low <= high, high, 0.0)
    span = high - low
    varies = span >= MIN_RANGE
    return low, np.where(nominal, 1.0, varies / np.where(varies, span, 1.0))


def means_by_row(values: np.ndarray) -> np.ndarray:
    """(c,) means of the known values of each column of values (m, c), added up row by row; 0 where none is known."""
    counts = np.maximum(np.count_nonzero(~np.isnan(values), axis=0), 1)
    means: np.ndarray = np.nansum(values, axis=0) / counts
    far = np.flatnonzero(~np.isfinite(means))
    means[far] = np.nansum(values[:, far] / counts[far], axis=0)
    return means


def means_by_column(values: np.ndarray) -> np.ndarray:
    """The same, added up pairwise in each column: slower, but with more digits.

    Embeddings are made with these.  The last digits of the others differ, which UMAP would magnify.
    """
    means: np.ndarray = values.sum(axis=0) / len(values)
    gaps = np.flatnonzero(~np.isfinite(means))
    for a, column in zip(gaps, np.ascontiguousarray(values[:, gaps].T), strict=True):
        known = column[~np.isnan(column)]
        means[a] = mean(known, len(known))
    return means


@np.errstate(over="ignore", invalid="ignore")
def mean(known: np.ndarray, count: int) -> float:
    """Sum of known values over a count, even where the sum is beyond all numbers; 0 of none."""
    count = max(count, 1)
    found = float(known.sum() / count)
    return found if np.isfinite(found) else float((known / count).sum())


def mode(column: np.ndarray, zeros: int = 0) -> float:
    """Most frequent known value, the lowest of those, 0 if there is none; `zeros` more of them are 0."""
    known = column[~np.isnan(column)]
    values, counts = np.unique(np.concatenate([np.zeros(int(zeros > 0)), known]), return_counts=True)
    counts[values == 0] += max(int(zeros) - 1, 0)
    return float(values[counts.argmax()]) if len(values) else 0.0
