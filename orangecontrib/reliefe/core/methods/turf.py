"""Wrappers that rank, remove the worst features, and rank the others again: TuRF and Evaporative Cooling.

`wrappers` lists them for the registry. A pass ranks the features that are left by another method, the core, and
`elimination` keeps the scores.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from ..info import Info, InfoEntry
from ..targets.accepts import Accepts
from ..words import counted, shown
from .base import MethodInput, MethodResult
from .elimination import Elimination, sizes
from .parameters import CHOICE, INTEGER, NUMBER, SHARE, Parameter
from .registry import METHODS
from .wrapper import (
    CHOICES,
    DETAILS,
    UNIVARIATE,
    NotesOfCore,
    Wrapper,
    main_effects,
    method_of,
    prepare,
    result,
    tasks_of_any,
    traits_by_core,
)

# Ranks the features that are left: called with the input for them, and their mask (p,).
RankPass = Callable[[MethodInput[Any], np.ndarray], MethodResult]
EVAPORATED = 0.05  # share of the features that a pass of Evaporative Cooling removes by default; chosen by eye
MAIN_SHARE = 0.5  # of the work of a pass that computes main effects; chosen by eye
MAX_FEATURES = 10**9
N_KEEP = Parameter("n_keep", "Keep", INTEGER, 100, low=1, high=MAX_FEATURES,
                   tooltip="Number of features that remain in the end and are ranked once more. Integer, at least "
                           "1")  # fmt: skip
STEP = Parameter("step", "Removed number", INTEGER, low=1, high=MAX_FEATURES, none="by share", more=True,
                 tooltip="Number of features that each pass removes, instead of a share. Integer, at least "
                         "1")  # fmt: skip
OF_EVAPORATION = (
    Parameter("main", "Main effects", CHOICE, CHOICES[0], choices=CHOICES,
              tooltip="Main effect of each feature: mutual information with the target (mutualinfo), or its "
                      "importance in a random forest (randomforest)"),
    Parameter("temperature", "Temperature", NUMBER, 1.0, low=0, high=1000,
              tooltip="Weight of the main effects relative to the core's scores, both scaled from 0 to 1 in each "
                      "pass. Number above 0, at most 1,000"),
    replace(STEP, none="5 %", more=False, tooltip="Number of features that each pass removes. Integer, at least 1. "
                                                  "Default: a twentieth"),
    N_KEEP,
)  # fmt: skip


class OpenShare(Parameter):
    """A share above 0 and below 1."""

    def _check_share(self, value: object) -> float:
        if isinstance(value, Real) and not isinstance(value, bool) and value in (0, 1):
            raise ValueError(f"{self.name} must be above 0 and below 1, not {shown(value)}")
        return super()._check_share(value)


OF_REMOVAL = (
    OpenShare("share", "Removed share", SHARE, 0.5,
              tooltip="Share of the remaining features that each pass removes. Between 0 and 1. A smaller share "
                      "takes more passes"),
    STEP,
    N_KEEP,
)  # fmt: skip


class TuRF(Wrapper):
    """Ranks, removes the lowest features, ranks the remaining ones again, and so on."""

    name = "turf"
    title = "TuRF"
    about = "removes the worst, again"
    idea = (
        "Ranks by another method, removes the last features, and ranks the rest again, with neighbours found "
        "without the removed noise"
    )
    citation = "Moore and White 2007, Proc. EvoBIO 2007:166-175"
    traits = traits_by_core("core / share")
    details = (
        *DETAILS,
        InfoEntry("left", int, "number of features that remain"),
        InfoEntry("removed_in", list[int], "pass after which each feature was removed, 0 if it remains"),
    )
    own_parameters: tuple[Parameter, ...] = OF_REMOVAL

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        core, inner = method_of(parameters["core"])
        return core.preparation(inner) * self._share(parameters)

    def prepare(self, data: MethodInput[Any]) -> object:
        return prepare(data.parameters["core"], data)

    def run(self, data: MethodInput[Any]) -> Iterator[MethodResult]:
        n, p = data.table.shape
        parameters = data.parameters
        notes = NotesOfCore()
        if p <= parameters["n_keep"]:
            notes.say(f"no feature is removed, as {parameters['n_keep']:,} are to be left")
        planned = self._sizes(p, parameters)
        costs = self._costs((n, p), parameters)
        ends = np.cumsum(costs) / sum(costs)
        begins = [0.0, *ends[:-1].tolist()]
        rank_pass = self._start(data, notes)
        state = Elimination(p)
        for number, size in enumerate(planned):
            state.remove(size)
            # What was prepared is of all features.
            prepared = None if number else data.prepared
            data_of_pass = replace(data.columns(state.left), prepared=prepared, partial=False)
            with data.work.part(begins[number], float(ends[number])):
                ranked = rank_pass(data_of_pass, state.left)
            state.add(ranked.scores, ranked.per_target)
            final = number == len(planned) - 1
            if final or data.partial:
                info = notes.about(ranked.info)
                info |= {"passes": number + 1, "planned": len(planned), "left": size}
                info["removed_in"] = state.removed_in.tolist()
                yield MethodResult(state.scores(), state.per_target(), info, state.order(), final)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        passes = counted(info["passes"], "pass", "passes")
        return [*super().summary(parameters, info), passes, f"{counted(info['left'], 'feature')} left"]

    def _share(self, parameters: Mapping[str, Any]) -> float:
        """Share of the features that a pass removes; a rough one if it removes a number of them."""
        share: float = parameters["share"]
        return share if parameters["step"] is None else EVAPORATED

    def _sizes(self, p: int, parameters: Mapping[str, Any]) -> list[int]:
        return sizes(p, parameters["n_keep"], self._share(parameters), parameters["step"])

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        core, inner = method_of(parameters["core"])
        return [core.cost((shape[0], size), inner) for size in self._sizes(shape[1], parameters)]

    def _start(self, data: MethodInput[Any], notes: NotesOfCore) -> RankPass:
        """Function that ranks the features of a pass; it may add to the notes."""
        return lambda data_of_pass, _: result(data.parameters["core"], data_of_pass)


class EvaporativeCooling(TuRF):
    """Removal in passes as by TuRF, by the scores of the core and main effects together."""

    name = "evaporativecooling"
    title = "Evaporative Cooling"
    about = "main effects and interactions"
    idea = "Repeatedly removes the features with the lowest sum of another method's score and their main effect"
    citation = "McKinney, Reif, White, Crowe and Moore 2007, Bioinformatics 23:2113-2120"
    traits = traits_by_core("core in each pass")
    own_parameters = OF_EVAPORATION

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        """False: main effects read numbers."""
        return False

    @property
    def tasks(self) -> tuple[str, ...]:  # type: ignore[override]  # other methods have a constant
        tasks_of_cores = tasks_of_any(*(METHODS[main] for main in CHOICES))
        return tuple(task for task in super().tasks if task in tasks_of_cores)

    def accepts(self, options: Mapping[str, Any]) -> Accepts:
        accepts = super().accepts(options)
        main = METHODS[self.check(options)["main"]]
        tasks = tuple(task for task in accepts.tasks if task in main.tasks)
        if not tasks:
            raise ValueError(f"{accepts.method} is not possible: {main.title} ranks for {', '.join(main.tasks)}")
        return replace(accepts, tasks=tasks)

    def _share(self, parameters: Mapping[str, Any]) -> float:
        return EVAPORATED

    def _start(self, data: MethodInput[Any], notes: NotesOfCore) -> RankPass:
        main = data.parameters["main"]
        temperature = data.parameters["temperature"]
        core = data.parameters["core"]
        univariate: list[np.ndarray] = []  # main effects (p,) that do not depend on other features: computed once

        def effects_of(data_of_pass: MethodInput[Any], is_left: np.ndarray) -> np.ndarray:
            if univariate:
                of_left: np.ndarray = univariate[0][is_left]
                return of_left
            effects = main_effects(main, replace(data_of_pass, prepared=None))
            if main in UNIVARIATE:
                univariate.append(effects)  # of the first pass, which has all features
            return effects

        def rank_pass(data_of_pass: MethodInput[Any], is_left: np.ndarray) -> MethodResult:
            begin = 0.0 if univariate else MAIN_SHARE
            with data_of_pass.work.part(0, begin):
                effects = effects_of(data_of_pass, is_left)
            with data_of_pass.work.part(begin, 1):
                ranked = result(core, data_of_pass)
            scores = _unit(ranked.scores) + temperature * _unit(effects)
            return MethodResult(scores, info=ranked.info)

        return rank_pass


def _unit(values: np.ndarray) -> np.ndarray:
    """Values scaled from 0 to 1; 0 if they are all equal."""
    span = float(np.ptp(values))
    if span == 0:
        return np.zeros(len(values))
    unit: np.ndarray = (values - values.min()) / span
    return unit
