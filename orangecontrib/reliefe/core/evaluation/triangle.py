"""Points in a triangle for three probabilities."""

import numpy as np

from ..data.arrays import floats

HEIGHT = np.sqrt(3) / 2  # of a triangle whose sides are 1


def in_triangle(probabilities: object) -> np.ndarray:
    """Points (n, 2) in a triangle of sides 1 for three probabilities (n, 3), which need not add up to 1 in a row.

    They are of the first (lower left corner), of neither (upper corner), of the second (lower right corner).
    """
    shares = floats(probabilities, "probabilities")
    if shares.ndim != 2 or shares.shape[1] != 3 or not (shares >= 0).all() or not shares.sum(axis=1).all():
        raise ValueError(f"probabilities must be (n, 3), not negative, not all 0, not of shape {shares.shape}")
    shares = shares / shares.sum(axis=1, keepdims=True)
    return np.column_stack([shares[:, 1] / 2 + shares[:, 2], shares[:, 1] * HEIGHT])
