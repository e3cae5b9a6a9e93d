"""z of the strengths of pairs of features, against targets in which no two features act together.

`partners.py` calls `standardised` with the strengths of all pairs.
"""

import numpy as np

MANY_PAIRS = 45  # those of ten features: the median of fewer says little, and perhaps most of them act together
NORMAL_MEDIAN = 0.6745  # of the absolute value of a standard normal number
MOST_SPREAD = 1.5  # of z by chance: choosing 60 of 500 makes up to 1.3


def standardised(scores: np.ndarray, drawn: np.ndarray, repeated: np.ndarray) -> tuple[np.ndarray, float]:
    """Return z (m, m) of symmetric scores (m, m) less their mean over B targets in which nothing acts together, and a
    level. The level is the largest z of these targets, each against the rest; drawn has the shape (B, m, m).

    repeated (m, m) bool: pairs of features that tell the same, which cannot act together. Their z is 0.

    The deviation is pooled over all pairs and targets; B is at least 2.  Features that were chosen by the same target
    act together by chance more often.  The median of z shows by how much, where there are many pairs, and z is
    divided by that (Efron 2004, J. Am. Stat. Assoc. 99:96: the empirical null).
    """
    B, upper = len(drawn), np.nonzero(np.triu(~repeated, 1))
    null = np.array([one[upper] for one in drawn])
    mean = null.mean(axis=0)
    deviation = np.sqrt(((null - mean) ** 2).sum() / max((B - 1) * null.shape[1], 1))
    if not deviation > 0:
        return np.zeros_like(scores), np.inf
    z, own = np.zeros_like(scores), (scores[upper] - mean) / (deviation * np.sqrt(1 + 1 / B))
    spread = np.median(np.abs(own)) / NORMAL_MEDIAN if len(own) >= MANY_PAIRS else 1
    z[upper] = own / np.clip(spread, 1, MOST_SPREAD)
    of_targets = (null - mean) * (B / (B - 1)) / (deviation * np.sqrt(1 + 1 / (B - 1)))
    return z + z.T, float(of_targets.max())
