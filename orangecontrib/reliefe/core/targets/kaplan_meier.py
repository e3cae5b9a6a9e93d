"""Share of rows without an event until each time, by Kaplan and Meier."""

import numpy as np


def at_risk(time: np.ndarray, event: np.ndarray, risk: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place (n,) of each row among the distinct times, events (t,) at these, and the risk (t,) of all rows that are
    watched until then at least."""
    times, at = np.unique(time, return_inverse=True)
    total = np.cumsum(np.bincount(at, risk, len(times))[::-1])[::-1]
    return at, np.bincount(at, event, len(times)), total


def kaplan_meier(time: np.ndarray, event: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Place (n,) of each row among the distinct times, and the share (t,) of rows without an event until then.

    Kaplan and Meier (1958), J. Am. Statist. Assoc. 53:457; events come before censorings at equal times.
    """
    at, events, watched = at_risk(time, event, np.ones(len(time)))
    return at, np.cumprod(1 - events / watched)
