"""Changes between two lists of features."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..checks import several, whole
from ..words import shown


class Move(NamedTuple):
    """A feature and its places in two lists, from 1; None where a list does not have it."""

    feature: str | int
    before: int | None
    now: int | None


@dataclass(frozen=True)
class Changes:
    """Features that came, went or moved between two lists.

    new: features that are among the best now, but were not before, best first.
    gone: features that were among the best before, but are not now, best first.
    moved: features that are among the best of both lists, at different places: the largest moves first, of equal ones
    the better place now.
    """

    new: tuple[Move, ...]
    gone: tuple[Move, ...]
    moved: tuple[Move, ...]


def changes(before: object, now: object, n: int | None = None) -> Changes:
    """Compare the best features of two lists, perhaps of different data: which are new, which are gone, which moved.

    Places are those in the whole lists, which have each feature once.

    Parameters
    ----------
    before, now : sequences of str or int, or Rankings
        Names of features, best first, or their indices where the data had no names; not some of each.
    n : int, optional
        Number of best features of each list, from 1; a shorter list counts whole.  None: both lists are whole.
    """
    old, new = _places("before", before), _places("now", now)
    if len({isinstance(feature, str) for feature in (*old, *new)}) > 1:
        raise ValueError("before and now must both have names of features, or both indices, not some of each")
    most = max(len(old), len(new)) if n is None else whole("n", n, 1)
    was_best, is_best = ({feature for feature in places if places[feature] <= most} for places in (old, new))
    came, went, both = is_best - was_best, was_best - is_best, was_best & is_best
    moved = [feature for feature in new if feature in both and old[feature] != new[feature]]
    moved.sort(key=lambda feature: -abs(old[feature] - new[feature]))
    kinds = [f for f in new if f in came], [f for f in old if f in went], moved
    return Changes(*(tuple(Move(feature, old.get(feature), new.get(feature)) for feature in kind) for kind in kinds))


def _places(name: str, ranking: Any) -> dict[str | int, int]:
    """Places of the features of a list, from 1."""
    if hasattr(ranking, "best"):
        ranking = [getattr(feature, "name", feature) for feature in ranking.best(len(ranking.scores))]
    features = [f if isinstance(f, str) else whole(f"each feature of {name}", f) for f in several(name, ranking)]
    places = {feature: place for place, feature in enumerate(features, 1)}
    twice = [feature for place, feature in enumerate(features, 1) if places[feature] != place]
    if twice or not places:
        raise ValueError(f"{name} has {shown(twice[0])} twice" if twice else f"{name} must have at least one feature")
    return places
