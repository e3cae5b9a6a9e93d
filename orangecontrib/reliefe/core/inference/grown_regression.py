"""Regression of a number that grows where its residuals can be predicted, with a diagnosis of what it lacked.

`one_conditional_test.py` calls `grow` with the columns that `regression_columns.py` chose.

The draws test the regression itself. If it holds, the residuals of the feature and those of its draws are exchangeable.
So if a candidate column follows the residuals of the feature more than candidates follow those of its draws, the
regression lacks it.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from ..studies.projection import Projection
from ..studies.residuals import normal_scores
from .redraws import freed_residuals, redraw_numbers

N_DRAWS = 199  # with whose candidates those of the feature are compared
MAX_NUMBERS = 6  # best remaining numbers, of which candidates are made
MAX_NUMBERS_BESIDE_COVARIATES = 4
MAX_COVARIATES = 3  # columns of covariates, of which candidates are made, too
N_NUMBERS_OF_SPREAD = 4  # whose products may predict the spread
WAVES = range(3, 9)  # half-waves over the range of a number

# Limits of the growth. They were chosen on 4 to 12 sets of each of the designs of benchmarks/conditional.py
ENTRY_Z = 2.5  # of the strongest candidate, above which it becomes a column
MAX_ADDED = 8  # columns
MAX_SPREAD_COLUMNS = 4
MIN_LEFT = 0.3  # share of the deviation of a candidate that the columns leave; others say nothing new
INVALID_Z = 4.0  # of the strongest candidate before the growth, above which p may be too small after it

MAX_CORRELATION = 0.999  # whose inverse hyperbolic tangent is finite
LOG_FLOOR = 0.05  # share of the deviation of residuals that is added to their size before its logarithm; chosen by eye
MAX_LOG_SPREAD = 3.0  # of a row, and -3; chosen by eye
FIT_DIGITS = 9  # of fitted normal scores, so that rounding separates no equal ones
TINY = 1e-12


class StrongestCandidate(NamedTuple):
    """Candidate that follows the residuals of the feature most closely."""

    position: int  # of the candidate among all
    z: float  # its correlation among the largest ones of the draws


class SpreadModel(NamedTuple):
    """Dependence of the size of residuals on the remaining features."""

    spread: np.ndarray  # (n,): factor of the residual of each row
    z_before: float  # of the strongest candidate without any column of the spread
    n_columns: int


class GrownRegression(NamedTuple):
    """Regression of the normal scores of a number."""

    projection: Projection  # on its columns
    spread: np.ndarray  # (n,): factor of the residual of each row; 1 if nothing predicts the spread
    mean_z: float  # of the strongest candidate column before the growth
    spread_z: float  # of the strongest candidate for the spread before it had any column
    n_added: int
    n_spread_columns: int

    @property
    def may_be_wrong(self) -> bool:
        """True if the regression lacked so much that what is left after its growth may still make p too small."""
        return max(self.mean_z, self.spread_z) > INVALID_Z


def grow(
    z: np.ndarray, columns: np.ndarray, numbers: np.ndarray, max_columns: int, rng: np.random.Generator
) -> GrownRegression:
    """Add the columns and the spread to a regression that the residuals of the feature follow.

    1. As long as the z of the strongest of `candidate_columns` is above 2.5, it is added to the columns.
    2. Then the spread of the residuals is fitted in the same way (`_fit_spread`).

    Parameters
    ----------
    z : (n,) array
        Centred normal scores of the feature.
    columns : (n, q) array
        Columns of the regression.
    numbers : (n, k) array
        Standardised normal scores of the best remaining numbers, and columns of covariates.
    max_columns : int
        Number of columns at which the regression does not grow any more.
    rng : np.random.Generator
        Source of the draws.

    Returns
    -------
    GrownRegression
    """
    candidates = candidate_columns(numbers)
    mean_z = 0.0
    n_added = 0
    while True:
        projection = Projection.on(columns)
        draws = redraw_numbers(z, projection, N_DRAWS, rng)
        residuals = _residuals_of_all(z, draws, projection)
        strongest = strongest_candidate(candidates, projection.Q, residuals)
        if not n_added:
            mean_z = strongest.z
        if strongest.z <= ENTRY_Z or n_added == MAX_ADDED or columns.shape[1] >= max_columns:
            break
        column = candidates[:, strongest.position] - candidates[:, strongest.position].mean()
        columns = np.column_stack([columns, column / column.std()])
        n_added += 1
    spread = _fit_spread(z, projection, residuals, numbers, rng)
    return GrownRegression(projection, spread.spread, mean_z, spread.z_before, n_added, spread.n_columns)


def candidate_columns(numbers: np.ndarray) -> np.ndarray:
    """Make the candidates that a regression may lack.

    These are products of two and of three numbers, products of the signs of two and of three, and waves
    cos(pi w Phi(b)), w = 3 ... 8.

    Parameters
    ----------
    numbers : (n, k) array
        Standardised normal scores.

    Returns
    -------
    (n, K) array
    """
    k = numbers.shape[1]
    signs = np.sign(numbers)
    candidates: list[np.ndarray] = []
    for values in (numbers, signs):
        candidates += [values[:, a] * values[:, b] for a, b in combinations(range(k), 2)]
    for values in (numbers, signs):
        candidates += [values[:, a] * values[:, b] * values[:, c] for a, b, c in combinations(range(k), 3)]
    probabilities = ndtr(numbers)
    for w in WAVES:
        candidates += list(np.cos(np.pi * w * probabilities).T)
    return np.asarray(np.array(candidates).reshape(len(candidates), len(numbers)).T)


def strongest_candidate(candidates: np.ndarray, Q: np.ndarray, residuals: np.ndarray) -> StrongestCandidate:
    """Find the candidate that follows the residuals of the feature most closely, and compare it with the draws.

    For the feature, b = 0, and its draws, D_b = artanh(max_k |g_k' e_b| / |e_b|), with candidates g_k less their
    projection on Q, of length 1. Then z = (D_0 - mean D_b) / sd D_b, with mean and deviation over the draws.

    Parameters
    ----------
    candidates : (n, K) array
        Candidates.
    Q : (n, r) array
        Orthogonal columns that are in the regression.
    residuals : (n, 1 + B) array
        Residuals of the feature and of its draws.

    Returns
    -------
    StrongestCandidate
        z is 0 without any candidate.
    """
    deviations = candidates.std(axis=0)
    unexplained = candidates - Q @ (Q.T @ candidates)
    is_new = unexplained.std(axis=0) > MIN_LEFT * np.maximum(deviations, TINY)
    if not is_new.any():
        return StrongestCandidate(-1, 0.0)
    unexplained /= np.maximum(np.sqrt((unexplained**2).sum(axis=0)), TINY)
    lengths = np.maximum(np.sqrt((residuals**2).sum(axis=0)), TINY)
    correlations = np.abs(unexplained.T @ (residuals / lengths))
    correlations[~is_new] = 0
    largest = np.arctanh(np.minimum(correlations.max(axis=0), MAX_CORRELATION))
    of_draws = largest[1:]
    z = (largest[0] - of_draws.mean()) / max(of_draws.std(), TINY)
    return StrongestCandidate(int(correlations[:, 0].argmax()), float(z))


def _residuals_of_all(z: np.ndarray, draws: np.ndarray, projection: Projection) -> np.ndarray:
    """Residuals (n, 1 + B) of a feature (n,) and of its draws (n, B), which have the same fit."""
    residuals = projection.rest(z)
    return np.column_stack([residuals, draws - (z - residuals)[:, None]])


def _fit_spread(
    z: np.ndarray, projection: Projection, residuals: np.ndarray, numbers: np.ndarray, rng: np.random.Generator
) -> SpreadModel:
    """Regress the logarithms of the sizes of residuals on the numbers, as long as their z is above 2.5.

    The compared values are log(|e_b| / s + .05 sd), centred, with s = 1 at first. Candidates are the numbers, their
    absolute values, those of the fit of the feature, and products of four numbers. The spread s is the exponential of a
    least-squares fit of log(|e| / sqrt(1 - h) + .05 sd) on the chosen ones. The feature is then drawn again with s.

    Parameters
    ----------
    z : (n,) array
        Centred normal scores of the feature.
    projection : Projection
        On the columns of its regression.
    residuals : (n, 1 + B) array
        Residuals of the feature and of its draws.
    numbers : (n, k) array
        Standardised normal scores of the best remaining numbers.
    rng : np.random.Generator
        Source of the draws.
    """
    n = len(z)
    fit = np.round(z - residuals[:, 0], FIT_DIGITS)
    candidates = _spread_candidates(numbers, normal_scores(fit))
    freed = freed_residuals(residuals[:, 0], projection)
    log_sizes = np.log(np.abs(freed) + LOG_FLOOR * freed.std())
    chosen: list[int] = []
    spread = np.ones(n)
    z_before = 0.0
    while True:
        compared = np.log(np.abs(residuals) / spread[:, None] + LOG_FLOOR * residuals.std())
        compared -= compared.mean(axis=0)
        predictors = np.column_stack([np.ones(n), candidates[:, chosen]])
        Q = np.linalg.qr(predictors)[0]
        strongest = strongest_candidate(candidates, Q, compared - Q @ (Q.T @ compared))
        if not chosen:
            z_before = strongest.z
        if strongest.z <= ENTRY_Z or len(chosen) == MAX_SPREAD_COLUMNS:
            return SpreadModel(spread, z_before, len(chosen))
        chosen.append(strongest.position)

        # Spread by the chosen columns, and draws with it
        predictors = np.column_stack([predictors, candidates[:, strongest.position]])
        fitted = predictors @ np.linalg.lstsq(predictors, log_sizes, rcond=None)[0]
        spread = np.exp(np.clip(fitted - fitted.mean(), -MAX_LOG_SPREAD, MAX_LOG_SPREAD))
        draws = redraw_numbers(z, projection, N_DRAWS, rng, spread)
        residuals = _residuals_of_all(z, draws, projection)


def _spread_candidates(numbers: np.ndarray, fit: np.ndarray) -> np.ndarray:
    """Columns (n, K) that may predict the spread, centred: numbers (n, k), the fit (n,), sizes, and products."""
    pairs = combinations(range(min(numbers.shape[1], N_NUMBERS_OF_SPREAD)), 2)
    products = [numbers[:, a] * numbers[:, b] for a, b in pairs]
    candidates = np.column_stack([numbers, np.abs(numbers), fit, np.abs(fit), *products])
    return np.asarray(candidates - candidates.mean(axis=0))
