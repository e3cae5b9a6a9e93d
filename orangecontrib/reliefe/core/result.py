"""Results: a ranking with what was done for it, and the level that chance reaches."""

from dataclasses import dataclass, field
from typing import TypedDict, cast

import numpy as np

from .checks import number, whole


class Info(TypedDict, total=False):
    """Choices and figures of a ranking, as plain literals; each method fills in those that concern it.

    The page on scripts explains every key.
    """

    # of every ranking
    task: str
    rows: int
    missing: float
    classes: int
    labels: int
    targets: int
    auto: str
    instances: int
    final: bool
    convergence: list[list[float]]
    seconds: float
    summary: str
    warnings: list[str]
    information: list[str]
    # of methods that compare rows
    strategy: str | None
    precision: str
    approximate: list[str]
    k_median: float
    k_share: list[float]
    skipped: float
    # of ReliefE
    embedding: str
    dimension: int | None
    dimension_estimate: float | None
    representatives: int
    density_before: float | None
    density_after: float | None
    # where some rows have no target
    labelled: int
    labelled_per_target: list[int]
    n_neighbors: int
    w0: float
    w1: float
    nearest: list[object] | None
    tuning: list[list[float]] | None
    # of boosted and learned-space Relief
    rounds: list[dict[str, float]]
    selected: list[int]
    stopped: int
    gain: list[float]
    null_gain: list[float]
    weights: list[float]
    candidates: int
    # of ensembles of trees
    trees: int
    asked: int | str
    ensemble: str
    score: str
    supervision: float
    permuted: bool
    standard_errors: list[float]
    tested: float
    error: float | None
    has_converged: bool


@dataclass(frozen=True, eq=False)
class Ranking:
    """Ranking of p features: their scores, and how they came about.

    scores (p,): higher is better, never NaN.  ranking (p,): indices of the features, best first, ties by index.
    per_target (t, p): scores for each of several targets, or None.  parameters: all of them, info: what was done and
    found, both as plain literals.  names: of the features, where the data had any; targets: of several targets.
    order (p,): features in the order in which a wrapper removed them, the worst first, or None.
    """

    scores: np.ndarray
    method: str
    parameters: dict[str, object] = field(default_factory=dict)
    info: Info = field(default_factory=Info)
    per_target: np.ndarray | None = None
    names: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    order: np.ndarray | None = None

    @property
    def ranking(self) -> np.ndarray:
        return np.argsort(-self.scores, kind="stable")

    def select(self, n: int) -> np.ndarray:
        """Indices of the n best features, best first.  Raises TypeError for an n that is no integer."""
        return self.ranking[: min(max(whole("n", n), 0), len(self.scores))]

    def above(self, threshold: float) -> np.ndarray:
        """Indices of the features with at least this score, best first; see `tau_max` for a threshold.

        Raises TypeError for a threshold that is no number.
        """
        threshold = number("threshold", threshold)
        order = self.ranking
        return cast("np.ndarray", order[self.scores[order] >= threshold])


@dataclass(frozen=True, eq=False)
class NullLevel:
    """Score that irrelevant features reach by chance, from rankings of shuffled targets.

    level: the largest score that any feature reached with a shuffled target; maxima (n_shuffles,): of each shuffle.
    chance: how probable a score above the level is in data without a relevant feature, 1 / (shuffles + 1).
    """

    level: float
    maxima: np.ndarray
    chance: float


def tau_max(alpha: float, m: float) -> float:
    """Largest sensible relevance threshold 1 / sqrt(alpha m) of Kira and Rendell (1992).

    alpha in (0, 1]: accepted probability of taking an irrelevant feature; m >= 1: target rows.  By Chebyshev's
    inequality, so very cautious, and derived for plain Relief only.  Raises ValueError outside these ranges.
    """
    alpha, m = number("alpha", alpha), number("m", m)
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha must be above 0 and at most 1, not {alpha}")
    if not m >= 1:
        raise ValueError(f"m must be at least 1, not {m}")
    return float(1 / np.sqrt(alpha * m))
