"""Declarations of what neighbourhoods and updates need of each other, and the check of a pair of them."""

from typing import Protocol

# Properties of neighbourhoods
LISTS = "lists of neighbours"
EQUAL_WEIGHTS = "neighbours of equal weight"
# Properties of updates
GROUPS = "groups of neighbours"
GROUPS_BEFORE_SEARCH = "groups that are known before neighbours are searched"
TWO_GROUPS = "hits and misses as the only groups"
SIGNS = "a sign for each group"
EMPTY_AS_ZERO = "rows without neighbours that count as zero"


class NeighbourhoodPart(Protocol):
    """The declarations of a neighbourhood."""

    @property
    def requires(self) -> frozenset[str]:
        """Needs, which the update must offer."""

    @property
    def offers(self) -> frozenset[str]:
        """Properties that updates may rely on."""


class UpdatePart(Protocol):
    """The declarations of an update."""

    @property
    def requires(self) -> frozenset[str]:
        """Needs, which the neighbourhood must offer."""

    def offers(self, task: str) -> frozenset[str]:
        """Properties that neighbourhoods may rely on for a kind of target."""


def check_fit(neighbourhood: NeighbourhoodPart, update: UpdatePart, task: str) -> None:
    """Check that a neighbourhood and an update make a method for a kind of target."""
    names = type(neighbourhood).__name__, type(update).__name__
    lacks = [(*names, need) for need in sorted(neighbourhood.requires - update.offers(task))]
    lacks += [(*names[::-1], need) for need in sorted(update.requires - neighbourhood.offers)]
    if lacks:
        texts = "; ".join(f"{one} needs {need}, which {other} does not offer" for one, other, need in lacks)
        raise ValueError(f"{names[0]} and {names[1]} do not fit for {task}: {texts}")
