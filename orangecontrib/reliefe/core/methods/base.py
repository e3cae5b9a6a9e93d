"""The contract of methods: what `rank` gives them, what they declare, and what they answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from ..data.table import DataTable
from ..points.points import UNSCALED
from ..relief.every_k import EveryK
from ..relief.outputs import Output
from ..result import Detail, Info
from ..targets.accepts import Accepts
from ..targets.targets import Target
from ..work.threads import Work
from .parameters import Parameter, checked
from .traits import Traits

ROWS, TREES, PASSES, ITERATIONS = "rows", "trees", "passes", "iterations"  # by what a partial ranking grows
FAMILIES = ("relief", "learned", "trees", "reweighting", "wrapper", "filter")
CONVERGE = "converge"

Prepared = TypeVar("Prepared")


@dataclass(frozen=True)
class MethodInput(Generic[Prepared]):
    """Data, parameters and means of one ranking."""

    table: DataTable  # n rows, p features
    target: Target  # of the n rows
    parameters: dict[str, Any]  # all parameters of the method, checked
    random_state: int  # seed of every choice by chance
    work: Work  # threads, progress, and the wish to stop
    chosen: np.ndarray | None = None  # (n,) bool: target rows; None: by the parameter ``n_instances``, or all
    prepared: Prepared | None = None  # result of `Method.prepare` for the true target
    partial: bool = False  # whether partial results are wanted; without them a method may take a shorter way
    outputs: Sequence[Output] = ()  # more sums over pairs, of methods whose scores are sums over pairs
    groups: np.ndarray | None = None  # (n,): codes of groups; rows of one group are no neighbours of each other
    weights: np.ndarray | None = None  # (n,): how many rows each of them counts for, above 0; None: one
    keep: np.ndarray | None = None  # indices of the features that are always selected, sorted; None: there are none

    def take(self, rows: np.ndarray) -> "MethodInput[Prepared]":
        """The same problem on some of the rows: indices in their new order; nothing is prepared."""
        chosen = None if self.chosen is None else self.chosen[rows]
        groups = None if self.groups is None else self.groups[rows]
        weights = None if self.weights is None else self.weights[rows]
        taken = self.table.take(rows), self.target.take(rows)
        return replace(
            self, table=taken[0], target=taken[1], chosen=chosen, prepared=None, groups=groups, weights=weights
        )

    def columns(self, mask: np.ndarray) -> "MethodInput[Prepared]":
        """The same problem on the features of a mask (p,); nothing is prepared."""
        table = self.table if mask.all() else self.table.columns(mask)
        keep = None if self.keep is None else (np.cumsum(mask) - 1)[self.keep[mask[self.keep]]]
        target = self.target.for_features(int(mask.sum()))
        return replace(self, table=table, target=target, prepared=None, keep=keep)

    def sample(self, m: int) -> np.ndarray:
        """Mask (n,) of m target rows, the fewer among the more."""
        n = self.table.shape[0]
        chosen = np.ones(n, bool)
        if m < n:
            chosen[self.order[m:]] = False
        return chosen

    @property
    def target_rows(self) -> np.ndarray:
        """Mask (n,) of the target rows, once these are chosen."""
        if self.chosen is None:
            raise ValueError("no target rows are chosen")
        return self.chosen

    @property
    def preparation(self) -> Prepared:
        """Result of `Method.prepare` for the true target, once this is done."""
        if self.prepared is None:
            raise ValueError("nothing is prepared")
        return self.prepared

    @property
    def order(self) -> np.ndarray:
        """Rows (n,) in the order in which they become target rows."""
        return np.random.default_rng(self.random_state).permutation(self.table.shape[0])


@dataclass(frozen=True, eq=False)
class Found:
    """Result of a method so far."""

    scores: np.ndarray  # (p,): higher is better, never NaN
    per_target: np.ndarray | None = None  # (t, p): scores for each of several targets
    info: Info = field(default_factory=dict)  # choices and facts, as plain literals
    order: np.ndarray | None = None  # (p,): features in the order in which they were removed, the worst first
    final: bool = True  # False: better results follow
    quantities: Sequence[Any] = ()  # one for each of the outputs; empty if scores are not sums over pairs


@dataclass(frozen=True, eq=False)
class Scored:
    """Result of a method for one of several targets of the same rows.

    Its mean and standard deviation (p,) are those of each score if the values of the feature were randomly permuted; 0
    for constant features, None without a closed form.
    """

    found: Found
    mean: np.ndarray | None = None
    deviation: np.ndarray | None = None


class Method(Generic[Prepared]):
    """A method of `rank`.

    A subclass states what is annotated here, and its traits. `register` refuses a method that leaves anything out.
    """

    name: str  # for programs
    title: str  # for people
    about: str  # a few words for lists
    idea: str  # one sentence
    citation: str
    tasks: tuple[str, ...]  # kinds of target, of `core.TASKS` or "survival"
    family: str  # one of `FAMILIES`; menus and widgets group by it

    @property
    def weighted_tasks(self) -> tuple[str, ...]:
        """Kinds of target, of `tasks`, for which rows may have weights."""
        return ()

    @property
    def traits(self) -> Traits:
        """Traits of this method, which it states itself."""
        raise NotImplementedError

    @property
    def details(self) -> tuple[Detail, ...]:
        """Entries of `Ranking.info` that it has besides `COMMON`."""
        return ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        return ()

    def defaults(self, task: str) -> dict[str, Any]:
        """Defaults that differ for a task."""
        return {}

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        """All parameters, those given checked; known: (rows,) bool, which of the caller's rows are used."""
        return checked(self.name, self.parameters, given)

    def accepts(self, given: Mapping[str, Any]) -> Accepts:
        """Targets that it takes with some of its parameters given; raises what `check` raises."""
        return Accepts(self.tasks, self.title, self.uses_unlabelled(self.check(given)))

    def for_task(self, given: Mapping[str, Any], task: str) -> dict[str, Any]:
        """`given`, and further parameters that the task needs."""
        return dict(given)

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        """True if rows without a known target are rows all the same."""
        return False

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        """True if packed genotypes stay packed."""
        return self.traits.packed

    def takes_lifted(self, parameters: Mapping[str, Any]) -> bool:
        """True if features of tiny values may be given in other units, which the scores do not depend on."""
        return parameters.get("scaling") != UNSCALED

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        """True if scores are made of sums over target rows, which `sums` and `from_sums` know."""
        return False

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        """Share of the work that `prepare` is, in [0, 1)."""
        return 0.0

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        """Elementary steps of the work for data of shape (n, p), as comparisons of two values are."""
        n, p = shape
        return float(n) * n * p

    def prepare(self, data: MethodInput[Prepared]) -> Prepared | None:
        """Choices by the true target, and all that is made of the rows alone: kept when the target is shuffled."""
        return None

    def run(self, data: MethodInput[Prepared]) -> Iterator[Found]:
        """Better and better results; the last one is the answer. Raises ValueError for data that cannot be ranked."""
        raise NotImplementedError

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[Scored]:
        """The last result of `run` for one target of the same rows after another, prepared for the true one."""
        for target in targets:
            *_, found = self.run(replace(data, target=target))
            yield Scored(found)

    def has_every_k(self, parameters: Mapping[str, Any]) -> bool:
        """True if scores for all numbers of neighbours come at once, unless the data stand against it."""
        return False

    def every_k(self, data: MethodInput[Prepared], most: int) -> EveryK:
        """Scores for every number of neighbours up to `most`, from one search."""
        raise ValueError(f"{self.title} has no scores for all numbers of neighbours at once: use rank for each of them")

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in a few words."""
        return [f"k = {parameters['n_neighbors']}"] if "n_neighbors" in parameters else []
