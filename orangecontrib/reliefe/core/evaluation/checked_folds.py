"""Folds that a caller gives: reading and checking."""

from typing import cast

import numpy as np

from ..checks import several
from ..data.chosen_rows import rows_of
from .folds import Fold


def parts_of(parts: object, n: int | None = None) -> list[Fold]:
    """Read folds, pairs of training rows and test rows; raises ValueError for anything else.

    n: number of rows; None: that of all test rows.
    """
    pairs = [several("a fold", fold) for fold in several("parts", parts)]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise ValueError("parts must be at least 1 fold, each of them training rows and test rows")
    n = sum(np.size(test) for _, test in pairs) if n is None else n
    return [cast("Fold", tuple(rows_of(rows, n, "the rows of a fold") for rows in pair)) for pair in pairs]
