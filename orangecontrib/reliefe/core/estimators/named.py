"""A class of scikit-learn's interface for each method, made from the table of its parameters.

`core/estimators/__init__.py` asks for a class when it is first looked up.
"""

from collections.abc import Mapping
from typing import Any

from sklearn.base import BaseEstimator

from ..methods.base import Method
from ..methods.registry import given_parameters, make_class
from ..targets.tasks import SURVIVAL
from .rankers import FDR_LEVEL, Ranker, ReliefRanker, WeightedRanker

# Arguments of all these classes, with their defaults.
SETTINGS: Mapping[str, Any] = {
    "n_features_to_select": None,
    "alpha": FDR_LEVEL,
    "keep": None,
    "feature_groups": None,
    "nominal": None,
    "task": None,
    "random_state": 0,
    "n_jobs": None,
}
# Names of arguments whose parameter would hide a setting, or reads as a method of scikit-learn's estimators.
ARGUMENTS: Mapping[str, str] = {
    "alpha": "regression_weight",
    "score": "importance",
    "sparsify": "sparsified",
}
# Checks of scikit-learn that fit an estimator, or give it values that it must refuse in certain words.
FITTING_CHECKS = (
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_dont_overwrite_attributes",
    "check_dtype_object",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
    "check_estimator_sparse_tag",
    "check_estimators_dtypes",
    "check_estimators_fit_returns_self",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_f_contiguous_array_estimator",
    "check_fit2d_1feature",
    "check_fit2d_predict1d",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_fit_score_takes_y",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_pipeline_consistency",
    "check_positive_only_tag_during_fit",
    "check_readonly_memmap_input",
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
    "check_sample_weights_list",
    "check_sample_weights_not_an_array",
    "check_sample_weights_not_overwritten",
    "check_sample_weights_pandas_series",
    "check_sample_weights_shape",
    "check_transformer_data_not_an_array",
    "check_transformer_general",
    "check_transformer_preserve_dtypes",
)
# Checks of scikit-learn that repeat rows instead of giving them weights.
CHECKS_OF_COPIES = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)
AGAINST_COPIES = "copies of a row are neighbours of each other, or drawn one by one; a row with a weight has no copies"


class MethodRanker(Ranker):
    """Base of rankers by one method, whose parameters are arguments of the class."""

    method: Any

    def _method_and_parameters(self) -> tuple[str, dict[str, Any]]:
        return self.method.name, given_parameters(self.method, self, ARGUMENTS)

    def _tasks(self) -> tuple[str, ...]:
        return tuple(self.method.tasks)


class WeightedMethodRanker(MethodRanker, WeightedRanker):
    """Base of rankers by one method that takes weights of rows."""


def ranker_class(method: Method[Any], module: str) -> Any:
    """Class of the rankers by a method, which pickles find in a module."""
    base = WeightedMethodRanker if method.weighted_tasks else MethodRanker
    return make_class(method, base, module, SETTINGS, arguments=ARGUMENTS, described_in=ReliefRanker)


def expected_failed_checks(estimator: BaseEstimator) -> dict[str, str]:
    """Checks of scikit-learn that an estimator fails, with the reasons.

    Some are for methods that take nothing but times with censoring, which scikit-learn does not know.
    The rest compare weights of rows with copies of rows.

    Parameters
    ----------
    estimator : estimator
        One of this module.

    Returns
    -------
    dict
        As ``sklearn.utils.estimator_checks.check_estimator`` takes it; `parametrize_with_checks` takes the function.
    """
    if isinstance(estimator, MethodRanker) and estimator.method.tasks == (SURVIVAL,):
        reason = f"{estimator.method.title} takes times with censoring, and the check gives classes"
        return dict.fromkeys(FITTING_CHECKS, reason)
    if isinstance(estimator, WeightedRanker):
        return dict.fromkeys(CHECKS_OF_COPIES, AGAINST_COPIES)
    return {}
