"""Facts about a target that prevent or spoil a ranking: each one is stated here, and nowhere else.

Readers of arrays, tables of Orange, files and phenotypes raise or note these sentences. Windows begin with a sentence
of this file, and put their advice behind it. What events are unclear is said by `core.targets.events.UnclearEvent`.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from ..data.facts import THE_DATA
from ..words import cut, shown, some

THE_TARGET = "the target"  # what sentences call a target without a name
NO_TARGET = "{source} no target"
NO_P_VALUES = "there is no target to shuffle, so there are no p-values"
ONE_CLASS = "{target} has only one class, {value}; at least two are needed"
ONE_NUMBER = "{target} has only one value, {value}: scores say nothing about it"
UNKNOWN = "{target} is unknown in all rows"
ONE_VALUE_EACH = "all targets have only one value: scores say nothing about them"
CONSTANT_LABEL = "label {name} is {value} in all rows, which tells no rows apart"
NOT_NUMBERS = "the values of {name} are not numbers: {values}"
TEXT_AMONG_TARGETS = "several targets must be categories or numbers; text is among {names}"
LONG_TEXT = "{target} has a text of {length:,} characters, which names no class: correct it"
MAX_NAME = 10_000  # characters of a class: NumPy gives each row as many as the longest one has
TIMES_ARE_TWO = "times with censoring are two columns: first a number, the time, then the event{swapped}"
MAY_BE_SWAPPED = ". {event} has the numbers of a time, and {time} has not: they may be swapped"


def no_target(source: str = THE_DATA) -> str:
    """Say that there is no target; source: what has none, with its verb."""
    return NO_TARGET.format(source=source)


def refuse_no_target(y: object) -> None:
    """Raise ValueError for a y that is None, in an estimator that needs one."""
    if y is None:  # scikit-learn asks for the second half
        raise ValueError(f"{no_target()}: this estimator requires y to be passed, but the target y is None")


def no_p_values() -> str:
    """Say that p-values need a target."""
    return NO_P_VALUES


def titled(name: str) -> str:
    """Return what sentences call a target with a name, for example "the target 'age'"; empty: "the target"."""
    return f"{THE_TARGET} {shown(name)}" if name else THE_TARGET


def one_class(value: object, target: str = THE_TARGET) -> str:
    """Say that a target of classes has a single one.

    Parameters
    ----------
    value : object
        The class: a text, a number, or a scalar of NumPy.
    target : str
        What the sentence calls the target.
    """
    return ONE_CLASS.format(target=target, value=_written(value))


def refuse_one_class(classes: Sequence[object], target: str = THE_TARGET) -> None:
    """Raise ValueError unless at least two classes occur; classes: those that occur, each once."""
    if len(classes) == 1:
        raise ValueError(one_class(classes[0], target))


def one_number(value: object, target: str = THE_TARGET) -> str:
    """Say that a target of numbers has a single value; parameters as of `one_class`."""
    return ONE_NUMBER.format(target=target, value=_written(value))


def nothing_known(target: str = THE_TARGET) -> str:
    """Say that no row has a known target; target: what the sentence calls it."""
    return UNKNOWN.format(target=target)


def refuse_one_value(values: np.ndarray, target: str, detail: str = "") -> None:
    """Raise ValueError for a target that has to be known and to vary, for example a phenotype.

    Parameters
    ----------
    values : (m,) array
        Known values: numbers, or texts and objects, which are classes.
    target : str
        What the sentence calls the target.
    detail : str
        End of the message.
    """
    if not len(values):
        raise ValueError(nothing_known(target) + detail)
    if (values == values[0]).all():
        one_value = one_number if values.dtype.kind == "f" else one_class
        raise ValueError(one_value(values[0], target) + detail)


def one_value_each() -> str:
    """Say that none of several targets has two values."""
    return ONE_VALUE_EACH


def constant_label(name: str, value: str) -> str:
    """Say that a label of label sets has one value in all rows."""
    return CONSTANT_LABEL.format(name=shown(name), value=value)


def not_numbers(name: str, values: Sequence[str]) -> str:
    """Say that the categories of a target are no numbers, for which it should be ranked."""
    return NOT_NUMBERS.format(name=shown(name), values=cut(", ".join(values)))


def text_among_targets(names: Sequence[str]) -> str:
    """Say that one of several targets is a text; names: those of all targets."""
    return TEXT_AMONG_TARGETS.format(names=some([*map(shown, names)]))


def refuse_long_text(texts: Iterable[object], target: str = THE_TARGET) -> None:
    """Raise ValueError for a text that is far too long for the name of a class."""
    longest = max((len(text) for text in texts if isinstance(text, str)), default=0)
    if longest > MAX_NAME:
        raise ValueError(LONG_TEXT.format(target=target, length=longest))


def times_are_two(time: str = "", event: str = "") -> str:
    """Say which columns times with censoring need; time, event: names of the given ones, if the event has numbers."""
    swapped = MAY_BE_SWAPPED.format(time=shown(time), event=shown(event)) if event else ""
    return TIMES_ARE_TWO.format(swapped=swapped)


def _written(value: object) -> str:
    """Write a value, of NumPy as that of Python."""
    return shown(value.item() if isinstance(value, np.generic) else value)
