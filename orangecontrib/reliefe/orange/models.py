"""Ensembles of predictive clustering trees as Orange's learner and model: for Predictions, and Test and Score."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from Orange.base import Learner, Model
from Orange.data import Domain, Table, Variable

from ..core import METHODS, Ensemble
from ..core.forest.models import Model as Trees
from ..core.words import shown
from .conversion import arrays, asked

METHOD = "pct"
LABEL_THRESHOLD = 0.5  # share of rows above which they have a label


class PCTModel(Model):
    """Predictions of an ensemble for the class variables of a domain.

    The trees are grown again when they are asked for first: an ensemble keeps their scores only.
    """

    supports_multiclass = True
    name = "PCT ensemble"

    def __init__(self, data: Table, ensemble: Ensemble, n_jobs: int | None = None):
        """ensemble: of the features and class variables of `data`."""
        super().__init__(data.domain)
        self.ensemble = ensemble
        self.n_jobs = n_jobs
        targets = data.domain.class_vars
        self._codes = [_codes(data, variable, len(targets) > 1) for variable in targets]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(variable.name for variable in self.domain.class_vars)})"

    @cached_property
    def trees(self) -> Trees:
        """The nodes and what they predict.  Raises ValueError without a target."""
        return self.ensemble.model(n_jobs=self.n_jobs)

    def predict(self, X: np.ndarray) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """For X (n, p): numbers (n,), or values (n,) and probabilities (n, c) of classes; of t targets (n, t), and
        (n, t, c) where all of them are categories."""
        found, targets = self.trees.predict(X), self.domain.class_vars
        starts = self.trees.starts
        each = [self._answer(k, variable, found[:, starts[k] : starts[k + 1]]) for k, variable in enumerate(targets)]
        values = np.column_stack([value for value, _ in each])
        widest = max(shares.shape[1] for _, shares in each)
        shares = np.stack([np.pad(part, ((0, 0), (0, widest - part.shape[1]))) for _, part in each], axis=1)
        if len(targets) == 1:
            values, shares = values[:, 0], shares[:, 0]
        return (values, shares) if all(variable.is_discrete for variable in targets) else values

    def _answer(self, number: int, variable: Variable, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values (n,) of a target, and the shares (n, c) of its categories, (n, 0) of a number."""
        if not variable.is_discrete:
            return found[:, 0], np.empty((len(found), 0))
        levels = self.trees.levels[number]
        if levels is None:
            return (found[:, 0] > LABEL_THRESHOLD).astype(float), np.column_stack([1 - found[:, 0], found[:, 0]])
        shares = np.zeros((len(found), len(variable.values)))
        shares[:, self._codes[number][list(levels)]] = found
        return shares.argmax(axis=1).astype(float), shares

    def __getstate__(self):
        """The trees, which are smaller than the data that they are grown of."""
        trees = self.trees
        state = dict(super().__getstate__())
        return state | {"trees": trees, "ensemble": None}


class PCTLearner(Learner):
    """Ensembles of predictive clustering trees, for one or several targets of any kind.

    parameters: those of the method "pct", such as n_trees=200; random_state, n_jobs: as in `core.rank`.  Rows without a
    known target take part unless supervision is 1.
    """

    name = "PCT ensemble"
    supports_multiclass = True
    preprocessors = ()

    def __init__(
        self,
        *,
        parameters: dict | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        preprocessors: object = None,
        **more: object,
    ):
        """Raises ValueError for parameters that the method does not have, or cannot take."""
        super().__init__(preprocessors=preprocessors)
        if parameters is not None and not isinstance(parameters, Mapping):
            raise TypeError(f"parameters must be a dict or None, not {shown(parameters)}")
        self.parameters = {**({} if parameters is None else parameters), **more} or None
        METHODS[METHOD].check(self.parameters or {})
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __call__(self, data: Table, progress_callback: Callable | None = None) -> PCTModel:
        """The model of the data.  Raises TypeError for what is no table, and as `fit_storage` does."""
        if not isinstance(data, Table):
            raise TypeError(f"an Orange Table is needed, not {type(data).__name__}")
        return super().__call__(data, progress_callback)

    def incompatibility_reason(self, domain: Domain) -> str | None:
        """Reason for which the data cannot be used, or None."""
        if not domain.class_vars:
            return "a target is needed"
        return None if domain.attributes else "the data have no features"

    def fit_storage(self, data: Table) -> PCTModel:
        """The model of the data.  Raises ValueError for what `core.rank` refuses."""
        read = arrays(data, method=METHOD)
        options = asked(read) | {"random_state": self.random_state, "rforest": False}
        ensemble = Ensemble.of(read.X, read.y, **options, **(self.parameters or {}))
        return PCTModel(data, ensemble.grow(n_jobs=self.n_jobs), self.n_jobs)


def _codes(data: Table, variable: Variable, several: bool) -> np.ndarray:
    """Indices of the values of a target that occur, in the order in which the core numbers them: of one target as they
    are, of several by the alphabet."""
    if not variable.is_discrete:
        return np.empty(0, int)
    column = data.get_column(variable)
    codes = np.unique(column[~np.isnan(column)]).astype(int)
    return np.array(sorted(codes, key=lambda code: variable.values[code]), int) if several else codes
