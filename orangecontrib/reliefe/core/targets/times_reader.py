"""Times and events as callers give them."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..data import frames
from ..data.arrays import NUMBERS, cells, plain, unknown
from ..data.frames import is_frame
from ..words import cut
from .events import Events, may_be_events, read_events
from .tasks import SURVIVAL
from .times import Survival, Times


def read_times(y: Any, n: int, task: str | None) -> tuple[Times, np.ndarray] | None:
    """Times of the rows in which they are known, and which these are, (n,) bool; None for other targets.

    y: a `Survival`, a structured array of two fields, or for the task "survival" two columns.
    """
    given = times_and_events(y)
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


def times_and_events(y: Any) -> tuple[np.ndarray, Events] | None:
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
