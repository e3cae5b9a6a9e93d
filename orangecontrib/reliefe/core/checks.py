"""Single values as callers give them: checked by kind before they are compared with anything."""

import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from numbers import Real
from typing import Any, SupportsIndex, cast

import numpy as np
from scipy.sparse import issparse

from .words import choices, shown


def whole(name: str, value: object, low: int | None = None, high: int | None = None) -> int:
    """`value` as an int; raises TypeError if it is no integer, ValueError outside of low ... high."""
    integer: int | None
    try:
        integer = operator.index(cast("SupportsIndex", value))
    except TypeError:
        integer = None
    if integer is None or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {shown(value)}")
    if low is not None and integer < low:
        raise ValueError(f"{name} must be at least {low:,}, not {shown(integer)}")
    if high is not None and integer > high:
        raise ValueError(f"{name} must be at most {high:,}, not {shown(integer)}")
    return integer


def number(name: str, value: object) -> float:
    """`value` as a float, also NaN and infinity; raises TypeError if it is no number, ValueError for an integer beyond
    all floats."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, not {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is too large: {shown(value)}") from None


def inside(name: str, value: object) -> float:
    """`value`, a number above 0 and below 1; raises TypeError or ValueError for anything else."""
    share = number(name, value)
    if not 0 < share < 1:
        raise ValueError(f"{name} must be between 0 and 1, not {shown(value)}")
    return share


def switch(name: str, value: object) -> bool:
    """`value`, True or False (1 and 0 are these, too); raises TypeError for anything else."""
    if not isinstance(value, Real | np.bool_) or value not in (False, True):
        raise TypeError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)


def generator(random_state: object) -> np.random.Generator:
    """Random numbers from a seed, an integer from 0; raises TypeError or ValueError for anything else."""
    return np.random.default_rng(whole("random_state", random_state, 0))


def function(name: str, value: object) -> Callable[..., Any]:
    """`value`, which can be called; raises TypeError if it cannot."""
    if not callable(value):
        raise TypeError(f"{name} must be a function, not {shown(value)}")
    return value


def one_of(name: str, value: object, names: Collection[str]) -> str:
    """`value`, one of the names; raises ValueError for anything else."""
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"unknown {name} {shown(value)}; {choices(value, names)}")
    return str(value)


def several(name: str, values: object) -> list[Any]:
    """The values of a sequence; raises TypeError if it is none."""
    is_other_container = isinstance(values, str | bytes | Mapping) or issparse(values)
    if not isinstance(values, Iterable) or is_other_container or getattr(values, "ndim", 1) < 1:
        raise TypeError(f"{name} must be a sequence, not {shown(values)}")
    return list(values)
