"""Measures of predicted risks of an event; neither scikit-learn nor SciPy has one."""

import numpy as np

from ..data.arrays import floats


def concordance(time: object, event: object, risk: object) -> float:
    """Compute the share of pairs in which the row with the higher risk has its event first; equal risks count half.

    Pairs count if the order of their times is known.  0.5 is chance, or without a pair that counts.
    Harrell et al. (1982), J. Am. Med. Assoc. 247:2543.

    Parameters
    ----------
    time, event : (n,) arrays
        Times, and whether there was an event or the time is censored.
    risk : (n,) array
        Predicted risks, higher for earlier events.
    """
    times = floats(time, "time")
    events = floats(event, "event")
    risks = floats(risk, "risk")
    columns = times, events, risks
    if times.ndim != 1 or len({x.shape for x in columns}) > 1 or any(np.isnan(x).any() for x in columns):
        raise ValueError("time, event and risk must have one known value for each row")
    if not np.isin(events, (0, 1)).all():
        raise ValueError("event must be True or 1, or False or 0")
    n_concordant = 0.0
    n_pairs = 0
    for i in np.flatnonzero(events):
        is_later = (times[i] < times) | ((times[i] == times) & (events == 0))
        n_concordant += (risks[is_later] < risks[i]).sum() + (risks[is_later] == risks[i]).sum() / 2
        n_pairs += int(is_later.sum())
    return float(n_concordant / n_pairs) if n_pairs else 0.5
