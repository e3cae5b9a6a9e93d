"""Score tests of single variants, by which a filter keeps variants, and the inflation of a study is judged.

A Relief score compares rows with their nearest rows, which are mostly of their own population. Its p-values hardly show
that populations differ in a phenotype. Tests of single variants do.
"""

from typing import Any

import numpy as np

from ..core import Packed
from ..core.data.expected import IGNORE
from ..core.inference.covariate_tests import test_beside
from ..core.request import Request
from ..core.studies.components import tiles

SMALLEST = float(np.finfo(float).tiny)  # p that underflowed


def single_variant_tests(codes: Packed, phenotype: np.ndarray, **study: Any) -> np.ndarray:
    """Return p-values of score tests of a phenotype for the count of an allele of each variant.

    Unknown genotypes count as the mean of their variant.

    Parameters
    ----------
    codes : Packed
        Genotypes of n people, p variants.
    phenotype : ndarray, shape (n,)
        Classes, numbers, or a structured array of times and events.
    **study
        `covariates`, `linear_covariates` and `task`, as in `core.rank`.

    Returns
    -------
    ndarray, shape (p,)
        p-values in (0, 1].
    """
    request = Request.check(codes, phenotype, "multisurf", missing=IGNORE, **study)
    Z = request.study.Z if request.study else np.zeros((request.target.n, 0))
    test = test_beside(request.target, Z)
    p_values = [test(tile.astype(float), np.zeros(tile.shape[1], bool)) for tile in tiles(codes)]
    return np.asarray(np.maximum(np.concatenate(p_values), SMALLEST))
