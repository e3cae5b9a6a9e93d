"""Means over the nearest rows by a distance without one feature: kernels of `leave_feature_out`."""

from typing import NamedTuple

import numpy as np

from ..data.expected import MISSING
from ..kernels.diff import shaped
from ..kernels.jit import kernel
from .selection import ABOVE_DISTANCES, kth_smallest, put_in_order

MIN_COMMON_SHARE = 1e-9  # share of all weights below which two rows have no feature in common but for rounding


class HeavyFeatures(NamedTuple):
    """The H features that are left out, rows in the order of `GroupedRows`.

    values (H, n): their values.
    slots (H, n): row of `table` with what a missing value adds to the diffs, -1 where the value is known.
    table (slots, n): what a missing value adds to the diff to every row.
    numeric (H,) bool: numeric features; the others are nominal.
    weights (H,): weights of the features in the distance.
    """

    values: np.ndarray
    slots: np.ndarray
    table: np.ndarray
    numeric: np.ndarray
    weights: np.ndarray


class NearestRows(NamedTuple):
    """Groups of all rows, and how far the nearest rows of b rows reach.

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


@kernel
def means_without(D, integers, nearest, features, rules, t, known, memory, out):
    """Fill out (3, b, G, H) with the means of diff, t * diff and t over the nearest rows without feature h.

    These are the rows whose distance less the part of feature h is at most the k-th smallest such distance of their
    group; NaN where there are none.

    D (b, n): distances with all features.
    integers: an array of `BITS_OF`.
    nearest: `NearestRows`.
    features: `HeavyFeatures`.
    rules: `DiffRules`.
    t (b, n): target differences; (b, 1) where they do not matter.
    known: `CommonWeights`.
    memory (G, H, 2): distance that the k-th row loses over the mean loss, and slope; passed on to the next row.
    """
    values, slots, table, numeric, weights = features
    members, starts, positions, counts, bounds = nearest
    shape, tie = rules
    common, total = known
    n = D.shape[1]
    d = np.empty(n, D.dtype)
    diff = np.empty(n, D.dtype)
    rest = np.empty(n, D.dtype)
    cell = np.empty(1, D.dtype)
    bits = rest.view(integers.dtype)
    is_identity = np.all(members[1:] > members[:-1])
    is_plain = shape is None and len(table) == 0
    ignores = len(common) > 0
    for b in range(len(D)):
        put_in_order(D[b], members, is_identity, d)
        for h in range(len(weights)):
            # Distances without feature h.
            v = D.dtype.type(weights[h])
            if is_plain and numeric[h]:
                mean = _rest_plain(d, values[h], values[h, positions[b]], v, diff, rest)
            else:
                _diffs(values[h], slots[h], table, numeric[h], shape, ignores, positions[b], diff)
                mean = _rest(d, diff, v, rest) if not ignores else _rest_of_means(d, common[b], total, v, diff, rest)
            for g in range(len(starts) - 1):
                # The k-th smallest of them in group g, and ties.
                first = starts[g]
                stop = starts[g + 1]
                k = counts[b, g]
                limit = ABOVE_DISTANCES
                if 0 < k < stop - first - (first <= positions[b] < stop):
                    guess = bounds[b, g] - memory[g, h, 0] * v * mean
                    limit, memory[g, h, 1] = kth_smallest(bits[first:stop], cell, k, guess, memory[g, h, 1])
                    memory[g, h, 0] = (bounds[b, g] - limit) / (v * mean) if v * mean > 0 else 0.0
                    limit += tie * (limit + v)
                # Means over the rows up to there.
                t_of_row = t[b, first:stop] if t.shape[1] > 1 else t[b, :0]
                edge = D.dtype.type(limit if k > 0 else -1.0)
                _means(rest[first:stop], diff[first:stop], t_of_row, edge, ignores, out[:, b, g, h])


@kernel
def _rest_plain(d, x, y, v, diff, rest):
    """Fill diff_j = |x_j - y| and rest_j = max(d_j - v * diff_j, 0) for a numeric feature; returns the mean diff.

    x (n,): values of all rows; y: value of the row itself; v: weight of the feature.
    """
    zero = d.dtype.type(0)
    total = zero
    for j in range(len(x)):
        q = abs(x[j] - y)
        r = d[j] - v * q
        diff[j] = q
        rest[j] = r if r > zero else zero
        total += q
    return float(total) / len(x)


@kernel
def _rest(d, diff, v, rest):
    """Fill rest_j = max(d_j - v * diff_j, 0), distances without a feature of weight v; returns the mean diff."""
    zero = d.dtype.type(0)
    total = zero
    for j in range(len(d)):
        r = d[j] - v * diff[j]
        rest[j] = r if r > zero else zero
        total += diff[j]
    return float(total) / len(d)


@kernel
def _rest_of_means(d, common, whole, v, diff, rest):
    """Fill rest (n,) with distances without a feature, where distances are means over the features both rows have.

    rest_j = whole * (d_j * common_j / whole - v * diff_j) / (common_j - v), on the scale of d, and at least 0.  It is
    d_j where one of the rows lacks the feature (diff_j = -1).  Returns the mean diff.

    common (n,): weights of the features that both rows have; whole: those of all features.
    """
    total = 0.0
    for j in range(len(d)):
        rest[j] = d[j]
        if diff[j] >= 0 and d[j] < np.inf:
            others = common[j] - v
            if others > MIN_COMMON_SHARE * whole:
                distance = (d[j] * common[j] / whole - v * diff[j]) / others * whole
            else:
                distance = whole
            rest[j] = distance if distance > 0 else 0.0
            total += diff[j]
    return total / len(d)


@kernel
def _diffs(x, slot, table, numeric, shape, ignores, i, out):
    """Fill out (n,) with the diffs of row i to all rows in a feature.

    |x_j - x_i|, shaped, if numeric; else 1 where the values differ.  A missing value adds table[slot], or makes the
    diff -1 where missing values are ignored.
    """
    y = x[i]
    if not numeric:
        for j in range(len(x)):
            out[j] = 1.0 if x[j] != y else 0.0
    else:
        for j in range(len(x)):
            out[j] = shaped(abs(x[j] - y), shape)
    if len(table) == 0:
        return
    if ignores:
        for j in range(len(x)):
            out[j] = -1.0 if y == MISSING or x[j] == MISSING else out[j]
        return
    for j in range(len(x)):
        if slot[j] >= 0:
            out[j] += table[slot[j], i]
    if slot[i] >= 0:
        row = table[slot[i]]
        for j in range(len(x)):
            out[j] += row[j]


@kernel
def _means(rest, diff, t, limit, ignores, out):
    """Fill out (3,) with the means of diff, t * diff and t over the rows with rest_j <= limit; NaN if there are none.

    Rows without a diff (-1) are left out where missing values are ignored.
    """
    zero = rest.dtype.type(0)
    unit = rest.dtype.type(1)
    count = zero
    diff_sum = zero
    product_sum = 0.0
    t_sum = 0.0
    if ignores:
        for s in range(len(rest)):
            rest[s] = rest[s] if diff[s] >= 0 else np.inf
    for s in range(len(rest)):
        inside = rest[s] <= limit
        count += unit if inside else zero
        diff_sum += diff[s] if inside else zero
    for s in range(len(t)):
        inside = rest[s] <= limit
        product_sum += diff[s] * t[s] if inside else 0.0
        t_sum += t[s] if inside else 0.0
    out[0] = diff_sum / count if count > 0 else np.nan
    out[1] = product_sum / count if count > 0 else np.nan
    out[2] = t_sum / count if count > 0 else np.nan
