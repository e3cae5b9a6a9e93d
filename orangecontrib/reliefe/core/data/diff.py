"""diff(a, i, j): how much two rows differ in one feature, in [0, 1]."""

from dataclasses import dataclass

import numpy as np

RAMP = (0.05, 0.10)  # Robnik-Sikonja and Kononenko (2003)


@dataclass(frozen=True)
class Diff:
    """Nominal: 0 if equal, else 1.  Numeric: |x_i - x_j| / range, made to rise from 0 at `low` to 1 at `high`.

    The result is raised to `power`.
    low = 0, high = 1, power = 1 is the plain diff; other low and high are the ramp of Robnik-Sikonja and Kononenko;
    power = 2 is the squared diff of Kira and Rendell.
    """

    low: float = 0.0
    high: float = 1.0
    power: int = 1

    @classmethod
    def make(cls, ramp: bool | tuple[float, float] = False, power: int = 1) -> "Diff":
        low, high = (0.0, 1.0) if ramp is False else RAMP if ramp is True else ramp
        return cls(float(low), float(high), int(power))

    @property
    def plain(self) -> bool:
        return self == Diff()

    @property
    def shape(self) -> tuple[float, float, bool]:
        """Arguments of kernels: (low, slope, squared); slope 0 stands for the plain diff."""
        return (0.0, 0.0, False) if self.plain else (self.low, 1 / (self.high - self.low), self.power == 2)

    def __call__(self, q: np.ndarray) -> np.ndarray:
        """Diffs of scaled absolute differences q."""
        q = np.clip((q - self.low) / (self.high - self.low), 0, 1)
        return q * q if self.power == 2 else q
