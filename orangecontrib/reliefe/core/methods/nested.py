"""Methods as parameters of methods: a wrapper ranks by another one, with parameters of its own."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from ..checks import one_of
from .base import Found, Method, MethodInput
from .parameters import METHOD, Parameter
from .registry import ALIASES, METHODS

# Name of a method, and those of its parameters that were given: a plain literal.
Nested = tuple[str, tuple[tuple[str, object], ...]]


class MethodParameter(Parameter):
    """A parameter whose value is a method with its parameters.

    Callers give a name, or (name, parameters); in the latter the name may be None for the default.
    """

    def __init__(self, name: str, label: str, default: str, tooltip: str = "", more: bool = False):
        super().__init__(name, label, METHOD, (default, ()), tooltip=tooltip, more=more)

    @property
    def methods(self) -> tuple[Method[Any], ...]:
        """Methods that can be chosen: all but those that have such a parameter themselves."""
        return innermost()

    def check(self, value: object) -> Nested:
        """Check what a caller gave."""
        name, given = (value, {}) if isinstance(value, str) else self._pair(value)
        name = self.default[0] if name is None else ALIASES.get(name, name)
        known = {method.name: method for method in self.methods}
        if name in METHODS and name not in known:
            raise ValueError(f"{self.name} must not be {name!r}, which ranks by another method itself")
        checked = known[one_of(self.name, name, known)].check(given)
        return name, tuple(sorted((key, checked[key]) for key in given))

    def _pair(self, value: object) -> tuple[str | None, dict[str, Any]]:
        if isinstance(value, tuple | list) and len(value) == 2 and (value[0] is None or isinstance(value[0], str)):
            if isinstance(value[1], Mapping):
                return value[0], dict(value[1])
            if isinstance(value[1], tuple | list) and all(len(pair) == 2 for pair in value[1]):
                return value[0], dict(value[1])
        raise TypeError(f"{self.name} must be the name of a method, or (name, parameters)")


def innermost() -> tuple[Method[Any], ...]:
    """Methods that rank by no other one."""
    return _innermost(*METHODS.values())


@cache
def _innermost(*methods: Method[Any]) -> tuple[Method[Any], ...]:
    return tuple(method for method in methods if not any(p.kind == METHOD for p in method.parameters))


def method_of(chosen: Nested) -> tuple[Method[Any], dict[str, Any]]:
    """A chosen method, and all of its parameters."""
    name, parameters = chosen
    return METHODS[name], METHODS[name].check(dict(parameters))


def prepare(chosen: Nested, data: MethodInput[Any]) -> object:
    """Preparation of a chosen method for data."""
    method, parameters = method_of(chosen)
    return method.prepare(replace(data, parameters=parameters, prepared=None))


def run(chosen: Nested, data: MethodInput[Any]) -> Iterator[Found]:
    """Results of a chosen method for the same data, better and better; the last one is the answer.

    What data hold as prepared is taken for what `prepare` gave.
    """
    method, parameters = method_of(chosen)
    share, asked = method.preparation(parameters), replace(data, parameters=parameters)
    if data.prepared is None:
        with data.work.part(0, share):
            asked = replace(asked, prepared=method.prepare(asked))
    with data.work.part(0.0 if data.prepared is not None else share, 1):
        yield from method.run(asked)


def result(chosen: Nested, data: MethodInput[Any]) -> Found:
    """Last result of a chosen method."""
    *_, found = run(chosen, data)
    return found
