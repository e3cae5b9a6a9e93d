"""Standard errors of scores from some of the rows, as estimates of the scores from all rows.

`scoring.py` offers them with the scores of partial rankings (`Scoring.errors`).
"""

import numpy as np

from ..work.threads import PARTS, Work
from .formats.features import Features
from .formats.lists import Neighbours
from .formats.sums import in_spans
from .formats.sums_by_row import sums_by_row
from .updates.base import Update

VALUES_AT_ONCE = 2**21  # numbers, rows times features, that are held together
ROWS_AT_ONCE = 16  # of which the rows that are held together are a multiple


def tells_errors(features: Features, update: Update) -> bool:
    """True if scores are sums, and what each row adds is known for such features."""
    if not update.is_mean_over_rows or features.packed or in_spans(features):
        return False
    return not (features.is_sparse and features.missing)


def standard_errors(
    features: Features, work: Work, n: int, neighbours: Neighbours, weights: np.ndarray, scores: np.ndarray
) -> np.ndarray:
    """Standard errors of scores from m of the n rows, as estimates of the scores from all rows.

    The scores are sums of what each of the m rows adds, c_i (p,).  Rows are drawn without replacement, so
    that the variance of the sum is (1 - m / n) m s^2 with s^2 the variance of the c_i.  Quotients of sums have no
    errors here: a few far rows, which the m may lack, weigh so much in products of two differences that neither the
    linear form nor a bootstrap over the m rows knows them (two errors cover .35 to .9 of log-normal and t-distributed
    scores, not .95).

    Cochran (1977), Sampling Techniques, chapters 2 and 6.

    Parameters
    ----------
    features : Features
    work : Work
    n : int
        Number of all rows.
    neighbours : Neighbours
        Lists of the m rows.
    weights : (m, G, k) array
        Weights of the pairs in the scores.
    scores : (p,) array

    Returns
    -------
    (p,) array
        Infinite for a single row.
    """
    m = len(neighbours.rows)
    p = len(scores)
    if m < 2:
        return np.full(p, np.inf)
    size = max(VALUES_AT_ONCE // max(p, 1) // ROWS_AT_ONCE, 1) * ROWS_AT_ONCE

    def part(number: int) -> np.ndarray:
        total = np.zeros(p)
        for start in range(number * size, m, PARTS * size):
            work.tick()
            block = slice(start, min(start + size, m))
            added = _added(features, neighbours[block], weights[block])
            added -= scores[:, None] / m
            total += np.einsum("fr,fr->f", added, added)
        return total

    squares = work.total(part)
    return np.asarray(np.sqrt((1 - m / n) * m / (m - 1) * squares))


def _added(features: Features, neighbours: Neighbours, weights: np.ndarray) -> np.ndarray:
    """Return the sums (p, b) that each row adds."""
    b = len(neighbours.rows)
    cols = neighbours.cols.reshape(b, 1, -1)
    weights_of_all_groups = np.ascontiguousarray(weights).reshape(b, 1, -1)
    sums = np.zeros((features.shape[1], b), features.values.dtype)
    sums_by_row(features, (neighbours.rows, cols, weights_of_all_groups), np.full(b, -1), sums)
    return sums.astype(np.float64)
