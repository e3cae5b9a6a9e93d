"""Wrappers that rank random subsets of the features, and give each feature its best score: VLSRelief and iVLSRelief.

`wrappers` lists them for the registry. Subsets are as many as needed so that any interaction is most probably within
one of them.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..info import Info, InfoEntry
from ..words import counted
from ..work.threads import Work
from .base import MethodInput, MethodResult
from .parameters import INTEGER, Parameter
from .turf import MAX_FEATURES, OF_REMOVAL, RankPass, TuRF
from .wrapper import DETAILS, NotesOfCore, Wrapper, method_of, result, traits_by_core

AUTO = "auto"
# Defaults of the size of a subset, chosen by eye
ONE_IN = 10  # of the features
MIN_SIZE = 10
PROBABILITY = 0.95  # that an interaction is within at least one subset; chosen by eye
MAX_SUBSETS = 10**6
PER_WORKER = 4  # subsets that each thread ranks before there is a partial result; chosen by eye


class Plan(NamedTuple):
    """Subsets to rank.

    Attributes
    ----------
    size : int
        Number of features in a subset.
    n_subsets : int
        Number of subsets.
    """

    size: int
    n_subsets: int


def subset_size(p: int, requested: int | None) -> int:
    """Number of features in a subset of p: the requested one, or a tenth, at least `MIN_SIZE`."""
    size = max(math.ceil(p / ONE_IN), MIN_SIZE) if requested is None else requested
    return min(size, p)


def subsets_needed(p: int, size: int, order: int) -> int:
    """Number of subsets so that one of them has `order` given features with the probability `PROBABILITY`.

    A subset of `size` of p features has them with the probability h = prod_t (size - t) / (p - t), t = 0 .. order - 1,
    and log(1 - PROBABILITY) / log(1 - h) subsets are needed.

    Parameters
    ----------
    p : int
        Number of features.
    size : int
        Number of features in a subset, at least `order`.
    order : int
        Number of features that interact.
    """
    if size >= p:
        return 1
    h = math.prod((size - t) / (p - t) for t in range(order))
    return math.ceil(math.log1p(-PROBABILITY) / math.log1p(-h))


def count(p: int, size: int, requested: int | str, order: int) -> int:
    """Number of subsets: the requested one, or as many as needed ("auto"), enough for all features to be drawn."""
    if size >= p:
        return 1
    n_subsets = subsets_needed(p, size, order) if isinstance(requested, str) else requested
    return max(n_subsets, math.ceil(p / size))


def deal(p: int, size: int, n_subsets: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield masks (p,) of subsets, dealt from a permuted deck of all features.

    If the deck ends within a subset, its first features complete the subset. Then the deck is permuted again.
    """
    subsets_per_deck = math.ceil(p / size)
    for number in range(n_subsets):
        if number % subsets_per_deck == 0:
            deck = rng.permutation(p)
            deck = np.concatenate([deck, deck[: subsets_per_deck * size - p]])
        first = number % subsets_per_deck * size
        mask = np.zeros(p, bool)
        mask[deck[first : first + size]] = True
        yield mask


def best_of_subsets(data: MethodInput[Any], number: int, notes: NotesOfCore) -> Iterator[MethodResult]:
    """Yield the largest scores of each feature in the random subsets so far.

    Parameters
    ----------
    data : MethodInput
        Input with p features.
    number : int
        Number of the draw, with the random state the seed of the subsets.
    notes : NotesOfCore
        Sentences for users, to which those of the core are added.
    """
    p = data.table.shape[1]
    parameters = data.parameters
    work = data.work
    size, n_subsets = _plan(p, parameters)
    if parameters["subset_size"] is not None and parameters["subset_size"] > p:
        notes.say(f"subsets hold all {counted(p, 'feature')}")
    elif parameters["n_subsets"] not in (AUTO, n_subsets):
        notes.say(f"{counted(n_subsets, 'subset')} of {counted(size, 'feature')}, so that every feature is in one")
    rng = np.random.default_rng([data.random_state, number])
    masks = [*deal(p, size, n_subsets, rng)]
    # The first partial result has scores of all features.
    at_once = max(math.ceil(p / size), PER_WORKER * work.slots)
    best = np.full(p, -np.inf)
    best_per_target = None
    for begin in range(0, n_subsets, at_once):
        block = masks[begin : begin + at_once]
        end = begin + len(block)
        with work.part(begin / n_subsets, end / n_subsets):
            results = _ranked(data, block)
        for mask, ranked in zip(block, results, strict=True):
            best[mask] = np.maximum(best[mask], ranked.scores)
            if ranked.per_target is not None:
                if best_per_target is None:
                    best_per_target = np.full((len(ranked.per_target), p), -np.inf)
                best_per_target[:, mask] = np.maximum(best_per_target[:, mask], ranked.per_target)
            info = notes.about(ranked.info)
        info |= {"passes": end, "planned": n_subsets, "subset_size": size}
        final = end == n_subsets
        if final or data.partial:
            per_target = None if best_per_target is None else best_per_target.copy()
            yield MethodResult(best.copy(), per_target, info, final=final)


