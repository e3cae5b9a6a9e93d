"""Test of a ranking against rankings of permuted targets, to which more permutations can be added.

`SignificanceTest` is exported by `core`, and `core.significance` runs it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ..checks import whole
from ..data.arrays import cells
from ..methods.base import CONVERGE
from ..request import Request, clock
from ..result import Ranking, Significance
from ..targets.targets import UNSUPERVISED, Target
from ..work.threads import Progress, Work
from .null_scores import NullScores
from .target_orders import orders

WEIGHTS_STAY = "targets are permuted, and weights stay with their rows"
MIN_DEFAULT, MAX_DEFAULT = 20, 199  # shuffles by default, for many features and for few
POOL_SIZE = 2000  # scores of shuffled targets that make p fine enough
OWN_SPREAD = 50  # shuffles at least where the spread of a score is known from them alone
MAX_SHUFFLES = 10**6


@dataclass(eq=False, repr=False)
class SignificanceTest:
    """Test of the scores of one request against those of shuffled targets.

    request: for the ranking that is tested.
    blocks (n,): codes within which rows are shuffled; None: all rows are exchangeable.
    ranking: that of the true target; None before `shuffle`.
    """

    request: Request
    blocks: np.ndarray | None = None
    ranking: Ranking | None = None
    _null: NullScores | None = None
    _alone: np.ndarray | None = None

    @classmethod
    def of(
        cls, X: object, y: object, method: str = "auto", *, blocks: object = None, **options: Any
    ) -> "SignificanceTest":
        """Check a request, before any work; its test has no ranking yet.

        Parameters
        ----------
        X, y, method, **options
            As in `rank`, with a target; covariates are possible with every method.
        blocks : array-like, shape (n,), optional
            Block of each row, for example a person measured several times: targets are permuted within blocks. With
            ``groups`` or ``covariates``, these decide instead, and there are no blocks.
        """
        return cls.for_request(Request.check(X, y, method, unadjusted=True, **options), blocks)

    @classmethod
    def for_request(cls, request: Request, blocks: object = None) -> "SignificanceTest":
        """The same for a request that is checked."""
        if request.target.task == UNSUPERVISED:
            raise ValueError("significance needs a target to shuffle: without one there are no p-values")
        if blocks is not None and request.study:
            raise ValueError("blocks and groups, or covariates, exclude each other: both say how targets are shuffled")
        return cls(request, None if blocks is None else _blocks(blocks, request.known))

    def __repr__(self) -> str:
        n, p = self.request.table.shape
        return f"SignificanceTest({self.request.method.name}, {n} rows, {p} features, {self.n_shuffles} shuffles)"

    @property
    def n_shuffles(self) -> int:
        """Number of shuffled targets so far."""
        return self._null.n_shuffles if self._null else 0

    @property
    def default_shuffles(self) -> int:
        """Number of shuffles by default: 20 to 199, more for few features. It is at least 50 if the standard deviation
        of scores has no closed form, known after the first ranking."""
        wanted = int(np.clip(np.ceil(POOL_SIZE / self.request.table.shape[1]), MIN_DEFAULT, MAX_DEFAULT))
        return max(wanted, OWN_SPREAD) if self._null and self._null.pool is None else wanted

    def shuffle(
        self,
        n_shuffles: int | None = None,
        *,
        n_jobs: int | None = None,
        progress: Progress = None,
    ) -> Iterator[int]:
        """Rank, and permute the target until this number of shuffles is complete. An interrupted run keeps its
        shuffles.

        n_shuffles: in all, at least 1; None: `default_shuffles`.  Other arguments: those of `rank`.
        Yields the number of shuffles so far, 0 after the ranking.
        """
        if n_shuffles is not None:
            n_shuffles = whole("n_shuffles", n_shuffles, 1, MAX_SHUFFLES)
        Work(n_jobs, progress)  # raises for what is neither
        return self._shuffle(n_shuffles, self.request.work(n_jobs, progress))

    def result(self) -> Significance:
        """Significance by the shuffles so far; raises ValueError before the first."""
        if self._null is None or not self._null.n_shuffles:
            raise ValueError("there is no shuffled target yet: shuffle first")
        found, study = self._null.significance(self.request.table.shape[0]), self.request.study
        notes = (study.permutation, *found.notes) if study else found.notes
        notes = (WEIGHTS_STAY, *notes) if self.request.weights is not None else notes
        return replace(found, alone=self._alone, notes=notes)

    def _shuffle(self, n_shuffles: int | None, work: Work) -> Iterator[int]:
        from .alone import alone  # SciPy's statistics take a quarter of a second to import

        share = 0.0 if self.request.preparation else self.request.method.preparation(self.request.parameters)
        with work.part(0, share):
            self.request = _with_fixed_rows(self.request.prepare(work), work)
        request, begin, start = self.request, self.n_shuffles, clock()
        with work.part(share, 1):
            targets = self._targets(begin, n_shuffles, work)
            for number, scored in enumerate(request.method.for_targets(request.input(work), targets), begin):
                if request.study and request.study.needs_own_spread:
                    scored = replace(scored, mean=None, deviation=None)
                if self._null is None:
                    self._null = NullScores(scored, self._orders())
                    study = request.study
                    if (study is None or study.groups is None) and request.weights is None:
                        Z = study.Z if study and study.covariates else None
                        self._alone = alone(request.table, request.target, work, Z)
                    self.ranking = request.ranking(scored.found, clock() - start)
                elif number > begin:  # the first one is the true target again
                    self._null.add(scored)
                yield number
        work.finish()

    def _orders(self) -> float:
        """Number of different orders of the target, shuffled in its blocks."""
        target, known = self.request.target, np.flatnonzero(self.request.target.labelled)
        blocks = self.blocks
        if self.request.study:
            target, (known, blocks) = self.request.study.target, self.request.study.permutable
        labels: Any = target.inner.label_matrix
        columns = labels.tocsc() if sparse.issparse(labels) else target.inner.columns[0]
        return orders(columns[known], None if blocks is None else blocks[known])

    def _targets(self, begin: int, n_shuffles: int | None, work: Work) -> Iterator[Target]:
        """The true target, then shuffled ones, each in its part of the work."""
        for number in range(begin, MAX_SHUFFLES + 1):
            last = n_shuffles or self.default_shuffles
            if number > last:
                return
            parts = max(last - begin, 0) + 1
            with work.part((number - begin) / parts, (number - begin + 1) / parts):
                yield (self.request.shuffled(number - 1, self.blocks) if number > begin else self.request).target


def _with_fixed_rows(request: Request, work: Work) -> Request:
    """The same where convergence was to decide on the number of rows: as many as it takes with the true target."""
    if request.parameters.get("n_instances") != CONVERGE:
        return request
    parameters = {**request.parameters, "n_instances": request.rank(work).info["instances"]}
    return replace(request, parameters=parameters)


def _blocks(given: object, known: np.ndarray) -> np.ndarray:
    """Codes of the blocks of the rows that are used."""
    blocks = cells(given, "blocks")
    if blocks.ndim != 1 or len(blocks) != len(known):
        raise ValueError(f"blocks must have one value for each of the {len(known)} rows, not shape {blocks.shape}")
    return np.unique(blocks[known].astype(str), return_inverse=True)[1]
