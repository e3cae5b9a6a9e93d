"""Rankings that quality is compared with: random ones, and those by tests and importances of single columns."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import one_of, whole
from ..data.table import DataTable
from ..targets.targets import CLASSIFICATION, UNSUPERVISED
from .predictors import EVALUATED, N_TREES, Predictor, encoded
from .stability import Ranker

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
