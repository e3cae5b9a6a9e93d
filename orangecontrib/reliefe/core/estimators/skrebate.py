"""The classes of scikit-rebate with its arguments, defaults and attributes: scripts for it run with another import.

    from orangecontrib.reliefe.core.estimators.skrebate import TURF, MultiSURF, ReliefF

Names and positions are those of scikit-rebate 0.8.4; `discrete_threshold` is the name of `categorical_threshold` until
0.7.  Scores are those of this project: the page "From scikit-rebate" lists where they differ, and why.  Neither `Iter`
nor weights of features in `fit` are offered: that is the method "iterativerelief" of `rank`.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from ..api import rank
from ..checks import one_of, whole
from ..targets.facts import one_class, refuse_no_target
from ..targets.tasks import CLASSIFICATION, REGRESSION
from ..words import counted, shown
from .inputs import seed_of, short_messages

__all__ = [
    "SURF", "SWRF", "TURF", "VLS", "MuRelief", "MultiSURF", "MultiSURFstar", "MultiSWRF", "MultiSWRFDB",
    "MultiSWRFDBstar", "MultiSWRFstar", "ReliefF", "SURFstar", "SWRFstar",
]  # fmt: skip

# Kinds of target
BINARY = "binary"
MULTICLASS = "multiclass"
CONTINUOUS = "continuous"
LABEL_TYPES = (BINARY, MULTICLASS, CONTINUOUS)
MISSING = "ignore"  # pairs count for the features that both rows have, as in scikit-rebate
MAX_NAME = 40  # characters of a name in a summary


class Selection(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Base of cores and wrappers: `fit`, `transform` and `summary`.

    Attributes
    ----------
    feature_importances_ : (p,) array
        Scores, higher is better.
    top_features_ : (p,) int array
        All features, best first.
    result_ : Ranking
        Choices and facts, see `Ranking.info`.
    """

    # Factor from scores in [-1, 1], as in `result_`, to those as published
    published_scale: ClassVar[float] = 1.0

    @property
    def _core(self) -> "SURF | ReliefF":
        """Core that has the arguments which wrappers do not have."""
        raise NotImplementedError

    def _method_and_parameters(self, task: str, n: int) -> tuple[str, dict[str, Any]]:
        """Return the method for a task and n rows, and its parameters."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> "Selection":
        """Rank the features.

        Parameters
        ----------
        X : (n, p) array or DataFrame of numbers
            NaN = missing.
        y : (n,) array
            Classes or numbers, see `label_type`.

        Raises
        ------
        ValueError
            For arguments or data that are no such thing, before any work.
        """
        core = self._core
        begin = perf_counter()
        with short_messages():
            X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2)
            refuse_no_target(y)
            y = column_or_1d(y, warn=True)
        label_type = _label_type(y, core.label_type, core.multiclass_threshold)
        task = REGRESSION if label_type == CONTINUOUS else CLASSIFICATION
        self.nominal_ = _nominal(X, core)
        method, parameters = self._method_and_parameters(task, len(X))
        labels = y if task == REGRESSION else np.unique(y, return_inverse=True)[1]
        self.result_ = rank(
            X,
            labels,
            method,
            nominal=self.nominal_,
            task=task,
            random_state=seed_of(getattr(self, "random_state", 0)),
            n_jobs=core.n_jobs,
            **parameters,
        )
        self.feature_importances_ = core.published_scale * self.result_.scores
        self.top_features_ = self.result_.ranking
        if core.rank_absolute:
            self.top_features_ = np.argsort(-np.abs(self.feature_importances_), kind="stable")
        if core.verbose:
            sys.stdout.write(f"{label_type} labels, {self.nominal_.sum()} of {X.shape[1]} features are categorical\n")
            sys.stdout.write(f"ranked by {method} in {perf_counter() - begin:.2f} s\n")
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return the `n_features_to_select` best columns of X (m, p), best first."""
        check_is_fitted(self)
        best = self._best()
        with short_messages():
            values: np.ndarray = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=False)
        return values[:, best]

    def get_feature_names_out(self, input_features: object = None) -> np.ndarray:
        """Return the names of the columns that `transform` returns; input_features is not used."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", [f"x{number}" for number in range(self.n_features_in_)])
        best_names: np.ndarray = np.asarray(names, dtype=object)[self._best()]
        return best_names

    def summary(
        self, sort: bool = True, feature_name: Sequence[str] | None = None, show_feature_type: bool = False
    ) -> None:
        """Print a table of the features.

        Parameters
        ----------
        sort : bool
            The best feature first, instead of the first column.
        feature_name : sequence of str, optional
            None: the numbers of the columns.
        show_feature_type : bool
            Also whether a feature is categorical or continuous.
        """
        check_is_fitted(self)
        p = self.n_features_in_
        names = [str(name)[:MAX_NAME] for name in (range(p) if feature_name is None else feature_name)]
        if len(names) != p:
            raise ValueError(f"feature_name must have {p} names, one for each feature, not {len(names)}")
        ranks = np.empty(p, int)
        ranks[self.top_features_] = np.arange(1, p + 1)
        width = max(15, *(len(name) + 1 for name in names))
        head = f"{'Feature name':<{width}}{'Feature importances':<23}{'Feature rank':<15}"
        lines = [head + "Feature type" if show_feature_type else head]
        for feature in self.top_features_ if sort else range(p):
            line = f"{names[feature]:<{width}}{self.feature_importances_[feature]:<23.8f}{ranks[feature]:<15}"
            kind = "categorical" if self.nominal_[feature] else "continuous"
            lines.append(line + kind if show_feature_type else line)
        sys.stdout.write("\n".join([*lines, ""]))

    def _best(self) -> np.ndarray:
        """Return the indices of the `n_features_to_select` best features."""
        count = whole("n_features_to_select", self._core.n_features_to_select, 1)
        if count > self.n_features_in_:
            raise ValueError(f"n_features_to_select is {count}, but there are {self.n_features_in_} features")
        return self.top_features_[:count]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


@dataclass(eq=False, repr=False)
class SURF(Selection):
    """SURF; base of all cores without a number of neighbours.

    Parameters
    ----------
    n_features_to_select : int
        Number of features that `transform` keeps.
    categorical_features : sequence of int, optional
        Columns that are categories.  All other columns are numbers.  None: by `categorical_threshold`.
    categorical_threshold : int
        Columns with at most so many different values are categories.
    multiclass_threshold : int
        A target with at most so many different values is classes, with more of them numbers.
    verbose : bool
        Print the kind of the target, the number of categories, the method and its time.
    n_jobs : int
        Threads; -1: all processors.  Scores do not depend on it.
    weight_final_scores : bool
        Without effect, as in scikit-rebate where no weights are given to `fit`.
    rank_absolute : bool
        Whether a large negative score is as good as a positive one.
    label_type : str, optional
        "binary", "multiclass" or "continuous"; None: by the number of different values.
    discrete_threshold : int, optional
        If given, `categorical_threshold` by its name until scikit-rebate 0.7.
    """

    n_features_to_select: int = 10
    categorical_features: Sequence[int] | None = None
    categorical_threshold: int = 10
    multiclass_threshold: int = 10
    verbose: bool = False
    n_jobs: int | None = 1
    weight_final_scores: bool = False
    rank_absolute: bool = False
    label_type: str | None = None
    discrete_threshold: int | None = None

    method: ClassVar[str] = "surf"

    @property
    def _core(self) -> "SURF | ReliefF":
        return self

    def _method_and_parameters(self, task: str, n: int) -> tuple[str, dict[str, Any]]:
        return self.method, {"missing": MISSING}


class SURFstar(SURF):
    """SURF*, with scores in [-2, 2] as published; parameters as of `SURF`."""

    method = "surfstar"
    published_scale: ClassVar[float] = 2.0


class MultiSURF(SURF):
    """MultiSURF; parameters as of `SURF`."""

    method = "multisurf"


class MultiSURFstar(SURFstar):
    """MultiSURF*, with scores in [-2, 2] as published; parameters as of `SURF`."""

    method = "multisurfstar"


class SWRF(SURF):
    """SWRF; parameters as of `SURF`."""

    method = "swrf"


class SWRFstar(SURF):
    """SWRF*; parameters as of `SURF`.

    As Stokes and Visweswaran (2012) have it: hits and misses have one divisor, the influence of all rows.  In
    scikit-rebate each of both, near and far, is divided by its number of rows.
    """

    method = "swrfstar"


class MultiSWRF(SURF):
    """MultiSWRF; parameters as of `SURF`."""

    method = "multiswrf"


class MultiSWRFstar(SURFstar):
    """MultiSWRF*, with scores in [-2, 2]; parameters as of `SURF`."""

    method = "multiswrfstar"


class MultiSWRFDB(SURF):
    """MultiSWRFDB; parameters as of `SURF`."""

    method = "multiswrfdb"


class MultiSWRFDBstar(SURFstar):
    """MultiSWRFDB*, with scores in [-2, 2]; parameters as of `SURF`."""

    method = "multiswrfdbstar"


@dataclass(eq=False, repr=False)
class ReliefF(Selection):
    """ReliefF for classes, RReliefF for numbers.

    Parameters
    ----------
    n_features_to_select : int
        Number of features that `transform` keeps.
    n_neighbors : int or float
        Number of hits, and of misses of each class; a float: this share of the rows, half of it hits.  Not more than
        there are.
    categorical_features, categorical_threshold, multiclass_threshold, verbose, n_jobs, weight_final_scores
        As of `SURF`.
    rank_absolute, label_type, discrete_threshold
        As of `SURF`.
    """

    n_features_to_select: int = 10
    n_neighbors: int | float = 100
    categorical_features: Sequence[int] | None = None
    categorical_threshold: int = 10
    multiclass_threshold: int = 10
    verbose: bool = False
    n_jobs: int | None = 1
    weight_final_scores: bool = False
    rank_absolute: bool = False
    label_type: str | None = None
    discrete_threshold: int | None = None

    @property
    def _core(self) -> "SURF | ReliefF":
        return self

    def _method_and_parameters(self, task: str, n: int) -> tuple[str, dict[str, Any]]:
        parameters = self._neighbours(n)
        if task == REGRESSION:
            return "rrelieff", {**parameters, "sigma": None}  # neighbours of equal weight
        return "relieff", parameters

    def _neighbours(self, n: int) -> dict[str, Any]:
        """Return the parameters of the method for n rows."""
        k = self.n_neighbors
        if isinstance(k, float):
            if not 0 < k <= 1:
                raise ValueError(f"n_neighbors must be a number of rows, or a share above 0 and at most 1, not {k}")
            k = max(int(k * n / 2), 1)
        return {"missing": MISSING, "n_neighbors": k}


class MuRelief(ReliefF):
    """mu-Relief; parameters as of `ReliefF`."""

    def _method_and_parameters(self, task: str, n: int) -> tuple[str, dict[str, Any]]:
        return "murelief", self._neighbours(n)


@dataclass(eq=False, repr=False)
class TURF(Selection):
    """TuRF around a core: removes the last features, ranks the remaining ones again, and so on.

    Parameters
    ----------
    relief_object : SURF or ReliefF
        The core, any class of this module but the wrappers.
    pct : float or int
        Share of the features, or number of them, that each pass removes.
    num_scores_to_return : int
        Number of features that remain in the end.
    """

    relief_object: SURF | ReliefF
    pct: float = 0.5
    num_scores_to_return: int = 100

    @property
    def _core(self) -> SURF | ReliefF:
        return _checked_core(self.relief_object)

    def _method_and_parameters(self, task: str, n: int) -> tuple[str, dict[str, Any]]:
        by_number = isinstance(self.pct, Integral) and not isinstance(self.pct, bool)
        if not by_number and not (isinstance(self.pct, float) and 0 < self.pct < 1):
            accepted_values = "a share above 0 and below 1, or a whole number of features"
            raise ValueError(f"pct must be {accepted_values}, not {shown(self.pct)}")
        removed = {"step": whole("pct", self.pct, 1)} if by_number else {"share": self.pct}
        n_keep = whole("num_scores_to_return", self.num_scores_to_return, 1)
        return "turf", {"core": self._core._method_and_parameters(task, n), "n_keep": n_keep, **removed}


@dataclass(eq=False, repr=False)
class VLS(Selection):
    """VLSRelief around a core: the best score of each feature in random subsets.

    Parameters
    ----------
    relief_object : SURF or ReliefF
        The core, any class of this module but the wrappers.
    num_feature_subset : int
        Number of subsets; more of them where these do not hold every feature.
    size_feature_subset : int
        Number of features in each.
    random_state : int, RandomState or None
        Seed.
    """

    relief_object: SURF | ReliefF
    num_feature_subset: int = 40
    size_feature_subset: int = 5
    random_state: object = None

    @property
    def _core(self) -> SURF | ReliefF:
        return _checked_core(self.relief_object)

    def _method_and_parameters(self, task: str, n: int) -> tuple[str, dict[str, Any]]:
        n_subsets = whole("num_feature_subset", self.num_feature_subset, 1)
        subset_size = whole("size_feature_subset", self.size_feature_subset, 1)
        core = self._core._method_and_parameters(task, n)
        return "vlsrelief", {"core": core, "n_subsets": n_subsets, "subset_size": subset_size}


def _checked_core(core: object) -> SURF | ReliefF:
    if not isinstance(core, SURF | ReliefF):
        raise TypeError(f"relief_object must be a core of this module, for example ReliefF(), not {shown(core)}")
    return core


def _label_type(y: np.ndarray, label_type: str | None, max_classes: int) -> str:
    """Return the kind of the target: the caller's, or by its number of different values.

    Raises ValueError for missing values, a single value, or one that does not fit the caller's kind.
    """
    n_missing = sum(value is None or value != value for value in y)  # NaN differs from itself
    if n_missing:
        raise ValueError(f"y is missing in {counted(n_missing, 'row')}: leave these rows out")
    n_values = len(np.unique(y))
    if n_values < 2:
        raise ValueError(one_class(y[0]))
    if label_type is not None:
        if one_of("label_type", label_type, LABEL_TYPES) == BINARY and n_values != 2:
            raise ValueError(f"label_type is 'binary', but y has {n_values} different values")
        return label_type
    if n_values == 2:
        return BINARY
    if n_values <= whole("multiclass_threshold", max_classes, 1):
        return MULTICLASS
    if y.dtype.kind not in "biuf":
        raise ValueError(
            f"y has {n_values} classes, but multiclass_threshold is {max_classes}: give label_type='multiclass'"
        )
    return CONTINUOUS


def _nominal(X: np.ndarray, core: SURF | ReliefF) -> np.ndarray:
    """Return the mask (p,) of the columns of X (n, p) that are categories."""
    p = X.shape[1]
    columns = core.categorical_features
    if columns is None:
        name = "categorical_threshold" if core.discrete_threshold is None else "discrete_threshold"
        max_values = whole(name, getattr(core, name), 0)
        return np.array([len(np.unique(column[~np.isnan(column)])) <= max_values for column in X.T])
    if np.ndim(columns) != 1:
        hint = "a number of different values is categorical_threshold"
        raise TypeError(f"categorical_features must be a list of columns, not {shown(columns)}; {hint}")
    mask = np.zeros(p, bool)
    for column in columns:
        mask[whole("a column of categorical_features", column, 0, p - 1)] = True
    return mask
