"""Blocks of features whose margins are computed at once, as `margins` and `stumps` need them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
from scipy import sparse

from ..relief.formats.aligned_arrays import aligned
from ..relief.formats.features import Features

MIN_FEATURES = 128  # features in a block at least; chosen by eye
MAX_VALUES = 2**18  # values in a block, 2 MiB in double precision: about the second-level cache of a core
LANES = 32  # features that a loop takes at once: blocks are padded to whole vector registers


def feature_indices(p: int, n: int) -> Iterator[np.ndarray]:
    """Iterate over blocks of the p features, each as large as margins of n rows are best computed."""
    width = max(MAX_VALUES // n // LANES * LANES, MIN_FEATURES)
    for start in range(0, p, width):
        yield np.arange(start, min(start + width, p))


def block_of_features(features: Features, chosen: np.ndarray, row_wise: bool) -> Features:
    """Copy some features to a dense block, padded with zeros to whole vector registers.

    Parameters
    ----------
    features : Features
        All features.
    chosen : (c,) int array
        The features to copy, ascending.
    row_wise : bool
        True if means are taken row by row, for which sparse features must be dense.

    Returns
    -------
    Features
        The block, whose `missing` has the entries of the chosen features.  Complete sparse features stay sparse unless
        they are needed row by row.
    """
    p = features.shape[1]
    missing = features.missing
    is_range = len(chosen) > 0 and chosen[-1] - chosen[0] + 1 == len(chosen)
    values = features.values[:, chosen[0] : chosen[-1] + 1] if is_range else features.values[:, chosen]
    columns = features.columns[chosen]
    if features.is_sparse and missing is None and not row_wise:
        n_numeric = int(np.searchsorted(chosen, features.n_numeric))
        return replace(features, values=values, n_numeric=n_numeric, columns=columns)
    n_lanes = -(-len(chosen) // LANES) * LANES  # rounded up
    padded = aligned((features.shape[0], n_lanes), values.dtype)
    padded[:, : len(chosen)] = cast("sparse.csr_array", values).toarray() if features.is_sparse else values
    padded[:, len(chosen) :] = 0
    if missing is not None:
        missing = missing.select(chosen)
    n_numeric = int(np.searchsorted(chosen, min(features.n_numeric, p)))
    if n_numeric == len(chosen):
        n_numeric = n_lanes  # the padding is numeric, too: whole registers
    return replace(features, values=padded, n_numeric=n_numeric, columns=columns, missing=missing)
