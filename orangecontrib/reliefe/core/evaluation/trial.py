"""Quality of predictions by the best features of rankings, in one fold.

`setting` makes a `Trial` for each fold; it computes the quality of a set of features once for all rankings.
"""

from collections.abc import Callable

import numpy as np

from ..data.arrays import floats
from ..data.table import DataTable
from .folds import Fold
from .predictors import Predictor, encoded

Quality = Callable[[np.ndarray], float]  # indices of features, ascending -> how well they predict


class Trial:
    """Cache of the quality of sets of features: each is computed once, however many rankings have it as their best."""

    def __init__(self, quality: Quality, p: int, sizes: np.ndarray):
        """Begin with an empty cache.

        Parameters
        ----------
        quality : callable
            Indices of features -> how well they predict.
        p : int
            Number of all features.
        sizes : (s,) int array
            Numbers of best features that are tried.
        """
        self._quality = quality
        self._p = p
        self._sizes = sizes
        self._cache: dict[bytes | None, float] = {}

    @property
    def whole(self) -> float:
        """Quality with all features."""
        return self._of(np.arange(self._p))

    def values(self, scores: object) -> np.ndarray:
        """Quality (s,) of the best features of a ranking, scores (p,), or the means for several, (d, p)."""
        qualities = [[self._of(order[:size]) for size in self._sizes] for order in orders(scores, self._p)]
        return np.asarray(np.mean(qualities, axis=0))

    def _of(self, features: np.ndarray) -> float:
        """Look up the quality of a set of features, or compute it."""
        features = np.sort(features)
        key = features.tobytes() if len(features) < self._p else None
        if key not in self._cache:
            self._cache[key] = self._quality(features)
        return self._cache[key]


def in_fold(table: DataTable, predictor: Predictor, model: object, fold: Fold) -> Quality:
    """Return the function that fits a clone of the model to the training rows of a fold and scores its test rows."""
    train, test = (np.asarray(rows, np.intp) for rows in fold)
    points, owners = encoded(table, rows=train)

    def quality(features: np.ndarray) -> float:
        columns = np.arange(len(owners)) if len(features) == table.shape[1] else np.isin(owners, features).nonzero()[0]
        return predictor.score(model, points, columns, train, test)

    return quality


def orders(scores: object, p: int) -> np.ndarray:
    """Sort the features of d rankings, best first, ties by index: (d, p); raises ValueError for other scores."""
    scores = np.atleast_2d(floats(getattr(scores, "scores", scores), "scores"))
    if scores.ndim != 2 or scores.shape[1] != p or not len(scores) or np.isnan(scores).any():
        raise ValueError(f"the ranker must give a known score for each of {p} features, not shape {scores.shape}")
    return np.argsort(-scores, axis=1, kind="stable")
