"""Weights that the places of lists of neighbours have in scores, for every number of neighbours at once.

The place of a neighbour is its rank in a list, from 0.  `every_k.py` reads the channels by place, and `shared_lists.py`
the weights of places (`place_weights`).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..targets.targets import Target
from .formats.lists import Neighbours, squared
from .updates.base import Update


def place_weights(K: int, sigma: float | None) -> np.ndarray:
    """Weights (K,) of the places 1 to K, of which the first weighs 1: equal ones, or exp(-(place / sigma)^2)."""
    if sigma is None:
        return np.ones(K)
    with np.errstate(under="ignore"):
        weights: np.ndarray = np.exp((1.0 - np.arange(1, K + 1) ** 2) / squared(sigma))
    return weights


@dataclass(frozen=True, eq=False)
class ChannelsByPlace:
    """Channels of lists (m, G, K) of neighbours, which are sorted by distance, for 1 to K neighbours.

    The q-th of the first k neighbours in a list of l rows, whose places weigh w_1, w_2, ..., has the share
    w_q / (w_1 + ... + w_min(k, l)).  Let T[c, l, q] be the sum over the q-th neighbours of all lists of l rows of what
    they weigh in channel c of the update, with a share of 1, times diff.  Then

        score(k) = sum over c, l and q <= k of  factor_c(totals(k)) w_q T[c, l, q] / (w_1 + ... + w_min(k, l))

    and the totals are such sums, too, with numbers U[l, q] instead of T.  `scales` has the factors before w_q T.

    Attributes
    ----------
    weight_of_unit_share : (C, m, G, K) array
        Weights, in each channel of the update, of a neighbour whose share is 1.
    length_index : (m, G) int array
        Index in `lengths` of each list; -1: it is empty.
    lengths : (L,) int array
        Numbers of neighbours of lists, at most K.
    totals : (s, L, K) array
        Sums over the neighbours at each place for the totals, U.
    factors : callable
        Totals (s,) -> factors (C,) of the channels.
    """

    weight_of_unit_share: np.ndarray
    length_index: np.ndarray
    lengths: np.ndarray
    totals: np.ndarray
    factors: Callable[[np.ndarray], np.ndarray]

    @classmethod
    def of(cls, update: Update, neighbours: Neighbours, target: Target, m: int) -> "ChannelsByPlace":
        """Make the channels of lists of m target rows, for an update that is linear in shares."""
        counts = neighbours.counts
        K = neighbours.cols.shape[2]
        lengths = np.unique(counts[counts > 0])
        length_index = np.where(counts > 0, np.searchsorted(lengths, counts), -1)
        with_unit_shares = replace(neighbours, weights=(neighbours.cols >= 0).astype(float))
        if update.is_mean_over_rows:  # its totals do not depend on k: there is one channel
            return cls(
                weight_of_unit_share=update.pair_weights(with_unit_shares, target, m)[None],
                length_index=length_index,
                lengths=lengths,
                totals=np.empty((0, len(lengths), K)),
                factors=lambda totals: np.ones(1),
            )
        totals = []
        for length in range(len(lengths)):
            weights = (length_index == length)[:, :, None] * with_unit_shares.shares
            neighbours_by_place = (_only_place(neighbours, weights, place) for place in range(K))
            totals.append([update.totals(at_place, target) for at_place in neighbours_by_place])
        return cls(
            weight_of_unit_share=update.channels(with_unit_shares, target),
            length_index=length_index,
            lengths=lengths,
            totals=np.array(totals).transpose(2, 0, 1),
            factors=lambda sums: update.factors(sums, m),
        )

    @property
    def count(self) -> int:
        """Number of channels, by those of the update and the lengths of lists."""
        return len(self.weight_of_unit_share) * len(self.lengths)

    def weights(self, channel: int) -> np.ndarray:
        """Weights (m, G, K) of the neighbours in a channel; where nobody is, anything."""
        channel_of_update, length = divmod(channel, len(self.lengths))
        has_length = (self.length_index == length)[:, :, None]
        return np.where(has_length, self.weight_of_unit_share[channel_of_update], 0.0)

    def scales(self, weights: np.ndarray) -> np.ndarray:
        """Factors (K, channels) for 1 to K neighbours, whose places weigh `weights` (K,)."""
        K = len(weights)
        n_used = np.minimum(np.arange(1, K + 1)[:, None], self.lengths)  # (K, L): neighbours that lists have, up to k
        share_factors = 1 / np.cumsum(weights)[n_used - 1]  # (K, L)
        totals = np.einsum("kl,slk->ks", share_factors, np.cumsum(self.totals * weights, axis=2))
        factors = np.array([self.factors(totals_of_k) for totals_of_k in totals])  # (K, C)
        scales: np.ndarray = factors[:, :, None] * share_factors[:, None, :]
        return scales.reshape(K, -1)


def _only_place(neighbours: Neighbours, weights: np.ndarray, place: int) -> Neighbours:
    """Neighbours at one place of lists, with weights (m, G, K)."""
    slot = slice(place, place + 1)
    return Neighbours(
        neighbours.rows, neighbours.cols[:, :, slot], neighbours.distances[:, :, slot], weights[:, :, slot]
    )
