"""Score tests of single variants, by which a filter keeps variants, and the inflation of a study is judged.

A Relief score compares rows with their nearest rows, which are mostly of their own population. Its p-values hardly show
that populations differ in a phenotype. Tests of single variants do.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core import Packed
from ..core.checked_call import check_call
from ..core.data.dosages import Dosages
from ..core.data.expected import IGNORE
from ..core.inference.covariate_tests import test_beside
from ..core.studies.components import TILE, tiles

MIN_P = float(np.finfo(float).tiny)  # p that underflowed


def single_variant_tests(genotypes: Packed | Dosages, phenotype: np.ndarray, **study: Any) -> np.ndarray:
    """Return p-values of score tests of a phenotype for the count of an allele of each variant.

    Unknown genotypes count as the mean of their variant.

    Parameters
    ----------
    genotypes : Packed or Dosages (n, p)
        Genotypes of n people, p variants, or their dosages.
    phenotype : ndarray, shape (n,)
        Classes, numbers, or a structured array of times and events.
    **study
        `covariates`, `linear_covariates` and `task`, as in `core.rank`.

    Returns
    -------
    ndarray, shape (p,)
        p-values in (0, 1].
    """
    request = check_call(genotypes, phenotype, "multisurf", missing=IGNORE, **study)
    Z = request.study.Z if request.study else np.zeros((request.target.n, 0))
    test = test_beside(request.target, Z)
    columns = tiles(genotypes) if isinstance(genotypes, Packed) else _tiles_of_dosages(genotypes.values)
    p_values = [test(tile.astype(float), np.zeros(tile.shape[1], bool)) for tile in columns]
    return np.asarray(np.maximum(np.concatenate(p_values), MIN_P))


def _tiles_of_dosages(dosages: np.ndarray) -> Iterator[np.ndarray]:
    """Yield dosages (n, c) of some variants at a time, with the mean of a variant in the place of NaN."""
    for first in range(0, dosages.shape[1], TILE):
        tile = dosages[:, first : first + TILE].astype(float)
        unknown = np.isnan(tile)
        n_known = np.maximum(np.count_nonzero(~unknown, axis=0), 1)
        means = np.where(unknown, 0, tile).sum(axis=0) / n_known
        yield np.where(unknown, means, tile)
