"""Parts of the scores of features: differences to near rows with another and with a like target, and rows' shares.

`explanation.py` calls `score_parts` for methods whose scores are sums over pairs of rows.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..request import Request
from ..result import Ranking
from ..work.threads import Work
from .difference_intervals import difference_intervals
from .feature_pairs import FeaturePairs, feature_pairs

MAX_PAIRS = 2**22  # of rows, that are looked at; more target rows are sampled
SHARE_OF_PAIRS = 0.1  # of the work: the scoring of all rows, before those of samples


class ScoreParts(NamedTuple):
    """Parts of the score of a feature, as the fields of `Explanation` with these names."""

    apart: float  # mean difference to near rows with another target
    alike: float  # mean difference to near rows with a like target
    interval: tuple[float, float] | None  # of apart - alike
    interval_by: str  # how rows were sampled for the interval; empty without one
    interval_doubt: str  # why the interval may be too short; empty if nothing is known
    rows: np.ndarray  # (n,) share of each row in the score, NaN for rows that take no part
    likely: tuple[int, int]  # ranks of the score plus and less two standard errors


def score_parts(ranking: Ranking, chosen: np.ndarray, request: Request, work: Work) -> list[ScoreParts] | None:
    """Compute the parts of some scores.

    Parameters
    ----------
    ranking : Ranking
        Ranking that has the scores.
    chosen : (d,) int array
        Indices of the features.
    request : Request
        Data and parameters of the ranking.
    work : Work
        Threads and progress.

    Returns
    -------
    list of ScoreParts or None
        One for each of the features. None if scores turn out to be no sums over pairs.
    """
    # Pairs of a sample of rows
    with work.part(0, SHARE_OF_PAIRS):
        data = request.prepare(work).input(work)
        n = request.table.shape[0]
        m = min(ranking.info.get("instances", n), max(MAX_PAIRS // n, 2))
        data = replace(data, chosen=data.sample(m))
        pairs = feature_pairs(request.method, data, request.target, chosen)
    if pairs is None:
        return None

    # Intervals, by samples of the rows
    def differences(rows: np.ndarray) -> np.ndarray:
        """Differences (d,) if these rows are all there are."""
        sample = data.take(rows)
        sampled_pairs = feature_pairs(request.method, sample, sample.target, chosen)
        if sampled_pairs is None:
            return np.full(len(chosen), np.nan)
        parts_of_scores = np.array([sampled_pairs.parts(number) for number in range(len(chosen))])
        apart_less_alike: np.ndarray = parts_of_scores[:, 0] - parts_of_scores[:, 1]
        return apart_less_alike

    with work.part(SHARE_OF_PAIRS, 1):
        units = np.arange(n) if data.groups is None else data.groups
        intervals = difference_intervals(differences, len(chosen), units, request.random_state, work)

    parts_of_scores = []
    for number, f in enumerate(chosen.tolist()):
        apart, alike = np.nan_to_num(pairs.parts(number)).tolist()
        half_width = float(intervals.half_width[number])
        interval = None
        if not np.isnan(half_width):
            interval = apart - alike - half_width, apart - alike + half_width
        rows, likely = _shares_of_rows(ranking, f, pairs, number, request)
        sampling = intervals.sampling if interval else ""
        doubt = pairs.doubt(number) if interval else ""
        parts_of_scores.append(ScoreParts(apart, alike, interval, sampling, doubt, rows, likely))
    return parts_of_scores


def _shares_of_rows(
    ranking: Ranking, f: int, pairs: FeaturePairs, number: int, request: Request
) -> tuple[np.ndarray, tuple[int, int]]:
    """Compute the share of each row in the score of feature f, and the likely ranks."""
    n = request.table.shape[0]
    i, j, weights = pairs.pairs
    products = weights * pairs.differences(number)
    shares = np.bincount(pairs.ids[i], products / 2, n) + np.bincount(pairs.ids[j], products / 2, n)
    rows = np.full(len(request.is_ranked), np.nan)
    rows[request.is_ranked] = shares
    two_errors = 4 * float(np.std(shares)) * np.sqrt(n)  # of a jackknife
    score = float(ranking.scores[f])
    best_rank = int((ranking.scores > score + two_errors).sum()) + 1
    worst_rank = int((ranking.scores > score - two_errors).sum()) + 1
    return rows, (best_rank, min(worst_rank, len(ranking.scores)))
