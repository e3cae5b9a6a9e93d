"""Heavy features: those with the largest mean part of the distance, which `rounds` scores without that part."""

from typing import cast

import numpy as np
from scipy import sparse

from ..data.expected import MISSING
from ..relief.formats.features import Features

FEATURES_PER_LOOK = 64  # features whose mean diffs are computed together; chosen by eye


def heavy_features(
    features: Features, weights: np.ndarray, threshold: float, n_max: int, mean_diffs: dict[int, float]
) -> np.ndarray:
    """Find the features with the largest mean part of a distance.

    Parameters
    ----------
    features : Features
        All features.
    weights : (p,) array
        Their weights in the distance.
    threshold : float
        Mean part above which a feature is heavy.
    n_max : int
        Number of heavy features at most.
    mean_diffs : dict
        Mean diffs that are already computed, by feature; new ones are added in place.

    Returns
    -------
    (H,) int array
        The heavy features, ascending.
    """
    heavy: list[tuple[float, int, int]] = []  # minus the mean part, index in the data, index in the run
    order = np.lexsort((features.columns, -weights))
    for start in range(0, len(order) if n_max else 0, FEATURES_PER_LOOK):
        chunk = order[start : start + FEATURES_PER_LOOK]
        smallest = threshold if len(heavy) < n_max else max(threshold, -heavy[-1][0])
        chunk = chunk[weights[chunk] > smallest]  # no mean diff is above 1
        if not len(chunk):
            break
        new_features = np.array([f for f in chunk if f not in mean_diffs], np.int64)
        mean_diffs.update(zip(new_features.tolist(), _mean_diffs(features, new_features), strict=True))
        for f in chunk:
            mean_part = weights[f] * mean_diffs[f]
            if mean_part > threshold:
                heavy.append((-mean_part, features.columns[f], f))
        heavy = sorted(heavy)[:n_max]
    return np.array(sorted(f for *_, f in heavy), np.int64)


def _mean_diffs(features: Features, chosen: np.ndarray) -> list[float]:
    """Compute the mean diff of all pairs of rows that have a feature, before any ramp, for the chosen features."""
    if not len(chosen):
        return []
    values = features.values[:, chosen]
    dense: np.ndarray = cast("sparse.csr_array", values).toarray() if features.is_sparse else values
    columns = np.sort(dense.T, axis=1).astype(np.float64)
    means = []
    for f, column in zip(chosen, columns, strict=True):
        x = column[np.searchsorted(column, MISSING, side="right") :]
        n = len(x)
        if f < features.n_numeric:
            # Sorted values: the i-th is the larger one in i - 1 pairs, the smaller one in n - i.
            total = 2 * float(x @ (2.0 * np.arange(1, n + 1) - n - 1))
        else:
            # All pairs less those with equal values.
            is_end = np.concatenate([[True], x[1:] != x[:-1], [True]])
            counts = np.diff(np.flatnonzero(is_end)) if n else np.zeros(0)
            total = n * (n - 1.0) - float((counts * (counts - 1.0)).sum())
        means.append(total / (n * (n - 1.0)) if n > 1 else 0.0)
    return means
