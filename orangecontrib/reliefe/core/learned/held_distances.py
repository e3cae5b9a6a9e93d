"""Distances of rows with permuted features, except heavy features, which are held in place.

If a few features separate the classes and dominate the distance, rows of another class are rare nearby, and so farther
away in *every* feature: all irrelevant ones gain by that.  Permuting all features would not show it, so `null_gain`
permutes all but the heavy ones, and selects the neighbours by these distances.
"""

from collections.abc import Iterator

import numpy as np

from ..kernels.diff import shaped
from ..kernels.jit import kernel
from ..relief.neighbourhoods.row_pairs import STRIP
from ..work.threads import PARTS
from .leave_feature_out import values_by_feature
from .row_distances import RowDistances


class HeldDistances(RowDistances):
    """Distances (m, n) of rows that have the values of their donors, but in the held features the values they had.

    Rows are numbered by their donors, as in `NeighbourLists.permuted`.
    """

    def __init__(self, distances: RowDistances, weights: np.ndarray, held: np.ndarray, donors: np.ndarray):
        """Replace the share of the held features in the distances, block by block.

        weights (p,): weights of the features; held (H,): those that are not permuted; donors (n,): donor of each row.
        """
        self.run = distances.run
        self.common_weights = distances.common_weights
        self.stored = distances.stored
        self._distance = distances._distance
        features = distances.run.features
        self._fixed_values = values_by_feature(features, held, np.argsort(donors))
        self._donor_values = values_by_feature(features, held, np.arange(len(donors)))
        self._numeric = held < features.n_numeric
        self._weights = weights[held]
        self._shape = features.diff.shape

    def blocks(self, part: int, n_parts: int = PARTS, strip: int = STRIP) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Iterate over strips as `RowDistances.blocks` does; yields copies of the distances (b, n), and rows (b,)."""
        for distances, rows in super().blocks(part, n_parts, strip):
            replaced = distances.copy()
            _replace(replaced, rows, self._fixed_values, self._donor_values, self._numeric, self._weights, self._shape)
            yield replaced, rows


@kernel
def _replace(D, rows, new, old, numeric, weights, shape):
    """Add sum_h weight_h * (diff of new_h - diff of old_h) to the distances D (b, n), which stay at least 0.

    rows (b,): the rows of D.
    new, old (H, n): values of the features whose share of the distance is replaced.
    numeric (H,) bool: numeric features; the others are nominal.
    weights (H,): weights of the features.
    shape: shape of the diffs of numeric features.
    """
    n = D.shape[1]
    for b in range(len(D)):
        d = D[b]
        i = rows[b]
        for h in range(len(weights)):
            x = new[h]
            y = old[h]
            weight = weights[h]
            if not numeric[h]:
                for j in range(n):
                    d[j] += weight * ((1.0 if x[j] != x[i] else 0.0) - (1.0 if y[j] != y[i] else 0.0))
            else:
                for j in range(n):
                    d[j] += weight * (shaped(abs(x[j] - x[i]), shape) - shaped(abs(y[j] - y[i]), shape))
        for j in range(n):
            d[j] = max(d[j], 0.0)
