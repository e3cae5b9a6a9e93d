"""The nearest rows of every group until their weights reach k: `KNearest` for rows with weights.

`k_nearest.py` takes it where the rows of a ranking have weights.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..formats.lists import squared
from .base import GROUPS, LISTS, ListBlock, ListBlocks, Neighbourhood
from .relations import Relation
from .row_pairs import RowPairs


@dataclass(frozen=True)
class NearestByWeight(Neighbourhood):
    """The nearest rows of every group until their weights reach k; the last one counts with the remainder.

    With w_(1), w_(2), ... the weights of the rows of a group by their distance, ties by row, the r-th counts

        c_r = min(w_(r), max(k - sum_{s < r} w_(s), 0)),

    and with a sigma c_r exp(-(rank_r / sigma)^2), where rank_r is 1 + the weights of all rows that are nearer.  A row
    of weight 2 has two of the k places, as the row given twice would.  Without weights all rows weigh 1.

    Attributes
    ----------
    n_neighbors : int
        k, at least 1.
    sigma : float, optional
        Width, above 0, of the weights exp(-(rank / sigma)^2); None: equal weights.
    """

    n_neighbors: int
    sigma: float | None = None

    offers = frozenset({LISTS})
    requires = frozenset({GROUPS})

    def weighted(self) -> "NearestByWeight":
        return self

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        return pairs.m * pairs.n

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        def lists(part: int) -> Iterator[ListBlock]:
            for distances, rows in pairs.exact_strips(part):
                groups = np.broadcast_to(relation.groups(rows[:, None], np.arange(pairs.n)), distances.shape)
                yield ListBlock(
                    1.0, pairs.chosen(rows, self._counts(distances, groups, relation.n_groups, pairs), distances)
                )

        return lists

    def _counts(self, distances: np.ndarray, groups: np.ndarray, n_groups: int, pairs: RowPairs) -> np.ndarray:
        """Counts (b, G, n) of the rows as neighbours in each group.

        Parameters
        ----------
        distances : (b, n) array
            Infinite for rows that are no candidates.
        groups : (b, n) array
            Group of each pair, from 0 to n_groups - 1.
        """
        order = np.lexsort((np.broadcast_to(pairs.ids, distances.shape), distances), axis=1)
        sorted_distances = np.take_along_axis(distances, order, axis=1)
        sorted_groups = np.take_along_axis(groups, order, axis=1)
        is_candidate = np.isfinite(sorted_distances)
        row_weights = np.ones(pairs.n) if pairs.row_weights is None else pairs.row_weights
        weights = np.where(is_candidate, row_weights[order], 0.0)
        first_of_tied = np.diff(np.where(is_candidate, sorted_distances, 0.0), axis=1, prepend=-1.0) != 0
        counts = np.empty((len(distances), n_groups, pairs.n))
        for g in range(n_groups):
            weights_of_group = np.where(sorted_groups == g, weights, 0.0)
            nearer = np.cumsum(weights_of_group, axis=1) - weights_of_group
            counts_of_group = np.clip(self.n_neighbors - nearer, 0.0, weights_of_group)
            if self.sigma is not None:
                ranks = 1 + np.maximum.accumulate(np.where(first_of_tied, nearer, 0.0), axis=1)
                # less the first exponent, as `Neighbours.weigh` does: a small sigma must not make all weights 0
                counts_of_group *= np.exp((1.0 - ranks**2) / squared(self.sigma))
            np.put_along_axis(counts[:, g], order, counts_of_group, axis=1)
        return counts
