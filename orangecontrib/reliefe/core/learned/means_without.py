"""Means over the nearest rows by a distance without one feature: the kernel of `leave_feature_out`.

For each row and each heavy feature: distances without the feature (`distances_without`), the k-th smallest of them in
each group (`selection`), and means over the rows up to there.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.jit import kernel
from ..kernels.selection import is_increasing, kth_smallest, put_in_order
from .distances_without import diffs_of_row, subtract_difference, subtract_diffs, subtract_from_means

ABOVE_DISTANCES = float(np.finfo(np.float32).max)  # above all distances
# Columns of `guesses`
LOSS = 0  # distance that the k-th row loses without the feature, over the mean loss of all rows
SLOPE = 1  # slope of `kth_smallest`


class NeighbourBounds(NamedTuple):
    """Groups of all n rows, and how far the nearest rows of b rows reach by all features.

    members (n,): rows group by group.
    starts (G + 1,): where each group begins in members.
    positions (b,): where the b rows are in members.
    counts (b, G): number of the nearest rows.
    bounds (b, G): distance of the farthest of them.
    """

    members: np.ndarray
    starts: np.ndarray
    positions: np.ndarray
    counts: np.ndarray
    bounds: np.ndarray


class DiffRules(NamedTuple):
    """Rules of diffs and ties.

    shape: shape of the diffs of numeric features, None for the plain difference.
    tie: relative difference of distances that are tied.
    """

    shape: tuple[float, ...] | None
    tie: float


class CommonWeights(NamedTuple):
    """Weights of the features that two rows have in common, where missing values are ignored.

    common (b, n): sums of the weights; (0, 0) where no values are ignored.
    total: sum of the weights of all features.
    """

    common: np.ndarray
    total: float

    @classmethod
    def none(cls) -> "CommonWeights":
        """Make the weights where no values are ignored."""
        return cls(np.zeros((0, 0)), 0.0)


def first_guesses(n_groups: int, n_features: int) -> np.ndarray:
    """Make the guesses (G, H, 2) for the first row of a block: the k-th row loses as much as all rows do on average."""
    guesses = np.zeros((n_groups, n_features, 2))
    guesses[:, :, LOSS] = 1
    return guesses


@kernel
def means_without(distances, integers, nearest, features, rules, t, weights, guesses, out):
    """Fill out (3, b, G, H) with the means of diff, t * diff and t over the nearest rows without feature h.

    These are the rows whose distance without the feature is at most the k-th smallest such distance in their group, or
    tied with it; NaN where there are none.

    distances (b, n): distances of b rows to all rows, by all features.
    integers: an array of `BITS_OF`, with integers of as many bytes as a distance.
    nearest: `NeighbourBounds`.
    features: `HeavyFeatures`.
    rules: `DiffRules`.
    t (b, n): target differences; (b, 1) where they do not matter.
    weights: `CommonWeights`.
    guesses (G, H, 2): of the k-th distance of the next row; see `LOSS` and `SLOPE`.
    """
    n = distances.shape[1]
    members = nearest.members
    starts = nearest.starts
    ordered = np.empty(n, distances.dtype)
    diffs = np.empty(n, distances.dtype)
    without = np.empty(n, distances.dtype)
    cell = np.empty(1, distances.dtype)
    bits = without.view(integers.dtype)
    is_identity = is_increasing(members)
    is_plain = rules.shape is None and len(features.table) == 0
    ignores = len(weights.common) > 0
    for b in range(len(distances)):
        put_in_order(distances[b], members, is_identity, ordered)
        position = nearest.positions[b]
        for h in range(len(features.weights)):
            # Distances without feature h.
            weight = distances.dtype.type(features.weights[h])
            if is_plain and features.numeric[h]:
                value = features.values[h, position]
                mean = subtract_difference(ordered, features.values[h], value, weight, diffs, without)
            else:
                diffs_of_row(features, h, rules.shape, ignores, position, diffs)
                if ignores:
                    mean = subtract_from_means(ordered, weights.common[b], weights.total, weight, diffs, without)
                else:
                    mean = subtract_diffs(ordered, diffs, weight, without)
            mean_loss = weight * mean
            for g in range(len(starts) - 1):
                # The k-th smallest of them in group g.
                first = starts[g]
                stop = starts[g + 1]
                k = nearest.counts[b, g]
                n_others = stop - first - (first <= position < stop)
                limit = ABOVE_DISTANCES
                if 0 < k < n_others:
                    bound = nearest.bounds[b, g]
                    guess = bound - guesses[g, h, LOSS] * mean_loss
                    limit, guesses[g, h, SLOPE] = kth_smallest(bits[first:stop], cell, k, guess, guesses[g, h, SLOPE])
                    guesses[g, h, LOSS] = (bound - limit) / mean_loss if mean_loss > 0 else 0.0
                    limit += rules.tie * (limit + weight)
                # Means over the rows up to there.
                t_of_row = t[b, first:stop] if t.shape[1] > 1 else t[b, :0]
                threshold = distances.dtype.type(limit if k > 0 else -1.0)
                _means(without[first:stop], diffs[first:stop], t_of_row, threshold, ignores, out[:, b, g, h])


@kernel
def _means(distances, diffs, t, threshold, ignores, out):
    """Fill out (3,) with the means of diff, t * diff and t over the rows with distance <= threshold; NaN without any.

    ignores: leave out rows without a diff (-1), since missing values are ignored; their distances become infinite.
    """
    zero = distances.dtype.type(0)
    unit = distances.dtype.type(1)
    count = zero
    diff_sum = zero
    product_sum = 0.0
    t_sum = 0.0
    if ignores:
        for s in range(len(distances)):
            distances[s] = distances[s] if diffs[s] >= 0 else np.inf
    for s in range(len(distances)):
        is_near = distances[s] <= threshold
        count += unit if is_near else zero
        diff_sum += diffs[s] if is_near else zero
    for s in range(len(t)):
        is_near = distances[s] <= threshold
        product_sum += diffs[s] * t[s] if is_near else 0.0
        t_sum += t[s] if is_near else 0.0
    out[0] = diff_sum / count if count > 0 else np.nan
    out[1] = product_sum / count if count > 0 else np.nan
    out[2] = t_sum / count if count > 0 else np.nan
