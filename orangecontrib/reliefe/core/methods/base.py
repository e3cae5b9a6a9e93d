"""Capabilities of methods, in the words of tables: read from what each method declares, and from its parameters."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar, cast

import numpy as np

from ..data.table import DataTable
from ..outputs.scores import Output
from ..outputs.spread import DiffMoments, PairWeights, WeightSums, has_short_form
from ..points.points import UNSCALED
from ..relief.every_k import EveryK
from ..result import Info
from ..targets.reader import Accepts
from ..targets.targets import (
    CLASSIFICATION,
    HIERARCHICAL,
    MULTILABEL,
    MULTITARGET,
    REGRESSION,
    SURVIVAL,
    UNSUPERVISED,
    Target,
)
from ..work.threads import Work
from .parameters import METHOD, Parameter, checked, count_rows

LETTERS = {
    CLASSIFICATION: "C",
    REGRESSION: "R",
    MULTITARGET: "T",
    MULTILABEL: "L",
    HIERARCHICAL: "H",
    SURVIVAL: "S",
    UNSUPERVISED: "U",
}
COLUMNS = (
    "method", "family", "targets", "nominal", "missing", "diff", "distance", "sparse", "interactions", "redundancy",
    "time",
)  # fmt: skip
AS_CORE = "as core"
NONE = "-"


def capabilities(method: Any) -> dict[str, str]:
    """Describe the capabilities of a method."""
    choices = {parameter.name: ", ".join(parameter.choices) for parameter in method.parameters}
    own = [
        method.nominal,
        choices.get("missing", method.unknown),
        choices.get("diff", NONE),
        choices.get("distance", NONE),
        *("yes" if able else "no" for able in (method.sparse, method.interactions, method.redundancy)),
    ]
    if any(parameter.kind == METHOD for parameter in method.parameters):
        own = [AS_CORE] * len(own)
    targets = "".join(letter for task, letter in LETTERS.items() if task in method.tasks)
    return dict(zip(COLUMNS, (method.title, method.family, targets, *own, method.complexity), strict=True))


def in_short(method: Any) -> str:
    """A line for people: the features that the method finds, the data that it takes, and how its time grows."""
    known = capabilities(method)
    found = {"yes": "Finds interactions", "no": "No interactions", AS_CORE: "Interactions as its core"}
    parts = [found[known["interactions"]]]
    if method.redundancy:
        parts.append("avoids repetition")
    if known["diff"] not in (NONE, AS_CORE):
        parts.append("differences of counts")
    return f"{', '.join(parts)}; time {method.complexity}"


LEVELS = tuple(256 * 4**e for e in range(9))  # target rows of partial rankings
FIRST_LEVEL = 128  # target rows with which a search for convergence begins
FIRST_STOP = 512  # target rows of which it may end
MAX_ERROR = 0.1  # standard errors over the spread of the scores, with which it ends
SHARE_OF_ROWS = 16  # of the rows: one in so many at most, before all, where each level starts from scratch
WORTH_WAITING = 5 * 10**8  # n * n * p above which a partial ranking is offered
AT_ONCE = 24  # targets that are scored together
N_COMPARED, MIN_OVERLAP, N_TIMES = 20, 0.95, 2  # best features, their overlap, how often in a row


def average_overlap(a: np.ndarray, b: np.ndarray, top: int = N_COMPARED) -> float:
    """Average over n = 1 .. min(top, p) of the share of the n best that two rankings (p,) have in common."""
    top = min(top, len(a))
    return float(np.mean([len(np.intersect1d(a[:n], b[:n])) / n for n in range(1, top + 1)]))


def has_converged(curve: Sequence[Sequence[float]]) -> bool:
    """True if the last overlaps of pairs (amount, overlap with the ranking before) are large."""
    return len(curve) >= N_TIMES and all(shared >= MIN_OVERLAP for _, shared in curve[-N_TIMES:])


def error_share(errors: np.ndarray, scores: np.ndarray) -> float:
    """Root mean square of the standard errors (p,) over the standard deviation of the scores (p,).

    Where it is e, scores of all rows correlate with these about 1 - e^2 / 2; infinite where all scores are equal, 0 for
    a single feature.
    """
    if len(scores) < 2:
        return 0.0
    spread = float(np.std(scores))
    error = float(np.sqrt(np.mean(errors**2)))
    return error / spread if spread > 0 else np.inf if error > 0 else 0.0


def errors_from_change(before: np.ndarray, scores: np.ndarray, m0: int, m: int, n: int) -> np.ndarray:
    """Standard errors (p,), all alike, of scores of m of n rows, by those of m0 of these rows.

    The variance of their difference is s^2 (1 / m0 - 1 / m), that of the scores s^2 (1 / m - 1 / n).
    """
    square = np.mean((scores - before) ** 2) * (1 / m - 1 / n) / (1 / m0 - 1 / m)
    return np.full(len(scores), np.sqrt(square))


def row_levels(shape: tuple[int, int], m: int | None, partial: bool, from_scratch: bool = True) -> list[int]:
    """Return growing numbers of target rows; m: the last one, or None where convergence decides.

    from_scratch: whether each level finds all neighbours again, so that levels before all rows must not cost much.
    """
    n, p = shape
    if m is None:
        most = max(n / SHARE_OF_ROWS, FIRST_STOP) if from_scratch else n - 1
        return [*(k for k in (FIRST_LEVEL << e for e in range(40)) if k < n and k <= most), n]
    return [*(k for k in LEVELS if partial and 3 * k < m and m * n * p > WORTH_WAITING), m]


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
    def order(self) -> np.ndarray:
        """Rows (n,) in the order in which they become target rows."""
        return np.random.default_rng(self.random_state).permutation(self.table.shape[0])


@dataclass(frozen=True, eq=False)
class Found:
    """Result of a method so far."""

    scores: np.ndarray  # (p,): higher is better, never NaN
    per_target: np.ndarray | None = None  # (t, p): scores for each of several targets
    info: Info = field(default_factory=Info)  # choices and facts, as plain literals
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
    """A method of `rank`; the defaults are those of the Relief family."""

    name: str  # for programs
    title: str  # for people
    about: str  # a few words for lists
    idea: str  # one sentence
    citation: str
    tasks: tuple[str, ...]  # kinds of target, of `core.TASKS` or "survival"
    family: str  # one of `FAMILIES`; menus and widgets group by it
    shares: bool = False  # whether several targets share a search for pairs, see `for_targets`
    refines: str | None = None  # unit in which a partial ranking grows, such as `ROWS`; None: there is one ranking only
    at_home: str = ""  # reason why its work stays in one process where there is a cluster; "": it does not
    adjusts: bool = False  # whether it ranks for residuals, too: adjusted for covariates
    adjusts_by: str = "pairs weigh products of residuals"  # how
    parts_groups: bool = False  # whether rows of one group are no neighbours of each other
    weighted_tasks: tuple[str, ...] = ()  # kinds of target, of `tasks`, for which rows may have weights
    takes_kept_first: bool = False  # whether features that are always selected come first, and change the other scores
    times_as_residuals: bool = False  # whether it ranks for the martingale residuals of times, also without covariates
    interactions: bool = True  # whether features that are informative of the target only together score high
    redundancy: bool = False  # whether a feature scores less if other features contain the same information
    sparse: bool = True  # whether sparse features stay sparse
    packed: bool = False  # whether packed genotypes stay packed
    narrow: bool = False  # whether large tables of whole numbers and single precision are read without a copy
    nominal: str = "equal or not"  # use of nominal features
    unknown: str = "filled"  # use of missing values, unless a parameter ``missing`` decides
    complexity: str = "n^2 p + k n p"  # growth of the time: n rows, p features, k neighbours, C classes

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
        return self.packed

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


class RowMethod(Method[Prepared]):
    """A method whose scores come from target rows, one by one: fewer rows give a partial ranking."""

    refines = ROWS

    def scores(self, data: MethodInput[Prepared]) -> Found:
        """The result of the rows in ``data.chosen``."""
        raise NotImplementedError

    def growing(self, data: MethodInput[Prepared], levels: Sequence[int]) -> Callable[[int], Found] | None:
        """The result of each of so many target rows, asked for in this order, where it keeps what was found before;
        None: each begins anew."""
        return None

    def run(self, data: MethodInput[Prepared]) -> Iterator[Found]:
        if data.chosen is not None:
            yield self.scores(data)
            return
        before: tuple[int, np.ndarray] | None = None
        curve: list[list[float]] = []
        shares: list[list[float]] = []
        n, wanted = data.table.shape[0], data.parameters.get("n_instances")
        converge = wanted == CONVERGE
        last = None if converge else count_rows(wanted, n)
        levels = row_levels(data.table.shape, last, data.partial, from_scratch=False)
        grow = self.growing(data, levels) if len(levels) > 1 else None
        levels = row_levels(data.table.shape, last, data.partial, from_scratch=grow is None)
        done = np.array([0, *levels[:-1]]) * (grow is not None)
        cost = (levels - done) * (n - (levels + done) / 2)
        ends = np.cumsum(cost) / cost.sum()
        for m, begin, end in zip(levels, ends - cost / cost.sum(), ends, strict=True):
            with data.work.part(float(begin), float(end)):
                found = grow(m) if grow else self.scores(replace(data, chosen=data.sample(m)))
            if before is not None:
                old, new = (np.argsort(-scores, kind="stable") for scores in (before[1], found.scores))
                curve.append([m, average_overlap(old, new)])
                own = found.info.get("standard_errors") if m < n else [0.0]
                change = None if own else errors_from_change(before[1], found.scores, before[0], m, n)
                shares.append([m, error_share(np.array(own) if change is None else change, found.scores)])
            before = m, found.scores
            final = m == levels[-1] or (converge and m >= FIRST_STOP and shares[-1][1] <= MAX_ERROR)
            found.info["instances"] = m
            if converge:
                found.info["convergence"], found.info["error_shares"] = [*curve], [*shares]
            yield replace(found, final=final)
            if final:
                return

    def for_targets(self, data: MethodInput[Prepared], targets: Iterable[Target]) -> Iterator[Scored]:
        spread = Spread.of(self, data)
        for target in targets:
            yield spread.scored(self.scores(replace(spread.data, target=target)))

    def chosen(self, data: MethodInput[Prepared]) -> np.ndarray:
        """Mask (n,) of the target rows; raises ValueError where convergence is to decide."""
        wanted = data.parameters.get("n_instances")
        if data.chosen is None and wanted == CONVERGE:
            raise ValueError("several targets need the same rows: n_instances must be a number")
        return data.sample(count_rows(wanted, data.table.shape[0])) if data.chosen is None else data.chosen


class Spread:
    """Spread of the scores of several targets over random orders of the values; the moments of the diffs, which do not
    know the target, are computed once."""

    def __init__(self, data: MethodInput[Any]):
        self.together = not data.outputs  # whether nobody asks for other quantities of each target
        self.data = data if data.outputs else replace(data, outputs=(PairWeights(),))
        self._moments: DiffMoments | None = None

    @classmethod
    def of(cls, method: RowMethod[Any], data: MethodInput[Any]) -> "Spread":
        """The spread for an input whose target rows are chosen."""
        return cls(replace(data, chosen=method.chosen(data)))

    def in_turn(
        self,
        targets: Iterable[Target],
        alone: Callable[[Target], Found],
        shares: Callable[[], bool],
        together: Callable[[list[Target]], Iterable[tuple[Any, ...] | None]],
    ) -> Iterator[Scored]:
        """Results for targets that come one after another, each in its part of the work.

        The first is scored alone; further ones that share pairs are scored together.  None: a target is scored alone.
        """
        left, work = iter(targets), self.data.work
        for target in islice(left, 1):
            yield self.scored(alone(target))
        while some := list(islice(left, 1)):
            if not (self.together and shares()):
                yield self.scored(alone(some[0]))
                continue
            begin = work.span[0]
            some += islice(left, AT_ONCE - 1)
            work.stage(begin, work.span[1])
            for target, found in zip(some, together(some), strict=True):
                yield self.scored(Found(found[0], quantities=found[1:]) if found else alone(target))

    def scored(self, found: Found) -> Scored:
        """A result with its spread, by the sums of weights among its quantities."""
        found.info["instances"] = int(np.count_nonzero(cast("np.ndarray", self.data.chosen)))
        if not found.quantities:
            return Scored(found)
        features, _, sums = found.quantities[0]
        if not isinstance(sums, WeightSums) or features.shape[0] < 4 or not has_short_form(features.diff):
            return Scored(found)
        if self._moments is None:
            self._moments = DiffMoments.of(features)
        mean, deviation = map(features.unsort, self._moments.spread(sums))
        deviation[features.constant] = 0
        return Scored(found, mean, deviation)
