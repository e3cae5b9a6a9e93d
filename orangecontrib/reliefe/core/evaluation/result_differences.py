"""Differences of the results of two methods."""

import numpy as np

from ..checks import number, switch
from ..data.arrays import floats

MAX_DIFFERENCE = 1e150  # whose square is still a number


def differences_of(
    first: object, second: object, higher_is_better: bool, form: str, least: tuple[int, ...]
) -> np.ndarray:
    """Differences of results of the same shape, positive where the first method is better; they must be finite.

    form: the shape in words; least: its smallest lengths.
    """
    first, second = floats(first, "results"), floats(second, "results")
    if first.ndim != len(least) or first.shape != second.shape or any(np.less(first.shape, least)):
        raise ValueError(f"results must be both {form}, not {first.shape} and {second.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        x = first - second
    if not (np.abs(x) < MAX_DIFFERENCE).all():
        raise ValueError(f"results must be finite, and differ by less than {MAX_DIFFERENCE:g}")
    return np.asarray(x if switch("higher_is_better", higher_is_better) else -x)


def checked_rope(rope: object) -> float:
    """Read the largest difference that is none in practice; raises ValueError if it is negative or infinite."""
    found = number("rope", rope)
    if not 0 <= found < np.inf:
        raise ValueError(f"rope must be at least 0 and finite, not {rope}")
    return found
