"""Multinomial logistic regression of a target of classes on covariates, in time linear in rows, columns and classes.

`residuals.py` and `study.py` take the fitted probabilities from here, and `score_tests.py` solves systems of the same
information.

With probabilities p_i of the classes of row i, the information of coefficients V (columns, classes) is the linear map

    V -> A' W(A V),    W(T)_ic = p_ic (T_ic - sum_d p_id T_id).

Its matrix has (columns * classes)^2 cells. It is never formed: conjugate gradients solve its systems by such products.

scikit-learn's LogisticRegression has no reference class, so that its ridge gives other probabilities of three classes.
"""

import numpy as np
from scipy.special import softmax

from .conjugate_gradients import Map, conjugate_gradients

RIDGE = 1.0  # on standardised columns: as much as one row
RIDGE_OF_CONSTANT = 1e-6
MIN_PRIOR = 1e-9  # share of a class, whose logarithm is taken
NEWTON_STEPS = 50  # at most; 17 were the most in simulated data, where 400 rows had 399 columns and 100 classes
SMALL_STEP = 1e-8  # of all coefficients, at which Newton's method ends
HALVINGS = 20  # of a step, at most
SUFFICIENT_DECREASE = 1e-4  # share of the decrease that the slope promises; Nocedal and Wright (2006), section 3.1
ROUNDING = 1e-13  # share of a loss by which rounding may raise it
TOLERANCE_OF_STEP = 1e-3  # of the system for a step of Newton's method, whose next step corrects the error


def weigh(T: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """Apply W to T, in place: p_ic (T_ic - sum_d p_id T_id).

    Shapes: `T` (..., n, g); `probabilities` (n, g), of all classes but one.
    """
    T *= probabilities
    T -= probabilities * T.sum(axis=-1, keepdims=True)
    return T


def shares(codes: np.ndarray, Z: np.ndarray, G: int) -> np.ndarray:
    """Probabilities (n, G) of the classes given covariates, by multinomial logistic regression with a ridge.

    The last class is the reference. Newton's method takes steps that conjugate gradients find, and halves a step as
    long as the loss does not decrease enough.

    Parameters
    ----------
    codes : np.ndarray, shape (n,)
        Class of each row, from 0 to G - 1.
    Z : np.ndarray, shape (n, q)
        Columns of the covariates, with mean 0.
    G : int
        Number of classes.

    Returns
    -------
    np.ndarray, shape (n, G)
        Probabilities, 1 in sum over each row.
    """
    n = len(codes)
    A = np.column_stack([np.ones(n), Z])
    of_class = np.zeros((n, G))
    of_class[np.arange(n), codes] = 1
    prior = np.maximum(of_class.mean(axis=0), MIN_PRIOR)
    ridge = np.append(RIDGE_OF_CONSTANT, np.full(Z.shape[1], RIDGE))[:, None]
    coefficients = np.zeros((len(ridge), G - 1))
    coefficients[0] = np.log(prior[:-1] / prior[-1])
    if not Z.shape[1] or G == 1:
        return _softmax(A @ coefficients)
    precondition = _with_equal_rows(A, prior[:-1], ridge[:, 0])

    def loss(predictor: np.ndarray, at: np.ndarray) -> float:
        """Negative logarithm of the likelihood, with the ridge, of coefficients and their predictor A @ at."""
        top = np.maximum(predictor.max(axis=1, initial=0), 0)
        total = np.exp(predictor - top[:, None]).sum(axis=1) + np.exp(-top)
        return float((np.log(total) + top).sum() - (predictor * of_class[:, :-1]).sum() + (ridge * at**2).sum() / 2)

    for _ in range(NEWTON_STEPS):
        predictor = A @ coefficients
        fitted = _softmax(predictor)
        slope = A.T @ (of_class - fitted)[:, :-1] - ridge * coefficients
        probabilities = np.ascontiguousarray(fitted[:, :-1])

        def information(V: np.ndarray, probabilities: np.ndarray = probabilities) -> np.ndarray:
            return np.asarray(A.T @ weigh(A @ V, probabilities) + ridge * V)

        step = conjugate_gradients(information, precondition, slope[None], TOLERANCE_OF_STEP)[0]
        direction = A @ step
        promised = float((slope * step).sum())
        before = loss(predictor, coefficients)
        for _ in range(HALVINGS):
            least = SUFFICIENT_DECREASE * promised - ROUNDING * abs(before)
            if before - loss(predictor + direction, coefficients + step) >= least:
                break
            step = step / 2
            direction = direction / 2
            promised = promised / 2
        coefficients += step
        if np.abs(step).max() < SMALL_STEP:
            break
    return _softmax(A @ coefficients)


def _softmax(predictor: np.ndarray) -> np.ndarray:
    """Probabilities (n, G) for linear predictors (n, G - 1), that of the last class being 0."""
    return np.asarray(softmax(np.column_stack([predictor, np.zeros(len(predictor))]), axis=1))


def _with_equal_rows(A: np.ndarray, prior: np.ndarray, ridge: np.ndarray) -> Map:
    """Inverse of the information, with a ridge, if all rows had the same probabilities.

    Then W is D - p p' for all rows, D = diag(p), and the information is V -> S V (D - p p') + R V, S = A'A. In the
    basis T in which T'ST = diag(s) and T'RT = I, row k of V is multiplied by s_k (D - p p') + I, a diagonal matrix less
    one of rank 1, which the formula of Sherman and Morrison inverts.

    Shapes: `A` (n, k); `prior` (g,); `ridge` (k,).
    """
    root = np.sqrt(ridge)
    s, vectors = np.linalg.eigh((A.T @ A) / root[:, None] / root)
    s = np.maximum(s, 0)
    T = vectors / root[:, None]
    diagonal = 1 / (s[:, None] * prior + 1)
    scaled = diagonal * prior
    factor = s / (1 - s * (scaled * prior).sum(axis=1))

    def inverse(V: np.ndarray) -> np.ndarray:
        rotated = diagonal * (T.T @ V)
        rotated += scaled * (factor * (rotated @ prior))[..., None]
        return np.asarray(T @ rotated)

    return inverse
