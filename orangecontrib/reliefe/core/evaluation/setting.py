"""Setting that all compared rankings share: data, target, model, numbers of features, and folds.

`quality_curve`, `convergence` and the widget Ranking Comparison read their arguments by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..checks import one_of, whole
from ..data.chosen_rows import chosen_from, take
from ..data.table import DataTable
from ..targets.tasks import SURVIVAL
from ..words import shown
from .checked_folds import parts_of
from .curve import QualityCurve
from .folds import Fold, folds
from .predictors import EVALUATED, Predictor
from .references import MAX_SEED
from .sizes import checked_sizes, doublings
from .trial import Trial, in_fold

N_FOLDS = 10  # as is usual for cross-validation


@dataclass(frozen=True)
class Setting:
    """Setting that all compared rankings share.

    Attributes
    ----------
    table : DataTable
        The features.
    target : object
        The target as a ranker gets it, or None.
    predictor : Predictor
        The target as models get it, and the measure.
    model : object
        An estimator of scikit-learn; None: the nearest row.
    sizes : (s,) array
        Numbers of best features.
    parts : sequence of Fold
        Folds.
    """

    table: DataTable
    target: object
    predictor: Predictor
    model: object
    sizes: np.ndarray
    parts: Sequence[Fold]

    @classmethod
    def read(
        cls,
        X: object,
        y: object,
        task: str,
        estimator: object = None,
        measure: str | None = None,
        nominal: object = None,
        sizes: Sequence[int] | np.ndarray | None = None,
        parts: Sequence[Fold] | None = None,
        random_state: int = 0,
        n_folds: int = N_FOLDS,
    ) -> "Setting":
        """Read the arguments of `quality_curve`, with its defaults and its errors."""
        table = DataTable.of(X, nominal)
        task = one_of("task", task, EVALUATED)
        n, p = table.shape
        predictor = Predictor.read(y, task, n, measure)
        sizes = checked_sizes(doublings(p) if sizes is None else sizes, p)
        random_state = whole("random_state", random_state, 0, MAX_SEED)
        if parts is None:
            parts = folds(n, min(n_folds, n), random_state, predictor.strata)
        model = predictor.model(random_state) if estimator is None else estimator
        if not (model is None or hasattr(model, "fit")):
            raise TypeError(f"estimator must be one of scikit-learn's, not {shown(estimator)}")
        target = predictor.truth if predictor.truth is None or task == SURVIVAL else chosen_from(y, "y")
        return cls(table, target, predictor, model, sizes, parts_of(parts, n))

    def training(self, fold: Fold) -> tuple[object, object]:
        """Select X and y of the training rows of a fold, as a ranker gets them."""
        train = np.asarray(fold[0], np.intp)
        return self.table.values[train], None if self.target is None else take(self.target, train)

    def trial(self, fold: Fold) -> Trial:
        """Prepare to measure the quality of rankings in a fold."""
        return Trial(in_fold(self.table, self.predictor, self.model, fold), self.table.shape[1], self.sizes)

    def curve(self, values: np.ndarray, whole: np.ndarray) -> QualityCurve:
        """Make a curve of qualities (folds, s), and of those with all features (folds,)."""
        n_rows = np.array([np.count_nonzero(self.predictor.known[test]) for _, test in self.parts])
        return QualityCurve(self.sizes, values, whole, n_rows, self.predictor.measure, self.predictor.higher_is_better)
