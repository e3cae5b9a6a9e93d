"""Chances of features to be among the best, from rankings of samples of the rows."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..checks import whole
from ..data.arrays import floats


@dataclass(frozen=True, eq=False)
class TopChances:
    """Chances of features to be among the best.

    ``TopChances.of(scores)(10)`` is the probability of each feature to be among the 10 best.

    Attributes
    ----------
    above : (m, p) array
        Number of features that are better, in each of m rankings.
    level : (m, p) array
        Number of features that are equally good, itself among them.
    """

    above: np.ndarray
    level: np.ndarray

    @classmethod
    def of(cls, scores: object) -> "TopChances":
        """Count places in m rankings of scores (m, p), higher is better, unknown ones (NaN) are last."""
        from scipy.stats import rankdata

        scores = floats(scores, "scores")
        if scores.ndim != 2 or not scores.size:
            raise ValueError(f"scores must be (rankings, features), at least one of each, not of shape {scores.shape}")
        falling = np.where(np.isnan(scores), np.inf, -scores)
        first, last = (rankdata(falling, method=method, axis=-1).astype(np.int32) for method in ("min", "max"))
        return cls(first - 1, last - first + 1)

    def joined(self, other: "TopChances") -> "TopChances":
        """Join the counts of the rankings of both; the features are the same."""
        return TopChances(np.concatenate([self.above, other.above]), np.concatenate([self.level, other.level]))

    def __len__(self) -> int:
        return len(self.above)

    def __call__(self, n_best: int) -> np.ndarray:
        """Compute the share (p,) of the rankings that have each feature among their n_best.

        Features that tie for the last places count by their chance.
        """
        n_best = min(whole("n_best", n_best, 0), self.above.shape[1])
        return cast("np.ndarray", np.clip((n_best - self.above) / self.level, 0, 1).mean(axis=0))
