"""The weighted distance: sum of ``v_f diff_f`` over the features, by tiles as any other distance."""

from dataclasses import dataclass, replace

import numpy as np

from ..data.features import LANES, Features, aligned
from ..data.missing import Corrections
from ..jit import kernel
from ..relief.distances import DEPTH, DenseManhattan, Distance
from ..relief.sparse import InvertedIndex

NOTHING = 1e-9  # share of all weights below which two rows have no feature in common


class Weighted(Distance):
    """distance: Manhattan, that has the form of tiles; weights (p,) >= 0, as the run orders features."""

    def __init__(self, distance: Distance, features: Features, weights: np.ndarray):
        self.features, self.shape, self.weights = features, distance.shape, weights
        self._scaled: DenseManhattan | None = None  # numbers times their weights, for which there are faster kernels
        self.known = Known.weighted(features.missing, weights) if features.missing else None
        if features.is_sparse:
            self._index: InvertedIndex = distance.index
            _, indices, _, alone, _ = self._index.rows
            ends = np.concatenate([[0.0], np.cumsum(alone * weights[indices])])
            self._norms = np.diff(ends[features.values.indptr])
        elif features.diff.plain and features.n_numeric >= len(weights) and features.values.dtype == np.float32:
            self._scaled = DenseManhattan(replace(features, values=_scaled(features.values, weights), missing=None))
        else:
            self._padded = aligned((features.padded,), features.values.dtype)
            self._padded[:] = 0
            self._padded[: len(weights)] = weights

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        f, where = self.features, (i0, i1, j0, j1)
        if f.is_sparse:
            index = self._index
            parts = index.rows, index.columns, self._norms, self.weights
            _inverted(*parts, f.n_numeric, f.diff.shape, where, upper, out)
        elif self._scaled:
            self._scaled.tile(i0, i1, j0, j1, out, upper)
        else:
            _dense(f.values, f.lanes, self._padded, f.n_numeric, f.diff.shape, where, upper, out)
        if self.known:
            self.known.correct(out, i0, i1, j0, j1)
        return out


@dataclass(frozen=True)
class Known:
    """What missing values add to weighted distances; with "ignore" these are means over the features that both rows
    have, times the sum `whole` of the weights.

    unknown: the weights themselves as if they were to be added for pairs in which both rows lack a feature.
    """

    added: Corrections
    whole: float
    lacks: np.ndarray
    unknown: Corrections | None = None

    @classmethod
    def weighted(cls, missing: Corrections, weights: np.ndarray) -> "Known":
        of_slot = np.zeros(len(missing.table))
        of_slot[missing.slots] = weights[missing.features]
        added = replace(missing, table=missing.table * of_slot[:, None], unknown=None)
        ends = np.concatenate([[0.0], np.cumsum(weights[missing.features])])
        unknown = None
        if missing.ignore:
            unknown = replace(added, table=missing.unknown * of_slot[:, None])
        return cls(added, float(weights.sum()), np.diff(ends[missing.indptr]), unknown)

    def correct(self, D: np.ndarray, i0: int, i1: int, j0: int, j1: int) -> None:
        """Turn a tile D of distances with MISSING as a value into true distances."""
        self.added.correct(D, i0, i1, j0, j1)
        if self.unknown:
            D = D[: i1 - i0, : j1 - j0]
            seen = self.seen(i0, i1, j0, j1)
            some = seen > NOTHING * self.whole
            D[:] = np.where(some, np.maximum(D, 0) / np.where(some, seen, 1) * self.whole, self.whole)

    def seen(self, i0: int, i1: int, j0: int, j1: int) -> np.ndarray:
        """(h, w): sum of the weights of the features that both rows of a pair have."""
        twice = np.zeros((i1 - i0, j1 - j0))
        self.unknown.correct(twice, i0, i1, j0, j1)
        return self.whole - self.lacks[i0:i1, None] - self.lacks[j0:j1] + twice / 2


