"""Intrinsic dimension of rows: the number of coordinates that distinguish them.

`methods/reliefe.py` calls `intrinsic_dimension` for the dimension of an embedding, and `orange/dimension.py` for the
widget Intrinsic Dimension.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ..checks import inside, number, one_of, switch, whole
from ..data.arrays import matrix
from ..points.distinct_rows import distinct
from ..points.nearest import nearest
from ..words import percent, shown
from ..work.threads import Work
from .dimension_estimator import ECDF, INCLUSIVE, METHODS, MIN_ROWS, MLE, TWONN, Estimator
from .sparsify import stored

NEIGHBOURS = {TWONN: 2, MLE: 10}  # neighbours of each method; 10 is chosen by eye
SPARE_NEIGHBOURS = 30  # neighbours more than needed, so that nearly all rows have enough of them in their half
MAX_RESAMPLES = 10**6
MAX_DIMENSION = 128  # dimension where there is nothing to estimate it from; chosen by eye
MAX_TIED_SHARE = 0.1  # share of the rows with two nearest rows at the same distance above which a note warns


@dataclass(frozen=True)
class Dimension:
    """Intrinsic dimension of a table.

    estimate: the dimension; NaN if unknown.
    dimension: the integer to use, from 1 to p.
    interval: (low, high) or None.
    x: ln mu of the points of the fit, ascending.
    y: -ln(1 - F(mu)) of these points.
    slope: the estimate.
    r_squared: share of the sum of y^2 that the line through the origin explains, at most 1.
    rows: number of rows that were used.
    duplicates: number of rows that were left out, since they are equal to earlier ones.
    dropped: number of rows without enough neighbours at a positive distance.
    note: a sentence for the user, or "".
    method: "twonn" or "mle".
    """

    estimate: float
    dimension: int
    interval: tuple[float, float] | None
    x: np.ndarray
    y: np.ndarray
    slope: float
    r_squared: float
    rows: int
    duplicates: int
    dropped: int
    note: str
    method: str


@dataclass(frozen=True)
class Resampling:
    """Halves of the rows from which an interval is computed.

    n_resamples: number of halves; fewer than 2: no interval.
    confidence: probability of the interval.
    random_state: seed of the halves.
    """

    n_resamples: int
    confidence: float
    random_state: int


def intrinsic_dimension(
    X: object,
    *,
    method: str = TWONN,
    discard: float = 0.0,
    ecdf: str = INCLUSIVE,
    dedupe: bool = True,
    n_resamples: int = 0,
    confidence: float = 0.95,
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Dimension:
    """Estimate the dimension of the manifold that the rows of X lie on, from nearest rows.

    Facco et al. (2017), Scientific Reports 7:12140; Skrlj et al. (2022), ReliefE, Algorithm 2.  Maximum likelihood:
    Levina and Bickel (2004), NIPS 17, equation 8, with the inverses averaged as MacKay and Ghahramani (2005) advise.

    Parameters
    ----------
    X : (n, p) array or sparse matrix
        Numbers.
    method : str
        "twonn": slope of -ln(1 - F(mu)) over ln mu through the origin, where mu = r2 / r1 is the ratio of the distances
        to the two nearest rows, and F its distribution.  "mle": maximum likelihood from 10 neighbours.
    discard : float
        Share of the largest mu that is left out, in [0, 1).
    ecdf : str
        "i/n": F is i / n, without the largest mu; "strict": (i - 1) / n.
    dedupe : bool
        Use equal rows once; distances of 0 are never used.
    n_resamples : int
        Number of halves of the rows that are drawn for the interval; 0: no interval.
    confidence : float
        Probability of the interval, between 0 and 1.
    random_state : int
        Seed of the halves.
    progress : callable, optional
        Called with the share done; raises `Interrupted` to stop.

    Returns
    -------
    Dimension

    Raises
    ------
    ValueError
        If X has missing or infinite values, or a parameter is out of its range.
    """
    one_of("method", method, METHODS)
    one_of("ecdf", ecdf, ECDF)
    if not 0 <= number("discard", discard) < 1:
        raise ValueError(f"discard must be at least 0 and below 1, not {shown(discard)}")
    inside("confidence", confidence)
    whole("n_resamples", n_resamples, 0, MAX_RESAMPLES)
    whole("random_state", random_state, 0)
    dedupe = switch("dedupe", dedupe)
    work = Work(1, progress)
    X = matrix(X, "X")
    X = stored(X) if sparse.issparse(X) else np.ascontiguousarray(X, dtype=np.float64)
    if not sparse.issparse(X) and not np.isfinite(X).all():
        raise ValueError("X has missing or infinite values")
    # Nearest rows.
    n, p = X.shape
    distinct_rows = distinct(X) if dedupe else np.arange(n)
    n_duplicates = n - len(distinct_rows)
    k = NEIGHBOURS[method]
    n_searched = 2 * k + SPARE_NEIGHBOURS if n_resamples else k
    distances, neighbours = nearest(X[distinct_rows] if n_duplicates else X, n_searched, work)
    # Estimate and interval.
    estimator = Estimator(method, k, discard, ecdf)
    nearest_distances = distances[:, :k]
    fit = estimator.fit(nearest_distances)
    estimate = fit.estimate
    n_usable = len(estimator.usable(nearest_distances))
    total = float(fit.y @ fit.y)
    unexplained = float(np.sum((fit.y - estimate * fit.x) ** 2))
    resampling = Resampling(n_resamples, confidence, random_state)
    result = Dimension(
        estimate=estimate,
        dimension=_integer_dimension(estimate, p),
        interval=_interval(estimator, estimate, distances, neighbours, resampling, work),
        x=fit.x,
        y=fit.y,
        slope=estimate,
        r_squared=1 - unexplained / total if total > 0 else float("nan"),
        rows=n_usable,
        duplicates=n_duplicates,
        dropped=len(distinct_rows) - n_usable,
        note=_note(estimator, estimate, nearest_distances, p),
        method=method,
    )
    work.finish()
    return result


def _integer_dimension(estimate: float, p: int) -> int:
    """Round an estimate to an integer from 1 to p; `MAX_DIMENSION`, or p, if it is unknown."""
    return int(min(MAX_DIMENSION if np.isnan(estimate) else max(round(estimate), 1), max(p, 1)))


def _note(estimator: Estimator, estimate: float, distances: np.ndarray, p: int) -> str:
    """Write a note for an estimate from distances (n, k) that is unknown, or too high; else ""."""
    usable = estimator.usable(distances)
    if np.isnan(estimate):
        reason = "all neighbours of a row are equally far"
        if len(usable) < MIN_ROWS:
            reason = "fewer than 3 rows have two different neighbours"
        return f"{reason}: the dimension is set to {_integer_dimension(estimate, p)}"
    tied_share = np.mean(usable[:, 0] == usable[:, 1])
    if tied_share > MAX_TIED_SHARE:
        share = percent(tied_share)
        return f"in {share} of the rows the two nearest neighbours are equally far, so the estimate is too high"
    return ""


def _interval(
    estimator: Estimator,
    estimate: float,
    distances: np.ndarray,
    neighbours: np.ndarray,
    resampling: Resampling,
    work: Work,
) -> tuple[float, float] | None:
    """Compute quantiles of estimates from halves of the rows, moved so that their mean is the estimate from all rows.

    Halves are drawn without replacement, since copies of a row have no dimension.  At one half, the overlap of the
    halves makes up for their size, and nothing is rescaled.  That is exact for averages over rows; for these estimators
    the interval is up to a third too wide, never too narrow, in simulations.  It does not include their bias.

    Shao and Wu (1989), Annals of Statistics 17:1176-1197.

    Parameters
    ----------
    estimator : Estimator
        Estimator.
    estimate : float
        Estimate from all rows.
    distances : (n, searched) array
        Distances to the nearest rows, ascending.
    neighbours : (n, searched) int array
        These rows; -1 for none.
    resampling : Resampling
        Halves.
    work : Work
        Ticks.

    Returns
    -------
    (low, high), or None without two estimates
    """
    n = len(distances)
    half = n // 2
    if resampling.n_resamples < 2 or half < MIN_ROWS or np.isnan(estimate):
        return None
    rng = np.random.default_rng(resampling.random_state)
    estimates_of_halves = []
    for _ in range(resampling.n_resamples):
        work.tick()
        is_drawn = np.zeros(n, bool)
        is_drawn[rng.permutation(n)[:half]] = True
        drawn_neighbours = neighbours[is_drawn]
        is_usable = is_drawn[drawn_neighbours] & (drawn_neighbours >= 0)
        distances_in_half = np.where(is_usable, distances[is_drawn], np.inf)
        estimates_of_halves.append(estimator.fit(np.sort(distances_in_half, axis=1)[:, : estimator.k]).estimate)
    estimates = np.array(estimates_of_halves)
    estimates = estimates[~np.isnan(estimates)]
    if len(estimates) < 2:
        return None
    confidence = resampling.confidence
    low, high = np.quantile(estimates - estimates.mean(), [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(estimate + low), float(estimate + high)
