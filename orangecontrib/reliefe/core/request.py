"""A checked request for a ranking, and how it is carried out."""

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .arguments.arguments import Arguments
from .arguments.known_target import ANY_TARGET, read_known_target
from .arguments.notes import notes_on_data
from .arguments.problem import Choice, choose_method, state_problem
from .arguments.rows import other_rows, read_rows
from .arguments.studied import study_rows
from .arguments.weighted import use_weights
from .checks import whole
from .data.counts import settled
from .data.table import DataTable
from .kernels.compilation import COMPILATION
from .methods.base import Method, MethodInput, MethodResult
from .methods.registry import find_method
from .result import Info, Ranking, merge_info
from .studies.study import Study
from .targets.targets import Target
from .targets.tasks import SEVERAL, UNSUPERVISED
from .targets.times import Times
from .work.cluster import work_for
from .work.threads import Progress, Work

WORTH_THREADS = 10**9  # n * n * p below which one thread is faster than several: some 20 ms of work


@dataclass(frozen=True)
class Preparation:
    """The result of a method's `prepare` for the true target."""

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
    preparation : Preparation or None
        None as long as nothing is prepared. A request whose target is permuted keeps it.
    known : (rows,) bool array
        Which of the caller's rows are ranked.
    study : Study or None
        Their covariates and groups, if there are any.
    weights : (n,) float array or None
        How many rows each row counts for, above 0. None: 1.
    keep : int array or None
        Indices of the features that are always selected.
    """

    method: Method[Any]
    table: DataTable
    target: Target
    parameters: dict[str, Any]
    random_state: int
    info: Info = field(default_factory=dict)
    preparation: Preparation | None = None
    known: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))
    study: Study | None = None
    weights: np.ndarray | None = None
    keep: np.ndarray | None = None

    @classmethod
    def check(cls, X: object, y: object, method: str, **given: Any) -> "Request":
        """Check a call of `rank`, step by step.

        Parameters
        ----------
        X, y, method
            As of `rank`.
        **given
            Those of `Arguments`, and parameters of the method.

        Raises
        ------
        ValueError, TypeError
            If the call cannot be carried out.
        """
        arguments = Arguments.of(X, y, method, given)
        named_method = find_method(method, "auto")
        accepts = named_method.accepts(arguments.parameters) if named_method else ANY_TARGET
        random_state = whole("random_state", arguments.random_state, 0)
        # Features, weights and target of the caller's rows
        rows = read_rows(arguments)
        read = read_known_target(rows, accepts, arguments, is_automatic=named_method is None)
        mismatches = other_rows(arguments)
        for text in mismatches:
            warnings.warn(text, stacklevel=3)
        # The method, and the rows with a target as it reads them
        if named_method is None:
            choice = choose_method(rows, read, arguments)
        else:
            choice = Choice(named_method, arguments.parameters, read, {})
        problem = state_problem(choice, rows)
        notes = notes_on_data(arguments.y, problem)
        # The target that features are ranked for
        studied = study_rows(problem, arguments, random_state)
        weighted = use_weights(problem, studied, rows.weights, are_offered=arguments.offers_weights)
        of_target: Info = {"information": [*read.notes], "warnings": mismatches}
        info = merge_info(rows.info, of_target, choice.info, problem.info, notes, studied.info, weighted.info)
        return cls(
            method=problem.method,
            table=problem.table,
            target=weighted.target,
            parameters=problem.parameters,
            random_state=random_state,
            info=info,
            known=problem.known,
            study=weighted.study,
            weights=weighted.weights,
            keep=rows.keep,
        )

    def without_weights(self, what: str) -> "Request":
        """This request. Raises ValueError where rows have weights, which `what`, in the plural, do not take."""
        if self.weights is not None:
            raise ValueError(f"{what} take no weights of rows: rank without them (sample_weight)")
        return self

    def input(self, work: Work, partial: bool = False) -> MethodInput[Any]:
        prepared = self.preparation and self.preparation.result
        parts = self.table, self.target, settled(self.parameters, self.table), self.random_state, work
        groups = self.study.apart if self.study else None
        return MethodInput(
            *parts, prepared=prepared, partial=partial, groups=groups, weights=self.weights, keep=self.keep
        )

    def workers(self, n_jobs: int | None) -> int:
        """Threads that are worth starting."""
        workers = Work(n_jobs).workers
        return 1 if self._cost < WORTH_THREADS else workers

    def work(self, n_jobs: int | None, progress: Progress = None) -> Work:
        """Threads, or the cluster of the context, for this request."""
        return work_for(n_jobs, progress, self._cost, self.workers(n_jobs))

    @property
    def _cost(self) -> float:
        return self.method.cost(self.table.shape, self.parameters)

    def prepare(self, work: Work) -> "Request":
        """The same with all that depends on the true target, or on the rows alone, chosen and made."""
        if self.preparation is not None:
            return self
        with work.part(0, self.method.preparation(self.parameters)):
            return replace(self, preparation=Preparation(self.method.prepare(self.input(work))))

    def rank(self, work: Work) -> Ranking:
        *_, last = self.refine(work, partial=False)
        return last

    def refine(self, work: Work, partial: bool = True) -> Iterator[Ranking]:
        """Rankings, better and better; the last one is that of `rank`."""
        spent, start = 0.0, clock()
        share = 0.0 if self.preparation else self.method.preparation(self.parameters)
        prepared = self.prepare(work)
        with work.part(share, 1):
            for found in self.method.run(prepared.input(work, partial)):
                if found.final:
                    work.finish()
                spent += clock() - start
                yield self.ranking(found, spent)
                start = clock()  # what the caller did meanwhile is no work of the method

    def shuffled(self, seed: int, blocks: np.ndarray | None = None) -> "Request":
        """The same with the target of every row that has one given to another one, of the same block if there are
        blocks (n,); without targets, with every feature shuffled alone."""
        if self.study and self.target.labelled.all():
            return replace(self, target=self.study.permuted(seed))
        rng = np.random.default_rng([self.random_state, seed])
        if self.target.task == UNSUPERVISED:
            return replace(self, table=self.table.scattered(rng))
        order, known = np.arange(self.table.shape[0]), np.flatnonzero(self.target.labelled)
        if self.study:
            order[known] = known[self.study.rows(seed)]
            return replace(self, target=self.target.take(order))
        each = [known] if blocks is None else [known[blocks[known] == b] for b in np.unique(blocks[known])]
        for block in each:
            order[block] = block[rng.permutation(len(block))]
        return replace(self, target=self.target.take(order))

    def ranking(self, found: MethodResult, seconds: float) -> Ranking:
        """A result of the method as callers get it."""
        n = self.table.shape[0]
        timing: Info = {"final": found.final, "seconds": seconds}
        info = merge_info({"instances": n}, self.info, found.info, timing)
        m = info["instances"]
        times = self.target.inner
        events = [times.description] if isinstance(times, Times) else []
        rows = f"{m:,} of {n:,} rows" if m < n else f"{n:,} rows"
        shown = [*self.method.summary(self.parameters, info), *events, rows]
        info["summary"] = ", ".join([*shown, f"{seconds:.1f} s" if seconds >= 0.05 else "less than 0.1 s"])
        parameters = {name: plain(value) for name, value in self.parameters.items()}
        targets = tuple(map(str, self.target.names)) if self.target.task in SEVERAL else None
        about = self.method.name, parameters, info, found.per_target, self.table.names, targets, found.order
        return Ranking(found.scores, *about)


def clock() -> float:
    """Seconds that do not go on while kernels are compiled."""
    return time.perf_counter() - COMPILATION.seconds


def plain(value: object) -> object:
    """A literal for a parameter: coordinates and objects by what they are."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        return "coordinates"
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return type(value).__name__
