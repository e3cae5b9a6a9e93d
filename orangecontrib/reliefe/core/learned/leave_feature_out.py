"""Leave-feature-out means: for features that dominate the distance, neighbours are searched without them.

A feature with a large weight in the distance decides which rows are nearest: hits and misses agree on it, and its score
falls to 0.  So `rounds` calls `own_means` for such heavy features, to select their neighbours by the distance without
the feature.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ..kernels.selection import BITS_OF
from ..relief.formats.features import Features
from ..relief.formats.lists import Neighbours
from ..relief.formats.row_means import OwnMeans
from ..relief.run import Run
from ..work.threads import PARTS
from .distances_without import HeavyFeatures
from .grouped_rows import GroupedRows
from .means_without import CommonWeights, DiffRules, NeighbourBounds, first_guesses, means_without
from .row_distances import RowDistances

# Relative difference of distances that are tied: 16 and 4 binary digits above the rounding of one operation
TIE_SHARES = {np.float64: 2.0**-36, np.float32: 2.0**-19}


def values_by_feature(features: Features, chosen: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Copy the values (H, n) of the chosen features (H,), with the rows in an order (n,)."""
    values = features.values[:, chosen]
    dense: np.ndarray = cast("sparse.csr_array", values).toarray() if features.is_sparse else values
    return np.asarray(dense.T[:, order], dtype=np.float64, order="C")


def own_means(
    run: Run, distances: RowDistances, neighbours: Neighbours, weights: np.ndarray, chosen: np.ndarray
) -> OwnMeans:
    """Compute means over the k nearest rows by the distance without a feature, and all ties at the k-th.

    Parameters
    ----------
    run : Run
        Data and target.
    distances : RowDistances
        Distances with all features.
    neighbours : Neighbours
        Nearest rows by these; their numbers are k.
    weights : (p,) array
        Weights of the features in the distance.
    chosen : (H,) array
        The features that are left out, one at a time.

    Returns
    -------
    OwnMeans
        Means of the diff, of its product with the target difference, and of the target difference.
    """
    # Rows and features in the order of the groups
    members = GroupedRows.of(run)
    member_rows = members.rows.view(np.uint64)
    distance_dtype = np.dtype(np.float64) if distances.stored is None else distances.stored.dtype
    heavy_features = _heavy_features(run.features, chosen, weights, members.rows, distance_dtype)
    # How many rows are nearest by all features, and how far they reach
    is_listed = neighbours.cols >= 0
    n_listed = is_listed.sum(axis=2)
    kth_distances = np.where(is_listed, neighbours.distances, 0).max(axis=2)
    # Rules; distances are as exact as the data, in whatever precision they are stored
    rules = DiffRules(run.features.diff.shape, TIE_SHARES[np.float64 if run.double is None else np.float32])
    groups_are_classes = run.update.by_class(run.target)
    ignores_missing = bool(run.features.missing and run.features.missing.ignore)
    weights_in_common = distances.common_weights if ignores_missing else None
    means = np.empty((3, run.m, run.n_groups, len(chosen)))

    def compute(part: int) -> None:
        """Fill `means` for a part of the rows."""
        guesses = first_guesses(run.n_groups, len(chosen))
        for block_distances, rows in distances.blocks(part):
            first = int(rows[0])
            stop = int(rows[-1]) + 1
            target_differences = np.zeros((len(rows), 1))  # which nobody reads where groups are classes
            if not groups_are_classes:
                finite = np.where(block_distances < np.inf, block_distances, np.float64(0))
                differences = run.target.difference(rows[:, None], np.arange(run.n), finite)
                target_differences = np.ascontiguousarray(differences[:, members.rows])
            common_weights = CommonWeights.none()
            if weights_in_common:
                of_pairs = weights_in_common.shared_weights(first, stop, 0, run.n)[:, members.rows]
                common_weights = CommonWeights(np.ascontiguousarray(of_pairs), weights_in_common.total_weight)
            nearest = NeighbourBounds(
                members=member_rows,
                starts=members.starts,
                positions=members.positions[rows],
                counts=n_listed[first:stop],
                bounds=kth_distances[first:stop],
            )
            block_means = np.empty((len(means), stop - first, *means.shape[2:]))
            means_without(
                block_distances,
                BITS_OF[block_distances.itemsize],
                nearest,
                heavy_features,
                rules,
                target_differences,
                common_weights,
                guesses,
                block_means,
            )
            means[:, first:stop] = block_means

    run.work.map(compute, range(PARTS))
    return OwnMeans(means)


def _heavy_features(
    features: Features, chosen: np.ndarray, weights: np.ndarray, order: np.ndarray, dtype: np.dtype
) -> HeavyFeatures:
    """Collect the chosen features (H,), rows in an order (n,); dtype: that of the distances."""
    values = values_by_feature(features, chosen, order)
    slots = np.full(values.shape, -1, np.int64)
    table = np.zeros((0, len(order)))
    missing = features.missing
    if missing is not None:
        rows = np.repeat(np.arange(len(order)), np.diff(missing.indptr))
        positions = np.argsort(order)
        for h, f in enumerate(chosen):
            is_of_feature = missing.features == f
            slots[h, positions[rows[is_of_feature]]] = missing.slots[is_of_feature]
        # Slots are numbered again, without gaps; -1 stays.
        used_slots, renumbered = np.unique(slots, return_inverse=True)
        n_before_slots = int((used_slots < 0).any())  # 1 if -1 is among them, which comes first
        slots = renumbered.reshape(slots.shape) - n_before_slots
        table = np.asarray(missing.rows_of(used_slots[n_before_slots:])[:, order], dtype=np.float64, order="C")
    return HeavyFeatures(values.astype(dtype), slots, table, chosen < features.n_numeric, weights[chosen])
