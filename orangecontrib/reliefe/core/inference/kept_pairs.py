"""Output of a scoring that lists the pairs of rows a score is summed over, with their weights.

`residual_sums.py` and `explanation.py` pass it to a method in `MethodInput.outputs`.
"""

from typing import Any

import numpy as np

from ..relief.formats.pair_sums import PairList
from ..relief.formats.sums import WeightTile
from ..relief.neighbourhoods.row_pairs import RowPairs
from ..relief.weight_sums import PairWeights, folded


class KeptPairs(PairWeights):
    """Features, ids of the rows, and the two rows and the folded weight of each pair."""

    @staticmethod
    def of_unfolded(rows: RowPairs, pairs: PairList) -> tuple[np.ndarray, ...]:
        return folded(rows.n, pairs)

    @staticmethod
    def of_tile(tile: WeightTile) -> Any:
        """The pairs of a tile."""
        V, (i0, i1, j0, j1) = tile
        corner = V[: i1 - i0, : j1 - j0]
        i, j = np.nonzero(corner)
        return (i0, j0), i + i0, j + j0, corner[i, j].astype(float)

    @staticmethod
    def of_list(pairs: PairList) -> Any:
        """The pairs of a list."""
        weighs = pairs.weights[:, 0] != 0
        i = pairs.first_rows[weighs].astype(int)
        j = pairs.cols[weighs].astype(int)
        corner = int(pairs.rows.min()), int(pairs.cols.min())
        return corner, i, j, pairs.weights[weighs, 0].astype(float)

    @staticmethod
    def of_notes(rows: RowPairs, notes: list[Any]) -> tuple[np.ndarray, ...]:
        if not notes:
            nothing = np.zeros(0, int)
            return nothing, nothing, np.zeros(0)
        _, *found = zip(*notes, strict=True)
        return tuple(map(np.concatenate, found))
