"""Rankings of the same features, read once for all measures of their agreement."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..checks import several
from ..data.arrays import floats
from .sizes import checked_sizes

TIE = 1e-12  # share of the largest score below which a difference is only rounding


@dataclass(frozen=True)
class ListedRanking:
    """A ranking of p features, read once for all its curves.

    Attributes
    ----------
    scores : (p,) array
        Scores as they were passed.
    places : (p,) array
        Rank of each feature, 0 for the best.
    fair : (p,) array
        Scores in units of the largest one, at least 0, and not rising from one place to the next.
    """

    scores: np.ndarray
    places: np.ndarray
    fair: np.ndarray

    @classmethod
    def read(cls, ranking: object) -> "ListedRanking":
        """Read scores, or anything that has them; raises ValueError unless they are (p,), p > 0, and finite."""
        if isinstance(ranking, ListedRanking):
            return ranking
        scores = floats(getattr(ranking, "scores", ranking), "a ranking")
        if scores.ndim != 1 or not len(scores) or not np.isfinite(scores).all():
            raise ValueError(f"a ranking must be (p,) finite scores, p > 0, not of shape {scores.shape} or unknown")
        largest = np.abs(scores).max()
        units = scores / largest if largest > 0 else scores
        # Best first; features whose scores differ by rounding only are ordered by their index.
        order = np.argsort(-units, kind="stable")
        tied_groups = np.r_[0, np.cumsum(-np.diff(units[order]) > TIE)]
        order = order[np.lexsort((order, tied_groups))]
        places = np.empty(len(order), np.intp)
        places[order] = np.arange(len(order))
        fair = np.empty(len(order))
        fair[order] = np.minimum.accumulate(np.maximum(units[order], 0))
        return cls(scores, places, fair)


def read_all(rankings: Sequence[object]) -> list[ListedRanking]:
    """Read several rankings; raises ValueError unless they have the same features."""
    lists = [ListedRanking.read(ranking) for ranking in several("rankings", rankings)]
    counts = sorted({len(listed.scores) for listed in lists})
    if len(counts) > 1:
        raise ValueError(f"rankings must have the same features, not {' and '.join(map(str, counts))}")
    return lists


def sizes_of(sizes: object, listed: ListedRanking) -> np.ndarray:
    """Read numbers (s,) of best features, ascending; None: 1, 2, ..., p."""
    p = len(listed.scores)
    return np.arange(1, p + 1) if sizes is None else checked_sizes(sizes, p, allow_single=True)
