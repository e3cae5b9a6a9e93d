"""Heavy features: those with the largest mean part of the distance."""

from typing import cast

import numpy as np
from scipy import sparse

from ..data.expected import MISSING
from ..relief.formats.features import Features

FEATURES_PER_LOOK = 64  # features whose mean diffs are computed together


def heavy_features(
    features: Features, weights: np.ndarray, limit: float, most: int, spreads: dict[int, float]
) -> np.ndarray:
    """Up to `most` features with the largest mean part of a distance, above `limit`; spreads: those known so far."""
    found: list[tuple[float, int, int]] = []
    order = np.lexsort((features.columns, -weights))
    for start in range(0, len(order) if most else 0, FEATURES_PER_LOOK):
        chunk = order[start : start + FEATURES_PER_LOOK]
        least = limit if len(found) < most else max(limit, -found[-1][0])
        chunk = chunk[weights[chunk] > least]  # no mean diff is above 1
        if not len(chunk):
            break
        new = np.array([f for f in chunk if f not in spreads], np.int64)
        spreads.update(zip(new.tolist(), _spreads(features, new), strict=True))
        found += [(-weights[f] * spreads[f], features.columns[f], f) for f in chunk if weights[f] * spreads[f] > limit]
        found = sorted(found)[:most]
    return np.array(sorted(f for *_, f in found), np.int64)


def _spreads(features: Features, chosen: np.ndarray) -> list[float]:
    """Mean diff of all pairs of rows that have a feature, before any ramp."""
    if not len(chosen):
        return []
    found = features.values[:, chosen]
    dense: np.ndarray = cast("sparse.csr_array", found).toarray() if features.is_sparse else found
    columns = np.sort(dense.T, axis=1).astype(np.float64)
    out = []
    for f, column in zip(chosen, columns, strict=True):
        x = column[np.searchsorted(column, MISSING, side="right") :]
        n = len(x)
        if f < features.n_numeric:
            total = 2 * float(x @ (2.0 * np.arange(1, n + 1) - n - 1))
        else:
            counts = np.diff(np.flatnonzero(np.concatenate([[True], x[1:] != x[:-1], [True]]))) if n else np.zeros(0)
            total = n * (n - 1.0) - float((counts * (counts - 1.0)).sum())
        out.append(total / (n * (n - 1.0)) if n > 1 else 0.0)
    return out
