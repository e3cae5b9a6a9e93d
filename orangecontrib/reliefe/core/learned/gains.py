"""Gains of features in boosting, computed again only where the largest may have changed."""

import numpy as np

from ..kernels.jit import kernel


class Gains:
    """Gains of features, computed again only where the largest may be.

    A gain is a sum over the rows.  Since it was computed it has grown by no more than the length of the way that the
    weights of the rows have gone, times that of the feature's stump: by the inequality of Cauchy and Schwarz.
    """

    def __init__(self, margins: np.ndarray, shares: np.ndarray, close: float):
        self.last, self.weights = np.full(len(margins), np.inf), np.zeros(len(shares))
        self._margins, self._shares, self._close = margins, shares, close
        c, self._way = len(margins), 0.0
        self._seen, self._lengths = np.full(c, -1.0), np.empty(c)
        self._scratch = np.empty(c), np.empty(c, np.int64), np.empty(c)
        _lengths(margins, shares, self._lengths)

    def best(self, h: np.ndarray, left: np.ndarray) -> tuple[float, float]:
        """Find the largest gain of the features `left` where the sum of margins is h."""
        dtype = self._margins.dtype
        u, odds = np.empty(len(h), dtype), np.exp(h.astype(dtype, copy=False))
        total, gone, size = _weigh(odds, self._shares, self.weights, u)
        if not total > 0:
            return 0.0, 0.0
        self._way += gone
        gains = left, self.last, self._lengths, self._seen
        return _best(self._margins, u, *gains, self._way, 4 * self._close * size, self._scratch), total


@kernel
def _best(margins, u, left, last, lengths, seen, way, doubt, scratch):
    """Find the largest gain of the features that are left: list those whose bounds reach that of the first one, then
    compute theirs.  scratch: bounds, places, gains, (c,) each; `last` and `seen` are brought up to date."""
    bounds, places, found = scratch
    places[0] = _bound(left, last, lengths, seen, way, bounds)
    if places[0] < 0:
        return 0.0
    gains_of(margins, u, places[:1], found)
    m = _reach(bounds, found[0] - doubt, places[0], places)
    m = 1 + evaluate(margins, u, places[1:m], bounds, doubt, found)
    best = found[0]
    for s in range(m):
        last[places[s]], seen[places[s]] = found[s], way
        best = max(best, found[s])
    return best


@kernel
def _bound(left, last, lengths, seen, way, out):
    """Fill out (c,) with bounds of the gains, minus infinity for features that are taken; returns the place of the
    largest, -1 where all are taken."""
    first = -1
    for f in range(len(out)):
        out[f] = last[f] + lengths[f] * (way - seen[f]) if left[f] else -np.inf
        if left[f] and (first < 0 or out[f] > out[first]):
            first = f
    return first


@kernel
def _reach(bounds, least, first, places):
    """List `first` and then the other features whose bounds reach `least` in places (c,); returns their number."""
    places[0], m = first, 1
    for f in range(len(bounds)):
        if f != first and bounds[f] >= least:
            places[m] = f
            m += 1
    return m


@kernel
def gains_of(margins, u, places, out):
    """Fill out (k,): sums over the rows of the margins (c, R) of features `places` (k,) times u (R,), four a sweep."""
    zero, last = margins.dtype.type(0), len(places) - 1
    for s in range(0, len(places), 4):
        s1, s2, s3 = min(s + 1, last), min(s + 2, last), min(s + 3, last)
        a, b, c, d = margins[places[s]], margins[places[s1]], margins[places[s2]], margins[places[s3]]
        t0, t1, t2, t3 = zero, zero, zero, zero
        for r in range(len(u)):
            t0 += u[r] * a[r]
            t1 += u[r] * b[r]
            t2 += u[r] * c[r]
            t3 += u[r] * d[r]
        out[s], out[s1], out[s2], out[s3] = t0, t1, t2, t3


@kernel
def evaluate(margins, u, places, bounds, doubt, found):
    """Compute the gains of features in fours, but of those whose bounds do not reach the best so far: their number.

    places (k,): features; those that are evaluated are put in front.  bounds (c,): which no gain exceeds by more than
    `doubt`.  found (1 + k,) or more: a gain that is known, then see `gains_of`.
    """
    best, m, done = found[0], 0, 0
    for s in range(len(places)):
        if bounds[places[s]] + doubt >= best:
            places[m] = places[s]
            m += 1
        if m == done + 4 or (m > done and s == len(places) - 1):
            gains_of(margins, u, places[done:m], found[1 + done : 1 + m])
            for i in range(1 + done, 1 + m):
                best = max(best, found[i])
            done = m
    return m


@kernel
def _weigh(odds, shares, weights, u):
    """Fill weights (R,), the share of a row that is wrong over that of all rows, and u (R,), shares times these;
    returns that of all, the length of the way of the weights, and their length."""
    total, gone, size = 0.0, 0.0, 0.0
    for r in range(len(shares)):
        total += shares[r] / (1.0 + odds[r])
    over = 1.0 / total if total > 0 else 0.0
    for r in range(len(shares)):
        new = over / (1.0 + odds[r])
        old, weights[r], u[r] = weights[r], new, shares[r] * new
        gone += shares[r] * (new - old) * (new - old)
        size += shares[r] * new * new
    return total, np.sqrt(gone), np.sqrt(size)


@kernel
def _lengths(margins, shares, out):
    """Lengths of stumps, rows weighed by their shares."""
    for f in range(len(margins)):
        x, total = margins[f], 0.0
        for r in range(len(shares)):
            total += shares[r] * np.float64(x[r]) * np.float64(x[r])
        out[f] = np.sqrt(total)
