"""Rules for stored settings: predicates that say which values fit."""

from collections.abc import Callable, Mapping

MAX_INTEGER = 2**31 - 1  # of Qt's integers
MAX_NUMBER = 1e300
Fits = Callable[[object], bool]


def switch(value: object) -> bool:
    """A bool."""
    return isinstance(value, bool)


def whole(value: object) -> bool:
    """An integer that Qt can show."""
    return isinstance(value, int) and not isinstance(value, bool) and -MAX_INTEGER <= value <= MAX_INTEGER


def number(value: object) -> bool:
    """A finite number that is not extreme."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -MAX_NUMBER <= value <= MAX_NUMBER


def string(value: object) -> bool:
    """A string."""
    return isinstance(value, str)


def anything(value: object) -> bool:
    """A list, whose items are looked at when they are used."""
    return isinstance(value, list)


def strings(value: object) -> bool:
    """A list of strings."""
    return isinstance(value, list) and all(map(string, value))


def pairs(value: object) -> bool:
    """A list of lists of two strings each."""
    return isinstance(value, list) and all(strings(pair) and len(pair) == 2 for pair in value)


def wholes(value: object) -> bool:
    """A list of integers."""
    return isinstance(value, list) and all(map(whole, value))


def tables(value: object) -> bool:
    """Dictionaries by name."""
    return isinstance(value, dict) and all(map(string, value)) and all(isinstance(v, dict) for v in value.values())


def visual(value: object) -> bool:
    """Settings of Orange's visual dialog: strings, numbers and switches by box, row and parameter."""
    if not isinstance(value, dict):
        return False
    keys = all(isinstance(key, tuple) and len(key) == 3 and all(map(string, key)) for key in value)
    return keys and all(string(setting) or whole(setting) or switch(setting) for setting in value.values())


def maybe(fits: Fits) -> Fits:
    """None, or what fits."""
    return lambda value: value is None or fits(value)


def one_of(*words: str) -> Fits:
    """One of some strings."""
    return lambda value: isinstance(value, str) and value in words


def between(low: int, high: int = MAX_INTEGER) -> Fits:
    """An integer between bounds, inclusive."""
    return lambda value: whole(value) and low <= value <= high


def packed(value: object) -> bool:
    """Bytes."""
    return isinstance(value, bytes)


def within(low: float, high: float) -> Fits:
    """A number between bounds, inclusive."""
    return lambda value: number(value) and low <= value <= high


BY_TYPE = {bool: switch, int: whole, float: number, str: string, list: strings, dict: tables}


def fitting(stored: Mapping[str, object], kept: Mapping[str, Fits]) -> dict[str, object]:
    """Stored values that are known and fit."""
    return {name: stored[name] for name, fits in kept.items() if name in stored and fits(stored[name])}
