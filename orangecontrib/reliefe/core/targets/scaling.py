"""Scaling of numeric targets, so that neither differences nor squares overflow."""

import numpy as np


def spans(values: np.ndarray) -> np.ndarray:
    """(t,) ranges of the columns of values (n, t), 1 for constant and for unknown ones.

    Raises ValueError where they are too large for differences.
    """
    low, high = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
    with np.errstate(over="ignore"):
        out = high - low
    if np.isinf(out).any():
        raise ValueError("y has far too large values")
    return np.where(out > 0, out, 1.0)


def scaled(column: np.ndarray) -> tuple[np.ndarray, int]:
    """A column over a power of two, so that no value is beyond 1 and no digit is lost; and that power."""
    power = int(np.frexp(np.fmax.reduce(np.abs(column), initial=0.0))[1])
    return np.ldexp(column, -power), power
