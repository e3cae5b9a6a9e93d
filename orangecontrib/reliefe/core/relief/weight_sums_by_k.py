"""Sums of the weights of pairs that the spread of a score depends on, for every number of neighbours.

`EveryK.spread` makes means and deviations of scores of them.
"""

from typing import NamedTuple

import numpy as np

from .formats.lists import Neighbours
from .formats.pair_sums import PairList
from .places import ChannelsByPlace, place_weights
from .run import Run
from .weight_sums import WeightSums, sums_of_lists

MAX_CHANNELS = 8  # channels of which sums by place are made; with more, weights are made for each number of neighbours


class MutualPlaces(NamedTuple):
    """Pairs of rows that are in the lists of each other.

    Attributes
    ----------
    first, second : (t,) int arrays
        Index of each pair in the flat lists (m * G * K,) of its lower row, and of its higher row.
    """

    first: np.ndarray
    second: np.ndarray


def weight_sums(
    run: Run, neighbours: Neighbours, channels: ChannelsByPlace, sigma: float | None, by_place: bool
) -> list[WeightSums]:
    """Sums of the folded weights of pairs for 1 to K neighbours.

    Parameters
    ----------
    run : Run
        The ranking.
    neighbours : Neighbours
        Lists (m, G, K), sorted by distance.
    channels : ChannelsByPlace
        Their channels.
    sigma : float or None
        Width of the weights of ranks; None: equal weights.
    by_place : bool
        True if the weights of neighbours depend on their places alone.
    """
    K = neighbours.cols.shape[2]
    if by_place and channels.count <= MAX_CHANNELS:
        return _cumulative(run.n, neighbours, channels, place_weights(K, sigma))
    sums = []
    for k in range(1, K + 1):
        run.work.tick()
        nearest = neighbours.nearest(k)
        weights = run.update.pair_weights(nearest.weigh(sigma), run.target, len(neighbours.rows))
        pairs = PairList.of_lists(neighbours.rows, nearest.cols, [weights], np.dtype(np.float64))
        sums += sums_of_lists(run.n, pairs)
    return sums


def _cumulative(
    n: int, neighbours: Neighbours, channels: ChannelsByPlace, place_factors: np.ndarray
) -> list[WeightSums]:
    """Sums over the first places: a pair in two lists adds a product where the later one of its places is.

    place_factors (K,): weights of the places
    """
    C = channels.count
    K = neighbours.cols.shape[2]
    is_there = neighbours.cols >= 0
    weights = [np.where(is_there, channels.weights(c) * place_factors, 0.0) for c in range(C)]
    first, second = _mutual_places(n, neighbours)
    later = np.maximum(first % K, second % K)

    # Totals, and products of the weights in channels c and d, by place
    total = np.zeros((K, C))
    squares = np.zeros((K, C, C))
    for c in range(C):
        total[:, c] = weights[c].sum(axis=(0, 1))
        for d in range(C):
            squares[:, c, d] += (weights[c] * weights[d]).sum(axis=(0, 1))
            products = weights[c].ravel()[first] * weights[d].ravel()[second]
            for a, b in ((c, d), (d, c)):
                squares[:, a, b] += np.bincount(later, products, K)

    # Products of the sums of each row over the first places
    row_products = np.zeros((K, C, C))
    row_sums = np.zeros((C, n))
    for q in range(K):
        has_neighbour = is_there[:, :, q]
        first_rows = neighbours.rows[np.nonzero(has_neighbour)[0]]
        second_rows = neighbours.cols[:, :, q][has_neighbour]
        for c in range(C):
            at_place = weights[c][:, :, q][has_neighbour]
            row_sums[c] += np.bincount(first_rows, at_place, n) + np.bincount(second_rows, at_place, n)
        row_products[q] = np.einsum("cn,dn->cd", row_sums, row_sums)

    # Channels together
    scales = channels.scales(place_factors)
    totals = np.einsum("kc,kc->k", scales, np.cumsum(total, axis=0))
    square_sums = np.einsum("kc,kcd,kd->k", scales, np.cumsum(squares, axis=0), scales)
    row_square_sums = np.einsum("kc,kcd,kd->k", scales, row_products, scales)
    return [WeightSums(*map(float, sums)) for sums in zip(totals, square_sums, row_square_sums, strict=True)]


def _mutual_places(n: int, neighbours: Neighbours) -> MutualPlaces:
    """Find the pairs of rows that are in the lists of each other, each of them once."""
    _, n_groups, K = neighbours.cols.shape
    cols = neighbours.cols.ravel().astype(np.int64)
    rows = np.repeat(neighbours.rows.astype(np.int64), n_groups * K)
    occupied = np.flatnonzero(cols >= 0)
    up = occupied[rows[occupied] < cols[occupied]]
    down = occupied[rows[occupied] > cols[occupied]]
    if not len(up):
        return MutualPlaces(up, down[:0])
    # Each pair has the key (lower row) * n + higher row
    keys_up = rows[up] * n + cols[up]
    keys_down = cols[down] * n + rows[down]
    order = np.argsort(keys_up, kind="stable")
    position = np.minimum(np.searchsorted(keys_up[order], keys_down), len(keys_up) - 1)
    is_mutual = keys_up[order][position] == keys_down
    return MutualPlaces(up[order][position[is_mutual]], down[is_mutual])
