"""Weights that the places of lists of neighbours have in scores, for every number of neighbours at once.

A score for k neighbours is a sum over channels c and places q <= k of ``scale_c(k) * w_q * T[c, q]``, where T[c, q] is
the sum over the q-th neighbours of all lists of what channel c makes of them.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, cast

import numpy as np

from ..forms.lists import Neighbours, squared
from ..targets.targets import Target
from ..updates.base import BY_CHANGE, Update


class Places(Protocol):
    """Channels of some lists of neighbours (m, G, K), which are sorted by distance and not weighed."""

    @property
    def count(self) -> int:
        """Number of channels."""

    def weights(self, channel: int) -> np.ndarray:
        """Weights (m, G, K) of the neighbours in a channel; of those who are not there, anything."""

    def scales(self, weights: np.ndarray) -> np.ndarray:
        """Factors (K, C) of the channels for 1 to K neighbours, whose places weigh `weights` (K,)."""


def place_weights(K: int, sigma: float | None) -> np.ndarray:
    """Weights (K,) of the places 1 to K, of which the first weighs 1: equal ones, or exp(-(place / sigma)^2)."""
    if sigma is None:
        return np.ones(K)
    with np.errstate(under="ignore"):
        found: np.ndarray = np.exp((1.0 - np.arange(1, K + 1) ** 2) / squared(sigma))
    return found


def places_of(update: Update, near: Neighbours, target: Target, m: int) -> Places:
    """Channels of lists for an update that has them (`Update.place_form`) and m targets."""
    if update.place_form == BY_CHANGE:
        return ByChange(update, update.differences(near, target))
    first: Any = near.cut(1).weigh()
    return ByLength.of(update.coefficients(first, target, m)[:, :, 0], near.counts, near.cols.shape[2])


@dataclass(frozen=True, eq=False)
class ByLength:
    """Channels where a score is a sum of mean diffs: one for each length of lists, whose means end there."""

    signs: np.ndarray  # (m, G): factors of the mean diffs
    of_list: np.ndarray  # (m, G): channel of each list; -1: it is empty
    lengths: np.ndarray  # (C,): numbers of neighbours, at most K
    K: int  # number of places

    @classmethod
    def of(cls, signs: np.ndarray, counts: np.ndarray, K: int) -> "ByLength":
        """Channels of lists with counts (m, G) of neighbours."""
        lengths = np.unique(counts[counts > 0])
        return cls(signs, np.where(counts > 0, np.searchsorted(lengths, counts), -1), lengths, K)

    @property
    def count(self) -> int:
        return len(self.lengths)

    def weights(self, channel: int) -> np.ndarray:
        own = np.where(self.of_list == channel, self.signs, 0.0)
        return np.broadcast_to(own[:, :, None], (*own.shape, self.K))

    def scales(self, weights: np.ndarray) -> np.ndarray:  # means are over as many neighbours as there are
        ends = np.minimum(np.arange(1, self.K + 1)[:, None], self.lengths)
        return cast("np.ndarray", 1 / np.cumsum(weights)[ends - 1])


@dataclass(frozen=True, eq=False)
class ByChange:
    """Channels where a score is P(diff | target differs) - P(diff | target same): the two terms."""

    update: Any  # what makes weights of sums of target diffs
    t: np.ndarray  # (m, 1, K): target diffs of the pairs

    count = 2

    def weights(self, channel: int) -> np.ndarray:
        return 1 - self.t if channel else self.t

    def scales(self, weights: np.ndarray) -> np.ndarray:
        changed = np.cumsum(weights * self._of_place)
        everything = len(self.t) * np.cumsum(weights)
        ends = np.array([1.0, 0.0])  # weights are linear in target diffs
        return np.array([self.update.of_change(ends, *sums) for sums in zip(changed, everything, strict=True)])

    @cached_property
    def _of_place(self) -> np.ndarray:
        """Sums (K,) of the target diffs."""
        return cast("np.ndarray", self.t.sum(axis=(0, 1)))
