"""Distance between rows: what storage formats, embeddings and weighted features answer to those that compare rows.

Searches and thresholds read distances in whole steps (`sums`), and ask for exact distances of few pairs (`exact`):
distances in double precision, rounded so that the order of a sum does not matter.  Smooth functions of the distance
read tiles of floats (`tile`).  A tile is a rectangle of pairs, some rows against some columns.
"""

from typing import NamedTuple, Protocol

import numpy as np

from ...kernels.rounding import round_distances
from .codes import Codes
from .steps import Steps, round_to_steps

MANHATTAN = "manhattan"  # name of the sum of the diffs of all features
COSINE = "cosine"  # name of one less the cosine of which features rows have
DISTANCES = (MANHATTAN, COSINE)

TileBounds = tuple[int, int, int, int]  # rows [i0, i1) against columns [j0, j1)


class TileBuffer(NamedTuple):
    """Memory of one thread for a tile of distances.

    Attributes
    ----------
    sums : (height * width,) int32 array
        Half of the distances in steps, with totals (see `Steps`), row by row.
    width : int
        Numbers of a row of the tile.
    tile : (height, width) array or None
        Distances that are rounded to steps; None: they are whole numbers from the start.
    """

    sums: np.ndarray
    width: int
    tile: np.ndarray | None


class SharedWeights(Protocol):
    """Weights of the features that two rows both have, where a weighted distance ignores missing values."""

    @property
    def total_weight(self) -> float:
        """Sum of the weights of all features."""

    def shared_weights(self, i0: int, i1: int, j0: int, j1: int) -> np.ndarray:
        """Sums (i1 - i0, j1 - j0) of the weights that rows [i0, i1) share with rows [j0, j1)."""


class Distance:
    """Distances of n rows.

    Attributes
    ----------
    n : int
        Number of rows.
    tile_shape : (int, int)
        Rows and columns of a tile.
    super_block : int
        Rows of a super-block, the pairs of two of which are visited together; 0: all rows.
    dtype : type
        Type of the tiles.
    of_features : bool
        True if distances are sums of the diffs of all features.
    is_share : bool
        True if they lie in [0, 1].
    codes : Codes, optional
        Rows in whole numbers, from which `sums` are made; None: from tiles.
    correction : SharedWeights, optional
        What two rows have in common; None: distances have no weights, or no missing value is ignored.
    """

    n: int
    tile_shape: tuple[int, int]
    super_block: int = 0
    dtype: type = np.float64
    of_features: bool = False
    is_share: bool = False
    kept_by_workers = True  # of a cluster, with what they remember
    codes: Codes | None = None
    correction: SharedWeights | None = None

    @property
    def steps(self) -> Steps:
        """Unit and error of whole-number distances."""
        raise NotImplementedError

    @property
    def search_shape(self) -> tuple[int, int]:
        """Rows and columns of a tile of a search."""
        return self.tile_shape

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """Distances of rows [i0, i1) to rows [j0, j1) in the corner of `out`, which is returned."""
        raise NotImplementedError

    @property
    def rounds_tiles(self) -> bool:
        """True if steps are rounded from tiles; False if they are whole numbers from the start."""
        return True

    def buffer(self, height: int, width: int) -> TileBuffer:
        """Return memory for tiles of up to this size."""
        tile = np.zeros((height, width)) if self.rounds_tiles else None  # what no tile fills in must be harmless
        return TileBuffer(np.empty(height * width, np.int32), width, tile)

    def sums(self, bounds: TileBounds, buffer: TileBuffer, upper: bool = True) -> np.ndarray:
        """Half of the distances of a tile in steps, with totals (see `Steps`), flat, ``buffer.width`` in a row.

        upper: only the pairs i < j are sure to be filled in.
        """
        tile = self.tile(*bounds, np.asarray(buffer.tile), upper)
        round_to_steps(tile, bounds, self.steps.per_unit / 2, buffer.width, buffer.sums)
        return buffer.sums

    def exact(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Compute distances (b, k) of rows (b,) to cols (b, k) in double precision; infinite where cols is negative.

        They are rounded: the order of a sum changes no digit.
        """
        out = np.full(cols.shape, np.inf)
        line = np.zeros((1, self.n))
        last = -1
        for b, row in enumerate(rows.tolist()):
            if row != last:
                self.tile(row, row + 1, 0, self.n, line, upper=False)
                last = row
            is_there = cols[b] >= 0
            out[b, is_there] = line[0, cols[b, is_there]]
        round_distances(out)
        return out

    def forget(self) -> None:
        """Give back memory that the next tile takes again."""
