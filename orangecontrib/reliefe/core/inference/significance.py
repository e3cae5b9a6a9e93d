"""Test of a ranking against rankings of shuffled targets, to which more shuffles can be added: z, p and q."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse

from ..checks import whole
from ..data.arrays import cells
from ..methods.base import CONVERGE, Scored
from ..request import Request, clock
from ..result import Ranking, Significance
from ..targets.targets import UNSUPERVISED, Target
from ..words import counted
from ..work.threads import Progress, Work

MIN_ROWS = 4  # fewer have no spread
MIN_SHUFFLES = 3  # fewer have no spread of their own
MIN_FEATURES = 20  # fewer should not be judged by each other
OWN = "own_p counts each alone"
EQUAL = 1e-9  # share by which scores that are equal may differ, as shuffles are added up together
ROUNDING = 1e-12  # share of the scores below which a deviation is rounding
ENOUGH, MAX_LOG = 40.0, 700.0  # logarithms of more orders than all shuffles can count, and than a number can hold


@dataclass
class Pool:
    """Standardised scores of all features in shuffled targets, counted against the true ones."""

    z: np.ndarray  # (p,): true scores in units of their spread, -inf where there is none
    # (p,): numbers of standardised scores of shuffled targets that are at least as large
    reached: np.ndarray = field(init=False)
    size: int = 0  # number of them in all
    maxima: list[float] = field(default_factory=list)  # largest one of each shuffle

    def __post_init__(self) -> None:
        self.reached = np.zeros(len(self.z), np.int64)

    def add(self, z: np.ndarray) -> None:
        """Count the standardised scores (p,) of one shuffled target."""
        null = np.sort(z[np.isfinite(z)])
        self.reached += len(null) - np.searchsorted(null, self.z - EQUAL * np.abs(self.z))
        self.size += len(null)
        self.maxima.append(float(null[-1]) if len(null) else -np.inf)


@dataclass
class NullScores:
    """Scores of shuffled targets."""

    true: Scored  # result for the true target
    orders: float = np.inf  # number of different orders of the target: no p is below its inverse
    n_shuffles: int = 0  # number of shuffled targets
    # (p,): numbers of shuffles in which a feature scores at least as high as by the true target
    own: np.ndarray = field(init=False)
    pool: Pool | None = field(init=False)  # standardised by the closed form of the spread; None where there is none
    shuffled: list[np.ndarray] = field(default_factory=list)  # (p,): scores of each shuffle, kept where there is none

    def __post_init__(self) -> None:
        z = standardised(self.true)
        self.pool = None if z is None else Pool(z)
        self.own = np.zeros(len(self.true.found.scores), np.int64)

    def add(self, scored: Scored) -> None:
        """Take the result for one more shuffled target."""
        scores, z = scored.found.scores, standardised(scored)
        true = self.true.found.scores
        self.own += scores >= true - EQUAL * np.abs(true).max()
        self.n_shuffles += 1
        if self.pool is not None and z is not None:
            self.pool.add(z)
        else:
            self.shuffled.append(scores)

    def significance(self, n: int) -> Significance:
        """Significance of the scores of n rows by the shuffles so far, at least one."""
        from scipy.stats import false_discovery_control

        p, B = len(self.own), self.n_shuffles
        pool = self.pool or pooled_by_own_spread(self.true.found.scores, np.array(self.shuffled).reshape(-1, p))
        z = pool.z if self.orders > 1 else np.full(p, -np.inf)
        some = np.isfinite(z) & (n >= MIN_ROWS)
        p_values, own = (1 + pool.reached) / (1 + pool.size), (1 + self.own) / (1 + B)
        maxima = np.sort(pool.maxima)
        family_wise = (1 + len(maxima) - np.searchsorted(maxima, z)) / (1 + len(maxima))
        shares = (np.maximum(values, 1 / self.orders) for values in (p_values, family_wise, own))
        p_values, family_wise, own = (np.where(some, values, 1.0) for values in shares)
        smallest = max(1 / (1 + pool.size), 1 / self.orders) if some.any() else 1.0
        notes = tuple(self._notes(n, pool.size, bool(some.any())))
        q = false_discovery_control(p_values)
        return Significance(z, p_values, q, family_wise, own, B, smallest, self.pool is not None, notes)

    def _notes(self, n: int, size: int, some: bool) -> list[str]:
        p = len(self.own)
        if n < MIN_ROWS:
            return [f"{counted(n, 'row')} are too few for a test: all p are 1"]
        if self.orders == 1:
            return ["all rows that are shuffled together have the same target, which no shuffle changes: all p are 1"]
        if not some:
            return ["no score differs from those of shuffled targets: all p are 1"]
        few = [f"p compares {counted(p, 'feature')} with each other, which are few: {OWN}"] * (p < MIN_FEATURES)
        if self.orders <= size:
            few.append(f"the target has only {self.orders:,.0f} different orders: no p is below {1 / self.orders:.2g}")
        return few


def orders(columns: Any, blocks: np.ndarray | None = None) -> float:
    """Number of different orders of the targets of n rows, or many where there are more than can be counted.

    columns: (n, t), dense or CSC, equal where rows are.  blocks: (n,) codes, within which rows are shuffled.
    """
    from scipy.special import gammaln

    together = np.zeros(columns.shape[0], np.int64) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    equal, logarithm = together, 0.0
    for j in range(columns.shape[1]):
        column = columns[:, [j]]
        codes = np.unique(column.toarray() if sparse.issparse(column) else column, return_inverse=True)[1].ravel()
        equal = np.unique(equal * len(codes) + codes, return_inverse=True)[1]
        logarithm = gammaln(np.bincount(together) + 1).sum() - gammaln(np.bincount(equal) + 1).sum()
        if logarithm > ENOUGH:
            break
    return float(np.rint(np.exp(min(logarithm, MAX_LOG))))


def pooled_by_own_spread(scores: np.ndarray, shuffled: np.ndarray) -> Pool:
    """Pool standardised by mean and deviation of each feature's own shuffles, every shuffle against the rest.

    A shuffled score must not be standardised by numbers that contain it: that alone makes a false discovery rate of
    .10 one of .17 to .70.

    Shapes: `scores` (p,); `shuffled` (B, p).
    """
    B, p = shuffled.shape
    if B < MIN_SHUFFLES:
        return Pool(np.full(p, -np.inf))
    mean = shuffled.mean(axis=0)
    squares = ((shuffled - mean) ** 2).sum(axis=0)
    deviation = np.sqrt(squares / (B - 1))
    varies = deviation > ROUNDING * np.abs(shuffled).max(axis=0)
    pool = Pool(_ratio(scores - mean, deviation * np.sqrt(1 + 1 / B), varies))
    for one in shuffled:
        distance = (one - mean) * B / (B - 1)  # from the mean of the rest
        rest = np.sqrt(np.maximum(squares - distance**2 * (B - 1) / B, 0) / (B - 2))
        pool.add(_ratio(distance, rest * np.sqrt(1 + 1 / (B - 1)), varies & (rest > 0)))
    return pool


def standardised(scored: Scored) -> np.ndarray | None:
    """Scores (p,) less their mean over random orders, over their deviation: -inf for constant features; None where
    there is no closed form."""
    if scored.mean is None or scored.deviation is None:
        return None
    return _ratio(scored.found.scores - scored.mean, scored.deviation, scored.deviation > 0)


def _ratio(a: np.ndarray, b: np.ndarray, where: np.ndarray) -> np.ndarray:
    return np.where(where, a / np.where(where, b, 1), -np.inf)


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
