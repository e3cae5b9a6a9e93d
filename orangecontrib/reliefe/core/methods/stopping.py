"""Numbers of target rows of partial rankings, and convergence of the top of a list, by which methods stop."""

from collections.abc import Sequence

import numpy as np

LEVELS = (256, 1024, 4096, 16384)  # target rows of partial rankings
FIRST_LEVEL = 128  # target rows with which a search for convergence begins
WORTH_WAITING = 5 * 10**8  # n * n * p above which a partial ranking is offered
N_COMPARED, MIN_OVERLAP, N_TIMES = 20, 0.95, 2  # best features, their overlap, how often in a row


def average_overlap(a: np.ndarray, b: np.ndarray, top: int = N_COMPARED) -> float:
    """Average over n = 1 .. min(top, p) of the share of the n best that two rankings (p,) have in common."""
    top = min(top, len(a))
    return float(np.mean([len(np.intersect1d(a[:n], b[:n])) / n for n in range(1, top + 1)]))


def has_converged(curve: Sequence[Sequence[float]]) -> bool:
    """True if the last overlaps of pairs (amount, overlap with the ranking before) are large."""
    return len(curve) >= N_TIMES and all(shared >= MIN_OVERLAP for _, shared in curve[-N_TIMES:])


def row_levels(shape: tuple[int, int], m: int | None, partial: bool) -> list[int]:
    """Numbers of target rows, growing; m: the last one, or None where convergence decides."""
    n, p = shape
    if m is None:
        return [*(k for k in (FIRST_LEVEL << e for e in range(40)) if k < n), n]
    return [*(k for k in LEVELS if partial and 3 * k < m and m * n * p > WORTH_WAITING), m]
