"""Methods as parameters of methods: a wrapper ranks by another one, with parameters of its own."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from ..checks import one_of
from ..result import Detail, Info, Ranking
from ..targets.accepts import Accepts
from ..targets.tasks import CLASSIFICATION, TASKS, UNSUPERVISED
from .base import PASSES, Found, Method, MethodInput
from .details import OF_PAIRS
from .parameters import METHOD, Parameter
from .registry import ALIASES, METHODS
from .traits import AS_CORE, Traits

# Name of a method, and those of its parameters that were given: a plain literal.
Nested = tuple[str, tuple[tuple[str, object], ...]]


class MethodParameter(Parameter):
    """A parameter whose value is a method with its parameters.

    Callers give a name, or (name, parameters); in the latter the name may be None for the default.
    """

    def __init__(self, name: str, label: str, default: str, tooltip: str = ""):
        super().__init__(name, label, METHOD, (default, ()), tooltip=tooltip)

    @property
    def methods(self) -> tuple[Method[Any], ...]:
        """Methods that can be chosen: all without a parameter of this kind."""
        return innermost()

    def check(self, value: object) -> Nested:
        name, given = (value, {}) if isinstance(value, str) else self._pair(value)
        name = self.default[0] if name is None else ALIASES.get(name, name)
        known = {method.name: method for method in self.methods}
        if name in METHODS and name not in known:
            raise ValueError(f"{self.name} must not be {name!r}, which ranks by another method itself")
        checked = known[one_of(self.name, name, known)].check(given)
        return name, tuple(sorted((key, checked[key]) for key in given))

    def _pair(self, value: object) -> tuple[str | None, dict[str, Any]]:
        if isinstance(value, tuple | list) and len(value) == 2 and (value[0] is None or isinstance(value[0], str)):
            pairs = isinstance(value[1], tuple | list) and all(len(pair) == 2 for pair in value[1])
            if pairs or isinstance(value[1], Mapping):
                return value[0], dict(value[1])
        raise TypeError(f"{self.name} must be the name of a method, or (name, parameters)")


def innermost() -> tuple[Method[Any], ...]:
    """Methods that rank by no other one."""
    return _innermost(*METHODS.values())


@cache
def _innermost(*methods: Method[Any]) -> tuple[Method[Any], ...]:
    return tuple(method for method in methods if not any(p.kind == METHOD for p in method.parameters))


def scoring_method(ranking: Ranking) -> Method[Any]:
    """Method that scored the features of a ranking: that of the ranking, or of a wrapper its core."""
    method = METHODS[ranking.method]
    for parameter in method.parameters:
        core = ranking.parameters.get(parameter.name)
        if parameter.kind == METHOD and isinstance(core, tuple | list) and core:
            return METHODS.get(core[0], method)
    return method


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


MUTUAL, FOREST = CHOICES = ("mutualinfo", "randomforest")
ALONE = (MUTUAL,)  # where other features do not matter: computed once


def main_effects(name: str, data: MethodInput[Any]) -> np.ndarray:
    """Main effects (p,) by one of `CHOICES`."""
    return result((name, ()), data).scores


USUAL = {CLASSIFICATION: "relieff", UNSUPERVISED: "urelief"}  # cores where none is given; of all other tasks: rrelieff
OF_CORE = ("instances", "strategy", "precision", "approximate")  # entries of `info` that hold for the wrapper as well
DETAILS = (
    Detail("passes", int, "number of passes, or of subsets, so far"),
    Detail("planned", int, "number of passes, or of subsets, in the end"),
    *(detail for detail in OF_PAIRS if detail.name in OF_CORE),
)
CORE = MethodParameter("core", "Core", "relieff", "Method that ranks the features of each pass or subset. Default: "
                                                  "ReliefF for classes, URelief without a target, otherwise "
                                                  "RReliefF")  # fmt: skip


def traits_by_core(complexity: str) -> Traits:
    """Traits of a wrapper, which finds what its core finds, and takes the data that its core takes."""
    return Traits(
        interactions=None,
        redundancy=None,
        sparse=None,
        nominal=AS_CORE,
        missing=AS_CORE,
        complexity=complexity,
        refines=PASSES,
    )


@cache
def tasks_of_any(*cores: Method[Any]) -> tuple[str, ...]:
    """Kinds of target that at least one of these methods takes."""
    possible = {task for core in cores for task in core.tasks}
    return tuple(task for task in TASKS if task in possible)


class Wrapper(Method[Any]):
    """A method that ranks by another one, its core; base of all wrappers."""

    family = "wrapper"
    own: tuple[Parameter, ...]

    @property
    def tasks(self) -> tuple[str, ...]:  # type: ignore[override]  # of others it is a constant
        return tasks_of_any(*innermost())

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (CORE, *self.own)

    def defaults(self, task: str) -> dict[str, Any]:
        name = USUAL.get(task, "rrelieff")
        return {} if name == CORE.default[0] else {"core": (name, ())}

    def accepts(self, given: Mapping[str, Any]) -> Accepts:
        """Targets and parameters that the core takes, if one is given."""
        core, inner = method_of(self.check(given)["core"])
        if "core" not in given:  # then the task tells which
            return Accepts(self.tasks, self.title)
        tasks = tuple(task for task in self.tasks if task in core.tasks)
        return Accepts(tasks, f"{self.title} by {core.title}", core.uses_unlabelled(inner))

    def for_task(self, given: Mapping[str, Any], task: str) -> dict[str, Any]:
        return {**self.defaults(task), **given}

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        core, inner = method_of(parameters["core"])
        return core.uses_unlabelled(inner)

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        core, inner = method_of(parameters["core"])
        return core.takes_packed(inner)

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        return sum(self._costs(shape, parameters))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [method_of(parameters["core"])[0].title]

    @abstractmethod
    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        """Steps of each part of the work."""


class Notes:
    """Warnings and facts of many rankings, each once."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.information: list[str] = []

    def say(self, text: str) -> None:
        self.information += [text] * (text not in self.information)

    def about(self, info: Info) -> Info:
        """Entries for the wrapper: all messages, and facts on the core's last ranking."""
        self.warnings += [text for text in info.get("warnings", ()) if text not in self.warnings]
        for text in info.get("information", ()):
            self.say(text)
        kept = {name: value for name, value in info.items() if name in OF_CORE}
        return kept | {"warnings": [*self.warnings], "information": [*self.information]}
