"""Convergence of the top of a list, by which methods stop."""

from collections.abc import Sequence

import numpy as np

N_COMPARED, MIN_OVERLAP, N_TIMES = 20, 0.95, 2  # best features, their overlap, how often in a row


def average_overlap(a: np.ndarray, b: np.ndarray, top: int = N_COMPARED) -> float:
    """Average over n = 1 .. min(top, p) of the share of the n best that two rankings (p,) have in common."""
    top = min(top, len(a))
    return float(np.mean([len(np.intersect1d(a[:n], b[:n])) / n for n in range(1, top + 1)]))


def has_converged(curve: Sequence[Sequence[float]]) -> bool:
    """True if the last overlaps of pairs (amount, overlap with the ranking before) are large."""
    return len(curve) >= N_TIMES and all(shared >= MIN_OVERLAP for _, shared in curve[-N_TIMES:])
