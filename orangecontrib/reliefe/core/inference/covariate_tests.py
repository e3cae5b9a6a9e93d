"""Score tests of columns of features in a regression on covariates, which also takes unknown values and categories.

`alone.py` calls `test_beside` with a target, and `genetics/single_variants.py` with a phenotype.
"""

from collections.abc import Callable

import numpy as np

from ..studies.residuals import Hazards
from ..studies.score_tests import score_tests
from ..targets.targets import SURVIVAL, Target
from ..work.threads import SERIAL_ALGEBRA


def test_beside(target: Target, Z: np.ndarray | None) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Function that gives p-values (b,) of columns X (n, b), some of them nominal (b,), beside covariates Z (n, q)."""
    from scipy.stats import chi2  # not above: the import takes longer than all others of the core together

    def p_values(X: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Those (b,) of sets of columns (n, b, m)."""
        if target.task != SURVIVAL:
            value, freedom = score_tests(target.inner.take(rows), np.asarray(Z)[rows]).tests(X)
        else:
            model, own = Hazards.of_target(target.take(rows))
            found = model.joint_test(X[:, 0], own) if X.shape[2] > 1 else (model.tests(X[:, :, 0], own), 1)
            value, freedom = np.atleast_1d(*found)
        return np.where(freedom > 0, chi2.sf(value, np.maximum(freedom, 1)), 1.0)

    @SERIAL_ALGEBRA
    def test(X: np.ndarray, nominal: np.ndarray) -> np.ndarray:
        out, unknown = np.ones(X.shape[1]), np.isnan(X)
        whole = ~unknown.any(axis=0) & ~nominal
        if whole.any():
            out[whole] = p_values(X[:, whole, None], np.arange(len(X)))
        for a in np.flatnonzero(~whole):
            known = np.flatnonzero(~unknown[:, a])
            column = X[known, a]
            columns = column[:, None] == np.unique(column)[1:] if nominal[a] else column[:, None]
            if columns.size:
                out[a] = p_values(columns[:, None].astype(float), known)[0]
        return out

    return test