def _scaled(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    out = aligned(values.shape, values.dtype)
    out[:, len(weights) :] = 0
    np.multiply(values[:, : len(weights)], weights.astype(values.dtype), out=out[:, : len(weights)])
    return out


@kernel
def _dense(X, lanes, weights, n_numeric, shape, where, upper, out):
    (low, slope, squared), (i0, i1, j0, j1) = shape, where
    p, acc = lanes.shape[1] // LANES, np.empty(LANES, X.dtype)
    for f0 in range(0, p, DEPTH):
        f1 = min(f0 + DEPTH, p)
        cut = min(max(n_numeric, f0), f1) - f0
        v = weights[f0:f1]
        for l0 in range(j0, j1, LANES):
            width = min(LANES, j1 - l0)
            B = lanes[l0 // LANES, f0 * LANES : f1 * LANES]
            for i in range(i0, i1):
                if upper and i + 1 >= l0 + width:
                    break
                x = X[i, f0:f1]
                acc[:] = 0
                if slope == 0:
                    _add_numeric(x[:cut], v, B, acc)
                else:
                    _add_shaped(x[:cut], v, B, low, slope, squared, acc)
                _add_nominal(x[cut:], v[cut:], B[cut * LANES :], acc)
                row = out[i - i0, l0 - j0 : l0 - j0 + width]
                if f0 == 0:
                    for q in range(width):
                        row[q] = acc[q]
                else:
                    for q in range(width):
                        row[q] += acc[q]


@kernel
def _add_numeric(x, v, B, total):
    """total (LANES,) += sum_f v_f |x_f - B_f|, eight features a sweep; padded features weigh 0."""
    eights = len(x) // 8 * 8
    for f in range(0, eights, 8):
        x0, x1, x2, x3, x4, x5, x6, x7 = x[f], x[f + 1], x[f + 2], x[f + 3], x[f + 4], x[f + 5], x[f + 6], x[f + 7]
        v0, v1, v2, v3, v4, v5, v6, v7 = v[f], v[f + 1], v[f + 2], v[f + 3], v[f + 4], v[f + 5], v[f + 6], v[f + 7]
        b = B[f * LANES : (f + 8) * LANES]
        for q in range(LANES):
            total[q] += (
                (v0 * abs(x0 - b[q]) + v1 * abs(x1 - b[LANES + q]))
                + (v2 * abs(x2 - b[2 * LANES + q]) + v3 * abs(x3 - b[3 * LANES + q]))
            ) + (
                (v4 * abs(x4 - b[4 * LANES + q]) + v5 * abs(x5 - b[5 * LANES + q]))
                + (v6 * abs(x6 - b[6 * LANES + q]) + v7 * abs(x7 - b[7 * LANES + q]))
            )
    for f in range(eights, len(x)):
        for q in range(LANES):
            total[q] += v[f] * abs(x[f] - B[f * LANES + q])


@kernel
def _add_shaped(x, v, B, low, slope, squared, total):
    for f in range(len(x)):
        for q in range(LANES):
            diff = min(max((abs(x[f] - B[f * LANES + q]) - low) * slope, 0.0), 1.0)
            total[q] += v[f] * (diff * diff if squared else diff)


@kernel
def _add_nominal(x, v, B, total):
    none = x.dtype.type(0)
    eights = len(x) // 8 * 8
    for f in range(0, eights, 8):
        x0, x1, x2, x3, x4, x5, x6, x7 = x[f], x[f + 1], x[f + 2], x[f + 3], x[f + 4], x[f + 5], x[f + 6], x[f + 7]
        v0, v1, v2, v3, v4, v5, v6, v7 = v[f], v[f + 1], v[f + 2], v[f + 3], v[f + 4], v[f + 5], v[f + 6], v[f + 7]
        b = B[f * LANES : (f + 8) * LANES]
        for q in range(LANES):
            total[q] += (
                ((v0 if x0 != b[q] else none) + (v1 if x1 != b[LANES + q] else none))
                + ((v2 if x2 != b[2 * LANES + q] else none) + (v3 if x3 != b[3 * LANES + q] else none))
            ) + (
                ((v4 if x4 != b[4 * LANES + q] else none) + (v5 if x5 != b[5 * LANES + q] else none))
                + ((v6 if x6 != b[6 * LANES + q] else none) + (v7 if x7 != b[7 * LANES + q] else none))
            )
    for f in range(eights, len(x)):
        for q in range(LANES):
            total[q] += v[f] if x[f] != B[f * LANES + q] else none


@kernel
def _inverted(rows, columns, norms, weights, n_numeric, shape, where, upper, out):
    (indptr, indices, data, alone, place), (cptr, cindices, cdata, calone) = rows, columns
    (low, slope, squared), (i0, i1, j0, j1) = shape, where
    for i in range(i0, i1):
        row = out[i - i0]
        for j in range(i + 1 if upper else j0, j1):
            row[j - j0] = norms[i] + norms[j]
        for t in range(indptr[i], indptr[i + 1]):
            f, x, own = indices[t], data[t], alone[t]
            for s in range(place[t] + 1 if upper else cptr[f], cptr[f + 1]):
                if f >= n_numeric:
                    diff = 1.0 if x != cdata[s] else 0.0
                elif slope == 0:
                    diff = abs(x - cdata[s])
                else:
                    diff = min(max((abs(x - cdata[s]) - low) * slope, 0.0), 1.0)
                    diff = diff * diff if squared else diff
                row[cindices[s] - j0] += weights[f] * (diff - own - calone[s])
