"""Statistical tests between rankings: pairs on one data set, mean ranks and a posterior over several data sets.

The statistics view of *Ranking Comparison* calls them with its `DataSets`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..jobs.progress import reporter
from .data_sets import DataSets
from .quality import AREA

if TYPE_CHECKING:
    from ...core.evaluation import Difference, Hierarchical, RankDiagram

MIN_FOLDS = 2  # for a t-test
MIN_FOLDS_OF_SET = 3  # for a posterior
MIN_RANKINGS = 2
MIN_SETS = 2  # for a posterior, and for mean ranks
FRIEDMAN_RANKINGS = 3  # from which Friedman's test is possible
LEVEL = 0.05  # of the critical difference


@dataclass(frozen=True, eq=False)
class Pairs:
    """Differences of all pairs of rankings on one data set.

    Attributes
    ----------
    titles : tuple of str
        Titles of the k rankings, the best first.
    means : (k,) float64 array
        Their mean results.
    differences : dict of (int, int) to Difference
        Differences of rankings i and j, i != j.
    m : int
        Number of folds.
    higher_is_better : bool
        Whether higher results are better.
    """

    titles: tuple[str, ...]
    means: np.ndarray
    differences: dict[tuple[int, int], "Difference"]
    m: int
    higher_is_better: bool


@dataclass(frozen=True, eq=False)
class MeanRanks:
    """Mean ranks of rankings.

    Attributes
    ----------
    titles : tuple of str
        Titles of the k rankings.
    diagram : RankDiagram
        Mean ranks and the critical difference.
    p_value : float
        p-value of Friedman's test; NaN for two rankings.
    n : int
        Number of data sets, or of folds of one.
    independent : bool
        Whether they are data sets.
    """

    titles: tuple[str, ...]
    diagram: "RankDiagram"
    p_value: float
    n: int
    independent: bool


@dataclass(frozen=True, eq=False)
class Posterior:
    """Hierarchical test of two rankings.

    Attributes
    ----------
    first, second : str
        Titles of the rankings.
    rope : float
        Difference up to which rankings are practically equivalent.
    at : int
        Number of features, or `AREA`.
    found : Hierarchical
        The posterior.
    q : int
        Number of data sets.
    m : int
        Number of folds of each.
    """

    first: str
    second: str
    rope: float
    at: int
    found: "Hierarchical"
    q: int
    m: int


def too_few(sets: DataSets, test: str) -> str:
    """Return the reason why a test, "pairs", "ranks" or "posterior", is not possible; empty if it is."""
    if not sets.qualities:
        return "The statistics appear here when the view Quality has measured the rankings"
    if len(sets.titles) < MIN_RANKINGS:
        known = f"only this one is known on all data: {sets.titles[0]}" if sets.titles else "none is known on all data"
        return f"Two rankings are needed; {known}"
    n_folds = len(sets.folds())
    if test == "posterior":
        n_sets = sum(len(quality.whole) >= MIN_FOLDS_OF_SET for quality in sets.qualities)
        if n_sets < MIN_SETS:
            return (
                "The hierarchical test needs at least two data sets, better five. Connect evaluations of other data "
                "sets.\n"
            )
    elif len(sets.qualities) == 1 and n_folds < MIN_FOLDS:
        return f"The test needs at least two folds in which all rankings are known; so far: {n_folds}"
    return ""


def pairs_of(sets: DataSets, at: int = AREA, rope: float = 0.0) -> Pairs | None:
    """Compare all pairs of rankings on the last data set by the corrected resampled t-test.

    Parameters
    ----------
    sets : DataSets
        Evaluations.
    at : int
        Number of features, or `AREA`.
    rope : float
        Difference up to which rankings are practically equivalent.

    Returns
    -------
    Pairs or None
        The differences. None with fewer than two folds.
    """
    from ...core.evaluation import corrected_t

    scores = sets.folds(at)
    quality = sets.qualities[-1]
    if len(scores) < MIN_FOLDS:
        return None
    sign = 1 if quality.higher_is_better else -1
    order = np.argsort(-sign * scores.mean(axis=0), kind="stable")
    scores = scores[:, order]
    k = len(order)
    differences = {
        (i, j): corrected_t(scores[:, i], scores[:, j], quality.n_folds, rope, quality.higher_is_better)
        for i in range(k)
        for j in range(k)
        if i != j
    }
    titles = tuple(sets.titles[i] for i in order)
    return Pairs(titles, scores.mean(axis=0), differences, len(scores), quality.higher_is_better)


def mean_ranks(sets: DataSets, at: int = AREA) -> MeanRanks | None:
    """Compute mean ranks over data sets, or over the folds of one, which are not independent.

    Parameters
    ----------
    sets : DataSets
        Evaluations.
    at : int
        Number of features, or `AREA`.

    Returns
    -------
    MeanRanks or None
        The ranks. None with fewer than two data sets or folds.
    """
    from ...core.evaluation import average_ranks, critical_difference, friedman, rank_diagram

    has_several_sets = len(sets.qualities) > 1
    scores = sets.means(at) if has_several_sets else sets.folds(at)
    n, k = scores.shape
    if n < MIN_SETS:
        return None
    ranks = average_ranks(scores, sets.higher_is_better)
    p_value = friedman(scores, sets.higher_is_better).p_value if k >= FRIEDMAN_RANKINGS else float("nan")
    diagram = rank_diagram(ranks, critical_difference(k, n, LEVEL))
    return MeanRanks(sets.titles, diagram, p_value, n, has_several_sets)


def posterior(sets: DataSets, first: str, second: str, at: int, rope: float, state: Any) -> Posterior | None:
    """Test two rankings over data sets by the hierarchical Bayesian test.

    Parameters
    ----------
    sets : DataSets
        Evaluations.
    first, second : str
        Titles of the rankings.
    at : int
        Number of features, or `AREA`.
    rope : float
        Difference up to which rankings are practically equivalent.
    state : TaskState
        Task of the widget.

    Returns
    -------
    Posterior or None
        The posterior. None if fewer than two data sets have three folds in which both rankings are known.
    """
    state.set_status(f"{first} and {second}: sampling the posterior")
    from ...core.evaluation import hierarchical_t

    a, b, n_folds = sets.pairs(first, second, at)
    if len(a) < MIN_SETS:
        return None
    result = hierarchical_t(a, b, n_folds, rope, sets.higher_is_better, progress=reporter(state, most=100))
    q, m = a.shape
    return Posterior(first, second, rope, at, result, q, m)
