"""The k rows of every group whose distances are farthest from the mean distance of the group.

The neighbourhood of mu-Relief in `core/methods/relief_family.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..formats.lists import chosen
from .base import EQUAL_WEIGHTS, LISTS, ListBlock, ListBlocks, Neighbourhood
from .relations import Relation
from .row_pairs import RowPairs

EQUAL_DEVIATIONS = 1e-9  # share of the mean distance by which |d - mean| may differ and still be equal


@dataclass(frozen=True)
class FarFromMean(Neighbourhood):
    """Per row and group the k rows j with the largest |d_j - mean of d over the group|; of equal ones the first.

    A row itself has no part in it.  Neighbours far beyond the mean count like near ones, with the same sign: what
    near rows say about features that matter only together, far ones take back.

    Aggarwal et al. (2023), mu-Relief, by the code of scikit-rebate 0.8.4; the paper itself was not available.  There a
    row is its own hit where the class has not more than k rows.
    """

    n_neighbors: int = 10  # k, at least 1

    local = False
    offers = frozenset({LISTS, EQUAL_WEIGHTS})

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        return pairs.m * pairs.n

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        by_id = np.argsort(pairs.ids)

        def lists(part: int) -> Iterator[ListBlock]:
            for distances, rows in pairs.exact_strips(part):
                groups = np.broadcast_to(relation.groups(rows[:, None], np.arange(pairs.n)), distances.shape)
                of_groups = [self._of_group(distances, groups == g, by_id) for g in range(relation.n_groups)]
                yield ListBlock(1.0, chosen(rows, np.stack(of_groups, axis=1).astype(float), distances))

        return lists

    def _of_group(self, distances: np.ndarray, members: np.ndarray, by_id: np.ndarray) -> np.ndarray:
        """Mask (b, n) of the neighbours of some rows in one group.

        Parameters
        ----------
        distances : (b, n) array
            Infinite where a row is no candidate.
        members : (b, n) bool array
            Rows of the group.
        by_id : (n,) int array
            All rows in the order in which ties are broken.
        """
        is_candidate = members & np.isfinite(distances)
        present_distances = np.where(is_candidate, distances, 0)
        mean = present_distances.sum(axis=1, keepdims=True) / np.maximum(is_candidate.sum(axis=1, keepdims=True), 1)
        step = np.where(mean > 0, EQUAL_DEVIATIONS * mean, 1)
        deviation = np.where(is_candidate, np.round(np.abs(present_distances - mean) / step), -1)
        order = by_id[np.argsort(-deviation[:, by_id], axis=1, kind="stable")]
        is_chosen = np.zeros(distances.shape, bool)
        np.put_along_axis(is_chosen, order[:, : self.n_neighbors], True, axis=1)
        return np.asarray(is_chosen & is_candidate)
