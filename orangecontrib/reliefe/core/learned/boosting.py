"""Boosting on margins: features one after the other, each by its gain in the rows that are still wrong.

A stump is a feature's margin over its spread; the rows weigh as logistic loss has it.  A feature that says what those
before it have said gains nothing, and so redundant ones come late.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels.jit import kernel
from .gains import Gains

MAX_ORDERED = 128  # features that are put in order
MAX_STEP = 2.0  # before `eta`
N_AHEAD = 8  # features that are likely next, for the null level
MAX_SUM = 30.0  # of margins
TIE_SHARES = 1e-9, 1e-5  # relative difference of gains that are equal, in double and in single precision


@dataclass(frozen=True)
class Candidates:
    """Features that are boosted."""

    chosen: np.ndarray  # as the run numbers them
    index: np.ndarray  # as the data number them; ties go to the lower one
    spreads: np.ndarray  # divisors of their margins
    shares: np.ndarray  # weights of the margins of a feature; their sum is 1 or less
    keep: np.ndarray  # places (c,) among them, as a mask, of those that are taken first


@dataclass(frozen=True)
class Boosted:
    """Features in the order in which boosting took them."""

    order: np.ndarray  # places among the candidates
    gains: np.ndarray  # decrease of the loss, relative, and weight of the margins
    weights: np.ndarray
    # 95 % quantile of the best gain among irrelevant features, step by step, until the first that gains no more
    null: np.ndarray
    kept: int = 0  # number of features, the first ones, that were to be taken first

    @property
    def stopped(self) -> int:
        """Number of features that are kept, or gain more than irrelevant ones."""
        return self.kept + int(np.append(self.gains <= self.null, True)[self.kept :].argmax())


def boost(margins: np.ndarray, candidates: Candidates, eta: float, null: Any, tick: Callable[[], None]) -> Boosted:
    """Take features one after the other, each the one that gains most; null: the `NullGain` to compare with.

    Those that are to be kept come before the others, by their gains; one that gains nothing changes no margin.
    """
    close = TIE_SHARES[0] if margins.dtype == np.float64 else TIE_SHARES[1]
    shares, chosen = candidates.shares, candidates.chosen
    h, left, gains = np.zeros(len(shares)), np.ones(len(margins), bool), Gains(margins, shares, close)
    steps = []
    by_chance = 0.0
    above = True
    n_kept = int(candidates.keep.sum())
    for step in range(min(len(margins), max(MAX_ORDERED, n_kept))):
        tick()
        is_kept = step < n_kept
        offered = left & candidates.keep if is_kept else left
        best, total = gains.best(h, offered)
        if not (best > 0 or is_kept):
            break
        by_chance = null.gain(h) if above else by_chance
        above &= bool(best > by_chance) or is_kept
        tied = np.flatnonzero(offered & (gains.last >= (best * (1 - close) if best > 0 else best)))
        f = tied[np.argmin(candidates.index[tied])]
        left[f] = False
        slope, curvature = _slope(margins[f], shares, gains.weights, total)
        alpha = eta * min(MAX_STEP, slope / curvature) if best > 0 and curvature > 0 else 0.0
        steps.append((f, gains.last[f] if total > 0 else 0.0, alpha / candidates.spreads[f], by_chance))
        _add(margins[f], alpha, h)
        if above:
            next_ = np.flatnonzero(left)
            null.take(chosen[f], alpha, chosen[next_[np.argsort(-gains.last[next_], kind="stable")[:N_AHEAD]]])
    order, gained, weights, null_gains = np.array(steps, dtype=np.float64).reshape(-1, 4).T
    return Boosted(order.astype(np.int64), gained, weights, null_gains, min(n_kept, len(order)))


@kernel
def _slope(stump, shares, weights, total):
    """First and second derivative of the loss along a stump."""
    first, second = 0.0, 0.0
    for r in range(len(shares)):
        wrong, x = weights[r] * total, np.float64(stump[r])
        first += shares[r] * wrong * x
        second += shares[r] * wrong * (1.0 - wrong) * x * x
    return first, second


@kernel
def _add(stump, alpha, h):
    """Add alpha times a stump to h, within `MAX_SUM`."""
    for r in range(len(h)):
        h[r] = min(max(h[r] + alpha * np.float64(stump[r]), -MAX_SUM), MAX_SUM)
