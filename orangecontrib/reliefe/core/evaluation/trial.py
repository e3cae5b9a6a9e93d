"""Quality of predictions by the best features of a ranking, in one fold."""

from collections.abc import Callable

import numpy as np

from ..data.arrays import floats
from ..data.table import DataTable
from .folds import Fold
from .predictors import Predictor, encoded

Quality = Callable[[np.ndarray], float]  # indices of features, ascending -> how well they predict


class Trial:
    """Asks for the quality of features; each set of them once, however many rankings have it as their best ones."""

    def __init__(self, quality: Quality, p: int, sizes: np.ndarray):
        """p: features; sizes (s,): numbers of the best ones that are tried."""
        self._known: dict[bytes | None, float]
        self._quality, self._p, self._sizes, self._known = quality, p, sizes, {}

    @property
    def whole(self) -> float:
        return self._of(np.arange(self._p))

    def values(self, scores: object) -> np.ndarray:
        """Quality (s,) of the best features of a ranking, scores (p,), or the means for several, (d, p)."""
        each = [[self._of(order[:size]) for size in self._sizes] for order in orders(scores, self._p)]
        return np.asarray(np.mean(each, axis=0))

    def _of(self, features: np.ndarray) -> float:
        features = np.sort(features)
        key = features.tobytes() if len(features) < self._p else None
        if key not in self._known:
            self._known[key] = self._quality(features)
        return self._known[key]


def in_fold(table: DataTable, predictor: Predictor, model: object, fold: Fold) -> Quality:
    """The quality on the test rows of a fold, of a clone of the model that has learned from its training rows."""
    train, test = (np.asarray(rows, np.intp) for rows in fold)
    points, owners = encoded(table, rows=train)

    def quality(features: np.ndarray) -> float:
        columns = np.arange(len(owners)) if len(features) == table.shape[1] else np.isin(owners, features).nonzero()[0]
        return predictor.score(model, points, columns, train, test)

    return quality


def orders(scores: object, p: int) -> np.ndarray:
    """(d, p) features of each ranking, best first, ties by index."""
    scores = np.atleast_2d(floats(getattr(scores, "scores", scores), "scores"))
    if scores.ndim != 2 or scores.shape[1] != p or not len(scores) or np.isnan(scores).any():
        raise ValueError(f"the ranker must give a known score for each of {p} features, not shape {scores.shape}")
    return np.argsort(-scores, axis=1, kind="stable")
