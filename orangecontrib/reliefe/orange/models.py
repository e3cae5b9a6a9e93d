"""Ensembles of predictive clustering trees as a learner and a model of Orange, for Predictions, and Test and Score.

*PCT Ranker* sends a `PCTLearner`, and the `PCTModel` of its own trees. Scripts call `PCTLearner`.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Domain, Table, Variable

from ..core import METHODS, Ensemble
from ..core.data.facts import no_features
from ..core.forest.models import Model as Trees
from ..core.targets.facts import no_target
from ..core.words import shown
from .conversion import arrays, asked

METHOD = "pct"
LABEL_THRESHOLD = 0.5  # share of the rows of leaves above which a label is predicted


class PCTModel(Model):  # type: ignore[misc]  # Orange has no types
    """Model that predicts the class variables of a domain.

    An ensemble stores the scores of its trees only, so that they are grown again for the first prediction.

    Parameters
    ----------
    data : Table
        Data that the trees were grown of.
    ensemble : Ensemble
        Trees for the features and class variables of the data.
    n_jobs : int, optional
        Number of threads.
    """

    supports_multiclass = True
    name = "PCT ensemble"

    def __init__(self, data: Table, ensemble: Ensemble, n_jobs: int | None = None):
        super().__init__(data.domain)
        self.ensemble = ensemble
        self.n_jobs = n_jobs
        targets = data.domain.class_vars
        self._codes = [_codes(data, variable, len(targets) > 1) for variable in targets]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(variable.name for variable in self.domain.class_vars)})"

    @cached_property
    def trees(self) -> Trees:
        """Nodes of the trees and their predictions; raises ValueError without a target."""
        return self.ensemble.model(n_jobs=self.n_jobs)

    def predict(self, X: np.ndarray) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Predict the targets of rows.

        Parameters
        ----------
        X : (n, p) array or sparse matrix
            Values of the features.

        Returns
        -------
        (n,) or (n, t) float64 array
            Numbers and codes of the one or t targets. If all are categories, a pair of these and of probabilities,
            (n, c) or (n, t, c).
        """
        predicted = self.trees.predict(X)
        targets = self.domain.class_vars
        values = []
        probabilities = []
        for k, variable in enumerate(targets):
            first, end = self.trees.starts[k : k + 2]
            of_target = self._prediction(k, variable, predicted[:, first:end])
            values.append(of_target.values)
            probabilities.append(of_target.probabilities)
        n_values = max(shares.shape[1] for shares in probabilities)
        padded = [np.pad(shares, ((0, 0), (0, n_values - shares.shape[1]))) for shares in probabilities]
        all_values = np.column_stack(values)
        all_probabilities = np.stack(padded, axis=1)
        if len(targets) == 1:
            all_values = all_values[:, 0]
            all_probabilities = all_probabilities[:, 0]
        if all(variable.is_discrete for variable in targets):
            return all_values, all_probabilities
        return all_values

    def _prediction(self, number: int, variable: Variable, means: np.ndarray) -> "_Prediction":
        """Prediction for one target by its number, from the means (n, columns) of leaves."""
        if not variable.is_discrete:
            return _Prediction(means[:, 0], np.empty((len(means), 0)))
        levels = self.trees.levels[number]
        if levels is None:  # a label
            share = means[:, 0]
            return _Prediction((share > LABEL_THRESHOLD).astype(float), np.column_stack([1 - share, share]))
        probabilities = np.zeros((len(means), len(variable.values)))
        probabilities[:, self._codes[number][list(levels)]] = means
        return _Prediction(probabilities.argmax(axis=1).astype(float), probabilities)

    def __getstate__(self) -> dict[str, Any]:
        """State with the trees, which are smaller than the data that they are grown of."""
        trees = self.trees
        state = dict(super().__getstate__())
        return state | {"trees": trees, "ensemble": None}


class _Prediction(NamedTuple):
    """Values (n,) of a target, and probabilities (n, c) of its categories, (n, 0) of a number."""

    values: np.ndarray
    probabilities: np.ndarray


class PCTLearner(Learner):  # type: ignore[misc]  # Orange has no types
    """Learner of ensembles of predictive clustering trees, for one or several targets of any kind.

    Rows without a known target are used unless supervision is 1.

    Parameters
    ----------
    parameters : mapping, optional
        Parameters of the method "pct", for example ``{"n_trees": 200}``.
    random_state, n_jobs
        As in `core.rank`.
    preprocessors : sequence, optional
        Preprocessors of the data, as of other learners.
    **more
        Further parameters of the method.

    Raises
    ------
    ValueError, TypeError
        If the method does not have a parameter, or its value is not possible.
    """

    name = "PCT ensemble"
    supports_multiclass = True
    preprocessors = ()

    def __init__(
        self,
        *,
        parameters: Mapping[str, Any] | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        preprocessors: object = None,
        **more: object,
    ):
        super().__init__(preprocessors=preprocessors)
        if parameters is not None and not isinstance(parameters, Mapping):
            raise TypeError(f"parameters must be a dict or None, not {shown(parameters)}")
        self.parameters = {**({} if parameters is None else parameters), **more} or None
        METHODS[METHOD].check(self.parameters or {})
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __call__(self, data: Table, progress_callback: Callable[[float], object] | None = None) -> PCTModel:
        """Learn a model of data; raises TypeError for what is no table, and the errors of `fit_storage`."""
        if not isinstance(data, Table):
            raise TypeError(f"an Orange Table is needed, not {type(data).__name__}")
        model: PCTModel = super().__call__(data, progress_callback)
        return model

    def incompatibility_reason(self, domain: Domain) -> str | None:
        """Reason for which the data cannot be used, or None."""
        if not domain.class_vars:
            return no_target()
        return None if domain.attributes else no_features()

    def fit_storage(self, data: Table) -> PCTModel:
        """Learn a model of data; raises ValueError as `core.rank`."""
        read = arrays(data, method=METHOD)
        ensemble = Ensemble.of(
            read.X,
            read.y,
            random_state=self.random_state,
            rforest=False,
            **asked(read),
            **(self.parameters or {}),
        )
        return PCTModel(data, ensemble.grow(n_jobs=self.n_jobs), self.n_jobs)


def _codes(data: Table, variable: Variable, several: bool) -> np.ndarray:
    """Codes of the values of a target that occur, in the order of the core: ascending, or alphabetical if several."""
    if not variable.is_discrete:
        return np.empty(0, int)
    column = data.get_column(variable)
    codes = np.unique(column[~np.isnan(column)]).astype(int)
    return np.array(sorted(codes, key=lambda code: variable.values[code]), int) if several else codes
