"""Base of wrappers: a method that ranks by another one, its core."""

from abc import abstractmethod
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, cast

from ..result import Info
from ..targets.reader import Accepts
from ..targets.targets import CLASSIFICATION, TASKS, UNSUPERVISED
from .base import PASSES, Method
from .nested import MethodParameter, innermost, method_of
from .parameters import Parameter

USUAL = {CLASSIFICATION: "relieff", UNSUPERVISED: "urelief"}  # cores where none is given; of all other tasks: rrelieff
OF_CORE = ("instances", "strategy", "precision", "approximate")  # entries of `info` that hold for the wrapper as well
CORE = MethodParameter("core", "Core", "relieff", "Method that ranks the features of each pass or subset; where none "
                       "is given, ReliefF for classes, URelief without a target, and RReliefF else")  # fmt: skip


@cache
def _tasks_of_any(*cores: Method[Any]) -> tuple[str, ...]:
    possible = {task for core in cores for task in core.tasks}
    return tuple(task for task in TASKS if task in possible)


class Wrapper(Method[Any]):
    """A method that ranks by another one, its core, with what all of them share."""

    family = "wrapper"
    refines = PASSES
    own: tuple[Parameter, ...]

    @property
    def tasks(self) -> tuple[str, ...]:  # type: ignore[override]  # of others it is a constant
        """Kinds of target that any core ranks for."""
        return _tasks_of_any(*innermost())

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The core, and its own."""
        return (CORE, *self.own)

    def defaults(self, task: str) -> dict[str, Any]:
        """A core that ranks for the task."""
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
        """`given`, and a core that ranks for the task."""
        return {**self.defaults(task), **given}

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        """True if the core does."""
        core, inner = method_of(parameters["core"])
        return core.uses_unlabelled(inner)

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        """True if the core does."""
        core, inner = method_of(parameters["core"])
        return core.takes_packed(inner)

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        """Steps of the work of all cores."""
        return sum(self._costs(shape, parameters))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Title of the core."""
        return [method_of(parameters["core"])[0].title]

    @abstractmethod
    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        """Steps of each part of the work."""


class Notes:
    """Warnings and facts of many rankings, each told once."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.information: list[str] = []

    def say(self, text: str) -> None:
        """Add a fact."""
        self.information += [text] * (text not in self.information)

    def about(self, info: Info) -> Info:
        """Entries for the wrapper: all that was said, and what holds of the core's last ranking."""
        self.warnings += [text for text in info.get("warnings", ()) if text not in self.warnings]
        for text in info.get("information", ()):
            self.say(text)
        kept = {name: value for name, value in info.items() if name in OF_CORE}
        return cast("Info", kept | {"warnings": [*self.warnings], "information": [*self.information]})
