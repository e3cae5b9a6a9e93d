"""Numbers of best features at which rankings are compared."""

import numpy as np

from ..checks import whole
from ..data.arrays import cells
from ..words import shown


def checked_sizes(sizes: object, p: int, one: bool = False) -> np.ndarray:
    """Numbers (s,) of best features of p, ascending; raises ValueError for others.  one: a single number is allowed."""
    found = cells(sizes, "sizes")
    found = np.atleast_1d(found) if one else found
    ascending = found.ndim == 1 and len(found) and found.dtype.kind in "iu" and (found[1:] > found[:-1]).all()
    if not ascending or found[0] < 1 or found[-1] > p:
        raise ValueError(f"sizes must be ascending integers from 1 to the {p} features, not {shown(sizes)}")
    return found.astype(np.intp)


def doublings(p: int) -> list[int]:
    """1, 2, 4, ... up to p, and p: numbers of features at which curves of errors are drawn."""
    p = whole("the number of features", p, 0)
    return sorted({*(2**j for j in range(p.bit_length())), p})
