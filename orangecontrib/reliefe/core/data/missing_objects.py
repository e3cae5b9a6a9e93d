"""Objects that stand for a missing value, as None and the NA of pandas.

`arrays` and `frame_columns` look for them in columns of objects.
"""

import sys
from decimal import Decimal

import numpy as np


def is_missing(value: object) -> bool:
    """True for None, NaN, NaT, NA of pandas and masked cells of NumPy."""
    if value is None or any(value is stand_in for stand_in in absent()):
        return True
    if type(value).__hash__ is None:  # lists, arrays and the like, which compare by their elements
        return False
    if isinstance(value, Decimal):
        return value.is_nan()
    return bool(value != value)


def absent() -> tuple[object, ...]:
    """Return the masked cell of NumPy and the NA of pandas, which is not loaded for it: without it no value is NA."""
    return np.ma.masked, getattr(sys.modules.get("pandas"), "NA", np.ma.masked)
