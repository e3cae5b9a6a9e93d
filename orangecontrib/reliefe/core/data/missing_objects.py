"""Objects that stand for a missing value."""

import sys
from decimal import Decimal

import numpy as np


def is_missing(value: object) -> bool:
    """True for None, NaN, NaT, NA of pandas and masked cells of NumPy."""
    if value is None or any(value is one for one in absent()):
        return True
    if type(value).__hash__ is None:  # lists, arrays and the like, which compare by their elements
        return False
    if isinstance(value, Decimal):
        return value.is_nan()
    return bool(value != value)


def absent() -> tuple[object, ...]:
    """Objects that stand for a missing value; pandas is not loaded for it: without it nobody has its NA."""
    return np.ma.masked, getattr(sys.modules.get("pandas"), "NA", np.ma.masked)
