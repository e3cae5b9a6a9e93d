"""Times with censoring: each row's place among all times as far as it is known."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .events import describe_events
from .kaplan_meier import kaplan_meier
from .targets import Target
from .tasks import SURVIVAL

FEW_EVENTS = 10  # below which residuals say little


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
    """Times and events of n rows, and bounds of their places U = F(time), which are uniform in (0, 1).

    A row without an event lies beyond its `low`, uniform on (low, 1), unless that is `sure`.  event_name and
    censored_names: the caller's values for rows with and without an event.
    """

    time: np.ndarray  # (n,)
    event: np.ndarray  # (n,) bool
    low: np.ndarray  # (n,)
    sure: np.ndarray  # (n,) bool
    event_name: str = "True"
    censored_names: tuple[str, ...] = ("False",)
    task = SURVIVAL

    @classmethod
    def measure(cls, time: np.ndarray, event: np.ndarray) -> "Times":
        """Places of all rows of the data, by the curve of Kaplan and Meier; all are 1/2 where all times are equal."""
        at, S = kaplan_meier(time, event)
        if len(S) < 2:
            return cls(time, event, np.full(len(time), 0.5), np.ones(len(time), bool))
        before = np.append(1.0, S[:-1])
        low = np.where(event, 1 - (before[at] + S[at]) / 2, 1 - S[at])
        return cls(time, event, low, event | (low >= 1))

    @property
    def n(self) -> int:  # type: ignore[override]  # others are given it, this one follows from the rest
        return len(self.time)

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray]:
        return np.column_stack([self.time, self.event]), np.array([False, True])

    @property
    def n_events(self) -> int:
        """Number of rows with an event."""
        return int(self.event.sum())

    @property
    def description(self) -> str:
        """Events and censored rows in words, with their values."""
        return describe_events(self.n_events, self.n - self.n_events, self.event_name, self.censored_names)

    def take(self, rows: np.ndarray) -> "Times":
        return replace(self, time=self.time[rows], event=self.event[rows], low=self.low[rows], sure=self.sure[rows])

    def difference(self, rows: np.ndarray, cols: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """Expected difference of two places, given their bounds."""
        a, b, of_a, of_b = self.low[rows], self.low[cols], self.sure[rows], self.sure[cols]
        swap = (of_a & ~of_b) | ((of_a == of_b) & (a > b))  # the first is the one of which less is known, or the lower
        a, b = np.where(swap, b, a), np.where(swap, a, b)
        rest = np.maximum(np.where(of_a & of_b, 1.0, 1 - a), 1e-12)
        one = np.where(b <= a, (1 + a) / 2 - b, ((b - a) ** 2 + (1 - b) ** 2) / (2 * rest))
        neither = ((b - a) * (1 - a) / 2 + (1 - b) ** 2 / 3) / rest
        return np.where(of_a & of_b, np.abs(a - b), np.where(of_a | of_b, one, neither))
