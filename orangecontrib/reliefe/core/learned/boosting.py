"""Boosting on margins: features one after the other, each by what it adds for the rows that are still wrong.

A stump is a feature's margin over its spread; the rows weigh as logistic loss has it.  A feature that says what those
before it have said gains nothing, and so redundant ones come late.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..jit import kernel

MOST = 128  # features that are put in order
STEP = 2.0  # largest step before `eta`
AHEAD = 8  # features that are told to be likely next
CLIP = 30.0  # largest sum of margins
CLOSE = 1e-9, 1e-5  # relative difference of gains that are equal, in double and in single precision


@dataclass(frozen=True)
class Candidates:
    """chosen (c,): what features are boosted; index (c,): their numbers, ties go to the lower one; spreads (c,); shares
    (R,) of the rows."""

    chosen: np.ndarray
    index: np.ndarray
    spreads: np.ndarray
    shares: np.ndarray


@dataclass(frozen=True)
class Boosted:
    """order (S,): places of the features in the order in which they were taken; gains (S,), weights (S,) of each, and
    null (S,): gain that the best of as many features reaches with a probability of 1 in 20 when none tells anything,
    up to the first that gains no more."""

    order: np.ndarray
    gains: np.ndarray
    weights: np.ndarray
    null: np.ndarray

    @property
    def stopped(self) -> int:
        """How many features gain more than those that tell nothing."""
        return int(np.append(self.gains <= self.null, True).argmax())


class Null(Protocol):
    """What boosting compares with."""

    def gain(self, h: np.ndarray) -> float:
        """That chance reaches where boosting has come to h (R,)."""

    def take(self, f: int, alpha: float, ahead: np.ndarray) -> None:
        """A feature is taken, and adds alpha times its stump to h; ahead: features that may be next."""


def boost(margins: np.ndarray, candidates: Candidates, eta: float, null: Null, tick: Callable[[], None]) -> Boosted:
    """margins (c, R) of the candidates over their spreads; eta: share of a step that is taken."""
    close = CLOSE[0] if margins.dtype == np.float64 else CLOSE[1]
    shares, chosen = candidates.shares, candidates.chosen
    h, left, gains = np.zeros(len(shares)), np.ones(len(margins), bool), Gains(margins, shares, close)
    found, by_chance, still = [], 0.0, True
    for _ in range(min(len(margins), MOST)):
        tick()
        best, total = gains.best(h, left)
        if not best > 0:
            break
        by_chance = null.gain(h) if still else by_chance
        still &= bool(best > by_chance)
        tied = np.flatnonzero(left & (gains.last >= best * (1 - close)))
        f = tied[np.argmin(candidates.index[tied])]
        left[f] = False
        slope, curvature = _slope(margins[f], shares, gains.weights, total)
        alpha = eta * min(STEP, slope / curvature) if curvature > 0 else 0.0
        found.append((f, gains.last[f], alpha / candidates.spreads[f], by_chance))
        _add(margins[f], alpha, h)
        if still:
            next_ = np.flatnonzero(left)
            null.take(chosen[f], alpha, chosen[next_[np.argsort(-gains.last[next_], kind="stable")[:AHEAD]]])
    order, *columns = np.array(found, dtype=np.float64).reshape(-1, 4).T
    return Boosted(order.astype(np.int64), *columns)


class Gains:
    """What features gain, looked at again only where it may be the most.

    last (c,): each at the last look.  Since then it has grown by no more than the length of the way that the weights of
    the rows have gone, times that of the feature's stump: by the inequality of Cauchy and Schwarz.
    weights (R,): of the rows, beside their shares.
    """

    def __init__(self, margins: np.ndarray, shares: np.ndarray, close: float):
        self.last, self.weights = np.full(len(margins), np.inf), np.zeros(len(shares))
        self._margins, self._shares, self._close = margins, shares, close
        self._way, self._seen, self._lengths = 0.0, np.full(len(margins), -1.0), np.empty(len(margins))
        _lengths(margins, shares, self._lengths)

    def best(self, h: np.ndarray, left: np.ndarray) -> tuple[float, float]:
        """The most that one of those `left` (c,) bool gains where boosting has come to h (R,), and the share of the
        rows that are wrong; 0, 0 where none is.

        Afterwards `last` is true of all that gain as much but for rounding, and less for all others.
        """
        dtype = self._margins.dtype
        u, odds = np.empty(len(h), dtype), np.exp(h.astype(dtype, copy=False))
        total, gone, size = _weigh(odds, self._shares, self.weights, u)
        if not total > 0:
            return 0.0, 0.0
        self._way += gone
        doubt = 4 * self._close * size
        best = _best(self._margins, u, left, self._lengths, self._way, doubt, self.last, self._seen)
        return best, total


@kernel
def gains_of(margins, u, places, out):
    """out (k,): sums over the rows of the margins (c, R) of the features `places` (k,) by u (R,), four a sweep."""
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
def _best(margins, u, left, lengths, way, doubt, last, seen):
    """The largest sum, which one of those left has; `last` and `seen` (c,) tell sums and when they were taken."""
    best, at, found, m = -np.inf, np.zeros(4, np.int64), np.empty(4), 0
    for f in range(len(margins)):  # what may be the largest comes first
        if left[f] and (m == 0 or last[f] + lengths[f] * (way - seen[f]) > best):
            best, at[0], m = last[f] + lengths[f] * (way - seen[f]), f, 1
    if m == 0:
        return 0.0
    best = -np.inf
    for f in range(-1, len(margins)):
        if f >= 0 and left[f] and seen[f] < way and last[f] + lengths[f] * (way - seen[f]) + doubt >= best:
            at[m] = f
            m += 1
        if m == 4 or (m > 0 and (f < 0 or f == len(margins) - 1)):
            gains_of(margins, u, at[:m], found)
            for s in range(m):
                last[at[s]], seen[at[s]] = found[s], way
                best = max(best, found[s])
            m = 0
    return best


@kernel
def _weigh(odds, shares, weights, u):
    """weights (R,) = share of a row that is wrong over that of all rows, u (R,) = shares times them; returns that of
    all, how far the weights have gone, and their length."""
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
def _slope(stump, shares, weights, total):
    """Of the loss along a stump: its first and second derivative."""
    first, second = 0.0, 0.0
    for r in range(len(shares)):
        wrong, x = weights[r] * total, np.float64(stump[r])
        first += shares[r] * wrong * x
        second += shares[r] * wrong * (1.0 - wrong) * x * x
    return first, second


@kernel
def _add(stump, alpha, h):
    for r in range(len(h)):
        h[r] = min(max(h[r] + alpha * np.float64(stump[r]), -CLIP), CLIP)


@kernel
def _lengths(margins, shares, out):
    for f in range(len(margins)):
        x, total = margins[f], 0.0
        for r in range(len(shares)):
            total += shares[r] * np.float64(x[r]) * np.float64(x[r])
        out[f] = np.sqrt(total)
