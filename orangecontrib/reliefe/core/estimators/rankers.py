"""The methods behind scikit-learn's interface: pipelines, grid search, clone and pickle."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from ..api import rank
from ..checks import inside, whole
from ..data import frames
from ..data.arrays import numbers, plain
from ..data.frames import is_frame
from ..data.table import DataTable
from ..growing.ensemble import Ensemble
from ..methods.base import Method
from ..methods.registry import METHODS, find_method
from ..result import Ranking
from ..targets.tasks import SEVERAL, TASKS, UNSUPERVISED
from ..targets.times import Survival
from ..words import choices, counted, cut, shown, some

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_CHARACTERS = 300  # characters of a message of scikit-learn
ARRAY = "default"  # output of `transform` unless `set_output` names a library of frames
AUTO = "auto"  # the method is chosen by the data
FDR = "fdr"  # keep discoveries at a false discovery rate
FDR_LEVEL = 0.1  # which is this one unless another is asked for
SEEDS = np.iinfo(np.int32).max


class Selector(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Base of selectors that rank features and keep the best: half, n_features_to_select of them, or that share."""

    def _keep(self, ranking: Ranking) -> None:
        """Note a ranking as attributes."""
        self.result_ = ranking
        n_items = len(ranking.scores)
        positions = np.empty(n_items, dtype=int)
        positions[ranking.ranking] = np.arange(1, n_items + 1)
        self.scores_ = self.feature_importances_ = ranking.spread_out(ranking.scores)
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
            names = [shown(table.names[j]) if table.names else f"feature {j}" for j in constant]
            warnings.warn(
                f"{counted(len(names), 'feature is', 'features are')} constant: {some(names)}",
                UserWarning,
                stacklevel=stacklevel,
            )
        n, n_items = self.n_features_to_select, len(self.result_.scores)
        if isinstance(n, Integral) and cast("int", n) > n_items:
            noun = "group" if n_items < self.n_features_in_ else "feature"
            warnings.warn(
                f"n_features_to_select={n} is more than the {counted(n_items, noun)} of X: all are selected",
                UserWarning,
                stacklevel=stacklevel,
            )

    @property
    def support_(self) -> np.ndarray:
        """(p,) bool: features that are selected."""
        return self._get_support_mask()

    def _count(self, p: int) -> int:
        """Number of features, out of p, that are kept."""
        n = self.n_features_to_select
        if n is None:
            return max(p // 2, 1)
        if isinstance(n, Integral) and not isinstance(n, bool) and cast("int", n) >= 1:
            return min(int(n), p)
        if isinstance(n, float) and 0 < n <= 1:
            return max(int(n * p), 1)
        possible = f"None, a number from 1, a share in (0, 1] or, of rankers by one method, {FDR!r}"
        raise ValueError(f"n_features_to_select must be {possible}, not {shown(n)}")

    def transform(self, X: object) -> object:
        """X (m, p) with the features that are kept; masked values are NaN.

        A frame of numbers gives an array, unless `set_output` asks for a frame. A frame with texts, categories or times
        gives a frame, for an array would lose the types of its columns.
        """
        X = _given(X)
        library = _get_output_config("transform", estimator=self)["dense"]
        if is_frame(X) and (library != ARRAY or not frames.has_only_numbers(X)):
            check_is_fitted(self)
            X = checked(self, X, reset=False)
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
    """Base of estimators whose argument `parameters` has those of a method.

    `set_params` takes them by their names, too, and `get_params` has those that were given.
    """

    parameters: Mapping[str, object] | None

    def _method(self) -> Method[Any] | None:
        """Method whose parameters they are; None if it depends on the data."""
        raise NotImplementedError

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Arguments by name; deep: with the parameters of the method that were given."""
        own_arguments: dict[str, Any] = super().get_params(deep=deep)
        settings = self.parameters if deep and isinstance(self.parameters, Mapping) else {}
        return {**settings, **own_arguments}

    def set_params(self, **params: Any) -> "Self":
        """Set arguments, and parameters of the method, by name.

        Raises ValueError for names that are neither.
        """
        arguments = self._get_param_names()
        others = {name: value for name, value in params.items() if name not in arguments}
        super().set_params(**{name: value for name, value in params.items() if name in arguments})
        if others:
            method = self._method()
            methods = METHODS.values() if method is None else [method]
            parameter_names = {parameter.name for method in methods for parameter in method.parameters}
            for name in others:
                if name not in parameter_names:
                    possible = choices(name, [*arguments, *parameter_names])
                    raise ValueError(f"Invalid parameter {shown(name)} for estimator {type(self).__name__}; {possible}")
            self.parameters = {**own(self.parameters), **others}
        return self


class Ranker(Selector):
    """Base of rankers by a method of `rank`."""

    n_features_to_select: int | float | str | None
    alpha: float
    keep: object
    feature_groups: object
    nominal: object
    task: str | None
    random_state: object
    n_jobs: int | None

    def _asked(self) -> tuple[str, dict[str, Any]]:
        """Name of the method, and its parameters."""
        raise NotImplementedError

    def _tasks(self) -> tuple[str, ...]:
        """Kinds of target that the method takes."""
        raise NotImplementedError

    @property
    def _by_tests(self) -> bool:
        return isinstance(self.n_features_to_select, str) and self.n_features_to_select == FDR

    def _get_support_mask(self) -> np.ndarray:
        if not self._by_tests:
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
            Bools, integers and texts are classes, floats are numbers; (n, L) of 0 and 1 are label sets.  Rows without a
            target (NaN, None) do not take part.
        covariates, groups
            As in `rank`.
        """
        return self._rank(X, y, covariates=covariates, groups=groups)

    def _rank(self, X: Any, y: Any, **study: Any) -> "Self":
        """Fit; study: arguments of `rank` on the rows."""
        X = checked(self, X, ensure_min_samples=2)
        if y is None and self.__sklearn_tags__().target_tags.required:
            raise ValueError("this estimator requires y to be passed, but the target y is None")
        if self._by_tests:
            inside("alpha", self.alpha)
        else:
            self._count(self.n_features_in_)
        method, parameters = self._asked()
        of_times = isinstance(y, Survival) or getattr(getattr(y, "dtype", None), "names", None)
        y = y if y is None or of_times else plain(y, "y")
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
            random_state=_seed(self.random_state),
            n_jobs=self.n_jobs,
            significance=self._by_tests,
            **study,
            **parameters,
        )
        self._keep(ranking)
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

    def _asked(self) -> tuple[str, dict[str, Any]]:
        return self.method, own(self.parameters)

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
        Of label sets, as in `rank`.
    parameters : dict, optional
        The other ones of the method "pct".  `set_params` takes them by name, too.

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
        X = checked(self, X)
        self._count(self.n_features_in_)
        values: dict[str, Any] = {
            "keep": self.keep,
            "score": self.scoring,
            "n_trees": self.n_trees,
            **own(self.parameters),
        }
        rforest = isinstance(self.scoring, str) and self.scoring == "rforest"
        self.ensemble_ = grown(self, X, y, task=self.task, hierarchy=self.hierarchy, rforest=rforest, **values)
        self._keep(self.ensemble_.ranking())
        self.errors_ = self.ensemble_.errors()
        self._warn(X)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def grown(estimator: BaseEstimator, X: object, y: object, **options: Any) -> Ensemble:
    """The ensemble that an estimator asks for; options: those of `Ensemble.of`."""
    ensemble = Ensemble.of(X, y, nominal=estimator.nominal, random_state=_seed(estimator.random_state), **options)
    return ensemble.grow(n_jobs=estimator.n_jobs)


