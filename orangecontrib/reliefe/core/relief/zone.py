"""Zones: which distances of a row are below, or above, a limit of its own."""

import numpy as np


class Zone:
    """The pairs (i, j) with ``side * d_ij < limit_i``, seen from row i.

    Parameters
    ----------
    side : float
        1 for near rows, -1 for far ones.
    limit : ndarray, shape (n,)
        Limit of each row, times `side`; -inf: no row is in its zone.
    mean : ndarray, shape (n,)
        Mean distance that the limit is made of.
    dtype : type
        Type of the tiles, float32 or float64.

    Attributes
    ----------
    side_in_tile_dtype, limit_in_tile_dtype
        Numbers that say the same for distances of the type of the tiles.
    scale : ndarray, shape (n,)
        Size of what limits are made of, which their errors are relative to.
    """

    def __init__(self, side: float, limit: np.ndarray, mean: np.ndarray, dtype: type):
        self.side, self.limit, self.side_in_tile_dtype = side, limit, dtype(side)
        self.scale: np.ndarray = np.where(np.isfinite(limit), np.maximum(np.abs(limit), mean), 0).astype(dtype)
        nearest: np.ndarray = limit.astype(dtype)  # then the least number of the type that is not below the limit
        self.limit_in_tile_dtype = np.where(nearest < limit, np.nextafter(nearest, dtype(np.inf)), nearest)
