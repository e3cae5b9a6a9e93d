"""Test of a ranking against rankings of permuted targets, to which more permutations can be added.

`SignificanceTest` is exported by `core`, and `core.significance` runs it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ..chance import Significance
from ..checked_call import check_call
from ..checks import whole
from ..data.arrays import cells
from ..kernels.compilation import clock
from ..methods.base import CONVERGE
from ..request import Request
from ..result import Ranking
from ..targets.facts import no_p_values
from ..targets.tasks import UNSUPERVISED
from ..words import counted
from ..work.threads import Progress, Work
from .null_scores import NullScores
from .target_orders import orders

ORDER_OF_GROUPS = "groups are ordered by z, as scores of groups of few features vary more"
WEIGHTS_MOVE = "targets are permuted together with their weights"
MIN_DEFAULT = 20  # permuted targets by default, for many features
MAX_DEFAULT = 199  # for few features
POOL_SIZE = 2000  # scores for permuted targets that make p fine enough
MIN_FOR_OWN_SPREAD = 50  # permuted targets where the spread of a score is known from them alone
MAX_SHUFFLES = 10**6


@dataclass(eq=False, repr=False)
class SignificanceTest:
    """Test of the scores of one request against those of permuted targets.

    request: for the ranking that is tested.
    blocks (n,): codes within which rows are permuted; None: all rows are exchangeable.
    ranking: that of the true target; None before `shuffle`.
    null_scores: class that collects the scores for permuted targets.
    """

    request: Request
    blocks: np.ndarray | None = None
    ranking: Ranking | None = None
    null_scores: type[NullScores] = NullScores
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

        Returns
        -------
        SignificanceTest

        Raises
        ------
        ValueError
            Without a target, for blocks beside groups or covariates, and where `rank` raises it.
        """
        return cls.for_request(check_call(X, y, method, unadjusted=True, **options), blocks)

    @classmethod
    def for_request(cls, request: Request, blocks: object = None) -> "SignificanceTest":
        """Make the test of a request that is checked; `blocks` and errors are those of `of`."""
        if request.target.task == UNSUPERVISED:
            raise ValueError(no_p_values())
        if blocks is not None and request.study:
            raise ValueError("blocks and groups, or covariates, exclude each other: both say how targets are permuted")
        return cls(request, None if blocks is None else _blocks(blocks, request.is_ranked))

    def __repr__(self) -> str:
        n = self.request.table.shape[0]
        items = counted(self.request.n_items, self.request.noun)
        return f"SignificanceTest({self.request.method.name}, {n} rows, {items}, {self.n_shuffles} shuffles)"

    @property
    def n_shuffles(self) -> int:
        """Number of permuted targets so far."""
        return self._null.n_shuffles if self._null else 0

    @property
    def recorded(self) -> NullScores | None:
        """Scores for the permuted targets so far; None before `shuffle`."""
        return self._null

    @property
    def default_shuffles(self) -> int:
        """Number of permuted targets by default: 20 to 199, more for few features.

        It is at least 50 if the standard deviation of scores has no closed form, known after the first ranking.
        """
        p = self.request.n_items
        n_shuffles = int(np.clip(np.ceil(POOL_SIZE / p), MIN_DEFAULT, MAX_DEFAULT))
        if self._null is not None and self._null.pool is None:
            return max(n_shuffles, MIN_FOR_OWN_SPREAD)
        return n_shuffles

    def shuffle(
        self,
        n_shuffles: int | None = None,
        *,
        n_jobs: int | None = None,
        progress: Progress = None,
    ) -> Iterator[int]:
        """Rank, and permute the target until this number of permutations is complete.

        An interrupted run keeps its permuted targets.

        Parameters
        ----------
        n_shuffles : int, optional
            Number of permuted targets in all, at least 1; None: `default_shuffles`.
        n_jobs, progress
            As in `rank`.

        Yields
        ------
        int
            Number of permuted targets so far, 0 after the ranking.

        Raises
        ------
        TypeError, ValueError
            For a number of permutations below 1, and for values of `n_jobs` or `progress` that `rank` refuses.
        """
        if n_shuffles is not None:
            n_shuffles = whole("n_shuffles", n_shuffles, 1, MAX_SHUFFLES)
        Work(n_jobs, progress)  # raises for what is neither
        return self._shuffle(n_shuffles, self.request.work(n_jobs, progress))

    def result(self) -> Significance:
        """Judge the scores by the permuted targets so far.

        Returns
        -------
        Significance

        Raises
        ------
        ValueError
            Before the first permuted target.
        """
        if self._null is None or not self._null.n_shuffles:
            raise ValueError("there is no permuted target yet: call shuffle first")
        significance = self._null.significance(self.request.table.shape[0])
        notes = significance.notes
        if self.request.study:
            notes = (self.request.study.permutation, *notes)
        if self.request.weights is not None:
            notes = (WEIGHTS_MOVE, *notes)
        if self.request.ranks_groups:
            notes = (*notes, ORDER_OF_GROUPS)
        return replace(significance, alone=self._alone, notes=notes)

    def _shuffle(self, n_shuffles: int | None, work: Work) -> Iterator[int]:
        """Run `shuffle` with arguments that are checked."""
        # What depends on the true target, or on the rows alone
        share = 0.0 if self.request.preparation else self.request.method.preparation(self.request.parameters)
        with work.part(0, share):
            self.request = _with_fixed_rows(self.request.prepare(work), work)

        # Scores for the true target, then for permuted ones
        request = self.request
        begin = self.n_shuffles
        start = clock()
        with work.part(share, 1):
            numbers = self._numbers(begin, n_shuffles, work)
            for number, scored in enumerate(request.permuted_results(numbers, work, self.blocks), begin):
                if self._null is None:
                    self._null = self.null_scores(scored, self._orders(), noun=self.request.noun)
                    self._alone = _tests_alone(request, work)
                    self.ranking = request.ranking(scored.result, clock() - start)
                elif number > begin:  # the first one is the true target again
                    self._null.add(scored)
                yield number
        work.finish()

    def _orders(self) -> float:
        """Count the different orders of the target, and of its weights, permuted in its blocks."""
        target = self.request.target
        rows = np.flatnonzero(target.labelled)
        blocks = self.blocks
        weights = self.request.weights
        if self.request.study:
            rows, blocks = self.request.study.permutable
            if weights is not None:
                weights = self.request.study.unit_weights(weights[target.labelled])
            target = self.request.study.target
        labels: Any = target.inner.label_matrix
        columns = labels.tocsc() if sparse.issparse(labels) else target.inner.columns[0]
        if weights is not None:  # rows of one target differ by their weights
            columns = sparse.csc_array(sparse.hstack([sparse.csc_array(columns), sparse.csc_array(weights[:, None])]))
        return orders(columns[rows], None if blocks is None else blocks[rows])

    def _numbers(self, begin: int, n_shuffles: int | None, work: Work) -> Iterator[int | None]:
        """Yield None for the true target, then the numbers of permuted ones, each in its share of the work."""
        for number in range(begin, MAX_SHUFFLES + 1):
            last = n_shuffles or self.default_shuffles
            if number > last:
                return
            n_targets = max(last - begin, 0) + 1
            with work.part((number - begin) / n_targets, (number - begin + 1) / n_targets):
                yield number - 1 if number > begin else None


