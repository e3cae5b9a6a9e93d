"""Requests: calls of `rank` that are checked, and how they are carried out.

`check_call` (checked_call.py) makes a `Request` of the arguments of a call. `core.api` and `core.inference` then call
`rank`, `refine` or, for permuted targets, `permuted`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .data.counts import settled
from .data.feature_groups import FeatureGroups
from .data.table import DataTable
from .info import Info, merge_info
from .kernels.compilation import MIN_COMPILE_SECONDS, Stopwatch
from .methods.base import Method, MethodInput, MethodResult, TargetResult
from .result import Ranking
from .studies.study import Study
from .targets.targets import Target
from .targets.tasks import SEVERAL, UNSUPERVISED
from .targets.times import Times
from .words import FEATURE, GROUP
from .work.cluster import work_for
from .work.threads import Progress, Work, n_workers

WORTH_THREADS = 10**9  # cost below which one thread is faster than several: some 20 ms of work
MIN_SECONDS = 0.05  # that a summary writes


@dataclass(frozen=True)
class PreparedTarget:
    """Result of the `prepare` of a method for the true target."""

    result: object


@dataclass(frozen=True)
class Request:
    """A checked call of `rank`.

    Parameters
    ----------
    method : Method
        The method that ranks.
    table : DataTable
        Features of the n rows that are ranked, as the method reads them.
    target : Target
        Target of these rows, or residuals.
    parameters : dict
        All parameters of the method, checked.
    random_state : int
        Seed of every choice by chance.
    info : Info
        Notes on the data and on the choice of the method.
    preparation : PreparedTarget or None
        None as long as nothing is prepared. A request whose target is permuted keeps it.
    is_ranked : (rows,) bool array
        Which of the caller's rows are ranked.
    study : Study or None
        Their covariates and groups, if there are any.
    weights : (n,) float array or None
        How many rows each row counts for, above 0. None: 1.
    keep : int array or None
        Indices of the features that are always selected, or of their groups.
    feature_groups : FeatureGroups or None
        Groups of the features that are ranked as one. None: each feature has a score.
    """

    method: Method[Any]
    table: DataTable
    target: Target
    parameters: dict[str, Any]
    random_state: int
    info: Info = field(default_factory=dict)
    preparation: PreparedTarget | None = None
    is_ranked: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))
    study: Study | None = None
    weights: np.ndarray | None = None
    keep: np.ndarray | None = None
    feature_groups: FeatureGroups | None = None

    @property
    def n_items(self) -> int:
        """Number of scores: of the features, or of their groups."""
        return self.table.shape[1] if self.feature_groups is None else len(self.feature_groups.names)

    @property
    def names(self) -> tuple[str, ...] | None:
        """Names of what has scores; None: the features have no names."""
        return self.table.names if self.feature_groups is None else self.feature_groups.names

    @property
    def ranks_groups(self) -> bool:
        """True if several features have one score."""
        return self.feature_groups is not None and not self.feature_groups.are_single

    @property
    def noun(self) -> str:
        """Word for what has a score: feature or group."""
        return GROUP if self.ranks_groups else FEATURE

    def refuse_groups(self, what: str) -> None:
        """Raise ValueError if several features have one score, for `what`, in the plural."""
        if self.ranks_groups:
            raise ValueError(f"{what} are of single features: leave out feature_groups")

    def refuse_weights(self, what: str) -> None:
        """Raise ValueError if rows have weights, which `what`, in the plural, do not take."""
        if self.weights is not None:
            raise ValueError(f"{what} take no weights of rows: rank without them (sample_weight)")

    def input(self, work: Work, partial: bool = False) -> MethodInput[Any]:
        """Input of the method; `partial` is whether its partial results are used."""
        return MethodInput(
            table=self.table,
            target=self.target,
            parameters=settled(self.parameters, self.table),
            random_state=self.random_state,
            work=work,
            prepared=self.preparation.result if self.preparation else None,
            partial=partial,
            groups=self.study.groups_of_all if self.study else None,
            weights=self.weights,
            keep=self.keep,
        )

    def workers(self, n_jobs: int | None) -> int:
        """Number of threads that are worth starting."""
        workers = n_workers(n_jobs)
        return 1 if self._cost < WORTH_THREADS else workers

    def work(self, n_jobs: int | None, progress: Progress = None) -> Work:
        """Threads, or the cluster of the context, for this request."""
        return work_for(n_jobs, progress, self._cost, self.workers(n_jobs))

    @property
    def _cost(self) -> float:
        return self.method.cost(self.table.shape, self.parameters)

    def prepare(self, work: Work) -> "Request":
        """Copy of this request whose preparation is done for the true target."""
        if self.preparation is not None:
            return self
        with work.part(0, self.method.preparation(self.parameters)):
            return replace(self, preparation=PreparedTarget(self.method.prepare(self.input(work))))

    def rank(self, work: Work) -> Ranking:
        """Return the final ranking."""
        *_, last = self.refine(work, partial=False)
        return last

    def refine(self, work: Work, partial: bool = True) -> Iterator[Ranking]:
        """Yield rankings, each better than the one before; the last one is final."""
        watch = Stopwatch()
        share = 0.0 if self.preparation else self.method.preparation(self.parameters)
        prepared = self.prepare(work)
        with work.part(share, 1):
            for result in self.method.run(prepared.input(work, partial)):
                if result.final:
                    work.finish()
                watch.pause()
                yield self.ranking(result, watch.seconds, watch.compile_seconds)
                watch.resume()  # the time that the caller takes does not count

    @property
    def needs_own_spread(self) -> bool:
        """True if the closed form of the scores' spread does not hold for permuted targets."""
        return self.weights is not None or (self.study is not None and self.study.needs_own_spread)

    def permuted_results(
        self, numbers: Iterable[int | None], work: Work, blocks: np.ndarray | None = None
    ) -> Iterator[TargetResult]:
        """Yield the final result for the target as it is, for each number None, or for a permuted one.

        Permuted targets share the pairs of a method. With weights of rows, which decide on the pairs and are permuted
        with the target, each is ranked alone.

        Parameters
        ----------
        numbers : iterable of int or None
            Numbers of the permutations.
        work : Work
            Threads, and progress.
        blocks : (n,) array, optional
            As of `permuted`.
        """
        requests = (self if number is None else self.permuted(number, blocks) for number in numbers)
        if self.weights is None:
            results = self.method.for_targets(self.input(work), (request.target for request in requests))
        else:
            results = (request._scored(work) for request in requests)
        for scored in results:
            yield replace(scored, mean=None, deviation=None) if self.needs_own_spread else scored

    def _scored(self, work: Work) -> TargetResult:
        """Rank by the target as it is."""
        (scored,) = self.method.for_targets(self.prepare(work).input(work), [self.target])
        return scored

    def permuted(self, seed: int, blocks: np.ndarray | None = None) -> "Request":
        """Copy of this request whose target is permuted among the labelled rows, together with the weights of the rows.

        Weights may depend on the target, as those of a sample that has more cases than its population. So a row that
        gets the target of another one gets its weight, too. What was prepared for the true weights is prepared anew.
        Without a target, the values of each feature are permuted instead.

        Parameters
        ----------
        seed : int
            Number of the permutation.
        blocks : (n,) array, optional
            Codes of blocks, within which targets are permuted.
        """
        if self.target.task == UNSUPERVISED:
            return replace(self, table=self.table.scattered(np.random.default_rng([self.random_state, seed])))
        if self.study and self.weights is None and self.target.labelled.all():
            return replace(self, target=self.study.permuted(seed))
        donors = self._donors(seed, blocks)
        target = self.target.take(donors)
        if self.weights is None:
            return replace(self, target=target)
        weights = self.weights[donors]
        if self.study:
            labelled = self.target.labelled
            weights[labelled] = self.study.permuted_weights(self.weights[labelled], seed)
        return replace(self, target=target, weights=weights, preparation=None)

    def _donors(self, seed: int, blocks: np.ndarray | None) -> np.ndarray:
        """Draw the row (n,) whose target each row gets; rows without a target keep theirs."""
        donors = np.arange(self.table.shape[0])
        labelled = np.flatnonzero(self.target.labelled)
        if self.study:
            donors[labelled] = labelled[self.study.donor_rows(seed)]
            return donors
        rng = np.random.default_rng([self.random_state, seed])
        rows_of_blocks = [labelled]
        if blocks is not None:
            rows_of_blocks = [labelled[blocks[labelled] == block] for block in np.unique(blocks[labelled])]
        for rows in rows_of_blocks:
            donors[rows] = rows[rng.permutation(len(rows))]
        return donors

    def ranking(self, result: MethodResult, seconds: float, compile_seconds: float = 0.0) -> Ranking:
        """Make a ranking for callers of a result of the method, which took some seconds after those of compilation."""
        timing: Info = {"final": result.final, "seconds": seconds}
        if compile_seconds >= MIN_COMPILE_SECONDS:
            timing["compile_seconds"] = compile_seconds
        info = merge_info({"instances": self.table.shape[0]}, self.info, result.info, timing)
        info["summary"] = self._summary(info)
        return Ranking(
            scores=result.scores,
            method=self.method.name,
            parameters={name: plain(value) for name, value in self.parameters.items()},
            info=info,
            per_target=result.per_target,
            names=self.names,
            targets=tuple(map(str, self.target.names)) if self.target.task in SEVERAL else None,
            order=result.order,
            feature_names=self.table.names if self.ranks_groups else None,
        )

    def _summary(self, info: Info) -> str:
        """Choices of the method, rows and time in one line."""
        texts = [*self.method.summary(self.parameters, info)]
        if isinstance(self.target.inner, Times):
            texts.append(self.target.inner.description)
        n = self.table.shape[0]
        m = info["instances"]
        texts.append(f"{m:,} of {n:,} rows" if m < n else f"{n:,} rows")
        seconds = info["seconds"]
        texts.append(f"{seconds:.1f} s" if seconds >= MIN_SECONDS else "less than 0.1 s")
        return ", ".join(texts)


def plain(value: object) -> object:
    """Return a literal for a parameter; coordinates and objects are replaced by their kind."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        return "coordinates"
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return type(value).__name__
