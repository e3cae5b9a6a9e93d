"""Times with censoring: where each row is among all times, as far as it is known.

Callers give a `Survival`; `times_reader.py` makes `Times` of it, which the Relief family compares.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .events import describe_events
from .kaplan_meier import kaplan_meier
from .targets import Target, TargetColumns
from .tasks import SURVIVAL

FEW_EVENTS = 10  # number of events below which residuals say little
MIN_REMAINDER = 1e-12  # least divisor, so that rows that are censored at the last time do not divide by 0


@dataclass(frozen=True, eq=False)
class Survival:
    """Times until an event, or until rows were no longer watched: a target for `rank`.

    Parameters
    ----------
    time : array-like, shape (n,)
        Times from 0 on; NaN is unknown.
    event : array-like, shape (n,)
        True or 1 where the event was seen, False or 0 where the time is censored.  So are 2 and 1, as in R, and known
        words, as "dead" and "alive".
    event_value : object, optional
        The value of `event` that says that the event was seen. Every other value is censored.  None: as above.
    """

    time: Any
    event: Any
    event_value: object = None


@dataclass(frozen=True, eq=False)
class Times(Target):
    """Times and events of n rows, with the quantiles U = F(time) that they have, or exceed.

    Quantiles are uniform in (0, 1).  That of a censored row is uniform on (low, 1).

    Attributes
    ----------
    time : (n,) array
        Times until the event or until censoring.
    event : (n,) bool array
        True where the event was seen.
    low : (n,) array
        Quantile of a row where it is known, else the quantile that it exceeds.
    is_exact : (n,) bool array
        True where the quantile is known.
    event_name : str
        The caller's value for rows with an event.
    censored_names : tuple of str
        The caller's values for rows without.
    """

    time: np.ndarray
    event: np.ndarray
    low: np.ndarray
    is_exact: np.ndarray
    event_name: str = "True"
    censored_names: tuple[str, ...] = ("False",)
    task = SURVIVAL

    @classmethod
    def measure(cls, time: np.ndarray, event: np.ndarray) -> "Times":
        """Estimate quantiles by the curve of Kaplan and Meier of all rows of the data.

        All quantiles are 1/2 where all times are equal.

        Parameters
        ----------
        time : (n,) array
            Times until the event or until censoring, from 0 on.
        event : (n,) bool array
            True where the event was seen.
        """
        curve = kaplan_meier(time, event)
        if len(curve.survival) < 2:
            return cls(time, event, np.full(len(time), 0.5), np.ones(len(time), bool))
        after = curve.survival[curve.time_index]
        before = np.append(1.0, curve.survival[:-1])[curve.time_index]
        low = np.where(event, 1 - (before + after) / 2, 1 - after)
        return cls(time, event, low, event | (low >= 1))

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.time)

    @property
    def columns(self) -> TargetColumns:
        return TargetColumns(np.column_stack([self.time, self.event]), np.array([False, True]))

    @property
    def n_events(self) -> int:
        """Number of rows with an event."""
        return int(self.event.sum())

    @property
    def description(self) -> str:
        """Events and censored rows in words, with their values."""
        return describe_events(self.n_events, self.n - self.n_events, self.event_name, self.censored_names)

    def take(self, rows: np.ndarray) -> "Times":
        return replace(
            self, time=self.time[rows], event=self.event[rows], low=self.low[rows], is_exact=self.is_exact[rows]
        )

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """Compute the expected difference of two quantiles, given what is known of them.

        Let a and b be `low` of both rows, with a that of the censored row if one is, else the lower one.

            both known:     |a - b|
            one censored:   (1 + a) / 2 - b where b <= a, else ((b - a)^2 + (1 - b)^2) / (2 (1 - a))
            both censored:  ((b - a) (1 - a) / 2 + (1 - b)^2 / 3) / (1 - a)
        """
        low_row = self.low[rows]
        low_col = self.low[cols]
        exact_row = self.is_exact[rows]
        exact_col = self.is_exact[cols]
        both_exact = exact_row & exact_col
        swap = (exact_row & ~exact_col) | ((exact_row == exact_col) & (low_row > low_col))
        a = np.where(swap, low_col, low_row)
        b = np.where(swap, low_row, low_col)
        remainder = np.maximum(np.where(both_exact, 1.0, 1 - a), MIN_REMAINDER)
        one_censored = np.where(b <= a, (1 + a) / 2 - b, ((b - a) ** 2 + (1 - b) ** 2) / (2 * remainder))
        both_censored = ((b - a) * (1 - a) / 2 + (1 - b) ** 2 / 3) / remainder
        return np.where(both_exact, np.abs(a - b), np.where(exact_row | exact_col, one_censored, both_censored))
