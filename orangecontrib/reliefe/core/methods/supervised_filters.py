"""Base of filters that score features for one target after another: by mutual information, forests, mRMR and JMI.

A subclass (`mutual_information`, `random_forest`, `greedy_information`) encodes X once, and defines the scores for one
target. Scores for several targets are the means.
"""

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..data.compared import refuse_infinite_values
from ..targets.scaling import centred
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL
from .base import Method, MethodInput, MethodResult
from .parameter_table import PARAMETERS
from .parameters import Parameter

N_SEEDS = 2**32  # seeds that scikit-learn takes
COST = 200.0  # of a comparison of values in a tree or a search, relative to one of Relief; a rough measurement


class FilterTarget(NamedTuple):
    """One target, which is not constant.

    Attributes
    ----------
    rows : (m,) int array
        Indices of the rows whose value is known.
    values : (m,) array
        Their values: codes from 0, or centred numbers.
    is_nominal : bool
        Whether values are codes.
    """

    rows: np.ndarray
    values: np.ndarray
    is_nominal: bool


class SupervisedFilter(Method[None]):
    """A method that scores the features for one target after another."""

    family = "filter"
    tasks: tuple[str, ...] = (CLASSIFICATION, REGRESSION, *SEVERAL)
    own_parameters: tuple[Parameter, ...] = ()  # parameters besides per_target

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*self.own_parameters, PARAMETERS["per_target"])

    def run(self, data: MethodInput[None]) -> Iterator[MethodResult]:
        refuse_infinite_values(data.table)
        columns, nominal = data.target.columns
        are_nominal = nominal | (data.target.label_matrix is not None)
        t = len(are_nominal)
        X = self.encoded(data)
        scores = np.zeros((t, data.table.shape[1]))
        for number in data.work.split(t):
            target = _target_column(columns[:, number], bool(are_nominal[number]))
            if target is not None:
                scores[number] = self.scores(data, X, target)
        has_target_scores = data.target.task in SEVERAL and data.parameters["per_target"]
        yield MethodResult(scores.mean(axis=0), scores if has_target_scores else None)

    @abstractmethod
    def encoded(self, data: MethodInput[None]) -> Any:
        """X as `scores` takes it."""

    @abstractmethod
    def scores(self, data: MethodInput[None], X: Any, target: FilterTarget) -> np.ndarray:
        """Scores (p,) for one target."""


def _target_column(column: np.ndarray, is_nominal: bool) -> FilterTarget | None:
    """Known values (m,) of a target; None if these are constant."""
    rows = np.flatnonzero(~np.isnan(column))
    values = column[rows]
    values = np.unique(values, return_inverse=True)[1].ravel() if is_nominal else centred(values)
    if len(rows) < 2 or np.ptp(values) == 0:
        return None
    return FilterTarget(rows, values, is_nominal)
