"""Score tests of single features in a regression on covariates: logistic, linear or Cox's, as the target needs.

`alone.py` calls `test_beside` with a target, and `genetics/single_variants.py` with a phenotype.
"""

from collections.abc import Callable

import numpy as np

from ..studies.cox_model import Hazards
from ..studies.score_tests import score_tests
from ..targets.targets import Target
from ..targets.tasks import SURVIVAL
from ..work.threads import SERIAL_ALGEBRA


def test_beside(target: Target, Z: np.ndarray | None) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Make the test of features beside covariates.

    Parameters
    ----------
    target : Target
        Classes, numbers or times of n rows.
    Z : (n, q) array or None
        Columns of the covariates. Times have their own.

    Returns
    -------
    callable
        Maps columns X (n, b), NaN where unknown, and a mask (b,) of the nominal ones to p-values (b,). A nominal column
        is tested by indicators of its values. Rows in which a column is unknown are left out.
    """

    @SERIAL_ALGEBRA
    def test(X: np.ndarray, nominal: np.ndarray) -> np.ndarray:
        p_values = np.ones(X.shape[1])
        unknown = np.isnan(X)
        is_complete_number = ~unknown.any(axis=0) & ~nominal
        if is_complete_number.any():
            p_values[is_complete_number] = _p_values(target, Z, X[:, is_complete_number, None], np.arange(len(X)))
        for a in np.flatnonzero(~is_complete_number):
            rows = np.flatnonzero(~unknown[:, a])
            column = X[rows, a]
            tested = column[:, None] == np.unique(column)[1:] if nominal[a] else column[:, None]
            if tested.size:
                p_values[a] = _p_values(target, Z, tested[:, None].astype(float), rows)[0]
        return p_values

    return test


def _p_values(target: Target, Z: np.ndarray | None, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Test sets of columns (r, b, m) of the given rows (r,), and return p-values (b,); 1 where nothing is free."""
    from scipy.stats import chi2  # not above: the import takes longer than all others of the core together

    if target.task != SURVIVAL:
        statistic, freedom = score_tests(target.inner.take(rows), np.asarray(Z)[rows]).tests(X)
    else:
        model, own_covariates = Hazards.of_target(target.take(rows))
        if X.shape[2] > 1:
            statistic, freedom = np.atleast_1d(*model.joint_test(X[:, 0], own_covariates))
        else:
            statistic, freedom = np.atleast_1d(model.tests(X[:, :, 0], own_covariates), 1)
    return np.where(freedom > 0, chi2.sf(statistic, np.maximum(freedom, 1)), 1.0)
