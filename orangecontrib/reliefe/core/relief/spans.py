"""Sums over pairs for some features at a time, where what their missing values add is made anew for each of them."""

from collections.abc import Callable
from typing import cast

import numpy as np

from ..data.features import Features
from ..data.missing import Corrections
from ..parallel import PARTS, Work
from .pair_sums import Sums

Add = Callable[[int, tuple[int, int], Corrections, np.ndarray], None]


def in_spans(features: Features) -> bool:
    """True if features are scored some at a time, as what their missing values add is not kept."""
    return features.missing is not None and not features.missing.kept


def by_spans(features: Features, sums: Sums, work: Work, add: Add) -> np.ndarray:
    """Scores (p,) from sums over the features of one span after another."""
    total, missing = sums.zeros(), cast("Corrections", features.missing)

    def span(where: tuple[int, int]) -> None:
        own, some, (first, last) = sums.zeros(), missing.span(*where), where
        last = last if last < features.shape[1] else len(own)
        for part in range(PARTS):  # in this order, as in a total
            own[first:last] = 0
            add(part, (first, last), some, own)
            total[first:last] += own[first:last]

    work.map(span, missing.spans())
    return sums.finish(total)
