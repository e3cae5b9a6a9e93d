"""Multinomial logistic regression of classes, and of classes that the fitted model draws.

`additive_model` makes one for each nominal target.  scikit-learn's LogisticRegression finds the same minimum, within
5e-5 of a probability.  For 100 to 1,000 rows it took 1.3 to 2.2 of the time, and a fit of it cannot be stopped.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import softmax

from .column_axes import ColumnAxes

INVERSE_PENALTIES = np.logspace(-4, 4, 5)  # among which the log loss of rows that are left out chooses
N_FOLDS = 4  # folds of these rows; chosen by eye
MIN_ROWS = 8  # rows below which the first inverse penalty is taken
MAX_ROWS = 2000  # rows in all folds at most; chosen by eye
MAX_ITERATIONS = 200  # iterations of a fit at most
MIN_PROBABILITY = 1e-12  # smallest probability whose logarithm is taken
Tick = Callable[[], object]


class LogisticRegression:
    """Logistic regression of codes of G classes (n,) on the axes of a basis.

    residuals (n, c): indicators of the classes less their probabilities; one column for two classes, else G.
    """

    def __init__(self, axes: ColumnAxes, codes: np.ndarray, seed: int, tick: Tick):
        """Fit codes (n,) without missing values; seed: of the folds; tick: called at each evaluation of the loss."""
        self._tick = tick
        self._design = np.column_stack([np.ones(len(codes)), axes.directions * axes.lengths])
        _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
        self._codes = first.argsort().argsort()[codes]  # in the order of their first rows: names do not matter
        self._n_classes = len(first)
        coefficients = self._fit(self._design, self._codes, self._choose_penalty(seed))
        self._probabilities = softmax(self._design @ coefficients, axis=1)
        self.residuals = self._residuals_of(self._codes)

    def noise(self, rng: np.random.Generator) -> np.ndarray:
        """Draw the noise (n,) of the rows: quantiles of their classes in their distributions, spread evenly."""
        n = len(self._codes)
        rows = np.arange(n)
        upper = self._probabilities.cumsum(axis=1)[rows, self._codes]
        quantiles = upper - rng.random(n) * self._probabilities[rows, self._codes]
        ranks: np.ndarray = quantiles.argsort().argsort()
        return (ranks + 0.5) / n

    def drawn(self, noise: np.ndarray) -> np.ndarray:
        """Compute the residuals (n, c) of the classes at the quantiles `noise` (n,) of the distributions."""
        upper = self._probabilities.cumsum(axis=1)[:, :-1]
        return self._residuals_of((noise[:, None] > upper).sum(axis=1))

    def _residuals_of(self, codes: np.ndarray) -> np.ndarray:
        """Subtract the probabilities from the indicators of codes (n,)."""
        residuals: np.ndarray = np.eye(self._n_classes)[codes] - self._probabilities
        return residuals[:, 1:] if self._n_classes == 2 else residuals

    def _choose_penalty(self, seed: int) -> float:
        """Choose the inverse penalty with the least log loss of rows that are left out.

        From strong to weak penalties, until the loss grows; a fit begins at the coefficients of the one before.
        """
        rows = np.random.default_rng(seed).permutation(len(self._codes))[:MAX_ROWS]
        rows = rows[self._codes[rows].argsort(kind="stable")]  # so that folds are stratified
        best = float(INVERSE_PENALTIES[0])
        if len(rows) < MIN_ROWS or self._n_classes == 1:
            return best
        coefficients: list[np.ndarray | None] = [None] * N_FOLDS
        least_loss = np.inf
        for inverse_penalty in INVERSE_PENALTIES:
            loss = 0.0
            for fold in range(N_FOLDS):
                test = rows[fold::N_FOLDS]
                train = np.delete(rows, slice(fold, None, N_FOLDS))
                fitted = self._fit(self._design[train], self._codes[train], inverse_penalty, coefficients[fold])
                coefficients[fold] = fitted
                likelihoods = softmax(self._design[test] @ fitted, axis=1)[np.arange(len(test)), self._codes[test]]
                loss -= np.log(np.maximum(likelihoods, MIN_PROBABILITY)).sum()
            if loss >= least_loss:
                break
            best = float(inverse_penalty)
            least_loss = loss
        return best

    def _fit(
        self, design: np.ndarray, codes: np.ndarray, inverse_penalty: float, start: np.ndarray | None = None
    ) -> np.ndarray:
        """Compute the coefficients (1 + r, G) with the least penalised log loss.

        loss = -sum_i log P(codes_i) + sum of the squares of the coefficients but the intercepts / (2 inverse_penalty)

        design (n, 1 + r): 1 and the columns; start (1 + r, G): first coefficients, None for 0.
        """
        from scipy.optimize import minimize

        shape = (design.shape[1], self._n_classes)
        indicators = np.eye(self._n_classes)[codes]

        def loss_and_gradient(flat: np.ndarray) -> tuple[float, np.ndarray]:
            """Compute the loss and its gradient, over the number of rows."""
            self._tick()
            coefficients = flat.reshape(shape)
            logits = design @ coefficients
            largest = logits.max(axis=1, keepdims=True)
            odds = np.exp(logits - largest)
            total = odds.sum(axis=1, keepdims=True)
            penalty = (coefficients[1:] ** 2).sum() / (2 * inverse_penalty)
            loss = (np.log(total) + largest).sum() - (logits * indicators).sum() + penalty
            gradient = design.T @ (odds / total - indicators)
            gradient[1:] += coefficients[1:] / inverse_penalty
            return loss / len(design), gradient.ravel() / len(design)

        first = np.zeros(shape) if start is None else start
        options = {"maxiter": MAX_ITERATIONS, "ftol": 1e-11, "gtol": 1e-7}
        result = minimize(loss_and_gradient, first.ravel(), jac=True, method="L-BFGS-B", options=options)
        return np.asarray(result.x).reshape(shape)
