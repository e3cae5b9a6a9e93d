"""Points in a triangle for three probabilities, as pictures of `hierarchical_t` show them."""

import numpy as np

from ..data.arrays import floats

HEIGHT = np.sqrt(3) / 2  # height of a triangle whose sides are 1


def in_triangle(probabilities: object) -> np.ndarray:
    """Compute points (n, 2) in a triangle of sides 1 for three probabilities (n, 3), which are divided by their sums.

    The probabilities belong to the lower left corner (first is better), the upper one (neither), and the lower right
    one (second is better).
    """
    shares = floats(probabilities, "probabilities")
    if shares.ndim != 2 or shares.shape[1] != 3 or not (shares >= 0).all() or not shares.sum(axis=1).all():
        raise ValueError(f"probabilities must be (n, 3), not negative, not all 0, not of shape {shares.shape}")
    shares = shares / shares.sum(axis=1, keepdims=True)
    return np.column_stack([shares[:, 1] / 2 + shares[:, 2], shares[:, 1] * HEIGHT])
