"""Reference rankings that quality is compared with: random ones, and those by F-tests and by random forests."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import one_of, whole
from ..data.table import DataTable
from ..targets.tasks import CLASSIFICATION, UNSUPERVISED
from .predictors import EVALUATED, N_TREES, Predictor, encoded
from .stability import Ranker

N_DRAWS = 10  # random rankings by default; chosen by eye
MAX_DRAWS = 10**6  # random rankings
MAX_SEED = 2**32 - 1  # largest seed that scikit-learn takes
MAX_F_SCORE = 1e12  # F-score of a feature that leaves nothing unexplained


def references(
    task: str = CLASSIFICATION, nominal: object = None, random_state: int = 0, n_draws: int = N_DRAWS
) -> dict[str, Ranker]:
    """Make rankers to compare with; the quality of all features is in every `Curve`.

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

    Returns
    -------
    dict
        Rankers by name.
    """
    task = one_of("task", task, EVALUATED)
    n_draws = whole("n_draws", n_draws, 1, MAX_DRAWS)
    random_state = whole("random_state", random_state, 0, MAX_SEED)

    def random(X: object, y: object) -> np.ndarray:
        """Draw random scores (n_draws, p)."""
        return np.random.default_rng(random_state).random((n_draws, DataTable.read(X, nominal).shape[1]))

    def by_columns(scorer: Callable[[Any, np.ndarray, bool], np.ndarray], join: np.ufunc) -> Ranker:
        """Make a ranker that joins the scores of the columns that each feature is encoded as."""

        def ranker(X: object, y: object) -> np.ndarray:
            table = DataTable.read(X, nominal)
            predictor = Predictor.read(y, task, table.shape[0], None)
            rows = np.flatnonzero(predictor.complete)
            out = np.zeros(table.shape[1])
            if len(rows):
                points, owners = encoded(table)
                target = predictor.learned(rows)
                by_class = task == CLASSIFICATION or set(np.unique(target)) <= {0, 1}
                join.at(out, owners, scorer(points[rows], target, by_class))
            return out

        return ranker

    def importances(points: Any, target: np.ndarray, by_class: bool) -> np.ndarray:
        """Fit a random forest and return its importances of the columns."""
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if by_class else RandomForestRegressor
        model = kind(N_TREES, max_features="sqrt", random_state=random_state)
        return cast("np.ndarray", model.fit(points, target).feature_importances_)

    rankers: dict[str, Ranker] = {"random": random}
    if task == UNSUPERVISED:
        return rankers
    return rankers | {"f-score": by_columns(_f_scores, np.maximum), "random-forest": by_columns(importances, np.add)}


def _f_scores(points: Any, target: np.ndarray, by_class: bool) -> np.ndarray:
    """Average the F-scores of the columns over the targets that are not constant; 0 for constant columns."""
    from sklearn.feature_selection import f_classif, f_regression

    if sparse.issparse(points):
        is_varied = (points.max(axis=0) - points.min(axis=0)).toarray().ravel() > 0
    else:
        is_varied = np.ptp(points, axis=0) > 0
    # Targets that are not constant; of classes some have more than one row.
    targets = [
        column
        for column in target.reshape(len(target), -1).T
        if np.ptp(column) > 0 and (not by_class or len(column) > len(np.unique(column)))
    ]
    test = f_classif if by_class else f_regression
    total = np.zeros(points.shape[1])
    if is_varied.any() and len(target) > 2:
        for column in targets:
            with np.errstate(all="ignore"):
                scores = test(points[:, is_varied], column)[0]
            total[is_varied] += np.clip(np.nan_to_num(scores, nan=0.0, posinf=MAX_F_SCORE), 0, MAX_F_SCORE)
    return total / max(len(targets), 1)
