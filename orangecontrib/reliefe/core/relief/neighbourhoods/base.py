"""The contract of neighbourhoods: what they produce, and what they and updates need of each other.

`Recipe` combines a neighbourhood with an update, and checks by `check_fit` that they suit each other.  `scoring.py`
calls the methods of a neighbourhood that belong to what it produces.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

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
    name, name_of_update = type(neighbourhood).__name__, type(update).__name__
    problems = []
    for need in sorted(neighbourhood.requires - update.offers(task)):
        problems.append(f"{name} needs {need}, which {name_of_update} does not offer")
    for need in sorted(update.requires - neighbourhood.offers):
        problems.append(f"{name_of_update} needs {need}, which {name} does not offer")
    if problems:
        raise ValueError(f"{name} and {name_of_update} do not fit for {task}: {'; '.join(problems)}")


class Produces(Enum):
    """Kinds of what a neighbourhood makes of the pairs of rows; each has methods of `Neighbourhood` of its own."""

    LISTS = "lists of all target rows"  # find, then weigh
    LIST_BLOCKS = "lists of one block of target rows after another"  # list_blocks
    ZONES = "pairs within thresholds, as two bits each"  # folded_pairs, or list_blocks
    TILES = "weights of all pairs, in tiles"  # folded_pairs, or list_blocks


class ListBlock(NamedTuple):
    """Weighed lists of the neighbours of some target rows."""

    factor: float  # of all weights of the block: -1 for far rows, which count with the opposite sign
    neighbours: Neighbours


# From the number of a part of the work, 0 <= part < PARTS, to the blocks of its target rows
ListBlocks: TypeAlias = Callable[[int], Iterator[ListBlock]]
# From the number of a part to its pairs i < j with one weight each, which counts for both rows.  A list or tile is
# valid until the next one
FoldedPairs: TypeAlias = Callable[[int], Iterator[WeightTile | PairList]]


class Neighbourhood:
    """Rule that selects the pairs of rows that count, and how much each of them does.

    A subclass states what it produces, and has the methods that `Produces` names for it.  It sees rows as `RowPairs`,
    and the target as a `Relation`; it knows neither updates nor sums.
    """

    n_neighbors: int  # largest number of neighbours in a list; only where it produces the lists of all target rows
    adapts = False  # True: each row has its own number of neighbours, which is reported with the scores
    # True: neighbours are near rows (far ones have the opposite sign), so that scores reveal interactions
    local = True

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
        return Produces.LIST_BLOCKS

    def plan(self, pairs: RowPairs, row_wise: bool) -> float:
        """Return the number of pairs that will be visited, as units of progress.

        Parameters
        ----------
        pairs : RowPairs
        row_wise : bool
            True: pairs are visited in whole rows, for scores that are not linear in pairs (`list_blocks`).
        """
        raise NotImplementedError

    def find(self, pairs: RowPairs, ordered: bool = False) -> Neighbours:
        """Return lists of the neighbours of all m target rows in each of `RowPairs.groups`, not weighed.

        Parameters
        ----------
        pairs : RowPairs
        ordered : bool
            True: each list is sorted by distances in double precision.  False: only its members matter.
        """
        raise NotImplementedError

    def weigh(self, neighbours: Neighbours) -> Neighbours:
        """Return lists that `find` found, with weights."""
        raise NotImplementedError

    def list_blocks(self, pairs: RowPairs, relation: Relation) -> ListBlocks:
        """Return weighed lists of one block of target rows after another."""
        raise NotImplementedError

    def folded_pairs(self, pairs: RowPairs, relation: Relation) -> FoldedPairs:
        """Return the pairs i < j that count, with one weight each."""
        raise NotImplementedError

    def settled(self, pairs: RowPairs, relation: Relation) -> "Neighbourhood":
        """Return this neighbourhood with results of the passes over these pairs that several scorings need."""
        return self

    def weighted(self) -> "Neighbourhood":
        """Return the neighbourhood for rows with weights, ``RowPairs.row_weights``, whose lists come in blocks."""
        raise NotImplementedError
