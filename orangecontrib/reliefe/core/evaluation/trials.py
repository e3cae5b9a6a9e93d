"""Several rankings in one fold, which share the results for equal sets of features."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import one_of, whole
from ..data.arrays import floats
from ..data.table import DataTable
from ..targets.targets import CLASSIFICATION, UNSUPERVISED
from .folds import Fold, Ranker
from .predictors import EVALUATED, N_TREES, Predictor, encoded

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


N_DRAWS = 10  # random rankings
MAX_DRAWS, MAX_SEED = 10**6, 2**32 - 1  # random rankings; seeds that scikit-learn takes
MAX_F_SCORE = 1e12  # F-score of a feature that leaves nothing unexplained


def references(
    task: str = CLASSIFICATION, nominal: object = None, random_state: int = 0, n_draws: int = N_DRAWS
) -> dict[str, Ranker]:
    """Rankers to compare with; the quality of all features is in every `Curve`.

    They are for `quality_curve`: "random" and, if there is a target, "f-score" and "random-forest".  Of several
    targets the F-scores are averaged.  A nominal feature has the largest F-score of its values and the sum of
    their importances.

    Parameters
    ----------
    task : str
        One of `core.TASKS`, or "survival".
    nominal : (p,) mask or indices, optional
        As `DataTable.read` takes it.
    n_draws : int
        Random rankings, 1 or more.
    """

    task, n_draws = one_of("task", task, EVALUATED), whole("n_draws", n_draws, 1, MAX_DRAWS)
    random_state = whole("random_state", random_state, 0, MAX_SEED)

    def random(X: object, y: object) -> np.ndarray:
        return np.random.default_rng(random_state).random((n_draws, DataTable.read(X, nominal).shape[1]))

    def by_columns(scorer: Callable[[Any, np.ndarray, bool], np.ndarray], join: np.ufunc) -> Ranker:
        """Ranker by the scores of the columns that each feature is encoded as."""

        def ranker(X: object, y: object) -> np.ndarray:
            table = DataTable.read(X, nominal)
            predictor = Predictor.read(y, task, table.shape[0], None)
            rows = np.flatnonzero(predictor.complete)
            out = np.zeros(table.shape[1])
            if len(rows):
                (points, owners), target = encoded(table), predictor.learned(rows)
                by_class = task == CLASSIFICATION or set(np.unique(target)) <= {0, 1}
                join.at(out, owners, scorer(points[rows], target, by_class))
            return out

        return ranker

    def importances(points: Any, target: np.ndarray, by_class: bool) -> np.ndarray:
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if by_class else RandomForestRegressor
        model = kind(N_TREES, max_features="sqrt", random_state=random_state)
        return cast("np.ndarray", model.fit(points, target).feature_importances_)

    found: dict[str, Ranker] = {"random": random}
    if task == UNSUPERVISED:
        return found
    return found | {"f-score": by_columns(_f_scores, np.maximum), "random-forest": by_columns(importances, np.add)}


def _f_scores(points: Any, target: np.ndarray, by_class: bool) -> np.ndarray:
    """Mean over the targets that are not constant; 0 for columns that are."""
    from sklearn.feature_selection import f_classif, f_regression

    if sparse.issparse(points):
        varied = (points.max(axis=0) - points.min(axis=0)).toarray().ravel() > 0
    else:
        varied = np.ptp(points, axis=0) > 0
    columns = target.reshape(len(target), -1).T
    columns = [column for column in columns if np.ptp(column) > 0 and len(column) > len(np.unique(column)) * by_class]
    total = np.zeros(points.shape[1])
    if varied.any() and len(target) > 2:
        for column in columns:
            with np.errstate(all="ignore"):
                found = (f_classif if by_class else f_regression)(points[:, varied], column)[0]
            total[varied] += np.clip(np.nan_to_num(found, nan=0.0, posinf=MAX_F_SCORE), 0, MAX_F_SCORE)
    return total / max(len(columns), 1)