def _tests_alone(request: Request, work: Work) -> np.ndarray | None:
    """Test the features alone, p-values (p,); None for groups and weights of rows, which these tests do not have.

    Nor do they have groups of features.
    """
    from .alone import alone  # SciPy's statistics take a quarter of a second to import

    study = request.study
    if request.weights is not None or request.ranks_groups or (study is not None and study.groups is not None):
        return None
    Z = study.Z if study is not None and study.covariates else None
    return alone(request.table, request.target, work, Z)


def _with_fixed_rows(request: Request, work: Work) -> Request:
    """Replace convergence by the number of rows that it takes for the true target, so that permuted ones have as many.

    Other requests are returned as they are.
    """
    if request.parameters.get("n_instances") != CONVERGE:
        return request
    parameters = {**request.parameters, "n_instances": request.rank(work).info["instances"]}
    return replace(request, parameters=parameters)


def _blocks(blocks: object, is_used: np.ndarray) -> np.ndarray:
    """Codes of the blocks of the rows that are used, of a mask (rows,) of the caller's rows."""
    values = cells(blocks, "blocks")
    if values.ndim != 1 or len(values) != len(is_used):
        raise ValueError(f"blocks must have one value for each of the {len(is_used)} rows, not shape {values.shape}")
    return np.unique(values[is_used].astype(str), return_inverse=True)[1]
