"""Ensemble of trees that a user grows step by step: its scores, their convergence, and predictions.

An `Ensemble` holds the request of a ranking by "pct" and the results of the trees so far.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..checked_call import check_call
from ..checks import switch, whole
from ..forest.ensembles import RFOREST, SCORES, Forest
from ..forest.models import Model
from ..kernels.compilation import clock
from ..methods.pct import PCT, check, new_forest
from ..methods.tree_growth import growing, result
from ..request import Request
from ..result import Ranking
from ..targets.tasks import UNSUPERVISED
from ..work.threads import Work

MAX_NUMBER = 2**31 - 1  # largest number of a tree: 32 bits
Progress = Callable[[float], object]


@dataclass(eq=False, repr=False)
class Ensemble:
    """Trees of one request.

    request: for a ranking by "pct".
    permuted: permute features out of the bag, for the random forest score.
    begin: number of the first tree.
    seconds: spent on growing, without compilation of code.
    forest: results of its trees; None before the first one.
    """

    request: Request
    permuted: bool = True
    begin: int = 0
    seconds: float = 0.0
    forest: Forest | None = None

    @classmethod
    def of(cls, X: object, y: object = None, *, rforest: bool = True, first: int = 0, **options: Any) -> "Ensemble":
        """Check a request, before the first tree.

        Parameters
        ----------
        X, y, **options
            As in `rank`; parameters are those of the method "pct".
        rforest : bool
            Have the random forest score, too, which takes longer.
        first : int
            Number of its first tree, from 0, for parts of an ensemble that are merged.
        """
        request = check_call(X, y, PCT.name, **options)
        check(request.table, request.target, request.parameters)
        rforest = switch("rforest", rforest)
        return cls(request, rforest or request.parameters["score"] == RFOREST, whole("first", first, 0, MAX_NUMBER))

    def __repr__(self) -> str:
        n, p = self.request.table.shape
        return f"Ensemble({self.trees} trees, {n} rows, {p} features)"

    @property
    def trees(self) -> int:
        """Number of trees."""
        return len(self.forest.results) if self.forest else 0

    @property
    def unbroken(self) -> int:
        """Number of trees before the first that is missing: threads do not finish them in order."""
        keys = self.forest.keys if self.forest else []
        state = self.request.random_state
        return next((n for n, key in enumerate(keys) if key != (state, self.begin + n)), len(keys))

    def grow(self, n: int | None = None, *, n_jobs: int | None = None, progress: Progress | None = None) -> "Ensemble":
        """Grow n more trees, or with None as many as the parameter n_trees asks for in all, and return itself.

        When it is interrupted, finished trees stay.  Other arguments: those of `rank`.
        """
        for _ in self.growing(n, n_jobs=n_jobs, progress=progress):
            pass
        return self

    def growing(
        self, n: int | None = None, *, n_jobs: int | None = None, progress: Progress | None = None
    ) -> Iterator[int]:
        """Grow in steps; yields the number of trees after each: 10, 20, 50, 100, 200 ...

        Parameters: those of `grow`.
        """
        if n is not None:
            n = whole("the number of trees", n, 1, MAX_NUMBER)
        work = self.request.work(n_jobs, progress)
        start = clock()
        seconds_before = self.seconds
        try:
            request = self.request
            preparation_share = 0.0 if self.forest else request.method.preparation(request.parameters)
            forest = self._prepare(work)
            with work.part(preparation_share, 1):
                for trees, _ in growing(forest, self.request.parameters, work, n, self.begin):
                    self.seconds = seconds_before + clock() - start
                    yield trees
            work.finish()
        finally:
            self.seconds = seconds_before + clock() - start

    def ranking(self, score: str | None = None) -> Ranking:
        """Rank the features by the trees so far.

        Parameters
        ----------
        score : str, optional
            "genie3", "symbolic" or "rforest"; None: that of the parameters.

        Raises
        ------
        ValueError
            Without a tree, for an unknown score, and for one that was left out.
        """
        parameters = self.request.parameters
        ranking = self.request.ranking(result(self._grown(), parameters, score), self.seconds)
        return replace(ranking, parameters={**ranking.parameters, "score": score or parameters["score"]})

    def rankings(self) -> dict[str, Ranking]:
        """Rank the features by every score that the trees have."""
        return {score: self.ranking(score) for score in SCORES if self.permuted or score != RFOREST}

    def errors(self, score: str | None = None) -> np.ndarray:
        """Return the standard errors (p,) of the scores over the trees; parameters and errors: as in `ranking`."""
        return np.array(self.ranking(score).info["standard_errors"])

    def convergence(self, score: str | None = None) -> list[list[float]]:
        """Return pairs [trees, overlap]: overlap of the 20 best features with those of the step before.

        Steps are 20, 50, 100 ... trees.  Parameters and errors: as in `ranking`.
        """
        curve: list[list[float]] = self.ranking(score).info["convergence"]
        return curve

    def first(self, n: int) -> "Ensemble":
        """Select the first n trees, 1 or more; raises ValueError if there are fewer."""
        forest = self._grown()
        n = whole("the number of trees", n, 1, self.trees)
        return replace(self, forest=forest.part(forest.keys[:n]))

    def merge(self, other: "Ensemble") -> "Ensemble":
        """Join the trees of two ensembles, of the same data with the same parameters.

        They were grown by another random_state, or from another `first`.  Raises ValueError if they do not fit each
        other, or share trees.
        """
        a = self._grown()
        b = other._grown()
        if self._kind != other._kind:
            raise ValueError("ensembles can be merged if they have the same parameters; these differ in theirs")
        if not (_equal(a.columns, b.columns) and _equal(a.space, b.space)):
            raise ValueError("ensembles can be merged if they were grown of the same data; these were not")
        shared = a.results.keys() & b.results.keys()
        if shared:
            raise ValueError(
                f"the ensembles have {len(shared)} trees in common: grow one of them with another random_state or first"
            )
        forest = replace(a, results={**a.results, **b.results})
        return replace(self, forest=forest, seconds=self.seconds + other.seconds)

    def model(self, *, n_jobs: int | None = None, progress: Progress | None = None) -> Model:
        """Make a model with `predict` from the trees, which are grown again; n_jobs and progress as in `rank`.

        Raises ValueError without a tree, and without a target.
        """
        forest = self._grown()
        target = self.request.target
        if target.task == UNSUPERVISED:
            raise ValueError("there is no target to predict")
        levels = target.levels
        units = np.ones(len(levels)) if target.inner.units is None else target.inner.units
        work = self.request.work(n_jobs, progress)
        model = Model.of(forest, levels, units, work, target.inner.origins)
        work.finish()
        return model

    @property
    def _kind(self) -> dict[str, object]:
        """Parameters that the trees depend on, and whether features were permuted; ensembles merge if they agree."""
        ignored_names = ("n_trees", "score", "pooled")
        return {"permuted": self.permuted} | {
            k: v for k, v in self.request.parameters.items() if k not in ignored_names
        }

    def _prepare(self, work: Work) -> Forest:
        """Return the forest of the request; it is made first if there is none."""
        if self.forest is None:
            self.request = self.request.prepare(work)
            self.forest = new_forest(self.request.input(work), self.permuted)
        return self.forest

    def _grown(self) -> Forest:
        """Return the forest; raises ValueError without a tree."""
        if not self.trees:
            raise ValueError("there is no tree yet: grow some first")
        return cast("Forest", self.forest)


def grow(
    X: object,
    y: object = None,
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Ensemble:
    """Grow an ensemble with as many trees as the parameter n_trees asks for.

    Arguments: those of `Ensemble.of`; n_jobs and progress as in `rank`.
    """
    return Ensemble.of(X, y, **options).grow(n_jobs=n_jobs, progress=progress)


def _equal(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    """Return True if two tuples have the same arrays, unknown values at the same places."""
    return all(x is y or np.array_equal(x, y, equal_nan=True) for x, y in zip(a, b, strict=True))
