"""Target of one number a row."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from .scaling import scaled, spans
from .targets import Target
from .tasks import REGRESSION

# Largest absolute values of a numeric target outside of which squares would overflow, or have fewer digits
SMALLEST, LARGEST = 2.0**-500, 2.0**500
EDGE = 1e-12  # share of the standard deviation that rounding may cost: numbers so far apart differ by all of it


@dataclass(frozen=True)
class Numbers(Target):
    """values (n,) float; `span`: the range, 1 for a constant, and `width`: the standard deviation (ddof 1), of all rows
    of the data.

    units (1,): power of two that values, span and width were divided by; None: 1.
    """

    values: np.ndarray
    span: float
    width: float
    units: np.ndarray | None = None
    task = REGRESSION

    @classmethod
    def measure(cls, values: np.ndarray) -> "Numbers":
        """Read values of all rows of the data; NaN is unknown.

        Values whose squares would overflow or have fewer digits are divided by a power of two, which changes no digit.
        Raises ValueError where they are too large for differences.
        """
        known, span = values[~np.isnan(values)], float(spans(values[:, None])[0])
        largest = float(np.abs(known).max(initial=0.0))
        if largest > 0 and not SMALLEST <= largest <= LARGEST:
            power = int(np.frexp(largest)[1]) - 1
            return replace(cls.measure(np.ldexp(values, -power)), units=np.ldexp(np.ones(1), power))
        known, power = scaled(known / span)
        return cls(values, span, float(np.ldexp(np.std(known, ddof=1), power)) * span if len(known) > 1 else 0.0)

    def weighted(self, weights: np.ndarray) -> "Numbers":
        """Return the target with the standard deviation of rows that have weights (n,); all values are known.

        It is sqrt(sum w (y - mean)^2 / (sum w - 1)), as if each row were given w times.
        """
        return replace(self, width=_weighted_deviation(self.values, weights))

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.values)

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return self.values[:, None], np.zeros(1, bool)

    def take(self, rows: np.ndarray) -> "Numbers":
        return replace(self, values=self.values[rows])

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return cast("np.ndarray", np.abs(self.values[rows] - self.values[cols]) / self.span)

    @property
    def steps(self) -> tuple[np.ndarray, float]:
        return self.values, self.width * (1 - EDGE)


def _weighted_deviation(values: np.ndarray, weights: np.ndarray) -> float:
    """Standard deviation of known values (n,), each of which counts as so many rows as its weight."""
    unit, power = scaled(values)
    mean = np.average(unit, weights=weights)
    squares = float((weights * (unit - mean) ** 2).sum())
    return float(np.ldexp(np.sqrt(squares / (weights.sum() - 1)), power))
