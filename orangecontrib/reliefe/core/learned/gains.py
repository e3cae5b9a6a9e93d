"""Gains of features in boosting, computed again only where the largest one may be.

A gain is a sum over the rows: the stump of the feature times the weights of the rows.  By the inequality of Cauchy and
Schwarz it grows between two steps by at most the length of the stump times the distance that the weights have moved.
This bound excludes most features, so that few sums are computed.
"""

import numpy as np

from ..kernels.jit import kernel
from .margin_sums import SQUARES, weighted_moments

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
        self._lengths = np.sqrt(weighted_moments(margins, margins, shares)[:, SQUARES.start])

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
        probabilities = 1 / (1 + np.exp(h.astype(dtype, copy=False)).astype(np.float64))
        total = float(self._shares @ probabilities)
        if not total > 0:
            return 0.0, 0.0
        weights = probabilities / total
        change = weights - self.weights
        self.weights = weights
        self._distance += float(np.sqrt(self._shares @ (change * change)))
        slack = 4 * self._close * float(np.sqrt(self._shares @ (weights * weights)))
        return self._largest((self._shares * weights).astype(dtype), is_left, slack), total

    def _largest(self, u: np.ndarray, is_left: np.ndarray, slack: float) -> float:
        """Find the largest gain of the features that are left, and update what is known of those computed.

        The feature with the largest bound is computed first, then those whose bounds reach its gain.  The bound of
        feature f is last_f + length_f * (distance that the weights have moved since).

        u (R,): weights of the margins; slack: amount by which rounding may make a gain exceed its bound.
        """
        if not is_left.any():
            return 0.0
        bounds = self.last + self._lengths * (self._distance - self._distance_at_last)
        bounds[~is_left] = -np.inf
        first = int(np.argmax(bounds))
        gains = np.empty(1 + len(bounds))
        gains_of(self._margins, u, np.array([first]), gains)
        reaching = np.flatnonzero(bounds >= gains[0] - slack)
        other_features = reaching[reaching != first]
        n_computed = evaluate(self._margins, u, other_features, bounds, slack, gains)
        computed = np.append(first, other_features[:n_computed])
        self.last[computed] = gains[: len(computed)]
        self._distance_at_last[computed] = self._distance
        return float(self.last[computed].max())


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
