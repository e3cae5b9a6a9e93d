"""Curve of survival by Kaplan and Meier, from times with censoring."""

from typing import NamedTuple

import numpy as np


class RiskSets(NamedTuple):
    """Rows that are watched until each of the t distinct times at least.

    Attributes
    ----------
    time_index : (n,) int array
        Index of the time of each row among the distinct times.
    events : (t,) array
        Number of events at each time.
    risk : (t,) array
        Sum of the risks of the rows that are watched.
    """

    time_index: np.ndarray
    events: np.ndarray
    risk: np.ndarray


class SurvivalCurve(NamedTuple):
    """Share of rows without an event.

    Attributes
    ----------
    time_index : (n,) int array
        Index of the time of each row among the t distinct times.
    survival : (t,) array
        Share of rows without an event until each time.
    """

    time_index: np.ndarray
    survival: np.ndarray


def at_risk(time: np.ndarray, event: np.ndarray, risk: np.ndarray) -> RiskSets:
    """Add up events and risks at each distinct time.

    Parameters
    ----------
    time : (n,) array
        Times until an event or until censoring.
    event : (n,) bool array
        True where the event was seen.
    risk : (n,) array
        Weight of each row among those that are watched.
    """
    times, time_index = np.unique(time, return_inverse=True)
    total_risk = np.cumsum(np.bincount(time_index, risk, len(times))[::-1])[::-1]
    return RiskSets(time_index, np.bincount(time_index, event, len(times)), total_risk)


def kaplan_meier(time: np.ndarray, event: np.ndarray) -> SurvivalCurve:
    """Estimate the curve of survival: the product over times of 1 - events / rows at risk.

    Kaplan and Meier (1958), J. Am. Statist. Assoc. 53:457; events come before censorings at equal times.

    Parameters
    ----------
    time : (n,) array
        Times until an event or until censoring.
    event : (n,) bool array
        True where the event was seen.
    """
    time_index, events, watched = at_risk(time, event, np.ones(len(time)))
    return SurvivalCurve(time_index, np.cumprod(1 - events / watched))
