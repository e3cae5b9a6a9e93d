"""Output of a scoring that lists the pairs of rows a score is summed over, with their weights.

`residual_sums.py` and `score_parts.py` pass it to a method in `MethodInput.outputs`.
"""

from typing import Any, NamedTuple

import numpy as np

from ..relief.formats.pair_sums import PairList
from ..relief.formats.sums import WeightTile
from ..relief.neighbourhoods.row_pairs import RowPairs
from ..relief.weight_sums import PairWeights, folded


class ScoredPairs(NamedTuple):
    """Pairs of rows that a score is summed over.

    i (P,): first row of each pair.
    j (P,): second row.
    weights (P,): folded weights u_ij = V_ij + V_ji.
    """

    i: np.ndarray
    j: np.ndarray
    weights: np.ndarray


class KeptPairs(PairWeights):
    """Features, ids of the rows, and the pairs of rows with their weights (`ScoredPairs`)."""

    @staticmethod
    def of_unfolded(rows: RowPairs, pairs: PairList) -> ScoredPairs:
        """Fold the weights of a list of pairs of all rows."""
        return ScoredPairs(*folded(rows.n, pairs))

    @staticmethod
    def of_tile(tile: WeightTile) -> Any:
        """Return the first row and column of a tile, by which notes are ordered, and its pairs."""
        i0, i1, j0, j1 = tile.bounds
        weights = tile.weights[: i1 - i0, : j1 - j0]
        i, j = np.nonzero(weights)
        return (i0, j0), ScoredPairs(i + i0, j + j0, weights[i, j].astype(float))

    @staticmethod
    def of_list(pairs: PairList) -> Any:
        """Return the first row and column of a list, by which notes are ordered, and its pairs of any weight but 0."""
        has_weight = pairs.weights[:, 0] != 0
        i = pairs.first_rows[has_weight].astype(int)
        j = pairs.cols[has_weight].astype(int)
        first_cell = int(pairs.rows.min()), int(pairs.cols.min())
        return first_cell, ScoredPairs(i, j, pairs.weights[has_weight, 0].astype(float))

    @staticmethod
    def of_notes(rows: RowPairs, notes: list[Any]) -> ScoredPairs:
        """Join the pairs of all tiles or lists."""
        if not notes:
            no_rows = np.zeros(0, int)
            return ScoredPairs(no_rows, no_rows, np.zeros(0))
        noted_pairs = (pairs for _, pairs in notes)
        return ScoredPairs(*map(np.concatenate, zip(*noted_pairs, strict=True)))
