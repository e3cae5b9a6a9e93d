"""Folds that a caller gives."""

from typing import cast

import numpy as np

from ..checks import several
from ..data.arrays import rows_of
from .folds import Fold


def parts_of(parts: object, n: int | None = None) -> list[Fold]:
    """Folds as they are used, checked."""
    pairs = [several("a fold", fold) for fold in several("parts", parts)]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise ValueError("parts must be at least 1 fold, each of them training rows and test rows")
    n = sum(np.size(test) for _, test in pairs) if n is None else n
    return [cast("Fold", tuple(rows_of(rows, n, "the rows of a fold") for rows in pair)) for pair in pairs]
