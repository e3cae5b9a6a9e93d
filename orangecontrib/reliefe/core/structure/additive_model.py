"""Additive model of targets on a basis: its residuals, and those of targets that the model draws.

`inference/partners.py` tests with it whether two features act only together.
"""

from collections.abc import Callable

import numpy as np

from ..targets.scaling import scaled
from ..targets.targets import Target

RIDGE = np.logspace(3, -7, 11)  # penalties of numbers, by generalised cross-validation
MIN_FREEDOM = 0.1  # share of the rows that a fit leaves free at least: below it, that criterion is noise
ROUNDING = 1e-7  # share of the spread of a number below which its residuals are none
LOOSE = np.logspace(-4, 4, 5)  # inverse penalties of classes, by the log loss of rows left out
FOLDS, MIN_ROWS, MOST_ROWS = 4, 8, 2000  # folds and rows that choose among these; fewer rows take the first
STEPS = 200  # of a fit, at most
TINY = 1e-12
Tick = Callable[[], object]


class AdditiveModel:
    """Targets as sums of effects that are linear in the columns of a basis.

    Numbers are fitted by ridge regression, classes and labels by logistic regression, each target alone.  A target that
    is drawn has the noise of other rows: the same row for all targets, which depend on each other as they did.

    Shapes: `Z` (n, q).
    """

    def __init__(self, Z: np.ndarray, target: Target, random_state: int, tick: Tick = lambda: None):
        values, nominal = target.columns
        nominal, axes = nominal | (target.label_matrix is not None), _axes(Z)
        self._seed = random_state
        self._known = ~np.isnan(values).T
        self._parts = []
        for column, known, classes in zip(values.T, self._known, nominal, strict=True):
            own, column = axes if known.all() else _axes(Z[known]), column[known]
            self._parts.append(_Classes(*own, column, random_state, tick) if classes else _Number(*own, column))

    def residuals(self) -> list[np.ndarray]:
        """Residuals (n, c) of each target: less its expectation, NaN where unknown; a column for each of more than two
        classes."""
        return [_spread(part.residuals, known) for part, known in zip(self._parts, self._known, strict=True)]

    def drawn(self, number: int) -> list[np.ndarray]:
        """Those of a target that the model draws, unknown in the same rows."""
        rng = np.random.default_rng((self._seed, number))
        n = self._known.shape[1]
        order, found = rng.permutation(n), []
        for part, known in zip(self._parts, self._known, strict=True):
            noise = part.noise(rng)
            of_rows = rng.choice(noise, n)
            of_rows[known] = noise
            found.append(_spread(part.drawn(of_rows[order][known]), known))
        return found


class _Number:
    """Ridge regression of t (n,) on the axes U (n, r) with lengths s (r,)."""

    def __init__(self, U: np.ndarray, s: np.ndarray, t: np.ndarray):
        self._U = U
        self._shrunk = s**2 / (s**2 + RIDGE[:, None])
        t = scaled(t)[0]
        self._fit, self._least = self._fitted(t), ROUNDING * t.std()
        self.residuals = self._of(t, self._fit)

    def noise(self, rng: np.random.Generator) -> np.ndarray:
        return self.residuals[:, 0]

    def drawn(self, noise: np.ndarray) -> np.ndarray:
        t = self._fit + noise
        return self._of(t, self._fitted(t))

    def _of(self, t: np.ndarray, fit: np.ndarray) -> np.ndarray:
        rest = (t - fit)[:, None]
        return rest if rest.std() > self._least else np.zeros_like(rest)

    def _fitted(self, t: np.ndarray) -> np.ndarray:
        mean, n = t.mean(), len(t)
        effects = self._U.T @ (t - mean)
        rest = ((t - mean) ** 2).sum() - (effects**2).sum() + (((1 - self._shrunk) * effects) ** 2).sum(axis=1)
        freedom = 1 - (1 + self._shrunk.sum(axis=1)) / n
        free = freedom > MIN_FREEDOM
        best = int(np.where(free, rest / np.where(free, freedom, 1) ** 2, np.inf).argmin())
        fitted: np.ndarray = mean + self._U @ (self._shrunk[best] * effects)
        return fitted


