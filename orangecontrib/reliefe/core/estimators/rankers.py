"""Rankers of features as scikit-learn's selectors, for pipelines, grid search, clone and pickle.

`ReliefRanker` ranks by a method of `rank`, and `ForestRanker` by an ensemble of trees. `named.py` derives a class for
each method from `Ranker`.
"""

import warnings
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from ..api import rank
from ..checks import inside
from ..data import frames
from ..data.arrays import plain
from ..data.facts import constant_features
from ..data.frames import is_frame
from ..data.table import DataTable
from ..growing.ensemble import Ensemble
from ..methods.base import Method
from ..methods.registry import METHODS, find_method
from ..result import Ranking
from ..targets.column_task import WHOLE
from ..targets.facts import refuse_no_target
from ..targets.tasks import SEVERAL, TASKS, UNSUPERVISED
from ..targets.times import Survival
from ..words import choices, counted, shown
from .inputs import checked_features, parameters_of, plain_features, seed_of, short_messages

if TYPE_CHECKING:
    from typing_extensions import Self

ARRAY = "default"  # output of `transform` unless `set_output` names a library of frames
AUTO = "auto"  # the method is chosen by the data
FDR = "fdr"  # keep features that are significant at a false discovery rate
FDR_LEVEL = 0.1  # default of this rate


