"""Additive model of targets on a basis: its residuals, and those of targets that the model draws.

`inference/partners.py` tests with it whether two features act only together.
"""

from collections.abc import Callable

import numpy as np

from ..targets.targets import Target
from .column_axes import ColumnAxes
from .logistic_regression import LogisticRegression
from .ridge_regression import RidgeRegression

Tick = Callable[[], object]


class AdditiveModel:
    """Targets as sums of effects that are linear in the columns of a basis.

    Numbers are fitted by ridge regression, classes and labels by logistic regression, one target after the other.  In a
    target that is drawn, a row has the noise of another row: the same row for all targets, so that targets depend on
    each other as they did.
    """

    def __init__(self, basis: np.ndarray, target: Target, random_state: int, tick: Tick = lambda: None):
        """Fit a target on a basis.

        Parameters
        ----------
        basis : (n, q) array
            Columns of `additive.additive_basis`.
        target : Target
            One or several targets.
        random_state : int
            Seed of the folds, and of the targets that are drawn.
        tick : callable
            Called at each evaluation of a loss; it raises an exception to stop.
        """
        values, nominal = target.columns
        is_class = nominal | (target.label_matrix is not None)
        axes = ColumnAxes.of(basis)
        self._seed = random_state
        self._is_present = ~np.isnan(values).T
        self._models: list[RidgeRegression | LogisticRegression] = []
        for column, is_present, has_classes in zip(values.T, self._is_present, is_class, strict=True):
            axes_of_rows = axes if is_present.all() else ColumnAxes.of(basis[is_present])
            present = column[is_present]
            if has_classes:
                self._models.append(LogisticRegression(axes_of_rows, present, random_state, tick))
            else:
                self._models.append(RidgeRegression(axes_of_rows, present))

    def residuals(self) -> list[np.ndarray]:
        """Return the residuals (n, c) of each target: less its expectation, NaN where the target is missing.

        c is the number of classes if there are more than two, else 1.
        """
        return [
            _in_all_rows(model.residuals, is_present)
            for model, is_present in zip(self._models, self._is_present, strict=True)
        ]

    def drawn(self, number: int) -> list[np.ndarray]:
        """Draw a target from the model, missing in the same rows, and return its residuals as `residuals` does.

        number: number of the draw, which seeds it together with the seed of the model.
        """
        rng = np.random.default_rng((self._seed, number))
        n = self._is_present.shape[1]
        order = rng.permutation(n)
        residuals = []
        for model, is_present in zip(self._models, self._is_present, strict=True):
            noise = model.noise(rng)
            noise_of_rows = rng.choice(noise, n)  # rows without a target get the noise of any row
            noise_of_rows[is_present] = noise
            permuted = noise_of_rows[order]
            residuals.append(_in_all_rows(model.drawn(permuted[is_present]), is_present))
        return residuals


def _in_all_rows(values: np.ndarray, is_present: np.ndarray) -> np.ndarray:
    """Put values of the rows that are present among all rows (n,), with NaN in the others."""
    spread = np.full((len(is_present), values.shape[1]), np.nan)
    spread[is_present] = values
    return spread
