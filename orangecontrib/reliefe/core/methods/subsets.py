"""Random subsets of features: how many are needed, how large they are, how they are dealt, and what they tell."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..parallel import Work
from ..words import counted
from .base import Found, MethodInput
from .nested import method_of, result
from .wrapper import Notes

AUTO = "auto"
SHARE, FEWEST = 10, 10  # a subset is one in so many features, at least so many, where nothing else is said
PROBABILITY = 0.95  # that an interaction is in at least one subset as a whole
MOST = 10**6
PER_WORKER = 4  # subsets that each thread ranks before there is a partial result


def subset_size(p: int, wanted: int | None) -> int:
    """Features in a subset of p: as many as wanted, or a tenth, at least `FEWEST`."""
    return min(max(math.ceil(p / SHARE), FEWEST) if wanted is None else wanted, p)


def subsets_needed(p: int, size: int, order: int, probability: float = PROBABILITY) -> int:
    """Subsets of a size, at least `order`, of p features that together hold `order` features as a whole, with this
    probability."""
    if size >= p:
        return 1
    hit = math.prod((size - t) / (p - t) for t in range(order))
    return math.ceil(math.log1p(-probability) / math.log1p(-hit))


def count(p: int, size: int, wanted: int | str, order: int) -> int:
    """Subsets to deal: as many as wanted, or as are needed; always enough for every feature to be drawn."""
    if size >= p:
        return 1
    return max(subsets_needed(p, size, order) if isinstance(wanted, str) else wanted, math.ceil(p / size))


def deal(p: int, size: int, n_subsets: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Masks (p,) of subsets, dealt from a shuffled deck of all features; where the deck ends within a subset, that is
    filled with what was dealt first, and the deck shuffled anew."""
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


def fitting(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters; ValueError where no subset can hold an interaction."""
    size, order = parameters["subset_size"], parameters["order"]
    if size is not None and size < order and parameters["n_subsets"] == AUTO:
        raise ValueError(f"subsets of {counted(size, 'feature')} hold no interaction of {order}: make them larger")
    return parameters


def check_number(data: MethodInput[Any]) -> None:
    """Raise ValueError where too many subsets are needed."""
    size, n_subsets = _planned(data.table.shape[1], data.parameters)
    if n_subsets > MOST:
        raise ValueError(
            f"{n_subsets:,} subsets of {counted(size, 'feature')} would be needed, and {MOST:,} are possible: make "
            "them larger (subset_size), say how many (n_subsets), or lower the order"
        )
