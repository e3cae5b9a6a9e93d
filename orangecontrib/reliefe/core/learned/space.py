"""A space of neighbours: what a distance says about the rows, and the scores that follow from it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..relief.formats.lists import Neighbours
from ..relief.formats.row_means import OwnMeans
from .row_distances import RowDistances


@dataclass(frozen=True)
class NeighbourSpace:
    """Neighbours by some distance, and the scores that they give.

    neighbours: lists of the nearest rows.
    distances: the distances that the lists are by; None where nobody searches for neighbours anew.
    scores (p,): as the run orders features.
    weights (p,): weights of the features in the distance; None: all are 1.
    heavy (H,): features that have neighbours of their own, by the distance without the feature.
    means: means over these neighbours; None without heavy features.
    diagnostics: one dictionary of plain literals for each round.
    """

    neighbours: Neighbours
    distances: RowDistances | None = None
    scores: np.ndarray | None = None
    weights: np.ndarray | None = None
    heavy: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    means: OwnMeans | None = None
    diagnostics: tuple[dict[str, Any], ...] = ()
