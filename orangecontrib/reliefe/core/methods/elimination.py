"""Removal of features in passes: how many remain in each, which go, and the final scores of all."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from ..result import Detail, Info
from ..targets.accepts import Accepts
from ..words import counted, shown
from .base import Found, MethodInput
from .parameters import CHOICE, INTEGER, NUMBER, SHARE, Parameter
from .registry import METHODS
from .wrapper import (
    ALONE,
    CHOICES,
    DETAILS,
    Notes,
    Wrapper,
    main_effects,
    method_of,
    prepare,
    result,
    tasks_of_any,
    traits_by_core,
)

Pass = Callable[[MethodInput[Any], np.ndarray], Found]  # the problem of the features that are left, their mask (p,)
TIER = 0.01  # below the survivors, for each pass since: in units of the range of their scores
WITHIN = 1e-8  # of a tier: too little to see, enough to keep the order within a pass
DECIMALS = 12  # scores that agree in them, as parts of the largest, are tied: dense and sparse rows are added otherwise
EVAPORATED = 0.05  # share of the features that a pass removes by default
MOST_FEATURES = 10**9
N_KEEP = Parameter("n_keep", "Keep", INTEGER, 100, low=1, high=MOST_FEATURES,
                   tooltip="Number of features that remain in the end and are ranked once more. Integer, at least "
                           "1")  # fmt: skip
STEP = Parameter("step", "Removed number", INTEGER, low=1, high=MOST_FEATURES, none="by share", more=True,
                 tooltip="Number of features that each pass removes, instead of a share. Integer, at least "
                         "1")  # fmt: skip
OF_EVAPORATION = (
    Parameter("main", "Main effects", CHOICE, CHOICES[0], choices=CHOICES,
              tooltip="Main effect of each feature: mutual information with the target (mutualinfo), or its "
                      "importance in a random forest (randomforest)"),
    Parameter("temperature", "Temperature", NUMBER, 1.0, low=0, high=1000,
              tooltip="Weight of the main effects relative to the core's scores, both scaled from 0 to 1 in each "
                      "pass. Number above 0"),
    replace(STEP, none="5 %", more=False, tooltip="Number of features that each pass removes. Integer, at least 1. "
                                                  "Default: a twentieth"),
    N_KEEP,
)  # fmt: skip


def sizes(p: int, n_keep: int, share: float, step: int | None) -> list[int]:
    """Numbers of features that are ranked in each pass, from p down to `n_keep`.

    share: of those that remain, removed after each pass, at least one feature; step: that many instead.
    """
    out, last = [p], min(n_keep, p)
    while out[-1] > last:
        drop = max(int(share * out[-1]), 1) if step is None else step
        out.append(max(out[-1] - drop, last))
    return out


class Elimination:
    """p features, those that are left, and facts about those that were removed."""

    def __init__(self, p: int):
        self.last = np.zeros(p)  # scores of each feature in the last pass that ranked it
        self.rounded = np.zeros(p)  # the same, as far as they decide what is removed
        self.each: np.ndarray | None = None  # (t, p), last scores for each of several targets
        self.removed_in = np.zeros(p, int)  # pass after which a feature was removed, from 1; 0: it is left
        self.passes = 0

    @property
    def left(self) -> np.ndarray:
        """Mask (p,) of the features that are left."""
        is_left: np.ndarray = self.removed_in == 0
        return is_left

    def add(self, scores: np.ndarray, per_target: np.ndarray | None) -> None:
        """Note the scores of the features that are left, from one more pass."""
        self.passes += 1
        self.last[self.left], self.rounded[self.left] = scores, _rounded(scores)
        if per_target is not None:
            if self.each is None:
                self.each = np.zeros((len(per_target), len(self.last)))
            self.each[:, self.left] = per_target

    def remove(self, size: int) -> None:
        """Remove the lowest until `size` are left; of equal ones that with the lower index survives."""
        gone = np.count_nonzero(~self.left)
        self.removed_in[self._sorted(self.rounded)[gone : len(self.last) - size]] = self.passes

    def order(self) -> np.ndarray:
        """Features as they were removed, the worst first, then those that are left, by their scores."""
        return self._sorted(np.where(self.left, self.last, self.rounded))

    def scores(self) -> np.ndarray:
        """Scores (p,): the last ones of the remaining features, and below them a tier for each pass."""
        return self._tiers(self.last, self.rounded)

    def per_target(self) -> np.ndarray | None:
        """Scores (t, p) for each of several targets, if there are any."""
        return None if self.each is None else np.array([self._tiers(row, _rounded(row)) for row in self.each])

    def _sorted(self, keys: np.ndarray) -> np.ndarray:
        """Features by when they were removed, then by keys (p,); of equal ones the lower index is the better."""
        when = np.where(self.left, self.passes + 1, self.removed_in)
        order: np.ndarray = np.lexsort((-np.arange(len(keys)), keys, when))
        return order

    def _tiers(self, last: np.ndarray, rounded: np.ndarray) -> np.ndarray:
        left = self.left
        low, passes = last[left].min(), self.removed_in.max()
        tier = TIER * (float(np.ptp(last[left])) or 1.0)
        order = np.lexsort((-rounded, self.removed_in))
        when, falling = self.removed_in[order], -rounded[order]
        begins = np.r_[True, when[1:] != when[:-1]]
        starts = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
        steps = np.cumsum(begins | np.r_[True, falling[1:] != falling[:-1]])  # equal scores stay equal
        place = np.empty(len(last))
        place[order] = (steps - steps[starts]) / np.bincount(self.removed_in)[when]
        return np.where(left, last, low - tier * (passes + 1 - self.removed_in + WITHIN * place))


def _rounded(scores: np.ndarray) -> np.ndarray:
    return np.round(scores / (np.abs(scores).max() or 1.0), DECIMALS)


class OpenShare(Parameter):
    """A share that is neither nothing nor all."""

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

    name, title = "turf", "TuRF"
    about = "removes the worst, again"
    idea = (
        "Ranks by another method, removes the last features, and ranks the rest again, with neighbours found "
        "without the removed noise"
    )
    citation = "Moore and White 2007, Proc. EvoBIO 2007:166-175"
    traits = traits_by_core("core / share")
    details = (
        *DETAILS,
        Detail("left", int, "number of features that remain"),
        Detail("removed_in", list[int], "pass after which each feature was removed, 0 if it remains"),
    )
    own: tuple[Parameter, ...] = OF_REMOVAL

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        core, inner = method_of(parameters["core"])
        return core.preparation(inner) * self._share(parameters)

    def prepare(self, data: MethodInput[Any]) -> object:
        return prepare(data.parameters["core"], data)

    def run(self, data: MethodInput[Any]) -> Iterator[Found]:
        (n, p) = data.table.shape
        parameters = data.parameters
        notes = Notes()
        planned, costs = self._sizes(p, parameters), self._costs((n, p), parameters)
        if p <= parameters["n_keep"]:
            notes.say(f"no feature is removed, as {parameters['n_keep']:,} are to be left")
        rank_pass = self._start(data, notes)
        ends = np.cumsum(costs) / sum(costs)
        state = Elimination(p)
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
        passes = counted(info["passes"], "pass", "passes")
        return [*super().summary(parameters, info), passes, f"{counted(info['left'], 'feature')} left"]

    def _share(self, parameters: Mapping[str, Any]) -> float:
        """Share of the features that a pass removes, or about that."""
        share: float = parameters["share"]
        return share if parameters["step"] is None else EVAPORATED

    def _sizes(self, p: int, parameters: Mapping[str, Any]) -> list[int]:
        return sizes(p, parameters["n_keep"], self._share(parameters), parameters["step"])

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        core, inner = method_of(parameters["core"])
        return [core.cost((shape[0], size), inner) for size in self._sizes(shape[1], parameters)]

    def _start(self, data: MethodInput[Any], notes: Notes) -> Pass:
        return lambda few, _: result(data.parameters["core"], few)


class EvaporativeCooling(TuRF):
    """Removal in passes as by TuRF, by the scores of the core and main effects together."""

    name, title = "evaporativecooling", "Evaporative Cooling"
    about = "main effects and interactions"
    idea = "Repeatedly removes the features with the lowest sum of another method's score and their main effect"
    citation = "McKinney, Reif, White, Crowe and Moore 2007, Bioinformatics 23:2113-2120"
    traits = traits_by_core("core in each pass")
    own = OF_EVAPORATION

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        """False: main effects read numbers."""
        return False

    @property
    def tasks(self) -> tuple[str, ...]:  # type: ignore[override]  # of others it is a constant
        possible = tasks_of_any(*(METHODS[main] for main in CHOICES))
        return tuple(task for task in super().tasks if task in possible)

    def accepts(self, given: Mapping[str, Any]) -> Accepts:
        accepts, main = super().accepts(given), METHODS[self.check(given)["main"]]
        tasks = tuple(task for task in accepts.tasks if task in main.tasks)
        if not tasks:
            raise ValueError(f"{accepts.method} is not possible: {main.title} ranks for {', '.join(main.tasks)}")
        return replace(accepts, tasks=tasks)

    def _share(self, parameters: Mapping[str, Any]) -> float:
        return EVAPORATED

    def _start(self, data: MethodInput[Any], notes: Notes) -> Pass:
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


def _unit(values: np.ndarray) -> np.ndarray:
    """Values from 0 to 1; 0 if they are all the same."""
    span = float(np.ptp(values))
    if span == 0:
        return np.zeros(len(values))
    unit: np.ndarray = (values - values.min()) / span
    return unit
