"""What a method makes of data."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class Ranking:
    """What a method makes of data: scores of p features, and how they came about.

    scores (p,): higher is better, never NaN.  ranking (p,): indices of the features, best first, ties by index.
    per_target (t, p): scores for each of several targets, or None.  parameters: all of them, info: what was done and
    found, both as plain literals.  names: of the features, where the data had any; targets: of several targets.
    """

    scores: np.ndarray
    method: str
    parameters: dict[str, object] = field(default_factory=dict)
    info: dict[str, object] = field(default_factory=dict)
    per_target: np.ndarray | None = None
    names: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None

    @property
    def ranking(self) -> np.ndarray:
        return np.argsort(-self.scores, kind="stable")

    def select(self, n: int) -> np.ndarray:
        """Indices of the n best features, best first."""
        return self.ranking[: max(int(n), 0)]

    def above(self, threshold: float) -> np.ndarray:
        """Indices of the features with at least this score, best first; see `tau_max` for a threshold."""
        order = self.ranking
        return order[self.scores[order] >= threshold]


@dataclass(frozen=True, eq=False)
class NullLevel:
    """What scores tell nothing.

    level: the largest score that any feature reached with a shuffled target; maxima (n_shuffles,): of each shuffle.
    chance: how probable a score above the level is in data without a relevant feature, 1 / (shuffles + 1).
    """

    level: float
    maxima: np.ndarray
    chance: float


def tau_max(alpha: float, m: int) -> float:
    """Largest sensible relevance threshold 1 / sqrt(alpha m) of Kira and Rendell (1992).

    alpha in (0, 1]: accepted probability of taking an irrelevant feature; m >= 1: target rows.  By Chebyshev's
    inequality, so very cautious, and derived for plain Relief only.  Raises ValueError outside these ranges.
    """
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha must be above 0 and at most 1, not {alpha}")
    if m < 1:
        raise ValueError(f"m must be at least 1, not {m}")
    return float(1 / np.sqrt(alpha * m))
