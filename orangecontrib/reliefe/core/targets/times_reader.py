"""Reading of times and events as callers give them: a `Survival`, a structured array, or two columns."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..data import frames
from ..data.arrays import NUMBER_KINDS, cells, plain, unknown
from ..data.frames import is_frame
from ..words import cut
from .events import Events, may_be_events, read_events
from .tasks import SURVIVAL
from .times import Survival, Times


class TimesAndEvents(NamedTuple):
    """Times and events of n rows, some of which may be unknown.

    Attributes
    ----------
    time : (n,) array
        The caller's values.
    events : Events
        Events of the rows.
    """

    time: np.ndarray
    events: Events


class KnownTimes(NamedTuple):
    """Times and events of the rows in which both are known.

    Attributes
    ----------
    target : Times
        Times and events of these rows.
    known : (n,) bool array
        True for these rows.
    """

    target: Times
    known: np.ndarray


def read_times(y: Any, n: int, task: str | None) -> KnownTimes | None:
    """Read times and events of the rows.

    Parameters
    ----------
    y : object
        `Survival`, structured array of two fields, or for the task "survival" two columns.
    n : int
        Number of rows.
    task : str or None
        Task that the caller names.

    Returns
    -------
    KnownTimes or None
        None for other targets.

    Raises
    ------
    ValueError
        If times or events cannot be read, or all rows are censored.
    """
    status = times_and_events(y)
    if status is None and isinstance(task, str) and task == SURVIVAL:
        status = _from_two_columns(y)
    if status is None:
        return None
    if not (task is None or (isinstance(task, str) and task == SURVIVAL)):
        raise ValueError(f"y holds times and events: the task is survival, not {cut(str(task))}")
    time = status.time
    event = status.events.happened
    if time.shape != (n,) or event.shape != (n,):
        raise ValueError(f"X has {n} rows, but times have the shape {time.shape} and events {event.shape}")
    is_known = ~(unknown(time) | np.isnan(event))
    try:
        time = time[is_known].astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("times must be numbers") from None
    event = event[is_known] == 1
    if not np.isfinite(time).all() or (time < 0).any():
        row = int(np.flatnonzero(is_known)[np.flatnonzero(~(np.isfinite(time) & (time >= 0)))[0]]) + 1
        raise ValueError(f"times must be finite and at least 0: correct that of row {row:,}")
    if len(time) < 2:
        raise ValueError("times and events are known in fewer than two rows")
    if not event.any():
        raise ValueError("all rows are censored: without any event there is nothing to rank by")
    measured = Times.measure(time, event)
    measured = replace(measured, event_name=status.events.event, censored_names=status.events.censored)
    return KnownTimes(measured, is_known)


def _from_two_columns(y: Any) -> TimesAndEvents:
    """Read y, two columns of times and events in any order."""
    y = plain(y, "y")
    if len(y.shape) != 2 or y.shape[1] != 2:
        raise ValueError("the task survival needs Survival(time, event), or y with two columns, times and events")
    columns = [cells(column, "y") for column in (frames.columns(y) if is_frame(y) else y.T)]
    index = _index_of_events(columns)
    return TimesAndEvents(columns[1 - index], read_events(columns[index]))


def times_and_events(y: Any) -> TimesAndEvents | None:
    """Read a `Survival` or a structured array of two fields; return None for anything else.

    Raises ValueError if the events cannot be read.
    """
    if isinstance(y, Survival):
        event = cells(y.event, "event")
        if event.ndim != 1:
            raise ValueError(f"events must be one value a row, not of shape {event.shape}")
        return TimesAndEvents(cells(y.time, "time"), read_events(event, y.event_value))
    fields = getattr(getattr(y, "dtype", None), "names", None)
    if fields is None or len(fields) != 2:
        return None
    columns = [cells(y[field], field) for field in fields]
    index = _index_of_events(columns)
    events = read_events(columns[index])
    if events.event in ("True", "1"):  # the field has the name of its event, as "died"
        events = events._replace(event=fields[index], censored=())
    return TimesAndEvents(columns[1 - index], events)


def _index_of_events(columns: list[np.ndarray]) -> int:
    """Return the index of the events in two columns: they are bools, texts, or numbers 0 and 1."""
    are_events = [column.dtype.kind not in NUMBER_KINDS or column.dtype.kind == "b" for column in columns]
    if sum(are_events) != 1:
        are_events = [may_be_events(column) for column in columns]
    if sum(are_events) != 1:
        raise ValueError("which column of y says whether there was an event is not clear: give Survival(time, event)")
    return are_events.index(True)
