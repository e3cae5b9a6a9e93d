"""Times with censoring: each row's place among all times as far as it is known."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..data import frames
from ..data.arrays import NUMBERS, cells, groups_of, plain, unknown
from ..data.frames import is_frame
from ..words import cut
from .events import Events, describe_events, may_be_events, read_events
from .targets import SURVIVAL, Target

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


def at_risk(time: np.ndarray, event: np.ndarray, risk: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place (n,) of each row among the distinct times, events (t,) at these, and the risk (t,) of all rows that are
    watched until then at least."""
    times, at = np.unique(time, return_inverse=True)
    total = np.cumsum(np.bincount(at, risk, len(times))[::-1])[::-1]
    return at, np.bincount(at, event, len(times)), total


def kaplan_meier(time: np.ndarray, event: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Place (n,) of each row among the distinct times, and the share (t,) of rows without an event until then.

    Kaplan and Meier (1958), J. Am. Statist. Assoc. 53:457; events come before censorings at equal times.
    """
    at, events, watched = at_risk(time, event, np.ones(len(time)))
    return at, np.cumprod(1 - events / watched)


def read_times(y: Any, n: int, task: str | None) -> tuple[Times, np.ndarray] | None:
    """Times of the rows in which they are known, and which these are, (n,) bool; None for other targets.

    y: a `Survival`, a structured array of two fields, or for the task "survival" two columns.
    """
    given = _times_and_events(y)
    if given is None and isinstance(task, str) and task == SURVIVAL:
        y = plain(y, "y")
        if len(y.shape) != 2 or y.shape[1] != 2:
            raise ValueError("the task survival needs Survival(time, event), or y with two columns, times and events")
        columns = [cells(column, "y") for column in (frames.columns(y) if is_frame(y) else y.T)]
        place = _place_of_events(columns)
        given = columns[1 - place], read_events(columns[place])
    if given is None:
        return None
    if not (task is None or (isinstance(task, str) and task == SURVIVAL)):
        raise ValueError(f"y holds times and events: the task is survival, not {cut(str(task))}")
    time, (event, event_name, censored_names) = given
    if time.shape != (n,) or event.shape != (n,):
        raise ValueError(f"X has {n} rows, but times have the shape {time.shape} and events {event.shape}")
    known = ~(unknown(time) | np.isnan(event))
    try:
        time = time[known].astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("times must be numbers") from None
    event = event[known] == 1
    if not np.isfinite(time).all() or (time < 0).any():
        row = int(np.flatnonzero(known)[np.flatnonzero(~(np.isfinite(time) & (time >= 0)))[0]]) + 1
        raise ValueError(f"times must be finite and at least 0: correct that of row {row:,}")
    if len(time) < 2:
        raise ValueError("times and events are known in fewer than two rows")
    if not event.any():
        raise ValueError("all rows are censored: without any event there is nothing to rank by")
    measured = Times.measure(time, event)
    return replace(measured, event_name=event_name, censored_names=censored_names), known


def _times_and_events(y: Any) -> tuple[np.ndarray, Events] | None:
    """Times and events of a `Survival` or a structured array; None for anything else."""
    if isinstance(y, Survival):
        event = cells(y.event, "event")
        if event.ndim != 1:
            raise ValueError(f"events must be one value a row, not of shape {event.shape}")
        return cells(y.time, "time"), read_events(event, y.event_value)
    fields = getattr(getattr(y, "dtype", None), "names", None)
    if fields is None or len(fields) != 2:
        return None
    columns = [cells(y[field], field) for field in fields]
    of_events = _place_of_events(columns)
    events = read_events(columns[of_events])
    if events.event in ("True", "1"):  # the field has the name of its event, as "died"
        events = events._replace(event=fields[of_events], censored=())
    return columns[1 - of_events], events


def _place_of_events(columns: list[np.ndarray]) -> int:
    """Place of the events among two columns, times and events in any order: bools, texts, or numbers 0 and 1."""
    are_events = [column.dtype.kind not in NUMBERS or column.dtype.kind == "b" for column in columns]
    if sum(are_events) != 1:
        are_events = [may_be_events(column) for column in columns]
    if sum(are_events) != 1:
        raise ValueError("which column of y says whether there was an event is not clear: give Survival(time, event)")
    return are_events.index(True)


def strata_of(values: Any, n: int, name: str) -> np.ndarray:
    """Codes (n,) of classes, or of times whether there was an event; missing ones are the last."""
    given = _times_and_events(values)
    return groups_of(values if given is None else given[1].happened, n, name)
