"""Rankings that others are measured against: random ones, the F-score, the importance of a random forest."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..checks import one_of, whole
from ..data.table import DataTable
from ..targets.targets import CLASSIFICATION, TASKS, UNSUPERVISED
from .halves import Ranker
from .predictors import N_TREES, Predictor, encoded, one_column

N_DRAWS = 10  # random rankings
MAX_DRAWS, MAX_SEED = 10**6, 2**32 - 1  # random rankings; seeds that scikit-learn takes
MAX_F_SCORE = 1e12  # F-score of a feature that leaves nothing unexplained


def references(
    task: str = CLASSIFICATION, nominal: object = None, random_state: int = 0, n_draws: int = N_DRAWS
) -> dict[str, Ranker]:
    """Rankers that others are compared with; what all features reach is in every `Curve`.

    Of several targets the F-scores are averaged.  A nominal feature has the largest F-score of its values and the sum
    of their importances.

    Parameters
    ----------
    task : str
        One of `core.TASKS`.
    nominal : (p,) mask or indices, optional
        As `DataTable.read` takes it.
    random_state : int
        Seed, 0 or more.
    n_draws : int
        Random rankings, 1 or more.

    Returns
    -------
    dict of str to callable
        "random" and, if there is a target, "f-score" and "random-forest": rankers for `quality_curve`, which raise
        ValueError for a target that does not fit the task.

    Raises
    ------
    ValueError
        For an unknown task.
    """

    task, n_draws = one_of("task", task, TASKS), whole("n_draws", n_draws, 1, MAX_DRAWS)
    random_state = whole("random_state", random_state, 0, MAX_SEED)

    def random(X: object, y: object) -> np.ndarray:
        return np.random.default_rng(random_state).random((n_draws, DataTable.read(X, nominal).shape[1]))

    def f_score(X: object, y: object) -> np.ndarray:
        return _by_columns(X, y, task, nominal, lambda points, target: _f_scores(points, target, task), np.maximum)

    def forest(X: object, y: object) -> np.ndarray:
        return _by_columns(
            X,
            y,
            task,
            nominal,
            lambda *data: _importances(*cast("tuple[Any, np.ndarray]", data), task, random_state),
            np.add,
        )

    return (
        {"random": random} if task == UNSUPERVISED else {"random": random, "f-score": f_score, "random-forest": forest}
    )


def _by_columns(
    X: object, y: object, task: str, nominal: object, scorer: Callable[[Any, np.ndarray], np.ndarray], join: np.ufunc
) -> np.ndarray:
    """(p,) scores from those of the columns that each feature is encoded as."""
    table = DataTable.read(X, nominal)
    predictor = Predictor.read(y, task, table.shape[0], None)
    rows = np.flatnonzero(predictor.complete)
    out = np.zeros(table.shape[1])
    if len(rows):
        points, owners = encoded(table)
        join.at(out, owners, scorer(points[rows], cast("np.ndarray", predictor.truth)[rows]))
    return out


def _f_scores(points: Any, target: np.ndarray, task: str) -> np.ndarray:
    """Mean over the targets that are not constant; 0 for columns that are."""
    from sklearn.feature_selection import f_classif, f_regression

    by_class = task == CLASSIFICATION or set(np.unique(target)) <= {0, 1}
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


def _importances(points: object, target: np.ndarray, task: str, random_state: int) -> np.ndarray:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    by_class = task == CLASSIFICATION or set(np.unique(target)) <= {0, 1}
    kind = RandomForestClassifier if by_class else RandomForestRegressor
    model = kind(N_TREES, max_features="sqrt", random_state=random_state)
    return cast("np.ndarray", model.fit(points, one_column(target)).feature_importances_)
