"""Wrappers: rankings made of many rankings of fewer features, by any other method."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from numbers import Real
from typing import Any, cast

import numpy as np

from ..result import Info
from ..targets.reader import Accepts
from ..words import counted, shown
from .base import Found, MethodInput
from .elimination import Elimination, sizes
from .main_effects import ALONE, CHOICES, main_effects, tasks_of, title_of
from .nested import method_of, prepare, result
from .parameters import CHOICE, INTEGER, NUMBER, SHARE, Parameter
from .subsets import AUTO, MOST, PROBABILITY, best_of_subsets, check_number, cost_of_subsets, fitting
from .wrapper import Notes, Wrapper

EVAPORATED = 0.05  # share of the features that a pass removes by default
MOST_FEATURES = 10**9

Pass = Callable[[MethodInput[Any], np.ndarray], Found]  # the problem of the features that are left, their mask (p,)


class OpenShare(Parameter):
    """A share that is neither nothing nor all."""

    def _check_share(self, value: object) -> float | str:
        if isinstance(value, Real) and not isinstance(value, bool) and value in (0, 1):
            raise ValueError(f"{self.name} must be above 0 and below 1, not {shown(value)}")
        return super()._check_share(value)


N_KEEP = Parameter("n_keep", "Keep", INTEGER, 100, low=1, high=MOST_FEATURES,
                   tooltip="Features that are left in the end, and ranked once more")  # fmt: skip
STEP = Parameter("step", "Removed number", INTEGER, low=1, high=MOST_FEATURES, none="by share", more=True,
                 tooltip="Features that each pass removes, instead of a share")  # fmt: skip
OF_REMOVAL = (
    OpenShare("share", "Removed share", SHARE, 0.5,
              tooltip="Share of the remaining features that each pass removes, between 0 and 1: the less, the more "
                      "passes"),
    STEP,
    N_KEEP,
)  # fmt: skip
OF_SUBSETS = (
    Parameter("n_subsets", "Subsets", INTEGER, AUTO, low=1, high=MOST, choices=(AUTO,),
              tooltip="Random subsets of features, each ranked by itself; auto: as many as hold any interaction of the "
                      f"order below as a whole with a probability of {PROBABILITY:g}"),
    Parameter("subset_size", "Subset size", INTEGER, low=1, high=MOST_FEATURES, none="a tenth",
              tooltip="Features in a subset; without a value a tenth of them, at least 10"),
    Parameter("order", "Interactions of", INTEGER, 2, low=1, high=10,
              tooltip="Features that interact, for the number of subsets: 2 for pairs, 3 for triples"),
)  # fmt: skip
OF_EVAPORATION = (
    Parameter("main", "Main effects", CHOICE, CHOICES[0], choices=CHOICES,
              tooltip="What each feature tells by itself: mutual information with the target (mutualinfo), or its part "
                      "in a random forest (randomforest)"),
    Parameter("temperature", "Temperature", NUMBER, 1.0, low=0, high=1000,
              tooltip="Weight of the main effects beside the core's scores, both scaled from 0 to 1 in each pass"),
    replace(STEP, none="5 %", more=False, tooltip="Features that each pass removes; without a value a twentieth"),
    N_KEEP,
)  # fmt: skip


class TuRF(Wrapper):
    """Ranks, removes the lowest, ranks the others anew, and so on."""

    name, title = "turf", "TuRF"
    about = "removes the worst, again"
    idea = (
        "Ranks by another method, removes the features at the end of the list, and ranks the others anew, as their "
        "neighbours are found without the noise of those that went"
    )
    citation = "Moore and White 2007, Proc. EvoBIO 2007:166-175"
    complexity = "core / share"
    own: tuple[Parameter, ...] = OF_REMOVAL

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        """Share of the work that the core prepares for the first pass."""
        core, inner = method_of(parameters["core"])
        return core.preparation(inner) * self._share(parameters)

    def prepare(self, data: MethodInput[Any]) -> object:
        """Preparation of the core for all features."""
        return prepare(data.parameters["core"], data)

    def run(self, data: MethodInput[Any]) -> Iterator[Found]:
        """Results after each pass."""
        (n, p), parameters, notes = data.table.shape, data.parameters, Notes()
        planned, costs = self._sizes(p, parameters), self._costs((n, p), parameters)
        if p <= parameters["n_keep"]:
            notes.say(f"no feature is removed, as {parameters['n_keep']:,} are to be left")
        rank_pass, ends, state = self._start(data, notes), np.cumsum(costs) / sum(costs), Elimination(p)
        for number, size in enumerate(planned):
            state.remove(size)
            few = replace(data.columns(state.left), prepared=None if number else data.prepared, partial=False)
            with data.work.part(float(ends[number - 1]) if number else 0.0, float(ends[number])):
                found = rank_pass(few, state.left)
            state.add(found.scores, found.per_target)
            final = number == len(planned) - 1
            if final or data.partial:
                info = notes.about(found.info)
                info |= {"passes": number + 1, "planned": len(planned), "left": size}
                info["removed_in"] = state.removed_in.tolist()
                yield Found(state.scores(), state.per_target(), info, state.order(), final)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in words: "ReliefF, 5 passes, 100 features left"."""
        passes = counted(info["passes"], "pass", "passes")
        return [*super().summary(parameters, info), passes, f"{counted(info['left'], 'feature')} left"]

    def _share(self, parameters: Mapping[str, Any]) -> float:
        """Share of the features that a pass removes, or about that."""
        return EVAPORATED if parameters["step"] is not None else cast("float", parameters["share"])

    def _sizes(self, p: int, parameters: Mapping[str, Any]) -> list[int]:
        """Numbers of features in each pass."""
        return sizes(p, parameters["n_keep"], self._share(parameters), parameters["step"])

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        core, inner = method_of(parameters["core"])
        return [core.cost((shape[0], size), inner) for size in self._sizes(shape[1], parameters)]

    def _start(self, data: MethodInput[Any], notes: Notes) -> Pass:
        """A function that ranks one pass."""
        return lambda few, _: result(data.parameters["core"], few)


