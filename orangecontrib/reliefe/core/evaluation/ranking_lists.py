"""Rankings as measures of their agreement read them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..checks import several
from ..data.arrays import floats
from .sizes import checked_sizes

TIE = 1e-12  # of the largest score: what rounding may make of equal ones


@dataclass(frozen=True)
class Listed:
    """A ranking, read once for all its curves."""

    scores: np.ndarray  # as given
    places: np.ndarray  # of every feature, 0 for the best
    fair: np.ndarray  # scores that are not negative, in units of the largest one, never rising with the place

    @classmethod
    def read(cls, ranking: object) -> "Listed":
        """Read scores, or anything that has them; raises ValueError unless they are (p,), p > 0, and finite."""
        if isinstance(ranking, Listed):
            return ranking
        scores = floats(getattr(ranking, "scores", ranking), "a ranking")
        if scores.ndim != 1 or not len(scores) or not np.isfinite(scores).all():
            raise ValueError(f"a ranking must be (p,) finite scores, p > 0, not of shape {scores.shape} or unknown")
        largest = np.abs(scores).max()
        units = scores / largest if largest > 0 else scores
        order = np.argsort(-units, kind="stable")
        groups = np.r_[0, np.cumsum(-np.diff(units[order]) > TIE)]
        order = order[np.lexsort((order, groups))]
        places, fair = np.empty(len(order), np.intp), np.empty(len(order))
        places[order] = np.arange(len(order))
        fair[order] = np.minimum.accumulate(np.maximum(units[order], 0))
        return cls(scores, places, fair)


def read_all(rankings: Sequence[object]) -> list[Listed]:
    """Lists of rankings, of the same features."""
    lists = [Listed.read(ranking) for ranking in several("rankings", rankings)]
    counts = sorted({len(listed.scores) for listed in lists})
    if len(counts) > 1:
        raise ValueError(f"rankings must have the same features, not {' and '.join(map(str, counts))}")
    return lists


def sizes_of(sizes: object, listed: Listed) -> np.ndarray:
    """Numbers (s,) of best features, ascending; None: all."""
    p = len(listed.scores)
    return np.arange(1, p + 1) if sizes is None else checked_sizes(sizes, p, one=True)
