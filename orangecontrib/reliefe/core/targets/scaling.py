"""Scaling of numeric targets, so that neither differences nor squares overflow."""

from typing import NamedTuple

import numpy as np


class Scaled(NamedTuple):
    """Column without values beyond 1.

    Attributes
    ----------
    column : (n,) array
        The values over 2 ** power, which costs no digit.
    power : int
        Exponent of the divisor.
    """

    column: np.ndarray
    power: int


def spans(values: np.ndarray) -> np.ndarray:
    """Compute the ranges of the columns of a target.

    Parameters
    ----------
    values : (n, t) float array
        Columns; NaN is unknown.

    Returns
    -------
    (t,) array
        Largest less lowest known value; 1 for constant and for unknown columns.

    Raises
    ------
    ValueError
        If a range is infinite.
    """
    low = np.fmin.reduce(values, axis=0)
    high = np.fmax.reduce(values, axis=0)
    with np.errstate(over="ignore"):
        ranges = high - low
    if np.isinf(ranges).any():
        raise ValueError("y has far too large values")
    return np.where(ranges > 0, ranges, 1.0)


def centred(column: np.ndarray) -> np.ndarray:
    """Return a column (n,) of any offset and scale, less the middle of its range, within -1 and 1; NaN is unknown.

    The divisor is a power of two. So values lose no digit but those that the difference of near numbers never had.
    """
    low = np.fmin.reduce(column, initial=np.inf)
    high = np.fmax.reduce(column, initial=-np.inf)
    middle = low / 2 + high / 2 if low <= high else 0.0  # halves do not overflow
    return scaled(column - middle).column


def scaled(column: np.ndarray) -> Scaled:
    """Divide a column (n,) by the power of two that leaves no absolute value beyond 1; NaN is unknown."""
    power = int(np.frexp(np.fmax.reduce(np.abs(column), initial=0.0))[1])
    return Scaled(np.ldexp(column, -power), power)