@cache
def _with_main_effects(tasks: tuple[str, ...]) -> tuple[str, ...]:
    possible = {task for main in CHOICES for task in tasks_of(main)}
    return tuple(task for task in tasks if task in possible)


class EvaporativeCooling(TuRF):
    """As TuRF, by the scores of the core and main effects together."""

    name, title = "evaporativecooling", "Evaporative Cooling"
    about = "main effects and interactions"
    idea = (
        "Removes, again and again, the features of which neither another method nor their main effect says much: the "
        "sum of both is what ranks them"
    )
    citation = "McKinney, Reif, White, Crowe and Moore 2007, Bioinformatics 23:2113-2120"
    complexity = "core in each pass"
    own = OF_EVAPORATION

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        """False: main effects read numbers."""
        return False

    @property
    def tasks(self) -> tuple[str, ...]:  # type: ignore[override]  # of others it is a constant
        """Kinds of target that a core and main effects rank for."""
        return _with_main_effects(super().tasks)

    def accepts(self, given: Mapping[str, Any]) -> Accepts:
        """Targets that the core takes and that have main effects; raises ValueError if there is no such target."""
        accepts, main = super().accepts(given), self.check(given)["main"]
        tasks = tuple(task for task in accepts.tasks if task in tasks_of(main))
        if not tasks:
            raise ValueError(
                f"{accepts.method} is not possible: {title_of(main)} ranks for {', '.join(tasks_of(main))}"
            )
        return replace(accepts, tasks=tasks)

    def _share(self, parameters: Mapping[str, Any]) -> float:
        return EVAPORATED

    def _start(self, data: MethodInput[Any], notes: Notes) -> Pass:
        """A function that ranks one pass by free energy."""
        main, heat, core = (data.parameters[name] for name in ("main", "temperature", "core"))
        alone: list[np.ndarray] = []  # (p,), where other features do not change it

        def rank_pass(few: MethodInput[Any], left: np.ndarray) -> Found:
            begin = 0.0 if alone else 0.5
            with few.work.part(0, begin):
                if main in ALONE and not alone:
                    alone.append(main_effects(main, replace(few, prepared=None)))
                effects = alone[0][left] if alone else main_effects(main, replace(few, prepared=None))
            with few.work.part(begin, 1):
                answer = result(core, few)
            return Found(_unit(answer.scores) + heat * _unit(effects), info=answer.info)

        return rank_pass


class VLSRelief(Wrapper):
    """Ranks random subsets of the features, each by itself; a feature scores the best that it reached."""

    name, title = "vlsrelief", "VLSRelief"
    about = "random subsets of features"
    idea = (
        "Ranks many random subsets of the features by another method; a feature scores the best that it reaches in any "
        "of them: for interactions among so many features that distances by all of them say little"
    )
    citation = "Eppstein and Haake 2008, Proc. IEEE CIBCB 2008:112-119"
    complexity = "S n^2 a"
    own = OF_SUBSETS

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        """All parameters; ValueError or TypeError says what is possible."""
        return fitting(super().check(given, known))

    def prepare(self, data: MethodInput[Any]) -> None:
        """Nothing; raises ValueError where too many subsets are needed."""
        check_number(data)

    def run(self, data: MethodInput[Any]) -> Iterator[Found]:
        """Results after each deck of subsets, or a few."""
        return best_of_subsets(data, 0, Notes())

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in words: "ReliefF, 301 subsets of 100 features"."""
        size = counted(info["subset_size"], "feature")
        return [*super().summary(parameters, info), f"{counted(info['passes'], 'subset')} of {size}"]

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        return [cost_of_subsets(shape, parameters)]


class IVLSRelief(TuRF):
    """TuRF whose passes are those of VLSRelief."""

    name, title = "ivlsrelief", "iVLSRelief"
    about = "subsets of ever fewer"
    idea = (
        "Ranks by VLSRelief, removes the features at the end of the list, and goes on with subsets of the others, in "
        "which more of them meet"
    )
    citation = VLSRelief.citation
    complexity = "S n^2 a in each pass"
    own = (*OF_REMOVAL, *OF_SUBSETS)

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        """All parameters; ValueError or TypeError says what is possible."""
        return fitting(super().check(given, known))

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        """None: each subset is prepared by itself."""
        return 0.0

    def prepare(self, data: MethodInput[Any]) -> None:
        """Nothing; raises ValueError where too many subsets are needed."""
        check_number(data)

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        return [cost_of_subsets((shape[0], size), parameters) for size in self._sizes(shape[1], parameters)]

    def _start(self, data: MethodInput[Any], notes: Notes) -> Pass:
        """A function that ranks one pass by subsets; each has subsets of its own."""
        numbers = iter(range(len(self._sizes(data.table.shape[1], data.parameters))))

        def rank_pass(few: MethodInput[Any], left: np.ndarray) -> Found:
            *_, found = best_of_subsets(few, next(numbers), notes)
            return found

        return rank_pass


def _unit(values: np.ndarray) -> np.ndarray:
    """Values from 0 to 1; 0 if they are all the same."""
    span = float(np.ptp(values))
    return cast("np.ndarray", (values - values.min()) / span if span else np.zeros(len(values)))


WRAPPERS = TuRF(), VLSRelief(), IVLSRelief(), EvaporativeCooling()
