"""Boosting on margins: features are selected one by one, each by its gain in the rows that are still wrong.

`methods/learned.py` calls `boost` with stumps: the margins of a feature divided by their spread.  Rows have the weights
of logistic loss.  A feature that repeats the selected ones yields no gain, so redundant features are ranked late.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .gains import Gains

MAX_ORDERED = 128  # features that are put in order
MAX_STEP = 2.0  # largest step along a stump before `eta`, so that a stump with almost no curvature does not run away
N_AHEAD = 8  # features that are likely next, whose margins under the null are computed together
MAX_SUM = 30.0  # bound of the sum of margins: exp(30) is far from overflow in single precision
TIE_SHARES = 1e-9, 1e-5  # relative difference of gains that are equal, in double and in single precision


@dataclass(frozen=True)
class Candidates:
    """Features that are boosted, c of them.

    chosen (c,): the features as the run numbers them.
    index (c,): the features as the data number them; ties go to the lower one.
    spreads (c,): divisors of their margins.
    shares (R,): weights of the margins of a feature; their sum is at most 1.
    keep (c,) bool: the candidates that are taken first.
    """

    chosen: np.ndarray
    index: np.ndarray
    spreads: np.ndarray
    shares: np.ndarray
    keep: np.ndarray


@dataclass(frozen=True)
class Boosted:
    """Features in the order in which boosting took them, S of them.

    order (S,): positions among the candidates.
    gains (S,): relative decrease of the loss.
    weights (S,): weights of the margins.
    null (S,): 95 % quantile of the best gain among irrelevant features at each step; constant after the first feature
        that does not exceed it.
    n_always: number of the first features that were to be taken first.
    """

    order: np.ndarray
    gains: np.ndarray
    weights: np.ndarray
    null: np.ndarray
    n_always: int = 0

    @property
    def stopped(self) -> int:
        """Number of features that are kept, or gain more than irrelevant ones."""
        is_below_null = np.append(self.gains <= self.null, True)
        return self.n_always + int(is_below_null[self.n_always :].argmax())


class _Step(NamedTuple):
    """Step of boosting."""

    candidate: int
    gain: float
    weight: float
    null_gain: float


def boost(margins: np.ndarray, candidates: Candidates, eta: float, null: Any, tick: Callable[[], None]) -> Boosted:
    """Take features one after the other, each the one with the largest gain.

    Features to keep come before the others, ordered by gain.  A kept feature without gain changes no margin.

    Parameters
    ----------
    margins : (c, R) array
        Stumps of the candidates.
    candidates : Candidates
        The features.
    eta : float
        Share of a step along a stump that is taken.
    null : NullGain
        Gains of irrelevant features, with which the gains are compared.
    tick : callable
        Called before each step; it raises an exception to stop.
    """
    close = TIE_SHARES[0] if margins.dtype == np.float64 else TIE_SHARES[1]
    shares = candidates.shares
    chosen = candidates.chosen
    h = np.zeros(len(shares))
    is_left = np.ones(len(margins), bool)
    gains = Gains(margins, shares, close)
    steps = []
    null_gain = 0.0
    exceeds_null = True
    n_kept = int(candidates.keep.sum())
    for step in range(min(len(margins), max(MAX_ORDERED, n_kept))):
        tick()
        # The best feature; ties go to the lower index.
        is_kept = step < n_kept
        is_offered = is_left & candidates.keep if is_kept else is_left
        best, total = gains.best(h, is_offered)
        if not (best > 0 or is_kept):
            break
        if exceeds_null:
            null_gain = null.gain(h)
        exceeds_null &= bool(best > null_gain) or is_kept
        threshold = best * (1 - close) if best > 0 else best
        tied = np.flatnonzero(is_offered & (gains.last >= threshold))
        f = tied[np.argmin(candidates.index[tied])]
        is_left[f] = False
        # A Newton step along its stump.
        slope, curvature = derivatives(margins[f], shares, gains.weights * total)
        alpha = eta * min(MAX_STEP, slope / curvature) if best > 0 and curvature > 0 else 0.0
        gain = gains.last[f] if total > 0 else 0.0
        steps.append(_Step(f, gain, alpha / candidates.spreads[f], null_gain))
        add_step(margins[f], alpha, h)
        # Irrelevant features follow, until the first gain that they exceed.
        if exceeds_null:
            remaining = np.flatnonzero(is_left)
            likely_next = remaining[np.argsort(-gains.last[remaining], kind="stable")[:N_AHEAD]]
            null.take(chosen[f], alpha, chosen[likely_next])
    order, relative_gains, weights, null_gains = np.array(steps, dtype=np.float64).reshape(-1, 4).T
    return Boosted(order.astype(np.int64), relative_gains, weights, null_gains, min(n_kept, len(order)))


def derivatives(stump: np.ndarray, shares: np.ndarray, wrong: np.ndarray) -> tuple[float, float]:
    """Compute the first and second derivative of the loss along a stump x (R,).

    first = sum_r share_r w_r x_r and second = sum_r share_r w_r (1 - w_r) x_r^2, where w_r is the probability
    1 / (1 + exp(h_r)) that row r is wrong.
    """
    weighted = shares * wrong * stump
    return float(weighted.sum()), float((weighted * (1 - wrong) * stump).sum())


def add_step(stump: np.ndarray, alpha: float, h: np.ndarray) -> None:
    """Add alpha times a stump to the sum of margins h (R,), which stays within `MAX_SUM`."""
    h += alpha * stump.astype(np.float64)
    np.clip(h, -MAX_SUM, MAX_SUM, out=h)
