"""Removal of features in passes: how many remain in each, which go, and the final scores of all."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any, cast

import numpy as np

from ..result import Info
from ..targets.reader import Accepts
from ..words import counted, shown
from ..work.threads import Work
from .base import Found, MethodInput
from .parameters import CHOICE, INTEGER, NUMBER, SHARE, Parameter
from .registry import METHODS
from .wrapper import ALONE, CHOICES, Notes, Wrapper, main_effects, method_of, prepare, result, tasks_of_any

TIER = 0.01  # below the survivors, for each pass since: in units of the range of their scores
WITHIN = 1e-8  # of a tier: too little to see, enough to keep the order within a pass
DECIMALS = 12  # scores that agree in them, as parts of the largest, are tied: dense and sparse rows are added otherwise


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
        return cast("np.ndarray", self.removed_in == 0)

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
        return cast("np.ndarray", np.lexsort((-np.arange(len(keys)), keys, when)))

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


AUTO = "auto"
ONE_IN, FEWEST = 10, 10  # a subset is one in so many features, at least so many, where nothing else is said
PROBABILITY = 0.95  # that an interaction is in at least one subset as a whole
MOST = 10**6
PER_WORKER = 4  # subsets that each thread ranks before there is a partial result


def subset_size(p: int, wanted: int | None) -> int:
    """Features in a subset of p: as many as wanted, or a tenth, at least `FEWEST`."""
    return min(max(math.ceil(p / ONE_IN), FEWEST) if wanted is None else wanted, p)


def subsets_needed(p: int, size: int, order: int) -> int:
    """Subsets of a size, at least `order`, of p features that most probably hold `order` features as a whole."""
    if size >= p:
        return 1
    hit = math.prod((size - t) / (p - t) for t in range(order))
    return math.ceil(math.log1p(-PROBABILITY) / math.log1p(-hit))


def count(p: int, size: int, wanted: int | str, order: int) -> int:
    """Subsets to deal: as many as wanted, or as are needed; always enough for every feature to be drawn."""
    if size >= p:
        return 1
    return max(subsets_needed(p, size, order) if isinstance(wanted, str) else wanted, math.ceil(p / size))


def deal(p: int, size: int, n_subsets: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Masks (p,) of subsets, dealt from a shuffled deck of all features. Where the deck ends within a subset, the
    features that were dealt first fill it, and the deck is shuffled again."""
    blocks = math.ceil(p / size)
    for number in range(n_subsets):
        if number % blocks == 0:
            deck = rng.permutation(p)
            deck = np.concatenate([deck, deck[: blocks * size - p]])
        place = number % blocks * size
        mask = np.zeros(p, bool)
        mask[deck[place : place + size]] = True
        yield mask


