"""Contract of methods: their input, what they declare, and their results.

`core.request` finds the `Method` of a call in the registry, and runs it with a `MethodInput`: `check` for the
parameters, `prepare` once for the true target, and `run` for scores. P-values call `for_targets` with permuted targets.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from ..data.table import DataTable
from ..info import Info, InfoEntry
from ..points.points import UNSCALED
from ..relief.every_k import EveryK
from ..relief.outputs import Output
from ..targets.accepts import Accepts
from ..targets.targets import Target
from ..work.threads import Work
from .parameters import Parameter, checked
from .traits import Traits

# Units by which partial rankings grow
ROWS = "rows"
TREES = "trees"
PASSES = "passes"
ITERATIONS = "iterations"
FAMILIES = ("relief", "learned", "trees", "reweighting", "wrapper", "filter")
CONVERGE = "converge"

Prepared = TypeVar("Prepared")


@dataclass(frozen=True)
class MethodInput(Generic[Prepared]):
    """Input of a method.

    Attributes
    ----------
    table : DataTable
        Table of n rows and p features.
    target : Target
        Target of the n rows.
    parameters : dict
        All parameters of the method, checked.
    random_state : int
        Seed of all random numbers.
    work : Work
        Threads, progress and interruption.
    chosen : (n,) bool array, optional
        Target rows. None: as many as the parameter `n_instances` says, or all.
    prepared : object, optional
        Result of `Method.prepare` for the true target.
    partial : bool
        Whether partial results are used. Without them a method may take a faster way.
    outputs : sequence of Output
        Further sums over pairs, for methods whose scores are sums over pairs.
    groups : (n,) int array, optional
        Codes of groups. Rows of one group are no neighbours of each other.
    weights : (n,) float64 array, optional
        Weights of the rows, above 0. None: all are 1.
    keep : int array, optional
        Sorted indices of the features that are always selected. None: there are none.
    feature_weights : (p,) float64 array, optional
        Weights of the features in the distance, above 0, for recipes of the Relief family. None: all are 1.
    """

    table: DataTable
    target: Target
    parameters: dict[str, Any]
    random_state: int
    work: Work
    chosen: np.ndarray | None = None
    prepared: Prepared | None = None
    partial: bool = False
    outputs: Sequence[Output] = ()
    groups: np.ndarray | None = None
    weights: np.ndarray | None = None
    keep: np.ndarray | None = None
    feature_weights: np.ndarray | None = None

    def take(self, rows: np.ndarray) -> "MethodInput[Prepared]":
        """Input for the rows with some indices, in their order, without a preparation."""
        return replace(
            self,
            table=self.table.take(rows),
            target=self.target.take(rows),
            chosen=None if self.chosen is None else self.chosen[rows],
            groups=None if self.groups is None else self.groups[rows],
            weights=None if self.weights is None else self.weights[rows],
            prepared=None,
        )

    def columns(self, mask: np.ndarray) -> "MethodInput[Prepared]":
        """Input for the features of a mask (p,), without a preparation."""
        table = self.table if mask.all() else self.table.columns(mask)
        keep = None
        if self.keep is not None:
            new_index = np.cumsum(mask) - 1
            keep = new_index[self.keep[mask[self.keep]]]
        target = self.target.for_features(int(mask.sum()))
        weights = None if self.feature_weights is None else self.feature_weights[mask]
        return replace(self, table=table, target=target, prepared=None, keep=keep, feature_weights=weights)

    def sample(self, m: int) -> np.ndarray:
        """Mask (n,) of m target rows; those of a smaller m are among them."""
        n = self.table.shape[0]
        chosen = np.ones(n, bool)
        if m < n:
            chosen[self.order[m:]] = False
        return chosen

    @property
    def target_rows(self) -> np.ndarray:
        """Mask (n,) of the target rows; raises ValueError if none are chosen yet."""
        if self.chosen is None:
            raise ValueError("no target rows are chosen")
        return self.chosen

    @property
    def preparation(self) -> Prepared:
        """Result of `Method.prepare` for the true target; raises ValueError if there is none."""
        if self.prepared is None:
            raise ValueError("nothing is prepared")
        return self.prepared

    @property
    def order(self) -> np.ndarray:
        """Indices (n,) of the rows in the order in which they become target rows."""
        return np.random.default_rng(self.random_state).permutation(self.table.shape[0])


@dataclass(frozen=True, eq=False)
class MethodResult:
    """Result of a method, which may be partial.

    Attributes
    ----------
    scores : (p,) float64 array
        Scores of the features; higher is better, never NaN.
    per_target : (t, p) float64 array, optional
        Scores for each of several targets.
    info : dict
        Choices and facts, as plain literals.
    order : (p,) int array, optional
        Indices of the features in the order in which they were removed, the worst first.
    final : bool
        Whether no better results follow.
    quantities : sequence
        Results of `MethodInput.outputs`; empty if scores are not sums over pairs.
    """

    scores: np.ndarray
    per_target: np.ndarray | None = None
    info: Info = field(default_factory=dict)
    order: np.ndarray | None = None
    final: bool = True
    quantities: Sequence[Any] = ()


@dataclass(frozen=True, eq=False)
class TargetResult:
    """Result of a method for one of several targets of the same rows.

    Attributes
    ----------
    result : MethodResult
        Scores and facts.
    mean, deviation : (p,) float64 arrays, optional
        Mean and standard deviation of each score if the values of its feature were randomly permuted, 0 for constant
        features. None without a closed form.
    """

    result: MethodResult
    mean: np.ndarray | None = None
    deviation: np.ndarray | None = None


class Method(Generic[Prepared]):
    """A method of `rank`.

    A subclass states these attributes, and its traits. `register` refuses a method that leaves any of them out.

    Attributes
    ----------
    name : str
        Name for programs.
    title : str
        Name for people.
    about : str
        A few words, for lists.
    idea : str
        One sentence.
    citation : str
        Paper.
    tasks : tuple of str
        Kinds of target, of `core.TASKS` or "survival".
    family : str
        One of `FAMILIES`, by which menus and widgets group methods.
    """

    name: str
    title: str
    about: str
    idea: str
    citation: str
    tasks: tuple[str, ...]
    family: str

    @property
    def weighted_tasks(self) -> tuple[str, ...]:
        """Kinds of target, of `tasks`, for which rows may have weights."""
        return ()

    @property
    def traits(self) -> Traits:
        """Traits of this method, which it states itself."""
        raise NotImplementedError

    @property
    def details(self) -> tuple[InfoEntry, ...]:
        """Entries of `Ranking.info` that it has besides `COMMON`."""
        return ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        return ()

    def defaults(self, task: str) -> dict[str, Any]:
        """Defaults that differ for a task."""
        return {}

    def check(self, options: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        """Check parameters.

        Parameters
        ----------
        options : mapping
            Parameters of the caller.
        known : (rows,) bool array, optional
            Which of the caller's rows are used. None: unknown yet.

        Returns
        -------
        dict
            All parameters, with defaults for the others.

        Raises
        ------
        ValueError
            If a parameter does not exist, or its value is not possible.
        TypeError
            If a value has the wrong type.
        """
        return checked(self.name, self.parameters, options)

    def accepts(self, options: Mapping[str, Any]) -> Accepts:
        """Targets that it takes with the parameters of a caller; raises what `check` raises."""
        return Accepts(self.tasks, self.title, self.uses_unlabelled(self.check(options)))

    def for_task(self, options: Mapping[str, Any], task: str) -> dict[str, Any]:
        """Return the parameters of a caller, with others that the task needs."""
        return dict(options)

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        """True if rows without a known target are used."""
        return False

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        """True if genotypes may stay packed."""
        return self.traits.packed

    def takes_lifted(self, parameters: Mapping[str, Any]) -> bool:
        """True if features of tiny values may be rescaled, since scores do not depend on units."""
        return parameters.get("scaling") != UNSCALED

    def adds_up(self, parameters: Mapping[str, Any], target: Target | None = None) -> bool:
        """True if scores follow from sums over target rows, which the method returns as `sums`."""
        return False

    def preparation(self, parameters: Mapping[str, Any]) -> float:
        """Share of the work that `prepare` is, in [0, 1)."""
        return 0.0

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        """Cost of ranking data of shape (n, p), in comparisons of two values."""
        n, p = shape
        return float(n) * n * p

    def prepare(self, data: MethodInput[Prepared]) -> Prepared | None:
        """Choose what depends on the true target, and compute what depends on the rows only.

        Permuted targets share the result.
        """
        return None

    def run(self, data: MethodInput[Prepared]) -> Iterator[MethodResult]:
        """Yield results, each better than the one before; the last one is final.

        Raises
        ------
        ValueError
            If the data cannot be ranked.
        """
        raise NotImplementedError

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[TargetResult]:
        """Yield the final result for each of several targets of the same rows, prepared for the true one."""
        for target in targets:
            *_, result = self.run(replace(data, target=target))
            yield TargetResult(result)

    def has_every_k(self, parameters: Mapping[str, Any]) -> bool:
        """True if one search gives scores for all numbers of neighbours, for most data."""
        return False

    def every_k(self, data: MethodInput[Prepared], max_k: int) -> EveryK:
        """Scores for all numbers of neighbours up to `max_k`, from one search."""
        raise ValueError(f"{self.title} has no scores for all numbers of neighbours at once: use rank for each of them")

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in a few words."""
        return [neighbours_text(parameters["n_neighbors"], info)] if "n_neighbors" in parameters else []


def neighbours_text(k: int, info: Info) -> str:
    """Write a number of neighbours, or of those that there are: "k = 7 instead of 10 (all rows of a class)"."""
    max_k = info.get("k_most", info["rows"] - 1)
    if k <= max_k:
        return f"k = {k}"
    return f"k = {max_k} instead of {k:,} (all rows{' of a class' if max_k < info['rows'] - 1 else ''})"
