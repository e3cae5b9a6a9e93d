"""The contract of a method: it is asked by a MethodInput, and answers by one Found after another."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

import numpy as np

from ..data.table import DataTable
from ..data.target_reader import Accepts
from ..data.targets import Target
from ..parallel import Work
from ..relief.all_k import AllK
from ..relief.pair_weights import Folding, PairWeights
from ..relief.random_order import DiffMoments, has_short_form
from ..result import Info
from .capabilities import Capabilities
from .parameters import Parameter, checked, count_rows
from .stopping import average_overlap, has_converged, row_levels

ROWS, TREES, PASSES, ITERATIONS = "rows", "trees", "passes", "iterations"  # by what a partial ranking grows
FAMILIES = ("relief", "learned", "trees", "reweighting", "wrapper", "filter")
CONVERGE = "converge"

Prepared = TypeVar("Prepared")


@dataclass(frozen=True)
class MethodInput(Generic[Prepared]):
    """Data, parameters and means of one ranking.

    Parameters
    ----------
    table : DataTable
        n rows, p features.
    target : Target
        Of the n rows.
    parameters : dict
        All parameters of the method, checked.
    random_state : int
        Seed of every choice by chance.
    work : Work
        Threads, progress, and the wish to stop.
    chosen : ndarray of bool, shape (n,), optional
        Target rows; None: as the parameter ``n_instances`` says, or all.
    prepared : object, optional
        Result of `Method.prepare` for the true target.
    partial : bool
        Whether partial results are wanted; without them a method may take a shorter way.
    watch : PairWeights, optional
        Notes the weights of pairs, by methods whose scores are sums over pairs.
    """

    table: DataTable
    target: Target
    parameters: dict[str, Any]
    random_state: int
    work: Work
    chosen: np.ndarray | None = None
    prepared: Prepared | None = None
    partial: bool = False
    watch: PairWeights | None = None

    def take(self, rows: np.ndarray) -> "MethodInput[Prepared]":
        """The same problem on some of the rows: indices in their new order; nothing is prepared."""
        chosen = None if self.chosen is None else self.chosen[rows]
        return replace(self, table=self.table.take(rows), target=self.target.take(rows), chosen=chosen, prepared=None)

    def columns(self, mask: np.ndarray) -> "MethodInput[Prepared]":
        """The same problem on the features of a mask (p,); nothing is prepared."""
        table = self.table if mask.all() else self.table.columns(mask)
        return replace(self, table=table, target=self.target.for_features(int(mask.sum())), prepared=None)

    def sample(self, m: int) -> np.ndarray:
        """Mask (n,) of m target rows, the fewer among the more."""
        n = self.table.shape[0]
        chosen = np.ones(n, bool)
        if m < n:
            chosen[np.random.default_rng(self.random_state).permutation(n)[m:]] = False
        return chosen


@dataclass(frozen=True, eq=False)
class Found:
    """Result of a method so far.

    Parameters
    ----------
    scores : ndarray, shape (p,)
        Higher is better, never NaN.
    per_target : ndarray, shape (t, p), optional
        Scores for each of several targets.
    info : Info
        What was chosen and done, as plain literals.
    order : ndarray of int, shape (p,), optional
        Features in the order in which they were removed, the worst first.
    final : bool
        False: better results follow.
    """

    scores: np.ndarray
    per_target: np.ndarray | None = None
    info: Info = field(default_factory=Info)
    order: np.ndarray | None = None
    final: bool = True


@dataclass(frozen=True, eq=False)
class Scored:
    """Result of a method for one of several targets of the same rows.

    Parameters
    ----------
    found : Found
        The result.
    mean, deviation : ndarray, shape (p,), optional
        Mean and standard deviation of each score if the values of its feature were dealt to the rows at random, 0 for
        constant features; None where they have no closed form.
    """

    found: Found
    mean: np.ndarray | None = None
    deviation: np.ndarray | None = None


class Method(Capabilities, Generic[Prepared]):
    """A method of `rank`.

    Attributes
    ----------
    name, title : str
        For programs, and for people.
    about : str
        A few words for lists.
    idea : str
        One sentence.
    citation : str
        Where it was published.
    tasks : tuple of str
        Kinds of target, of `core.TASKS`.
    family : str
        One of `FAMILIES`; menus and widgets group by it.
    at_home : str
        Reason why its work stays in one process where there is a cluster; "": it does not.
    refines : str or None
        What a partial ranking grows by: "rows", "trees", "passes", "iterations"; None: there is one ranking only.
    """

    name: str
    title: str
    about: str
    idea: str
    citation: str
    tasks: tuple[str, ...]
    family: str
    refines: str | None = None
    at_home: str = ""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        return ()

    def defaults(self, task: str) -> dict[str, Any]:
        """Defaults that are others for a task."""
        return {}

    def check(self, given: Mapping[str, Any], known: np.ndarray | None = None) -> dict[str, Any]:
        """All parameters, those given checked.

        Parameters
        ----------
        given : mapping
            Some of the parameters, by name.
        known : ndarray of bool, shape (rows,), optional
            Which of the caller's rows are used.

        Raises
        ------
        ValueError, TypeError
            For what is unknown, or not possible.
        """
        return checked(self.name, self.parameters, given)

    def accepts(self, given: Mapping[str, Any]) -> Accepts:
        """Targets that it takes with some of its parameters given; raises what `check` raises."""
        return Accepts(self.tasks, self.title, self.uses_unlabelled(self.check(given)))

    def for_task(self, given: Mapping[str, Any], task: str) -> dict[str, Any]:
        """`given`, and what else the task needs."""
        return dict(given)

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        """True if rows without a known target are rows all the same."""
        return False

    def takes_packed(self, parameters: Mapping[str, Any]) -> bool:
        """True if packed genotypes stay packed."""
        return self.packed

    def adds_up(self, data: MethodInput[Prepared]) -> bool:
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
        """Better and better results; the last one is the answer.  Raises ValueError for what cannot be ranked."""
        raise NotImplementedError

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[Scored]:
        """The last result of `run` for one target of the same rows after another, prepared for the true one."""
        for target in targets:
            *_, found = self.run(replace(data, target=target))
            yield Scored(found)

    def grid(
        self, data: MethodInput[Prepared], counts: Sequence[int], chosen: Sequence[np.ndarray]
    ) -> list[np.ndarray]:
        """Scores (p,) for all numbers of neighbours and all target rows, masks (n,), from one search."""
        raise ValueError(f"{self.title} has no grid: use rank for each setting")

    def all_k(self, data: MethodInput[Prepared], most: int) -> AllK:
        """Scores for every number of neighbours up to `most`, from one search."""
        raise ValueError(f"{self.title} has no scores for all numbers of neighbours at once: use rank for each of them")

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """Choices in a few words."""
        return []


class RowMethod(Method[Prepared]):
    """A method whose scores come from target rows, one by one: fewer rows give a partial ranking."""

    refines = ROWS

    def scores(self, data: MethodInput[Prepared]) -> Found:
        """The result of the rows in ``data.chosen``."""
        raise NotImplementedError

    def run(self, data: MethodInput[Prepared]) -> Iterator[Found]:
        """Results from more and more target rows: as many as are asked for, or until the top of the list has
        converged."""
        if data.chosen is not None:
            yield self.scores(data)
            return
        curve: list[tuple[int, float]]
        before: np.ndarray | None
        n, wanted, curve, before = data.table.shape[0], data.parameters.get("n_instances"), [], None
        converge = wanted == CONVERGE
        levels = row_levels(data.table.shape, None if converge else count_rows(wanted, n), data.partial)
        cost = np.array([m * (n - m / 2) for m in levels])
        ends = np.cumsum(cost) / cost.sum()
        for m, begin, end in zip(levels, ends - cost / cost.sum(), ends, strict=True):
            with data.work.part(float(begin), float(end)):
                found = self.scores(replace(data, chosen=data.sample(m)))
            ranking = np.argsort(-found.scores, kind="stable")
            if before is not None:
                curve.append((m, average_overlap(before, ranking)))
            before = ranking
            final = m == levels[-1] or (converge and has_converged(curve))
            found.info["instances"] = m
            if converge:
                found.info["convergence"] = [list(point) for point in curve]
            yield replace(found, final=final)
            if final:
                return

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[Scored]:
        """The result of the chosen rows for one target after another, with the spread of its scores where they are sums
        over pairs."""
        chosen = self.chosen(data)
        spread = Spread()
        for target in targets:
            asked = replace(data, target=target, chosen=chosen, watch=spread.watch())
            yield spread.scored(self.scores(asked), asked)

    def chosen(self, data: MethodInput[Prepared]) -> np.ndarray:
        """Mask (n,) of the target rows; raises ValueError where convergence is to decide."""
        wanted = data.parameters.get("n_instances")
        if data.chosen is None and wanted == CONVERGE:
            raise ValueError("several targets need the same rows: n_instances must be a number")
        return data.sample(count_rows(wanted, data.table.shape[0])) if data.chosen is None else data.chosen


class Spread:
    """Spread of the scores of several targets over random orders of the values; the moments of the diffs, which do not
    know the target, are computed once."""

    def __init__(self) -> None:
        self._moments: DiffMoments | None = None
        self._folding = Folding()

    def watch(self) -> PairWeights:
        """A watch for the next target."""
        return PairWeights(self._folding)

    def scored(self, found: Found, data: MethodInput[Any]) -> Scored:
        """A result with its spread, by what the watch of its input noted."""
        found.info["instances"] = int(np.count_nonzero(cast("np.ndarray", data.chosen)))
        features = data.watch.features if data.watch else None
        if data.watch is None or features is None or features.shape[0] < 4 or not has_short_form(features.diff):
            return Scored(found)
        if self._moments is None:
            self._moments = DiffMoments.of(features)
        mean, deviation = map(features.unsort, self._moments.spread(data.watch.sums[0]))
        deviation[features.constant] = 0
        return Scored(found, mean, deviation)
