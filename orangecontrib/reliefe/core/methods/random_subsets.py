"""Rankings of random subsets of the features, of which each feature gets its best score."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..result import Detail, Info
from ..words import counted
from ..work.threads import Work
from .base import Found, MethodInput
from .elimination import MOST_FEATURES, OF_REMOVAL, Pass, TuRF
from .parameters import INTEGER, Parameter
from .wrapper import DETAILS, Notes, Wrapper, method_of, result, traits_by_core

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
    p = data.table.shape[1]
    parameters = data.parameters
    work = data.work
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
    traits = traits_by_core("S n^2 a")
    details = (*DETAILS, Detail("subset_size", int, "number of features in a subset"))
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
    traits = traits_by_core("S n^2 a in each pass")
    own = (*OF_REMOVAL, *OF_SUBSETS)

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        return [cost_of_subsets((shape[0], size), parameters) for size in self._sizes(shape[1], parameters)]

    def _start(self, data: MethodInput[Any], notes: Notes) -> Pass:
        numbers = iter(range(len(self._sizes(data.table.shape[1], data.parameters))))

        def rank_pass(few: MethodInput[Any], left: np.ndarray) -> Found:
            *_, found = best_of_subsets(few, next(numbers), notes)
            return found

        return rank_pass
