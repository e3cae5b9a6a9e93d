"""Principal axes of the columns of a basis, on which `ridge_regression` and `logistic_regression` fit targets."""

from typing import NamedTuple

import numpy as np

MIN_LENGTH = 1e-9  # length of an axis, as a share of the longest one, below which only rounding is left
TINY = 1e-12  # longest axis of columns that are all constant


class ColumnAxes(NamedTuple):
    """Axes of the centred columns of a basis, by its singular value decomposition.

    directions (n, r): orthonormal axes.
    lengths (r,): singular values.
    """

    directions: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, basis: np.ndarray) -> "ColumnAxes":
        """Decompose a basis (n, q)."""
        directions, lengths, _ = np.linalg.svd(basis - basis.mean(axis=0), full_matrices=False)
        is_axis = lengths > MIN_LENGTH * max(lengths.max(initial=0), TINY)
        return cls(directions[:, is_axis], lengths[is_axis])
