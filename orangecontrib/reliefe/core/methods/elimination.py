"""Removal of features in passes: how many remain in each, which go, and what all of them score in the end."""

from typing import cast

import numpy as np

TIER = 0.01  # below the survivors, for each pass since: in units of the range of their scores
WITHIN = 1e-8  # of a tier: too little to see, enough to keep the order within a pass
DECIMALS = 12  # scores that agree in them, as parts of the largest, are tied: dense and sparse rows are added otherwise


def sizes(p: int, n_keep: int, share: float, step: int | None) -> list[int]:
    """Numbers of features that are ranked in each pass, from p down to `n_keep`.

    share: of those that remain, removed after each pass, at least one feature; step: that many instead.
    """
    out, last = [p], min(n_keep, p)
    while out[-1] > last:
        drop = max(int(share * out[-1]), 1) if step is None else step
        out.append(max(out[-1] - drop, last))
    return out


class Elimination:
    """p features, those that are left, and what is known about the others."""

    def __init__(self, p: int):
        self.last = np.zeros(p)  # scores of each feature in the last pass that ranked it
        self.rounded = np.zeros(p)  # the same, as far as they decide what is removed
        self.each: np.ndarray | None = None  # (t, p), last scores for each of several targets
        self.removed_in = np.zeros(p, int)  # pass after which a feature was removed, from 1; 0: it is left
        self.passes = 0

    @property
    def left(self) -> np.ndarray:
        """Mask (p,) of the features that are left."""
        return cast("np.ndarray", self.removed_in == 0)

    def add(self, scores: np.ndarray, per_target: np.ndarray | None) -> None:
        """Note the scores of the features that are left, from one more pass."""
        self.passes += 1
        self.last[self.left], self.rounded[self.left] = scores, _rounded(scores)
        if per_target is not None:
            if self.each is None:
                self.each = np.zeros((len(per_target), len(self.last)))
            self.each[:, self.left] = per_target

    def remove(self, size: int) -> None:
        """Remove the lowest until `size` are left; of equal ones that with the lower index survives."""
        gone = np.count_nonzero(~self.left)
        self.removed_in[self._sorted(self.rounded)[gone : len(self.last) - size]] = self.passes

    def order(self) -> np.ndarray:
        """Features as they were removed, the worst first, then those that are left, by their scores."""
        return self._sorted(np.where(self.left, self.last, self.rounded))

    def scores(self) -> np.ndarray:
        """Scores (p,): the last ones of what is left, and below them a tier for each pass."""
        return self._tiers(self.last, self.rounded)

    def per_target(self) -> np.ndarray | None:
        """Scores (t, p) for each of several targets, if there are any."""
        return None if self.each is None else np.array([self._tiers(row, _rounded(row)) for row in self.each])

    def _sorted(self, keys: np.ndarray) -> np.ndarray:
        """Features by when they were removed, then by keys (p,); of equal ones the lower index is the better."""
        when = np.where(self.left, self.passes + 1, self.removed_in)
        return cast("np.ndarray", np.lexsort((-np.arange(len(keys)), keys, when)))

    def _tiers(self, last: np.ndarray, rounded: np.ndarray) -> np.ndarray:
        left = self.left
        low, passes = last[left].min(), self.removed_in.max()
        tier = TIER * (float(np.ptp(last[left])) or 1.0)
        order = np.lexsort((-rounded, self.removed_in))
        when, falling = self.removed_in[order], -rounded[order]
        begins = np.r_[True, when[1:] != when[:-1]]
        starts = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
        steps = np.cumsum(begins | np.r_[True, falling[1:] != falling[:-1]])  # equal scores stay equal
        place = np.empty(len(last))
        place[order] = (steps - steps[starts]) / np.bincount(self.removed_in)[when]
        return np.where(left, last, low - tier * (passes + 1 - self.removed_in + WITHIN * place))


def _rounded(scores: np.ndarray) -> np.ndarray:
    return np.round(scores / (np.abs(scores).max() or 1.0), DECIMALS)
