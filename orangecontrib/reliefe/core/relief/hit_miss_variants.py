"""Updates by hits and misses in which pairs, or features, do not count alike."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ..data.targets import Target
from .composition import LISTS
from .lists import Neighbours
from .row_means import RowMeans
from .update import Means
from .updates import HitMiss


@dataclass(frozen=True)
class AboveMean(HitMiss):
    """`HitMiss` on what a diff is above the mean diff of all other features of the pair (ReliefMSS).

    With d the distance of a pair and p features, max(0, diff - (d - diff) / (p - 1)) stands for the diff; of a single
    feature the diff itself.  Where missing values are ignored, p and d are of the features that a pair shares.  Scores
    stay within [-1, 1].

    References
    ----------
    Chikhi and Benhammada (2009), ReliefMSS.
    """

    requires = frozenset({LISTS})
    above_mean = True
    place_form = None


@dataclass(frozen=True)
class SharedFeatures(HitMiss):
    """`HitMiss` whose neighbours count the more, the more features they share with the row (EReliefF).

    Where pairs that lack a feature are ignored; without missing values all neighbours count alike.  A reconstruction
    from the abstract: the paper could not be read.

    References
    ----------
    Park and Kwon (2007), extended ReliefF.
    """

    requires = frozenset({LISTS})

    def from_means(self, near: Neighbours, means: Means, target: Target) -> np.ndarray:
        """Sums (4, p) as those of `HitMiss`, of means weighted by the numbers of shared features."""
        missing = cast("RowMeans", means).features.missing
        if missing is not None and missing.ignore:
            near = replace(near, weights=near.weights * missing.shared(near.rows, near.cols))
        return super().from_means(near, means, target)
