"""Permutation importance of a model of Orange, as a scorer: how much worse it predicts without a feature.

The rankers make a scorer of each model that is connected, and scripts call it as any other scorer of Orange.
"""

from collections.abc import Callable

import numpy as np
from Orange.base import Learner, Model
from Orange.data import ContinuousVariable, Table, Variable
from Orange.data.filter import HasClass
from Orange.preprocess.score import Scorer
from sklearn.inspection import permutation_importance
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold

from ..core.checks import whole
from ..core.data.facts import no_features
from ..core.targets.tasks import CLASSIFICATION, REGRESSION
from ..core.words import shown

N_REPEATS = 5  # permutations of a feature in each fold, as in scikit-learn
N_FOLDS = 5
MAX_COUNT = 10_000
MAX_SEED = 2**32 - 1  # of scikit-learn


class PermutationImportance(Scorer):  # type: ignore[misc]  # Orange has no types
    """Scores features by how much worse a model predicts new rows if the values of a feature are permuted.

    The model is trained without a fold of the rows, and predicts the rows of the fold: as they are, and with the values
    of one feature permuted among them. The score is the mean decrease over folds and permutations: of R^2 for numbers,
    and of the area under the ROC curve for classes. Of several classes it is the mean area of each against all others,
    weighted by their rows. A feature that repeats others has a low score, since the model can do without it.

    Breiman (2001), Machine Learning 45:5-32, section 10, with folds in the place of rows out of a bag; by
    `sklearn.inspection.permutation_importance`.

    Parameters
    ----------
    learner : Learner
        Of Orange; it is trained once for each fold.
    n_repeats : int
        Permutations of each feature in each fold, from 1.
    n_folds : int
        Folds, from 2; as many as rows in the smallest class, if these are fewer.
    random_state : int
        Seed of folds and permutations.
    """

    feature_type = Variable
    class_type = None
    supports_sparse_data = False
    tasks = (CLASSIFICATION, REGRESSION)
    idea = (
        "By how much the model that is connected predicts worse on new rows if the values of the feature are permuted: "
        "decrease of the AUC, or of R² for numbers, over five folds, or fewer if a class has fewer rows"
    )

    def __init__(self, learner: Learner, n_repeats: int = N_REPEATS, n_folds: int = N_FOLDS, random_state: int = 0):
        self.learner = learner
        self.n_repeats = whole("n_repeats", n_repeats, 1, MAX_COUNT)
        self.n_folds = whole("n_folds", n_folds, 2, MAX_COUNT)
        self.random_state = whole("random_state", random_state, 0, MAX_SEED)
        self.name = f"{learner.name}, permuted"

    def __call__(self, data: Table, feature: Variable | str | int | None = None) -> np.ndarray | float:
        """Score all features (p,), or one of them."""
        if feature is not None and data.domain[feature] not in data.domain.attributes:
            raise ValueError(f"{shown(str(feature))} is no feature")
        scores = self.importances(data)
        return scores if feature is None else float(scores[data.domain.attributes.index(data.domain[feature])])

    def score_data(self, data: Table, feature: Variable | str | int | None = None) -> np.ndarray:
        """Score all features (1, p), as Orange's Rank asks learners."""
        return np.atleast_2d(self(data, feature))

    def importances(self, data: Table, progress: Callable[[float], object] | None = None) -> np.ndarray:
        """Compute the mean decreases (p,).

        Parameters
        ----------
        data : Table
            With one target; rows without it are left out.
        progress : callable, optional
            Gets the share of the work that is done, from 0 to 1; it may raise an exception to stop.

        Raises
        ------
        ValueError
            If there is not one target of classes or numbers, too few rows, or data are sparse.
        """
        target = data.domain.class_var
        if target is None or not target.is_primitive():
            raise ValueError(
                "permutation importance needs one target of classes or numbers: choose one in Select Columns"
            )
        if not data.domain.attributes:
            raise ValueError(no_features())
        if data.is_sparse():
            raise ValueError("permutation importance needs data that are not sparse: use To Dense, or Continuize")
        data = HasClass()(data)
        y = data.Y.astype(int) if target.is_discrete else data.Y
        p = len(data.domain.attributes)
        folds = self._folds(y, target)
        calls = _CountedCalls(len(folds) * (1 + self.n_repeats * p), progress)
        decreases = np.zeros(p)
        for train, test in folds:
            fitted = _FittedModel(self.learner(data[train]), data)
            result = permutation_importance(
                fitted,
                data.X[test],
                y[test],
                scoring=calls.counted(_auc if target.is_discrete else _r_squared),
                n_repeats=self.n_repeats,
                random_state=self.random_state,
            )
            decreases += result.importances_mean
        return decreases / len(folds)

    def _folds(self, y: np.ndarray, target: Variable) -> list[tuple[np.ndarray, np.ndarray]]:
        """Rows of training and test of each fold."""
        n = len(y)
        if isinstance(target, ContinuousVariable):
            if n < 2 * self.n_folds:
                raise ValueError(f"permutation importance needs two rows for each of {self.n_folds} folds, not {n}")
            return [*KFold(self.n_folds, shuffle=True, random_state=self.random_state).split(np.zeros(n))]
        sizes = np.bincount(y)
        sizes = sizes[sizes > 0]
        if len(sizes) < 2 or sizes.min() < 2:
            raise ValueError("permutation importance needs two classes, and two rows of each")
        n_folds = min(self.n_folds, int(sizes.min()))
        return [*StratifiedKFold(n_folds, shuffle=True, random_state=self.random_state).split(np.zeros(n), y)]


