"""Distances of shuffled targets in which the features that dominate stay with the targets.

Where a few features tell the classes and weigh most in the distance, rows of another class are rare nearby, and so
farther in *every* feature: all useless ones gain by that.  A shuffle of all features would not show it.
"""

from collections.abc import Iterator

import numpy as np

from ..forms.features import Features
from ..jit import kernel
from ..neighbourhoods.pairs import STRIP
from ..parallel import PARTS
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
        """Every n_parts-th strip: (distances (b, n), rows (b,)); a row is infinitely far from itself."""
        for distances, rows in super().blocks(part, n_parts, strip):
            found = distances.copy()
            _replace(found, rows, *self._parts)
            yield found, rows


def can_hold(features: Features) -> bool:
    """True if distances are sums over the features."""
    return features.missing is None


@kernel
def _replace(D, rows, there, here, numeric, weights, shape):
    """Add to the distances D (b, n) of some rows the weighted diffs of values `there` (H, n) less those of `here`."""
    low, slope, squared = shape
    n = D.shape[1]
    for b in range(len(D)):
        d, i = D[b], rows[b]
        for h in range(len(weights)):
            x, y, v = there[h], here[h], weights[h]
            if not numeric[h]:
                for j in range(n):
                    d[j] += v * ((1.0 if x[j] != x[i] else 0.0) - (1.0 if y[j] != y[i] else 0.0))
            elif slope == 0:
                for j in range(n):
                    d[j] += v * (abs(x[j] - x[i]) - abs(y[j] - y[i]))
            else:
                for j in range(n):
                    q = min(max((abs(x[j] - x[i]) - low) * slope, 0.0), 1.0)
                    r = min(max((abs(y[j] - y[i]) - low) * slope, 0.0), 1.0)
                    d[j] += v * (q * q - r * r if squared else q - r)
        for j in range(n):
            d[j] = max(d[j], 0.0)
