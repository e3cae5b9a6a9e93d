"""Parameters of methods as data: forms, command line, documentation and checks read the same table."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, cast

from ..checks import number, one_of, switch
from ..words import choices, shown

INTEGER, NUMBER, SHARE, CHOICE, SWITCH, ROWS, RAMP, OBJECT, METHOD = (
    "integer", "number", "share", "choice", "switch", "rows", "ramp", "object", "method",
)  # fmt: skip

ANNOTATIONS = {  # Python's types of the values of a kind, beside the words of `choices`
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
    """One keyword argument of `rank`.

    Its kind is "integer", "number", "share" (from 0 to 1), "rows" (a count, a share, or None for all), each of them or
    a word of `choices`; "choice" (one of `choices`), "switch" (bool), "ramp" (False, True or two fractions), "object"
    (one of `choices`, or an object of the caller), or "method" (see `MethodParameter`).
    """

    name: str  # for programs
    label: str  # for people
    kind: str
    default: Any = None
    low: float | None = None  # lowest value; of numbers the highest that is too low
    high: float | None = None  # highest value
    choices: tuple[str, ...] = ()
    none: str | None = None  # word that stands for None; None where a value is needed
    tooltip: str = ""  # definition, type and range, and when to change it; without the last full stop
    more: bool = False  # whether forms fold it away

    @property
    def annotation(self) -> str:
        """Type of its values as Python writes it, for example ``int | Literal['auto'] | None``."""
        words = f"Literal[{', '.join(map(repr, self.choices))}]" if self.choices else ""
        nothing = "None" if self.none is not None else ""
        return " | ".join(filter(None, [ANNOTATIONS[self.kind], words, nothing]))

    def check(self, value: object) -> Any:
        """`value` as a plain Python literal; raises ValueError or TypeError with the possible values."""
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
        whole = int(value)
        too_low = self.low is not None and whole < self.low
        too_high = self.high is not None and whole > self.high
        if too_low or too_high:
            wanted = f"at least {self.low}" if self.high is None else f"from {self.low} to {self.high}"
            raise ValueError(f"{self.name} must be {wanted}, not {shown(value)}")
        return whole

    def _check_number(self, value: object) -> float:
        found = number(self.name, value)
        too_low = self.low is not None and found <= self.low
        if too_low or not math.isfinite(found):
            raise ValueError(f"{self.name} must be a finite number above {self.low:g}, not {shown(value)}")
        return found

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
        return "".join(f" or {word!r}" for word in self.choices)


def count_rows(value: int | float | None, n: int) -> int:
    """Number of rows that a "rows" parameter means, of n: all for None, a share rounded, at most n."""
    if value is None:
        return n
    return min(int(value), n) if isinstance(value, int) else max(1, round(value * n))


def checked(method: str, parameters: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a method: those given, checked, and the defaults of the rest."""
    known = {p.name: p for p in parameters}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ValueError(f"{method} has no parameter {shown(unknown[0])}; {choices(unknown[0], known)}")
    return {name: p.check(given[name]) if name in given else p.default for name, p in known.items()}
