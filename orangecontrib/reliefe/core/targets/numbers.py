"""Target of one number a row: two rows differ by their distance over the range of all rows."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from .scaling import scaled, spans
from .targets import MissRule, Target, TargetColumns
from .tasks import REGRESSION

# Bounds of the largest absolute value of a target: outside of them squares would overflow, or have fewer digits
SMALLEST = 2.0**-500
LARGEST = 2.0**500
EDGE = 1e-12  # share of the standard deviation that rounding may cost: rows that differ by one are a miss


@dataclass(frozen=True)
class Numbers(Target):
    """Number of each row.

    Attributes
    ----------
    values : (n,) float array
        The numbers; NaN is unknown.
    span : float
        Range of the numbers of all rows of the data, 1 for a constant.
    width : float
        Standard deviation (ddof 1) of the numbers of all rows of the data.
    units : (1,) array, optional
        Power of two that values, span and width were divided by; None: 1.
    """

    values: np.ndarray
    span: float
    width: float
    units: np.ndarray | None = None
    task = REGRESSION

    @classmethod
    def measure(cls, values: np.ndarray) -> "Numbers":
        """Measure the range and the standard deviation of numbers.

        Values whose squares would overflow or have fewer digits are divided by a power of two, which changes no digit.

        Parameters
        ----------
        values : (n,) float array
            Numbers of all rows of the data; NaN is unknown.

        Raises
        ------
        ValueError
            If values are too large for differences.
        """
        known_values = values[~np.isnan(values)]
        span = float(spans(values[:, None])[0])
        largest = float(np.abs(known_values).max(initial=0.0))
        if largest > 0 and not SMALLEST <= largest <= LARGEST:
            power = int(np.frexp(largest)[1]) - 1
            return replace(cls.measure(np.ldexp(values, -power)), units=np.ldexp(np.ones(1), power))
        if len(known_values) < 2:
            return cls(values, span, width=0.0)
        unit_values, power = scaled(known_values / span)
        return cls(values, span, width=float(np.ldexp(np.std(unit_values, ddof=1), power)) * span)

    def weighted(self, weights: np.ndarray) -> "Numbers":
        """Return this target with the standard deviation of weighted rows, weights (n,); all values are known.

        It is sqrt(sum w (y - mean)^2 / (sum w - 1)), as if each row occurred w times.
        """
        return replace(self, width=_weighted_deviation(self.values, weights))

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.values)

    @property
    def columns(self) -> TargetColumns:
        return TargetColumns(self.values[:, None], np.zeros(1, bool))

    def take(self, rows: np.ndarray) -> "Numbers":
        return replace(self, values=self.values[rows])

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        return cast("np.ndarray", np.abs(self.values[rows] - self.values[cols]) / self.span)

    @property
    def miss_rule(self) -> MissRule:
        return MissRule(self.values, self.width * (1 - EDGE))


def _weighted_deviation(values: np.ndarray, weights: np.ndarray) -> float:
    """Compute the standard deviation of known values (n,), each of which counts as `weight` rows."""
    unit_values, power = scaled(values)
    mean = np.average(unit_values, weights=weights)
    squares = float((weights * (unit_values - mean) ** 2).sum())
    return float(np.ldexp(np.sqrt(squares / (weights.sum() - 1)), power))
