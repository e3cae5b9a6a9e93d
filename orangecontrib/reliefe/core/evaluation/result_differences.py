"""Differences of the results of two methods, as `corrected` and `hierarchical` compare them."""

import numpy as np

from ..checks import number, switch
from ..data.arrays import floats

MAX_DIFFERENCE = 1e150  # largest difference: its square is still a float


def differences_of(
    first: object, second: object, higher_is_better: bool, form: str, min_shape: tuple[int, ...]
) -> np.ndarray:
    """Subtract results of the same shape; positive where the first method is better.

    Parameters
    ----------
    first, second : arrays of one shape
        Results of both methods.
    higher_is_better : bool
        False for errors.
    form : str
        The shape in words, for messages.
    min_shape : tuple of int
        Smallest lengths of the axes.

    Raises
    ------
    ValueError
        If results have another shape, or are not finite.
    """
    first = floats(first, "results")
    second = floats(second, "results")
    if first.ndim != len(min_shape) or first.shape != second.shape or any(np.less(first.shape, min_shape)):
        raise ValueError(f"results must be both {form}, not {first.shape} and {second.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        x = first - second
    if not (np.abs(x) < MAX_DIFFERENCE).all():
        raise ValueError(f"results must be finite, and differ by less than {MAX_DIFFERENCE:g}")
    return np.asarray(x if switch("higher_is_better", higher_is_better) else -x)


def checked_rope(rope: object) -> float:
    """Read the largest difference that is none in practice; raises ValueError if it is negative or infinite."""
    limit = number("rope", rope)
    if not 0 <= limit < np.inf:
        raise ValueError(f"rope must be at least 0 and finite, not {rope}")
    return limit
