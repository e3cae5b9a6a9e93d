"""Changes between two lists of features: which are new, which are gone, and which moved."""

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

    Attributes
    ----------
    new : tuple of Move
        Features that are among the best now, but were not before, best first.
    gone : tuple of Move
        Features that were among the best before, but are not now, best first.
    moved : tuple of Move
        Features that are among the best of both lists, at different places: the largest moves first, of equal ones the
        better place now.
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
    old_places = _places("before", before)
    new_places = _places("now", now)
    if len({isinstance(feature, str) for feature in (*old_places, *new_places)}) > 1:
        raise ValueError("before and now must both have names of features, or both indices, not some of each")
    n_best = max(len(old_places), len(new_places)) if n is None else whole("n", n, 1)
    was_best = {feature for feature, place in old_places.items() if place <= n_best}
    is_best = {feature for feature, place in new_places.items() if place <= n_best}

    def moves(features: list[str | int]) -> tuple[Move, ...]:
        """Look up the places of features in both lists."""
        return tuple(Move(feature, old_places.get(feature), new_places.get(feature)) for feature in features)

    new = [feature for feature in new_places if feature in is_best - was_best]
    gone = [feature for feature in old_places if feature in was_best - is_best]
    in_both = [feature for feature in new_places if feature in was_best & is_best]
    moved = [feature for feature in in_both if old_places[feature] != new_places[feature]]
    moved.sort(key=lambda feature: -abs(old_places[feature] - new_places[feature]))
    return Changes(moves(new), moves(gone), moves(moved))


def _places(name: str, ranking: Any) -> dict[str | int, int]:
    """Number the features of a list from 1; raises ValueError if it is empty, or has a feature twice."""
    if hasattr(ranking, "best"):
        ranking = [getattr(feature, "name", feature) for feature in ranking.best(len(ranking.scores))]
    features = [f if isinstance(f, str) else whole(f"each feature of {name}", f) for f in several(name, ranking)]
    places = {feature: place for place, feature in enumerate(features, 1)}
    if not places:
        raise ValueError(f"{name} must have at least one feature")
    repeated = [feature for place, feature in enumerate(features, 1) if places[feature] != place]
    if repeated:
        raise ValueError(f"{name} has {shown(repeated[0])} twice")
    return places
