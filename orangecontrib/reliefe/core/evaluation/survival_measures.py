"""Measures of predicted risks."""

import numpy as np

from ..data.arrays import floats


def concordance(time: object, event: object, risk: object) -> float:
    """Share of pairs in which the row with the higher risk has its event first; equal risks count half.

    Pairs count if the order of their times is known.  0.5 is chance, or without a pair that counts.
    Harrell et al. (1982), J. Am. Med. Assoc. 247:2543.

    Parameters
    ----------
    time, event : (n,) arrays
        Times, and whether there was an event or the time is censored.
    risk : (n,) array
        Predicted risks, higher for earlier events.
    """
    given = floats(time, "time"), floats(event, "event"), floats(risk, "risk")
    if given[0].ndim != 1 or len({values.shape for values in given}) > 1 or any(np.isnan(v).any() for v in given):
        raise ValueError("time, event and risk must have one known value for each row")
    if not np.isin(given[1], (0, 1)).all():
        raise ValueError("event must be True or 1, or False or 0")
    T, D, R = given
    right, pairs = 0.0, 0
    for i in np.flatnonzero(D):
        later = (T[i] < T) | ((T[i] == T) & (D == 0))
        right += (R[later] < R[i]).sum() + (R[later] == R[i]).sum() / 2
        pairs += int(later.sum())
    return float(right / pairs) if pairs else 0.5
