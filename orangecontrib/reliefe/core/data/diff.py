"""Difference of two rows in one feature, in [0, 1]: diff(a, i, j) of the papers.

The parameters of a method make a `Diff`; kernels of all formats take its `shape`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

RAMP = (0.05, 0.10)  # Robnik-Sikonja and Kononenko (2003)
# Kinds: what is compared of two numbers
RANGE = "range"  # the numbers as they are
RANK = "rank"  # their midranks
PRESENCE = "presence"  # which of them are not 0
KINDS = (RANGE, RANK, PRESENCE)
BY_DATA = "auto"  # PRESENCE for tables of counts, else RANGE


@dataclass(frozen=True)
class Diff:
    """Difference of two values of a feature.

    Nominal features differ by 0 if the values are equal, else by 1.  Numeric ones differ by

        clip((|x_i - x_j| / range - low) / (high - low), 0, 1) ^ power

    low = 0, high = 1, power = 1 is the plain diff, other low and high are the ramp of Robnik-Sikonja and Kononenko, and
    power = 2 is the squared diff of Kira and Rendell.

    low: difference over the range up to which values do not differ.
    high: difference over the range from which on they differ by 1.
    power: 1 or 2.
    kind: one of KINDS, what is compared of two numbers; see `compared`.
    """

    low: float = 0.0
    high: float = 1.0
    power: int = 1
    kind: str = RANGE

    @classmethod
    def make(cls, ramp: bool | tuple[float, float] = False, power: int = 1, kind: str = RANGE) -> "Diff":
        """Make a diff.

        Parameters
        ----------
        ramp : bool or (low, high)
            True: RAMP; False: no ramp.
        power : int
            1 or 2.
        kind : str
            One of KINDS.
        """
        if isinstance(ramp, bool):
            ramp = RAMP if ramp else (0.0, 1.0)
        low, high = ramp
        return cls(float(low), float(high), int(power), kind)

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Diff":
        """Return the diff that the parameters of a method ask for; those that it does not have are the plain ones."""
        return cls.make(parameters.get("ramp", False), parameters.get("power", 1), parameters.get("diff", RANGE))

    @cached_property
    def plain(self) -> bool:
        """True without a ramp and a power."""
        return (self.low, self.high, self.power) == (0.0, 1.0, 1)

    @cached_property
    def shape(self) -> tuple[float, float, bool] | None:
        """Argument of kernels: (low, slope, squared); None: the plain diff."""
        return None if self.plain else (self.low, 1 / (self.high - self.low), self.power == 2)

    @property
    def largest_slope(self) -> float:
        """Factor by which a diff enlarges an error of q, at most."""
        return self.power / (self.high - self.low)

    def __call__(self, q: np.ndarray) -> np.ndarray:
        """Compute diffs of absolute differences over the range, q."""
        q = np.clip((q - self.low) / (self.high - self.low), 0, 1)
        return q * q if self.power == 2 else q
