"""Strata of rows: the groups that folds and samples of rows are drawn from in equal shares."""

from typing import Any

import numpy as np

from ..data.chosen_rows import groups_of
from .times_reader import times_and_events


def strata_of(values: Any, n: int, name: str) -> np.ndarray:
    """Return the stratum of each row.

    Parameters
    ----------
    values : array-like, shape (n,), or Survival
        Classes, or times with events, whose strata are rows with and without an event.
    n : int
        Number of rows.
    name : str
        What messages call the values.

    Returns
    -------
    (n,) int array
        Codes of the strata; rows with a missing value have the last one.
    """
    status = times_and_events(values)
    return groups_of(values if status is None else status.events.happened, n, name)
