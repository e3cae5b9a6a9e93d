"""Weights of the rows of a table, checked once.

`check_call` calls `given_weights` with `sample_weight`. Readers of Orange's tables pass `OfferedWeights`, which a
method may leave aside.
"""

from dataclasses import dataclass

import numpy as np

from ..info import Info
from .arrays import floats


@dataclass(frozen=True, eq=False)
class OfferedWeights:
    """Weights that come with the data: a method that takes none leaves them aside, and says so.

    Parameters
    ----------
    values : (n,) array
        One weight for each row.
    """

    values: object


def read_weights(argument: object, n: int) -> np.ndarray:
    """Read the weights of n rows.

    Parameters
    ----------
    argument : array-like of shape (n,)
        Numbers from 0; a row of weight 2 counts as if it were given twice, one of weight 0 as if it were absent.
    n : int
        Number of rows.

    Returns
    -------
    (n,) float64 array

    Raises
    ------
    ValueError
        For anything else, and where all weights are 0.
    """
    try:
        weights = np.array(floats(argument, "sample_weight"))
    except TypeError as error:
        raise ValueError(f"sample_weight must be numbers: {error}") from None
    if weights.shape != (n,):
        raise ValueError(f"sample_weight must be one number for each of {n:,} rows, not of shape {weights.shape}")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise ValueError(
            f"sample_weight must be finite numbers from 0; that of row {wrong[0] + 1:,} is {weights[wrong[0]]:g}"
        )
    if not weights.any():
        raise ValueError("all weights of rows (sample_weight) are zero: no row is left")
    return weights


def given_weights(argument: object, n: int, info: Info) -> np.ndarray | None:
    """Read the weights of n rows as `read_weights` does; offered ones that are wrong are left aside with a warning."""
    if not isinstance(argument, OfferedWeights):
        return read_weights(argument, n)
    try:
        return read_weights(argument.values, n)
    except ValueError as error:
        info["warnings"].append(f"the weights of the rows are left aside: {error}")
        return None
