"""Parameters of methods as data, which checks, forms, the command line and the pages read.

`parameter_table` and the methods make them, and `checked` is the check of `Method.check`.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, cast

from ..checks import number, one_of, switch
from ..words import choices, shown

# Kinds of parameters
INTEGER = "integer"
NUMBER = "number"
SHARE = "share"  # from 0 to 1
CHOICE = "choice"  # one of `choices`
SWITCH = "switch"
ROWS = "rows"  # a number of rows, or a share of them
RAMP = "ramp"  # False, True or two fractions
OBJECT = "object"  # one of `choices`, or an object of the caller
METHOD = "method"  # see `MethodParameter`

# Types of the values of each kind as Python writes them, besides the words of `choices`
ANNOTATIONS = {
    INTEGER: "int",
    NUMBER: "float",
    SHARE: "float",
    CHOICE: "",
    SWITCH: "bool",
    ROWS: "int | float",
    RAMP: "bool | tuple[float, float]",
    OBJECT: "object",
    METHOD: "str | tuple[str | None, object]",
}


@dataclass(frozen=True)
class Parameter:
    """A keyword argument of `rank`.

    Attributes
    ----------
    name : str
        Name for programs.
    label : str
        Name for people.
    kind : str
        Kind of the values, a constant of this file.
    default : object
        Default.
    low : float, optional
        Smallest value; of numbers the largest one that is too small.
    high : float, optional
        Largest value.
    choices : tuple of str
        Words that are possible besides values of the kind.
    none : str, optional
        Word that stands for None. None: a value is needed.
    tooltip : str
        Definition, type and range, and when to change it, without the last full stop.
    more : bool
        Whether forms fold it away.
    """

    name: str
    label: str
    kind: str
    default: Any = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    none: str | None = None
    tooltip: str = ""
    more: bool = False

    @property
    def annotation(self) -> str:
        """Type of its values as Python writes it, for example ``int | Literal['auto'] | None``."""
        words = f"Literal[{', '.join(map(repr, self.choices))}]" if self.choices else ""
        nothing = "None" if self.none is not None else ""
        return " | ".join(filter(None, [ANNOTATIONS[self.kind], words, nothing]))

    def check(self, value: object) -> Any:
        """Return a value as a plain literal; raises ValueError or TypeError, with the possible values, for others."""
        if value is None or (isinstance(value, str) and value == self.none):
            if self.none is None:
                raise ValueError(f"{self.name} must have a value")
            return None
        if isinstance(value, str) and value in self.choices:
            return str(value)
        return getattr(self, f"_check_{self.kind}")(value)

    def _check_integer(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise TypeError(f"{self.name} must be an integer{self._words()}, not {shown(value)}")
        integer = int(value)
        too_low = self.low is not None and integer < self.low
        too_high = self.high is not None and integer > self.high
        if too_low or too_high:
            range_in_words = f"at least {self.low}" if self.high is None else f"from {self.low} to {self.high}"
            raise ValueError(f"{self.name} must be {range_in_words}, not {shown(value)}")
        return integer

    def _check_number(self, value: object) -> float:
        value_as_float = number(self.name, value)
        too_low = self.low is not None and value_as_float <= self.low
        too_high = self.high is not None and value_as_float > self.high
        if too_low or too_high or not math.isfinite(value_as_float):
            limit_text = "" if self.high is None else f", at most {self.high:,.0f}"
            raise ValueError(f"{self.name} must be a finite number above {self.low:g}{limit_text}, not {shown(value)}")
        return value_as_float

    def _check_share(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{self.name} must be a number from 0 to 1{self._words()}, not {shown(value)}")
        if not 0 <= cast("float", value) <= 1:
            raise ValueError(f"{self.name} must be from 0 to 1, not {shown(value)}")
        return float(value)

    def _check_choice(self, value: object) -> str:
        return one_of(self.name, value, self.choices)

    def _check_switch(self, value: object) -> bool:
        return switch(self.name, value)

    def _check_rows(self, value: object) -> int | float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{self.name} must be None, a number of rows or a share of them, not {shown(value)}")
        if isinstance(value, Integral) and int(value) >= 1:
            return int(value)
        if not isinstance(value, Integral) and 0 < cast("float", value) < 1:
            return float(value)
        raise ValueError(f"{self.name} must be a whole number from 1 or a share between 0 and 1, not {shown(value)}")

    def _check_ramp(self, value: object) -> bool | tuple[float, float]:
        if isinstance(value, bool):
            return value
        try:
            low, high = (float(v) for v in cast("Iterable[float]", value))
        except (TypeError, ValueError, OverflowError):
            raise TypeError(
                f"{self.name} must be True, False or two fractions (t_eq, t_diff), not {shown(value)}"
            ) from None
        if not 0 <= low < high <= 1:
            raise ValueError(f"{self.name} needs 0 <= t_eq < t_diff <= 1, not {low:g} and {high:g}")
        return low, high

    def _check_object(self, value: object) -> object:
        return self._check_choice(value) if isinstance(value, str) else value

    def _words(self) -> str:
        """Words that are possible, for a message."""
        return "".join(f" or {word!r}" for word in self.choices)


def count_rows(value: int | float | None, n: int) -> int:
    """Number of rows, of n, that the value of a parameter of the kind `ROWS` means; all for None, at most n."""
    if value is None:
        return n
    return min(int(value), n) if isinstance(value, int) else max(1, round(value * n))


def checked(method: str, parameters: tuple[Parameter, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the parameters of a method.

    Parameters
    ----------
    method : str
        Name of the method, for messages.
    parameters : tuple of Parameter
        Parameters of the method.
    options : mapping
        Values of the caller, by name.

    Returns
    -------
    dict
        All parameters by name, with defaults for the others.

    Raises
    ------
    ValueError, TypeError
        If the method does not have a parameter, or its value is not possible.
    """
    by_name = {parameter.name: parameter for parameter in parameters}
    unknown = [name for name in options if name not in by_name]
    if unknown:
        raise ValueError(f"{method} has no parameter {shown(unknown[0])}; {choices(unknown[0], by_name)}")
    values = {}
    for name, parameter in by_name.items():
        values[name] = parameter.check(options[name]) if name in options else parameter.default
    return values
