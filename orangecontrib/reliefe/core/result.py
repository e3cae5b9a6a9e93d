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
    events: int
    censored: float
    auto: str
    instances: int
    final: bool
    convergence: list[list[float]]
    error_shares: list[list[float]]
    seconds: float
    summary: str
    warnings: list[str]
    information: list[str]
    # of methods that compare rows
    strategy: str | None
    diff: str
    precision: str
    approximate: list[str]
    k_median: float
    k_share: list[float]
    best_k: list[int]
    k_max: int
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
    gates: list[float]
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
    # of filters
    bandwidth: float | None
    components: int
    n_iter: int
    # of wrappers
    passes: int
    planned: int
    left: int
    removed_in: list[int]
    subset_size: int
    # of re-weighting
    change: float | None


@dataclass(frozen=True, eq=False)
class Ranking:
    """Ranking of p features: their scores, and how they came about.

    scores (p,): higher is better, never NaN.  ranking (p,): indices of the features, best first, ties by index.
    per_target (t, p): scores for each of several targets, or None.  parameters: all of them, info: what was done and
    found, both as plain literals.  names: of the features, where the data had any; targets: of several targets.
    order (p,): features in the order in which a wrapper removed them, the worst first, or None.
    significance: z, p and false discovery rates, where they were asked for.
    """

    scores: np.ndarray
    method: str
    parameters: dict[str, object] = field(default_factory=dict)
    info: Info = field(default_factory=Info)
    per_target: np.ndarray | None = None
    names: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    order: np.ndarray | None = None
    significance: "Significance | None" = None

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


NOMINAL = 0.05  # of tests of features alone that are no discoveries


@dataclass(frozen=True, eq=False)
class Significance:
    """Significance of the scores of p features: how far they stand out from those of shuffled targets.

    Parameters
    ----------
    z : ndarray, shape (p,)
        Scores less their mean over random orders of the values, in standard deviations; -inf for features that cannot
        differ.
    p : ndarray, shape (p,)
        Probability that a feature reaches this z if the target has nothing to do with the rows, in (0, 1]: the share
        of all features of all shuffled targets that do.
    q : ndarray, shape (p,)
        False discovery rate of taking all features down to this one (Benjamini and Hochberg), in (0, 1].
    family_wise : ndarray, shape (p,)
        Probability that any feature reaches this z (Westfall and Young), in (0, 1].
    own_p : ndarray, shape (p,)
        Probability that the feature reaches its score by its own shuffles alone, at least 1 / (n_shuffles + 1).
    n_shuffles : int
        Number of shuffled targets.
    smallest : float
        Smallest p that so many shuffles, and the different orders of the target, can show.
    closed_form : bool
        Whether the spread of the scores is known in closed form; else it comes from the shuffles.
    notes : tuple of str
        Remarks on p: how far it can be trusted.
    alone : ndarray, shape (p,), optional
        p-value of each feature in a test without the other features, for a target of classes or numbers.
    """

    z: np.ndarray
    p: np.ndarray
    q: np.ndarray
    family_wise: np.ndarray
    own_p: np.ndarray
    n_shuffles: int
    smallest: float
    closed_form: bool = True
    notes: tuple[str, ...] = ()
    alone: np.ndarray | None = None

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """z (NaN where there is none), p and q by these names."""
        return {"z": np.where(np.isfinite(self.z), self.z, np.nan), "p": self.p, "q": self.q}

    @property
    def kind(self) -> np.ndarray | None:
        """`kinds` at a false discovery rate of 10 %."""
        return self.kinds()

    def kinds(self, level: float = 0.1) -> np.ndarray | None:
        """Kinds of discoveries, with one false discovery rate over the p-values of scores and of features alone.

        Parameters
        ----------
        level : float
            False discovery rate in (0, 1).

        Returns
        -------
        ndarray of str, shape (p,), or None
            "alone": discovered by the test of the feature alone.  "only together": discovered by its score, and its
            own test does not reach p = .05.  "both": discovered by its score, and its own test reaches p = .05.
            "": not discovered.  None without tests of features alone.

        Raises
        ------
        TypeError, ValueError
            For a level that is no number between 0 and 1.
        """
        from scipy.stats import false_discovery_control

        level = _level(level)
        if self.alone is None:
            return None
        by_score, by_itself = np.split(false_discovery_control(np.concatenate([self.p, self.alone])) <= level, 2)
        seen = by_itself | (self.alone <= NOMINAL)
        return np.select([by_score & seen, by_score, by_itself], ["both", "only together", "alone"], "")

    def discoveries(self, level: float = 0.1) -> np.ndarray:
        """Indices of the features with q up to a level in (0, 1), the largest z first; some `level` of them are chance.

        Raises TypeError or ValueError for a level that is none.
        """
        level, order = _level(level), np.argsort(-self.z, kind="stable")
        return cast("np.ndarray", order[self.q[order] <= level])


def _level(level: float) -> float:
    level = number("level", level)
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level}")
    return level


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
