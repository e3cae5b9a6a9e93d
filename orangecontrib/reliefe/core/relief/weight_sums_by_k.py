"""Sums of the weights of pairs that the spread of a score depends on, for every number of neighbours.

`EveryK.spread` makes means and deviations of scores of them.
"""

import numpy as np

from .formats.lists import Neighbours
from .formats.pair_sums import PairList
from .places import ChannelsByPlace, place_weights
from .run import Run
from .weight_sums import WeightSums, sums_of_lists

MAX_CHANNELS = 8  # channels of which sums by place are made; with more, weights are made for each number of neighbours


def weight_sums(
    run: Run, neighbours: Neighbours, places: ChannelsByPlace, sigma: float | None, by_place: bool
) -> list[WeightSums]:
    """Sums of the folded weights of pairs for 1 to K neighbours."""
    if by_place and places.count <= MAX_CHANNELS:
        return _cumulative(run.n, neighbours, places, place_weights(neighbours.cols.shape[2], sigma))
    sums = []
    for k in range(1, neighbours.cols.shape[2] + 1):
        run.work.tick()
        of_k = neighbours.cut(k)
        weights = run.update.pair_weights(of_k.weigh(sigma), run.target, len(neighbours.rows))
        sums += sums_of_lists(run.n, PairList.of_lists(neighbours.rows, of_k.cols, [weights], np.dtype(np.float64)))
    return sums


def _cumulative(n: int, neighbours: Neighbours, places: ChannelsByPlace, of_place: np.ndarray) -> list[WeightSums]:
    """Sums over the places so far: a pair in two lists adds a product where the farther one of its places is."""
    C = places.count
    K = neighbours.cols.shape[2]
    there = neighbours.cols >= 0
    weights = [np.where(there, places.weights(c) * of_place, 0.0) for c in range(C)]
    first, second = _twice(n, neighbours)
    later = np.maximum(first % K, second % K)
    total = np.zeros((K, C))
    squares = np.zeros((K, C, C))
    of_rows = np.zeros((K, C, C))
    for c in range(C):
        total[:, c] = weights[c].sum(axis=(0, 1))
        for d in range(C):
            squares[:, c, d] += (weights[c] * weights[d]).sum(axis=(0, 1))
            both = weights[c].ravel()[first] * weights[d].ravel()[second]
            for a, b in ((c, d), (d, c)):
                squares[:, a, b] += np.bincount(later, both, K)
    sums = np.zeros((C, n))
    for q in range(K):
        has_neighbour = there[:, :, q]
        own, others = neighbours.rows[np.nonzero(has_neighbour)[0]], neighbours.cols[:, :, q][has_neighbour]
        for c in range(C):
            at_place = weights[c][:, :, q][has_neighbour]
            sums[c] += np.bincount(own, at_place, n) + np.bincount(others, at_place, n)
        of_rows[q] = np.einsum("cn,dn->cd", sums, sums)
    scales = places.scales(of_place)
    totals = np.einsum("kc,kc->k", scales, np.cumsum(total, axis=0))
    quadratic = (np.einsum("kc,kcd,kd->k", scales, a, scales) for a in (np.cumsum(squares, axis=0), of_rows))
    return [WeightSums(*map(float, sums)) for sums in zip(totals, *quadratic, strict=True)]


def _twice(n: int, neighbours: Neighbours) -> tuple[np.ndarray, np.ndarray]:
    """Flat places (t,) of the neighbours that have the row among theirs, too, and where: each pair once."""
    shape, flat = neighbours.cols.shape, neighbours.cols.ravel().astype(np.int64)
    rows = np.repeat(neighbours.rows.astype(np.int64), shape[1] * shape[2])
    there = np.flatnonzero(flat >= 0)
    i, j = rows[there], flat[there]
    up, down = there[i < j], there[i > j]
    keys, wanted = rows[up] * n + flat[up], flat[down] * n + rows[down]
    order = np.argsort(keys, kind="stable")
    place = np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))
    hit = keys[order][place] == wanted if len(keys) else np.zeros(0, bool)
    return up[order][place[hit]] if len(keys) else up, down[hit]
