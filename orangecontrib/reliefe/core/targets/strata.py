"""Strata of rows, for folds and samples."""

from typing import Any

import numpy as np

from ..data.arrays import groups_of
from .times_reader import times_and_events


def strata_of(values: Any, n: int, name: str) -> np.ndarray:
    """Codes (n,) of classes, or of times whether there was an event; missing ones are the last."""
    given = times_and_events(values)
    return groups_of(values if given is None else given[1].happened, n, name)
