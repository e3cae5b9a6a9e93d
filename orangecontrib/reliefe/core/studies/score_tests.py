"""Score tests of columns of features beside covariates: in a linear regression for numbers, a logistic one for classes.

`inference/alone.py` calls `score_tests` with a target and the covariates. Cox's model has its tests in `cox_model.py`.
"""

from dataclasses import dataclass

import numpy as np

from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION
from .conjugate_gradients import Map, conjugate_gradients, inner_products
from .logistic import shares, weigh
from .projection import DEPENDENT, Projection
from .residuals import of_numbers

VALUES_AT_ONCE = 2**21  # of rows, sets of columns and classes
TOLERANCE = 1e-6  # of the systems for statistics, whose error is the square of this
RIDGE_OF_BLOCKS = 0.01  # of the preconditioner, as a share of the mean weight of the rows of a class
MIN_WEIGHT = 1e-100  # of the rows of a class that all rows have, or none
MAX_BLOCK_VALUES = 2**24  # of the preconditioner's blocks, 128 MiB
TOLERANCE_OF_RESIDUALS = 1e-10  # of the system that is solved once for all features


@dataclass(frozen=True, eq=False)
class ScoreTests:
    """Score tests of further columns in a regression on covariates.

    Attributes
    ----------
    beside : Projection
        Orthogonal columns of the constant and the covariates.
    residuals : np.ndarray, shape (n, g)
        Residuals of the regression.
    """

    beside: Projection
    residuals: np.ndarray

    def tests(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Test b sets of columns, each set alone.

        Parameters
        ----------
        X : np.ndarray, shape (n, b, m)
            Sets of m columns.

        Returns
        -------
        statistics : np.ndarray, shape (b,)
            Chi-square of each set.
        freedom : np.ndarray, shape (b,)
            Its degrees of freedom, 0 for a set that the covariates determine.
        """
        Q = self.beside.Q
        sets = np.moveaxis(X - X.mean(axis=0), 0, 1)
        squares = (sets**2).sum(axis=(1, 2))
        if Q.shape[1] > 1:  # a constant alone leaves them as they are
            sets = sets - Q @ (Q.T @ sets)

        # Orthonormal columns instead of those of each set, 0 for those that depend on others
        values, vectors = np.linalg.eigh(sets.transpose(0, 2, 1) @ sets)
        independent = values > DEPENDENT * squares[:, None]
        scale = np.divide(1, np.sqrt(np.maximum(values, 0)), out=np.zeros_like(values), where=independent)
        sets = sets @ (vectors * scale[:, None])

        step = max(VALUES_AT_ONCE // max(self.residuals.size, 1), 1)
        statistics = [self._statistics(sets[start : start + step]) for start in range(0, len(sets), step)]
        return np.concatenate(statistics), independent.sum(axis=1) * self.residuals.shape[1]

    def _statistics(self, sets: np.ndarray) -> np.ndarray:
        """Chi-square (b,) of sets (b, n, m) of columns that are orthonormal, or 0, and orthogonal to covariates."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class LinearTests(ScoreTests):
    """Score tests in a linear regression of normal scores of numbers.

    Attributes
    ----------
    variance : float
        Variance of the residuals.
    """

    variance: float

    @classmethod
    def of(cls, values: np.ndarray, Z: np.ndarray) -> "LinearTests":
        """Make the tests for numbers (n,) beside covariates Z (n, q)."""
        covariates = Projection.on(Z)
        variance = len(Z) / max(len(Z) - covariates.Q.shape[1], 1)
        return cls(covariates, of_numbers(values, covariates)[:, None], variance)

    def _statistics(self, sets: np.ndarray) -> np.ndarray:
        slopes = sets.transpose(0, 2, 1) @ self.residuals
        return inner_products(slopes, slopes) / self.variance


@dataclass(frozen=True, eq=False)
class LogisticTests(ScoreTests):
    """Score tests in a multinomial logistic regression.

    With the columns C = (X, Q) of a set and of the covariates, the statistic is U' I^-1 U, where U = C' residuals and I
    is the information of `logistic.py`. The residuals are made such that Q' residuals = 0, so that this is the
    statistic of X beside Q.

    Attributes
    ----------
    probabilities : np.ndarray, shape (n, G)
        Probabilities of the classes given covariates. The first class is the reference, so that g = G - 1.
    solve_covariates : callable
        `_precondition_by_class` of Q.
    """

    probabilities: np.ndarray
    solve_covariates: Map

    @classmethod
    def of(cls, classes: np.ndarray, Z: np.ndarray) -> "LogisticTests":
        """Make the tests for classes (n,) beside covariates Z (n, q)."""
        codes = np.unique(classes, return_inverse=True)[1]
        fitted = shares(codes, Z, int(codes.max()) + 1)
        covariates = Projection.on(Z)
        Q = covariates.Q
        P = np.ascontiguousarray(fitted[:, 1:])

        # Residuals: indicators of all classes but the first, less their probabilities
        residuals = -P
        rows = np.flatnonzero(codes)
        residuals[rows, codes[rows] - 1] += 1

        # One more Newton step, to a closer tolerance than the fit had, so that Q' residuals = 0
        precondition = _precondition_by_class(Q[None], fitted)
        effects = conjugate_gradients(
            lambda V: Q.T @ weigh(Q @ V, P),
            precondition,
            (Q.T @ residuals)[None],
            TOLERANCE_OF_RESIDUALS,
        )[0]
        return cls(covariates, residuals - weigh(Q @ effects, P), fitted, precondition)

    def _statistics(self, sets: np.ndarray) -> np.ndarray:
        Q = self.beside.Q
        P = np.ascontiguousarray(self.probabilities[:, 1:])
        m = sets.shape[2]

        # Remove from X its weighted regression on Q, with the mean weight of the classes for each row. With two classes
        # this weight is exact: X and Q share no information then, and the system of X alone is solved.
        weights = (P * (1 - P)).sum(axis=1)
        if Q.shape[1] > 1:
            sets = sets - Q @ (np.linalg.pinv((Q.T * weights) @ Q, hermitian=True) @ ((Q.T * weights) @ sets))
        # Of more classes, the system of X and Q is solved by conjugate gradients, which are preconditioned class by
        # class, for X and for Q.
        solve_sets = _precondition_by_class(sets, self.probabilities)

        slopes = sets.transpose(0, 2, 1) @ self.residuals
        if P.shape[1] == 1:
            solution = np.linalg.pinv((sets.transpose(0, 2, 1) * weights) @ sets, hermitian=True) @ slopes
            return inner_products(slopes, solution)

        def information(V: np.ndarray) -> np.ndarray:
            weighed = weigh(sets @ V[:, :m] + Q @ V[:, m:], P)
            return np.concatenate([sets.transpose(0, 2, 1) @ weighed, Q.T @ weighed], axis=1)

        def preconditioner(V: np.ndarray) -> np.ndarray:
            return np.concatenate([solve_sets(V[:, :m]), self.solve_covariates(V[:, m:])], axis=1)

        all_slopes = np.concatenate([slopes, np.zeros((len(sets), Q.shape[1], P.shape[1]))], axis=1)
        return inner_products(all_slopes, conjugate_gradients(information, preconditioner, all_slopes, TOLERANCE))


def _precondition_by_class(sets: np.ndarray, probabilities: np.ndarray) -> Map:
    """Make the preconditioner that solves the system of each class alone.

    The information of class c is A' diag(w_c) A, with w_ic = p_ic (1 - p_ic) and the columns A of a set. Right sides of
    the first class, the reference, are minus the sum of the others, as residuals of a row add up to 0. Its solution is
    subtracted from those of the others. Rows of all classes may differ in their probabilities, so that few iterations
    are needed: 29 instead of 77 for 80 classes beside 38 columns in 400 rows.

    Parameters
    ----------
    sets : np.ndarray, shape (b, n, k)
        Sets of k columns.
    probabilities : np.ndarray, shape (n, G)
        Probabilities of the classes.

    Returns
    -------
    callable
        Maps right sides (b, k, G - 1) to solutions; of one set also right sides of several.
    """
    weights = probabilities * (1 - probabilities)
    mean_weights = np.maximum(weights.mean(axis=0), MIN_WEIGHT)
    b, _, k = sets.shape
    if b * k * k * len(mean_weights) > MAX_BLOCK_VALUES:  # all rows with the mean weight, of columns of length 1
        inverses = None
    else:
        transposed = sets.transpose(0, 2, 1)
        blocks = np.array([(transposed * weight) @ sets for weight in weights.T])  # (G, b, k, k)
        blocks += (RIDGE_OF_BLOCKS * mean_weights)[:, None, None, None] * np.eye(k)
        inverses = np.linalg.inv(blocks)

    def solve(V: np.ndarray) -> np.ndarray:
        of_all = np.concatenate([-V.sum(axis=2, keepdims=True), V], axis=2)  # (b, k, G)
        if inverses is None:
            solutions = of_all / mean_weights
        else:
            solutions = (inverses @ of_all.transpose(2, 0, 1)[..., None])[..., 0].transpose(1, 2, 0)
        return np.asarray(solutions[..., 1:] - solutions[..., :1])

    return solve


def score_tests(target: Target, Z: np.ndarray) -> ScoreTests:
    """Make the tests for a target of classes or numbers, the normal scores of which count.

    Parameters
    ----------
    target : Target
        Classes or numbers of n rows.
    Z : (n, q) array
        Columns of the covariates.

    Returns
    -------
    ScoreTests
    """
    if target.task == CLASSIFICATION:
        return LogisticTests.of(target.classes, Z)
    return LinearTests.of(target.columns[0][:, 0], Z)