def best_of_subsets(data: MethodInput[Any], number: int, notes: Notes) -> Iterator[Found]:
    """Largest scores of each feature in random subsets, better and better; number: of the draw, for another seed."""
    p, parameters, work = data.table.shape[1], data.parameters, data.work
    size, n_subsets = _planned(p, parameters)
    if parameters["subset_size"] is not None and parameters["subset_size"] > p:
        notes.say(f"subsets hold all {counted(p, 'feature')}")
    elif parameters["n_subsets"] not in (AUTO, n_subsets):
        notes.say(f"{counted(n_subsets, 'subset')} of {counted(size, 'feature')}, so that every feature is in one")
    rng = np.random.default_rng([data.random_state, number])
    masks = [*deal(p, size, n_subsets, rng)]
    at_once = max(-(-p // size), PER_WORKER * work.slots)  # the first so many hold every feature
    best, each = np.full(p, -np.inf), None
    for begin in range(0, n_subsets, at_once):
        some = masks[begin : begin + at_once]
        end = begin + len(some)
        with work.part(begin / n_subsets, end / n_subsets):
            results = _ranked(data, some)
        for mask, found in zip(some, results, strict=True):
            best[mask] = np.maximum(best[mask], found.scores)
            if found.per_target is not None:
                each = np.full((len(found.per_target), p), -np.inf) if each is None else each
                each[:, mask] = np.maximum(each[:, mask], found.per_target)
            info = notes.about(found.info)
        info |= {"passes": end, "planned": n_subsets, "subset_size": size}
        if end == n_subsets or data.partial:
            yield Found(best.copy(), None if each is None else each.copy(), info, final=end == n_subsets)


def _ranked(data: MethodInput[Any], masks: list[np.ndarray]) -> list[Found]:
    """Results of the core for some subsets: several at once, unless the core prepares something, which may use threads
    in its own way."""
    chosen, work = data.parameters["core"], data.work
    core, inner = method_of(chosen)
    few = replace(data, partial=False)
    if (work.workers == 1 and not work.remote) or len(masks) == 1 or core.preparation(inner):
        return [result(chosen, few.columns(masks[number])) for number in work.split(len(masks))]
    work.plan(len(masks))

    def ranked(mask: np.ndarray) -> Found:
        alone = Work(1, lambda _: work.tick())
        found = result(chosen, replace(few.columns(mask), work=alone))
        work.tick(1)
        return found

    return work.spread(ranked, masks)


def _planned(p: int, parameters: Mapping[str, Any]) -> tuple[int, int]:
    """Size of the subsets of p features, and their number."""
    size = subset_size(p, parameters["subset_size"])
    return size, count(p, size, parameters["n_subsets"], parameters["order"])


def cost_of_subsets(shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
    """Steps of the work of all subsets."""
    size, n_subsets = _planned(shape[1], parameters)
    core, inner = method_of(parameters["core"])
    return n_subsets * core.cost((shape[0], size), inner)


EVAPORATED = 0.05  # share of the features that a pass removes by default
MOST_FEATURES = 10**9

Pass = Callable[[MethodInput[Any], np.ndarray], Found]  # the problem of the features that are left, their mask (p,)


class OpenShare(Parameter):
    """A share that is neither nothing nor all."""

    def _check_share(self, value: object) -> float:
        if isinstance(value, Real) and not isinstance(value, bool) and value in (0, 1):
            raise ValueError(f"{self.name} must be above 0 and below 1, not {shown(value)}")
        return super()._check_share(value)


N_KEEP = Parameter("n_keep", "Keep", INTEGER, 100, low=1, high=MOST_FEATURES,
                   tooltip="Number of features that remain in the end and are ranked once more. Integer, at least "
                           "1")  # fmt: skip
STEP = Parameter("step", "Removed number", INTEGER, low=1, high=MOST_FEATURES, none="by share", more=True,
                 tooltip="Number of features that each pass removes, instead of a share. Integer, at least "
                         "1")  # fmt: skip
OF_REMOVAL = (
    OpenShare("share", "Removed share", SHARE, 0.5,
              tooltip="Share of the remaining features that each pass removes. Between 0 and 1. A smaller share "
                      "takes more passes"),
    STEP,
    N_KEEP,
)  # fmt: skip
OF_SUBSETS = (
    Parameter("n_subsets", "Subsets", INTEGER, AUTO, low=1, high=MOST, choices=(AUTO,),
              tooltip="Number of random subsets of features. Integer, at least 1. auto: enough to contain any "
                      f"interaction of the order below with probability {PROBABILITY:g}"),
    Parameter("subset_size", "Subset size", INTEGER, low=1, high=MOST_FEATURES, none="a tenth",
              tooltip="Number of features in a subset. Integer, at least 1. Default: a tenth of all, at least 10"),
    Parameter("order", "Interactions of", INTEGER, 2, low=1, high=10,
              tooltip="Number of features that interact, which determines the number of subsets: 2 for pairs, 3 for "
                      "triples. From 1 to 10"),
)  # fmt: skip
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


class TuRF(Wrapper):
    """Ranks, removes the lowest features, ranks the remaining ones again, and so on."""

    name, title = "turf", "TuRF"
    about = "removes the worst, again"
    idea = (
        "Ranks by another method, removes the last features, and ranks the rest again, with neighbours found "
        "without the removed noise"
    )
    citation = "Moore and White 2007, Proc. EvoBIO 2007:166-175"
    complexity = "core / share"
    own: tuple[Parameter, ...] = OF_REMOVAL

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        core, inner = method_of(parameters["core"])
        return core.preparation(inner) * self._share(parameters)

    def prepare(self, data: MethodInput[Any]) -> object:
        return prepare(data.parameters["core"], data)

    def run(self, data: MethodInput[Any]) -> Iterator[Found]:
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
        passes = counted(info["passes"], "pass", "passes")
        return [*super().summary(parameters, info), passes, f"{counted(info['left'], 'feature')} left"]

    def _share(self, parameters: Mapping[str, Any]) -> float:
        """Share of the features that a pass removes, or about that."""
        return EVAPORATED if parameters["step"] is not None else cast("float", parameters["share"])

    def _sizes(self, p: int, parameters: Mapping[str, Any]) -> list[int]:
        return sizes(p, parameters["n_keep"], self._share(parameters), parameters["step"])

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        core, inner = method_of(parameters["core"])
        return [core.cost((shape[0], size), inner) for size in self._sizes(shape[1], parameters)]

    def _start(self, data: MethodInput[Any], notes: Notes) -> Pass:
        return lambda few, _: result(data.parameters["core"], few)


class EvaporativeCooling(TuRF):
    """As TuRF, by the scores of the core and main effects together."""

    name, title = "evaporativecooling", "Evaporative Cooling"
    about = "main effects and interactions"
    idea = "Repeatedly removes the features with the lowest sum of another method's score and their main effect"
    citation = "McKinney, Reif, White, Crowe and Moore 2007, Bioinformatics 23:2113-2120"
    complexity = "core in each pass"
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


class OfSubsets(Wrapper):
    """A wrapper whose core ranks subsets of the features."""

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        parameters = super().check(given, known)
        size, order = parameters["subset_size"], parameters["order"]
        if size is not None and size < order and parameters["n_subsets"] == AUTO:
            raise ValueError(f"subsets of {counted(size, 'feature')} hold no interaction of {order}: make them larger")
        return parameters

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        """None: each subset is prepared separately."""
        return 0.0

    def prepare(self, data: MethodInput[Any]) -> None:
        size, n_subsets = _planned(data.table.shape[1], data.parameters)
        if n_subsets > MOST:
            raise ValueError(
                f"{n_subsets:,} subsets of {counted(size, 'feature')} would be needed, and {MOST:,} are possible: make "
                "them larger (subset_size), say how many (n_subsets), or lower the order"
            )


class VLSRelief(OfSubsets):
    """Ranks random subsets of the features separately; a feature scores the best that it reached."""

    name, title = "vlsrelief", "VLSRelief"
    about = "random subsets of features"
    idea = (
        "Ranks many random subsets of the features by another method, and scores a feature by its best subset. Use "
        "it for interactions among very many features"
    )
    citation = "Eppstein and Haake 2008, Proc. IEEE CIBCB 2008:112-119"
    complexity = "S n^2 a"
    own = OF_SUBSETS

    def run(self, data: MethodInput[Any]) -> Iterator[Found]:
        """Results after each deck of subsets, or a few."""
        return best_of_subsets(data, 0, Notes())

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        size = counted(info["subset_size"], "feature")
        return [*super().summary(parameters, info), f"{counted(info['passes'], 'subset')} of {size}"]

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        return [cost_of_subsets(shape, parameters)]


class IVLSRelief(OfSubsets, TuRF):
    """TuRF whose passes are those of VLSRelief."""

    name, title = "ivlsrelief", "iVLSRelief"
    about = "subsets of ever fewer"
    idea = (
        "Ranks by VLSRelief, removes the last features, and continues with subsets of the rest, which contain more "
        "of the relevant features together"
    )
    citation = VLSRelief.citation
    complexity = "S n^2 a in each pass"
    own = (*OF_REMOVAL, *OF_SUBSETS)

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        return [cost_of_subsets((shape[0], size), parameters) for size in self._sizes(shape[1], parameters)]

    def _start(self, data: MethodInput[Any], notes: Notes) -> Pass:
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
