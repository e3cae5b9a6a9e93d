"""Zones of every row that are remembered, for targets that differ only in what the rows in them mean."""

from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np

from ..jit import kernel
from ..parallel import PARTS
from .distances import Distance
from .neighbourhood import TILES, Neighbourhood, Weigh
from .pairs import Pairs
from .relation import Relation
from .thresholds import Radius


class SameShape(Distance):
    """Tiles of a shape with nothing in them, for neighbourhoods that know the pairs."""

    def __init__(self, shape: tuple[int, int]):
        self.shape = shape

    def tile(self, i0: int, i1: int, j0: int, j1: int, out: np.ndarray, upper: bool = True) -> np.ndarray:
        """The tile as it is."""
        return out

    def forget(self) -> None:
        """Nothing to give back."""


@dataclass(frozen=True, eq=False)
class KnownZones(Neighbourhood):
    """Rows in the zones of each row, which do not depend on the target."""

    radius: Radius  # what the zones are made by
    sides: tuple[float, ...]  # 1 for a zone of near rows, -1 for one of far ones
    # (n, n): whether the row of the column is in the zone of the row; rows as the caller numbers them
    inside: tuple[np.ndarray, ...]
    shape: tuple[int, int]  # rows and columns of the tiles in which the pairs were visited

    form = TILES

    @classmethod
    def of(cls, radius: Neighbourhood, pairs: Pairs, relation: Relation) -> "KnownZones | None":
        """Zones of pairs, by the same tests as `Radius`; None for another neighbourhood, and where there are too many
        pairs to remember."""
        if not radius.has_zones or not pairs.few:
            return None
        radius = cast("Radius", radius)
        stored = pairs.remembering()
        zones, _ = radius.settled_zones(stored, relation)
        inside = tuple(np.zeros((pairs.n, pairs.n), bool) for _ in zones)
        ids = pairs.ids

        def part(number: int) -> None:
            for tiles, wheres in stored.blocks(number):
                for zone, known in zip(zones, inside, strict=True):
                    if stored.settles and stored.double:
                        stored.double.settle_tiles(tiles, wheres, zone, np.zeros(pairs.n))
                    side, limit = zone.side_in_tile_dtype, zone.limit_in_tile_dtype
                    for d, (i0, i1, j0, j1) in zip(tiles, wheres.tolist(), strict=True):
                        d = side * d[: i1 - i0, : j1 - j0]
                        upper = np.arange(i0, i1)[:, None] < np.arange(j0, j1)
                        known[np.ix_(ids[i0:i1], ids[j0:j1])] |= upper & (d < limit[i0:i1, None])
                        known[np.ix_(ids[j0:j1], ids[i0:i1])] |= (upper & (d < limit[j0:j1])).T

        for number in range(PARTS):  # one after another: tiles of two parts write to the same rows
            part(number)
        return cls(radius, tuple(zone.side for zone in zones), inside, stored.distance.shape)

    @property
    def requires(self) -> frozenset[str]:
        """Needs of the radius."""
        return self.radius.requires

    def plan(self, pairs: Pairs, row_wise: bool) -> float:
        """Number of pairs that will be looked at."""
        return pairs.sweep.pairs

    def tiles(self, pairs: Pairs, relation: Relation) -> Weigh:
        """Weights of tiles."""
        counts = [self._counts(pairs, relation, known) for known in self.inside]
        tables = self.radius.tables(pairs, relation, self.sides, counts)
        return partial(self._weigh, pairs, relation, tables)

    @staticmethod
    def _counts(pairs: Pairs, relation: Relation, inside: np.ndarray) -> np.ndarray:
        """Numbers of rows of each group in the zone of each row, (G, n)."""
        out = np.zeros((relation.n_groups, pairs.n))
        if relation.by_class:
            _count(inside, pairs.ids, pairs.groups, out)
            return out
        columns, every = np.arange(pairs.n), np.arange(relation.n_groups)[:, None]
        for i in range(pairs.n):
            near = columns[inside[pairs.ids[i], pairs.ids]]
            out[:, i] = (relation.of(np.array([i]), near) == every).sum(axis=1)
        return out

    def _weigh(
        self,
        pairs: Pairs,
        relation: Relation,
        tables: list[np.ndarray],
        d: np.ndarray,
        where: tuple[int, int, int, int],
        V: np.ndarray,
    ) -> None:
        groups = relation.tile(where)
        V[:] = 0
        for known, table in zip(self.inside, tables, strict=True):
            if groups is None:
                _add_known(known, where, pairs.ids, pairs.groups, table, V)
            else:
                _add_known_hits(known, where, pairs.ids, groups, table, V)


@kernel
def _count(inside, ids, groups, count):
    """Rows of each class in the zone of each row, (n, n) in the order of `ids`, added to count (G, n)."""
    for i in range(len(ids)):
        zone = inside[ids[i]]
        for j in range(len(ids)):
            count[groups[j], i] += zone[ids[j]]


@kernel
def _add_known(inside, where, ids, groups, table, V):
    """Weights of the pairs of a tile that are in a zone (n, n), added to V; table (G, n): weight of a class for a
    row."""
    (i0, i1, j0, j1), zero = where, table[0, 0] * 0
    for i in range(i0, i1):
        a, zone, own, out = ids[i], inside[ids[i]], table[groups[i]], V[i - i0]
        for j in range(max(j0, i + 1), j1):
            b = ids[j]
            out[j - j0] += (table[groups[j], i] if zone[b] else zero) + (own[j] if inside[b, a] else zero)


@kernel
def _add_known_hits(inside, where, ids, kinds, table, V):
    """The same where pairs are hits (kind 0) or misses (1); table (2, n)."""
    (i0, i1, j0, j1), zero = where, table[0, 0] * 0
    for i in range(i0, i1):
        a, zone, out = ids[i], inside[ids[i]], V[i - i0]
        for j in range(max(j0, i + 1), j1):
            b, kind = ids[j], kinds[i - i0, j - j0]
            out[j - j0] += (table[kind, i] if zone[b] else zero) + (table[kind, j] if inside[b, a] else zero)
