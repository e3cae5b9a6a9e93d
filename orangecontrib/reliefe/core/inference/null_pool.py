"""Pool of standardised scores of all features for permuted targets, against which the true scores are counted.

`null_scores.py` adds the scores of one permuted target after another.
"""

from dataclasses import dataclass, field

import numpy as np

MIN_SHUFFLES = 3  # permuted targets; fewer have no spread of their own
EQUAL = 1e-9  # share by which scores that are equal may differ, as permuted targets are added up together
ROUNDING = 1e-12  # share of the scores below which a deviation is rounding


@dataclass
class Pool:
    """Standardised scores of all features for permuted targets, counted against the true ones.

    z (p,): true scores in units of their spread, -inf where there is none.
    reached (p,): for each feature, number of scores in the pool that are at least as large as its z.
    size: number of scores in the pool.
    maxima: largest score for each permuted target.
    """

    z: np.ndarray
    reached: np.ndarray = field(init=False)
    size: int = 0
    maxima: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with an empty pool."""
        self.reached = np.zeros(len(self.z), np.int64)

    def add(self, z: np.ndarray) -> None:
        """Count the standardised scores (p,) for one permuted target."""
        null = np.sort(z[np.isfinite(z)])
        self.reached += len(null) - np.searchsorted(null, self.z - EQUAL * np.abs(self.z))
        self.size += len(null)
        self.maxima.append(float(null[-1]) if len(null) else -np.inf)


def pooled_by_own_spread(scores: np.ndarray, permuted: np.ndarray) -> Pool:
    """Pool scores standardised by `own_spread`, of which the arguments are; without any spread if B is less than 3."""
    z, z_permuted = own_spread(scores, permuted)
    pool = Pool(z)
    for z_of_target in z_permuted:
        pool.add(z_of_target)
    return pool


def own_spread(scores: np.ndarray, permuted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standardise scores by mean and deviation of each feature's own permuted scores, each of these against the rest.

    A permuted score must not be standardised by numbers that contain it: that alone makes a false discovery rate of
    .10 one of .17 to .70.

    Parameters
    ----------
    scores : (p,) array
        True scores.
    permuted : (B, p) array
        Scores for B permuted targets.

    Returns
    -------
    z : (p,) array
        Of the true scores, -inf where there is no spread.
    z_permuted : (B, p) array
        Of the permuted ones, -inf where the rest have no spread; (0, p) if B is less than 3.
    """
    B, p = permuted.shape
    if B < MIN_SHUFFLES:
        return np.full(p, -np.inf), np.zeros((0, p))
    mean = permuted.mean(axis=0)
    distance = permuted - mean
    squares = (distance**2).sum(axis=0)
    deviation = np.sqrt(squares / (B - 1))
    rounding = ROUNDING * np.maximum(np.abs(permuted).max(axis=0), np.abs(scores))
    z = ratio_where(scores - mean, deviation * np.sqrt(1 + 1 / B), deviation > rounding)

    farthest = np.abs(distance).argmax(axis=0)
    squares_without_farthest = _squares_without(permuted, farthest)
    z_permuted = np.empty((B, p))
    for b in range(B):
        distance_from_rest = distance[b] * B / (B - 1)
        squares_of_rest = np.maximum(squares - distance[b] * distance_from_rest, 0)
        squares_of_rest = np.where(farthest == b, squares_without_farthest, squares_of_rest)
        deviation_of_rest = np.sqrt(squares_of_rest / (B - 2))
        scale = deviation_of_rest * np.sqrt(1 + 1 / (B - 1))
        z_permuted[b] = ratio_where(distance_from_rest, scale, deviation_of_rest > rounding)
    return z, z_permuted


def _squares_without(permuted: np.ndarray, left_out: np.ndarray) -> np.ndarray:
    """Sum the squared distances (p,) of scores (B, p) from their mean, without one row `left_out` (p,) of each column.

    If the row is the farthest from the mean, the sum must not be computed from that of all rows: the other scores may
    be equal, as those that are clipped at 0, and then only rounding errors would be left.
    """
    is_used = np.arange(len(permuted))[:, None] != left_out
    mean = permuted.mean(axis=0, where=is_used)
    return np.asarray(((permuted - mean) ** 2).sum(axis=0, where=is_used))


def ratio_where(a: np.ndarray, b: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Compute a / b, -inf where a mask is False."""
    return np.where(mask, a / np.where(mask, b, 1), -np.inf)
