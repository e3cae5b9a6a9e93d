"""Distances of rows with permuted features, except a few features that are held in place."""

from collections.abc import Iterator

import numpy as np

from ..kernels.diff import shaped
from ..kernels.jit import kernel
from ..relief.neighbourhoods.row_pairs import STRIP
from ..work.threads import PARTS
from .leave_feature_out import Columns
from .rows import Rows


class Held(Rows):
    """Distances (m, n) of rows whose features are those of others, but for some, which stay where they are.

    Rows are numbered by whose the other features are, as in `Lists.shuffled`.
    """

    def __init__(self, rows: Rows, weights: np.ndarray, held: np.ndarray, moved: np.ndarray):
        self.run, self.known, self.kept, self._distance = rows.run, rows.known, rows.kept, rows._distance
        features, whole = rows.run.features, np.arange(len(moved))
        there, here = (Columns.of(features, held, order) for order in (np.argsort(moved), whole))
        self._parts = there.values, here.values, there.numeric, weights[held], features.diff.shape

    def blocks(self, part: int, n_parts: int = PARTS, strip: int = STRIP) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for distances, rows in super().blocks(part, n_parts, strip):
            found = distances.copy()
            _replace(found, rows, *self._parts)
            yield found, rows


@kernel
def _replace(D, rows, there, here, numeric, weights, shape):
    """Add to the distances D (b, n) of some rows the weighted diffs of values `there` (H, n) less those of `here`."""
    n = D.shape[1]
    for b in range(len(D)):
        d, i = D[b], rows[b]
        for h in range(len(weights)):
            x, y, v = there[h], here[h], weights[h]
            if not numeric[h]:
                for j in range(n):
                    d[j] += v * ((1.0 if x[j] != x[i] else 0.0) - (1.0 if y[j] != y[i] else 0.0))
            else:
                for j in range(n):
                    d[j] += v * (shaped(abs(x[j] - x[i]), shape) - shaped(abs(y[j] - y[i]), shape))
        for j in range(n):
            d[j] = max(d[j], 0.0)
