"""The kernel of `nearest_simd.py` in NumPy: what it computes, and where numba does not compile."""

from typing import Any

import numpy as np

from ..formats.steps import APART


def list_nearest(
    distances: np.ndarray,
    i0: int,
    rows: np.ndarray,
    ranges: Any,
    ids: np.ndarray,
    k: int,
    error: tuple[float, float],
    lists: tuple[np.ndarray, np.ndarray],
) -> None:
    """List the k nearest rows of each group, and those that may be as near as the k-th; see `nearest_simd`."""
    factor, term = error
    is_exact = (factor, term) == (1.0, 0.0)
    keys, counts = lists
    keys[:] = ~np.uint64(0)
    for b, row in enumerate(rows):
        d = distances[row - i0].astype(np.uint64)
        for g in range(len(ranges.starts) - 1):
            of_group = range(ranges.starts[g], ranges.starts[g + 1])
            members = np.concatenate([np.arange(ranges.begins[s], ranges.ends[s]) for s in of_group])
            members = members[d[members] < APART]
            sorted_keys = np.sort((d[members] << np.uint64(32)) + ids[members].astype(np.uint64))
            count = min(len(sorted_keys), k)
            if len(sorted_keys) > k and not is_exact:
                in_steps = sorted_keys >> np.uint64(32)
                count = int((in_steps <= np.floor(float(in_steps[k - 1]) * factor + term)).sum())
            counts[b, g] = count
            listed = sorted_keys[:count][: keys.shape[2]]
            keys[b, g, : len(listed)] = listed
