"""The contract of sums over pairs, and the sums of dense rows.

`outputs.Scores` makes scores of them: for every feature f

    score_f = sum over pairs (i, j) of V_ij * diff_f(i, j)

Pairs come as lists (`PairList`, `LimitedPairs`) or as tiles of weights (`WeightTile`). `sparse_sums.py`,
`packed.py` and `excess.py` have the sums of the other formats.
"""

from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import NamedTuple, TypeAlias, cast

import numpy as np

from ...kernels.diff import shaped
from ...kernels.jit import compiles, kernel
from ...work.threads import Work
from .bits import LANES
from .features import Features
from .missing import Corrections
from .pair_sums import LimitedPairs, PairList, add_pair_sums


class WeightTile(NamedTuple):
    """Weights of the pairs of a tile.

    Attributes
    ----------
    weights : (>= i1 - i0, >= j1 - j0) array
        Weight of the pair (i, j) at [i - i0, j - j0]; 0 unless i < j.
    bounds : (i0, i1, j0, j1)
        Rows [i0, i1) and columns [j0, j1) of the tile.
    """

    weights: np.ndarray
    bounds: tuple[int, int, int, int]

    def copied(self) -> "WeightTile":
        """Return the same tile in memory of its own."""
        return WeightTile(self.weights.copy(), self.bounds)


WeighedPairs: TypeAlias = PairList | LimitedPairs | WeightTile  # lists with weights for one target


class CorrectedSpan(NamedTuple):
    """Features that are summed now, where not all of them are.

    Attributes
    ----------
    span : (int, int)
        First feature, and end.
    missing : Corrections
        Corrections of the diffs of their missing values.
    """

    span: tuple[int, int]
    missing: Corrections


class Sums:
    """Sums over pairs of weight times diff, in the order of `Features.columns`."""

    features: Features
    # True: pairs are not added as they come; they are collected, and `all_at_once` sums some features at a time
    at_once = False

    @property
    def dtype(self) -> "np.dtype[np.floating]":
        """Type of the weights of listed pairs: that of the values."""
        return self.features.values.dtype

    def all_at_once(self, pairs: Sequence[WeighedPairs], work: Work) -> np.ndarray:
        """Return the sums (p,) over all pairs; only if `at_once`."""
        raise NotImplementedError

    def zeros(self) -> np.ndarray:
        """Return an array of zeros to add to."""
        raise NotImplementedError

    def add(self, pairs: WeighedPairs, out: np.ndarray, part: CorrectedSpan | None = None) -> None:
        """Add the sums over pairs to `out`; part: features that are summed now, None: all of them."""
        raise NotImplementedError

    def finish(self, out: np.ndarray) -> np.ndarray:
        """Return the scores (p,) from the sum over all pairs."""
        return out[: self.features.shape[1]]

    def of_pairs(self, pairs: PairList) -> np.ndarray:
        """Return the sums (p,) over pairs."""
        out = self.zeros()
        self.add(pairs, out)
        return out[: self.features.shape[1]]


def in_spans(features: Features) -> bool:
    """True if features are summed some at a time, because not all corrections of missing values fit into memory."""
    return features.missing is not None and not features.missing.has_table


def by_spans(sums: Sums, pairs_of_parts: Sequence[Sequence[WeighedPairs]], work: Work) -> np.ndarray:
    """Return the scores (p,) from the pairs of all parts, over the features of one span after another."""
    scores = sums.zeros()
    missing = cast("Corrections", sums.features.missing)

    def add_span(span: tuple[int, int]) -> None:
        first, last = span
        if last == sums.features.shape[1]:
            last = len(scores)  # with the padding behind the last feature, which kernels write to
        corrected = CorrectedSpan((first, last), missing.span(*span))
        sums_of_part = sums.zeros()
        # Sums of parts are added in their order, so that scores have the same bits for any number of threads.
        for pairs_of_part in pairs_of_parts:
            sums_of_part[first:last] = 0
            for pairs in pairs_of_part:
                work.tick()
                sums.add(pairs, sums_of_part, corrected)
            scores[first:last] += sums_of_part[first:last]

    work.map(add_span, missing.spans())
    return sums.finish(scores)


class DenseSums(Sums):
    """Sums over pairs of dense rows, in vector registers where that is possible."""

    def __init__(self, features: Features):
        self.features = features

    @cached_property
    def _simd(self) -> ModuleType | None:
        """Kernels in vector registers; None where numba does not compile, or for other diffs and precisions."""
        if not self.features.vectors or not compiles():
            return None
        from . import dense_sums_simd

        return dense_sums_simd

    def zeros(self) -> np.ndarray:
        return np.zeros(self.features.n_padded_columns)

    def add(self, pairs: WeighedPairs, out: np.ndarray, part: CorrectedSpan | None = None) -> None:
        """Add sums over pairs to `out` (n_padded_columns,).

        Of tiles whole fours of features are taken by SIMD kernels.
        """
        f = self.features
        first_of_span, end_of_span = part.span if part else (0, f.n_padded_columns)
        missing = part.missing if part else f.missing
        if isinstance(pairs, PairList):
            add_pair_sums(f, pairs, out[None], (first_of_span, end_of_span), missing)
            return
        V, bounds = cast("WeightTile", pairs)
        for nominal, start, stop in f.kinds:
            first = max(start, first_of_span)
            last = min(stop, end_of_span)
            if self._simd:
                end = first + (last - first) // self._simd.FEATURES * self._simd.FEATURES
                weights = V.reshape(-1)
                self._simd.tile_sums(
                    f.lanes.reshape(-1), f.n_padded_columns, (first, end), nominal, weights, V.shape[1], bounds, out
                )
                first = end  # the features that fill no register
            if first < last:
                _tile_sums(f.values, (first, last), nominal, f.diff.shape, V, bounds, out)
        if missing:
            missing.tile_sums(V, *bounds, out)


@kernel
def _tile_sums(X, features, nominal, shape, V, bounds, out):
    """Add sums over a tile of V[i - i0, j - j0] * diff_f(i, j) to out[f], for the features f of one kind.

    The plain form of `dense_sums_simd.tile_sums`: a row against LANES others, feature by feature.
    """
    i0, i1, j0, j1 = bounds
    sums_of_lanes = np.empty(LANES, X.dtype)
    column = np.empty(LANES, X.dtype)
    for j_first in range(j0, j1, LANES):
        width = min(LANES, j1 - j_first)
        for f in range(features[0], features[1]):
            y = column[:width]
            total = sums_of_lanes[:width]
            for q in range(width):
                y[q] = X[j_first + q, f]
            total[:] = 0
            for i in range(i0, min(i1, j_first + LANES)):  # weights are 0 for larger i: see `WeightTile`
                x = X[i, f]
                weights = V[i - i0, j_first - j0 : j_first - j0 + width]
                if nominal:
                    for q in range(width):
                        total[q] += weights[q] * (x != y[q])
                else:
                    for q in range(width):
                        total[q] += weights[q] * shaped(abs(x - y[q]), shape)
            out[f] += total.sum()