class _FittedModel:
    """Model of Orange with the methods that scikit-learn expects of an estimator."""

    def __init__(self, model: Callable[..., np.ndarray], data: Table):
        self.model = model
        self._empty = data[:0]

    def fit(self, X: np.ndarray, y: np.ndarray) -> "_FittedModel":
        """Return the model, which is trained already."""
        return self

    def table(self, X: np.ndarray) -> Table:
        """Table of rows (m, p) whose target is not known. It has a copy, for Orange locks the arrays of a table."""
        domain = self._empty.domain
        metas = np.full((len(X), len(domain.metas)), np.nan, object) if domain.metas else None
        return Table.from_numpy(domain, X.copy(), np.full(len(X), np.nan), metas)


class _CountedCalls:
    """Calls of a measure, each of which is progress."""

    def __init__(self, n_calls: int, progress: Callable[[float], object] | None):
        self._n_calls = n_calls
        self._progress = progress
        self._n_done = 0

    def counted(
        self, measure: Callable[[_FittedModel, np.ndarray, np.ndarray], float]
    ) -> Callable[[_FittedModel, np.ndarray, np.ndarray], float]:
        """Return the measure, which reports progress before it is computed."""

        def counted_measure(fitted: _FittedModel, X: np.ndarray, y: np.ndarray) -> float:
            if self._progress is not None:
                self._progress(self._n_done / self._n_calls)
            self._n_done += 1
            return measure(fitted, X, y)

        return counted_measure


def _auc(fitted: _FittedModel, X: np.ndarray, y: np.ndarray) -> float:
    """Area under the ROC curve, of several classes the mean of each against all others, weighted by their rows."""
    probabilities = fitted.model(fitted.table(X), Model.Probs)
    present = np.unique(y)
    if len(present) == 2:
        return float(roc_auc_score(y == present[1], probabilities[:, present[1]]))
    areas = [roc_auc_score(y == code, probabilities[:, code]) for code in present]
    return float(np.average(areas, weights=np.bincount(y)[present]))


def _r_squared(fitted: _FittedModel, X: np.ndarray, y: np.ndarray) -> float:
    """Share of the variance of the target that is predicted."""
    return float(r2_score(y, fitted.model(fitted.table(X), Model.Value)))
