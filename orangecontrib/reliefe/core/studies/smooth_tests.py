"""Smooth tests: whether a target depends on a number in any form, monotone or not.

`inference/alone.py` calls `smooth_p_values` with columns of features and a target.

With the rank r_i of row i among n rows, the waves of a feature are the columns

    w_ik = cos(pi k (r_i - 1/2) / n),    k = 1 ... K.

All waves of a feature are tested together by a score test: in a logistic regression for classes, in Cox's model for
times, and in a linear regression of normal scores for numbers. Wave 1 is monotone, wave 2 has the form of a U, and
effects of up to K / 2 periods are near a sum of K waves.

Neyman (1937), Skandinavisk Aktuarietidskrift 20:149, on smooth tests.
"""

from collections.abc import Callable

import numpy as np

from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, SURVIVAL
from ..work.threads import SERIAL_ALGEBRA
from .conjugate_gradients import inner_products
from .cox_model import Hazards
from .projection import DEPENDENT
from .score_tests import LinearTests, LogisticTests

WAVES = 6  # natural splines with 4 knots miss more than one period: benchmarks/kinds.py
ROWS_PER_WAVE = 10  # chosen by eye: 60 rows have all waves
FEWEST_ROWS = 2 * ROWS_PER_WAVE  # with one wave, the test would be monotone
VALUES_AT_ONCE = 2**18  # of all waves of the features that are tested together

TestOfSets = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


class RobustTests(LinearTests):
    """Score tests in a linear regression whose residuals may vary more in some rows than in others.

    Where two features act by their product, the target varies more in rows with large values of one of them, and tests
    that assume equal variances take this for an effect.

    White (1980), Econometrica 48:817.
    """

    def _statistics(self, sets: np.ndarray) -> np.ndarray:
        return robust_statistics(sets * self.residuals) / self.variance


def robust_statistics(contributions: np.ndarray) -> np.ndarray:
    """Chi-square (b,) of scores that are sums of contributions c_i of n rows: s' (sum_i c_i c_i')^-1 s, s = sum_i c_i.

    Shapes: `contributions` (b, n, m).
    """
    scores = contributions.sum(axis=1)[:, :, None]
    variance = contributions.transpose(0, 2, 1) @ contributions
    return inner_products(scores, np.linalg.pinv(variance, hermitian=True) @ scores)


def statistics_of_times(hazards: Hazards, Z: np.ndarray | None, sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Test sets of columns (n, b, m) in Cox's model beside covariates Z (n, q).

    Returns chi-square (b,), and degrees of freedom (b,).
    """
    n, b, m = sets.shape
    columns = sets.reshape(n, b * m)
    columns = columns - columns.mean(axis=0)
    squares = (columns**2).sum(axis=0).reshape(b, m).sum(axis=1)
    columns = hazards.rest(columns, Z)

    # Orthogonal columns instead of those of each set, without those that depend on others
    orthogonal = columns.reshape(n, b, m).transpose(1, 0, 2)
    values, vectors = np.linalg.eigh(orthogonal.transpose(0, 2, 1) @ orthogonal)
    independent = values > DEPENDENT * squares[:, None]
    orthogonal = orthogonal @ (vectors * independent[:, None])

    columns = orthogonal.transpose(1, 0, 2).reshape(n, b * m)
    contributions = hazards.contributions(columns).reshape(n, b, m).transpose(1, 0, 2)
    return robust_statistics(contributions), independent.sum(axis=1)


def waves(X: np.ndarray) -> np.ndarray:
    """Make the waves (n, b, K) of columns X (n, b), with the mean rank for ties; K < 6 for fewer than 60 rows."""
    from scipy.stats import rankdata

    n = len(X)
    steps = (2 * rankdata(X, axis=0) - 1).astype(np.intp)  # of pi / (2 n)
    number = np.arange(1, min(WAVES, n // ROWS_PER_WAVE) + 1)
    of_steps = np.cos(np.pi / (2 * n) * np.arange(2 * n)[:, None] * number)
    return np.asarray(of_steps[steps.T].transpose(1, 0, 2))


@SERIAL_ALGEBRA
def smooth_p_values(X: np.ndarray, target: Target, Z: np.ndarray | None = None) -> np.ndarray:
    """Test numbers by their waves.

    Parameters
    ----------
    X : (n, b) array
        Numbers, NaN where unknown.
    target : Target
        Classes, numbers or times of n rows.
    Z : (n, q) array, optional
        Covariates in the regression of classes and numbers; times have their own.

    Returns
    -------
    (b,) array
        p-values, 1 for constants, and NaN for numbers that fewer than twenty rows have.
    """
    p_values = np.full(X.shape[1], np.nan)
    unknown = np.isnan(X)
    is_complete = ~unknown.any(axis=0)

    complete = np.flatnonzero(is_complete)
    step = max(VALUES_AT_ONCE // (WAVES * max(len(X), 1)), 1)
    if len(complete) and len(X) >= FEWEST_ROWS:
        test = _test_of_sets(target, Z)
        for start in range(0, len(complete), step):
            columns = complete[start : start + step]
            p_values[columns] = _p_values(test, waves(X[:, columns]))

    for column in np.flatnonzero(~is_complete):
        rows = np.flatnonzero(~unknown[:, column])
        if len(rows) >= FEWEST_ROWS:
            test = _test_of_sets(target.take(rows), None if Z is None else Z[rows])
            p_values[column] = _p_values(test, waves(X[rows][:, [column]]))[0]
    return p_values


def _test_of_sets(target: Target, Z: np.ndarray | None) -> TestOfSets:
    """Test of sets of columns (n, b, m) for a target, which returns chi-square (b,), and degrees of freedom (b,)."""
    if target.task == SURVIVAL:
        hazards, own_covariates = Hazards.of_target(target)
        return lambda sets: statistics_of_times(hazards, own_covariates, sets)
    covariates = np.zeros((target.n, 0)) if Z is None else Z
    if target.task == CLASSIFICATION:
        return LogisticTests.of(target.inner.classes, covariates).tests
    return RobustTests.of(target.inner.columns[0][:, 0], covariates).tests


def _p_values(test: TestOfSets, sets: np.ndarray) -> np.ndarray:
    """p-values (b,) of sets of columns (n, b, m); 1 for those without a degree of freedom."""
    from scipy.stats import chi2

    statistics, freedom = test(sets)
    return np.where(freedom > 0, chi2.sf(statistics, np.maximum(freedom, 1)), 1.0)