class Selector(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Base of selectors that rank features and keep the best: half, n_features_to_select of them, or that share."""

    n_features_to_select: int | float | str | None
    nominal: object

    def _store(self, ranking: Ranking) -> None:
        """Set the attributes of a fitted selector."""
        self.result_ = ranking
        n_items = len(ranking.scores)
        positions = np.empty(n_items, dtype=int)
        positions[ranking.ranking] = np.arange(1, n_items + 1)
        self.scores_ = ranking.spread_out(ranking.scores)
        self.feature_importances_ = self.scores_
        self.ranking_ = ranking.spread_out(positions)
        if "n_iter" in ranking.info:
            self.n_iter_ = ranking.info["n_iter"]

    def _warn(self, X: object, stacklevel: int = 3) -> None:
        """Warn of constant features, and where more features are wanted than there are.

        stacklevel: calls between the warning and the line of the caller of `fit`.
        """
        table = DataTable.read(X, self.nominal, narrow=True)
        constant = np.flatnonzero(table.constant)
        if len(constant):
            names = table.names or range(table.shape[1])
            warnings.warn(constant_features([names[j] for j in constant]), UserWarning, stacklevel=stacklevel)
        n = self.n_features_to_select
        n_items = len(self.result_.scores)
        if isinstance(n, Integral) and cast("int", n) > n_items:
            noun = "group" if n_items < self.n_features_in_ else "feature"
            warnings.warn(
                f"n_features_to_select={n} is more than the {counted(n_items, noun)} of X: all are selected",
                UserWarning,
                stacklevel=stacklevel,
            )

    @property
    def support_(self) -> np.ndarray:
        """Mask (p,): True for features that are selected."""
        return self._get_support_mask()

    def _count(self, p: int) -> int:
        """Return the number of features, out of p, that are selected."""
        n = self.n_features_to_select
        if n is None:
            return max(p // 2, 1)
        if isinstance(n, Integral) and not isinstance(n, bool) and cast("int", n) >= 1:
            return min(int(n), p)
        if isinstance(n, float) and 0 < n <= 1:
            return max(int(n * p), 1)
        accepted_values = f"None, a number from 1, a share in (0, 1] or, of rankers by one method, {FDR!r}"
        raise ValueError(f"n_features_to_select must be {accepted_values}, not {shown(n)}")

    def transform(self, X: object) -> object:
        """Return X (m, p) with the selected features alone; masked values are NaN.

        A frame of numbers gives an array, unless `set_output` asks for a frame. A frame with texts, categories or times
        gives a frame, for an array would lose the types of its columns.
        """
        X = plain_features(X)
        library = _get_output_config("transform", estimator=self)["dense"]
        if is_frame(X) and (library != ARRAY or not frames.has_only_numbers(X)):
            check_is_fitted(self)
            X = checked_features(self, X, reset=False)
            return frames.select(X, self.get_support(indices=True), None if library == ARRAY else library)
        with short_messages():
            return super().transform(X)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, bool)
        selected = self.result_.select(self._count(len(self.result_.scores)))
        mask[self.result_.features_of(selected)] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class MethodParameters(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Base of estimators whose argument `parameters` has the parameters of a method.

    `set_params` takes them by their names, too, and `get_params` returns those that were given.
    """

    parameters: Mapping[str, object] | None

    def _method(self) -> Method[Any] | None:
        """Return the method whose parameters they are; None if it depends on the data."""
        raise NotImplementedError

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the arguments by name; deep: with the parameters of the method that were given."""
        arguments: dict[str, Any] = super().get_params(deep=deep)
        parameters = self.parameters if deep and isinstance(self.parameters, Mapping) else {}
        return {**parameters, **arguments}

    def set_params(self, **params: Any) -> "Self":
        """Set arguments, and parameters of the method, by name.

        Raises ValueError for names that are neither.
        """
        arguments = self._get_param_names()
        method_parameters = {name: value for name, value in params.items() if name not in arguments}
        super().set_params(**{name: value for name, value in params.items() if name in arguments})
        if method_parameters:
            method = self._method()
            methods = METHODS.values() if method is None else [method]
            parameter_names = {parameter.name for method in methods for parameter in method.parameters}
            for name in method_parameters:
                if name not in parameter_names:
                    advice = choices(name, [*arguments, *parameter_names])
                    raise ValueError(f"Invalid parameter {shown(name)} for estimator {type(self).__name__}; {advice}")
            self.parameters = {**parameters_of(self.parameters), **method_parameters}
        return self


class Ranker(Selector):
    """Base of rankers by a method of `rank`."""

    alpha: float
    keep: object
    feature_groups: object
    task: str | None
    random_state: object
    n_jobs: int | None

    def _method_and_parameters(self) -> tuple[str, dict[str, Any]]:
        """Return the name of the method, and its parameters."""
        raise NotImplementedError

    def _tasks(self) -> tuple[str, ...]:
        """Return the tasks that the method takes."""
        raise NotImplementedError

    @property
    def _selects_significant(self) -> bool:
        """True if features are selected by their p-values."""
        return isinstance(self.n_features_to_select, str) and self.n_features_to_select == FDR

    def _get_support_mask(self) -> np.ndarray:
        if not self._selects_significant:
            return super()._get_support_mask()
        check_is_fitted(self)
        if self.result_.significance is None:
            raise ValueError(f"n_features_to_select={FDR!r} needs p-values: fit the ranker again")
        is_selected = self.result_.significance.q <= inside("alpha", self.alpha)
        is_selected[self.result_.kept] = True
        return self.result_.spread_out(is_selected)

    def fit(self, X: Any, y: Any = None, covariates: Any = None, groups: Any = None) -> "Self":
        """Rank the features of X for y.

        Parameters
        ----------
        X : (n, p) array, sparse matrix or data frame
            NaN = missing.
        y : (n,) or (n, L) array
            Bools, texts and integers of few values are classes, floats and integers of many values are a number, unless
            `task` says otherwise; (n, L) of 0 and 1 are label sets.  Rows without a target (NaN, None) do not take
            part.
        covariates, groups
            As in `rank`.
        """
        return self._rank(X, y, covariates=covariates, groups=groups)

    def _rank(self, X: Any, y: Any, **study: Any) -> "Self":
        """Fit; study: arguments of `rank` on the rows."""
        X = checked_features(self, X, min_rows=2)
        if self.__sklearn_tags__().target_tags.required:
            refuse_no_target(y)
        if self._selects_significant:
            inside("alpha", self.alpha)
        else:
            self._count(self.n_features_in_)
        method, parameters = self._method_and_parameters()
        has_times = isinstance(y, Survival) or getattr(getattr(y, "dtype", None), "names", None)
        y = y if y is None or has_times else plain(y, "y")
        if getattr(y, "shape", ())[1:] == (1,):
            warnings.warn("y was expected to be (n,), not a column", DataConversionWarning, stacklevel=3)
        ranking = rank(
            X,
            y,
            method,
            keep=self.keep,
            feature_groups=self.feature_groups,
            nominal=self.nominal,
            task=self.task,
            random_state=seed_of(self.random_state),
            n_jobs=self.n_jobs,
            significance=self._selects_significant,
            **study,
            **parameters,
        )
        for note in ranking.info["information"]:
            if WHOLE in note:
                warnings.warn(note, UserWarning, stacklevel=3)
        self._store(ranking)
        self.pvalues_ = None if ranking.significance is None else ranking.spread_out(ranking.significance.p)
        self._warn(X, stacklevel=4)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = UNSUPERVISED not in self._tasks()
        tags.target_tags.multi_output = not set(SEVERAL).isdisjoint(self._tasks())
        return tags


class WeightedRanker(Ranker):
    """Base of rankers whose rows may have weights."""

    def fit(
        self, X: Any, y: Any = None, covariates: Any = None, groups: Any = None, sample_weight: Any = None
    ) -> "Self":
        """Rank the features of X for y, with arguments as of `Ranker.fit`, and weights of rows as in `rank`."""
        return self._rank(X, y, covariates=covariates, groups=groups, sample_weight=sample_weight)


@dataclass(eq=False, repr=False)
class ReliefRanker(MethodParameters, WeightedRanker):
    """Ranks features by a method of the Relief family and keeps the best.

    Parameters
    ----------
    method : str
        "auto" or a name in `METHODS`.
    n_features_to_select : int, float or "fdr", optional
        None = half of the features, a number, or a share in (0, 1].  "fdr" keeps the features at the false discovery
        rate `alpha`.
    alpha : float
        False discovery rate for "fdr", in (0, 1).
    keep : sequence of str or int, optional
        Names or indices of features that are always selected; they count among `n_features_to_select`.
    feature_groups : sequence of str or mapping, optional
        Features that are ranked as one, as in `rank`. `n_features_to_select` counts groups, and `transform` keeps all
        features of the groups that are selected. A feature has the score, position and p-value of its group.
    nominal : (p,) bool array, optional
        None: all numeric, or by the columns of a data frame.
    task : str, optional
        None = by y, "classification" or "regression".
    random_state : int, RandomState or None
        Seed.
    n_jobs : int, optional
        Threads, None = all processors.
    parameters : dict, optional
        The method's own, for example {"n_neighbors": 20}.  `set_params` takes them by name, too:
        ``set_params(n_neighbors=20)``.

    Attributes
    ----------
    scores_, feature_importances_ : (p,) array
        Higher is better.
    ranking_ : (p,) int array
        Position of each feature, 1 = best.
    support_ : (p,) bool array
        Features that are selected.
    pvalues_ : (p,) array or None
        p-values of the features, where ``n_features_to_select="fdr"`` asks for them.
    n_iter_ : int
        Iterations of a method that has them.
    result_ : Ranking
        Choices and facts, see `Ranking.info`.
    n_features_in_, feature_names_in_
        As scikit-learn has them.
    """

    method: str = "auto"
    _: KW_ONLY
    n_features_to_select: int | float | str | None = None
    alpha: float = FDR_LEVEL
    keep: object = None
    feature_groups: object = None
    nominal: object = None
    task: str | None = None
    random_state: object = 0
    n_jobs: int | None = None
    parameters: Mapping[str, object] | None = None

    def _method_and_parameters(self) -> tuple[str, dict[str, Any]]:
        return self.method, parameters_of(self.parameters)

    def _method(self) -> Method[Any] | None:
        return find_method(self.method, AUTO)

    def _tasks(self) -> tuple[str, ...]:
        method = METHODS.get(self.method) if isinstance(self.method, str) else None
        return TASKS if method is None else method.tasks


@dataclass(eq=False, repr=False)
class ForestRanker(MethodParameters, Selector):
    """Ranks features by an ensemble of predictive clustering trees, for any kind of target or none, and keeps the best.

    Parameters
    ----------
    scoring : str
        "genie3", "symbolic" or "rforest".
    n_trees : int or "auto"
        "auto" = until the top of the list is steady.
    n_features_to_select, keep, nominal, random_state, n_jobs
        As of `ReliefRanker`.
    task : str, optional
        One of `core.TASKS`, None = by y.
    hierarchy : sequence, optional
        Parents of labels, as in `rank`.
    parameters : dict, optional
        The other parameters of the method "pct".  `set_params` takes them by name, too.

    Attributes
    ----------
    errors_ : (p,) array
        Standard errors of the scores.
    ensemble_ : Ensemble
        The trees.
    scores_, feature_importances_, ranking_, support_, result_, n_features_in_, feature_names_in_
        As of `ReliefRanker`.
    """

    scoring: str = "genie3"
    _: KW_ONLY
    n_trees: int | str = 100
    n_features_to_select: int | float | None = None
    keep: object = None
    nominal: object = None
    task: str | None = None
    hierarchy: object = None
    random_state: object = 0
    n_jobs: int | None = None
    parameters: Mapping[str, object] | None = None

    def _method(self) -> Method[Any] | None:
        return METHODS["pct"]

    def fit(self, X: Any, y: Any = None) -> "Self":
        """Rank the features of X (n, p), an array or DataFrame, for y as `rank` takes it; None: without a target."""
        X = checked_features(self, X)
        self._count(self.n_features_in_)
        values: dict[str, Any] = {
            "keep": self.keep,
            "score": self.scoring,
            "n_trees": self.n_trees,
            **parameters_of(self.parameters),
        }
        is_rforest = isinstance(self.scoring, str) and self.scoring == "rforest"
        self.ensemble_ = grow_ensemble(
            self, X, y, task=self.task, hierarchy=self.hierarchy, rforest=is_rforest, **values
        )
        self._store(self.ensemble_.ranking())
        self.errors_ = self.ensemble_.errors()
        self._warn(X)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def grown(estimator: BaseEstimator, X: object, y: object, **options: Any) -> Ensemble:
    """The ensemble that an estimator asks for; options: those of `Ensemble.of`."""
    ensemble = Ensemble.of(X, y, nominal=estimator.nominal, random_state=seed_of(estimator.random_state), **options)
    return ensemble.grow(n_jobs=estimator.n_jobs)


def grow_ensemble(estimator: BaseEstimator, X: object, y: object, **options: Any) -> Ensemble:
    """Grow the ensemble that an estimator asks for; options: those of `Ensemble.of`."""
    ensemble = Ensemble.of(X, y, nominal=estimator.nominal, random_state=seed_of(estimator.random_state), **options)
    return ensemble.grow(n_jobs=estimator.n_jobs)
