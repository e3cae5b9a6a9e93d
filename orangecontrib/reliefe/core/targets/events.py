"""Values of a status that say that an event was seen, or that the time is censored.

Called with a column of a status as people bring it: 1 and 0, R's 2 and 1, bools, or words such as DECEASED and LIVING.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..data.arrays import NUMBER_KINDS, unknown
from ..words import MISSING_CELLS, MISSING_WORDS, counted, shown, some

# Words of clinical tables (cBioPortal, TCGA, SEER) and of the survival packages of R and Python, in small letters.
# What is not among them is not guessed: the caller is asked.
EVENT_WORDS = frozenset((
    "dead", "deceased", "died", "death", "expired", "event", "relapse", "relapsed", "recurrence", "recurred",
    "recurrent", "progression", "progressed", "progressive", "failure", "failed", "uncensored",
))  # fmt: skip
CENSORED_WORDS = frozenset((
    "alive", "living", "lives", "survived", "surviving", "survivor", "censored", "stable", "remission", "diseasefree",
    "lost", "withdrawn", "ned", "none",
))  # fmt: skip
# Of any two-valued column, not of a status alone.
PLAIN_EVENT_WORDS = frozenset(("1", "+", "yes", "y", "true", "t"))
PLAIN_CENSORED_WORDS = frozenset(("0", "-", "no", "n", "false", "f"))
# They mean this beside a plain word only: F beside M is a sex, and N beside R a stage.
LETTERS_OF_BOOLS = frozenset(("t", "f", "y", "n"))
NEGATIONS = frozenset(("no", "not", "non", "without", "never", "neither"))  # before a word, as in "no relapse"
# Words beside those above that do not reverse them, as in "Died of disease" and "event observed".
NEUTRAL_WORDS = frozenset((
    "after", "and", "at", "by", "cancer", "cardiac", "disease", "distant", "due", "from", "in", "is", "local",
    "observed", "occurred", "of", "or", "other", "patient", "right", "still", "study", "the", "to", "treatment",
    "tumor", "with",
))  # fmt: skip
FREE = "free"  # behind a word, as in "relapse-free"
CODED = re.compile(r"([01])\s*:.*")  # as cBioPortal writes: "1:DECEASED", "0:LIVING"
# Codes of `Surv` in R's package survival
R_CENSORED = "1"
R_EVENT = "2"
LETTERS = re.compile(r"[^\W\d_]+")


class UnclearEvent(ValueError):
    """The values of a status do not say which of them is the event.

    Attributes
    ----------
    problem : str
        What is wrong, without advice.
    """

    def __init__(self, name: str, listed_levels: str) -> None:
        super().__init__(name, listed_levels)  # all of them, so that it can be pickled
        self.problem = f"{name} must be True or 1, or a known word such as 'dead' beside 'alive', not {listed_levels}"

    def __str__(self) -> str:
        return f"{self.problem}: name the event by event_value=..., and all other values are censored"


class Events(NamedTuple):
    """Events of n rows.

    Attributes
    ----------
    happened : (n,) float array
        1 where the event was seen, 0 where the time is censored, NaN where this is unknown.
    event : str
        The value that says that the event was seen.
    censored : tuple of str
        The values that say that the time is censored.
    """

    happened: np.ndarray
    event: str
    censored: tuple[str, ...]


def read_events(values: np.ndarray, event: object = None, name: str = "events") -> Events:
    """Read a status of n rows.

    Parameters
    ----------
    values : (n,) array
        Numbers, bools, texts, or objects of these; NaN, None, "" and words such as "unknown" are unknown.
    event : object, optional
        The value that says that the event was seen; all others are censored.  None: known words decide.
    name : str
        What messages call the status.

    Returns
    -------
    Events
        Events of the rows, and the values that they came from.

    Raises
    ------
    ValueError
        If the words do not decide, or if no row has the value that is given.
    """
    present = ~unknown(values)
    levels, codes = np.unique([*map(_text, values[present].tolist())], return_inverse=True)
    words = [_word(level) for level in levels.tolist()]
    event_word = None if event is None else _word(_text(event))
    known_words = {word for word in words if word == event_word or not _is_missing(word)}
    if event_word is None:
        is_event = _decide(known_words)
    else:
        is_event = {word: word == event_word for word in known_words} if event_word in known_words else None
    if is_event is None:
        counts = np.bincount(codes, minlength=len(levels)).tolist()
        listed_levels = some(
            [f"{shown(level)} ({count:,})" for level, count in zip(levels.tolist(), counts, strict=True)]
        )
        if event_word is not None:
            raise ValueError(f"{name} must have the value {shown(event)} in some row, not only {listed_levels}")
        raise UnclearEvent(name, listed_levels)
    happened = np.full(len(values), np.nan)
    if len(levels):
        happened[present] = np.array([float(is_event.get(word, np.nan)) for word in words])[codes]
    event_values = [level for level, word in zip(levels.tolist(), words, strict=True) if is_event.get(word)]
    censored_values = [level for level, word in zip(levels.tolist(), words, strict=True) if is_event.get(word) is False]
    return Events(happened, some(event_values), tuple(censored_values))


def times_with_events(time: np.ndarray, events: Events) -> tuple[np.ndarray, np.ndarray]:
    """Join times and events to a structured array, as `read_times` reads it.

    Parameters
    ----------
    time : (n,) array
        Times; NaN is unknown.
    events : Events
        Events of the same rows.

    Returns
    -------
    is_known : (n,) bool array
        True for rows whose time and event are known.
    values : (n,) structured array
        The field of the events has the name of their value.
    """
    is_known = ~(np.isnan(time) | np.isnan(events.happened))
    name = events.event or "event"  # if no row has an event
    name_of_time = "times" if name == "time" else "time"
    values = np.zeros(len(time), [(name, bool), (name_of_time, float)])
    values[name][is_known] = events.happened[is_known]
    values[name_of_time][is_known] = time[is_known]
    return is_known, values


def may_be_events(values: np.ndarray) -> bool:
    """True for bools, texts, and numbers that are all 0 or 1, or all 1 or 2."""
    values = values[~unknown(values)]
    if values.dtype.kind not in NUMBER_KINDS + "O":
        return True
    levels = np.unique(values.astype(str) if values.dtype.kind == "O" else values)
    words = {_word(_text(level)) for level in levels.tolist()}
    return not all(map(_is_number, words)) or words <= {"0", "1"} or words <= {R_CENSORED, R_EVENT}


def describe_events(n_events: int, n_censored: int, event: str, censored: Sequence[str]) -> str:
    """Count events and censored rows, with their values: "56 events ('DECEASED'), 44 censored ('LIVING')"."""
    values = f" ({some([*map(shown, censored)])})" if censored and n_censored else ""
    return f"{counted(n_events, 'event')} ({shown(event)}), {n_censored:,} censored{values}"


def are_words_of_status(levels: Sequence[Any]) -> bool:
    """True for a word of an event and one of censoring that are not plain, as yes and no are."""
    words = [_word(_text(level)) for level in levels]
    is_plain = any(word in PLAIN_EVENT_WORDS or word in PLAIN_CENSORED_WORDS for word in words)
    return not is_plain and {*map(_sense, words)} == {True, False}


def says_absent(value: str) -> bool:
    """True for 0, no, false and other values that say that something is not there."""
    return _sense(_word(value)) is False


def _decide(words: set[str]) -> dict[str, bool] | None:
    """For each word True if it is the event; None where that is not clear.

    Exactly one word is a known event, or the other one is known as censored.  A word that is alone, or beside one that
    is not known, must be known in all of its parts: others might reverse it.
    """
    if R_EVENT in words and words <= {R_CENSORED, R_EVENT}:
        return {word: word == R_EVENT for word in words}
    if len(words) > 2 or (all(map(_is_number, words)) and not words <= {"0", "1"}):
        return None
    if len(words) == 2 and words & LETTERS_OF_BOOLS and not words <= PLAIN_EVENT_WORDS | PLAIN_CENSORED_WORDS:
        return None
    senses = {word: _sense(word) for word in words}
    known_senses = [*senses.values()]
    if len(known_senses) == 2 and (known_senses[0] is known_senses[1]):
        return None
    are_plain = [sense is not None and _is_plain_phrase(word) for word, sense in senses.items()]
    if len({*known_senses} - {None}) < 2 and known_senses and not any(are_plain):
        return None
    has_event = True in known_senses
    return {word: sense is True or (sense is None and not has_event) for word, sense in senses.items()}


def _sense(word: str) -> bool | None:
    """True for a word, or a phrase, of an event, False for one of censoring, None for all others."""
    if coded := CODED.fullmatch(word):
        return coded[1] == "1"
    if word in PLAIN_EVENT_WORDS or word in PLAIN_CENSORED_WORDS:
        return word in PLAIN_EVENT_WORDS
    words = LETTERS.findall(word)
    has_event = not EVENT_WORDS.isdisjoint(words)
    has_censored = not CENSORED_WORDS.isdisjoint(words)
    if has_event == has_censored:
        return None
    if FREE in words or NEGATIONS.intersection(words):
        return not has_event if len(words) == 2 else None  # "no relapse", "relapse-free", "not censored"
    return has_event


def _is_plain_phrase(word: str) -> bool:
    """True if no part of a word, or a phrase, is without a known meaning."""
    if CODED.fullmatch(word) or word in PLAIN_EVENT_WORDS or word in PLAIN_CENSORED_WORDS:
        return True
    meanings = EVENT_WORDS | CENSORED_WORDS | NEGATIONS | NEUTRAL_WORDS | {FREE}
    return meanings.issuperset(LETTERS.findall(word)) and not any(map(str.isdigit, word))


def _text(value: Any) -> str:
    """A value as it is shown: a whole number without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _word(text: str) -> str:
    """A text in small letters, and a number in one spelling: "2.0" is "2"."""
    word = text.strip().casefold()
    return _text(float(word)) if _is_number(word) else word


def _is_number(word: str) -> bool:
    try:
        return bool(np.isfinite(float(word)))
    except ValueError:
        return False


def _is_missing(word: str) -> bool:
    return (word in MISSING_WORDS or word.upper() in MISSING_CELLS) and _sense(word) is None
