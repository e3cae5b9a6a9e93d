"""Neighbourhood of all rows, whose influence falls smoothly with the distance."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..formats.lists import chosen
from .base import (
    GROUPS,
    ONE_SUM,
    SIGNED_WEIGHTS,
    TWO_GROUPS,
    FoldedPairs,
    ListBlock,
    ListBlocks,
    Neighbourhood,
    Produces,
)
from .moments import moments
from .relations import Relation
from .row_pairs import RowPairs

# The sigmoid 2 / (1 + exp(-4 x)) - 1 of the authors, x = (T - d) / S, is tanh(2 x).
STEEPNESS = 2.0
# From distances (b, q), rows (b,) and columns (q,) to what the pairs count, 0 for a row itself.
Influence = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Sigmoid(Neighbourhood):
    """All rows, with an influence f = tanh(2 (T - d) / S), T and S of all pairs.

    Hits count -f, misses +f, over the sum of |f|: one normaliser for both.

    Stokes and Visweswaran (2012), SWRF*.
    """

    requires = frozenset({GROUPS, TWO_GROUPS, ONE_SUM})
    produces = Produces.TILES
    offers = frozenset({SIGNED_WEIGHTS})

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        return pairs.planned(3, row_wise)

    def folded_pairs(self, pairs: RowPairs, relation: Relation) -> FoldedPairs:
        influence = self._influence(pairs)

        def part_of(part: int) -> np.ndarray:
            out = np.zeros(pairs.n)
            for tiles, bounds_of_tiles in pairs.tile_stacks(part):
                for tile, bounds in zip(tiles, bounds_of_tiles, strict=True):
                    i, j, d = _corner(tile, bounds)
                    f = np.where(i[:, None] < j, np.abs(influence(d, i, j)), 0)
                    out[i] += f.sum(axis=1)
                    out[j] += f.sum(axis=0)
            return out

        totals = pairs.total(part_of)
        share = np.divide(1, totals * pairs.m, out=np.zeros(pairs.n), where=totals > 0)
        share[pairs.m :] = 0

        def weigh(d: np.ndarray, bounds: tuple[int, int, int, int], V: np.ndarray) -> None:
            i, j, d = _corner(d, bounds)
            sign = np.where(relation.groups(i[:, None], j), 1.0, -1.0)
            V[:] = 0
            V[: len(i), : len(j)] = np.where(i[:, None] < j, sign * influence(d, i, j) * (share[i, None] + share[j]), 0)

        return partial(pairs.weighed, weigh)

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        influence = self._influence(pairs)

        def lists(part: int) -> Iterator[ListBlock]:
            cols = np.arange(pairs.n)
            for distances, rows in pairs.strips(part):
                sign = np.where(relation.groups(rows[:, None], cols), 1.0, -1.0)
                yield ListBlock(1.0, chosen(rows, (sign * influence(distances, rows, cols))[:, None], distances))

        return lists

    def _influence(self, pairs: RowPairs) -> Influence:
        mean, deviation = (a[0] for a in moments(pairs, over_all_pairs=True))
        steepness = STEEPNESS / deviation if deviation > 0 else 0.0  # of equal distances none has any influence

        def influence(d: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
            f: np.ndarray = np.tanh(steepness * (mean - d))
            f[rows[:, None] == cols] = 0
            if pairs.subjects is not None:
                f[pairs.subjects[rows][:, None] == pairs.subjects[cols]] = 0
            return f

        return influence


def _corner(d: np.ndarray, bounds: tuple[int, int, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    i0, i1, j0, j1 = bounds
    return np.arange(i0, i1), np.arange(j0, j1), d[: i1 - i0, : j1 - j0]