def _ranked(data: MethodInput[Any], masks: list[np.ndarray]) -> list[MethodResult]:
    """Results of the core for subsets, one for each mask (p,).

    Subsets are ranked in parallel, by one thread each, unless the core prepares something: that may use all threads.
    """
    chosen = data.parameters["core"]
    work = data.work
    core, core_parameters = method_of(chosen)
    data = replace(data, partial=False)
    is_serial = work.workers == 1 and not work.remote
    if is_serial or len(masks) == 1 or core.preparation(core_parameters):
        return [result(chosen, data.columns(masks[number])) for number in work.split(len(masks))]
    work.plan(len(masks))

    def ranked(mask: np.ndarray) -> MethodResult:
        one_thread = Work(1, lambda _: work.tick())
        result_of_subset = result(chosen, replace(data.columns(mask), work=one_thread))
        work.tick(1)
        return result_of_subset

    return work.spread(ranked, masks)


def _plan(p: int, parameters: Mapping[str, Any]) -> Plan:
    """Size and number of the subsets of p features."""
    size = subset_size(p, parameters["subset_size"])
    return Plan(size, count(p, size, parameters["n_subsets"], parameters["order"]))


def cost_of_subsets(shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
    """Cost of ranking all subsets, in comparisons of two values."""
    size, n_subsets = _plan(shape[1], parameters)
    core, core_parameters = method_of(parameters["core"])
    return n_subsets * core.cost((shape[0], size), core_parameters)


OF_SUBSETS = (
    Parameter("n_subsets", "Subsets", INTEGER, AUTO, low=1, high=MAX_SUBSETS, choices=(AUTO,),
              tooltip="Number of random subsets of features. Integer, at least 1. auto: enough to contain any "
                      f"interaction of the order below with probability {PROBABILITY:g}"),
    Parameter("subset_size", "Subset size", INTEGER, low=1, high=MAX_FEATURES, none="a tenth",
              tooltip="Number of features in a subset. Integer, at least 1. Default: a tenth of all, at least 10"),
    Parameter("order", "Interactions of", INTEGER, 2, low=1, high=10,
              tooltip="Number of features that interact, which determines the number of subsets: 2 for pairs, 3 for "
                      "triples. From 1 to 10"),
)  # fmt: skip


class OfSubsets(Wrapper):
    """A wrapper whose core ranks subsets of the features."""

    def check(self, options: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        parameters = super().check(options, known)
        size = parameters["subset_size"]
        order = parameters["order"]
        if size is not None and size < order and parameters["n_subsets"] == AUTO:
            raise ValueError(f"subsets of {counted(size, 'feature')} hold no interaction of {order}: make them larger")
        return parameters

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        """0, as each subset is prepared separately."""
        return 0.0

    def prepare(self, data: MethodInput[Any]) -> None:
        size, n_subsets = _plan(data.table.shape[1], data.parameters)
        if n_subsets > MAX_SUBSETS:
            raise ValueError(
                f"{n_subsets:,} subsets of {counted(size, 'feature')} would be needed, and {MAX_SUBSETS:,} are "
                "possible: make them larger (subset_size), say how many (n_subsets), or lower the order"
            )


class VLSRelief(OfSubsets):
    """Ranks random subsets of the features; a feature has the best of its scores."""

    name = "vlsrelief"
    title = "VLSRelief"
    about = "random subsets of features"
    idea = (
        "Ranks many random subsets of the features by another method, and scores a feature by its best subset. Use "
        "it for interactions among very many features"
    )
    citation = "Eppstein and Haake 2008, Proc. IEEE CIBCB 2008:112-119"
    traits = traits_by_core("S n^2 a")
    details = (*DETAILS, InfoEntry("subset_size", int, "number of features in a subset"))
    own_parameters = OF_SUBSETS

    def run(self, data: MethodInput[Any]) -> Iterator[MethodResult]:
        """Yield a result after each deck of subsets, or a few of them."""
        return best_of_subsets(data, 0, NotesOfCore())

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        size = counted(info["subset_size"], "feature")
        return [*super().summary(parameters, info), f"{counted(info['passes'], 'subset')} of {size}"]

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        return [cost_of_subsets(shape, parameters)]


class IVLSRelief(OfSubsets, TuRF):
    """TuRF whose passes are those of VLSRelief."""

    name = "ivlsrelief"
    title = "iVLSRelief"
    about = "subsets of ever fewer"
    idea = (
        "Ranks by VLSRelief, removes the last features, and continues with subsets of the rest, which contain more "
        "of the relevant features together"
    )
    citation = VLSRelief.citation
    traits = traits_by_core("S n^2 a in each pass")
    own_parameters = (*OF_REMOVAL, *OF_SUBSETS)

    def _costs(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> list[float]:
        return [cost_of_subsets((shape[0], size), parameters) for size in self._sizes(shape[1], parameters)]

    def _start(self, data: MethodInput[Any], notes: NotesOfCore) -> RankPass:
        numbers = itertools.count()  # of the passes

        def rank_pass(data_of_pass: MethodInput[Any], is_left: np.ndarray) -> MethodResult:
            *_, best = best_of_subsets(data_of_pass, next(numbers), notes)
            return best

        return rank_pass
