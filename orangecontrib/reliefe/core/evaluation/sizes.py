"""Numbers of best features at which rankings are compared."""

import numpy as np

from ..checks import whole
from ..data.arrays import cells
from ..words import shown


def checked_sizes(sizes: object, p: int, allow_single: bool = False) -> np.ndarray:
    """Read numbers (s,) of best features.

    Parameters
    ----------
    sizes : sequence of int
        Numbers to read.
    p : int
        Number of all features.
    allow_single : bool
        Also read a single number.

    Raises
    ------
    ValueError
        If the numbers are not ascending integers from 1 to p.
    """
    counts = cells(sizes, "sizes")
    if allow_single:
        counts = np.atleast_1d(counts)
    is_list = counts.ndim == 1 and len(counts) and counts.dtype.kind in "iu"
    if not is_list or not (counts[1:] > counts[:-1]).all() or counts[0] < 1 or counts[-1] > p:
        raise ValueError(f"sizes must be ascending integers from 1 to the {p} features, not {shown(sizes)}")
    return counts.astype(np.intp)


def doublings(p: int) -> list[int]:
    """List 1, 2, 4, ... up to p, and p: numbers of features at which curves of quality are drawn."""
    p = whole("the number of features", p, 0)
    return sorted({*(2**j for j in range(p.bit_length())), p})
