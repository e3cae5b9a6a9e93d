"""Statistical tests between rankings: pairs on one data set, mean ranks and a posterior over several."""

from dataclasses import dataclass

import numpy as np

from ..jobs.progress import reporter
from .data_sets import DataSets
from .quality import AREA

MIN_FOLDS = 2  # for a t-test
MIN_METHODS = 2
LEAST_SETS = 2  # for a posterior
FRIEDMAN_METHODS = 3
LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class Pairs:
    """Rankings by their mean, best first, and their differences.  titles (k,); means (k,); differences: by (i, j),
    i != j, the core's `Difference` of ranking i and j; m: folds."""

    titles: tuple[str, ...]
    means: np.ndarray
    differences: dict
    m: int
    higher_is_better: bool


@dataclass(frozen=True, eq=False)
class MeanRanks:
    """titles (k,); diagram: the core's `RankDiagram`; p_value: of Friedman's test, NaN of two rankings; n: data
    sets, or folds of one if not independent."""

    titles: tuple[str, ...]
    diagram: object
    p_value: float
    n: int
    independent: bool


@dataclass(frozen=True, eq=False)
class Posterior:
    """found: the core's `Hierarchical` of two rankings on q data sets, m folds each."""

    first: str
    second: str
    rope: float
    at: int
    found: object
    q: int
    m: int


def too_few(sets: DataSets, test: str) -> str:
    """Reason why a test ("pairs", "ranks" or "posterior") is not possible; empty if it is."""
    if not sets.qualities:
        return "The statistics appear here when the view Quality has measured the rankings"
    if len(sets.titles) < MIN_METHODS:
        return "Two rankings are needed; " + (
            "only this one is known on all data: " + sets.titles[0] if sets.titles else "none is known on all data"
        )
    n_folds = len(sets.folds())
    if test == "posterior":
        known = sum(len(quality.whole) > 2 for quality in sets.qualities)
        if known < LEAST_SETS:
            return (
                "The hierarchical test needs at least two data sets, better five. Connect evaluations of other data "
                "sets.\n"
            )
    elif len(sets.qualities) == 1 and n_folds < MIN_FOLDS:
        return f"The test needs at least two folds in which all rankings are known; so far: {n_folds}"
    return ""


def pairs_of(sets: DataSets, at: int = AREA, rope: float = 0.0) -> Pairs | None:
    """All pairs of rankings on the last data set, by the corrected resampled t-test; None of fewer than two folds."""
    from ...core.evaluation import corrected_t

    scores, quality = sets.folds(at), sets.qualities[-1]
    if len(scores) < MIN_FOLDS:
        return None
    sign = 1 if quality.higher_is_better else -1
    order = np.argsort(-sign * scores.mean(axis=0), kind="stable")
    scores, k = scores[:, order], len(order)
    differences = {
        (i, j): corrected_t(scores[:, i], scores[:, j], quality.n_folds, rope, quality.higher_is_better)
        for i in range(k)
        for j in range(k)
        if i != j
    }
    titles = tuple(sets.titles[i] for i in order)
    return Pairs(titles, scores.mean(axis=0), differences, len(scores), quality.higher_is_better)


def mean_ranks(sets: DataSets, at: int = AREA) -> MeanRanks | None:
    """Mean ranks over the data sets; of one data set over its folds, which are not independent.  None of fewer than two
    of either."""
    from ...core.evaluation import average_ranks, critical_difference, friedman, rank_diagram

    several = len(sets.qualities) > 1
    scores = sets.means(at) if several else sets.folds(at)
    n, k = scores.shape
    if n < LEAST_SETS:
        return None
    ranks = average_ranks(scores, sets.higher_is_better)
    p_value = friedman(scores, sets.higher_is_better).p_value if k >= FRIEDMAN_METHODS else float("nan")
    diagram = rank_diagram(ranks, critical_difference(k, n, LEVEL))
    return MeanRanks(sets.titles, diagram, p_value, n, several)


def posterior(sets: DataSets, first: str, second: str, at: int, rope: float, state) -> Posterior | None:
    """The hierarchical test of two rankings; None if too few data sets have three folds in which both are known."""
    state.set_status(f"{first} and {second}: sampling the posterior")
    from ...core.evaluation import hierarchical_t

    a, b, n_folds = sets.pairs(first, second, at)
    if len(a) < LEAST_SETS:
        return None
    found = hierarchical_t(a, b, n_folds, rope, sets.higher_is_better, progress=reporter(state, most=100))
    return Posterior(first, second, rope, at, found, *a.shape)
