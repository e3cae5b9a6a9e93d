"""The neighbours before the largest gap: as many as the distances themselves suggest."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..formats.lists import chosen
from .base import EQUAL_WEIGHTS, LISTS, ListBlock, ListBlocks, Neighbourhood
from .relations import Relation
from .row_pairs import RowPairs

EQUAL_GAPS = 1e-9  # share of the largest distance by which gaps may differ and still be equal: the first of them counts


@dataclass(frozen=True)
class Adaptive(Neighbourhood):
    """Per row and group the rows before the largest gap of the sorted distances (Skrlj et al. 2022, Algorithm 4).

    The row itself has no part in it (in the authors' code it has, and the gap after it is often the largest).  Of equal
    gaps the first counts.  Where all distances are equal, there is no gap and all rows are taken.
    """

    adapts = True
    offers = frozenset({LISTS, EQUAL_WEIGHTS})

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        return pairs.m * pairs.n

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        n_groups = relation.n_groups

        def lists(part: int) -> Iterator[ListBlock]:
            for distances, rows in pairs.exact_strips(part):
                groups = relation.groups(rows[:, None], np.arange(pairs.n))
                weights = np.empty((len(rows), n_groups, pairs.n))
                for g in range(n_groups):
                    last = before_largest_gap(np.where(groups == g, distances, np.inf))
                    weights[:, g] = (groups == g) & (distances <= last[:, None])
                yield ListBlock(1.0, chosen(rows, weights, distances))

        return lists


def before_largest_gap(distances: np.ndarray) -> np.ndarray:
    """Last distances (b,) before the first largest gap between the sorted distances (b, n) of each row.

    Skrlj et al. (2022), Algorithm 4.
    """
    d = np.sort(distances, axis=1)
    n_finite = np.isfinite(d).sum(axis=1)
    if d.shape[1] < 2:
        return np.where(n_finite > 0, d[:, 0], -np.inf)
    rows = np.arange(len(d))
    is_there = np.isfinite(d[:, 1:])
    gaps = np.where(is_there, np.where(is_there, d[:, 1:], 0) - np.where(is_there, d[:, :-1], 0), -np.inf)
    largest_gap = gaps.max(axis=1)
    largest_distance = np.where(n_finite > 0, d[rows, n_finite - 1], 0)
    rounding = EQUAL_GAPS * largest_distance
    position = np.argmax(gaps >= (largest_gap - rounding)[:, None], axis=1)
    position = np.where(largest_gap <= rounding, n_finite - 1, position)
    return np.where(n_finite > 0, d[rows, position], -np.inf)
