"""diff(a, i, j): how much two rows differ in one feature, in [0, 1]."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

RAMP = (0.05, 0.10)  # Robnik-Sikonja and Kononenko (2003)
RANGE, RANK, PRESENCE = KINDS = ("range", "rank", "presence")
BY_DATA = "auto"


@dataclass(frozen=True)
class Diff:
    """Nominal: 0 if equal, else 1.  Numeric: |x_i - x_j| / range, made to rise from 0 at `low` to 1 at `high`.

    The result is raised to `power`.
    low = 0, high = 1, power = 1 is the plain diff; other low and high are the ramp of Robnik-Sikonja and Kononenko;
    power = 2 is the squared diff of Kira and Rendell.
    kind: what is compared instead of numbers as they are ("range"): their midranks ("rank"), or which of them are not
    zero ("presence"); see `compared`.
    """

    low: float = 0.0
    high: float = 1.0
    power: int = 1
    kind: str = RANGE

    @classmethod
    def make(cls, ramp: bool | tuple[float, float] = False, power: int = 1, kind: str = RANGE) -> "Diff":
        low, high = (0.0, 1.0) if ramp is False else RAMP if ramp is True else ramp
        return cls(float(low), float(high), int(power), kind)

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Diff":
        """The diff that the parameters of a method ask for; those that it does not have are left alone."""
        return cls.make(parameters.get("ramp", False), parameters.get("power", 1), parameters.get("diff", RANGE))

    @property
    def plain(self) -> bool:
        return (self.low, self.high, self.power) == (0.0, 1.0, 1)

    @property
    def shape(self) -> tuple[float, float, bool] | None:
        """Argument of kernels: (low, slope, squared); None: the plain diff."""
        return None if self.plain else (self.low, 1 / (self.high - self.low), self.power == 2)

    def __call__(self, q: np.ndarray) -> np.ndarray:
        """Diffs of scaled absolute differences q."""
        q = np.clip((q - self.low) / (self.high - self.low), 0, 1)
        return q * q if self.power == 2 else q