class _Classes:
    """Multinomial logistic regression of codes (n,) on the same axes."""

    def __init__(self, U: np.ndarray, s: np.ndarray, codes: np.ndarray, seed: int, tick: Tick):
        self._tick, self._A = tick, np.column_stack([np.ones(len(codes)), U * s])
        _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
        self._codes = first.argsort().argsort()[codes]  # as they occur: names do not matter
        self._G = len(first)
        self._P = _softmax(self._A @ self._fit(self._A, self._codes, self._chosen(seed)))
        self.residuals = self._of(self._codes)

    def noise(self, rng: np.random.Generator) -> np.ndarray:
        """Places of the classes in the distributions of the rows, dealt evenly to (0, 1)."""
        rows, n = np.arange(len(self._codes)), len(self._codes)
        upper = self._P.cumsum(axis=1)[rows, self._codes]
        places = upper - rng.random(n) * self._P[rows, self._codes]
        ranks: np.ndarray = places.argsort().argsort()
        return (ranks + 0.5) / n

    def drawn(self, noise: np.ndarray) -> np.ndarray:
        return self._of((noise[:, None] > self._P.cumsum(axis=1)[:, :-1]).sum(axis=1))

    def _of(self, codes: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.eye(self._G)[codes] - self._P
        return found[:, 1:] if self._G == 2 else found

    def _chosen(self, seed: int) -> float:
        """Inverse penalty by which rows that are left out are the most likely, from strong to weak penalties."""
        rows = np.random.default_rng(seed).permutation(len(self._codes))[:MOST_ROWS]
        rows = rows[self._codes[rows].argsort(kind="stable")]  # so that folds have the same classes
        folds = [(rows[k::FOLDS], np.delete(rows, slice(k, None, FOLDS))) for k in range(FOLDS)]
        fitted: list[np.ndarray | None] = [None] * FOLDS
        best, least = LOOSE[0], np.inf
        if len(rows) < MIN_ROWS or self._G == 1:
            return float(best)
        for loose in LOOSE:
            loss = 0.0
            for k, (test, train) in enumerate(folds):
                fitted[k] = B = self._fit(self._A[train], self._codes[train], loose, fitted[k])
                P = _softmax(self._A[test] @ B)[np.arange(len(test)), self._codes[test]]
                loss -= np.log(np.maximum(P, TINY)).sum()
            if loss >= least:
                break
            best, least = loose, loss
        return float(best)

    def _fit(self, A: np.ndarray, codes: np.ndarray, loose: float, start: np.ndarray | None = None) -> np.ndarray:
        """Coefficients (1 + r, G)."""
        from scipy.optimize import minimize

        shape, Y = (A.shape[1], self._G), np.eye(self._G)[codes]

        def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
            self._tick()
            B = flat.reshape(shape)
            eta = A @ B
            top = eta.max(axis=1, keepdims=True)
            E = np.exp(eta - top)
            total = E.sum(axis=1, keepdims=True)
            value = (np.log(total) + top).sum() - (eta * Y).sum() + (B[1:] ** 2).sum() / (2 * loose)
            slope = A.T @ (E / total - Y)
            slope[1:] += B[1:] / loose
            return value / len(A), slope.ravel() / len(A)

        start = np.zeros(shape) if start is None else start
        options = {"maxiter": STEPS, "ftol": 1e-11, "gtol": 1e-7}
        return np.asarray(minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options=options).x).reshape(shape)


def _axes(Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Orthogonal axes (n, r) of the columns, centred, and their lengths (r,)."""
    U, s, _ = np.linalg.svd(Z - Z.mean(axis=0), full_matrices=False)
    some = s > 1e-9 * max(s.max(initial=0), TINY)
    return U[:, some], s[some]


def _softmax(eta: np.ndarray) -> np.ndarray:
    E = np.exp(eta - eta.max(axis=1, keepdims=True))
    found: np.ndarray = E / E.sum(axis=1, keepdims=True)
    return found


def _spread(some: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Rows that are known among all of them, NaN in the rest."""
    out = np.full((len(known), some.shape[1]), np.nan)
    out[known] = some
    return out
