"""Ensembles of predictive clustering trees as scikit-learn's regressor and classifier.

Both derive from `ForestEstimator`, which checks the data and grows the trees.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_X_y

from ..data import frames
from ..data.arrays import cells, check_scalars, numbers, unknown
from ..data.frame_columns import codes_of_column
from ..data.frames import is_frame
from ..data.table import DataTable
from ..forest.models import Model
from ..methods.base import Method
from ..methods.registry import METHODS
from ..targets.facts import refuse_one_class
from ..targets.tasks import CLASSIFICATION, MULTILABEL, MULTITARGET, REGRESSION
from .inputs import checked_features, parameters_of, short_messages
from .rankers import MethodParameters, grow_ensemble


class KnownData(NamedTuple):
    """Data of a fit.

    Attributes
    ----------
    X : (n, p) array or frame
        Features.
    y : (n,) or (n, t) array
        Targets, all of which are known.
    """

    X: Any
    y: np.ndarray


@dataclass(eq=False, repr=False)
class ForestEstimator(MethodParameters):
    """Base of estimators that predict by an ensemble of predictive clustering trees.

    Parameters
    ----------
    n_trees : int
        Number of trees.
    nominal, random_state, n_jobs
        As of `ReliefRanker`.
    parameters : dict, optional
        The other parameters of the method "pct", such as {"ensemble": "extra-trees"}. `set_params` takes them by name,
        too.

    Attributes
    ----------
    feature_importances_ : (p,) array
        Scores by Genie3.
    model_ : Model
        The trees.
    categories_ : dict
        For each nominal column of a frame, the codes of its categories.
    """

    n_trees: int | str = 100
    _: KW_ONLY
    nominal: object = None
    random_state: object = 0
    n_jobs: int | None = None
    parameters: Mapping[str, object] | None = None

    def _method(self) -> Method[Any] | None:
        return METHODS["pct"]

    def _checked_data(self, X: Any, y: Any, numeric: bool) -> KnownData:
        """Check features and targets, and note the categories of a frame.

        Parameters
        ----------
        X, y : objects
            Data of the caller.
        numeric : bool
            True if y must hold numbers.

        Raises
        ------
        ValueError
            If y has another length than X, unknown values, or a single row.
        """
        X = checked_features(self, X, min_rows=2)
        if y is not None:
            y = cells(y, "y")
            if y.ndim == 0:
                raise ValueError("y must have a value for each row, not a single one")
            check_scalars(y[~unknown(y)], "y")
            if y.dtype.kind == "O" and unknown(y).any():
                raise ValueError("y has unknown values (NaN, None)")
            y = numbers(y, "y") if numeric else y
        with short_messages():
            _, y = check_X_y(np.zeros((X.shape[0], 1)), y, multi_output=True, y_numeric=numeric)
        self.categories_: dict[int, dict[Any, int]] = {}
        if is_frame(X):
            nominal = DataTable.read(X).nominal
            for j, column in enumerate(frames.columns(X)):
                if nominal[j]:
                    self.categories_[j] = {}
                    codes_of_column(column, self.categories_[j])
        return KnownData(X, y)

    def _grow(self, X: object, y: object, task: str) -> None:
        """Grow the trees, and set the attributes of a fitted forest."""
        parameters = {"n_trees": self.n_trees, **parameters_of(self.parameters)}
        ensemble = grow_ensemble(self, X, y, task=task, **parameters)
        self.model_: Model = ensemble.model(n_jobs=self.n_jobs)
        self.feature_importances_ = ensemble.ranking().scores

    def _outcomes(self, X: Any) -> np.ndarray:
        """Average the outcomes of the trees: numbers, or shares of classes and labels, (n, K)."""
        check_is_fitted(self)
        X = checked_features(self, X, reset=False)
        return self.model_.predict(self._coded(X) if is_frame(X) else X)

    def _coded(self, X: Any) -> np.ndarray:
        """Code the categories of a frame as when the trees grew; all new categories of a column share a code."""
        values: np.ndarray = DataTable.read(X).values.copy()
        for j, column in enumerate(frames.columns(X)):
            if j in self.categories_:
                codes = self.categories_[j]
                values[:, j] = np.minimum(codes_of_column(column, dict(codes)), len(codes))
        return values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.multi_output = True
        return tags


class ForestRegressor(RegressorMixin, ForestEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Predicts one or several numbers; parameters and attributes are those of `ForestEstimator`."""

    def fit(self, X: Any, y: Any) -> "ForestRegressor":
        """Grow the trees for X (n, p), an array or DataFrame, NaN = missing, and numbers y (n,) or (n, t)."""
        X, y = self._checked_data(X, y, numeric=True)
        self._has_one_target = y.ndim == 1
        has_one_column = self._has_one_target or y.shape[1] == 1
        self._grow(X, y.astype(np.float64), REGRESSION if has_one_column else MULTITARGET)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict means over the trees, in the shape of y."""
        means = self._outcomes(X)
        return means[:, 0] if self._has_one_target else means


class ForestClassifier(ClassifierMixin, ForestEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Predicts classes or label sets; parameters and attributes are those of `ForestEstimator`.

    ``classes_``: the classes, or of label sets a list of [0, 1] for each label.
    """

    def fit(self, X: Any, y: Any) -> "ForestClassifier":
        """Grow the trees for X (n, p), an array or DataFrame, NaN = missing, and classes (n,) or label sets (n, L)."""
        X, y = self._checked_data(X, y, numeric=False)
        try:
            check_classification_targets(y)
        except TypeError:
            raise TypeError("y must hold numbers, texts or other values that can be sorted") from None
        self._has_one_target = y.ndim == 1 or y.shape[1] == 1
        if self._has_one_target:
            y = column_or_1d(y, warn=True)
            self.classes_: Any
            self.classes_, y = np.unique(y, return_inverse=True)
            refuse_one_class(self.classes_)
        else:
            self.classes_ = [np.array([0, 1])] * y.shape[1]
        self._grow(X, y, CLASSIFICATION if self._has_one_target else MULTILABEL)
        return self

    def predict_proba(self, X: Any) -> np.ndarray | list[np.ndarray]:
        """Predict the probabilities (n, c) of the classes, or a list of them (n, 2) for each label."""
        shares = self._outcomes(X)
        return shares if self._has_one_target else [np.column_stack([1 - share, share]) for share in shares.T]

    def predict(self, X: Any) -> np.ndarray:
        """Predict classes (n,), or label sets (n, L) of 0 and 1."""
        shares = self._outcomes(X)
        return self.classes_[shares.argmax(axis=1)] if self._has_one_target else (shares > 1 / 2).astype(int)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags
