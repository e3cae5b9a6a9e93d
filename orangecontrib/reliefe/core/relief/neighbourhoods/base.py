"""Declarations of what neighbourhoods and updates need of each other, and the check of a pair of them."""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from ..formats.lists import Neighbours
from ..formats.pair_sums import PairList
from ..formats.sums import WeightTile
from .relations import Relation
from .row_pairs import RowPairs

# Properties of neighbourhoods
LISTS = "lists of neighbours"
EQUAL_WEIGHTS = "neighbours of equal weight"
SIGNED_WEIGHTS = "weights that are below 0 for hits"
# Properties of updates
GROUPS = "groups of neighbours"
GROUPS_BEFORE_SEARCH = "groups that are known before neighbours are searched"
TWO_GROUPS = "hits and misses as the only groups"
SIGNS = "a sign for each group"
EMPTY_AS_ZERO = "rows without neighbours that count as zero"
ONE_SUM = "one sum over hits and misses"


def check_fit(neighbourhood: "Neighbourhood", update: Any, task: str) -> None:
    """Check that a neighbourhood and an `Update` make a method for a kind of target."""
    names = type(neighbourhood).__name__, type(update).__name__
    lacks = [(*names, need) for need in sorted(neighbourhood.requires - update.offers(task))]
    lacks += [(*names[::-1], need) for need in sorted(update.requires - neighbourhood.offers)]
    if lacks:
        texts = "; ".join(f"{one} needs {need}, which {other} does not offer" for one, other, need in lacks)
        raise ValueError(f"{names[0]} and {names[1]} do not fit for {task}: {texts}")


class Produces(Enum):
    """Kinds of what a neighbourhood makes of the pairs of rows."""

    ALL_LISTS = "lists of all target rows"
    BLOCKS = "lists of some target rows after another"
    ZONES = "pairs within thresholds, as two bits each"
    TILES = "weights of tiles of pairs"


# From a part (0 <= part < PARTS) to its (factor, lists): what the lists of a block weigh in all.
Blocks = Callable[[int], Iterator[tuple[float, Neighbours]]]
# From a part to its weighed pairs i < j, as lists or as tiles.  Each is valid until the next one.
Weigh = Callable[[int], Iterator[WeightTile | PairList]]


class Neighbourhood:
    """Choice of the pairs that count, and how much: it produces, and knows neither updates nor sums."""

    n_neighbors: int  # largest number of neighbours in a list; only where it produces all lists
    # True: each row has its own number of neighbours, which is told with the scores
    adapts = False
    local = True  # whether neighbours are near (or far ones have the opposite sign), so that interactions are seen

    @property
    def requires(self) -> frozenset[str]:
        """Properties that it needs of an update."""
        return frozenset({GROUPS})

    @property
    def offers(self) -> frozenset[str]:
        """Properties that updates may rely on."""
        return frozenset()

    @property
    def produces(self) -> Produces:
        """Kind of what it makes of the pairs of rows."""
        return Produces.BLOCKS

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        """Number of pairs that will be looked at; row_wise: in whole rows, for scores that are not linear in pairs."""
        raise NotImplementedError

    def find(self, pairs: RowPairs, ordered: bool = False) -> Neighbours:
        """Lists of all m targets by the groups of `pairs`; ordered: whether the order of a list and
        its distances matter, too, which makes them exact."""
        raise NotImplementedError

    def settled(self, pairs: RowPairs, relation: Relation) -> "Neighbourhood":
        """The same where all that several passes over these pairs need is known."""
        return self

    def weighted(self) -> "Neighbourhood":
        """Return this neighbourhood for rows with weights, ``RowPairs.weights``, whose pairs come in blocks."""
        raise NotImplementedError

    def weigh(self, near: Neighbours) -> Neighbours:
        """Lists that were found, with weights."""
        raise NotImplementedError

    def blocks(self, pairs: RowPairs, relation: Relation) -> Blocks:
        """Lists of some rows after another, with weights."""
        raise NotImplementedError

    def tiles(self, pairs: RowPairs, relation: Relation) -> Weigh:
        """Weights of the pairs of tiles."""
        raise NotImplementedError