def checked(estimator: BaseEstimator, X: object, reset: bool = True, **more: object) -> Any:
    """X, after its names and number of features were noted; the types of a DataFrame show nominal columns."""
    X = _given(X)
    if is_frame(X):
        with short_messages():
            validate_data(estimator, X, skip_check_array=True, reset=reset)
        return X
    formats = "csr" if estimator.__sklearn_tags__().input_tags.sparse else False
    options = {"accept_sparse": formats, "dtype": np.float64, "ensure_all_finite": "allow-nan"}
    with short_messages():
        return validate_data(estimator, X, reset=reset, **options, **more)


@contextmanager
def short_messages() -> Iterator[None]:
    """scikit-learn repeats all of what it was given: here not."""
    try:
        yield
    except OverflowError:
        raise ValueError("X has numbers that are too large") from None
    except (ValueError, TypeError) as error:
        if len(str(error)) <= MAX_CHARACTERS:
            raise
        raise type(error)(cut(error, MAX_CHARACTERS)) from None


def _given(X: object) -> object:
    return numbers(X, "X") if isinstance(X, np.ma.MaskedArray) else plain(X, "X")


def own(parameters: object) -> dict[str, Any]:
    """The method's parameters of an estimator. Raises TypeError if they are neither a dict nor None."""
    if parameters is not None and not isinstance(parameters, Mapping):
        raise TypeError(f"parameters must be a dict or None, not {shown(parameters)}")
    return {} if parameters is None else dict(parameters)


def _seed(random_state: object) -> int:
    if random_state is None or random_state is np.random or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(SEEDS))
    return whole("random_state", random_state, 0)
