"""Intervals of the differences that scores are made of, by samples of the rows for which the scoring is done again.

`score_parts.py` calls `difference_intervals` with the differences of features over the pairs of any rows.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..work.threads import Work

PROBABILITY = 0.95  # of an interval
N_SAMPLES = 40  # of rows
SHARE_OF_ROWS = 0.75  # in a sample; halves make wider intervals, see `python benchmarks/intervals.py --help`
MAX_SAMPLED_ROWS = 1500  # of a sample: three quarters of 2,000
MIN_UNITS = 8  # rows, or groups of them, fewer of which have no spread to speak of; chosen by eye
MIN_KNOWN_SAMPLES = 30  # that must have pairs of both kinds; chosen by eye

Differences = Callable[[np.ndarray], np.ndarray]


class Intervals(NamedTuple):
    """Intervals of d differences.

    half_width (d,): half of the width of each interval, NaN where it is unknown.
    sampling: how rows were sampled, as a sentence names it.
    """

    half_width: np.ndarray
    sampling: str


def difference_intervals(
    differences: Differences, n_features: int, units: np.ndarray, seed: int, work: Work
) -> Intervals:
    """Estimate how far differences vary between samples of rows.

    Let theta_s be a difference in one of 40 random samples of m of the n rows, without replacement, with m = 3 n / 4.
    Neighbours, thresholds and ranges of the features are those of the m rows. The interval is theta -+ w with

        w = t_39(.975) sd(theta_s) sqrt(m / (n - m))

    Above 2,000 rows, m is 1,500. Rows of a group are sampled together, and n and m are numbers of groups.

    Politis, Romano and Wolf (1999), Subsampling, section 2.3, for samples without replacement.

    A jackknife that keeps neighbours and ranges has too short intervals where tails are heavy, since they vary, too.

    Parameters
    ----------
    differences : callable
        Sorted indices of rows -> differences (d,) when these rows are all there are; NaN without pairs of a kind.
    n_features : int
        Number d of differences.
    units : (n,) int array
        Code of the group of each row; without groups the number of the row.
    seed : int
        Of the random numbers.
    work : Work
        Progress.

    Returns
    -------
    Intervals
    """
    from scipy.stats import t

    codes = np.unique(units, return_inverse=True)[1]
    n = int(codes.max()) + 1
    if n < MIN_UNITS:
        return Intervals(np.full(n_features, np.nan), "")
    share = min(SHARE_OF_ROWS, MAX_SAMPLED_ROWS / len(codes))
    m = max(int(share * n), 1)
    rng = np.random.default_rng(seed)
    samples = np.empty((N_SAMPLES, n_features))
    for number in work.split(N_SAMPLES):
        is_sampled = np.isin(codes, rng.choice(n, m, replace=False))
        samples[number] = differences(np.flatnonzero(is_sampled))

    half_width = np.full(n_features, np.nan)
    is_known = (~np.isnan(samples)).sum(axis=0) >= MIN_KNOWN_SAMPLES
    deviation = np.nanstd(samples[:, is_known], axis=0, ddof=1)
    quantile = float(t.isf((1 - PROBABILITY) / 2, N_SAMPLES - 1))
    half_width[is_known] = quantile * deviation * np.sqrt(m / (n - m))
    unit = "rows" if n == len(codes) else "groups of rows"
    return Intervals(half_width, f"by {N_SAMPLES} samples of {m:,} of the {n:,} {unit}")
