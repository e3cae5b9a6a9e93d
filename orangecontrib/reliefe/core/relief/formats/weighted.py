"""Weighted distance: sum of ``v_f diff_f`` over the features, by tiles as any other distance."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from .dense import DenseManhattan
from .distance import Distance
from .features import Features
from .missing import Corrections
from .sparse import SparseManhattan, row_sums
from .steps import Steps

MIN_SHARED = 1e-9  # share of all weights below which two rows have no feature in common


class Weighted(Distance):
    """Manhattan distance whose features have weights, with corrections for missing values.

    Parameters
    ----------
    distance : Distance
        The same distance without weights, whose form of the data is used.
    features : Features
        Rows of the run.
    feature_weights : (p,) array
        Weights, in the order of `Features.columns`.
    """

    def __init__(self, distance: Distance, features: Features, feature_weights: np.ndarray):
        self.n = features.shape[0]
        self.tile_shape = distance.tile_shape
        self._largest = float(np.abs(feature_weights).sum())
        self.correction: MissingCorrection | None = None
        missing = features.missing
        if missing:
            added, unknown = missing.weighted(feature_weights)
            # Distances are rounded to a grid by their number of features, which constant ones must not make coarser
            added = replace(added, p=max(int((~features.constant).sum()), 1))
            lacks = row_sums(feature_weights[missing.features], missing.indptr)
            self.correction = MissingCorrection(added, float(feature_weights.sum()), lacks, unknown)
        features = replace(features, missing=None)
        if features.is_sparse:
            self._complete: Distance = SparseManhattan(features, feature_weights, getattr(distance, "index", None))
        else:
            self._complete = DenseManhattan(features, feature_weights)

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        self._complete.tile(i0, i1, j0, j1, out, upper)
        if self.correction:
            self.correction.correct(out, i0, i1, j0, j1)
        return out

    @cached_property
    def steps(self) -> Steps:
        """Those of the sum of the weights."""
        return Steps.for_bound(self.n, self._largest)

    def forget(self) -> None:
        self._complete.forget()


@dataclass(frozen=True)
class MissingCorrection:
    """Corrections of weighted distances for missing values.

    Where these are ignored, distances are means over the features that both rows have, times the sum of the weights.

    Attributes
    ----------
    added : Corrections
        Corrections of the diffs.
    total_weight : float
        Sum of the weights.
    lacks : (n,) array
        Weight of the features that each row lacks.
    unknown : Corrections, optional
        They add the weight of the features that both rows lack; None unless missing values are ignored.
    """

    added: Corrections
    total_weight: float
    lacks: np.ndarray
    unknown: Corrections | None = None

    def correct(self, D: np.ndarray, i0: int, i1: int, j0: int, j1: int) -> None:
        """Turn a tile D of distances with MISSING as a value into true distances."""
        self.added.correct(D, i0, i1, j0, j1)
        if self.unknown:
            D = D[: i1 - i0, : j1 - j0]
            shared_weights = self.shared_weights(i0, i1, j0, j1)
            is_shared = shared_weights > MIN_SHARED * self.total_weight
            means = np.maximum(D, 0) / np.where(is_shared, shared_weights, 1)
            D[:] = np.where(is_shared, means * self.total_weight, self.total_weight)

    def shared_weights(self, i0: int, i1: int, j0: int, j1: int) -> np.ndarray:
        """(h, w): sum of the weights of the features that both rows of a pair have."""
        twice = np.zeros((i1 - i0, j1 - j0))
        cast("Corrections", self.unknown).correct(twice, i0, i1, j0, j1)
        return cast("np.ndarray", self.total_weight - self.lacks[i0:i1, None] - self.lacks[j0:j1] + twice / 2)
