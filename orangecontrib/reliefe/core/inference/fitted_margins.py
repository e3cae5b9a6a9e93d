"""Distribution of a target given a few features, fitted to a pilot study, from which new targets are drawn.

`power.py` calls `fitted_target` with the discoveries of the pilot study.
"""

from dataclasses import dataclass

import numpy as np

from ..points.nearest import nearest_by_tree
from ..structure.additive import additive_basis
from ..studies.logistic import shares

N_NEIGHBOURS = 10  # as of ReliefF
PENALTIES = np.logspace(-2, 6, 9)  # of the ridge regression, on standardised columns; from nearly none to no effect
TINY = 1e-12


@dataclass(frozen=True, eq=False)
class FittedTarget:
    """Target of the N rows of a pilot study: its distribution given the features.

    Attributes
    ----------
    probabilities : (N, G) array or None
        Probabilities of the classes; None for numbers.
    mean : (N,) array or None
        Expected numbers; None for classes.
    residuals : (N,) array or None
        Numbers less their mean.
    """

    probabilities: np.ndarray | None
    mean: np.ndarray | None
    residuals: np.ndarray | None

    def draw(self, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a target (n,) for rows (n,) of the pilot study: codes of classes, or numbers."""
        if self.probabilities is not None:
            upper = self.probabilities[rows].cumsum(axis=1)[:, :-1]
            codes: np.ndarray = (rng.random(len(rows))[:, None] > upper).sum(axis=1)
            return codes
        drawn: np.ndarray = np.asarray(self.mean)[rows] + rng.choice(np.asarray(self.residuals), len(rows))
        return drawn


def fitted_target(values: np.ndarray, nominal: np.ndarray, y: np.ndarray, n_classes: int) -> FittedTarget:
    """Fit the distribution of a target given features.

    The margin of a row is what the other rows predict for it, twice: by ridge regression on a basis of natural splines,
    and by the mean of its 10 nearest rows. A regression of the target on the margins then sets their scale. If the
    features predict nothing, its slope is near 0, and all rows have the same distribution.

    Parameters
    ----------
    values : (N, d) array
        Features, NaN where unknown.
    nominal : (d,) bool array
        Features of categories.
    y : (N,) array
        Numbers, or codes of classes.
    n_classes : int
        Number G of classes; 0 for numbers.

    Returns
    -------
    FittedTarget
    """
    targets = np.eye(n_classes)[y.astype(int)][:, 1:] if n_classes else y[:, None]
    of_regression = linear_margins(additive_basis(values, nominal), targets)
    of_neighbours = neighbour_margins(_scaled(values, nominal), targets)
    margins = np.column_stack([of_regression, of_neighbours])
    deviation = margins.std(axis=0)
    varies = deviation > TINY
    Z = (margins[:, varies] - margins[:, varies].mean(axis=0)) / deviation[varies]
    if n_classes:
        return FittedTarget(shares(y.astype(int), Z, n_classes), None, None)
    A = np.column_stack([np.ones(len(y)), Z])
    mean = A @ np.linalg.lstsq(A, y, rcond=None)[0]
    return FittedTarget(None, mean, y - mean)


def linear_margins(basis: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Predict each row by a ridge regression on the other rows.

    With the fit f of all rows and the diagonal h of the hat matrix, the prediction without row i is

        t_i - (t_i - f_i) / (1 - h_i)

    for a fixed penalty. The penalty is the one of the smallest error of these predictions.

    Parameters
    ----------
    basis : (N, q) array
        Centred columns.
    targets : (N, c) array
        Numbers to predict.

    Returns
    -------
    (N, c) array
    """
    N = len(targets)
    if not basis.shape[1]:
        means: np.ndarray = (targets.sum(axis=0) - targets) / (N - 1)
        return means
    U, lengths, _ = np.linalg.svd(basis, full_matrices=False)
    mean = targets.mean(axis=0)
    effects = U.T @ (targets - mean)
    best = np.zeros_like(targets)
    least = np.inf
    for penalty in PENALTIES:
        shrunk = lengths**2 / (lengths**2 + penalty)
        fit = mean + U @ (shrunk[:, None] * effects)
        leverage = np.minimum(1 / N + (U**2) @ shrunk, 1 - 1 / N)
        predicted = targets - (targets - fit) / (1 - leverage)[:, None]
        error = float(((targets - predicted) ** 2).sum())
        if error < least:
            least = error
            best = predicted
    return best


def neighbour_margins(scaled: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Predict each row (N, c) by the mean target of its nearest other rows, by Manhattan distance of (N, d) columns."""
    near = nearest_by_tree(scaled, min(N_NEIGHBOURS, len(targets) - 1), power=1)
    means: np.ndarray = targets[near].mean(axis=1)
    return means


def _scaled(values: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Scale numbers to [0, 1], and write categories as indicators of 1/2, so that two different ones differ by 1."""
    columns: list[np.ndarray] = []
    for column, is_nominal in zip(values.T, nominal, strict=True):
        is_known = ~np.isnan(column)
        if is_nominal:
            columns += [(column == value) / 2 for value in np.unique(column[is_known])]
            continue
        low, high = column[is_known].min(initial=np.inf), column[is_known].max(initial=-np.inf)
        scaled = (column - low) / (high - low) if high > low else np.zeros(len(column))
        columns.append(np.where(is_known, scaled, scaled[is_known].mean() if is_known.any() else 0.0))
    return np.column_stack(columns)
