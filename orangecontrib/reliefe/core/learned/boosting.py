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
    h, left, gains = np.zeros(len(shares)), np.ones(len(margins), bool), np.zeros(len(margins))
    found, by_chance, still = [], 0.0, True
    for _ in range(min(len(margins), MOST)):
        tick()
        wrong = 1 / (1 + np.exp(h))
        u = shares * wrong
        total = u.sum()
        if not total > 0:
            break
        gains_of(margins, (u / total).astype(margins.dtype), left, gains)
        best = gains[left].max()
        if not best > 0:
            break
        by_chance = null.gain(h) if still else by_chance
        still &= bool(best > by_chance)
        tied = np.flatnonzero(left & (gains >= best * (1 - close)))
        f = tied[np.argmin(candidates.index[tied])]
        left[f] = False
        stump = margins[f].astype(np.float64)
        curvature = float(np.einsum("r,r,r,r", u, 1 - wrong, stump, stump))
        alpha = eta * min(STEP, float(np.einsum("r,r", u, stump)) / curvature) if curvature > 0 else 0.0
        found.append((f, gains[f], alpha / candidates.spreads[f], by_chance))
        h = np.clip(h + alpha * stump, -CLIP, CLIP)
        if still:
            next_ = np.flatnonzero(left)
            null.take(chosen[f], alpha, chosen[next_[np.argsort(-gains[next_], kind="stable")[:AHEAD]]])
    order, *columns = np.array(found, dtype=np.float64).reshape(-1, 4).T
    return Boosted(order.astype(np.int64), *columns)


@kernel
def gains_of(margins, u, left, out):
    """out (c,): sums over the rows of margins (c, R) by u (R,), four features a sweep; -inf of those not left."""
    zero = margins.dtype.type(0)
    for f in range(0, len(margins), 4):
        last = len(margins) - 1
        f1, f2, f3 = min(f + 1, last), min(f + 2, last), min(f + 3, last)
        if left[f] or left[f1] or left[f2] or left[f3]:
            a, b, c, d = margins[f], margins[f1], margins[f2], margins[f3]
            t0, t1, t2, t3 = zero, zero, zero, zero
            for r in range(len(u)):
                t0 += u[r] * a[r]
                t1 += u[r] * b[r]
                t2 += u[r] * c[r]
                t3 += u[r] * d[r]
            out[f], out[f1], out[f2], out[f3] = t0, t1, t2, t3
    for f in range(len(margins)):
        out[f] = out[f] if left[f] else -np.inf
