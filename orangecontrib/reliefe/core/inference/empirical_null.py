"""Standardised strengths of pairs of features, against targets in which no two features act together.

`partners.py` calls `standardised` with the strengths of all pairs.
"""

import numpy as np

MANY_PAIRS = 45  # those of ten features: the median of fewer says little, and perhaps most of them act together
NORMAL_MEDIAN = 0.6745  # of the absolute value of a standard normal number
MAX_SPREAD = 1.5  # of z by chance: choosing 60 of 500 makes up to 1.3


def standardised(scores: np.ndarray, drawn: np.ndarray, repeated: np.ndarray) -> tuple[np.ndarray, float]:
    """Standardise symmetric scores by their mean and deviation over targets in which nothing acts together.

    The deviation is pooled over all pairs and targets.  Features that were chosen by the same target act together by
    chance more often.  The median of z shows by how much, where there are many pairs, and z is divided by that
    (Efron 2004, J. Am. Stat. Assoc. 99:96: the empirical null).

    Parameters
    ----------
    scores : (m, m) array
        Strength of each pair of features for the true target.
    drawn : (B, m, m) array
        Strengths for B targets, at least 2, in which nothing acts together.
    repeated : (m, m) bool array
        Pairs of features that repeat each other, which cannot act together.

    Returns
    -------
    z : (m, m) array
        0 for repeated features.
    level : float
        Largest z of the drawn targets, each against the rest; infinite where these do not vary.
    """
    B = len(drawn)
    upper = np.nonzero(np.triu(~repeated, 1))
    null = np.array([strengths[upper] for strengths in drawn])
    mean = null.mean(axis=0)
    deviation = np.sqrt(((null - mean) ** 2).sum() / max((B - 1) * null.shape[1], 1))
    if not deviation > 0:
        return np.zeros_like(scores), np.inf

    z_of_pairs = (scores[upper] - mean) / (deviation * np.sqrt(1 + 1 / B))
    spread = np.median(np.abs(z_of_pairs)) / NORMAL_MEDIAN if len(z_of_pairs) >= MANY_PAIRS else 1
    z = np.zeros_like(scores)
    z[upper] = z_of_pairs / np.clip(spread, 1, MAX_SPREAD)

    # Each drawn target against the mean of the others
    z_of_drawn = (null - mean) * (B / (B - 1)) / (deviation * np.sqrt(1 + 1 / (B - 1)))
    return z + z.T, float(z_of_drawn.max())
