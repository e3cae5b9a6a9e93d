"""Folds as the authors of CLUS make them, so that their published results can be repeated."""

import random

import numpy as np

from ..checks import whole
from .folds import Fold, check_counts


def blocks(n: int, n_folds: int = 10, random_state: int = 123) -> list[Fold]:
    """Cut the rows, permuted by Python's generator, into consecutive folds.

    The first n mod n_folds folds have one row more; indices are in the order of the permutation.  Parameters: those of
    `folds`.
    Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, section 5.2.
    """
    check_counts(n, n_folds)
    order = list(range(n))
    random.Random(whole("random_state", random_state)).shuffle(order)
    parts = np.array_split(np.array(order), n_folds)
    return [(np.concatenate(parts[:f] + parts[f + 1 :]), parts[f]) for f in range(n_folds)]
