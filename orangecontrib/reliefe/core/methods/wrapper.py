"""Base of wrappers, which rank by another method, the core, and the parameter whose value is a method.

`turf` and `random_subsets` define wrappers, and call `prepare` and `result` for the core. A chosen method is a plain
literal, so that settings of a workflow can store it::

    ("relieff", (("n_neighbors", 20),))
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from ..checks import one_of
from ..info import Info, InfoEntry
from ..targets.accepts import Accepts
from ..targets.tasks import CLASSIFICATION, TASKS, UNSUPERVISED
from .base import PASSES, Method, MethodInput, MethodResult
from .details import OF_PAIRS
from .parameters import METHOD, Parameter
from .registry import METHODS
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
        name, parameters = (value, {}) if isinstance(value, str) else self._pair(value)
        name = self.default[0] if name is None else name
        methods_by_name = {method.name: method for method in self.methods}
        if name in METHODS and name not in methods_by_name:
            raise ValueError(f"{self.name} must not be {name!r}, which ranks by another method itself")
        checked = methods_by_name[one_of(self.name, name, methods_by_name)].check(parameters)
        return name, tuple(sorted((key, checked[key]) for key in parameters))

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


def method_of(chosen: Nested) -> tuple[Method[Any], dict[str, Any]]:
    """A chosen method, and all of its parameters."""
    name, parameters = chosen
    return METHODS[name], METHODS[name].check(dict(parameters))


def prepare(chosen: Nested, data: MethodInput[Any]) -> object:
    """Preparation of a chosen method for data."""
    method, parameters = method_of(chosen)
    return method.prepare(replace(data, parameters=parameters, prepared=None))


def run(chosen: Nested, data: MethodInput[Any]) -> Iterator[MethodResult]:
    """Yield the results of a chosen method; `data.prepared` is what `prepare` returned, or None."""
    method, parameters = method_of(chosen)
    data_of_method = replace(data, parameters=parameters)
    begin = 0.0
    if data.prepared is None:
        begin = method.preparation(parameters)
        with data.work.part(0, begin):
            data_of_method = replace(data_of_method, prepared=method.prepare(data_of_method))
    with data.work.part(begin, 1):
        yield from method.run(data_of_method)


def result(chosen: Nested, data: MethodInput[Any]) -> MethodResult:
    """Final result of a chosen method."""
    *_, last = run(chosen, data)
    return last


CHOICES = ("mutualinfo", "randomforest")  # methods for main effects
UNIVARIATE = ("mutualinfo",)  # those by which the score of a feature does not depend on the others


def main_effects(name: str, data: MethodInput[Any]) -> np.ndarray:
    """Main effects (p,) by one of `CHOICES`."""
    return result((name, ()), data).scores


# Default cores by kind of target
DEFAULT_CORES = {CLASSIFICATION: "relieff", UNSUPERVISED: "urelief"}
OTHER_CORE = "rrelieff"  # for all other kinds
OF_CORE = ("instances", "strategy", "precision", "approximate")  # entries of `info` that hold for the wrapper as well
DETAILS = (
    InfoEntry("passes", int, "number of passes, or of subsets, so far"),
    InfoEntry("planned", int, "number of passes, or of subsets, in the end"),
    *(detail for detail in OF_PAIRS if detail.name in OF_CORE),
)
CORE = MethodParameter("core", "Core", "relieff", "Method that ranks the features of each pass or subset. Default: "
                                                  "ReliefF for classes, URelief without a target, otherwise "
                                                  "RReliefF")  # fmt: skip


def traits_by_core(complexity: str) -> Traits:
    """Traits of a wrapper, most of which are those of its core."""
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
    tasks_of_cores = {task for core in cores for task in core.tasks}
    return tuple(task for task in TASKS if task in tasks_of_cores)


class Wrapper(Method[Any]):
    """A method that ranks by another one, its core."""

    family = "wrapper"
    own_parameters: tuple[Parameter, ...]

    @property
    def tasks(self) -> tuple[str, ...]:  # type: ignore[override]  # other methods have a constant
        return tasks_of_any(*innermost())

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (CORE, *self.own_parameters)

    def defaults(self, task: str) -> dict[str, Any]:
        name = DEFAULT_CORES.get(task, OTHER_CORE)
        return {} if name == CORE.default[0] else {"core": (name, ())}

    def accepts(self, options: Mapping[str, Any]) -> Accepts:
        """Targets that the core takes, if the caller gives one."""
        core, core_parameters = method_of(self.check(options)["core"])
        if "core" not in options:  # the default core depends on the task
            return Accepts(self.tasks, self.title)
        tasks = tuple(task for task in self.tasks if task in core.tasks)
        return Accepts(tasks, f"{self.title} by {core.title}", core.uses_unlabelled(core_parameters))

    def for_task(self, options: Mapping[str, Any], task: str) -> dict[str, Any]:
        return {**self.defaults(task), **options}

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        core, core_parameters = method_of(parameters["core"])
        return core.uses_unlabelled(core_parameters)

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        core, core_parameters = method_of(parameters["core"])
        return core.takes_packed(core_parameters)

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        return sum(self._costs(shape, parameters))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [method_of(parameters["core"])[0].title]

    @abstractmethod
    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        """Costs of the passes, in comparisons of two values."""


class NotesOfCore:
    """Warnings and facts of many rankings, each once."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.information: list[str] = []

    def say(self, text: str) -> None:
        """Add a fact, unless it was added before."""
        if text not in self.information:
            self.information.append(text)

    def about(self, info: Info) -> Info:
        """Entries for the wrapper: all messages, and facts on the core's last ranking."""
        self.warnings += [text for text in info.get("warnings", ()) if text not in self.warnings]
        for text in info.get("information", ()):
            self.say(text)
        of_core = {name: value for name, value in info.items() if name in OF_CORE}
        return of_core | {"warnings": [*self.warnings], "information": [*self.information]}
