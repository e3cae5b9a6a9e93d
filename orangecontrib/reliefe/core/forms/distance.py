"""Distance between rows, as neighbourhoods ask for it: a maker of tiles."""

import numpy as np

from .codes import Codes


class Distance:
    """A maker of tiles."""

    shape: tuple[int, int]
    super_block: int = 0  # rows of a super-block, the pairs of two of which are visited together; 0: all rows
    dtype: type = np.float64  # of the tiles
    of_features: bool = False  # whether they are sums of the diffs of all features
    is_share: bool = False  # whether they lie in [0, 1]
    kept_by_workers = True  # of a cluster, with what they remember
    codes: Codes | None = None  # the same distances in whole numbers, where these are faster

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """Distances of rows [i0, i1) to rows [j0, j1) in the corner of `out`, which is returned."""
        raise NotImplementedError

    def forget(self) -> None:
        """Give back memory that the next tile takes again."""
