"""Parts of the score of one feature: differences to near rows with another and with a like target, and rows' shares.

`explanation.py` calls `score_parts` for methods whose scores are sums over pairs of rows.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..request import Request
from ..result import Ranking
from ..work.threads import Work
from .jackknife import WeighedPairs, jackknife_interval
from .kept_pairs import KeptPairs
from .scaled_columns import scaled_columns

MAX_PAIRS = 2**22  # of rows, that are looked at; more target rows are sampled


class ScoreParts(NamedTuple):
    """Parts of the score of a feature, as the fields of `Explanation` with these names."""

    apart: float  # mean difference to near rows with another target
    alike: float  # mean difference to near rows with a like target
    interval: tuple[float, float] | None  # of apart - alike
    rows: np.ndarray  # (n,) share of each row in the score, NaN for rows that take no part
    likely: tuple[int, int]  # ranks of the score plus and less two standard errors


def score_parts(ranking: Ranking, f: int, request: Request, work: Work) -> ScoreParts | None:
    """Compute the parts of a score.

    Parameters
    ----------
    ranking : Ranking
        Ranking that has the score.
    f : int
        Index of the feature.
    request : Request
        Data and parameters of the ranking.
    work : Work
        Threads and progress.

    Returns
    -------
    ScoreParts or None
        None if the score turns out to be no sum over pairs.
    """
    # Pairs of a sample of rows
    prepared = request.prepare(work)
    data = prepared.input(work)
    n = request.table.shape[0]
    m = min(ranking.info.get("instances", n), max(MAX_PAIRS // n, 2))
    data = replace(data, chosen=data.sample(m), outputs=(KeptPairs(),))
    (scored,) = request.method.for_targets(data, [request.target])
    if not scored.result.quantities:
        return None
    features, ids, (i, j, weights) = scored.result.quantities[0]

    # Differences of the feature
    columns, nominal, means = scaled_columns(features, np.array([f]))
    differences = columns[0][i] - columns[0][j]
    known_differences = (differences != 0) if nominal[0] else features.diff(np.abs(differences))
    differences = np.where(np.isnan(differences), means[0], known_differences)
    products = weights * differences
    apart = _weighted_mean(products, weights, weights > 0)
    alike = _weighted_mean(products, weights, weights < 0)

    # Shares of the rows
    shares = np.bincount(ids[i], products / 2, n) + np.bincount(ids[j], products / 2, n)
    rows = np.full(len(request.known), np.nan)
    rows[request.known] = shares
    two_errors = 4 * float(np.std(shares)) * np.sqrt(n)  # of a jackknife
    score = float(ranking.scores[f])
    best_rank = int((ranking.scores > score + two_errors).sum()) + 1
    worst_rank = int((ranking.scores > score - two_errors).sum()) + 1

    pairs = WeighedPairs(ids[i], ids[j], weights, differences)
    likely = best_rank, min(worst_rank, len(ranking.scores))
    return ScoreParts(apart, alike, jackknife_interval(pairs, n), rows, likely)


def _weighted_mean(products: np.ndarray, weights: np.ndarray, side: np.ndarray) -> float:
    """Sum of the products over that of the weights on a side, a mask of pairs; 0 where there are none."""
    return float(products[side].sum() / weights[side].sum()) if side.any() else 0.0
