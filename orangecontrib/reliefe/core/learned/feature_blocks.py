"""Blocks of features whose margins are computed at once."""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
from scipy import sparse

from ..relief.formats.features import Features, aligned

MIN_FEATURES, MAX_VALUES = 128, 2**18  # features whose margins are computed at once, and values of theirs
LANES = 32  # numbers that a loop over features takes at once


def all_columns(p: int, n: int) -> Iterator[np.ndarray]:
    """Blocks of the p features, each as large as margins of n rows are best computed."""
    width = max(MAX_VALUES // n // LANES * LANES, MIN_FEATURES)
    for start in range(0, p, width):
        yield np.arange(start, min(start + width, p))


def block_of_features(features: Features, chosen: np.ndarray, row_wise: bool) -> Features:
    """Features `chosen` alone, dense, with columns of zeros that make them whole vector registers; `missing` has their
    entries, and `padded` does not count.  Sparse ones stay so if they are complete, unless rows take means."""
    p, missing = features.shape[1], features.missing
    whole = len(chosen) > 0 and chosen[-1] - chosen[0] + 1 == len(chosen)
    values = features.values[:, chosen[0] : chosen[-1] + 1] if whole else features.values[:, chosen]
    if features.is_sparse and missing is None and not row_wise:
        n_numeric = int(np.searchsorted(chosen, features.n_numeric))
        return replace(features, values=values, n_numeric=n_numeric, columns=features.columns[chosen])
    packed = aligned((features.shape[0], -(-len(chosen) // LANES) * LANES), values.dtype)
    packed[:, : len(chosen)] = cast("sparse.csr_array", values).toarray() if features.is_sparse else values
    packed[:, len(chosen) :] = 0
    if missing is not None:
        missing = missing.some(chosen)
    n_numeric = int(np.searchsorted(chosen, min(features.n_numeric, p)))
    n_numeric = packed.shape[1] if n_numeric == len(chosen) else n_numeric  # whole registers
    columns = features.columns[chosen]
    return replace(features, values=packed, n_numeric=n_numeric, columns=columns, missing=missing)
