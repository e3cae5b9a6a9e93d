"""Ensembles of predictive clustering trees as scikit-learn's regressor and classifier."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

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
from ..targets.tasks import CLASSIFICATION, MULTILABEL, MULTITARGET, REGRESSION
from .rankers import MethodParameters, checked, grown, own, short_messages


@dataclass(eq=False, repr=False)
class Forest(MethodParameters):
    """Base of estimators that predict by an ensemble of predictive clustering trees.

    Parameters
    ----------
    n_trees : int
        Their number.
    nominal, random_state, n_jobs
        As of `ReliefRanker`.
    parameters : dict, optional
        The other ones of the method "pct", such as {"ensemble": "extra-trees"}.  `set_params` takes them by name, too.

    Attributes
    ----------
    feature_importances_ : (p,) array
        By Genie3.
    model_ : Model
        The trees.
    """

    n_trees: int | str = 100
    _: KW_ONLY
    nominal: object = None
    random_state: object = 0
    n_jobs: int | None = None
    parameters: Mapping[str, object] | None = None

    def _method(self) -> Method[Any] | None:
        return METHODS["pct"]

    def _grow(self, X: object, y: object, task: str) -> None:
        ensemble = grown(self, X, y, task=task, **{"n_trees": self.n_trees, **own(self.parameters)})
        self.model_: Model = ensemble.model(n_jobs=self.n_jobs)
        self.feature_importances_ = ensemble.ranking().scores

    def _both(self, X: Any, y: Any, numeric: bool) -> tuple[Any, np.ndarray]:
        """X and y of the same length, y known everywhere; the categories of a DataFrame are noted.

        numeric: whether y must hold numbers.
        """
        X = checked(self, X)
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
        if len(y) == 1:
            raise ValueError("there is only one row (n_samples = 1); at least two are needed")
        self.categories_: dict[int, dict[Any, int]] = {}
        if is_frame(X):
            nominal = DataTable.read(X).nominal
            for j, column in enumerate(frames.columns(X)):
                if nominal[j]:
                    self.categories_[j] = {}
                    codes_of_column(column, self.categories_[j])
        return X, y

    def _found(self, X: Any) -> np.ndarray:
        """(n, K) numbers, or shares of classes and labels."""
        check_is_fitted(self)
        X = checked(self, X, reset=False)
        return self.model_.predict(self._coded(X) if is_frame(X) else X)

    def _coded(self, X: Any) -> np.ndarray:
        """A DataFrame as numbers: codes of its categories in the order in which they occurred when the trees grew."""
        values: np.ndarray = DataTable.read(X).values.copy()
        for j, column in enumerate(frames.columns(X)):
            if j in self.categories_:
                known = self.categories_[j]
                values[:, j] = np.minimum(codes_of_column(column, dict(known)), len(known))
        return values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.multi_output = True
        return tags


class ForestRegressor(RegressorMixin, Forest):  # type: ignore[misc]  # scikit-learn has no types
    """Predicts one or several numbers; parameters and attributes are those of `Forest`."""

    def fit(self, X: Any, y: Any) -> "ForestRegressor":
        """Grow the trees for X (n, p), an array or DataFrame, NaN = missing, and numbers y (n,) or (n, t)."""
        X, y = self._both(X, y, numeric=True)
        self._one = y.ndim == 1
        self._grow(X, y.astype(np.float64), REGRESSION if self._one or y.shape[1] == 1 else MULTITARGET)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Means over the trees, in the shape of y."""
        found = self._found(X)
        return found[:, 0] if self._one else found


class ForestClassifier(ClassifierMixin, Forest):  # type: ignore[misc]  # scikit-learn has no types
    """Predicts classes or label sets; parameters and attributes are those of `Forest`.

    ``classes_``: the classes, or of label sets a list of [0, 1] for each label.
    """

    def fit(self, X: Any, y: Any) -> "ForestClassifier":
        """Grow the trees for X (n, p), an array or DataFrame, NaN = missing, and classes (n,) or label sets (n, L)."""
        X, y = self._both(X, y, numeric=False)
        try:
            check_classification_targets(y)
        except TypeError:
            raise TypeError("y must hold numbers, texts or other values that can be sorted") from None
        self._one = y.ndim == 1 or y.shape[1] == 1
        if self._one:
            y = column_or_1d(y, warn=True)
            self.classes_: Any
            self.classes_, y = np.unique(y, return_inverse=True)
            if len(self.classes_) < 2:
                raise ValueError(f"y has only one class, {self.classes_[0]}; at least two are needed")
        else:
            self.classes_ = [np.array([0, 1])] * y.shape[1]
        self._grow(X, y, CLASSIFICATION if self._one else MULTILABEL)
        return self

    def predict_proba(self, X: Any) -> np.ndarray | list[np.ndarray]:
        """(n, c) probabilities of the classes, or for each label (n, 2)."""
        found = self._found(X)
        return found if self._one else [np.column_stack([1 - share, share]) for share in found.T]

    def predict(self, X: Any) -> np.ndarray:
        """(n,) classes, or (n, L) of 0 and 1."""
        found = self._found(X)
        return self.classes_[found.argmax(axis=1)] if self._one else (found > 1 / 2).astype(int)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags
