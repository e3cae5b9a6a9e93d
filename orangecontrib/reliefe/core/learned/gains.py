"""Gains of features in boosting, computed again only where the largest one may be.

A gain is a sum over the rows: the stump of the feature times the weights of the rows.  By the inequality of Cauchy and
Schwarz it grows between two steps by at most the length of the stump times the distance that the weights have moved.
This bound excludes most features, so that few sums are computed.
"""

import numpy as np

from ..kernels.jit import kernel

LANES = 4  # features whose gains are summed in one pass over the rows


class Gains:
    """Gains of features under changing weights of the rows.

    last (c,): the gain of each feature when it was last computed.
    weights (R,): for each row its probability to be wrong, divided by the total over all rows.
    """

    def __init__(self, margins: np.ndarray, shares: np.ndarray, close: float):
        """Start without gains.

        margins (c, R): stumps; shares (R,): their weights; close: relative difference of gains that are equal.
        """
        c = len(margins)
        self.last = np.full(c, np.inf)
        self.weights = np.zeros(len(shares))
        self._margins = margins
        self._shares = shares
        self._close = close
        self._distance = 0.0  # that the weights have moved so far
        self._distance_at_last = np.full(c, -1.0)
        self._lengths = np.empty(c)
        self._scratch = np.empty(c), np.empty(c, np.int64), np.empty(c)
        _lengths(margins, shares, self._lengths)

    def best(self, h: np.ndarray, is_left: np.ndarray) -> tuple[float, float]:
        """Find the largest gain.

        Parameters
        ----------
        h : (R,) array
            Sum of margins so far.
        is_left : (c,) bool array
            Features that can be taken.

        Returns
        -------
        best, total : float
            The largest gain, and the sum over the rows of the probabilities to be wrong.
        """
        dtype = self._margins.dtype
        u = np.empty(len(h), dtype)
        odds = np.exp(h.astype(dtype, copy=False))
        total, moved, length = _weigh(odds, self._shares, self.weights, u)
        if not total > 0:
            return 0.0, 0.0
        self._distance += moved
        slack = 4 * self._close * length
        last_gains = self.last, self._lengths, self._distance_at_last
        return _best(self._margins, u, is_left, *last_gains, self._distance, slack, self._scratch), total


@kernel
def _best(margins, u, left, last, lengths, distance_at_last, distance, slack, scratch):
    """Find the largest gain of the features that are left; `last` and `distance_at_last` are updated in place.

    The feature with the largest bound is computed first, then those whose bounds reach its gain.

    slack: amount by which rounding may make a gain exceed its bound.
    scratch: bounds (c,), candidates (c,) int, gains (c,).
    """
    bounds, candidates, gains = scratch
    candidates[0] = _bound(left, last, lengths, distance_at_last, distance, bounds)
    if candidates[0] < 0:
        return 0.0
    gains_of(margins, u, candidates[:1], gains)
    m = _reach(bounds, gains[0] - slack, candidates[0], candidates)
    m = 1 + evaluate(margins, u, candidates[1:m], bounds, slack, gains)
    best = gains[0]
    for s in range(m):
        last[candidates[s]] = gains[s]
        distance_at_last[candidates[s]] = distance
        best = max(best, gains[s])
    return best


@kernel
def _bound(left, last, lengths, distance_at_last, distance, out):
    """Fill out (c,) with bounds of the gains: last_f + length_f * (distance - distance_at_last_f).

    The bound of a feature that was taken is minus infinity.  Returns the feature with the largest bound, -1 if all were
    taken.
    """
    largest = -1
    for f in range(len(out)):
        out[f] = last[f] + lengths[f] * (distance - distance_at_last[f]) if left[f] else -np.inf
        if left[f] and (largest < 0 or out[f] > out[largest]):
            largest = f
    return largest


@kernel
def _reach(bounds, threshold, first, out):
    """Write `first` and then the other features whose bounds reach the threshold to out (c,); returns their number."""
    out[0] = first
    m = 1
    for f in range(len(bounds)):
        if f != first and bounds[f] >= threshold:
            out[m] = f
            m += 1
    return m


@kernel
def gains_of(margins, u, features, out):
    """Fill out (k,): out_s = sum_r margins[features[s], r] * u[r], four features in one pass over the rows."""
    zero = margins.dtype.type(0)
    last = len(features) - 1
    for s in range(0, len(features), LANES):
        s1 = min(s + 1, last)
        s2 = min(s + 2, last)
        s3 = min(s + 3, last)
        a = margins[features[s]]
        b = margins[features[s1]]
        c = margins[features[s2]]
        d = margins[features[s3]]
        t0, t1, t2, t3 = zero, zero, zero, zero
        for r in range(len(u)):
            t0 += u[r] * a[r]
            t1 += u[r] * b[r]
            t2 += u[r] * c[r]
            t3 += u[r] * d[r]
        out[s] = t0
        out[s1] = t1
        out[s2] = t2
        out[s3] = t3


@kernel
def evaluate(margins, u, features, bounds, slack, gains):
    """Compute gains in fours, and skip features whose bounds do not reach the best gain so far; returns their number.

    features (k,): those to look at; the ones that are computed move to the front, in place.
    bounds (c,): no gain exceeds its bound by more than slack.
    gains (1 + k,) or more: the first one is known, the others are filled as in `gains_of`.
    """
    best = gains[0]
    m = 0
    n_computed = 0
    for s in range(len(features)):
        if bounds[features[s]] + slack >= best:
            features[m] = features[s]
            m += 1
        if m == n_computed + LANES or (m > n_computed and s == len(features) - 1):
            gains_of(margins, u, features[n_computed:m], gains[1 + n_computed : 1 + m])
            for i in range(1 + n_computed, 1 + m):
                best = max(best, gains[i])
            n_computed = m
    return m


@kernel
def _weigh(odds, shares, weights, u):
    """Fill weights (R,) and u (R,) from the odds exp(h) (R,), and measure how far the weights have moved.

    w_r = 1 / (1 + odds_r) / total with total = sum_r share_r / (1 + odds_r), and u_r = share_r * w_r.

    Returns total, sqrt(sum_r share_r (w_r - old w_r)^2) and sqrt(sum_r share_r w_r^2).
    """
    total = 0.0
    moved = 0.0
    length = 0.0
    for r in range(len(shares)):
        total += shares[r] / (1.0 + odds[r])
    over = 1.0 / total if total > 0 else 0.0
    for r in range(len(shares)):
        new = over / (1.0 + odds[r])
        old = weights[r]
        weights[r], u[r] = new, shares[r] * new
        moved += shares[r] * (new - old) * (new - old)
        length += shares[r] * new * new
    return total, np.sqrt(moved), np.sqrt(length)


@kernel
def _lengths(margins, shares, out):
    """Fill out (c,): out_f = sqrt(sum_r share_r margins[f, r]^2)."""
    for f in range(len(margins)):
        x = margins[f]
        total = 0.0
        for r in range(len(shares)):
            total += shares[r] * np.float64(x[r]) * np.float64(x[r])
        out[f] = np.sqrt(total)
