"""Standard errors of scores of some of the rows, as estimates of those of all rows."""

from typing import Any

import numpy as np

from ..work.threads import PARTS
from .formats.features import Features
from .formats.lists import Neighbours
from .formats.sums import in_spans, sums_apart
from .updates.base import Update

VALUES_AT_ONCE, ROWS_AT_ONCE = 2**21, 16  # of what rows add, and a multiple of so many rows


def tells_errors(features: Features, update: Update) -> bool:
    """True if scores are sums, and what each row adds is known for such features."""
    if not update.is_mean_over_rows or features.packed or in_spans(features):
        return False
    return not (features.is_sparse and features.missing)


def standard_errors(run: Any, near: Neighbours, weights: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Standard errors (p,) of scores of m of the n rows, by weights (m, G, k), as estimates of those of all rows;
    infinite for a single row.

    The scores are sums of what each of the m rows adds, c_i (p,).  Rows are drawn without replacement, so
    that the variance of the sum is (1 - m / n) m s^2 with s^2 the variance of the c_i.  Quotients of sums have no
    errors here: a few far rows, which the m may lack, weigh so much in products of two differences that neither the
    linear form nor a bootstrap over the m rows knows them (two errors cover .35 to .9 of log-normal and t-distributed
    scores, not .95).

    Cochran (1977), Sampling Techniques, chapters 2 and 6.
    """
    m, n, p = len(near.rows), run.n, len(scores)
    if m < 2:
        return np.full(p, np.inf)
    size = max(VALUES_AT_ONCE // max(p, 1) // ROWS_AT_ONCE, 1) * ROWS_AT_ONCE

    def part(number: int) -> np.ndarray:
        total = np.zeros(p)
        for start in range(number * size, m, PARTS * size):
            run.work.tick()
            block = slice(start, min(start + size, m))
            added = _added(run.features, near[block], weights[block])
            added -= scores[:, None] / m
            total += np.einsum("fr,fr->f", added, added)
        return total

    squares = run.work.total(part)
    return np.asarray(np.sqrt((1 - m / n) * m / (m - 1) * squares))


def _added(features: Features, near: Neighbours, weights: np.ndarray) -> np.ndarray:
    """Sums (p, b) that each row adds."""
    b, p = len(near.rows), features.shape[1]
    lists = near.rows, near.cols.reshape(b, 1, -1), np.ascontiguousarray(weights).reshape(b, 1, -1)
    out = np.zeros((p, b), features.values.dtype)
    sums_apart(features, lists, np.full(b, -1), out)
    return out.astype(np.float64)
