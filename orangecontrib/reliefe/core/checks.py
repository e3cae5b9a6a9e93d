"""Single values as callers give them: checked by kind before they are compared with anything."""

import operator
from collections.abc import Collection, Sequence
from numbers import Real

import numpy as np

from ..words import shown


def whole(name: str, value: object, low: int | None = None, high: int | None = None) -> int:
    """`value` as an int; raises TypeError for what is no integer, ValueError outside of low ... high."""
    try:
        found = operator.index(value)
    except TypeError:
        found = None
    if found is None or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {shown(value)}")
    if (low is not None and found < low) or (high is not None and found > high):
        if low is None or high is None:
            wanted = f"at least {low}" if high is None else f"at most {high}"
        else:
            wanted = f"from {low} to {high}"
        raise ValueError(f"{name} must be {wanted}, not {shown(found)}")
    return found


def number(name: str, value: object) -> float:
    """`value` as a float, NaN and infinite ones too; raises TypeError for what is no number, ValueError for an integer
    beyond all floats."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, not {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is too large: {shown(value)}") from None


def one_of(name: str, value: object, choices: Collection[str]) -> str:
    """`value`, one of the choices; raises ValueError for anything else."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"unknown {name} {shown(value)}; choose from {', '.join(choices)}")
    return str(value)


def several(name: str, values: object) -> list:
    """A sequence of values as a list; raises TypeError for what is none."""
    listed = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    if not listed and not (isinstance(values, np.ndarray) and values.ndim):
        raise TypeError(f"{name} must be a sequence, not {shown(values)}")
    return list(values)
