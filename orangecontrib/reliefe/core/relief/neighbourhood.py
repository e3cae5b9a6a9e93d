"""The contract of neighbourhoods: they say which pairs count, as lists or as weights of tiles."""

from collections.abc import Callable, Iterator

import numpy as np

from .composition import GROUPS
from .lists import Neighbours
from .pairs import Pairs
from .relation import Relation

# Forms of what a neighbourhood produces: lists of all targets, lists of some rows after another, weights of tiles.
ALL_LISTS, BLOCKS, TILES = "lists", "blocks", "tiles"

# From a part (0 <= part < PARTS) to its (factor, lists): what the lists of a block weigh in all.
Blocks = Callable[[int], Iterator[tuple[float, Neighbours]]]
# weigh(distances, (i0, i1, j0, j1), V) fills a whole tile V with what its pairs weigh; 0 outside of the upper triangle.
Weigh = Callable[[np.ndarray, tuple[int, int, int, int], np.ndarray], None]


class Neighbourhood:
    """Choice of the pairs that count, and how much: it produces, and knows neither updates nor sums."""

    n_neighbors: int  # largest number of neighbours in a list; only where it produces ALL_LISTS
    revisits = False
    adapts = False
    signed = False
    has_zones = False

    @property
    def requires(self) -> frozenset[str]:
        """Properties that it needs of an update."""
        return frozenset({GROUPS})

    @property
    def offers(self) -> frozenset[str]:
        """Properties that updates may rely on."""
        return frozenset()

    @property
    def form(self) -> str:
        """Form of what it produces."""
        return BLOCKS

    @property
    def has_grid(self) -> bool:
        """True if its lists can be cut."""
        return False

    def plan(self, pairs: Pairs, row_wise: bool) -> float:
        """Number of pairs that will be looked at; row_wise: in whole rows, for scores that are not linear in pairs."""
        raise NotImplementedError

    def find(self, pairs: Pairs, ordered: bool = False) -> Neighbours:
        """Lists of all m targets by the groups of `pairs`; ordered: whether the order of a list matters, too."""
        raise NotImplementedError

    def weigh(self, near: Neighbours) -> Neighbours:
        """Lists that were found, with weights."""
        raise NotImplementedError

    def blocks(self, pairs: Pairs, relation: Relation) -> Blocks | None:
        """Lists of some rows after another, with weights; None: no pair weighs anything."""
        raise NotImplementedError

    def tiles(self, pairs: Pairs, relation: Relation) -> Weigh | None:
        """Weights of the pairs of tiles; None: no pair weighs anything."""
        raise NotImplementedError
