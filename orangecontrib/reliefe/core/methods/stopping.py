"""When the top of a list stands still."""

from collections.abc import Sequence

import numpy as np

TOP, AGREED, TIMES = 20, 0.95, 2  # features that are compared, their overlap, how often in a row


def overlap(a: np.ndarray, b: np.ndarray, top: int = TOP) -> float:
    """Average over n = 1 .. min(top, p) of the share of the n best that two rankings (p,) have in common."""
    top = min(top, len(a))
    return float(np.mean([len(np.intersect1d(a[:n], b[:n])) / n for n in range(1, top + 1)]))


def has_converged(curve: Sequence[Sequence[float]]) -> bool:
    """Whether the last overlaps of pairs (amount, overlap with the ranking before) are large."""
    return len(curve) >= TIMES and all(shared >= AGREED for _, shared in curve[-TIMES:])
