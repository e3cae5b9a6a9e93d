"""Distances of a row to all rows without one feature: kernels of `means_without`.

`means_without` calls them for each pair of a row and a heavy feature, with the distances by all features.
"""

from typing import NamedTuple

import numpy as np

from ..data.expected import MISSING
from ..kernels.diff import shaped
from ..kernels.jit import kernel

MIN_COMMON_SHARE = 1e-9  # share of all weights below which two rows have no feature in common but for rounding


class HeavyFeatures(NamedTuple):
    """The H features that are left out, with the n rows in the order of `GroupedRows`.

    values (H, n): values of the features.
    slots (H, n): row of `table` with what a missing value adds to the diffs, -1 where the value is present.
    table (slots, n): what a missing value adds to the diff to each row.
    numeric (H,) bool: numeric features; the others are nominal.
    weights (H,): weights of the features in the distance.
    """

    values: np.ndarray
    slots: np.ndarray
    table: np.ndarray
    numeric: np.ndarray
    weights: np.ndarray


@kernel
def subtract_difference(distances, values, value, weight, diffs, out):
    """Fill diffs_j = |values_j - value| and out_j = max(distances_j - weight * diffs_j, 0); returns the mean diff.

    For a complete numeric feature, in one pass.

    distances (n,): distances of a row to all rows, by all features.
    values (n,): values of the feature; value: that of the row itself; weight: weight of the feature.
    """
    zero = distances.dtype.type(0)
    total = zero
    for j in range(len(values)):
        diff = abs(values[j] - value)
        without = distances[j] - weight * diff
        diffs[j] = diff
        out[j] = without if without > zero else zero
        total += diff
    return float(total) / len(values)


@kernel
def subtract_diffs(distances, diffs, weight, out):
    """Fill out_j = max(distances_j - weight * diffs_j, 0); returns the mean diff.

    distances, diffs (n,): of a row to all rows; weight: weight of the feature.
    """
    zero = distances.dtype.type(0)
    total = zero
    for j in range(len(distances)):
        without = distances[j] - weight * diffs[j]
        out[j] = without if without > zero else zero
        total += diffs[j]
    return float(total) / len(distances)


@kernel
def subtract_from_means(distances, common, total_weight, weight, diffs, out):
    """Fill out (n,) with distances without a feature, where distances are means over the features both rows have.

    out_j = total_weight * (distances_j * common_j / total_weight - weight * diffs_j) / (common_j - weight), at least 0.
    It is distances_j where one of the rows lacks the feature (diffs_j = -1).  Returns the mean diff.

    common (n,): weights of the features that both rows have; total_weight: weights of all features.
    """
    total = 0.0
    for j in range(len(distances)):
        out[j] = distances[j]
        if diffs[j] >= 0 and distances[j] < np.inf:
            remaining = common[j] - weight
            if remaining > MIN_COMMON_SHARE * total_weight:
                without = (distances[j] * common[j] / total_weight - weight * diffs[j]) / remaining * total_weight
            else:
                without = total_weight
            out[j] = without if without > 0 else 0.0
            total += diffs[j]
    return total / len(distances)


@kernel
def diffs_of_row(features, h, shape, ignores, i, out):
    """Fill out (n,) with the diffs of row i to all rows in heavy feature h.

    The diff is |x_j - x_i|, shaped, if the feature is numeric; else 1 where the values differ and 0 where they do not.
    A missing value adds what the table has for it, or makes the diff -1 where missing values are ignored.

    features: `HeavyFeatures`; shape, ignores: see `DiffRules` and `CommonWeights`.
    """
    values = features.values[h]
    slots = features.slots[h]
    table = features.table
    value = values[i]
    if not features.numeric[h]:
        for j in range(len(values)):
            out[j] = 1.0 if values[j] != value else 0.0
    else:
        for j in range(len(values)):
            out[j] = shaped(abs(values[j] - value), shape)
    if len(table) == 0:
        return
    if ignores:
        for j in range(len(values)):
            out[j] = -1.0 if value == MISSING or values[j] == MISSING else out[j]
        return
    # What the missing values of the other rows add, and then that of this row.
    for j in range(len(values)):
        if slots[j] >= 0:
            out[j] += table[slots[j], i]
    if slots[i] >= 0:
        additions = table[slots[i]]
        for j in range(len(values)):
            out[j] += additions[j]
