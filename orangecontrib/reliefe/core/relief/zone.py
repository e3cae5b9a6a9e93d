"""Zones: which distances of a row are below, or above, a limit of its own."""

import numpy as np


class Zone:
    """The pairs (i, j) with ``side * d_ij < limit_i``, seen from row i.

    Shapes: `limit` (n,); `mean` (n,); `scale` (n,).
    """

    def __init__(self, side: float, limit: np.ndarray, mean: np.ndarray, dtype: type):
        self.side, self.limit, self.side_in_tile_dtype = side, limit, dtype(side)
        self.scale: np.ndarray = np.where(np.isfinite(limit), np.maximum(np.abs(limit), mean), 0).astype(dtype)
        nearest: np.ndarray = limit.astype(dtype)  # then the least number of the type that is not below the limit
        self.limit_in_tile_dtype = np.where(nearest < limit, np.nextafter(nearest, dtype(np.inf)), nearest)
