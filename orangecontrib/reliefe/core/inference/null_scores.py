"""Scores for permuted targets, from which p-values and false discovery rates follow.

`significance.py` adds one result after another; `orange/jobs/scorer_job.py` does so for Orange's own scorers.
"""

from dataclasses import dataclass, field

import numpy as np

from ..chance import Significance
from ..methods.base import TargetResult
from ..words import counted
from .null_pool import EQUAL, Pool, pooled_by_own_spread, ratio_where

MIN_ROWS = 4  # fewer have no spread
MIN_FEATURES = 20  # fewer should not be judged by each other
ADVICE_FOR_FEW = "own_p counts each alone"


@dataclass
class NullScores:
    """Scores for permuted targets, beside that of the true one.

    true: result for the true target.
    orders: number of different orders of the target: no p is below its inverse.
    n_shuffles: number of permuted targets.
    n_reaching (p,): for each feature, number of permuted targets for which it scores at least as high as for the true
        target.
    pool: scores that are standardised by the closed form of the spread; None where there is none.
    permuted: scores (p,) for each permuted target, stored where there is no closed form.
    noun: word for what has a score, for messages.
    """

    true: TargetResult
    orders: float = np.inf
    n_shuffles: int = 0
    n_reaching: np.ndarray = field(init=False)
    pool: Pool | None = field(init=False)
    permuted: list[np.ndarray] = field(default_factory=list)
    noun: str = "feature"

    def __post_init__(self) -> None:
        """Begin without permuted targets."""
        z = standardised(self.true)
        self.pool = None if z is None else Pool(z)
        self.n_reaching = np.zeros(len(self.true.result.scores), np.int64)

    def add(self, scored: TargetResult) -> None:
        """Take the result for one more permuted target."""
        scores = scored.result.scores
        z = standardised(scored)
        true_scores = self.true.result.scores
        self.n_reaching += scores >= true_scores - EQUAL * np.abs(true_scores).max()
        self.n_shuffles += 1
        if self.pool is not None and z is not None:
            self.pool.add(z)
        else:
            self.permuted.append(scores)

    def significance(self, n: int) -> Significance:
        """Judge the scores of n rows by the permuted targets so far, at least one.

        With the pool of all z of all features for permuted targets,

            p = (1 + number in the pool that reach z) / (1 + size of the pool),

        and no p-value is below the inverse of the number of different orders of the target.
        """
        from scipy.stats import false_discovery_control

        p = len(self.n_reaching)
        true_scores = self.true.result.scores
        pool = self.pool
        if pool is None:
            pool = pooled_by_own_spread(true_scores, np.array(self.permuted).reshape(-1, p))
        z = pool.z if self.orders > 1 else np.full(p, -np.inf)
        has_test = np.isfinite(z) & (n >= MIN_ROWS)
        maxima = np.sort(pool.maxima)
        n_reaching_maxima = len(maxima) - np.searchsorted(maxima, z)

        def bounded(p_values: np.ndarray) -> np.ndarray:
            """Lift p-values (p,) to the least that the orders of the target allow; 1 where there is no test."""
            return np.where(has_test, np.maximum(p_values, 1 / self.orders), 1.0)

        p_values = bounded((1 + pool.reached) / (1 + pool.size))
        smallest = max(1 / (1 + pool.size), 1 / self.orders) if has_test.any() else 1.0
        return Significance(
            z,
            p_values,
            false_discovery_control(p_values),
            family_wise=bounded((1 + n_reaching_maxima) / (1 + len(maxima))),
            own_p=bounded((1 + self.n_reaching) / (1 + self.n_shuffles)),
            n_shuffles=self.n_shuffles,
            smallest=smallest,
            closed_form=self.pool is not None,
            notes=tuple(self._notes(n, pool.size, bool(has_test.any()))),
        )

    def _notes(self, n: int, size: int, has_test: bool) -> list[str]:
        """Say how far p-values of n rows, from a pool of some size, can be trusted."""
        p = len(self.n_reaching)
        if n < MIN_ROWS:
            return [f"{counted(n, 'row')} are too few for a test: all p are 1"]
        if self.orders == 1:
            return ["rows that are permuted together have the same target, which no permutation changes: all p are 1"]
        if not has_test:
            return ["no score differs from those of permuted targets: all p are 1"]
        notes: list[str] = []
        if p < MIN_FEATURES:
            notes.append(f"p compares {counted(p, self.noun)} with each other, which are few: {ADVICE_FOR_FEW}")
        if self.orders <= size:
            notes.append(
                f"the target has only {self.orders:,.0f} different orders: no p is below {1 / self.orders:.2g}"
            )
        return notes


def standardised(scored: TargetResult) -> np.ndarray | None:
    """Standardise scores (p,): subtract their mean over random orders, and divide by their deviation.

    They are -inf for constant features.  None is returned where mean and deviation have no closed form.
    """
    if scored.mean is None or scored.deviation is None:
        return None
    return ratio_where(scored.result.scores - scored.mean, scored.deviation, scored.deviation > 0)
