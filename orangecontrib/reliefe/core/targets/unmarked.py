"""Advice on targets that look like times with censoring, but are not given as such.

`core/notes.py` calls it for arrays and frames, and `orange/conversion.py` for Orange's tables.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ..words import shown, some
from .events import are_words_of_status

# Names of columns, in small letters, with one blank between words.
ENDPOINT = "os|dfs|pfs|rfs|efs|dss"  # overall, disease-free, progression-free, relapse-free ... survival
TIME_NAME = re.compile(
    rf"\b(times?|days?|weeks?|months?|years?|survival|follow ?up|duration|futime|lenfol|{ENDPOINT})\b"
)
EVENT_NAME = re.compile(
    r"\b(event|died|dead|death|deceased|relapsed?|recurrence|recurred|progression|progressed|cens|censor(ed|ing)?|fustat"
    rf"|(vital|survival|{ENDPOINT}) status)\b"
)
NOT_A_TIME = re.compile(r"\b(age|aged|birth)\b")  # "age in years" is no time until an event
LETTERS = re.compile(r"[^\W\d_]+")
HOW = 'rank for both, as times with censoring, by task="survival" (in Orange by Read as times until an event)'


class TimesAdvice(NamedTuple):
    """Advice to rank for times with censoring.

    Attributes
    ----------
    clause : str
        A clause on the columns, for findings.
    time : str
        Name of the time, the first of several.
    event : str
        Name of the event.
    """

    clause: str
    time: str
    event: str

    @property
    def advice(self) -> str:
        """A sentence on the columns, and what to do."""
        return f"{self.clause}: {HOW}"


def advice_on_pair(columns: Mapping[str, np.ndarray]) -> TimesAdvice | None:
    """Advise on two targets that look like a time and its event; None for all other targets.

    Parameters
    ----------
    columns : mapping of str to array
        Known values of the targets by their names: numbers, or texts.
    """
    pair = time_and_event(columns)
    if pair is None:
        return None
    time, event = pair
    clause = f"{shown(time)} and {shown(event)} look like a time and its event, but are two targets"
    return TimesAdvice(clause, time, event)


def time_and_event(columns: Mapping[str, np.ndarray]) -> tuple[str, str] | None:
    """Return which of two targets looks like a time, and which like its event; None for all others.

    columns: as of `advice_on_pair`.
    """
    if len(columns) != 2:
        return None
    for time, event in (tuple(columns), tuple(columns)[::-1]):
        if _is_positive(columns[time]) and _is_event(event, np.unique(columns[event]).tolist(), _is_time(time)):
            return time, event
    return None


def advice_on_status(
    target: str, levels: Sequence[Any], features: Sequence[str], X: np.ndarray | sparse.csr_array, nominal: np.ndarray
) -> TimesAdvice | None:
    """Advise on a target that looks like an event beside features that look like its time; None for all others.

    Parameters
    ----------
    target : str
        Name of the target.
    levels : sequence
        The different values of the target.
    features : sequence of str
        Names of the p features.
    X : (n, p) array or sparse matrix
        Values of the features.
    nominal : (p,) bool array
        True for categorical features.
    """
    times = times_of_status(target, levels, features, X, nominal)
    if not times:
        return None
    verb = "is ranked as a feature" if len(times) == 1 else "are ranked as features"
    clause = f"{shown(target)} looks like an event, and {some([*map(shown, times)])}, which {verb}, like its time"
    return TimesAdvice(clause, times[0], target)


def times_of_status(
    target: str, levels: Sequence[Any], features: Sequence[str], X: np.ndarray | sparse.csr_array, nominal: np.ndarray
) -> list[str]:
    """Return the names of features that look like times of a target that looks like an event.

    target, levels, features, X, nominal: as of `advice_on_status`.
    """
    if not _is_event(target, levels, True):
        return []
    time_features = [j for j, name in enumerate(features) if not nominal[j] and _is_time(name)]
    return [features[j] for j in time_features if _is_positive(_column(X, j))]


def _is_event(name: str, levels: Sequence[Any], is_beside_time: bool) -> bool:
    """True for two levels that are words of a status, or that are called as an event is and stand beside a time."""
    if len(levels) != 2:
        return False
    return are_words_of_status(levels) or (is_beside_time and _is_called(name, EVENT_NAME))


def _is_time(name: str) -> bool:
    return _is_called(name, TIME_NAME) and not _is_called(name, NOT_A_TIME)


def _is_called(name: str, pattern: re.Pattern[str]) -> bool:
    """True if a pattern is in the words of a name, as in "OS_DAYS", "follow-up" and "daysToDeath"."""
    with_blanks = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return bool(pattern.search(" ".join(LETTERS.findall(with_blanks)).casefold()))


def _is_positive(values: np.ndarray) -> bool:
    """True for numbers from 0 on of more than two values."""
    if values.dtype.kind not in "fiu":
        return False
    values_known = values[~np.isnan(values)]
    return bool((values_known >= 0).all()) and len(np.unique(values_known)) > 2


def _column(X: np.ndarray | sparse.csr_array, j: int) -> np.ndarray:
    """Values (n,) of a feature."""
    column: Any = X[:, [j]]
    return np.asarray(column.toarray() if sparse.issparse(column) else column).ravel()
